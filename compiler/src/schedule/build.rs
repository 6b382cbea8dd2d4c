//! Builds the loop tree: equations share loops where their dependences allow it, sums are kept in
//! register tiles.

use super::Plan;
use super::begun::{begun, named_again};
use super::carried::{self, Carried};
use super::dependence::Dependence;
use super::lane_reduction::{self, Across};
use super::loading::load;
use super::packing::pack;
use super::placing::place;
use super::staging::{Staged, run_time, stage};
use super::storage::{Path, storage};
use super::tree::{CopyOut, Loop, Node, Pipelined, Schedule, Steps, instance};
use super::turns::{order, turns_are_kept};
use super::written_out::{is_written_out, reads_neighbours};
use crate::analysis::cost::in_registers;
use crate::collections::{HashMap, HashSet};
use crate::ir::{ArrayId, IndexId, Program, Role};

/// The loop tree of a plan, and the program with its staging arrays.
///
/// # Errors
/// If staged results would have to be kept for all iterations of a loop whose length is not known, or statements
/// would no longer take turns that have to.
pub fn build(program: &Program, plan: &Plan) -> Result<(Program, Schedule), String> {
    // What is packed and placed needs more equations in one loop over the lanes.
    arranged(program, plan, true).or_else(|_| arranged(program, plan, false))
}

fn arranged(program: &Program, plan: &Plan, packed: bool) -> Result<(Program, Schedule), String> {
    let mut program = program.clone();
    load(&mut program, plan);
    if packed {
        pack(&mut program, plan);
    }
    let across = lane_reduction::split(&mut program, plan);
    if across.is_empty() {
        scalar_reductions(&mut program, plan);
    }
    let mut dependence = Dependence::of(&program);
    let mut staged = Vec::new();
    // Sums in blocks share the loop over these, as long as each has an array of its own.
    if packed && across.is_empty() && plan.blocks.is_none() {
        staged = place(&mut program, plan, &dependence);
    }
    if !staged.is_empty() {
        // Equations were removed.
        dependence = Dependence::of(&program);
    }
    staged.extend(stage(&mut program, plan, &dependence));
    whole_sums(&program, plan, &staged)?;
    dependence.delay(&program, &staged);
    let mut builder = Builder {
        program: &program,
        plan,
        dependence,
        staged,
        across,
        begun: begun(&program),
        paths: HashMap::default(),
        extra: Vec::new(),
        loops: 0,
        places: vec![None; program.equations.len()],
    };
    let all = order(&program, &builder.dependence);
    let mut body = builder.nest(all, &mut Vec::new());
    lane_reduction::zero(&mut body, &builder.across, &builder.paths);
    let uses = (&program, &builder.dependence, &builder.paths);
    lane_reduction::zero_added(&mut body, &plan.fused.accumulated, uses);
    all_copied(&program, &builder.staged)?;
    turns_are_kept(&program, &builder.paths)?;
    let folded: Vec<ArrayId> = builder.across.iter().map(|sum| sum.array).collect();
    let again = named_again(&program, &builder.begun, &builder.paths);
    let in_memory = (&folded[..], &plan.fused.accumulated[..], &again[..]);
    let mut storage = storage(&program, plan, &builder.paths, &builder.extra, in_memory);
    let carried = Carried::of(&program)?;
    carried::keep(&program, plan, (&carried, &builder.paths), &mut storage)?;
    let schedule = Schedule {
        width: plan.width,
        lanes: plan.lanes,
        others: plan.others.clone(),
        storage,
        buffers: Vec::new(),
        body,
    };
    Ok((program, schedule))
}

/// A sum over the lane index runs lane by lane: it gets an index of its own.
fn scalar_reductions(program: &mut Program, plan: &Plan) {
    let Some(lane) = plan.lanes else { return };
    for at in 0..program.equations.len() {
        if !program.equations[at].reduction.contains(&lane) {
            continue;
        }
        let own = program.add_index_like(lane);
        let names = HashMap::from_iter([(lane, own)]);
        let by = crate::rewrite::rename::substitution(&names);
        let expr = program.equations[at].expr;
        let expr = program.pool.substitute(expr, &by, &mut HashMap::default());
        let equation = &mut program.equations[at];
        equation.expr = expr;
        equation
            .reduction
            .iter_mut()
            .filter(|i| **i == lane)
            .for_each(|i| *i = own);
    }
}

