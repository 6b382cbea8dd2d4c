//! When and where: a program becomes a tree of loops, with storage, lanes and register tiles.

mod ahead;
pub mod around;
mod begun;
mod blocking;
mod branches;
pub mod buffers;
mod build;
mod candidates;
mod carried;
mod chains;
pub mod check;
mod compiled;
mod covering;
pub mod crossing;
mod crowded;
mod dependence;
mod describe;
mod distributed;
pub mod executed;
mod factors;
pub mod few;
pub mod filled;
mod flatten;
pub mod front;
mod frontier;
pub mod functions;
mod fusing;
mod handed_in;
mod improved;
mod in_flight;
mod integers;
mod interchange;
pub mod jamming;
pub mod lane_reduction;
pub mod large;
mod latest;
mod layouts;
mod leaving;
pub mod lie;
mod loading;
mod model;
mod nests;
mod overlaid;
pub mod overlapped;
mod own_block;
mod own_lanes;
mod packing;
pub mod panels;
mod parts;
pub mod pipelining;
mod placing;
mod prepared;
mod pressure;
mod products;
mod ready;
mod recomputing;
pub mod records;
mod renamed;
mod restarted;
pub mod runs;
pub mod same_rows;
mod scopes;
mod search;
mod sharing;
mod shifted;
pub mod short_rows;
pub mod shorter;
mod shown;
mod skewed;
mod staging;
pub mod still;
mod storage;
pub mod strided;
pub mod strips;
mod swept;
pub mod taken;
pub mod text;
mod tiles;
pub mod tree;
mod turns;
pub mod unrolling;
pub mod views;
mod wavefront;
mod widths;
pub mod windows;
pub mod wishes;
mod written_out;

use crate::collections::HashMap;
use crate::ir::{IndexId, Program};
pub use candidates::against;
use candidates::alternatives;
pub use compiled::Compiled;
pub use describe::NO_LOOP;
pub use handed_in::handed_in;
use large::Large;
pub use leaving::leaving;
pub use nests::{nests, rename_in_order};
pub use own_block::own_block;
pub use prepared::Prepared;
use search::Search;
use tree::{Loop, Node, Schedule, Steps};
pub use widths::prepared_widths;

/// The registers of an instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Lanes of a vector of the kernel's element type; 1 for scalar code.
    pub width: usize,
    /// Vector registers.
    pub registers: usize,
}

/// Wishes of the user.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// The loop that lanes run over, by name.
    pub lanes: Option<String>,
    /// Unroll factors by loop name.
    pub unroll: Vec<(String, usize)>,
    /// Whether lanes are taken wherever there can be any.
    pub require_lanes: bool,
    /// Bytes that temporaries may take.
    pub memory: Option<usize>,
    /// Whether each step counts by itself: stencils take row after row, though rows have elements in common, and what
    /// a vector hands on to the next one counts in both.
    pub apart: bool,
}

/// A decision: lanes and tile factors.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Lanes of a vector.
    pub width: usize,
    /// The lane index.
    pub lanes: Option<IndexId>,
    /// Other loops that have lanes, in nests without any of the others.
    pub others: Vec<IndexId>,
    /// Vector registers.
    pub registers: usize,
    /// Unroll factors that the user asked for.
    pub unroll: Vec<(IndexId, usize)>,
    /// The loop over the blocks of a long sum.
    pub blocks: Option<blocking::Blocks>,
    /// Loops that stand in the place of others, where the order is not the text's.
    pub places: HashMap<IndexId, IndexId>,
    /// Which loops equations share, where each has loops of its own otherwise.
    pub fused: fusing::Fused,
    /// Whether each step counts by itself.
    pub apart: bool,
}

impl Plan {
    /// The registers for rows of stencils that take a step together, where they may.
    fn for_stencils(&self) -> Option<usize> {
        (!self.apart).then_some(self.registers)
    }

    /// Iterations of a loop that one vector, or one value, takes.
    pub fn unit(&self, index: IndexId) -> usize {
        match self.is_lane(index) {
            true => self.width,
            false => 1,
        }
    }

    /// Whether lanes run over an index.
    pub fn is_lane(&self, index: IndexId) -> bool {
        self.lanes == Some(index) || self.others.contains(&index)
    }
}

