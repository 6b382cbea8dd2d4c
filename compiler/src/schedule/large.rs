//! Loop trees that a call takes where extents are long, or arrays are large.

use super::tree::Schedule;
use crate::ir::{ArrayId, Extent, IndexId, Program};

/// A loop tree for long extents, or for large arrays.
#[derive(Clone, Debug)]
pub struct Large {
    /// The program, with equations that pack.
    pub program: Program,
    /// The loop tree.
    pub schedule: Schedule,
    /// The products in it: it pays where one of them is long.
    pub products: Vec<Product>,
    /// Memories that several nests access in turns: it pays where they are larger than the caches of a core.
    pub arrays: Vec<ArrayId>,
    /// What is done for that, in words.
    pub said: Option<String>,
}

impl Large {
    /// Whether what moves along the lanes lies apart, in all of its products.
    #[must_use]
    pub fn gathers(&self) -> bool {
        !self.products.is_empty() && self.products.iter().all(|own| own.resident == 0)
    }
}

/// The extents of a product of matrices.
#[derive(Clone, Debug)]
pub struct Product {
    /// The loops of rows, columns and terms: all have iterations where the loop tree runs.
    pub loops: [IndexId; 3],
    /// Rows, columns and terms.
    pub extents: [Extent; 3],
    /// Each of them is at least so long where packing pays: what is packed is used often enough.
    pub least: [usize; 3],
    /// What lies between terms of the factor that moves along the lanes, in elements: the product of these.
    pub between: Vec<Extent>,
    /// And that factor goes through more than so many elements: what stays in a cache near by is loaded from there for all
    /// rows as it is.
    pub resident: usize,
}
