//! Equations as sums of products.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::collections::HashMap;
use crate::ir::{
    Access, Affine, ArrayId, Equation, Expr, ExprId, Extent, Factor, IndexId, Program, Role,
    Term as SumTerm,
};
use crate::number::Number;
use crate::rewrite::evaluate::{extents, only_tables, tabulate};
use crate::rewrite::normalise::{product, sum};

/// Most products of an equation.
const MOST_TERMS: usize = 256;
/// Most factors of a product: ways to multiply them grow as a power of that.
const MOST_FACTORS: usize = 9;

/// A product, summed over the loops of its equation.
#[derive(Clone, Debug)]
pub struct Term {
    /// The constant.
    pub coefficient: Number,
    /// The factors, sorted.
    pub factors: Vec<ExprId>,
}

/// Takes equations apart.
#[derive(Default)]
pub struct Terms {
    /// Whether a loop chooses an entry of a table in an expression.
    has_tables: HashMap<ExprId, bool>,
    /// Tables that were made.
    tables: Vec<ArrayId>,
}

impl Terms {
    /// The products of an equation that is a sum over loops of constant length, or over some of the
    /// `long` ones; `None` if it is none, or has too many.
    pub fn of(
        &mut self,
        program: &mut Program,
        equation: &Equation,
        long: &BTreeSet<IndexId>,
    ) -> Option<Vec<Term>> {
        let mut sums = equation.reduction.clone();
        sums.retain(|index| program.is_constant(*index) || long.contains(index));
        if sums.is_empty() || !equation.adds_up() || !program.states(equation.expr).is_empty() {
            return None;
        }
        let products = self.terms(program, equation.expr)?;
        let mut result = Vec::new();
        for (mut coefficient, factors) in products {
            let depends = |index: &IndexId| {
                let mut factors = factors.iter();
                factors.any(|factor| program.pool.indices(*factor).contains(index))
            };
            for index in sums.iter().filter(|index| !depends(index)) {
                let times = program.loop_index(*index).extent.as_constant()?;
                coefficient *= Number::from_i64(i64::try_from(times).ok()?);
            }
            let mut factors = self.merged(program, &mut coefficient, factors)?;
            factors.sort_unstable();
            if factors.is_empty() || factors.len() > MOST_FACTORS {
                return None;
            }
            result.push(Term {
                coefficient,
                factors,
            });
        }
        Some(result)
    }

    /// The terms with those that have the same tables as one, where the loops of what else is in them
    /// are the same: that is added first.
    pub fn grouped(&mut self, program: &mut Program, terms: &[Term]) -> Vec<Term> {
        type Group = ((Vec<ExprId>, Vec<IndexId>), Vec<(Term, Vec<ExprId>)>);
        let mut groups: Vec<Group> = Vec::new();
        let mut result = Vec::new();
        for term in terms {
            let (known, rest): (Vec<ExprId>, Vec<ExprId>) =
                (term.factors.iter()).partition(|factor| only_tables(program, **factor));
            if known.is_empty() || rest.is_empty() {
                result.push(term.clone());
                continue;
            }
            let of = |expr: &ExprId| program.pool.indices(*expr).iter().copied();
            let loops: BTreeSet<IndexId> = rest.iter().flat_map(of).collect();
            let key = (known, loops.into_iter().collect());
            match groups.iter_mut().find(|(other, _)| *other == key) {
                Some((_, members)) => members.push((term.clone(), rest)),
                None => groups.push((key, vec![(term.clone(), rest)])),
            }
        }
        for ((mut factors, _), members) in groups {
            if let [(only, _)] = members.as_slice() {
                result.push(only.clone());
                continue;
            }
            let element = program.pool.element(members[0].1[0]);
            let common = common(members.iter().map(|(_, rest)| rest.as_slice()));
            let mut terms = Vec::new();
            for (term, mut rest) in members {
                for factor in &common {
                    let at = rest.iter().position(|other| other == factor);
                    at.map(|at| rest.remove(at));
                }
                let rest = rest.into_iter().map(|expr| Factor { expr, power: 1 });
                terms.push(SumTerm {
                    coefficient: term.coefficient,
                    expr: product(&mut program.pool, rest.collect(), element),
                });
            }
            factors.extend(common);
            factors.push(sum(&mut program.pool, terms, element));
            factors.sort_unstable();
            result.push(Term {
                coefficient: Number::ONE,
                factors,
            });
        }
        result
    }

