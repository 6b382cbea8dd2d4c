//! When and where: a program becomes a tree of loops, with storage, lanes and register tiles.

mod ahead;
pub mod around;
mod blocking;
mod branches;
pub mod buffers;
mod build;
mod candidates;
mod carried;
pub mod check;
mod compiled;
mod covering;
mod crowded;
mod dependence;
mod describe;
pub mod executed;
mod factors;
mod flatten;
mod frontier;
pub mod functions;
mod fusing;
mod handed_in;
mod improved;
mod integers;
mod interchange;
mod jamming;
pub mod lane_reduction;
mod latest;
mod layouts;
pub mod lie;
mod loading;
mod model;
mod nests;
mod overlaid;
mod overlapped;
mod own_block;
mod own_lanes;
mod packing;
pub mod panels;
pub mod pipelining;
mod placing;
mod prepared;
mod pressure;
mod products;
mod ready;
mod recomputing;
mod renamed;
pub mod runs;
mod scopes;
mod sharing;
mod shifted;
pub mod short_rows;
pub mod shorter;
mod skewed;
mod staging;
mod storage;
pub mod strided;
pub mod strips;
mod swept;
pub mod text;
mod tiles;
pub mod tree;
mod turns;
pub mod unrolling;
pub mod views;
mod widths;
mod windows;
pub mod wishes;
mod written_out;

use std::collections::HashMap;

use crate::ir::{IndexId, Program};
use crate::syntax::ast::Differencing;
pub use candidates::against;
use candidates::alternatives;
pub use compiled::Compiled;
pub use describe::NO_LOOP;
use describe::describe;
use frontier::Point;
pub use handed_in::handed_in;
use improved::{in_registers, in_rings, rows};
pub use model::leaving;
pub use nests::{nests, rename_in_order};
pub use own_block::own_block;
use panels::{Large, Products};
pub use prepared::Prepared;
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
}

impl Plan {
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
    let mut search = Search {
        require_lanes: wishes.require_lanes,
        memory: wishes.memory,
        ..Search::default()
    };
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
    let blocked: Vec<(Program, Plan)> = blocked.flat_map(Candidate::in_blocks).collect();
    for (program, plan) in blocked {
        search.weigh((program, plan), target, BLOCKS);
    }
    search.result(target)
}

/// A plan for a program, and what it builds.
struct Candidate {
    program: Program,
    plan: Plan,
    built: (Program, Schedule),
    /// Temporaries that wait in rings.
    rings: Vec<String>,
    /// Those along the lanes that are in registers.
    registers: Vec<String>,
    /// Rows of a loop that take a step together.
    rows: usize,
    /// Cycles.
    estimate: f64,
}

impl Candidate {
    fn point(&self) -> Point {
        let again = self.plan.fused.again.as_ref();
        Point {
            cycles: self.estimate,
            bytes: frontier::temporaries(&self.built.1),
            again: again.map_or(0, |again| again.operations),
        }
    }

    fn in_blocks(&self) -> Vec<(Program, Plan)> {
        match self.program.exact {
            true => Vec::new(),
            false => blocking::alternatives(&self.program, &self.plan, &self.built.1),
        }
    }
}

/// The best candidate so far, and what was said of all of them.
#[derive(Default)]
struct Search {
    best: Option<Candidate>,
    weighed: Vec<(String, f64)>,
    failure: Option<String>,
    /// Whether any lanes are better than none.
    require_lanes: bool,
    /// Bytes that temporaries may take.
    memory: Option<usize>,
    /// Loop trees with fused loops.
    fused: Vec<Candidate>,
    /// The tree with the most products of matrices.
    products: Products,
}

impl Search {
    /// Whether equations have loops of their own in the best candidate.
    fn has_own_loops(&self) -> bool {
        self.best.as_ref().is_some_and(|best| best.plan.fused.own)
    }

