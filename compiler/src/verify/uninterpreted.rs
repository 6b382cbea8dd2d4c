//! Elementary functions in the prime field: algebraic ones as they are, all others as hashes of
//! their arguments, so that equal arguments, and no others, have equal values; where functions are even or odd,
//! opposite arguments have equal or opposite ones.

use std::cmp::Ordering;

use crate::ir::Element;
use crate::number::Field;
use crate::syntax::ast::{CompareOperator, Elementary};

/// The value of a function. Arguments that are missing count as zero.
pub fn apply(function: Elementary, arguments: &[Field]) -> Field {
    match (function.is_odd(), arguments) {
        (Some(odd), [argument]) => {
            let (positive, negative) = (*argument, -*argument);
            let value = hash(function, &[positive.min(negative)]);
            match negative.cmp(&positive) {
                Ordering::Equal if odd => Field::ZERO,
                Ordering::Less if odd => -value,
                _ => value,
            }
        }
        _ => hash(function, arguments),
    }
}

fn hash(function: Elementary, arguments: &[Field]) -> Field {
    let argument = |at: usize| arguments.get(at).copied().unwrap_or(Field::ZERO);
    let tag = match function {
        // Of any number of arguments.
        Elementary::Min => return all(arguments, Field::lesser),
        Elementary::Max => return all(arguments, Field::greater),
        Elementary::Lesser => return argument(0).lesser(argument(1)),
        Elementary::Greater => return argument(0).greater(argument(1)),
        Elementary::MulAdd => return argument(0) * argument(1) + argument(2),
        Elementary::Recip => return argument(0).inverse(),
        Elementary::Powi(n) => return argument(0).powi(n),
        Elementary::Abs => 1,
        Elementary::Sqrt => 2,
        Elementary::Exp => 3,
        Elementary::Ln => 4,
        Elementary::Sin => 5,
        Elementary::Cos => 6,
        Elementary::Tan => 7,
        Elementary::Tanh => 8,
        Elementary::Floor => 9,
        Elementary::Ceil => 10,
        Elementary::Powf => 11,
        Elementary::Exp2 => 12,
        Elementary::ExpM1 => 13,
        Elementary::Ln1p => 14,
        Elementary::Log2 => 15,
        Elementary::Log10 => 16,
        Elementary::Sinh => 17,
        Elementary::Cosh => 18,
        Elementary::Asin => 19,
        Elementary::Acos => 20,
        Elementary::Atan => 21,
        Elementary::Atan2 => 22,
        Elementary::Cbrt => 23,
        Elementary::Hypot => 24,
        Elementary::Asinh => 25,
        Elementary::Acosh => 26,
        Elementary::Atanh => 27,
        Elementary::Round => 28,
        Elementary::RoundTiesEven => 29,
        Elementary::Trunc => 30,
        Elementary::Signum => 31,
        Elementary::Copysign => 32,
        Elementary::Remainder => 33,
        // Integers have it, and others do not.
        Elementary::Bits(_) => 34,
        Elementary::Pure(at) => 35 + at as u64,
    };
    arguments
        .iter()
        .fold(Field::from_u64(tag), |hash, argument| {
            (hash + *argument).hashed(tag)
        })
}

fn all(arguments: &[Field], combined: impl Fn(Field, Field) -> Field) -> Field {
    let first = arguments.first().copied().unwrap_or(Field::ZERO);
    arguments.iter().fold(first, |all, one| combined(all, *one))
}

/// The `i32` that a floating-point number is cut off to: mostly a small one, that of zero is zero.
pub fn rounded(value: Field) -> i32 {
    const ROUND: u64 = 1 << 34;
    if value == Field::ZERO {
        return 0;
    }
    let bits = (value + Field::from_u64(ROUND)).hashed(ROUND).value();
    match bits % 4 {
        0 => (bits >> 2) as i32,
        _ => (bits >> 2) as i32 % 512,
    }
}

/// A conversion. From integers it is exact. Between `f32` and `f64` it is a function of its own each
/// way, so that nothing may move through it: neither is a rounding what it is in the field, nor are
/// sums before and after it the same. Zero it keeps, as each conversion does.
pub fn convert(from: Element, to: Element, value: Field) -> Field {
    const NARROW: u64 = 1 << 32;
    const WIDEN: u64 = NARROW + 1;
    match (from, to) {
        _ if value == Field::ZERO => value,
        (_, Element::Word(_)) => Field::carrying(i64::from(rounded(value)) as u64),
        (Element::F64, Element::F32) => (value + Field::from_u64(NARROW)).hashed(NARROW),
        (Element::F32, Element::F64) => (value + Field::from_u64(WIDEN)).hashed(WIDEN),
        _ => value,
    }
}

