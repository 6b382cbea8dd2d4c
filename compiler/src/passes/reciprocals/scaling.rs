//! Multiplying small divisors by powers of two, and what is multiplied with their reciprocals after that.

use crate::collections::{HashMap, HashSet};
use crate::ir::{
    Access, Affine, ArrayId, Element, Equation, Expr, ExprId, Factor, Operator, Pool, Program,
    Role, Term,
};
use crate::number::Number;
use crate::syntax::ast::{CompareOperator, Elementary};

/// Below which power of two divisors are small, and by which they are scaled then.
const SCALES: [(i32, i32); 2] = [(-1000, 100), (-100, 40)];

/// How many powers of two a value is multiplied by at once.
const MOST: i32 = 2;

/// Scales reciprocals. Those that some temporaries keep stay as they are scaled, by powers of two that are kept already or, of
/// what is `own`, in an array of its own. An error is a temporary that is not `own` and whose elements have several powers, and
/// nothing is done.
pub fn scale(
    program: &mut Program,
    (risky, numbers): (&HashMap<ExprId, Vec<ExprId>>, HashSet<ExprId>),
    (kept, own): (&HashSet<ArrayId>, &HashSet<ArrayId>),
) -> Result<(), ArrayId> {
    let mut after = program.clone();
    let mut scaling = Scaling {
        temporaries: HashMap::default(),
        made: HashMap::default(),
        others: HashMap::default(),
        own: own.clone(),
        known: HashMap::default(),
        numbers,
        risky: risky.clone(),
    };
    for mut equation in std::mem::take(&mut after.equations) {
        let array = equation.target.array;
        let found = match kept.contains(&array) {
            true => scaling.reciprocal(&mut after.pool, equation.expr),
            false => None,
        };
        if let Some((inside, scale)) = found {
            let own = scaling.define(&mut after, &equation, scale)?;
            after.equations.extend(own);
            equation.expr = inside;
        } else {
            if kept.contains(&array) {
                let one = scaling.other(&mut after, &equation)?;
                after.equations.extend(one);
            }
            let sum = scaling.sum_over_loops(&mut after, &mut equation);
            after.equations.extend(sum);
        }
        after.equations.push(equation);
    }
    *program = after;
    Ok(())
}

/// The power of two that a divisor is multiplied by.
fn power(pool: &mut Pool, divisor: ExprId) -> ExprId {
    let element = pool.element(divisor);
    let (small, by) = SCALES[usize::from(element != Element::F64)];
    let mut number = |value: f64| pool.constant(Number::from_f64(value), element);
    let [small, by, one] = [2.0f64.powi(small), 2.0f64.powi(by), 1.0].map(&mut number);
    let size = pool.add(Expr::Call(Elementary::Abs, vec![divisor]), element);
    let condition = pool.add(Expr::Compare(CompareOperator::Less, size, small), element);
    pool.add(Expr::Select(condition, by, one), element)
}

struct Scaling {
    /// Reciprocals that are kept: the powers of two that their divisors were multiplied by, and which of the reciprocal's
    /// subscripts these have.
    temporaries: HashMap<ArrayId, (ArrayId, Vec<usize>)>,
    /// The arrays of powers of two that are made for temporaries.
    made: HashMap<ArrayId, ArrayId>,
    /// Equations that write something else to temporaries that have none.
    others: HashMap<ArrayId, Vec<Equation>>,
    /// Temporaries that have one in any case.
    own: HashSet<ArrayId>,
    known: HashMap<ExprId, (ExprId, Vec<Factor>)>,
    numbers: HashSet<ExprId>,
    /// Reciprocals with those of their divisors that may be subnormal.
    risky: HashMap<ExprId, Vec<ExprId>>,
}

