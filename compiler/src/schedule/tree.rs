//! The loop tree that emission prints.

use crate::analysis::cost::nominal;
use crate::ir::{Access, Affine, ArrayId, Combining, Equation, Extent, IndexId, Program};

/// A scheduled program for one number of lanes.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Lanes of a vector; 1 for scalar code.
    pub width: usize,
    /// The index that lanes run over: at every use its value is that of the loop plus the
    /// lane's number. `None` if nothing is vectorised.
    pub lanes: Option<IndexId>,
    /// Indices of other loops that have lanes in the same way, each in nests without any of the others.
    pub others: Vec<IndexId>,
    /// Storage of temporaries (by [`ArrayId`]), in order of definition, staging arrays included.
    pub storage: Vec<(ArrayId, Storage)>,
    /// Temporaries in memory that are too large for the stack, each in one buffer; those of the same
    /// buffer start where it does, and take turns in it (see [`buffers`](super::buffers)).
    pub buffers: Vec<Vec<ArrayId>>,
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
    /// Local variables that live as long as the call, one for each place: what one iteration of a
    /// loop leaves to the next. Which place an access means must be known when it is printed (see
    /// [`Around::place`](super::around::Around::place)): a ring's loop is unrolled by a multiple
    /// of its depth, its prologue peeled.
    Registers {
        /// The places of each dimension.
        extents: Vec<Dimension>,
        /// One value a lane.
        lanes: bool,
    },
    /// An array in memory, allocated once a call, aligned to 64 bytes.
    Memory {
        /// The places of each dimension; the last kept one may be padded.
        extents: Vec<Dimension>,
        /// If set, every element holds one value per lane (the lane index is then contracted
        /// away); otherwise lanes, if the lane index is a kept dimension, are neighbours in the
        /// innermost kept dimension.
        lanes: bool,
    },
}

/// The places that a dimension of a temporary takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// One for each element.
    Kept(usize),
    /// One for each element; how many there are, the array's own extent says when the kernel runs.
    RunTime,
    /// Element `k` is at place `k mod depth`, from when it is written until the next one goes
    /// there: a queue of the last values along a loop (Ernst 1995, section 3.2).
    Ring(usize),
}

impl Dimension {
    /// A dimension that is contracted away, since those who use it share a loop: a ring with one
    /// place (Lam 1999, section 3.1).
    pub const CONTRACTED: Dimension = Dimension::Ring(1);

    /// Number of places, if it is known now.
    pub fn places(self) -> Option<usize> {
        match self {
            Dimension::Kept(n) | Dimension::Ring(n) => Some(n),
            Dimension::RunTime => None,
        }
    }

    /// The extent of a dimension that is kept, if it is known now.
    pub fn kept(self) -> Option<usize> {
        match self {
            Dimension::Kept(n) => Some(n),
            Dimension::Ring(_) | Dimension::RunTime => None,
        }
    }
}

impl Storage {
    /// The places of each dimension; a register has none.
    pub fn extents(&self) -> &[Dimension] {
        match self {
            Storage::Register { .. } => &[],
            Storage::Registers { extents, .. } | Storage::Memory { extents, .. } => extents,
        }
    }

    /// The number of places, lanes not included, if it is known now.
    pub fn places(&self) -> Option<usize> {
        let extents = self.extents().iter();
        extents.map(|dimension| dimension.places()).product()
    }

    /// The number of places, lanes not included, where extents that are not known are so many.
    pub fn nominal(&self, run_time: usize) -> usize {
        let extents = self.extents().iter();
        let places = extents.map(|dimension| dimension.places().unwrap_or(run_time));
        places.fold(1, usize::saturating_mul)
    }

    /// The number of places of a temporary, lanes not included, where extents that are not known are what the cost model takes
    /// them for.
    pub fn likely(&self, program: &Program, array: ArrayId) -> usize {
        let own = self.extents().iter();
        let places = own.zip(program.array(array).shape.iter());
        let places =
            places.map(|(own, extent)| own.places().unwrap_or_else(|| nominal(program, extent)));
        places.fold(1, usize::saturating_mul)
    }
}

