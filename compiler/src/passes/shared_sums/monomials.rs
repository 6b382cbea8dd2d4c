//! Sums as monomials, and what of these loops change.

use std::collections::HashMap;

use crate::ir::{Access, Expr, ExprId, Factor, IndexId, Operator, Program, Role};
use crate::number::{Field, Number};
use crate::rewrite::replace::{replace_accesses, value_at};

/// Most monomials of a sum.
const MOST: usize = 64;

/// Powers of two that monomials may differ by.
const POWERS: u32 = 4;

/// A product of factors and a number.
#[derive(Clone)]
pub struct Monomial {
    /// The number.
    pub number: Number,
    /// The factors.
    pub factors: Vec<Factor>,
}

/// A value as a sum of products, sums being opened that loops of constant length or some others change;
/// `None` if there are too many.
pub fn monomials(program: &Program, expr: ExprId, loops: &[IndexId]) -> Option<Vec<Monomial>> {
    let mut indices = program.pool.indices(expr).iter();
    let changed = indices.any(|index| loops.contains(index) || program.is_constant(*index));
    let one = Monomial {
        number: Number::ONE,
        factors: Vec::new(),
    };
    let result = match program.pool.get(expr) {
        Expr::Constant(value) => vec![Monomial {
            number: *value,
            ..one
        }],
        Expr::Sum(terms) if changed => {
            let mut all = Vec::new();
            for term in terms {
                let mut part = monomials(program, term.expr, loops)?;
                part.iter_mut().for_each(|m| m.number *= term.coefficient);
                all.append(&mut part);
            }
            all
        }
        Expr::Product(factors) => {
            let mut all = vec![one];
            for factor in factors {
                let part = match factor.power {
                    1 => monomials(program, factor.expr, loops)?,
                    _ => vec![Monomial {
                        number: Number::ONE,
                        factors: vec![*factor],
                    }],
                };
                let times = |left: &Monomial, right: &Monomial| Monomial {
                    number: left.number * right.number,
                    factors: [&*left.factors, &*right.factors].concat(),
                };
                all = (all.iter())
                    .flat_map(|left| part.iter().map(move |right| times(left, right)))
                    .collect();
                if all.len() > MOST {
                    return None;
                }
            }
            all
        }
        _ => vec![Monomial {
            factors: vec![Factor { expr, power: 1 }],
            ..one
        }],
    };
    (result.len() <= MOST).then_some(result)
}

/// A value with temporaries replaced by what they hold.
pub fn inline(program: &mut Program, expr: ExprId, known: &mut HashMap<ExprId, ExprId>) -> ExprId {
    if let Some(found) = known.get(&expr) {
        return *found;
    }
    let result = replace_accesses(program, expr, |program, access, _| {
        let value = held(program, access)?;
        Some(inline(program, value, known))
    });
    known.insert(expr, result);
    result
}

/// The value that a temporary's element holds, if one equation says it for all elements.
fn held(program: &mut Program, access: &Access) -> Option<ExprId> {
    let own = matches!(program.array(access.array).role, Role::Temporary);
    let at = program.sole_writer(access.array).filter(|_| own)?;
    let equation = program.equations[at].clone();
    let plain = equation.operator == Operator::Assign
        && equation.reduction.is_empty()
        && equation.target.loops(&equation.free).is_some();
    plain.then(|| value_at(program, &equation, access))
}

/// The factors of a product that loops do not change, and the others. Of temporaries that hold
/// products, the factors.
pub fn parted(
    program: &mut Program,
    factors: &[Factor],
    loops: &[IndexId],
) -> (Vec<Factor>, Vec<Factor>) {
    let (mut outside, mut inside) = (Vec::new(), Vec::new());
    for factor in factors {
        let changes = |program: &Program, expr: ExprId| {
            let indices = program.pool.indices(expr);
            loops.iter().any(|index| indices.contains(index))
        };
        if !changes(program, factor.expr) {
            outside.push(*factor);
            continue;
        }
        let held = match program.pool.get(factor.expr).clone() {
            Expr::Access(access) if factor.power == 1 => held(program, &access),
            _ => None,
        };
        match held.map(|value| program.pool.get(value).clone()) {
            Some(Expr::Product(own)) if own.iter().any(|f| !changes(program, f.expr)) => {
                let (mut others, mut own) = parted(program, &own, loops);
                outside.append(&mut others);
                inside.append(&mut own);
            }
            _ => inside.push(*factor),
        }
    }
    match inside.is_empty() {
        true => (inside, outside),
        false => (outside, inside),
    }
}

/// How many times one value another one is, if it is a power of two, with either sign: tables of one sum
/// may be half those of another.
pub fn times(value: Field, of: Field) -> Option<Number> {
    let mut numbers = (0..=POWERS).flat_map(|power| {
        let number = Number::from_i64(1 << power);
        [number, -number, Number::ONE / number, -Number::ONE / number]
    });
    numbers.find(|number| number.field() * of == value)
}