    /// Weighs a candidate, which is taken if its estimate is below that `part` of the best one's.
    fn weigh(&mut self, (program, plan): (Program, Plan), target: Target, part: f64) {
        let built = match build::build(&program, &plan) {
            Ok(built) => built,
            Err(reason) => {
                self.failure = Some(reason);
                return;
            }
        };
        if program.exact
            && tree::copies(&built.1.body)
                .iter()
                .any(|c| c.accumulate.is_some())
        {
            // What is staged is summed up by itself, and then added to what was there before.
            let reason = "results would be added up in another order";
            self.failure.get_or_insert_with(|| reason.to_owned());
            return;
        }
        self.products.weigh(&built, (&plan, target));
        let (built, rings) = in_rings(built, (&plan, target));
        let (built, registers) = in_registers(built, (&plan, target));
        let (rows, estimate) = rows(&built, (&plan, target));
        if !plan.fused.own {
            self.weighed.push((describe(&program, &plan), estimate));
        }
        let better = |best: &Candidate| {
            let lanes = (plan.lanes.is_some(), best.plan.lanes.is_some());
            match lanes.0 == lanes.1 || !self.require_lanes {
                true => estimate < part * best.estimate,
                false => lanes.0,
            }
        };
        // What repeats operations only ever saves memory.
        let again = plan.fused.again.is_some();
        let better = !again && self.best.as_ref().is_none_or(better);
        let candidate = Candidate {
            program,
            plan,
            built,
            rings,
            registers,
            rows,
            estimate,
        };
        if better {
            self.best = Some(candidate);
        } else if !candidate.plan.fused.shared.is_empty() {
            self.fused.push(candidate);
        }
    }

    /// The best candidate, or one with smaller temporaries; and what was weighed of these.
    fn chosen(&mut self) -> Option<(Candidate, Option<String>)> {
        let best = self.best.take()?;
        let points: Vec<Point> = self.fused.iter().map(Candidate::point).collect();
        let fastest = best.point();
        let said = |chosen: &Point, other: &Point| {
            format!(
                "temporaries of {} bytes in {:.0} cycles, instead of {} in {:.0}",
                chosen.bytes, chosen.cycles, other.bytes, other.cycles
            )
        };
        let Some(at) = frontier::smaller(fastest, &points, self.memory) else {
            return Some((best, None));
        };
        let words = said(&points[at], &fastest);
        let chosen = self.fused.swap_remove(at);
        let again = chosen.plan.fused.again.as_ref();
        let words = again.map_or(words.clone(), |again| format!("{words}; {again}"));
        Some((chosen, Some(words)))
    }

    fn result(mut self, target: Target) -> Result<Scheduled, String> {
        let Some((best, smaller)) = self.chosen() else {
            return Err(self.failure.unwrap_or_else(|| "no schedule".to_owned()));
        };
        let lanes = describe(&best.program, &best.plan);
        let cycles = best.estimate;
        let own = describe::own_loops(&best.program, &best.plan);
        if own.is_some() {
            self.weighed.push((lanes.clone(), cycles));
        }
        let uncompared = dependence::Dependence::uncompared(&best.program);
        let (mut program, mut schedule) = best.built;
        let kept = |names: &[String], how: &str| {
            (!names.is_empty()).then(|| format!("`{}` in {how}", names.join("`, `")))
        };
        let rings = kept(&best.rings, "rings, computed ahead of what reads them");
        let beside = "registers, computed beside what reads them";
        let registers = kept(&best.registers, beside);
        let jammed = jamming::run(&program, &mut schedule, best.rows);
        let jammed = jammed.then(|| format!("{} rows a step", best.rows));
        let pipelined = pipelining::run(&program, &mut schedule, target);
        let unrolled = unrolling::run(&program, &mut schedule, (&best.plan, target));
        if let Differencing::Resync(after) = program.differencing {
            carried::restart(&mut program, &mut schedule, after)?;
        }
        let words = |(name, cycles): &_| format!("lanes over {name}: {cycles:.0} cycles");
        let all: Vec<String> = self.weighed.iter().map(words).collect();
        let mut decision = format!(
            "width {}, lanes over {lanes} ({})",
            target.width,
            all.join("; ")
        );
        let with = [rings, registers, jammed];
        let with = with.into_iter().flatten().chain(pipelined).chain(unrolled);
        let with = with.collect::<Vec<_>>().join("; ");
        let said = (!with.is_empty()).then(|| with.clone());
        for said in [said, own, smaller, uncompared].into_iter().flatten() {
            decision.push_str(&format!("; {said}"));
        }
        Ok(Scheduled {
            program,
            schedule,
            decision,
            cycles,
            over: match lanes == NO_LOOP {
                true => String::new(),
                false => lanes,
            },
            with,
            weighed: self.weighed,
            large: self.products.packed(target),
        })
    }
}

/// The schedule of a program's text, four lanes over the loop `e`.
#[cfg(test)]
fn over_cells(program: &str) -> Scheduled {
    let program = crate::ir::text::parse(program).unwrap();
    let target = Target {
        width: 4,
        registers: 16,
    };
    let wishes = Wishes {
        lanes: Some("e".to_owned()),
        ..Wishes::default()
    };
    schedule(&program, target, &wishes).unwrap()
}
