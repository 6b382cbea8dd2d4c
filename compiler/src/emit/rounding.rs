//! Vectors of numbers rounded to integers, and their signs.

use super::vector::Unit;
use crate::syntax::ast::CompareOperator;

impl Unit {
    /// |a|.
    pub fn abs(&self, a: &str) -> String {
        if self.is_512() {
            format!("{}({a})", self.name("abs"))
        } else {
            format!("{}({}, {a})", self.name("andnot"), self.splat("-0.0"))
        }
    }

    /// The largest integers not above.
    pub fn floor(&self, a: &str) -> String {
        if self.is_512() {
            format!("{}::<0x09>({a})", self.name("roundscale"))
        } else {
            format!("{}({a})", self.name("floor"))
        }
    }

    /// The smallest integers not below.
    pub fn ceil(&self, a: &str) -> String {
        if self.is_512() {
            format!("{}::<0x0a>({a})", self.name("roundscale"))
        } else {
            format!("{}({a})", self.name("ceil"))
        }
    }

    /// Rounded to integers, in a direction by its code.
    fn rounded(&self, direction: &str, a: &str) -> String {
        let name = match self.is_512() {
            true => "roundscale",
            false => "round",
        };
        format!("{}::<{direction}>({a})", self.name(name))
    }

    /// Towards zero.
    pub fn trunc(&self, a: &str) -> String {
        self.rounded("0x0b", a)
    }

    /// To the nearest integers, halves to even ones.
    pub fn round_ties_even(&self, a: &str) -> String {
        self.rounded("0x08", a)
    }

    /// To the nearest integers, halves away from zero: what the number below one half is added to is cut
    /// off. One half itself would carry the number below it to one.
    pub fn round(&self, a: &str) -> String {
        let below_half = match self.bits() {
            32 => 0.499_999_97,
            _ => 0.499_999_999_999_999_94,
        };
        let half = self.copysign(&self.splat(&self.constant(below_half)), a);
        self.trunc(&self.add(true, a, &half))
    }

    /// |a| with the signs of b.
    pub fn copysign(&self, a: &str, b: &str) -> String {
        let sign = self.splat(&self.constant(-0.0));
        format!(
            "{}({}({sign}, {a}), {}({sign}, {b}))",
            self.name("or"),
            self.name("andnot"),
            self.name("and")
        )
    }

    /// Ones with the signs of a; NaNs stay.
    pub fn signum(&self, a: &str) -> String {
        let ones = self.copysign(&self.splat(&self.constant(1.0)), a);
        let unordered = self.compare(true, CompareOperator::Unordered, a, a);
        self.select(&unordered, a, &ones)
    }
}
