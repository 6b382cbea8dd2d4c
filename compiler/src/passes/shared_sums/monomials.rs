//! Sums as monomials, and what of these loops change.

use crate::collections::HashMap;
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

/// Values, found by others that are a power of two times them, with either sign: tables of one sum may be half those of
/// another.
pub struct Scaled {
    /// The numbers, and their inverses, by which a value leads to the one that it is so many times.
    numbers: Vec<(Number, Field)>,
    /// The values by their places.
    places: HashMap<Field, usize>,
}

impl Scaled {
    pub fn new() -> Self {
        let numbers = (0..=POWERS).flat_map(|power| {
            let number = Number::from_i64(1 << power);
            let part = Number::ONE / number;
            let (of_number, of_part) = (part.field(), number.field());
            [
                (number, of_number),
                (-number, -of_number),
                (part, of_part),
                (-part, -of_part),
            ]
        });
        Scaled {
            numbers: numbers.collect(),
            places: HashMap::default(),
        }
    }

    /// The first place of a value that another one is a number of times, and the number.
    pub fn find(&self, value: Field) -> Option<(usize, Number)> {
        let numbers = self.numbers.iter();
        let found = numbers.filter_map(|(number, inverse)| {
            let place = self.places.get(&(value * *inverse))?;
            Some((*place, *number))
        });
        found.min_by_key(|(place, _)| *place)
    }

    /// Puts a value at a place.
    pub fn insert(&mut self, value: Field, place: usize) {
        self.places.entry(value).or_insert(place);
    }
}

#[cfg(test)]
mod tests {
    use super::{Field, Number, Scaled};

    #[test]
    fn values_are_found_by_powers_of_two_of_them() {
        let mut scaled = Scaled::new();
        let values = [3, 5, 6].map(Field::from_i64);
        for (place, value) in values.into_iter().enumerate() {
            scaled.insert(value, place);
        }
        let found = |n| scaled.find(Field::from_i64(n));
        assert_eq!(found(5), Some((1, Number::ONE)));
        // The first place counts: 6 is twice what stands there.
        assert_eq!(found(6), Some((0, Number::from_i64(2))));
        assert_eq!(found(-40), Some((1, Number::from_i64(-8))));
        assert_eq!(found(80), Some((1, Number::from_i64(16))));
        assert_eq!(found(160), None);
        let half = Field::from_i64(2).inverse() * values[1];
        assert_eq!(scaled.find(half), Some((1, Number::from_f64(0.5))));
        assert_eq!(scaled.find(Field::ZERO), None);
    }
}