impl Scaling {
    /// Notes that an equation keeps a reciprocal that is scaled; the equations that keep its power of two, where
    /// that is not kept already, and a one for each other value. An error is the array, where its elements have several powers.
    fn define(
        &mut self,
        program: &mut Program,
        equation: &Equation,
        scale: ExprId,
    ) -> Result<Vec<Equation>, ArrayId> {
        let array = equation.target.array;
        if let Some(target) = self.made.get(&array) {
            return Ok(vec![with(equation, *target, scale)]);
        }
        let zero = |other: &Equation| program.pool.is_zero(other.expr);
        let others = self.others.get(&array).into_iter().flatten();
        let alone = !self.own.contains(&array) && others.clone().all(zero);
        let known = kept_as(&program.pool, equation, scale).filter(|_| alone);
        match (self.temporaries.get(&array), known) {
            (Some(before), Some(known)) if *before == known => return Ok(Vec::new()),
            (Some(_), _) => return Err(array),
            (None, Some(known)) => {
                self.temporaries.insert(array, known);
                return Ok(Vec::new());
            }
            (None, None) => {}
        }
        let kept = program.array(array);
        let (name, element) = (format!("{}_scale", kept.name), kept.element);
        let shape = kept.shape.clone();
        let all = (0..shape.len()).collect();
        let target = program.add_array(&name, element, shape, Role::Temporary);
        self.temporaries.insert(array, (target, all));
        self.made.insert(array, target);
        let others = self.others.remove(&array).unwrap_or_default();
        let one = program.pool.constant(Number::ONE, element);
        let ones = others.iter().map(|other| with(other, target, one));
        let mut result: Vec<Equation> = ones.collect();
        result.push(with(equation, target, scale));
        Ok(result)
    }

    /// Notes that an equation writes what is no reciprocal: its power of two is one, where the array has one of its own. An error
    /// is an array that has not, unless zeros are written, which are that with any.
    fn other(
        &mut self,
        program: &mut Program,
        equation: &Equation,
    ) -> Result<Option<Equation>, ArrayId> {
        let array = equation.target.array;
        if let Some(target) = self.made.get(&array) {
            let element = program.array(*target).element;
            let one = program.pool.constant(Number::ONE, element);
            return Ok(Some(with(equation, *target, one)));
        }
        if self.temporaries.contains_key(&array) && !program.pool.is_zero(equation.expr) {
            return Err(array);
        }
        let others = self.others.entry(array).or_default();
        others.push(equation.clone());
        Ok(None)
    }

    /// Scales what an equation computes. A sum over loops that do not change the powers of two is multiplied by these as a whole:
    /// the equation that sums it up.
    fn sum_over_loops(
        &mut self,
        program: &mut Program,
        equation: &mut Equation,
    ) -> Option<Equation> {
        let pool = &mut program.pool;
        let (inside, scales) = match self.risky.contains_key(&equation.expr) {
            true => (self.scaled(pool, equation.expr), Vec::new()),
            false => self.split(pool, equation.expr),
        };
        let still = |scale: &Factor| {
            let indices = pool.indices(scale.expr);
            !indices
                .iter()
                .any(|index| equation.reduction.contains(index))
        };
        let adds = equation.adds_up();
        let whole = adds && !scales.is_empty() && scales.iter().all(still);
        if equation.reduction.is_empty() || !whole {
            equation.expr = product(pool, inside, scales);
            return None;
        }
        let element = pool.element(inside);
        let name = format!("{}_sum", program.array(equation.target.array).name);
        let target = program.add_temporary(&name, &equation.free, element);
        let sum = program.pool.add(Expr::Access(target.clone()), element);
        equation.expr = product(&mut program.pool, sum, scales);
        Some(Equation {
            target,
            operator: Operator::Assign,
            free: equation.free.clone(),
            reduction: std::mem::take(&mut equation.reduction),
            expr: inside,
        })
    }

    /// A reciprocal whose divisors are multiplied by powers of two, and the product of these.
    fn with_scale(&mut self, pool: &mut Pool, expr: ExprId) -> (ExprId, ExprId) {
        let element = pool.element(expr);
        let (mut by, mut scales) = (HashMap::default(), Vec::new());
        for before in self.risky[&expr].clone() {
            let divisor = self.scaled(pool, before);
            let scale = power(pool, divisor);
            let factors = [divisor, scale].map(|expr| Factor { expr, power: 1 });
            by.insert(before, pool.add(Expr::Product(factors.to_vec()), element));
            scales.push(Factor {
                expr: scale,
                power: 1,
            });
        }
        let inside = pool.map_operands(expr, &mut |_, operand| {
            by.get(&operand).copied().unwrap_or(operand)
        });
        let scale = match scales.as_slice() {
            [only] => only.expr,
            _ => pool.add(Expr::Product(scales), element),
        };
        (inside, scale)
    }