/// A comparison, by an order that follows from the difference alone, as good as random: so that it is
/// met each way whatever is compared, constants and values that are never negative too, and equality
/// as well. Exchanged sides are ordered the other way round, and equal ones are equal. Where the difference
/// is a small integer, as that of integers is, the order is theirs; by chance none is.
pub fn compare(operator: CompareOperator, a: Field, b: Field) -> bool {
    const ORDER: u64 = 1 << 33;
    const SMALL: u64 = 1 << 33;
    if operator == CompareOperator::Unordered {
        return (a.hashed(ORDER) + b.hashed(ORDER))
            .value()
            .is_multiple_of(3);
    }
    let (d, e) = (a - b, b - a);
    let order = match d.min(e).hashed(ORDER).value() % 8 {
        _ if d == Field::ZERO => Ordering::Equal,
        _ if d.value().min(e.value()) < SMALL => e.value().cmp(&d.value()),
        0 | 1 => Ordering::Equal,
        2..=4 => d.cmp(&e),
        _ => e.cmp(&d),
    };
    ordered(operator, order)
}

/// Whether a comparison holds, given how its sides are ordered.
pub fn ordered(operator: CompareOperator, order: Ordering) -> bool {
    match operator {
        CompareOperator::Less => order.is_lt(),
        CompareOperator::LessEqual => order.is_le(),
        CompareOperator::Greater => order.is_gt(),
        CompareOperator::GreaterEqual => order.is_ge(),
        CompareOperator::Equal => order.is_eq(),
        CompareOperator::NotEqual | CompareOperator::Unordered => order.is_ne(),
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::text;
    use crate::schedule;
    use crate::verify::equivalent;

    /// Compares `y[i] = LEFT` with `y[i] = RIGHT`.
    fn compare(left: &str, right: &str) -> Result<(), String> {
        let program = |value: &str| {
            let text = format!(
                "program conversions\nindex i: 4\nparam 0 x: f64[4]\nparam 1 z: f32[4]\n\
                 param 2 k: i32[4]\noutput 3 y: f32[4]\ncounting c: isize[0]\ny[i] = {value}   for i\n"
            );
            text::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
        };
        let (left, right) = (program(left), program(right));
        let loops = "schedule width 1\nloop i in 0..4 { block { eq 0 } }\n";
        let schedule = schedule::text::parse(loops, &right).unwrap_or_else(|e| panic!("{e}"));
        equivalent(&left, &right, &schedule, 4)
    }

    #[test]
    fn conversions_keep_zero() {
        assert_eq!(compare("f32(x[i] - x[i]) * z[i]", "z[i] - z[i]"), Ok(()));
        assert_eq!(compare("f32(f64(z[i] - z[i]))", "z[i] * 0"), Ok(()));
        assert!(compare("f32(x[i] - x[i] + 1)", "z[i] - z[i] + 1").is_err());
    }

    #[test]
    fn signs_move_through_even_and_odd_functions_and_no_others() {
        let same = ["abs", "cos", "cosh"];
        let opposite = ["sin", "tanh", "trunc", "cbrt"];
        for name in same {
            let (left, right) = (
                format!("f32({name}(x[i] - 3))"),
                format!("f32({name}(3 - x[i]))"),
            );
            assert_eq!(compare(&left, &right), Ok(()), "{name}");
        }
        for name in opposite {
            let (left, right) = (
                format!("f32({name}(x[i] - 3))"),
                format!("f32(- {name}(3 - x[i]))"),
            );
            assert_eq!(compare(&left, &right), Ok(()), "{name}");
            let right = format!("f32({name}(3 - x[i]))");
            assert!(compare(&left, &right).is_err(), "{name}");
        }
        for name in ["exp", "sqrt", "floor", "acos", "signum"] {
            for sign in ["", "- "] {
                let (left, right) = (
                    format!("f32({name}(x[i]))"),
                    format!("f32({sign}{name}(-1 * x[i]))"),
                );
                assert!(compare(&left, &right).is_err(), "{name}");
            }
        }
    }

    #[test]
    fn nothing_moves_through_a_conversion() {
        let same = "f32(x[i] * f64(z[i]))";
        assert_eq!(compare(same, same), Ok(()));
        assert!(
            compare(
                "f32(x[i]) + f32(x[i + 0] * x[i])",
                "f32(x[i] + x[i] * x[i])"
            )
            .is_err()
        );
        assert!(compare("f32(2 x[i])", "2 f32(x[i])").is_err());
        assert!(compare("f32(f64(z[i]))", "+ z[i]").is_err());
    }

    #[test]
    fn integers_are_converted_exactly() {
        assert_eq!(compare("f32(c[i]) + f32(c[2])", "f32(c[i + 2])"), Ok(()));
        assert_eq!(
            compare("f32(k[i]) - f32(c[i])", "f32(k[i]) - f32(c[i])"),
            Ok(())
        );
        assert!(compare("f32(c[i])", "f32(c[i + 1])").is_err());
    }
}
