//! Operators and functions of numbers.

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
