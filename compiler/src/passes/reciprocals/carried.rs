//! Reciprocals that a coefficient carries.
//!
//! Where each output has one factor from a coefficient, and as many of a reciprocal, the coefficient is divided and all
//! else is computed without the reciprocal: element matrices of gradients, whose map is divided by its determinant.
//!
//! Before: `r[e] = d[e]^-1`, `k[e] = x[e] * r[e]`, `l[e] = z[e] * r[e]` and `a[e] += c[e] * k[e] * l[e]`. After:
//! `c[e] = (… / d[e]) / d[e]`, `k[e] = x[e]` and `l[e] = z[e]`.
//! Holds: values are equal in exact arithmetic, and no operations are added.

use crate::analysis::cost;
use crate::analysis::magnitude::may_be_subnormal;
use crate::collections::HashMap;
use crate::ir::{Access, ArrayId, Equation, Expr, ExprId, Factor, IndexId, Pool, Program, Role};
use crate::number::Number;
use crate::rewrite::unused::remove_unused;

/// How often coefficients are divided at most.
const MOST: i32 = 3;

/// Lets coefficients carry reciprocals of divisors that may be subnormal; how many.
pub fn carry(program: &mut Program) -> usize {
    let mut count = 0;
    while let Some(after) = carried(program) {
        *program = after;
        count += 1;
    }
    count
}

/// The program in which a coefficient carries a reciprocal.
fn carried(program: &Program) -> Option<Program> {
    let single = single_definitions(program);
    let reciprocals = single.iter().filter_map(|at| {
        let equation = &program.equations[*at];
        Some((equation, divisor(&program.pool, equation.expr)?))
    });
    for (reciprocal, divisor) in reciprocals {
        for carrier in &single {
            let carrier = &program.equations[*carrier];
            let covers = |index: &IndexId| carrier.free.contains(index);
            let known = || is_known(program, divisor, carrier);
            if !reciprocal.free.iter().all(covers)
                || carrier.target == reciprocal.target
                || !known()
            {
                continue;
            }
            let mut degrees = Degrees {
                reciprocal,
                carrier,
                arrays: HashMap::default(),
                known: HashMap::default(),
            };
            let Some(power) = degrees.of_outputs(program) else {
                continue;
            };
            let after = divided(program, (reciprocal, divisor), (carrier, power));
            let operations = |program: &Program| cost::program(program).operations();
            if operations(&after) <= operations(program) {
                return Some(after);
            }
        }
    }
    None
}

/// Equations that define temporaries, which nothing else writes.
fn single_definitions(program: &Program) -> Vec<usize> {
    let mut writers: HashMap<ArrayId, usize> = HashMap::default();
    for equation in &program.equations {
        *writers.entry(equation.target.array).or_default() += 1;
    }
    let single = |at: &usize| {
        let equation = &program.equations[*at];
        let array = equation.target.array;
        let temporary = matches!(program.array(array).role, Role::Temporary);
        let plain = equation.is_definition() && equation.reduction.is_empty();
        temporary && plain && writers[&array] == 1
    };
    (0..program.equations.len()).filter(single).collect()
}

/// The divisor of a reciprocal, if that may be subnormal.
fn divisor(pool: &Pool, expr: ExprId) -> Option<ExprId> {
    match pool.get(expr) {
        Expr::Product(factors) => match factors.as_slice() {
            [Factor { expr, power: -1 }] if may_be_subnormal(pool, *expr) => Some(*expr),
            _ => None,
        },
        _ => None,
    }
}

/// Whether what a value reads is computed before an equation.
fn is_known(program: &Program, value: ExprId, before: &Equation) -> bool {
    let read = program.pool.accesses([value]);
    let mut later = program
        .equations
        .iter()
        .skip_while(|equation| *equation != before);
    !later.any(|equation| {
        let mut read = read.iter();
        read.any(|(_, access)| program.viewed(access.array) == equation.target.array)
    })
}

/// How many factors of the reciprocal a value has, and how many of the carrier; nothing if it is zero.
type Degree = Option<[i32; 2]>;

