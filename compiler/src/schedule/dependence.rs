//! Which equations must follow which, and which may share a loop.
//!
//! Temporaries are compared subscript by subscript: where they share a loop, they lose that
//! dimension. Outputs are memory: dependence tests decide.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::pipelining::FEW;
use super::staging::Staged;
use crate::analysis::dependence::{Direction, Pair, Reference, apart};
use crate::ir::{Access, ArrayId, Equation, IndexId, Operator, Program, Role};

/// Reads and writes of every equation.
pub struct Dependence {
    /// Accesses to temporaries in each equation's value.
    pub reads: Vec<Vec<Access>>,
    /// Pairs of equations, the earlier one first, that meet in an output.
    meetings: HashMap<(usize, usize), Vec<Meeting>>,
    /// Equations whose results are copied to their target later.
    delayed: HashSet<usize>,
}

/// Two accesses to one place of memory, at least one of which writes.
struct Meeting {
    earlier: Access,
    later: Access,
    /// The earlier one writes.
    after_write: bool,
}

impl Meeting {
    fn accesses(&self) -> [&Access; 2] {
        [&self.earlier, &self.later]
    }
}

impl Dependence {
    /// Collects the accesses of a program, before any result is staged.
    pub fn of(program: &Program) -> Dependence {
        Dependence {
            reads: reads(program),
            meetings: meetings(program),
            delayed: HashSet::new(),
        }
    }

    /// Whether equation `later` reads what `earlier` may have written in memory.
    pub fn reads_back(&self, later: usize, earlier: usize) -> bool {
        let meetings = self.meetings.get(&(earlier, later));
        meetings.is_some_and(|meetings| meetings.iter().any(|m| m.after_write))
    }

    /// Results are staged: whoever must follow one that is staged with others follows all of them,
    /// since they are copied together.
    pub fn delay(&mut self, program: &Program, staged: &[Staged]) {
        self.reads = reads(program);
        for group in staged {
            self.delayed.extend(&group.equations);
            let last = group.equations.iter().max().copied().unwrap_or(0);
            for later in last + 1..program.equations.len() {
                if group.equations.iter().any(|at| self.reads_back(later, *at)) {
                    for at in &group.equations {
                        self.meetings.entry((*at, later)).or_default();
                    }
                }
            }
        }
    }

    /// Whether equation `later` must come after `earlier`.
    pub fn follows(&self, program: &Program, later: usize, earlier: usize) -> bool {
        let (e, l) = (&program.equations[earlier], &program.equations[later]);
        self.reads_array(later, e.target.array)
            || self.meetings.contains_key(&(earlier, later))
            || (e.target.array == l.target.array
                && ordered(program, e, l)
                && !parted(program, e, l))
    }

    /// Whether an equation's value reads a temporary.
    pub fn reads_array(&self, equation: usize, array: ArrayId) -> bool {
        let mut reads = self.reads[equation].iter();
        reads.any(|access| access.array == array)
    }

    /// Whether `later` may run in the same iterations of loop `index` as `earlier`, which it
    /// follows; they share the `open` loops.
    pub fn shares(
        &self,
        program: &Program,
        (later, earlier): (usize, usize),
        index: IndexId,
        open: &[(usize, IndexId)],
    ) -> bool {
        let (e, l) = (&program.equations[earlier], &program.equations[later]);
        let met = self.meetings.get(&(earlier, later));
        if let Some(meetings) = met {
            // What is copied later is not there yet.
            let late = meetings.is_empty() || meetings.iter().any(|m| m.after_write);
            let common: Vec<IndexId> = open.iter().map(|(_, i)| *i).chain([index]).collect();
            let kept = |m: &Meeting| in_order(program, m, [e, l], &common);
            if (late && self.delayed.contains(&earlier)) || !meetings.iter().all(kept) {
                return false;
            }
        }
        let same = e.target.array == l.target.array;
        // Where every addition keeps its place, two that stand in one loop of the text take turns
        // in it.
        let in_turn = program.exact
            && e.operator == Operator::Accumulate
            && l.operator == Operator::Accumulate;
        match (self.reads_array(later, e.target.array), same) {
            (false, false) => true,
            (false, true) if met.is_some() || in_turn => true,
            _ => self.pointwise(program, later, earlier, index),
        }
    }

    /// Whether `later` may run in the same iteration of loop `index` as `earlier`, on which it
    /// depends: it only meets what this iteration wrote.
    fn pointwise(&self, program: &Program, later: usize, earlier: usize, index: IndexId) -> bool {
        let written = &program.equations[earlier].target;
        let Some(axis) = written
            .subscripts
            .iter()
            .position(|s| s.as_index() == Some(index))
        else {
            return false;
        };
        let same = |access: &Access| access.subscripts[axis].as_index() == Some(index);
        let target = &program.equations[later].target;
        self.reads[later]
            .iter()
            .filter(|access| access.array == written.array)
            .all(same)
            && (target.array != written.array || same(target))
    }
}

