//! What a kernel has declared, and what is visible where the next statement goes.

use super::range::{Integer, Linear};

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    pub text: String,
    /// 0: can be a receiver; 1: unary; 2: a product; 3: a sum; 4: needs parentheses everywhere.
    pub level: u8,
    /// Bound of its magnitude.
    pub bound: f64,
    /// Bound of its error in roundings of one; 0 if all variants have the same bits.
    pub error: f64,
    /// Its type is not known from its text: a literal.
    pub literal: bool,
    /// It reads an array.
    pub reads: bool,
}

/// A scalar variable.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub bound: f64,
    pub error: f64,
}

/// An array that can be subscripted: a reference, a local array, a copy.
#[derive(Clone, Debug)]
pub struct Place {
    pub text: String,
    pub shape: Vec<usize>,
    pub bound: f64,
    pub error: f64,
    /// Its elements are scalars of the compiler: subscripts unroll loops.
    pub local: bool,
}

/// What is visible.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub integers: Vec<Integer>,
    pub variables: Vec<Variable>,
    pub places: Vec<Place>,
    /// Expressions that were written here.
    pub recent: Vec<Expr>,
}

/// Sizes of a scope, to return to.
#[derive(Clone, Copy, Debug)]
pub struct Mark([usize; 4]);

impl Scope {
    pub fn mark(&self) -> Mark {
        Mark([
            self.integers.len(),
            self.variables.len(),
            self.places.len(),
            self.recent.len(),
        ])
    }

    pub fn leave(&mut self, Mark([integers, variables, places, recent]): Mark) {
        self.integers.truncate(integers);
        self.variables.truncate(variables);
        self.places.truncate(places);
        self.recent.truncate(recent);
    }

    /// Iterations of all loops around.
    pub fn trips(&self) -> f64 {
        let loops = self.integers.iter().filter(|v| v.is_loop);
        loops.map(Integer::trips).product()
    }
}

/// What a parameter is for.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    Input,
    /// A number that others are divided by: it may be subnormal, or large.
    Divisor,
    /// A number that is divided: as small or as large as divisors.
    Dividend,
    /// One that its quotient takes the place of, with a bound of that.
    Divided {
        bound: f64,
    },
    /// Entries are below the limit; the index type.
    Map(usize, &'static str),
    /// Bounds of the values and errors that it gets; whether it is assigned.
    Output {
        bound: f64,
        error: f64,
        assigned: bool,
    },
    /// An integer of this value.
    Size(Linear),
    /// Numbers of an integer type, which may be written.
    Integers {
        ty: &'static str,
        written: bool,
    },
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: String,
    pub role: Role,
    /// Its numbers are `f32` in a kernel of `f64`.
    pub single: bool,
    /// A slice of arrays of the shape, or an array.
    pub slice: bool,
    pub shape: Vec<usize>,
    /// Lengths that accesses need.
    pub lengths: Vec<Linear>,
    /// Its length is the end of a loop, and does not grow.
    pub fixed: bool,
    /// The dimensions of a view; of anything else there are none.
    pub view: Vec<Dimension>,
}

/// A dimension whose extent is known at run time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dimension {
    /// Extents that accesses need.
    pub lengths: Vec<Linear>,
    /// The extent is the end of a loop, and does not grow.
    pub fixed: bool,
}

impl Dimension {
    /// A dimension that does not grow.
    pub fn fixed(length: Linear) -> Dimension {
        Dimension {
            lengths: vec![length],
            fixed: true,
        }
    }
}

/// A table.
#[derive(Clone, Debug)]
pub struct Table {
    pub name: String,
    pub shape: Vec<usize>,
    /// Its declaration.
    pub text: String,
    /// Bound of the values; of integers, their limit.
    pub bound: f64,
    pub integers: bool,
}
