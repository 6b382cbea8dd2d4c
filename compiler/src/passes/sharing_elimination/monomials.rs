//! A value as a sum of monomials: products of symbols, each of which depends on one loop.

use std::collections::BTreeMap;

use crate::collections::{HashMap, HashSet};
use crate::ir::{Array, Element, Expr, ExprId, Factor, IndexId, Pool, Program, Role};
use crate::number::Number;
use crate::rewrite::common_factor::{Coefficient, with_common_factor};
use crate::rewrite::normalise::product;

/// Most monomials that an expansion may have.
const MOST: usize = 1024;

/// The symbols of a monomial: for each loop the product of what depends on it alone, and what
/// depends on several.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Symbols {
    /// By position of the loop.
    pub of: Vec<Option<ExprId>>,
    /// Depends on more than one loop.
    pub mixed: Option<ExprId>,
}

/// A value, expanded: coefficients by symbols, in a fixed order.
pub type Expanded = BTreeMap<Symbols, ExprId>;

/// Expands products over sums wherever a loop of `linear` is involved; expressions in `kept`, and
/// products that are not linear in a loop, count as symbols. `None` if that gives too many monomials.
pub fn expand(
    program: &mut Program,
    expr: ExprId,
    linear: &[IndexId],
    kept: &HashSet<ExprId>,
) -> Option<Expanded> {
    let element = program.pool.element(expr);
    let Program { pool, arrays, .. } = program;
    let mut expansion = Expansion {
        pool,
        arrays,
        linear,
        kept,
        unknowns: HashMap::default(),
    };
    let monomials = expansion.monomials(expr)?;
    let mut collected: BTreeMap<Symbols, Vec<Coefficient>> = BTreeMap::new();
    for monomial in monomials {
        let symbols = expansion.symbols(&monomial, element);
        let coefficient = (monomial.number, monomial.coefficient);
        collected.entry(symbols).or_default().push(coefficient);
    }
    let coefficients = collected
        .into_iter()
        .map(|(symbols, terms)| (symbols, with_common_factor(expansion.pool, &terms, element)))
        .collect();
    Some(coefficients)
}

#[derive(Clone, Debug)]
struct Monomial {
    number: Number,
    coefficient: Vec<Factor>,
    symbols: Vec<Factor>,
}

struct Expansion<'a> {
    pool: &'a mut Pool,
    arrays: &'a [Array],
    linear: &'a [IndexId],
    kept: &'a HashSet<ExprId>,
    /// Which expressions have unknowns that depend on a loop.
    unknowns: HashMap<(ExprId, IndexId), bool>,
}

impl Expansion<'_> {
    /// The loops among the linear ones that an expression depends on, by position.
    fn depends(&self, expr: ExprId) -> Vec<usize> {
        depends(self.pool, expr, self.linear)
    }

    fn monomials(&mut self, expr: ExprId) -> Option<Vec<Monomial>> {
        let one = |coefficient: Vec<Factor>, symbols: Vec<Factor>| {
            Some(vec![Monomial {
                number: Number::ONE,
                coefficient,
                symbols,
            }])
        };
        let itself = vec![Factor { expr, power: 1 }];
        if self.depends(expr).is_empty() {
            // Products of coefficients are opened: what they have in common is found then.
            return match self.pool.get(expr).clone() {
                Expr::Product(factors) => one(factors, Vec::new()),
                _ => one(itself, Vec::new()),
            };
        }
        if self.kept.contains(&expr) {
            return one(Vec::new(), itself);
        }
        match self.pool.get(expr).clone() {
            Expr::Sum(terms) => {
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
            Expr::Product(factors) if !self.is_linear(&factors) => one(Vec::new(), itself),
            Expr::Product(factors) => {
                let mut all = one(Vec::new(), Vec::new())?;
                for factor in factors {
                    let part = self.factor(factor)?;
                    if all.len() * part.len() > MOST {
                        return None;
                    }
                    all = all
                        .iter()
                        .flat_map(|left| part.iter().map(move |right| times(left, right)))
                        .collect();
                }
                Some(all)
            }
            _ => one(Vec::new(), itself),
        }
    }

    /// Whether a product is linear in each loop: at most one factor has unknowns that depend on it.
    fn is_linear(&mut self, factors: &[Factor]) -> bool {
        let linear = self.linear;
        linear.iter().all(|index| {
            let unknown = factors.iter().filter(|f| self.has_unknowns(f.expr, *index));
            unknown.map(|f| f.power.unsigned_abs()).sum::<u32>() <= 1
        })
    }

    /// Whether what an expression reads, other than tables, depends on a loop.
    fn has_unknowns(&mut self, expr: ExprId, index: IndexId) -> bool {
        if !self.pool.indices(expr).contains(&index) {
            return false;
        }
        if let Expr::Access(access) = self.pool.get(expr) {
            let role = &self.arrays[access.array.0 as usize].role;
            return !matches!(role, Role::Table(_));
        }
        if let Some(known) = self.unknowns.get(&(expr, index)) {
            return *known;
        }
        let operands = self.pool.operands(expr);
        let found = operands.iter().any(|o| self.has_unknowns(*o, index));
        self.unknowns.insert((expr, index), found);
        found
    }

    fn factor(&mut self, factor: Factor) -> Option<Vec<Monomial>> {
        let opens = matches!(self.pool.get(factor.expr), Expr::Sum(_) | Expr::Product(_));
        if factor.power == 1
            || (factor.power == 2 && opens && !self.depends(factor.expr).is_empty())
        {
            let part = self.monomials(factor.expr)?;
            if factor.power == 1 {
                return Some(part);
            }
            return Some(
                part.iter()
                    .flat_map(|left| part.iter().map(move |right| times(left, right)))
                    .collect(),
            );
        }
        let mut monomial = Monomial {
            number: Number::ONE,
            coefficient: Vec::new(),
            symbols: Vec::new(),
        };
        if self.depends(factor.expr).is_empty() {
            monomial.coefficient.push(factor);
        } else {
            monomial.symbols.push(factor);
        }
        Some(vec![monomial])
    }

    fn symbols(&mut self, monomial: &Monomial, element: Element) -> Symbols {
        let mut of: Vec<Vec<Factor>> = vec![Vec::new(); self.linear.len()];
        let mut mixed = Vec::new();
        for factor in &monomial.symbols {
            match self.depends(factor.expr).as_slice() {
                [only] => of[*only].push(*factor),
                _ => mixed.push(*factor),
            }
        }
        let mut joined = |factors: Vec<Factor>| {
            (!factors.is_empty()).then(|| product(self.pool, factors, element))
        };
        Symbols {
            of: of.into_iter().map(&mut joined).collect(),
            mixed: joined(mixed),
        }
    }
}

fn times(left: &Monomial, right: &Monomial) -> Monomial {
    let join = |a: &[Factor], b: &[Factor]| a.iter().chain(b).copied().collect();
    Monomial {
        number: left.number * right.number,
        coefficient: join(&left.coefficient, &right.coefficient),
        symbols: join(&left.symbols, &right.symbols),
    }
}

/// The positions of the loops that an expression depends on.
pub fn depends(pool: &Pool, expr: ExprId, linear: &[IndexId]) -> Vec<usize> {
    let indices = pool.indices(expr);
    (0..linear.len())
        .filter(|at| indices.contains(&linear[*at]))
        .collect()
}
