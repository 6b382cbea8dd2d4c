//! The loop tree that emission prints.

use crate::ir::{Access, ArrayId, Extent, IndexId};

/// A scheduled program for one number of lanes.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Lanes of a vector; 1 for scalar code.
    pub width: usize,
    /// The index that lanes run over: at every use its value is that of the loop plus the
    /// lane's number. `None` if nothing is vectorised.
    pub lanes: Option<IndexId>,
    /// Storage of temporaries (by [`ArrayId`]), in order of definition, staging arrays included.
    pub storage: Vec<(ArrayId, Storage)>,
    /// The nodes, executed in order.
    pub body: Vec<Node>,
}

/// Where a temporary lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Storage {
    /// One value (a vector if `lanes`) in a local variable, defined where its equation's
    /// instance stands and visible in the rest of that block and in the loops after it inside
    /// the same loop body.
    Register {
        /// One value a lane.
        lanes: bool,
    },
    /// An array in memory, allocated once a call, aligned to 64 bytes.
    Memory {
        /// For each dimension of the temporary, `Some(extent)` if it is kept (the last kept one
        /// may be padded), `None` if it was contracted away.
        extents: Vec<Option<usize>>,
        /// If set, every element holds one value per lane (the lane index is then contracted
        /// away); otherwise lanes, if the lane index is a kept dimension, are neighbours in the
        /// innermost kept dimension.
        lanes: bool,
    },
}

/// A node of the loop tree.
#[derive(Clone, Debug)]
pub enum Node {
    /// A loop.
    Loop(Loop),
    /// Straight-line code: equal sub-expressions of its instances are computed once.
    Block(Vec<Instance>),
    /// Sums held in registers: each instance's accumulator starts at zero, `loops` run with the
    /// instances' values added, then each accumulator is stored: assigned to the target (also of
    /// an accumulating equation if `assign`), or added to it. Over the lane index (of a vector
    /// with more than one lane) the loop is one over the lanes of what the instances read.
    Reduction {
        /// The accumulators.
        instances: Vec<Instance>,
        /// Sequential loops over the reduction indices, outermost first.
        loops: Vec<IndexId>,
    },
    /// Adds (or assigns) staged results to where they belong, lane by lane, in the order of
    /// lanes and then of `loops`.
    CopyOut(CopyOut),
    /// Fills a temporary in memory with zeros.
    Zero(ArrayId),
}

/// A loop over `start..end` (of the index's own range) by `step`.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The index.
    pub index: IndexId,
    /// First value.
    pub start: usize,
    /// End.
    pub end: Extent,
    /// Step: a multiple of the width if the index is the lane index; instances in the body use
    /// offsets below it. If the lane index's `end` is known at run time only, the last step may be
    /// partial: inactive lanes then read what the last active lane reads and store nothing.
    pub step: usize,
    /// The body.
    pub body: Vec<Node>,
}

/// An equation at a point of its domain: each index's value is that of its loop, plus an offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Position in the program's equations.
    pub equation: usize,
    /// Offsets; indices that are absent have offset 0. The lane index's offset counts elements.
    /// An index with no loop around it has the offset as its value.
    pub offsets: Vec<(IndexId, usize)>,
}

/// Staged results and where they go.
#[derive(Clone, Debug)]
pub struct CopyOut {
    /// The staging array (in [`Storage::Memory`]).
    pub staged: ArrayId,
    /// Loops over the staging array's kept dimensions, in order (their subscripts in it).
    pub loops: Vec<IndexId>,
    /// Where an element goes; it may use `loops`, the lane index and outer indices.
    pub target: Access,
    /// Add to the target, or assign.
    pub accumulate: bool,
}