impl Schedule {
    /// All indices that lanes run over.
    pub fn lane_loops(&self) -> impl Iterator<Item = IndexId> + Clone + '_ {
        self.lanes.into_iter().chain(self.others.iter().copied())
    }

    /// Whether lanes run over an index.
    pub fn is_lane(&self, index: IndexId) -> bool {
        self.lane_loops().any(|lane| lane == index)
    }

    /// The index that lanes run over in an equation, if they run over one of its own.
    pub fn lane_of(&self, equation: &Equation) -> Option<IndexId> {
        let mut own = self.lane_loops();
        own.find(|lane| equation.domain().any(|index| index == *lane))
    }

    /// The copies of staged results.
    pub fn copies(&self) -> Vec<&CopyOut> {
        copies(&self.body)
    }

    /// Where a temporary lives, or a staging array.
    pub fn storage_of(&self, array: ArrayId) -> Option<&Storage> {
        let found = self.storage.iter().find(|(other, _)| *other == array);
        found.map(|(_, storage)| storage)
    }

    /// The buffer that a temporary lives in, if it does.
    pub fn buffer_of(&self, array: ArrayId) -> Option<usize> {
        let mut buffers = self.buffers.iter();
        buffers.position(|buffer| buffer.contains(&array))
    }

    /// Whether a staging array has two halves, since the next vector copies what is in one.
    pub fn is_halved(&self, array: ArrayId) -> bool {
        let mut copies = self.copies().into_iter();
        copies.any(|copy| copy.pipelined == Pipelined::NextVector && copy.staged == array)
    }
}

/// The offset of an index.
pub fn offset(offsets: &[(IndexId, usize)], index: IndexId) -> usize {
    let found = offsets.iter().find(|(other, _)| *other == index);
    found.map_or(0, |(_, offset)| *offset)
}

/// The instances of nodes.
pub fn instances(nodes: &[Node]) -> Vec<&Instance> {
    let mut result = Vec::new();
    for node in nodes {
        match node {
            Node::Loop(l) => result.extend(instances(&l.body)),
            Node::Block(instances) | Node::Reduction { instances, .. } => result.extend(instances),
            Node::CopyOut(_) | Node::Advance(_) | Node::Zero(_) => {}
        }
    }
    result
}

/// Gives the equations of nodes numbers that are larger by some.
pub fn renumber(nodes: &mut [Node], by: usize) {
    for node in nodes {
        match node {
            Node::Loop(l) => renumber(&mut l.body, by),
            Node::Block(instances) | Node::Reduction { instances, .. } => {
                instances.iter_mut().for_each(|own| own.equation += by);
            }
            Node::CopyOut(_) | Node::Advance(_) | Node::Zero(_) => {}
        }
    }
}

/// The copies of nodes.
pub fn copies(nodes: &[Node]) -> Vec<&CopyOut> {
    let mut result = Vec::new();
    for node in nodes {
        match node {
            Node::Loop(l) => result.extend(copies(&l.body)),
            Node::CopyOut(copy) => result.push(copy),
            Node::Block(_) | Node::Reduction { .. } | Node::Zero(_) | Node::Advance(_) => {}
        }
    }
    result
}

/// A node of the loop tree.
#[derive(Clone, Debug)]
pub enum Node {
    /// A loop.
    Loop(Loop),
    /// Straight-line code: equal sub-expressions of its instances are computed once. The instance
    /// of a sum adds its term to the target, which was zeroed before the loops over the
    /// reduction indices, all of which stand around the block.
    Block(Vec<Instance>),
    /// Sums held in registers: each instance's accumulator starts at zero, `loops` run with the
    /// instances' values added, then each accumulator is stored: assigned to the target (also of
    /// an accumulating equation if `assign`), or added to it. Where additions keep their order, what is added to a target
    /// starts with what that holds, and is assigned (`begun.rs`). Over the lane index (of a vector
    /// with more than one lane) the loop is one over the lanes of what the instances read.
    Reduction {
        /// The accumulators.
        instances: Vec<Instance>,
        /// Sequential loops over the reduction indices, outermost first.
        loops: Vec<IndexId>,
        /// Accumulators of each instance, which take the iterations of the innermost loop in turns: chains of
        /// additions that do not wait for each other. They are added up in the end.
        chains: usize,
    },
    /// Adds (or assigns) staged results to where they belong, lane by lane, in the order of
    /// lanes and then of `loops`.
    CopyOut(CopyOut),
    /// Goes on with the pipelined copy of a staging array: as many elements of each lane as there
    /// are lanes, if so many are left and complete.
    Advance(ArrayId),
    /// Fills a temporary in memory or registers with zeros.
    Zero(ArrayId),
}

/// A loop over `start..end` (of the index's own range) by `step`.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The index.
    pub index: IndexId,
    /// Indices that move along: the value of each is that of `index`, plus a number. With them one
    /// loop runs equations of different domains, one of them some iterations ahead of another.
    pub with: Vec<(IndexId, usize)>,
    /// Which of its steps it takes.
    pub steps: Steps,
    /// First value.
    pub start: usize,
    /// End.
    pub end: Extent,
    /// Step: a multiple of the width if the index is the lane index, and instances in the body then
    /// use offsets below it. If the lane index's `end` is known at run time only, the last step may be
    /// partial: inactive lanes then read what the last active lane reads and store nothing.
    pub step: usize,
    /// The body.
    pub body: Vec<Node>,
}

