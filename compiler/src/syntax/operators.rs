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
    /// One of both is a NaN.
    Unordered,
}

/// `&&` and `||`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum LogicalOperator {
    And,
    Or,
}

/// Methods of integers, and the operators that only integers have. Their operands have the type of the
/// result, but for the distance of a shift and the exponent of a power.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum IntegerMethod {
    WrappingAdd,
    WrappingSub,
    WrappingMul,
    WrappingNeg,
    SaturatingAdd,
    SaturatingSub,
    SaturatingMul,
    Min,
    Max,
    Abs,
    /// `pow`.
    Power,
    DivEuclid,
    RemEuclid,
    /// `!`.
    Not,
    /// `&`.
    And,
    /// `|`.
    Or,
    /// `^`.
    ExclusiveOr,
    /// `<<`.
    ShiftLeft,
    /// `>>`.
    ShiftRight,
    /// How many bits are ones, as an integer of the receiver's type.
    Ones,
    /// How many zeros stand above the highest one.
    LeadingZeros,
    /// How many zeros stand below the lowest one.
    TrailingZeros,
    /// The first, which must be below the second: a subscript of a part of an array.
    Within,
}

impl IntegerMethod {
    /// The method of a name.
    pub fn named(name: &str) -> Option<IntegerMethod> {
        Some(match name {
            "wrapping_add" => IntegerMethod::WrappingAdd,
            "wrapping_sub" => IntegerMethod::WrappingSub,
            "wrapping_mul" => IntegerMethod::WrappingMul,
            "wrapping_neg" => IntegerMethod::WrappingNeg,
            "saturating_add" => IntegerMethod::SaturatingAdd,
            "saturating_sub" => IntegerMethod::SaturatingSub,
            "saturating_mul" => IntegerMethod::SaturatingMul,
            "min" => IntegerMethod::Min,
            "max" => IntegerMethod::Max,
            "abs" => IntegerMethod::Abs,
            "pow" => IntegerMethod::Power,
            "div_euclid" => IntegerMethod::DivEuclid,
            "rem_euclid" => IntegerMethod::RemEuclid,
            _ => return None,
        })
    }

    /// The method of a name that counts bits. Its value is a `u32` in the text.
    pub fn counting(name: &str) -> Option<IntegerMethod> {
        Some(match name {
            "count_ones" => IntegerMethod::Ones,
            "leading_zeros" => IntegerMethod::LeadingZeros,
            "trailing_zeros" => IntegerMethod::TrailingZeros,
            _ => return None,
        })
    }

    /// Whether it counts bits.
    pub fn counts_bits(self) -> bool {
        use IntegerMethod::{LeadingZeros, Ones, TrailingZeros};
        matches!(self, Ones | LeadingZeros | TrailingZeros)
    }

    /// Operands besides the first.
    pub fn arguments(self) -> usize {
        match self {
            IntegerMethod::Abs | IntegerMethod::WrappingNeg | IntegerMethod::Not => 0,
            counting if counting.counts_bits() => 0,
            _ => 1,
        }
    }
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
    Exp2,
    ExpM1,
    Ln1p,
    Log2,
    Log10,
    Sinh,
    Cosh,
    Asin,
    Acos,
    Atan,
    Atan2,
    Cbrt,
    Hypot,
    Asinh,
    Acosh,
    Atanh,
    /// To the nearest integer, halves away from zero.
    Round,
    /// To the nearest integer, halves to the even one.
    RoundTiesEven,
    /// Towards zero.
    Trunc,
    Signum,
    Copysign,
    /// `a % b`.
    Remainder,
    /// `if a < b { a } else { b }`.
    Lesser,
    /// `if a > b { a } else { b }`.
    Greater,
    /// A method or an operator of integers alone.
    Bits(IntegerMethod),
}

impl Elementary {
    /// Whether a type needs an order, or signs, to have the function.
    pub fn is_of_reals(self) -> bool {
        matches!(
            self,
            Elementary::Abs
                | Elementary::Min
                | Elementary::Max
                | Elementary::Floor
                | Elementary::Ceil
                | Elementary::Round
                | Elementary::Trunc
                | Elementary::Signum
                | Elementary::Copysign
                | Elementary::Atan2
                | Elementary::Hypot
        )
    }

    /// Whether it is an odd function, whose sign is that of its argument; `None` if it is neither that nor an even one.
    pub fn is_odd(self) -> Option<bool> {
        match self {
            Elementary::Abs | Elementary::Cos | Elementary::Cosh => Some(false),
            Elementary::Sin
            | Elementary::Tan
            | Elementary::Tanh
            | Elementary::Sinh
            | Elementary::Asin
            | Elementary::Atan
            | Elementary::Asinh
            | Elementary::Atanh
            | Elementary::Cbrt
            | Elementary::Round
            | Elementary::RoundTiesEven
            | Elementary::Trunc => Some(true),
            _ => None,
        }
    }

    /// How many scalars it is a function of; any number, of a function from outside.
    pub fn operands(self) -> Option<usize> {
        match self {
            Elementary::Pure(_) => None,
            Elementary::Bits(method) => Some(method.arguments() + 1),
            Elementary::Min
            | Elementary::Max
            | Elementary::Lesser
            | Elementary::Greater
            | Elementary::Powf
            | Elementary::Atan2
            | Elementary::Hypot
            | Elementary::Copysign
            | Elementary::Remainder => Some(2),
            Elementary::MulAdd => Some(3),
            _ => Some(1),
        }
    }
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