/// Whether two accesses keep their order where their equations share loops: in equal iterations of
/// all but the innermost of these, the later one is not in an earlier iteration of that.
fn in_order(
    program: &Program,
    meeting: &Meeting,
    [earlier, later]: [&Equation; 2],
    common: &[IndexId],
) -> bool {
    let pair = pair(program, meeting.accesses(), [earlier, later], common);
    let mut directions = vec![Some(Direction::Equal); common.len()];
    if let Some(last) = directions.last_mut() {
        *last = Some(Direction::Greater);
    }
    pair.meets(&directions) == crate::analysis::dependence::Answer::Never
}

/// Accesses of two equations, to be compared in the loops that these share.
fn pair(
    program: &Program,
    accesses: [&Access; 2],
    equations: [&Equation; 2],
    common: &[IndexId],
) -> Pair {
    let domains = equations.map(|e| e.domain().collect::<Vec<IndexId>>());
    let [first, second] = [0, 1].map(|at| Reference {
        subscripts: &accesses[at].subscripts,
        domain: &domains[at],
    });
    Pair::new(program, first, second, common)
}

/// The pairs of equations that meet in an output.
fn meetings(program: &Program) -> HashMap<(usize, usize), Vec<Meeting>> {
    let mut accesses: BTreeMap<ArrayId, Vec<Use>> = BTreeMap::new();
    for (at, equation) in program.equations.iter().enumerate() {
        let states = program.states(equation.expr);
        let reads = states.into_iter().map(|access| (access, None));
        for (access, operator) in reads.chain([(&equation.target, Some(equation.operator))]) {
            if program.array(access.array).role.position().is_some() {
                let memory = program.viewed(access.array);
                accesses.entry(memory).or_default().push(Use {
                    at,
                    access,
                    operator,
                });
            }
        }
    }
    let mut result: HashMap<(usize, usize), Vec<Meeting>> = HashMap::new();
    let added = |of: &Use| of.operator == Some(Operator::Accumulate);
    for uses in accesses.values().filter(|uses| !uses.iter().all(added)) {
        for (position, later) in uses.iter().enumerate() {
            for earlier in &uses[..position] {
                if let Some(meeting) = meeting(program, earlier, later) {
                    let pair = (earlier.at, later.at);
                    result.entry(pair).or_default().push(meeting);
                }
            }
        }
    }
    result
}

/// An equation's access to an output: a write with its operator, or a read.
struct Use<'a> {
    at: usize,
    access: &'a Access,
    operator: Option<Operator>,
}

/// Two accesses of different equations, unless they never meet or may change places: reads may, and
/// additions.
fn meeting(program: &Program, earlier: &Use, later: &Use) -> Option<Meeting> {
    let additions = earlier.operator == later.operator
        && earlier.operator.is_none_or(|o| o == Operator::Accumulate);
    let apart = apart(&earlier.access.subscripts, &later.access.subscripts);
    if earlier.at == later.at || additions || apart {
        return None;
    }
    let meeting = Meeting {
        earlier: earlier.access.clone(),
        later: later.access.clone(),
        after_write: earlier.operator.is_some(),
    };
    let equations = [earlier, later].map(|of| &program.equations[of.at]);
    let meets = pair(program, meeting.accesses(), equations, &[]).within();
    meets.then_some(meeting)
}

/// Two equations that write one array keep their order, unless both only add to it.
fn ordered(program: &Program, earlier: &Equation, later: &Equation) -> bool {
    program.exact || earlier.operator == Operator::Assign || later.operator == Operator::Assign
}

/// Whether two equations write different elements of a temporary in loops that are not written out, and
/// neither is a sum. Straight-line code keeps its order: in another one it may need more registers.
fn parted(program: &Program, earlier: &Equation, later: &Equation) -> bool {
    let both = [earlier, later];
    let temporary = matches!(program.array(earlier.target.array).role, Role::Temporary);
    let is_long = |index: &IndexId| {
        let extent = program.loop_index(*index).extent.as_constant();
        extent.is_some_and(|iterations| iterations > FEW)
    };
    let looped =
        |equation: &&Equation| equation.reduction.is_empty() && equation.free.iter().any(is_long);
    let targets = both.map(|equation| &equation.target);
    temporary && both.iter().all(looped) && !pair(program, targets, both, &[]).within()
}

/// Accesses to temporaries in the equations' values.
pub fn reads(program: &Program) -> Vec<Vec<Access>> {
    let equations = program.equations.iter();
    equations.map(|e| temporaries(program, e)).collect()
}

fn temporaries(program: &Program, equation: &Equation) -> Vec<Access> {
    let accesses = program.pool.accesses([equation.expr]).into_iter();
    let temporary = |access: &&Access| matches!(program.array(access.array).role, Role::Temporary);
    let own = accesses.map(|(_, access)| access).filter(temporary);
    own.cloned().collect()
}

/// Number of equations that write each array.
pub fn writers(program: &Program) -> HashMap<ArrayId, usize> {
    let mut result = HashMap::new();
    for equation in &program.equations {
        *result.entry(equation.target.array).or_insert(0) += 1;
    }
    result
}
