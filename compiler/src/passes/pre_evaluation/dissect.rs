//! A value as a sum of monomials, each split into what is known and what is not (Luporini 2017,
//! Algorithm 2, steps 1 and 2).

use crate::collections::{HashMap, HashSet};
use crate::ir::{Access, ArrayId, Equation, Expr, ExprId, Factor, IndexId, Program, Role};
use crate::number::Number;
use crate::rewrite::evaluate::only_tables;
use crate::rewrite::replace::summed_at;

/// Most monomials that an equation may have.
const MOST: usize = 4096;
/// Largest power that is opened.
const HIGHEST_POWER: i32 = 3;

/// A product. It is summed over the equation's reduction loops and its own.
#[derive(Clone, Debug)]
pub struct Monomial {
    /// The constant.
    pub number: Number,
    /// Factors that none of the loops of constant length changes: geometry, mostly.
    pub cell: Vec<Factor>,
    /// Unknown factors that do not depend on the equation's reduction loops: coefficients.
    pub variables: Vec<Factor>,
    /// Factors whose values are known.
    pub tables: Vec<Factor>,
    /// Unknown factors that depend on the equation's reduction loops.
    pub rest: Vec<Factor>,
    /// Reduction loops of definitions that were put in the place of their temporaries.
    pub sums: Vec<IndexId>,
}

impl Monomial {
    fn of(number: Number) -> Monomial {
        Monomial {
            number,
            cell: Vec::new(),
            variables: Vec::new(),
            tables: Vec::new(),
            rest: Vec::new(),
            sums: Vec::new(),
        }
    }

    fn times(&self, other: &Monomial) -> Monomial {
        let join = |a: &[Factor], b: &[Factor]| a.iter().chain(b).copied().collect();
        Monomial {
            number: self.number * other.number,
            cell: join(&self.cell, &other.cell),
            variables: join(&self.variables, &other.variables),
            tables: join(&self.tables, &other.tables),
            rest: join(&self.rest, &other.rest),
            sums: self.sums.iter().chain(&other.sums).copied().collect(),
        }
    }
}

/// The equations that define temporaries with sums, by array.
pub type Definitions = HashMap<ArrayId, Equation>;

/// The temporaries of a program that one equation defines by a sum over loops of constant length.
pub fn definitions(program: &Program) -> Definitions {
    let mut result: Definitions = HashMap::default();
    let mut written: HashSet<ArrayId> = HashSet::default();
    for equation in &program.equations {
        let array = equation.target.array;
        let constant = |index: &IndexId| program.is_constant(*index);
        let plain = equation.is_definition()
            && matches!(program.array(array).role, Role::Temporary)
            && equation.reduction.iter().all(constant)
            // What it reads may be written before its value is used.
            && program.states(equation.expr).is_empty();
        if written.insert(array) && plain {
            result.insert(array, equation.clone());
        } else {
            result.remove(&array);
        }
    }
    result
}

/// The monomials of an equation's value, where the temporaries in `inlined` are replaced by their
/// definitions. Its `loops` and `sums` have constant lengths. `None` if there are too many.
pub fn dissect(
    program: &mut Program,
    expr: ExprId,
    (loops, sums): (&[IndexId], &[IndexId]),
    definitions: &Definitions,
    inlined: &HashSet<ArrayId>,
) -> Option<Vec<Monomial>> {
    let mut dissection = Dissection {
        loops: loops.to_vec(),
        sums: sums.to_vec(),
        program,
        definitions,
        inlined,
    };
    dissection.monomials(expr)
}

struct Dissection<'a> {
    program: &'a mut Program,
    /// Loops of constant length: the free ones, and those of definitions that were put in.
    loops: Vec<IndexId>,
    /// The equation's reduction loops of constant length.
    sums: Vec<IndexId>,
    definitions: &'a Definitions,
    inlined: &'a HashSet<ArrayId>,
}

