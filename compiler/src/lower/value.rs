//! Symbolic values.

use super::flat::Flat;
use crate::ir::{Affine, ArrayId, ExprId};
use crate::syntax::ast::{IntegerType, TableId, Type};

/// What an expression evaluates to.
#[derive(Clone, Debug)]
pub enum Value {
    /// A floating-point scalar, or a condition.
    Scalar(ExprId),
    /// An integer.
    Integer(Affine),
    /// A parameter or an entry of an index map, converted to one type of integers after the other,
    /// which may not hold it.
    Converted(Affine, Vec<IntegerType>),
    /// An integer that is a sum of products of such.
    Flat(Flat),
    /// A local array whose elements are known one by one.
    Array(Vec<Value>),
    /// A tuple.
    Tuple(Vec<Value>),
    /// An array in memory, or a part of one, not yet read.
    Place(Place),
}

/// A (partly) subscripted array.
#[derive(Clone, Debug)]
pub struct Place {
    /// The array.
    pub root: Root,
    /// The subscripts so far.
    pub subscripts: Vec<Affine>,
    /// The type of what is left.
    pub ty: Type,
}

/// Where a place begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// An array of the program: a parameter or a large local array.
    Array(ArrayId),
    /// A table of the module.
    Table(TableId),
}
