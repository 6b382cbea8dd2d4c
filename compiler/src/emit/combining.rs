//! What values are combined by: sums, products, the smallest and the largest one.

use super::vector::Unit;
use crate::ir::Combining;

impl Unit {
    /// A value combined with another one, which is `a`.
    pub fn combined(&self, combining: Combining, vector: bool, a: &str, x: &str) -> String {
        let operation = match combining {
            Combining::Add => return self.add(vector, a, x),
            Combining::Multiply => return self.mul(vector, a, x),
            Combining::Min | Combining::Lesser => "min",
            Combining::Max | Combining::Greater => "max",
        };
        if self.word.is_some() {
            return self.word_extremum(vector, operation, a, x);
        }
        let loses = matches!(combining, Combining::Min | Combining::Max);
        match (vector, loses) {
            (true, true) => {
                if let Some(text) = self.in_range(combining, a, x) {
                    return text;
                }
                let text = self.extremum(operation, "held", "value");
                format!("{{ let (held, value) = ({a}, {x}); {text} }}")
            }
            // The instruction gives its second operand where the first one is not beyond it.
            (true, false) => format!("{}({x}, {a})", self.name(operation)),
            (false, true) => {
                let path = match self.generic {
                    true => format!("<{} as {}::Real>", self.scalar, self.krate),
                    false => self.scalar.clone(),
                };
                format!("{path}::{operation}({a}, {x})")
            }
            (false, false) => {
                let symbol = if operation == "min" { "<" } else { ">" };
                format!(
                    "{{ let (held, value) = ({a}, {x}); if value {symbol} held {{ value }} else {{ held }} }}"
                )
            }
        }
    }

    /// Minimum or maximum, where a NaN loses, as one instruction of AVX-512, if the sign of a zero is open.
    pub fn in_range(&self, combining: Combining, a: &str, x: &str) -> Option<String> {
        let which = match combining {
            Combining::Min => "0b0100",
            Combining::Max => "0b0101",
            _ => return None,
        };
        let name = self.name("range");
        (self.masks && self.fused).then(|| format!("{name}::<{which}>({a}, {x})"))
    }

    /// What changes nothing that it is combined with.
    pub fn identity(&self, combining: Combining, vector: bool) -> String {
        match combining {
            Combining::Add => self.zero(vector),
            _ => {
                let value = match self.word {
                    Some(_) => self.word_identity(combining),
                    None => self.constant(combining.identity()),
                };
                if vector { self.splat(&value) } else { value }
            }
        }
    }

    /// A zero that changes no number that it is added to: `-0.0 + 0.0` is `0.0`. Other scalars have one zero.
    pub fn negative_zero(&self) -> String {
        match self.generic {
            true => self.zero(false),
            false => format!("-0.0{}", self.scalar),
        }
    }

    /// Minimum or maximum by Rust's rule: a NaN loses. The instruction gives its second operand where
    /// one is NaN, or both are zero: which of two zeros it is, `rustc` leaves to that instruction too.
    pub fn extremum(&self, operation: &str, a: &str, b: &str) -> String {
        if self.word.is_some() {
            return self.word_extremum(true, operation, a, b);
        }
        let plain = format!("{}({b}, {a})", self.name(operation));
        if self.masks {
            let unordered = format!("{}_mask::<_CMP_UNORD_Q>({a}, {a})", self.name("cmp"));
            format!("{}({unordered}, {plain}, {b})", self.name("mask_blend"))
        } else {
            let unordered = format!("{}::<_CMP_UNORD_Q>({a}, {a})", self.name("cmp"));
            format!("{}({plain}, {b}, {unordered})", self.name("blendv"))
        }
    }
}
