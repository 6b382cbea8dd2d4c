//! The memory that a kernel works on: its parameters.

use std::rc::Rc;

use crate::number::Field;

/// Elements, row-major; what only reads them shares them.
#[derive(Clone, Debug)]
pub enum Data {
    /// Floating-point numbers, as elements of the prime field.
    Field(Rc<Vec<Field>>),
    /// Integers.
    Integer(Rc<Vec<i128>>),
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

impl Memory {
    /// How many elements there are.
    #[must_use]
    pub fn elements(&self) -> usize {
        let all = self.parameters.iter();
        let counts = all.map(|parameter| parameter.shape.iter().product::<usize>());
        counts.sum()
    }
}
