//! Iterators as the loops with subscripts that they are.
//!
//! A chain such as `y.iter_mut().zip(x).enumerate()` is read into items at positions from zero, and the
//! lengths that these end at; a loop over it becomes one over positions, in whose body names stand for
//! elements. `y[k]` takes the place of `*v`, so that nothing that comes after the reader knows iterators.

mod chains;
mod consumers;
mod elementwise;
mod filters;
mod folds;
mod loops;
mod options;
mod patterns;
mod whole;

pub use chains::is_iterator;
pub use filters::Filter;
pub use patterns::one_less;

use std::rc::Rc;

use super::ast::{Adaptor, Expression};
use super::closures::Closure;
use crate::diagnostics::Span;

/// What a loop runs over.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// The item at each position.
    items: Items,
    /// Positions are below each of these; there is none of what has no end.
    lengths: Vec<Expression>,
    /// A range that is nothing else: its ends, and whether the last one is among its values.
    range: Option<(Expression, Expression, bool)>,
    /// What is applied to positions, first to last.
    adaptors: Vec<Adaptor>,
    span: Span,
}

/// Items at positions.
#[derive(Clone, Debug)]
enum Items {
    /// `a..b`: the position itself, after the first.
    Integers(Expression),
    /// Elements of an array.
    Elements(Expression, Access),
    /// Slices of so many elements, so many apart.
    Slices(Box<Slices>),
    /// Columns of a view.
    Columns(Expression, bool),
    Zip(Box<Items>, Box<Items>),
    /// From a position on.
    From(Box<Items>, Expression),
    /// From the last one, of so many.
    Backwards(Box<Items>, Expression),
    /// Every so many.
    Every(Box<Items>, Expression),
    /// What references lead to.
    Values(Box<Items>),
    Mapped(Box<Items>, Rc<Closure>),
    /// Those for which a closure says so; positions are those of all.
    Filtered(Box<Items>, Rc<Closure>),
}

impl Items {
    /// Whether some positions may have no item.
    fn are_filtered(&self) -> bool {
        match self {
            Items::Filtered(..) => true,
            Items::Values(inner) | Items::Mapped(inner, _) => inner.are_filtered(),
            // What goes by positions is refused of such.
            _ => false,
        }
    }
}

/// Slices of an array.
#[derive(Clone, Debug)]
struct Slices {
    array: Expression,
    /// From the first element of one to that of the next.
    step: Expression,
    size: Size,
    mutable: bool,
}

/// How many elements a slice has.
#[derive(Clone, Debug)]
enum Size {
    Each(Expression),
    /// The last one may be shorter: of so many elements in all.
    UpTo(Expression, Expression),
}

/// How elements are handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    Shared,
    Mutable,
    Value,
}
