//! Which equations must follow which, and which may share a loop.
//!
//! Temporaries are compared subscript by subscript: where they share a loop, they lose that
//! dimension. Outputs are memory: dependence tests decide. Of an array with too many accesses to compare
//! each pair (`crowded`), equations keep their order and share no loop.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::crowded::{self, Crowded};
use super::pipelining::FEW;
use super::staging::Staged;
use crate::analysis::dependence::{Direction, Pair, Reference, apart, beyond, distance};
use crate::collections::{HashMap, HashSet};
use crate::ir::{Access, ArrayId, Atom, Equation, IndexId, Operator, Program, Role};

/// Reads and writes of every equation.
pub struct Dependence {
    /// Accesses to temporaries in each equation's value.
    pub reads: Vec<Vec<Access>>,
    /// Pairs of equations, the earlier one first, that meet in an output.
    meetings: HashMap<(usize, usize), Vec<Meeting>>,
    /// What is not compared.
    crowded: Crowded,
    /// Equations whose results are copied to their target later.
    delayed: HashSet<usize>,
    /// For each equation, those that it may have to follow.
    candidates: Vec<Vec<usize>>,
}

/// Two accesses to one place of memory, at least one of which writes.
struct Meeting {
    earlier: Rc<Access>,
    later: Rc<Access>,
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
        let uses = uses(program);
        let crowded = Crowded::of(program, &uses);
        let mut dependence = Dependence {
            reads: reads(program),
            meetings: meetings(program, &uses, &crowded),
            crowded,
            delayed: HashSet::default(),
            candidates: Vec::new(),
        };
        dependence.candidates = dependence.collect(program);
        dependence
    }

    /// For each equation, those that it may have to follow: looking at all pairs would take time that
    /// grows with their number.
    fn collect(&self, program: &Program) -> Vec<Vec<usize>> {
        let mut writers: HashMap<ArrayId, Vec<usize>> = HashMap::default();
        let mut assigning: HashMap<ArrayId, Vec<usize>> = HashMap::default();
        for (at, equation) in program.equations.iter().enumerate() {
            let array = equation.target.array;
            writers.entry(array).or_default().push(at);
            if program.exact || equation.operator != Operator::ADD {
                assigning.entry(array).or_default().push(at);
            }
        }
        let mut result: Vec<Vec<usize>> = Vec::new();
        for (at, equation) in program.equations.iter().enumerate() {
            let array = equation.target.array;
            let ordered = match equation.operator {
                Operator::ADD => &assigning,
                _ => &writers,
            };
            let own = ordered.get(&array).into_iter().flatten();
            let read = self.reads[at].iter().filter_map(|a| writers.get(&a.array));
            let crowded = self.crowded.others(at);
            let mut all: Vec<usize> = own.chain(read.flatten()).chain(crowded).copied().collect();
            all.retain(|other| *other != at);
            result.push(all);
        }
        for (earlier, later) in self.meetings.keys() {
            result[*later].push(*earlier);
        }
        for all in &mut result {
            all.sort_unstable();
            all.dedup();
        }
        result
    }

    /// What the report says of arrays whose accesses are not compared.
    pub fn uncompared(program: &Program) -> Option<String> {
        Crowded::of(program, &uses(program)).describe(program)
    }

    /// The equations that one may have to follow.
    pub fn candidates(&self, later: usize) -> &[usize] {
        &self.candidates[later]
    }

    /// Whether equation `later` reads what `earlier` may have written in memory.
    pub fn reads_back(&self, later: usize, earlier: usize) -> bool {
        let meetings = self.meetings.get(&(earlier, later));
        meetings.is_some_and(|meetings| meetings.iter().any(|m| m.after_write))
            || self.crowded.reads_back(later, earlier)
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
        self.candidates = self.collect(program);
    }

    /// Whether equation `later` must come after `earlier`.
    pub fn follows(&self, program: &Program, later: usize, earlier: usize) -> bool {
        let (e, l) = (&program.equations[earlier], &program.equations[later]);
        self.reads_result(program, later, earlier)
            || (overwrites(program, e, l) && !parted(program, e, l))
    }

    /// Whether the order of two equations matters in whatever loops they are: `later` reads what `earlier` writes, or
    /// both write what may be one element.
    pub fn depends(&self, program: &Program, later: usize, earlier: usize) -> bool {
        let (e, l) = (&program.equations[earlier], &program.equations[later]);
        self.reads_result(program, later, earlier)
            || (overwrites(program, e, l)
                && !beyond(program, &e.target.subscripts, &l.target.subscripts))
    }

    fn reads_result(&self, program: &Program, later: usize, earlier: usize) -> bool {
        self.reads_array(later, program.equations[earlier].target.array)
            || self.meetings.contains_key(&(earlier, later))
            || self.crowded.meet(earlier, later)
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
        if self.crowded.meet(earlier, later) {
            return false;
        }
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
            && e.operator.accumulated().is_some()
            && l.operator.accumulated().is_some();
        match (self.reads_array(later, e.target.array), same) {
            (false, false) => true,
            (false, true) if met.is_some() || in_turn || self.never_meet(program, e, l) => true,
            _ => self.pointwise(program, later, earlier, index),
        }
    }

    /// Whether two equations that are known of no [`Meeting`] write different elements of one output: of additions, whose
    /// order is theirs, none is looked for.
    fn never_meet(&self, program: &Program, earlier: &Equation, later: &Equation) -> bool {
        let both = [earlier, later];
        let output = program
            .array(earlier.target.array)
            .role
            .position()
            .is_some();
        let adds = both.iter().all(|e| e.operator.accumulated().is_some());
        output && (!adds || !pair(program, both.map(|e| &e.target), both, &[]).within())
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
    if let Some(answer) = in_order_at_once(program, meeting, common) {
        return answer;
    }
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

/// As [`in_order`], where one dimension alone tells it: its subscripts differ by a number of iterations
/// of the innermost loop.
fn in_order_at_once(program: &Program, meeting: &Meeting, common: &[IndexId]) -> Option<bool> {
    let [earlier, later] = meeting.accesses();
    let last = *common.last()?;
    let pairs = earlier.subscripts.iter().zip(&later.subscripts);
    let mut distances = pairs.filter_map(|(a, b)| distance(a, b, last));
    if distances.clone().any(|d| d.is_none_or(|d| d <= 0)) {
        return Some(true);
    }
    // In one dimension these iterations are all that there is to know.
    let by = distances.next()??;
    let extent = program.loop_index(last).extent.as_constant();
    let reached = extent.is_none_or(|extent| (by as u64) < extent as u64);
    (earlier.subscripts.len() == 1).then_some(!reached)
}

/// An equation's access to an output: a write with its operator, or a read.
pub struct Use {
    /// The equation.
    pub at: usize,
    /// The access.
    pub access: Rc<Access>,
    /// Of a write, what it does.
    pub operator: Option<Operator>,
}

/// The accesses to each output, in order.
fn uses(program: &Program) -> BTreeMap<ArrayId, Vec<Use>> {
    let mut result: BTreeMap<ArrayId, Vec<Use>> = BTreeMap::new();
    for (at, equation) in program.equations.iter().enumerate() {
        let states = program.states(equation.expr);
        let reads = states.into_iter().map(|access| (access, None));
        for (access, operator) in reads.chain([(&equation.target, Some(equation.operator))]) {
            if program.array(access.array).role.position().is_some() {
                let memory = program.viewed(access.array);
                let access = Rc::new(access.clone());
                result.entry(memory).or_default().push(Use {
                    at,
                    access,
                    operator,
                });
            }
        }
    }
    result
}

/// The pairs of equations that meet in an output.
fn meetings(
    program: &Program,
    uses: &BTreeMap<ArrayId, Vec<Use>>,
    crowded: &Crowded,
) -> HashMap<(usize, usize), Vec<Meeting>> {
    let mut result: HashMap<(usize, usize), Vec<Meeting>> = HashMap::default();
    for (array, uses) in uses {
        if !crowded::changes(uses) || crowded.has(*array) {
            continue;
        }
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

/// Two accesses of different equations that may not change places, as far as is seen at once: reads may,
/// and additions, and what never meets.
pub fn may_meet(earlier: &Use, later: &Use) -> bool {
    let additions = earlier.operator == later.operator
        && earlier.operator.is_none_or(|o| o.accumulated().is_some());
    earlier.at != later.at
        && !additions
        && !apart(&earlier.access.subscripts, &later.access.subscripts)
}

fn meeting(program: &Program, earlier: &Use, later: &Use) -> Option<Meeting> {
    if !may_meet(earlier, later) {
        return None;
    }
    let meeting = Meeting {
        earlier: earlier.access.clone(),
        later: later.access.clone(),
        after_write: earlier.operator.is_some(),
    };
    let equations = [earlier, later].map(|of| &program.equations[of.at]);
    let meets = surely_meet(program, meeting.accesses())
        || pair(program, meeting.accesses(), equations, &[]).within();
    meets.then_some(meeting)
}

/// Whether two accesses that the GCD test does not tell apart meet, as is seen at once: both grow with a loop
/// that may be as long as it takes.
fn surely_meet(program: &Program, accesses: [&Access; 2]) -> bool {
    accesses
        .iter()
        .all(|access| match access.subscripts.as_slice() {
            [subscript] => match subscript.terms.as_slice() {
                [(Atom::Index(index), 1..)] => !program.is_constant(*index),
                _ => false,
            },
            _ => false,
        })
}

/// Two equations that write one array keep their order, unless both combine it with values in one way.
fn ordered(program: &Program, earlier: &Equation, later: &Equation) -> bool {
    let alike = earlier.operator == later.operator && earlier.operator.accumulated().is_some();
    program.exact || !alike
}

/// Whether two equations write one array, in an order that matters where they write one element.
fn overwrites(program: &Program, earlier: &Equation, later: &Equation) -> bool {
    earlier.target.array == later.target.array && ordered(program, earlier, later)
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
    let mut result = HashMap::default();
    for equation in &program.equations {
        *result.entry(equation.target.array).or_insert(0) += 1;
    }
    result
}

#[cfg(test)]
#[path = "dependence_tests.rs"]
mod tests;