    /// A value, in which products with reciprocals are those with scaled ones.
    fn scaled(&mut self, pool: &mut Pool, expr: ExprId) -> ExprId {
        // What stands alone is what it is in the text.
        if self.risky.contains_key(&expr) {
            return pool.map_operands(expr, &mut |pool, operand| self.scaled(pool, operand));
        }
        let (inside, scales) = self.split(pool, expr);
        product(pool, inside, scales)
    }

    /// A value with scaled reciprocals in it, and the powers of two that it is to be multiplied by: out of products, and
    /// out of sums whose terms have the same ones, so that no more is multiplied than has to be.
    fn split(&mut self, pool: &mut Pool, expr: ExprId) -> (ExprId, Vec<Factor>) {
        if let Some(known) = self.known.get(&expr) {
            return known.clone();
        }
        let result = match pool.get(expr).clone() {
            Expr::Sum(terms) => self.split_sum(pool, expr, terms),
            Expr::Product(factors) if !self.risky.contains_key(&expr) => {
                self.split_product(pool, expr, factors)
            }
            _ => match self.reciprocal(pool, expr) {
                Some((inside, expr)) => (inside, vec![Factor { expr, power: 1 }]),
                None => {
                    let by = &mut |pool: &mut Pool, operand| self.scaled(pool, operand);
                    (pool.map_operands(expr, by), Vec::new())
                }
            },
        };
        self.known.insert(expr, result.clone());
        result
    }

    fn split_product(
        &mut self,
        pool: &mut Pool,
        expr: ExprId,
        factors: Vec<Factor>,
    ) -> (ExprId, Vec<Factor>) {
        let (mut inside, mut scales) = (Vec::<Factor>::new(), Vec::<Factor>::new());
        for factor in factors {
            let (own, mut all) = match factor.power > 0 {
                true => self.split(pool, factor.expr),
                false => (self.scaled(pool, factor.expr), Vec::new()),
            };
            all.iter_mut().for_each(|scale| scale.power *= factor.power);
            let powers = scales.iter().chain(&all).map(|scale| scale.power);
            // More of them might overflow together.
            let own = match powers.sum::<i32>() > MOST {
                true => self.scaled(pool, factor.expr),
                false => {
                    all.into_iter().for_each(|scale| add(&mut scales, scale));
                    own
                }
            };
            add(
                &mut inside,
                Factor {
                    expr: own,
                    ..factor
                },
            );
        }
        let element = pool.element(expr);
        (pool.add(Expr::Product(inside), element), scales)
    }

    fn split_sum(
        &mut self,
        pool: &mut Pool,
        expr: ExprId,
        terms: Vec<Term>,
    ) -> (ExprId, Vec<Factor>) {
        let element = pool.element(expr);
        let mut groups: Vec<(Vec<Factor>, Vec<Term>)> = Vec::new();
        for mut term in terms {
            let (inside, scales) = self.split(pool, term.expr);
            term.expr = inside;
            match groups.iter_mut().find(|(known, _)| *known == scales) {
                Some((_, all)) => all.push(term),
                None => groups.push((scales, vec![term])),
            }
        }
        if let [(scales, all)] = groups.as_mut_slice() {
            let inside = pool.add(Expr::Sum(std::mem::take(all)), element);
            return (inside, std::mem::take(scales));
        }
        let mut result = Vec::new();
        for (scales, mut all) in groups {
            if let (false, [term]) = (scales.is_empty(), all.as_mut_slice()) {
                term.expr = product(pool, term.expr, scales);
                result.extend(all);
            } else if scales.is_empty() {
                result.extend(all);
            } else {
                let inside = pool.add(Expr::Sum(all), element);
                result.push(Term {
                    coefficient: Number::from_f64(1.0),
                    expr: product(pool, inside, scales),
                });
            }
        }
        (pool.add(Expr::Sum(result), element), Vec::new())
    }

