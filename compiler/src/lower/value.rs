//! Symbolic values.

use std::rc::Rc;

use super::products::Flat;
use crate::ir::{Affine, ArrayId, ExprId};
use crate::syntax::ast::{IntegerType, TableId, Type};

/// What an expression evaluates to.
#[derive(Clone, Debug)]
pub enum Value {
    /// A floating-point scalar.
    Scalar(ExprId),
    /// A condition.
    Condition(Condition),
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

/// A condition, which chooses between values.
#[derive(Clone, Debug)]
pub enum Condition {
    /// It holds, or it does not.
    Known(bool),
    /// A comparison.
    Compare(ExprId),
    /// It holds where another one does not.
    Not(Rc<Condition>),
    /// Both hold.
    And(Rc<Condition>, Rc<Condition>),
}

impl Condition {
    /// The opposite.
    pub fn negated(self) -> Condition {
        match self {
            Condition::Known(holds) => Condition::Known(!holds),
            Condition::Not(of) => of.as_ref().clone(),
            other => Condition::Not(Rc::new(other)),
        }
    }

    /// Both of two.
    pub fn and(self, other: Condition) -> Condition {
        match (self, other) {
            (Condition::Known(true), only) | (only, Condition::Known(true)) => only,
            (Condition::Known(false), _) | (_, Condition::Known(false)) => Condition::Known(false),
            (a, b) => Condition::And(Rc::new(a), Rc::new(b)),
        }
    }

    /// At least one of two.
    pub fn or(self, other: Condition) -> Condition {
        self.negated().and(other.negated()).negated()
    }
}

/// A (partly) subscripted array.
#[derive(Clone, Debug, PartialEq)]
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

/// A variable's value, and how many kept loops and branches were around its declaration.
#[derive(Clone, Debug)]
pub(super) struct Binding {
    pub(super) value: Value,
    pub(super) depth: usize,
    pub(super) branches: usize,
}

impl Binding {
    /// That of a parameter.
    pub(super) fn outermost(value: Value) -> Self {
        Binding {
            value,
            depth: 0,
            branches: 0,
        }
    }
}
