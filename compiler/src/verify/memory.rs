//! The memory that a kernel works on: its parameters.

use crate::number::Field;

/// Elements, row-major.
#[derive(Clone, Debug)]
pub enum Data {
    /// Floating-point numbers, as elements of the prime field.
    Field(Vec<Field>),
    /// Integers.
    Integer(Vec<i128>),
}

/// A parameter of a kernel.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Extents, outermost first; empty for a scalar, which has one element.
    pub shape: Vec<usize>,
    /// The elements.
    pub data: Data,
}

/// All parameters, in the kernel's order.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The parameters.
    pub parameters: Vec<Parameter>,
}
