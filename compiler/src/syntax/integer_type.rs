//! The types of integers, and the values that they have.

use super::operators::IntegerMethod;

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum IntegerType {
    Usize,
    U64,
    U32,
    U16,
    U8,
    Isize,
    I64,
    I32,
    I16,
    I8,
}

impl IntegerType {
    /// The type of a name.
    pub fn named(name: &str) -> Option<IntegerType> {
        Some(match name {
            "usize" => IntegerType::Usize,
            "u64" => IntegerType::U64,
            "u32" => IntegerType::U32,
            "u16" => IntegerType::U16,
            "u8" => IntegerType::U8,
            "isize" => IntegerType::Isize,
            "i64" => IntegerType::I64,
            "i32" => IntegerType::I32,
            "i16" => IntegerType::I16,
            "i8" => IntegerType::I8,
            _ => return None,
        })
    }

    /// Its width; that of `usize` is 64 here.
    pub fn bits(self) -> u32 {
        match self {
            IntegerType::Usize | IntegerType::U64 | IntegerType::Isize | IntegerType::I64 => 64,
            IntegerType::U32 | IntegerType::I32 => 32,
            IntegerType::U16 | IntegerType::I16 => 16,
            IntegerType::U8 | IntegerType::I8 => 8,
        }
    }

    /// Whether it has negative values.
    pub fn is_signed(self) -> bool {
        matches!(
            self,
            IntegerType::Isize
                | IntegerType::I64
                | IntegerType::I32
                | IntegerType::I16
                | IntegerType::I8
        )
    }

    /// The type of as many bits without negative values.
    pub fn unsigned(self) -> IntegerType {
        match self {
            IntegerType::Isize => IntegerType::Usize,
            IntegerType::I64 => IntegerType::U64,
            IntegerType::I32 => IntegerType::U32,
            IntegerType::I16 => IntegerType::U16,
            IntegerType::I8 => IntegerType::U8,
            other => other,
        }
    }

    /// The type of 32 or 64 bits that is computed in.
    pub fn word(self) -> IntegerType {
        match (self.bits(), self.is_signed()) {
            (64, true) => IntegerType::I64,
            (64, false) => IntegerType::U64,
            (32, false) => IntegerType::U32,
            _ => IntegerType::I32,
        }
    }

    /// The smallest and the largest value.
    pub fn range(self) -> (i128, i128) {
        match self.is_signed() {
            true => (-(1 << (self.bits() - 1)), (1 << (self.bits() - 1)) - 1),
            false => (0, (1 << self.bits()) - 1),
        }
    }

    /// What is left of a value that is converted to it: the lowest bits.
    pub fn truncated(self, value: i128) -> i128 {
        let unused = i128::BITS - self.bits();
        match self.is_signed() {
            true => value << unused >> unused,
            false => ((value as u128) << unused >> unused) as i128,
        }
    }

    /// How many bits of a value are ones, or zeros at an end.
    pub fn counted(self, method: IntegerMethod, value: i128) -> i128 {
        let unused = u128::BITS - self.bits();
        let above = (value as u128) << unused;
        let count = match method {
            IntegerMethod::LeadingZeros => above.leading_zeros().min(self.bits()),
            IntegerMethod::TrailingZeros => (above >> unused).trailing_zeros().min(self.bits()),
            _ => above.count_ones(),
        };
        i128::from(count)
    }

    /// Whether it has a value.
    pub fn holds(self, value: i128) -> bool {
        let (least, most) = self.range();
        (least..=most).contains(&value)
    }
}