/// Degrees of values in a reciprocal and a carrier.
struct Degrees<'a> {
    reciprocal: &'a Equation,
    carrier: &'a Equation,
    /// Of temporaries, with where their subscripts are the indices of the reciprocal.
    arrays: HashMap<ArrayId, (Degree, Vec<usize>)>,
    known: HashMap<ExprId, Option<Degree>>,
}

impl Degrees<'_> {
    /// How many factors of the reciprocal come with the one of the carrier in all outputs, where that is
    /// so.
    fn of_outputs(&mut self, program: &Program) -> Option<i32> {
        let mut found = None;
        for equation in &program.equations {
            let array = equation.target.array;
            if array == self.reciprocal.target.array {
                continue;
            }
            let degree = self.degree(&program.pool, equation.expr)?;
            let apart = degree.is_none_or(|degree| degree == [0, 0]);
            if array == self.carrier.target.array {
                if !apart {
                    return None;
                }
                let places = self.places(&equation.target)?;
                self.arrays.insert(array, (Some([0, 1]), places));
                continue;
            }
            if !apart && !equation.adds_up() {
                return None;
            }
            if matches!(program.array(array).role, Role::Temporary) {
                self.write(&equation.target, degree)?;
                continue;
            }
            match degree {
                None | Some([0, 0]) => {}
                Some([power @ 1..=MOST, 1]) if found.is_none_or(|found| found == power) => {
                    found = Some(power);
                }
                _ => return None,
            }
        }
        found
    }

    /// Notes the degree of what is written to a temporary, if it is that of all else there.
    fn write(&mut self, target: &Access, degree: Degree) -> Option<()> {
        let places = match degree {
            None | Some([0, 0]) => Vec::new(),
            _ => self.places(target)?,
        };
        match self.arrays.get_mut(&target.array) {
            Some((known, before)) if known.is_none() || degree.is_none() => {
                if known.is_none() {
                    (*known, *before) = (degree, places);
                }
                Some(())
            }
            Some((known, before)) => (*known == degree && *before == places).then_some(()),
            None => {
                self.arrays.insert(target.array, (degree, places));
                Some(())
            }
        }
    }

    /// Where subscripts are the indices of the reciprocal.
    fn places(&self, access: &Access) -> Option<Vec<usize>> {
        let place = |index: &IndexId| {
            let mut all = access.subscripts.iter();
            all.position(|subscript| subscript.as_index() == Some(*index))
        };
        self.reciprocal.free.iter().map(place).collect()
    }

    fn access(&self, access: &Access) -> Option<Degree> {
        if access.array == self.reciprocal.target.array {
            return (*access == self.reciprocal.target).then_some(Some([1, 0]));
        }
        let Some((degree, places)) = self.arrays.get(&access.array) else {
            return Some(Some([0, 0]));
        };
        let apart = degree.is_none_or(|degree| degree == [0, 0]);
        (apart || self.places(access)? == *places).then_some(*degree)
    }

    /// The degree, if all of the value has it.
    fn degree(&mut self, pool: &Pool, expr: ExprId) -> Option<Degree> {
        if let Some(known) = self.known.get(&expr) {
            return *known;
        }
        let result = match pool.get(expr) {
            Expr::Constant(_) if pool.is_zero(expr) => Some(None),
            Expr::Access(access) => self.access(access),
            Expr::Sum(terms) => terms.iter().try_fold(None, |all: Degree, term| {
                let own = self.degree(pool, term.expr)?;
                match (all, own) {
                    (None, other) | (other, None) => Some(other),
                    (all, own) => (all == own).then_some(all),
                }
            }),
            Expr::Product(factors) => factors.iter().try_fold(Some([0, 0]), |all, factor| {
                let own = self.degree(pool, factor.expr)?;
                Some(match (all, own) {
                    (Some(all), Some(own)) => {
                        Some([0, 1].map(|at| all[at] + factor.power * own[at]))
                    }
                    _ => None,
                })
            }),
            Expr::Cast(_, inside) if pool.inside_kept(expr).is_some() => self.degree(pool, *inside),
            _ => {
                let mut operands = pool.operands(expr).into_iter();
                let apart =
                    |own: Option<Degree>| own.is_some_and(|own| own.is_none_or(|d| d == [0, 0]));
                let all = operands.all(|operand| apart(self.degree(pool, operand)));
                all.then_some(Some([0, 0]))
            }
        };
        self.known.insert(expr, result);
        result
    }
}

