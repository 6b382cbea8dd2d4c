//! Affine functions as text, in `i128` and without zeros and factors of one: nothing overflows, and
//! `rustc` has less to read.

use std::collections::BTreeMap;

/// A sum of a constant and of multiples of integers.
#[derive(Clone, Debug)]
pub struct Value {
    constant: i128,
    /// Factors and texts.
    terms: Vec<(i128, String)>,
    /// No text's value times its factor is negative.
    natural: bool,
    /// No part of the sum has more than this, whatever the signs.
    most: f64,
}

/// What a text may stand for.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Nothing negative.
    pub natural: bool,
    /// Nothing beyond this, either way.
    pub most: f64,
}

impl Bounds {
    /// A length, or an index below one.
    pub const LENGTH: Bounds = Bounds {
        natural: true,
        most: i64::MAX as f64,
    };
}

impl Value {
    /// A constant.
    pub fn constant(constant: i128) -> Value {
        Value {
            constant,
            terms: Vec::new(),
            natural: true,
            most: constant.unsigned_abs() as f64,
        }
    }

    /// Adds a multiple of an integer.
    pub fn add(&mut self, factor: i64, text: String, bounds: Bounds) {
        self.natural &= bounds.natural && factor >= 0;
        self.most += (factor as f64).abs() * bounds.most;
        self.terms.push((factor.into(), text));
    }

    /// Adds a constant.
    pub fn add_constant(&mut self, constant: i128) {
        self.constant = self.constant.saturating_add(constant);
        self.most += constant.unsigned_abs() as f64;
    }

    /// Adds a multiple of a loop's last index.
    pub fn add_last(&mut self, factor: i64, extent: &Value) {
        let last = extent.constant.saturating_sub(1);
        let all = extent.natural && factor >= 0;
        self.add_multiple(factor, extent, last);
        self.natural &= all;
        self.most += (factor as f64).abs();
    }

    /// Adds a multiple of a value.
    pub fn add_value(&mut self, factor: i64, value: &Value) {
        let all = value.is_natural() && factor >= 0;
        self.add_multiple(factor, value, value.constant);
        self.natural &= all;
    }

    fn add_multiple(&mut self, factor: i64, of: &Value, constant: i128) {
        let times = i128::from(factor);
        let constant = times.saturating_mul(constant);
        self.constant = self.constant.saturating_add(constant);
        self.most += times.unsigned_abs() as f64 * of.most;
        let terms = of.terms.iter();
        let multiplied = terms.map(|(c, text)| (times.saturating_mul(*c), text.clone()));
        self.terms.extend(multiplied);
    }

    /// The value times a number.
    pub fn scaled(&self, factor: i64) -> Value {
        let mut result = Value::constant(0);
        result.add_value(factor, self);
        result
    }

    /// By how much the value is larger than another one, where that is known.
    pub fn distance(&self, other: &Value) -> Option<i128> {
        let mut factors: BTreeMap<&str, i128> = BTreeMap::new();
        let signed = [(1, &self.terms), (-1, &other.terms)];
        for (sign, terms) in signed {
            for (factor, text) in terms {
                let sum = factors.entry(text).or_default();
                *sum = sum.checked_add(factor.checked_mul(sign)?)?;
            }
        }
        let same = factors.values().all(|factor| *factor == 0);
        same.then(|| self.constant.checked_sub(other.constant))?
    }

    /// Whether it is known that the value is not negative.
    pub fn is_natural(&self) -> bool {
        self.natural && self.constant >= 0
    }

    /// Whether a part of the sum might not fit: factors that no text about memory has.
    pub fn overflows(&self) -> bool {
        self.most > 1e38
    }

    /// The text, of type `i128`.
    pub fn print(&self) -> String {
        let mut parts = Vec::new();
        if self.constant != 0 || self.terms.is_empty() {
            parts.push(format!("{}i128", self.constant));
        }
        let terms = self.terms.iter();
        parts.extend(terms.map(|(factor, text)| match factor {
            1 => format!("{text} as i128"),
            factor => format!("{factor}i128 * {text} as i128"),
        }));
        format!("({})", parts.join(" + "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_and_ones_are_not_written() {
        let mut value = Value::constant(0);
        assert_eq!(value.print(), "(0i128)");
        value.add(1, "n".to_owned(), Bounds::LENGTH);
        assert_eq!(value.print(), "(n as i128)");
        let mut last = Value::constant(2);
        last.add_last(3, &value);
        assert_eq!(last.print(), "(-1i128 + 3i128 * n as i128)");
        assert!(value.is_natural() && !last.is_natural());
        let mut difference = Value::constant(5);
        difference.add(-1, "m".to_owned(), Bounds::LENGTH);
        assert!(!difference.is_natural());
        assert_eq!(
            difference.scaled(-2).print(),
            "(-10i128 + 2i128 * m as i128)"
        );
    }

    #[test]
    fn distances_are_those_of_equal_terms() {
        let of = |constant, terms: &[(i64, &str)]| {
            let mut value = Value::constant(constant);
            for (factor, text) in terms {
                value.add(*factor, (*text).to_owned(), Bounds::LENGTH);
            }
            value
        };
        let one = of(3, &[(1, "n"), (2, "m"), (1, "n")]);
        assert_eq!(one.distance(&of(5, &[(2, "m"), (2, "n")])), Some(-2));
        assert_eq!(one.distance(&of(5, &[(2, "m"), (1, "n")])), None);
        assert_eq!(of(1, &[]).distance(&one), None);
    }

    #[test]
    fn what_may_overflow_is_known() {
        let mut value = Value::constant(1);
        value.add(i64::MAX, "n".to_owned(), Bounds::LENGTH);
        assert!(!value.overflows());
        let mut last = Value::constant(0);
        last.add_last(3, &value);
        assert!(last.overflows());
        assert!(value.scaled(3).overflows() && !value.scaled(1).overflows());
    }
}