impl Dissection<'_> {
    fn depends(&self, expr: ExprId, on: &[IndexId]) -> bool {
        let indices = self.program.pool.indices(expr);
        indices.iter().any(|index| on.contains(index))
    }

    /// Whether the values of an expression can be tabulated over the loops.
    fn is_known(&self, expr: ExprId) -> bool {
        let indices = self.program.pool.indices(expr);
        let inside = |index: &IndexId| self.loops.contains(index) || self.sums.contains(index);
        indices.iter().all(inside) && only_tables(self.program, expr)
    }

    fn monomials(&mut self, expr: ExprId) -> Option<Vec<Monomial>> {
        let factor = Factor { expr, power: 1 };
        match self.program.pool.get(expr).clone() {
            Expr::Constant(number) => Some(vec![Monomial::of(number)]),
            _ if self.is_known(expr) => Some(vec![Monomial {
                tables: vec![factor],
                ..Monomial::of(Number::ONE)
            }]),
            Expr::Sum(terms) if self.opens(expr) => {
                let mut all = Vec::new();
                for term in terms {
                    let mut part = self.monomials(term.expr)?;
                    part.iter_mut().for_each(|m| m.number *= term.coefficient);
                    all.append(&mut part);
                    if all.len() > MOST {
                        return None;
                    }
                }
                Some(all)
            }
            Expr::Product(factors) => {
                let mut all = vec![Monomial::of(Number::ONE)];
                for factor in factors {
                    let part = self.factor(factor)?;
                    all = products(&all, &part)?;
                }
                Some(all)
            }
            Expr::Access(access) if self.is_inlined(expr, &access) => self.definition(&access),
            _ => Some(vec![self.leaf(factor)]),
        }
    }

    /// Whether a sum is expanded: some loop changes it.
    fn opens(&self, expr: ExprId) -> bool {
        self.depends(expr, &self.sums) || self.depends(expr, &self.loops)
    }

    fn is_inlined(&self, expr: ExprId, access: &Access) -> bool {
        self.inlined.contains(&access.array)
            && self.definitions.contains_key(&access.array)
            && self.depends(expr, &self.sums)
    }

    fn factor(&mut self, factor: Factor) -> Option<Vec<Monomial>> {
        let opened = matches!(
            self.program.pool.get(factor.expr),
            Expr::Sum(_) | Expr::Product(_) | Expr::Access(_)
        ) && self.opens(factor.expr)
            && !self.is_known(factor.expr);
        if factor.power == 1 || (opened && (2..=HIGHEST_POWER).contains(&factor.power)) {
            let mut all = vec![Monomial::of(Number::ONE)];
            for _ in 0..factor.power {
                // Anew each time: sums of definitions run apart.
                let part = self.monomials(factor.expr)?;
                all = products(&all, &part)?;
            }
            return Some(all);
        }
        Some(vec![self.leaf(factor)])
    }

    /// A factor that is not opened.
    fn leaf(&self, factor: Factor) -> Monomial {
        let mut monomial = Monomial::of(Number::ONE);
        let place = if self.is_known(factor.expr) {
            &mut monomial.tables
        } else if self.depends(factor.expr, &self.sums) {
            &mut monomial.rest
        } else if self.depends(factor.expr, &self.loops) {
            &mut monomial.variables
        } else {
            &mut monomial.cell
        };
        place.push(factor);
        monomial
    }

    /// The monomials of a temporary's definition, its sums over loops of their own.
    fn definition(&mut self, access: &Access) -> Option<Vec<Monomial>> {
        let definition = self.definitions.get(&access.array)?.clone();
        let (value, sums) = summed_at(self.program, &definition, access);
        self.loops.extend(&sums);
        let mut monomials = self.monomials(value)?;
        for monomial in &mut monomials {
            monomial.sums.extend(&sums);
        }
        Some(monomials)
    }
}

fn products(left: &[Monomial], right: &[Monomial]) -> Option<Vec<Monomial>> {
    if left.len() * right.len() > MOST {
        return None;
    }
    let pairs = left
        .iter()
        .flat_map(|l| right.iter().map(move |r| l.times(r)));
    Some(pairs.collect())
}