/// The program without a reciprocal, a carrier being divided instead.
fn divided(
    program: &Program,
    (reciprocal, divisor): (&Equation, ExprId),
    (carrier, power): (&Equation, i32),
) -> Program {
    let mut after = program.clone();
    let element = after.pool.element(carrier.expr);
    let mut coefficient = carrier.expr;
    for _ in 0..power {
        let factors = [(coefficient, 1), (divisor, -1)];
        let factors = factors.map(|(expr, power)| Factor { expr, power });
        coefficient = after.pool.add(Expr::Product(factors.to_vec()), element);
    }
    let mut known = HashMap::default();
    for equation in &mut after.equations {
        equation.expr = match equation.target == carrier.target {
            true => coefficient,
            false => without(
                &mut after.pool,
                equation.expr,
                &reciprocal.target,
                &mut known,
            ),
        };
    }
    remove_unused(&mut after);
    after
}

/// A value without the factors that are some element.
fn without(
    pool: &mut Pool,
    expr: ExprId,
    element: &Access,
    known: &mut HashMap<ExprId, ExprId>,
) -> ExprId {
    if let Some(found) = known.get(&expr) {
        return *found;
    }
    let is = |pool: &Pool, factor: &Factor| matches!(pool.get(factor.expr), Expr::Access(access) if access == element);
    let mut result = pool.map_operands(expr, &mut |pool, operand| {
        without(pool, operand, element, known)
    });
    if let Expr::Product(factors) = pool.get(result) {
        let mut others = factors.clone();
        others.retain(|factor| !is(pool, factor));
        let ty = pool.element(expr);
        result = match others.as_slice() {
            [] => pool.constant(Number::from_f64(1.0), ty),
            [Factor { expr, power: 1 }] => *expr,
            _ => pool.add(Expr::Product(others), ty),
        };
    }
    known.insert(expr, result);
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text::parse;

    fn after(equations: &str) -> (usize, String) {
        let text = format!(
            "program p\nindex e: len(x)\nindex i: 3\nindex j: 3\nparam 0 d: f64[len(x)]\nparam 1 x: f64[len(x), 3]\n\
             output 2 a: f64[len(x), 3, 3]\noutput 3 b: f64[len(x)]\ntemp r: f64[len(x)]\ntemp c: f64[len(x)]\n\
             temp k: f64[len(x), 3]\n{equations}"
        );
        let mut program = parse(&text).unwrap();
        (carry(&mut program), program.to_string())
    }

    const GRADIENTS: &str = "c[e] = 0.5 * abs(d[e])   for e\nr[e] = d[e]^-1   for e\n\
         k[e, i] = x[e, i] * r[e]   for e, i\n";

    #[test]
    fn coefficients_are_divided() {
        let products = "a[e, i, j] += c[e] * k[e, i] * k[e, j]   for e, i, j\n";
        let (count, found) = after(&format!("{GRADIENTS}{products}"));
        assert_eq!(count, 1, "{found}");
        for part in ["abs(d[e])) / d[e]) / d[e]   for e", "k[e, i] = x[e, i] "] {
            assert!(found.contains(part), "{found}");
        }
        assert!(!found.contains("r[e]"), "{found}");
    }

    #[test]
    fn what_is_not_of_one_degree_stays() {
        for outputs in [
            "a[e, i, j] += c[e] * k[e, i] * k[e, j] + c[e] * x[e, i]   for e, i, j\n",
            "a[e, i, j] += k[e, i] * k[e, j]   for e, i, j\n",
            "a[e, i, j] += c[e] * k[e, i] * k[e, j]   for e, i, j\nb[e] += c[e]   for e\n",
            "a[e, i, j] += c[e] * exp(k[e, i]) * k[e, j]   for e, i, j\n",
            "a[e, i, j] += c[e]^2 * k[e, i]   for e, i, j\n",
        ] {
            let (count, found) = after(&format!("{GRADIENTS}{outputs}"));
            assert_eq!(count, 0, "{found}");
        }
    }
}
