//! Operators and functions of numbers, and adaptors of ranges.

/// `+ - * /`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    /// Integers only.
    Remainder,
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum CompareOperator {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

/// Methods of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum IntegerMethod {
    WrappingAdd,
    WrappingSub,
    WrappingMul,
    SaturatingSub,
    Min,
    Max,
}

/// Functions of scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Elementary {
    Abs,
    Sqrt,
    Exp,
    Ln,
    Sin,
    Cos,
    Tan,
    Tanh,
    Floor,
    Ceil,
    Min,
    Max,
    Powf,
    /// `x.powi(n)` with a literal n.
    Powi(i32),
    /// A function from outside, declared pure: its place in
    /// [`Module::pure`](super::ast::Module::pure).
    Pure(usize),
    /// `a.mul_add(b, c)`: a b + c.
    MulAdd,
    Recip,
}

/// What may be applied to the range of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adaptor {
    /// `.rev()`.
    Reverse,
    /// `.step_by(n)`.
    StepBy(usize),
}

/// The values of a loop over `count` integers from `start`: `(first, stride, count)`.
pub fn adapted(adaptors: &[Adaptor], start: i64, count: i64) -> (i64, i64, i64) {
    let mut values = (start, 1, count.max(0));
    for adaptor in adaptors {
        let (first, stride, count) = values;
        values = match adaptor {
            Adaptor::Reverse => (first + stride * (count - 1).max(0), -stride, count),
            Adaptor::StepBy(step) => {
                let step = *step as i64;
                (first, stride * step, (count + step - 1) / step)
            }
        };
    }
    values
}