    /// Products that an equation adds up. Each is rounded in the text, so that they are summed apart as accurately.
    fn terms(&mut self, program: &mut Program, expr: ExprId) -> Option<Vec<(Number, Vec<ExprId>)>> {
        let Expr::Sum(terms) = program.pool.get(expr).clone() else {
            return self.expanded(program, expr);
        };
        let is_product = |term: &SumTerm| matches!(program.pool.get(term.expr), Expr::Product(_));
        if !terms.iter().all(is_product) {
            return self.expanded(program, expr);
        }
        let mut all = Vec::new();
        for term in terms {
            let parts = self.expanded(program, term.expr)?.into_iter();
            all.extend(parts.map(|(number, factors)| (term.coefficient * number, factors)));
        }
        (all.len() <= MOST_TERMS).then_some(all)
    }

    /// Products whose sum an expression is. What has no entries of tables in it stays one factor.
    pub fn expanded(
        &mut self,
        program: &mut Program,
        expr: ExprId,
    ) -> Option<Vec<(Number, Vec<ExprId>)>> {
        let node = program.pool.get(expr).clone();
        let opened = self.opens(program, expr);
        match node {
            Expr::Constant(number) => Some(vec![(number, Vec::new())]),
            // A single term is a multiple.
            Expr::Sum(terms) if opened || terms.len() == 1 => {
                let mut all = Vec::new();
                for term in terms {
                    let parts = self.expanded(program, term.expr)?.into_iter();
                    all.extend(parts.map(|(number, factors)| (term.coefficient * number, factors)));
                    if all.len() > MOST_TERMS {
                        return None;
                    }
                }
                Some(all)
            }
            Expr::Product(factors) => {
                let mut all = vec![(Number::ONE, Vec::new())];
                for factor in factors {
                    let parts = match factor.power {
                        1 => self.expanded(program, factor.expr)?,
                        _ => {
                            let element = program.pool.element(expr);
                            let power = product(&mut program.pool, vec![factor], element);
                            vec![(Number::ONE, vec![power])]
                        }
                    };
                    all = products(&all, &parts)?;
                }
                Some(all)
            }
            _ => Some(vec![(Number::ONE, vec![expr])]),
        }
    }

    /// Whether a sum is multiplied out: entries of tables are in it that stand beside other values.
    fn opens(&mut self, program: &Program, expr: ExprId) -> bool {
        self.reads_tables(program, expr) && !only_tables(program, expr)
    }

    fn reads_tables(&mut self, program: &Program, expr: ExprId) -> bool {
        if let Some(known) = self.has_tables.get(&expr) {
            return *known;
        }
        let found = match program.pool.get(expr) {
            Expr::Access(access) => matches!(program.array(access.array).role, Role::Table(_)),
            Expr::Sum(_) | Expr::Product(_) => {
                let mut operands = program.pool.operands(expr).into_iter();
                operands.any(|operand| self.reads_tables(program, operand))
            }
            _ => false,
        };
        self.has_tables.insert(expr, found);
        found
    }