/// The state of building a loop tree.
pub struct Builder<'a> {
    /// The program.
    pub program: &'a Program,
    /// What was decided.
    pub plan: &'a Plan,
    /// Which equations follow which.
    pub dependence: Dependence,
    staged: Vec<Staged>,
    across: Vec<Across>,
    /// Sums that begin with what they are added to.
    begun: HashSet<usize>,
    /// Where the equations stand that have a place.
    pub paths: HashMap<usize, Path>,
    extra: Vec<(ArrayId, Path)>,
    /// Loops that were opened so far.
    pub loops: usize,
    /// Where each equation stands among those that remain, while they are grouped.
    places: Vec<Option<usize>>,
}

/// What an equation needs next, inside the loops that are open.
#[derive(PartialEq, Eq)]
enum Step {
    /// A loop.
    Loop(IndexId),
    /// A register tile over these indices.
    Tile(Vec<IndexId>, Vec<IndexId>),
    /// Sums over these indices, at this point.
    Sum(Vec<IndexId>),
    /// Nothing: it is evaluated here.
    Here,
}

impl Builder<'_> {
    /// Whether a sum is made in one step once the loops around it are open.
    fn sums_at_once(&self, at: usize) -> bool {
        self.across.iter().any(|sum| sum.total() == at) || self.in_registers(at)
    }

    /// Whether the next loop that an equation needs has a run-time extent, or runs over blocks.
    fn opens_long(&self, at: usize, open: &Path) -> bool {
        let equation = &self.program.equations[at];
        let is_open = |index: &IndexId| open.iter().any(|(_, o)| o == index);
        let next = match self.sums_at_once(at) {
            true => self.plan.first(
                equation,
                equation.free.iter().copied().filter(|i| !is_open(i)),
            ),
            false => self
                .plan
                .first(equation, equation.domain().filter(|i| !is_open(i))),
        };
        next.is_some_and(|index| !self.program.is_constant(index) || self.plan.is_block(index))
    }

    fn step(&self, at: usize, open: &Path) -> Step {
        let equation = &self.program.equations[at];
        let is_open = |index: &IndexId| open.iter().any(|(_, o)| o == index);
        if !self.sums_at_once(at) {
            let next = self
                .plan
                .first(equation, equation.domain().filter(|i| !is_open(i)));
            return next.map_or(Step::Here, Step::Loop);
        }
        let mut free: Vec<IndexId> = equation
            .free
            .iter()
            .copied()
            .filter(|i| !is_open(i))
            .collect();
        self.plan.sort(equation, &mut free);
        let shared = |index: &IndexId| self.plan.fused.shared.contains(index);
        let known = run_time(self.program, &free).is_empty()
            && !free.iter().any(shared)
            && !free.iter().any(|index| self.plan.is_block(*index));
        let result = !matches!(
            self.program.array(equation.target.array).role,
            Role::Temporary
        ) || self.staged.iter().any(|s| s.equations.contains(&at));
        let sum = !equation.reduction.is_empty();
        let tiled = match free.as_slice() {
            [index] => {
                let own = is_written_out(self.program, self.plan, at, &free);
                let alone = || !self.shares_loop(at, *index, open);
                let result = result && (sum || alone());
                let near = reads_neighbours(self.program, self.plan, at, &free)
                    && alone()
                    && !self.shared_inside(at, *index, open);
                result || own || near || (sum && !self.shared(at, *index, open))
            }
            [_, _] => result || sum || is_written_out(self.program, self.plan, at, &free),
            _ => false,
        };
        if known && tiled {
            return Step::Tile(free, equation.reduction.clone());
        }
        match free.first() {
            Some(index) => Step::Loop(*index),
            None if equation.reduction.is_empty() => Step::Here,
            None => Step::Sum(equation.reduction.clone()),
        }
    }

    /// Whether a sum is held in registers until its loops end: also where it is added to what others,
    /// or earlier blocks, leave in memory, which takes as many additions.
    fn in_registers(&self, at: usize) -> bool {
        let equation = &self.program.equations[at];
        let staged = self.staged.iter().any(|s| s.equations.contains(&at));
        let adds = staged || self.plan.blocks.is_some();
        let shared = self.plan.fused.accumulated.contains(&equation.target.array);
        in_registers(self.program, equation)
            || self.begun.contains(&at)
            || (shared && !equation.reduction.is_empty())
            || (adds && !self.program.exact && equation.reduction.len() == 1)
    }

    /// The nodes for some equations inside the open loops.
    fn nest(&mut self, mut remaining: Vec<usize>, open: &mut Path) -> Vec<Node> {
        let mut nodes = Vec::new();
        let mut zeros = Vec::new();
        let mut done = HashSet::default();
        while let Some(first) = self.next(&remaining, open) {
            let step = self.step(first, open);
            let group = self.group(&remaining, &step, open);
            let placed: HashSet<usize> = group.iter().copied().collect();
            remaining.retain(|at| !placed.contains(at));
            done.extend(placed);
            match step {
                Step::Here => {
                    self.mark(&group, open);
                    nodes.push(Node::Block(
                        group.iter().map(|at| instance(*at, &[])).collect(),
                    ));
                }
                Step::Sum(loops) => {
                    self.mark(&group, open);
                    let instances = group.iter().map(|at| instance(*at, &[])).collect();
                    let chains = 1;
                    nodes.push(Node::Reduction {
                        instances,
                        loops,
                        chains,
                    });
                }
                Step::Tile(free, reduction) => {
                    nodes.extend(self.tile(&group, &free, &reduction, open))
                }
                Step::Loop(index) => {
                    open.push((self.loops, index));
                    self.loops += 1;
                    let body = self.nest(group, open);
                    open.pop();
                    let step = self.plan.unit(index);
                    let end = self.program.loop_index(index).extent.clone();
                    nodes.push(Node::Loop(Loop {
                        index,
                        with: Vec::new(),
                        steps: Steps::All,
                        start: 0,
                        end,
                        step,
                        body,
                    }));
                }
            }
            let complete = |at: &usize| done.contains(at);
            for copied in self.copied(&complete, open) {
                if copied.zero {
                    zeros.push(Node::Zero(copied.array));
                }
                nodes.push(self.copy_out(copied, open));
            }
        }
        zeros.extend(nodes);
        zeros
    }

    /// The equation whose step comes next: the first one, but where that opens a loop of run-time
    /// extent or over blocks, what does not need this loop and is ready goes before it. Otherwise the loop would
    /// be left for a value that could have been there before it, and what the two parts share
    /// would be kept for all iterations. For the same reason another such loop goes first that readers
    /// of the first one's values wait for.
    fn next(&mut self, remaining: &[usize], open: &Path) -> Option<usize> {
        let long = |at: usize| self.opens_long(at, open);
        let first = *remaining.first()?;
        if !long(first) {
            return Some(first);
        }
        let ready = |position: usize, at: usize| {
            let candidates = self.dependence.candidates(at);
            let mut earlier = remaining[..position].iter();
            !earlier.any(|earlier| {
                candidates.binary_search(earlier).is_ok()
                    && self.dependence.follows(self.program, at, *earlier)
            })
        };
        let mut all = remaining.iter().enumerate();
        let outside = all.find(|(position, at)| !long(**at) && ready(*position, **at));
        if let Some((_, at)) = outside {
            return Some(*at);
        }
        let all = remaining.iter().enumerate();
        let ready: Vec<usize> = all
            .filter(|(position, at)| ready(*position, **at))
            .map(|(_, at)| *at)
            .collect();
        let mut tried: Vec<Step> = Vec::new();
        for at in ready {
            let step = self.step(at, open);
            if tried.contains(&step) {
                continue;
            }
            if !self.leaves_readers(remaining, &step, open) {
                return Some(at);
            }
            tried.push(step);
        }
        Some(first)
    }

    /// Whether a loop, opened now, would leave out equations that need it too, and read what is computed
    /// in it.
    fn leaves_readers(&mut self, remaining: &[usize], step: &Step, open: &Path) -> bool {
        let group = self.group(remaining, step, open);
        let computed = |array: &ArrayId| {
            let mut group = group.iter();
            group.any(|at| self.program.equations[*at].target.array == *array)
        };
        let mut others = remaining.iter().filter(|at| !group.contains(at));
        others.any(|at| {
            self.step(*at, open) == *step
                && self.dependence.reads[*at]
                    .iter()
                    .any(|read| computed(&read.array))
        })
    }

    /// The equations that can take the same step as the first one, now.
    fn group(&mut self, remaining: &[usize], step: &Step, open: &Path) -> Vec<usize> {
        for (position, at) in remaining.iter().enumerate() {
            self.places[*at] = Some(position);
        }
        let mut group: Vec<usize> = Vec::new();
        let mut grouped = vec![false; remaining.len()];
        for (position, at) in remaining.iter().enumerate() {
            let blocked = self.dependence.candidates(*at).iter().any(|earlier| {
                let before = self.places[*earlier].filter(|place| *place < position);
                before.is_some_and(|place| {
                    self.dependence.follows(self.program, *at, *earlier)
                        && !(grouped[place] && self.goes_along((*at, *earlier), step, open))
                })
            });
            if !blocked && self.step(*at, open) == *step {
                group.push(*at);
                grouped[position] = true;
            }
        }
        for at in remaining {
            self.places[*at] = None;
        }
        group
    }

    /// Whether an equation may take a step together with one that it follows.
    fn goes_along(&self, pair: (usize, usize), step: &Step, open: &Path) -> bool {
        match step {
            Step::Loop(index) => self.dependence.shares(self.program, pair, *index, open),
            Step::Here => true,
            Step::Tile(..) | Step::Sum(_) => false,
        }
    }

    /// Notes where equations stand.
    pub fn mark(&mut self, group: &[usize], path: &Path) {
        for at in group {
            self.paths.insert(*at, path.clone());
        }
    }

    /// The staging arrays whose equations are `complete` in this body and that are copied here.
    fn copied(&mut self, complete: &dyn Fn(&usize) -> bool, open: &Path) -> Vec<Staged> {
        let staged = std::mem::take(&mut self.staged);
        let here = |s: &Staged| self.copied_here(s, complete, open);
        let (copied, left) = staged.into_iter().partition(here);
        self.staged = left;
        copied
    }

    /// The copy of a staging array to where it belongs.
    fn copy_out(&mut self, staged: Staged, open: &Path) -> Node {
        self.extra.push((staged.array, open.clone()));
        let around = |i: &IndexId| open.iter().any(|(_, o)| o == i);
        Node::CopyOut(CopyOut {
            staged: staged.array,
            loops: staged.loops.into_iter().filter(|i| !around(i)).collect(),
            places: staged.places,
            target: staged.target,
            accumulate: staged.accumulate,
            pipelined: Pipelined::No,
        })
    }

    /// Staged results are copied in the outermost body where all equations of the staging array are
    /// complete and that is inside of their loops of run-time extent: what is kept there has a known size. Loops
    /// of constant extent may stand around it.
    fn copied_here(&self, staged: &Staged, complete: &dyn Fn(&usize) -> bool, open: &Path) -> bool {
        let run_time_loops = |at: &usize| run_time(self.program, &self.program.equations[*at].free);
        let needed: Vec<IndexId> = staged.equations.iter().flat_map(run_time_loops).collect();
        let is_open = |index: &IndexId| open.iter().any(|(_, o)| o == index);
        let outermost = match open.last() {
            Some((_, innermost)) => needed.contains(innermost),
            None => needed.is_empty(),
        };
        outermost && needed.iter().all(is_open) && staged.equations.iter().all(complete)
    }
}

/// Sums whose blocks follow each other are staged until the last one is added.
fn whole_sums(program: &Program, plan: &Plan, staged: &[Staged]) -> Result<(), String> {
    let in_parts = |s: &&Staged| s.loops.iter().any(|index| plan.is_block(*index));
    staged.iter().find(in_parts).map_or(Ok(()), |s| {
        Err(format!(
            "the sums of `{}` would be staged block by block",
            program.array(s.target.array).name
        ))
    })
}

/// A staging array that no body copies is one whose equations do not share the loops of run-time
/// extent.
fn all_copied(program: &Program, left: &[Staged]) -> Result<(), String> {
    left.first().map_or(Ok(()), |s| {
        Err(format!(
            "the statements that write `{}` do not share its loops",
            program.array(s.target.array).name
        ))
    })
}