/// A program with its schedule. The program differs from the one scheduled: it has the staging arrays.
#[derive(Clone, Debug)]
pub struct Scheduled {
    /// The program.
    pub program: Program,
    /// The loop tree.
    pub schedule: Schedule,
    /// What was decided, and the estimates it rests on.
    pub decision: String,
    /// The estimate: cycles.
    pub cycles: f64,
    /// The loop that lanes run over, in words; empty without lanes.
    pub over: String,
    /// How the loop tree differs from one vector a step.
    pub with: String,
    /// Each alternative in words, with its estimate.
    pub weighed: Vec<(String, f64)>,
    /// What runs instead where extents are long, if anything does.
    pub large: Option<Large>,
}

/// Part of an estimate that loops of their own must save where the text's own loops can be kept: the model compares
/// trees of one structure well, and trees of two structures to about a quarter.
const OTHER_LOOPS: f64 = 0.75;

/// Part of an estimate that blocks must save: sums that are loaded and stored in each block take
/// longer than the model knows, and are copied once more before they go where they belong.
const BLOCKS: f64 = 0.94;

/// Chooses lanes and tiles by the cost model, and builds the loop tree.
///
/// # Errors
/// If a temporary is computed from its own earlier elements, since the order of such a loop is not for this
/// search to choose; or, for all plans, as of building the loop tree.
pub fn schedule(program: &Program, target: Target, wishes: &Wishes) -> Result<Scheduled, String> {
    prepared(&Prepared::of(program, wishes)?, target, wishes)
}

/// Chooses as [`schedule`] does; for several targets, what they have in common is found once.
///
/// # Errors
/// As of building the loop tree, for all plans.
pub fn prepared(from: &Prepared, target: Target, wishes: &Wishes) -> Result<Scheduled, String> {
    let several = from.nests();
    let several =
        several.and_then(|nests| nests::one_by_one(from.program(), nests, target, wishes));
    let mut scheduled = match several {
        Some(scheduled) => scheduled,
        None => together(from, target, wishes)?,
    };
    if scheduled.large.is_none() && target.width > 1 && wishes.memory.is_none() {
        scheduled.large = skewed::run(&scheduled.program, &scheduled.schedule);
    }
    repeated(&scheduled.program, &mut scheduled.schedule.body);
    distributed::run(&scheduled.program, &mut scheduled.schedule);
    if let Some(shared) = buffers::run(&scheduled.program, &mut scheduled.schedule) {
        scheduled.decision.push_str(&format!("; {shared}"));
    }
    Ok(scheduled)
}

/// Puts the loop that repeats all equations around their nodes, if there is one.
fn repeated(program: &Program, body: &mut Vec<Node>) {
    let Some(index) = program.repeated else {
        return;
    };
    *body = vec![Node::Loop(Loop {
        index,
        with: Vec::new(),
        steps: Steps::All,
        start: 0,
        end: program.loop_index(index).extent.clone(),
        step: 1,
        body: std::mem::take(body),
    })];
}

/// The same with one choice for all nests, and before temporaries share buffers.
fn together(from: &Prepared, target: Target, wishes: &Wishes) -> Result<Scheduled, String> {
    let mut search = Search::of(wishes);
    for (program, plan) in alternatives(from, target, wishes) {
        let other = plan.fused.own && !search.has_own_loops();
        let part = if other { OTHER_LOOPS } else { 1.0 };
        search.weigh((program, plan), target, part);
    }
    if search.best.is_none() && from.program().exact {
        // The lanes that were asked for would add up in another order.
        let one_lane = Target { width: 1, ..target };
        for (program, plan) in alternatives(from, one_lane, wishes) {
            search.weigh((program, plan), target, 1.0);
        }
    }
    // What turned out best, with long sums in blocks.
    let blocked = search.best.iter().filter(|best| best.plan.lanes.is_some());
    let blocked: Vec<(Program, Plan)> = blocked.flat_map(|best| best.in_blocks()).collect();
    for (program, plan) in blocked {
        search.weigh((program, plan), target, BLOCKS);
    }
    search.result(target)
}

/// The schedule of a program's text for AVX2.
#[cfg(test)]
fn for_avx2(program: &str, wishes: &Wishes) -> Scheduled {
    let program = crate::ir::text::parse(program).unwrap();
    let target = Target {
        width: 4,
        registers: 16,
    };
    schedule(&program, target, wishes).unwrap()
}

/// Its loop tree.
#[cfg(test)]
fn tree_for_avx2(program: &str) -> String {
    let found = for_avx2(program, &Wishes::default());
    text::print(&found.program, &found.schedule)
}

/// The schedule with lanes over the loop `e`.
#[cfg(test)]
fn over_cells(program: &str) -> Scheduled {
    let wishes = Wishes {
        lanes: Some("e".to_owned()),
        ..Wishes::default()
    };
    for_avx2(program, &wishes)
}
