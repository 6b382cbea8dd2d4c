//! How equations write: values are assigned, or combined with what is there.

use crate::number::{Field, Number};

/// `=`, or `+=` and its siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// The target takes the value.
    Assign,
    /// The values at the reduction indices are combined with the target.
    Accumulate(Combining),
}

impl Operator {
    /// `+=`: the value, summed over the reduction indices, is added to the target.
    pub const ADD: Operator = Operator::Accumulate(Combining::Add);

    /// What values are combined with what the target holds by; `None` where that is replaced.
    pub fn accumulated(self) -> Option<Combining> {
        match self {
            Operator::Assign => None,
            Operator::Accumulate(combining) => Some(combining),
        }
    }

    /// What the values at the reduction indices are combined by: assigned are their sums.
    pub fn combining(self) -> Combining {
        self.accumulated().unwrap_or(Combining::Add)
    }
}

/// An associative, commutative operator that a reduction combines values with (Ernst 1995, section 1.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Combining {
    /// `a + x`.
    Add,
    /// `a * x`.
    Multiply,
    /// `a.min(x)`: a NaN loses.
    Min,
    /// `a.max(x)`: a NaN loses.
    Max,
    /// `if x < a { x } else { a }`: what `a` starts from stays if it is a NaN.
    Lesser,
    /// `if x > a { x } else { a }`: what `a` starts from stays if it is a NaN.
    Greater,
}

impl Combining {
    /// All of them, with the words that stand before `=` in the text form of programs.
    pub const ALL: [(Combining, &'static str); 6] = [
        (Combining::Add, "+"),
        (Combining::Multiply, "*"),
        (Combining::Min, "min"),
        (Combining::Max, "max"),
        (Combining::Lesser, "lesser"),
        (Combining::Greater, "greater"),
    ];

    /// As an assignment.
    pub fn symbol(self) -> &'static str {
        match self {
            Combining::Add => "+=",
            Combining::Multiply => "*=",
            Combining::Min => "min=",
            Combining::Max => "max=",
            Combining::Lesser => "lesser=",
            Combining::Greater => "greater=",
        }
    }

    /// What changes no value that it is combined with, and what is emitted for that. A NaN is combined with any
    /// value to that value by [`Min`](Combining::Min) and [`Max`](Combining::Max), and by no other operator.
    pub fn identity(self) -> f64 {
        match self {
            Combining::Add => 0.0,
            Combining::Multiply => 1.0,
            Combining::Min | Combining::Max => f64::NAN,
            Combining::Lesser => f64::INFINITY,
            Combining::Greater => f64::NEG_INFINITY,
        }
    }

    /// The identity in the field that validation computes in, where values are ordered as integers are.
    pub fn field_identity(self) -> Field {
        match self {
            Combining::Add => Field::ZERO,
            Combining::Multiply => Field::ONE,
            Combining::Min | Combining::Lesser => Field::greatest(),
            Combining::Max | Combining::Greater => Field::least(),
        }
    }

    /// Whether a reduction may start with its first value, whatever that is.
    pub fn starts_with_any(self) -> bool {
        !matches!(self, Combining::Lesser | Combining::Greater)
    }

    /// Two values of that field combined.
    pub fn combined(self, a: Field, b: Field) -> Field {
        match self {
            Combining::Add => a + b,
            Combining::Multiply => a * b,
            Combining::Min | Combining::Lesser => a.lesser(b),
            Combining::Max | Combining::Greater => a.greater(b),
        }
    }

    /// The operator that gives the same as this one where what it starts from is no NaN, in one instruction.
    pub fn after(self, start: Number) -> Combining {
        match self {
            Combining::Min if !start.to_f64().is_nan() => Combining::Lesser,
            Combining::Max if !start.to_f64().is_nan() => Combining::Greater,
            other => other,
        }
    }
}