    /// A reciprocal that is scaled, and the power of two that it is to be multiplied by.
    fn reciprocal(&mut self, pool: &mut Pool, expr: ExprId) -> Option<(ExprId, ExprId)> {
        if self.risky.contains_key(&expr) {
            return Some(self.with_scale(pool, expr));
        }
        if let Expr::Access(access) = pool.get(expr) {
            let (array, places) = self.temporaries.get(&access.array)?;
            let subscripts = places.iter().map(|at| access.subscripts[*at].clone());
            let subscripts = subscripts.collect();
            let scale = Expr::Access(Access {
                array: *array,
                subscripts,
            });
            let element = pool.element(expr);
            return Some((expr, pool.add(scale, element)));
        }
        match pool.get(expr).clone() {
            Expr::Sum(terms) => self.sum(pool, expr, &terms),
            Expr::Product(factors) => self.product(pool, expr, factors),
            _ => None,
        }
    }

    /// A sum of reciprocals that have one power of two, or their only one with a sign.
    fn sum(&mut self, pool: &mut Pool, expr: ExprId, terms: &[Term]) -> Option<(ExprId, ExprId)> {
        let (mut inside, mut common) = (HashMap::default(), None);
        for term in terms {
            let (own, scale) = self.reciprocal(pool, term.expr)?;
            if *common.get_or_insert(scale) != scale {
                return None;
            }
            inside.insert(term.expr, own);
        }
        let found = pool.map_operands(expr, &mut |_, operand| inside[&operand]);
        Some((found, common?))
    }

    /// A product of reciprocals and numbers.
    fn product(
        &mut self,
        pool: &mut Pool,
        expr: ExprId,
        factors: Vec<Factor>,
    ) -> Option<(ExprId, ExprId)> {
        let (mut inside, mut scales) = (Vec::new(), Vec::new());
        for factor in factors {
            if factor.power < 0 {
                return None;
            }
            if self.numbers.contains(&factor.expr) {
                inside.push(factor);
                continue;
            }
            let (own, scale) = self.reciprocal(pool, factor.expr)?;
            inside.push(Factor {
                expr: own,
                ..factor
            });
            scales.push(Factor {
                expr: scale,
                ..factor
            });
        }
        let element = pool.element(expr);
        let scale = match scales.as_slice() {
            [] => return None,
            [Factor { expr, power: 1 }] => *expr,
            _ => pool.add(Expr::Product(scales), element),
        };
        Some((pool.add(Expr::Product(inside), element), scale))
    }
}

/// An equation that writes another value to the same elements of another array.
fn with(equation: &Equation, array: ArrayId, expr: ExprId) -> Equation {
    let mut result = equation.clone();
    (result.target.array, result.expr) = (array, expr);
    result
}

/// The array that keeps a power of two already, and which of the subscripts of an equation's target it has.
fn kept_as(pool: &Pool, equation: &Equation, scale: ExprId) -> Option<(ArrayId, Vec<usize>)> {
    let Expr::Access(access) = pool.get(scale) else {
        return None;
    };
    let place = |subscript: &Affine| {
        subscript.as_index()?;
        let mut all = equation.target.subscripts.iter();
        all.position(|own| own == subscript)
    };
    let places = access.subscripts.iter().map(place).collect::<Option<_>>()?;
    Some((access.array, places))
}

/// Adds a factor to others, of which each is there once, and once more as a divisor.
fn add(factors: &mut Vec<Factor>, factor: Factor) {
    let up = |factor: &Factor| factor.power > 0;
    let same = |known: &&mut Factor| known.expr == factor.expr && up(known) == up(&factor);
    match factors.iter_mut().find(same) {
        Some(known) => known.power += factor.power,
        None => factors.push(factor),
    }
}

/// A product that is multiplied by powers of two in the end.
fn product(pool: &mut Pool, inside: ExprId, mut scales: Vec<Factor>) -> ExprId {
    if scales.is_empty() {
        return inside;
    }
    let element = pool.element(inside);
    scales.insert(
        0,
        Factor {
            expr: inside,
            power: 1,
        },
    );
    pool.add(Expr::Product(scales), element)
}