    /// Factors, with constants and tables that others contain in their loops multiplied into these.
    fn merged(
        &mut self,
        program: &mut Program,
        coefficient: &mut Number,
        factors: Vec<ExprId>,
    ) -> Option<Vec<ExprId>> {
        let (mut known, mut rest): (Vec<ExprId>, Vec<ExprId>) =
            (factors.into_iter()).partition(|factor| only_tables(program, *factor));
        let loops = |program: &Program, expr: ExprId| program.pool.indices(expr).to_vec();
        known.sort_by_key(|expr| (loops(program, *expr), *expr));
        let unit = coefficient.is_one() || coefficient.is_minus_one();
        if let (false, Some(first)) = (unit, known.first()) {
            let element = program.pool.element(*first);
            let constant = program.pool.constant(*coefficient, element);
            *coefficient = Number::ONE;
            known.push(constant);
        }
        // Those of the fewest loops first: each goes into the first that has all of its loops.
        let mut left = known.clone();
        left.sort_by_key(|expr| loops(program, *expr).len());
        let mut groups: Vec<(ExprId, Vec<ExprId>)> = Vec::new();
        while !left.is_empty() {
            let expr = left.remove(0);
            let own = loops(program, expr);
            let into = known.iter().copied().find(|other| {
                let others = loops(program, *other);
                left.contains(other) && own.iter().all(|index| others.contains(index))
            });
            let moved = match groups.iter().position(|(of, _)| *of == expr) {
                Some(at) => groups.remove(at).1,
                None => Vec::new(),
            };
            let members: Vec<ExprId> = moved.into_iter().chain([expr]).collect();
            match into {
                None => rest.push(self.table(program, &members, &[])?),
                Some(into) => match groups.iter_mut().find(|(of, _)| *of == into) {
                    Some((_, group)) => group.extend(members),
                    None => groups.push((into, members)),
                },
            }
        }
        Some(rest)
    }

    /// The product of known values as one, summed over some loops.
    pub fn table(
        &mut self,
        program: &mut Program,
        factors: &[ExprId],
        sums: &[IndexId],
    ) -> Option<ExprId> {
        if let ([only], []) = (factors, sums)
            && matches!(program.pool.get(*only), Expr::Access(_))
        {
            return Some(*only);
        }
        let element = program.pool.element(factors[0]);
        let plain = |expr: &ExprId| Factor {
            expr: *expr,
            power: 1,
        };
        let factors: Vec<Factor> = factors.iter().map(plain).collect();
        let value = product(&mut program.pool, factors, element);
        let mut loops = program.pool.indices(value).to_vec();
        loops.retain(|index| !sums.contains(index));
        let each: usize = extents(program, sums)?.iter().product();
        let all = tabulate(program, value, &[loops.as_slice(), sums].concat())?;
        let summed = |values: &[Number]| values.iter().fold(Number::ZERO, |sum, v| sum + *v);
        let values: Vec<Number> = all.chunks(each).map(summed).collect();
        if loops.is_empty() {
            return Some(program.pool.constant(values[0], element));
        }
        let shape: Vec<Extent> = loops
            .iter()
            .map(|index| program.loop_index(*index).extent.clone())
            .collect();
        let array = self.equal(program, &shape, &values).unwrap_or_else(|| {
            let role = Role::Table(Rc::new(values));
            let array = program.add_array("known", element, shape, role);
            self.tables.push(array);
            array
        });
        let subscripts = loops.into_iter().map(Affine::index).collect();
        let access = Expr::Access(Access { array, subscripts });
        Some(program.pool.add(access, element))
    }

    /// A table with these values that was made before.
    fn equal(&self, program: &Program, shape: &[Extent], values: &[Number]) -> Option<ArrayId> {
        let same = |other: &[Number]| other.iter().zip(values).all(|(a, b)| a.key() == b.key());
        let equal = |array: &&ArrayId| {
            let array = program.array(**array);
            array.shape == shape && matches!(&array.role, Role::Table(other) if same(other))
        };
        self.tables.iter().find(equal).copied()
    }
}

/// The factors that all lists have, as often as all have them.
fn common<'a>(mut lists: impl Iterator<Item = &'a [ExprId]>) -> Vec<ExprId> {
    let first = lists.next().unwrap_or_default().to_vec();
    lists.fold(first, |common, list| {
        let mut left = list.to_vec();
        let is_left = |factor: &ExprId| {
            let at = left.iter().position(|other| other == factor);
            at.map(|at| left.remove(at)).is_some()
        };
        common.into_iter().filter(is_left).collect()
    })
}

/// All products of one of each.
fn products(
    left: &[(Number, Vec<ExprId>)],
    right: &[(Number, Vec<ExprId>)],
) -> Option<Vec<(Number, Vec<ExprId>)>> {
    if left.len() * right.len() > MOST_TERMS {
        return None;
    }
    let mut result = Vec::new();
    for (a, factors) in left {
        for (b, others) in right {
            result.push((*a * *b, [factors.as_slice(), others].concat()));
        }
    }
    Some(result)
}
