//! Constants that a floating-point type cannot hold.
//!
//! The text's `1e200 * x * 1e200` is finite for small values of x, and so is what is made of it only
//! if the two constants are not multiplied. So a pass whose program has a constant or a table entry
//! that overflows or underflows, where the text has no such number, is not used.

use std::rc::Rc;

use crate::collections::{HashMap, HashSet};
use crate::ir::{Element, Expr, Program, Role};
use crate::number::Number;

/// What of a text's numbers says which of a later program's are out of range.
#[derive(Debug, Default)]
pub struct Range {
    /// Numbers of the text that are out of range.
    given: HashSet<(u64, u64, u64)>,
    /// The text has numbers so large or small that a product of a few of them may underflow. Otherwise
    /// what is next to nothing is what sums left, and rightly.
    extreme: bool,
    /// Tables that were looked at, which are kept so that their addresses stay theirs.
    known: HashMap<*const Vec<Number>, Rc<Vec<Number>>>,
}

/// Numbers that no ten of, multiplied or divided, leave the range of `f64`, and that of `f32`.
const MODERATE: [f64; 2] = [1e30, 4096.0];

/// Integers below are exact.
const MOST_WHOLE: f64 = 1e30;

impl Range {
    /// The numbers of the text.
    pub fn of(program: &Program) -> Range {
        let mut range = Range::default();
        for (number, element) in range.numbers(program) {
            let size = number.to_f64().abs();
            let most = MODERATE[usize::from(element != Element::F64)];
            range.extreme |= size != 0.0 && !(most.recip()..=most).contains(&size);
            if overflows(number, element) || underflows(number, element) {
                range.given.insert(number.key());
            }
        }
        range
    }

    /// A number of a later program that is out of its element type's range and not in the text.
    pub fn left(&mut self, program: &Program) -> Option<Number> {
        let found = self.numbers(program).into_iter();
        let outside = |(number, element): &(Number, Element)| {
            let lost = overflows(*number, *element);
            (lost || self.extreme && underflows(*number, *element))
                && !self.given.contains(&number.key())
        };
        let mut outside = found.filter(outside);
        outside.next().map(|(number, _)| number)
    }

    /// The floating-point numbers of a program, but for those of tables that were looked at before.
    fn numbers(&mut self, program: &Program) -> Vec<(Number, Element)> {
        let mut result = Vec::new();
        for expr in program.reachable() {
            let element = program.pool.element(expr);
            match program.pool.get(expr) {
                Expr::Constant(number) => result.push((*number, element)),
                Expr::Sum(terms) => {
                    let coefficients = terms.iter().map(|term| term.coefficient);
                    result.extend(coefficients.map(|number| (number, element)));
                }
                // Integers are multiplied and added exactly, and not divided.
                Expr::Product(factors) if element.as_word().is_some() => {
                    let divisor = factors.iter().any(|factor| factor.power < 0);
                    result.extend(divisor.then(|| (Number::ratio(1, 2), element)));
                }
                Expr::Access(access) => {
                    let array = program.array(access.array);
                    let Role::Table(values) = &array.role else {
                        continue;
                    };
                    let known = self.known.insert(Rc::as_ptr(values), Rc::clone(values));
                    if known.is_none() {
                        result.extend(values.iter().map(|number| (*number, array.element)));
                    }
                }
                _ => {}
            }
        }
        result.retain(|(_, element)| !element.is_integer());
        result
    }
}

/// Whether a type has no number of this size, or it is one of integers and this is none. What is generic
/// may be an `f32`.
fn overflows(number: Number, element: Element) -> bool {
    if element.as_word().is_some() {
        let (high, low) = number.parts();
        let whole = |part: f64| part.fract() == 0.0 && part.abs() < MOST_WHOLE;
        return !(whole(high) && whole(low));
    }
    let most = match element {
        Element::F64 => f64::MAX,
        _ => f64::from(f32::MAX),
    };
    let size = number.to_f64().abs();
    size.is_nan() || size > most
}

/// Whether a number that is not zero is so small that its type has it with fewer digits, or not at all.
fn underflows(number: Number, element: Element) -> bool {
    if element.as_word().is_some() {
        return false;
    }
    let least = match element {
        Element::F64 => f64::MIN_POSITIVE,
        _ => f64::from(f32::MIN_POSITIVE),
    };
    // A zero that the field has not is what is left of such a product.
    !number.is_zero() && number.to_f64().abs() < least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text::parse;

    fn left(before: &str, after: &str) -> Option<f64> {
        let [before, after] = [before, after].map(|text| parse(text).unwrap());
        let mut range = Range::of(&before);
        range.left(&after).map(Number::to_f64)
    }

    #[test]
    fn numbers_must_fit_their_type() {
        let [large, small] = [1e200, 1e-200].map(Number::from_f64);
        assert!(!overflows(large, Element::F64) && overflows(large, Element::F32));
        assert!(overflows(large * large, Element::F64));
        assert!(!underflows(small, Element::F64) && underflows(small, Element::Generic));
        assert!(underflows(small * small, Element::F64));
        assert!(underflows(Number::from_f64(1e-310), Element::F64));
        for element in [Element::F64, Element::F32] {
            for number in [Number::ZERO, Number::ONE] {
                assert!(!overflows(number, element) && !underflows(number, element));
            }
        }
    }

    #[test]
    fn numbers_of_the_text_stay() {
        let text = |values: &str, expr: &str| {
            format!(
                "program p\nindex e: len(x)\nparam 0 x: f64[len(x)]\noutput 1 y: f64[len(x)]\n\
                 table t: f64[2] = [{values}]\ny[e] = {expr}   for e\n"
            )
        };
        let before = text("1e-310, 1", "t[0] * x[e] * 1e200");
        assert_eq!(left(&before, &before), None);
        assert_eq!(left(&before, &text("1e-310, 2", "t[1] * x[e]")), None);
        let folded = text("1e-311, 1", "t[0] * x[e]");
        assert_eq!(left(&before, &folded), Some(1e-311));
        // What sums of numbers near one leave is no product of them.
        let before = text("0.5, 1", "t[0] * x[e]");
        assert_eq!(left(&before, &folded), None);
    }
}
