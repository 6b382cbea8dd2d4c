//! Indices, arrays and equations.

use std::rc::Rc;

use super::affine::Affine;
use super::expr::{Access, ExprId, Pool};
use crate::number::Number;
use crate::syntax::ast::IntegerType;

/// A loop index of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IndexId(pub u32);

/// An array of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArrayId(pub u32);

/// Number of iterations, or of elements along a dimension.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// Known now.
    Constant(usize),
    /// Known when the kernel runs: an affine function of integer parameters and lengths;
    /// below zero it counts as zero.
    RunTime(Affine),
}

impl Extent {
    /// The extent if it is known now.
    pub fn as_constant(&self) -> Option<usize> {
        match self {
            Extent::Constant(n) => Some(*n),
            Extent::RunTime(_) => None,
        }
    }
}

/// A loop index. It counts from zero: a range `a..b` has extent `b - a` and subscripts add `a`.
#[derive(Clone, Debug)]
pub struct Index {
    /// The user's name for it (not unique).
    pub name: String,
    /// Number of values.
    pub extent: Extent,
}

/// Type of an array's elements and of scalar values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Element {
    /// `f64`.
    F64,
    /// `f32`.
    F32,
    /// The kernel's scalar type parameter.
    Generic,
    /// An integer: index maps and integer parameters.
    Integer(IntegerType),
}

impl Element {
    /// Index maps and integer parameters have elements that no operation computes.
    pub fn is_integer(self) -> bool {
        matches!(self, Element::Integer(_))
    }
}

/// What an array is for.
#[derive(Clone, Debug)]
pub enum Role {
    /// The kernel's n-th parameter, only read.
    Parameter(usize),
    /// The kernel's n-th parameter, written; the number of parameters stands for its result.
    Output(usize),
    /// Values known now, row-major.
    Table(Rc<Vec<Number>>),
    /// Written and read inside.
    Temporary,
}

/// An array.
#[derive(Clone, Debug)]
pub struct Array {
    /// Unique name: the user's, or one that says what a temporary holds.
    pub name: String,
    /// Element type.
    pub element: Element,
    /// Extents, outermost first; empty for a scalar.
    pub shape: Vec<Extent>,
    /// Its role.
    pub role: Role,
    /// Neighbours along each axis are as far from each other as strides say that are known when the
    /// kernel runs: a view. Others are row-major without gaps.
    pub strided: bool,
}

/// `=` or `+=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// The target takes the value.
    Assign,
    /// The value, summed over the reduction indices, is added to the target.
    Accumulate,
}

/// `target op sum over reduction of expr, for free`.
///
/// A temporary is assigned by one equation, whose target's subscripts are its free indices in
/// order; with reduction indices the assignment is of the sum.
#[derive(Clone, Debug)]
pub struct Equation {
    /// What is written.
    pub target: Access,
    /// How.
    pub operator: Operator,
    /// Indices over which the statement is repeated, outermost first.
    pub free: Vec<IndexId>,
    /// Indices summed over, outermost first.
    pub reduction: Vec<IndexId>,
    /// The value.
    pub expr: ExprId,
}

impl Equation {
    /// Free indices, then reduction indices.
    pub fn domain(&self) -> impl Iterator<Item = IndexId> + '_ {
        self.free.iter().chain(&self.reduction).copied()
    }
}

/// A kernel's meaning: equations in an order that respects their dependences.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The kernel's name.
    pub name: String,
    /// Operations and their order are the source's: nothing may be reassociated, and sums are
    /// added to their targets one term after the other.
    pub exact: bool,
    /// Loop indices, in the order of the source's nests (an outer loop before its inner ones).
    pub indices: Vec<Index>,
    /// Arrays.
    pub arrays: Vec<Array>,
    /// Expressions.
    pub pool: Pool,
    /// Functions from outside, as paths: [`Elementary::Pure`](crate::syntax::ast::Elementary).
    pub functions: Vec<String>,
    /// Equations, executed as if one after the other, each over its whole domain.
    pub equations: Vec<Equation>,
}

impl Program {
    /// An index.
    pub fn loop_index(&self, id: IndexId) -> &Index {
        &self.indices[id.0 as usize]
    }

    /// An array.
    pub fn array(&self, id: ArrayId) -> &Array {
        &self.arrays[id.0 as usize]
    }

    /// The first array of a parameter: others with its position are views of it in other shapes.
    pub fn viewed(&self, id: ArrayId) -> ArrayId {
        let (Role::Parameter(position) | Role::Output(position)) = self.array(id).role else {
            return id;
        };
        let same = |array: &Array| match array.role {
            Role::Parameter(other) | Role::Output(other) => other == position,
            Role::Table(_) | Role::Temporary => false,
        };
        let first = self.arrays.iter().position(same);
        first.map_or(id, |at| ArrayId(at as u32))
    }

    /// The expressions that equations use, each once, in the order of their ids.
    pub fn reachable(&self) -> Vec<ExprId> {
        let mut seen = vec![false; self.pool.len()];
        let mut stack: Vec<ExprId> = self.equations.iter().map(|e| e.expr).collect();
        while let Some(expr) = stack.pop() {
            if !std::mem::replace(&mut seen[expr.0 as usize], true) {
                stack.extend(self.pool.operands(expr));
            }
        }
        (0..seen.len())
            .filter(|at| seen[*at])
            .map(|at| ExprId(at as u32))
            .collect()
    }

    /// Adds an index.
    pub fn add_index(&mut self, name: &str, extent: Extent) -> IndexId {
        self.indices.push(Index {
            name: name.to_owned(),
            extent,
        });
        IndexId(self.indices.len() as u32 - 1)
    }

    /// Adds an array, its name made unique by a number where needed.
    pub fn add_array(
        &mut self,
        name: &str,
        element: Element,
        shape: Vec<Extent>,
        role: Role,
    ) -> ArrayId {
        let taken = |candidate: &str| self.arrays.iter().any(|a| a.name == candidate);
        let mut unique = name.to_owned();
        let mut count = 1;
        while taken(&unique) {
            count += 1;
            unique = format!("{name}_{count}");
        }
        self.arrays.push(Array {
            name: unique,
            element,
            shape,
            role,
            strided: false,
        });
        ArrayId(self.arrays.len() as u32 - 1)
    }
}