/// Whether a sum that is held in registers starts with what its target holds.
pub fn begins_with_target(program: &Program, equation: usize) -> bool {
    let operator = program.equations[equation].operator;
    program.exact && operator.accumulated().is_some()
}

impl Loop {
    /// Whether it takes all of its values, one by one, and no other index moves along.
    pub fn takes_each(&self) -> bool {
        self.steps == Steps::All && self.step == 1 && self.start == 0 && self.with.is_empty()
    }

    /// How often the body runs, if that is known now.
    pub fn iterations(&self) -> Option<usize> {
        let end = self.end.as_constant()?;
        let end = match self.steps {
            Steps::Once => end.min(self.start + 1),
            Steps::First(most) | Steps::Last(most) => end.min(self.start + most),
            _ => end,
        };
        Some(end.saturating_sub(self.start).div_ceil(self.step))
    }
}

/// The steps that a loop takes. Where its end is known at run time only, a loop that is unrolled
/// takes the whole ones, and another one what they leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Steps {
    /// All; the last may be partial.
    All,
    /// Those that do not reach beyond the end.
    Whole,
    /// One iteration for each value that whole steps leave. There are fewer of them than a step
    /// has values, and the body is printed once for each, so that places in rings are known.
    Rest,
    /// All, one strip of so many values after the other: loops over the same index in the body, and sums, take
    /// the values of the strip. Loops over indices that move along take the values that are so many ahead of these;
    /// with the first strip all before, and with the last one all that are left.
    Strips,
    /// The first one, if there is one: what is done before the iterations of another loop, and only where
    /// that has any.
    Once,
    /// So many at the start, or fewer if there are not so many.
    First(usize),
    /// So many at the end, or fewer if there are not so many.
    Last(usize),
    /// All, for each of the rows that the instances' offsets in the index of a loop around are: each row takes its
    /// iterations `by` of them later than the row before it (see [`front`](super::front)). Each block is one
    /// row's.
    Skewed {
        /// The index whose offsets number the rows.
        over: IndexId,
        /// Iterations that a row is behind the one before it.
        by: usize,
    },
}

/// Offsets of an instance, by index.
pub type Offsets = Vec<(IndexId, usize)>;

/// An equation at a point of its domain: each index's value is that of its loop, plus an offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Position in the program's equations.
    pub equation: usize,
    /// Offsets; indices that are absent have offset 0. The lane index's offset counts elements.
    /// An index with no loop around it has the offset as its value.
    pub offsets: Offsets,
}

/// An equation at offsets.
pub fn instance(equation: usize, offsets: &[(IndexId, usize)]) -> Instance {
    Instance {
        equation,
        offsets: offsets.to_vec(),
    }
}

/// Staged results and where they go.
#[derive(Clone, Debug)]
pub struct CopyOut {
    /// The staging array (in [`Storage::Memory`]).
    pub staged: ArrayId,
    /// Loops over the staging array's kept dimensions, in order (their subscripts in it, unless
    /// `places` are given).
    pub loops: Vec<IndexId>,
    /// The place of an element in the staging array's only kept dimension, where that has the
    /// elements in another order than `loops`, and may have one for several of these.
    pub places: Option<Affine>,
    /// Where an element goes; it may use `loops`, the lane index and outer indices.
    pub target: Access,
    /// What it is combined with the target by, if it is not assigned.
    pub accumulate: Option<Combining>,
    /// Parts of it are copied in loops with sums (see [`pipelining`](super::pipelining)).
    pub pipelined: Pipelined,
}

/// Whether parts of a copy stand in loops with sums, each an [`Advance`](Node::Advance).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pipelined {
    /// All is copied where the copy stands.
    No,
    /// Copy what the vector of lanes before has staged, and leave what this one has to the next; the
    /// last one's goes to its place after the loop over the lanes. The staging array has two halves,
    /// that take turns.
    NextVector,
    /// Copy what the sums of the same vector have staged already, in whole registers: each time that
    /// the copy is gone on with, so many elements of each lane are complete (a number of times, and
    /// the elements). The copy itself has what is left.
    SameVector(Vec<(usize, usize)>),
}

impl CopyOut {
    /// The subscripts of an element in the staging array's kept dimensions.
    pub fn subscripts(&self) -> Vec<Affine> {
        match &self.places {
            Some(places) => vec![places.clone()],
            None => self.loops.iter().copied().map(Affine::index).collect(),
        }
    }
}
