//! Of loops of known length some iterations are interpreted, the same ones in two programs that are compared.
//!
//! Loops belong together where they are one loop of the text (an index says which other ones it stands for), and
//! where they run along one dimension of a temporary: what one writes the other reads. What belongs together
//! is a class, and runs the same iterations. Two loops of the text that only have one length do not. A
//! loop that became several runs what its parts run, if these are shown to be a partition of it.
//!
//! All iterations run of loops that one of the programs has not, as far as is seen ([`paths`]): of those whose
//! sums tables hold now, say, of those that a pass has made, and of what is read and written at other
//! places than along loops.
//!
//! Nothing is believed of this. With all iterations there is nothing to belong together, and a difference is one
//! that is there with all of them.

mod dimensions;
mod paths;
mod steps;
mod union;

use std::collections::{BTreeMap, BTreeSet};

use dimensions::{dimensions, handed_on};
pub use steps::{in_steps, left_out, moving, unrolled, wide};
pub use union::Union;

use super::samples::FEW;
use super::subject::CELLS;
use crate::collections::HashMap;
use crate::ir::{Equation, IndexId, Part, Program, Role};
use crate::syntax::ast::{FunctionId, LoopId};

/// The longest loop of which parts are looked for.
const LONGEST: usize = 1 << 16;

/// Most iterations in all of loops inside each other.
const INSIDE: usize = 1 << 15;

/// A loop of the text.
pub type TextLoop = (FunctionId, LoopId);
/// The loops of the text that are loops of the program as lowered, with their indices there.
pub type Kept = HashMap<TextLoop, Vec<IndexId>>;

/// The loops of two programs, of which the second one was made from the first one: it has the indices of that,
/// and others.
#[derive(Clone, Debug)]
pub struct Loops {
    classes: Union,
    /// Constant lengths, by index.
    lengths: Vec<Option<usize>>,
    /// Classes of which all iterations run.
    whole: BTreeSet<usize>,
    /// Classes of which always the first iterations run.
    first: BTreeSet<usize>,
    /// Classes that run what others run, which are parts of them.
    split: BTreeMap<usize, Vec<(usize, Part)>>,
    /// The classes of the loops of the text.
    text: HashMap<TextLoop, usize>,
    /// How many iterations of a loop of which any may run do run at most.
    pub few: usize,
}

/// How a class of loops runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs<'a> {
    /// In full.
    Whole,
    /// The first iterations.
    First,
    /// Any.
    Any,
    /// What its parts run.
    Parts(&'a [(usize, Part)]),
}

impl Loops {
    /// The loops of two programs; with `kept` those of the text and of the second program, the first one being
    /// what the text was lowered to.
    pub fn new(before: &Program, after: &Program, kept: Option<&Kept>) -> Loops {
        Loops::with(before, after, kept, (&[], &[]))
    }

    /// With loops that belong together, and others of which all iterations run.
    fn with(
        before: &Program,
        after: &Program,
        kept: Option<&Kept>,
        (same, whole): (&[(IndexId, IndexId)], &[IndexId]),
    ) -> Loops {
        let mut loops = Loops::joined(before, after, kept);
        for (a, b) in same {
            loops.classes.join(a.0 as usize, b.0 as usize);
        }
        let mut fixed: BTreeSet<IndexId> = whole.iter().copied().collect();
        let mut first = BTreeSet::new();
        for program in [before, after] {
            loops.along_dimensions(program, &mut fixed, &mut first);
        }
        loops.whole = fixed.iter().map(|index| loops.class(*index)).collect();
        loops.first = first.iter().map(|index| loops.class(*index)).collect();
        let used = [before, after].map(|program| loops.used(program));
        let known = match kept {
            None => used[0].clone(),
            Some(kept) => kept.values().flatten().map(|i| loops.class(*i)).collect(),
        };
        loops.find_parts(after, (&known, &used));
        loops.fix_others(before, after, (&known, &used), kept.is_some());
        loops.fix_pieces(before, kept);
        let lost = paths::lost(&loops, before, after);
        loops.whole.extend(lost);
        loops.settle();
        loops.few = loops.fewer(before).min(loops.fewer(after));
        loops
    }

    /// How many iterations of loops run, so that many loops inside each other do not run too many in all, with
    /// those that run in full and those of run-time length.
    fn fewer(&self, program: &Program) -> usize {
        let iterations = |equation: &Equation, few: usize| {
            let of_loop = |index: IndexId| {
                let class = self.class(index);
                match self.lengths[class] {
                    None => CELLS,
                    Some(length) if self.whole.contains(&class) => length,
                    Some(length) => length.min(few),
                }
            };
            equation
                .domain()
                .map(of_loop)
                .fold(1, usize::saturating_mul)
        };
        let fits = |few: &usize| {
            let mut all = program.equations.iter().map(|e| iterations(e, *few));
            all.all(|count| count <= INSIDE)
        };
        (3..=FEW).rev().find(fits).unwrap_or(2)
    }

    /// All iterations of all loops.
    pub fn in_full(&self) -> Loops {
        Loops {
            whole: (0..self.lengths.len()).collect(),
            ..self.clone()
        }
    }

    /// Loops that are one by what indices say.
    fn joined(before: &Program, after: &Program, kept: Option<&Kept>) -> Loops {
        let count = before.indices.len().max(after.indices.len());
        let of = |program: &Program, at: usize| program.indices.get(at).map(|i| i.extent.clone());
        let length = |at: usize| match (of(before, at), of(after, at)) {
            (Some(a), Some(b)) if a != b => None,
            (a, b) => a.or(b)?.as_constant(),
        };
        let mut loops = Loops {
            classes: Union::new(count),
            lengths: (0..count).map(length).collect(),
            whole: BTreeSet::new(),
            first: BTreeSet::new(),
            split: BTreeMap::new(),
            text: HashMap::default(),
            few: FEW,
        };
        for program in [before, after] {
            for (at, index) in program.indices.iter().enumerate() {
                for part in index.parts.iter().filter(|part| part.is_plain()) {
                    let of = part.of.0 as usize;
                    if loops.lengths[at].is_some() && loops.lengths[at] == loops.lengths[of] {
                        loops.classes.join(at, of);
                    }
                }
            }
        }
        for (own, indices) in kept.into_iter().flatten() {
            for index in indices {
                loops.classes.join(indices[0].0 as usize, index.0 as usize);
            }
            loops.text.insert(*own, indices[0].0 as usize);
        }
        loops
    }

    /// The class of an index.
    pub fn class(&self, index: IndexId) -> usize {
        self.classes.root(index.0 as usize)
    }

    /// The length of a class.
    pub fn length(&self, class: usize) -> Option<usize> {
        self.lengths[class]
    }

    /// How an index runs.
    pub fn runs(&self, index: IndexId) -> (usize, Runs<'_>) {
        self.runs_of(self.class(index))
    }

    /// How a loop of the text runs.
    pub fn runs_text(&self, own: TextLoop) -> (usize, Runs<'_>) {
        match self.text.get(&own) {
            Some(index) => self.runs_of(self.classes.root(*index)),
            None => (0, Runs::Whole),
        }
    }

    /// How a class runs.
    pub fn runs_of(&self, class: usize) -> (usize, Runs<'_>) {
        let runs = match self.split.get(&class) {
            _ if self.whole.contains(&class) => Runs::Whole,
            Some(parts) => Runs::Parts(parts),
            None if self.first.contains(&class) => Runs::First,
            None => Runs::Any,
        };
        (class, runs)
    }

    /// Whether an index runs in full.
    pub fn is_whole(&self, index: IndexId) -> bool {
        self.whole.contains(&self.class(index))
    }

    /// The classes of a program's loops of known length.
    pub fn used(&self, program: &Program) -> BTreeSet<usize> {
        let all = program.equations.iter().flat_map(|e| e.domain());
        let constant = all.filter(|index| program.is_constant(*index));
        constant.map(|index| self.class(index)).collect()
    }

    /// Joins the loops along each dimension of temporaries. Where something else stands in a subscript of the
    /// dimension, its loops run in full, and so do those in what is written there; of loops that hand values on
    /// from one iteration to the next the first iterations run.
    fn along_dimensions(
        &mut self,
        program: &Program,
        fixed: &mut BTreeSet<IndexId>,
        first: &mut BTreeSet<IndexId>,
    ) {
        let handed_on = handed_on(program);
        for (array, dimensions) in dimensions(program) {
            let shape = &program.array(array).shape;
            for (along, extent) in dimensions.into_iter().zip(shape) {
                let Some(length) = extent.as_constant() else {
                    continue;
                };
                let fits = |index: &IndexId| self.lengths[index.0 as usize] == Some(length);
                let (own, others): (Vec<_>, Vec<_>) = along.plain.iter().copied().partition(fits);
                for index in &own {
                    self.classes.join(own[0].0 as usize, index.0 as usize);
                }
                if along.others || !others.is_empty() {
                    fixed.extend(own);
                }
                let moved = along.moved.iter().copied();
                let constant = |index: &IndexId| self.lengths[index.0 as usize].is_some();
                match handed_on.contains(&array) {
                    true => first.extend(moved.chain(along.read.iter().copied()).filter(constant)),
                    false => fixed.extend(moved.filter(constant)),
                }
            }
        }
    }

    /// Finds the loops of the first program that the second one has only parts of.
    fn find_parts(
        &mut self,
        after: &Program,
        (known, used): (&BTreeSet<usize>, &[BTreeSet<usize>; 2]),
    ) {
        let mut split: BTreeMap<usize, Vec<(usize, Part)>> = BTreeMap::new();
        for (at, index) in after.indices.iter().enumerate() {
            let class = self.classes.root(at);
            for part in &index.parts {
                let of = self.class(part.of);
                if class == of || !used[1].contains(&class) || !known.contains(&of) {
                    continue;
                }
                let parts = split.entry(of).or_default();
                let same = |(own, other): &(usize, Part)| {
                    let one = |p: &Part| (p.start, p.stride, p.width);
                    *own == class && one(other) == one(part)
                };
                if !parts.iter().any(same) {
                    parts.push((class, *part));
                }
            }
        }
        for (of, parts) in split {
            let mut inner = parts.iter().map(|(class, _)| *class);
            let proper = !used[1].contains(&of)
                && inner.all(|class| !known.contains(&class) && !used[0].contains(&class));
            if proper && self.is_partition(of, &parts) {
                self.split.insert(of, parts);
            } else {
                self.whole.insert(of);
                self.whole.extend(parts.iter().map(|(class, _)| *class));
            }
        }
    }

    /// Whether each iteration of a loop is in one part.
    fn is_partition(&self, of: usize, parts: &[(usize, Part)]) -> bool {
        let Some(length) = self.lengths[of].filter(|length| *length <= LONGEST) else {
            return false;
        };
        let mut met = vec![false; length];
        let once = parts.iter().all(|(class, part)| {
            let Some(count) = self.lengths[*class] else {
                return false;
            };
            let values: Vec<usize> = (0..count).collect();
            let mut all = part.iterations(&values);
            all.all(|k| k < length && !std::mem::replace(&mut met[k], true))
        });
        once && met.iter().all(|met| *met)
    }

    /// Loops that one program has and the other has not run in full, unless they only write temporaries. So do
    /// those of which one length is not the other's.
    fn fix_others(
        &mut self,
        before: &Program,
        after: &Program,
        (known, used): (&BTreeSet<usize>, &[BTreeSet<usize>; 2]),
        text: bool,
    ) {
        let inner = self.split.values().flatten();
        let inner: BTreeSet<usize> = inner.map(|(class, _)| *class).collect();
        let is_new = |class: &usize| !known.contains(class) && !inner.contains(class);
        for equation in &after.equations {
            let temporary = matches!(after.array(equation.target.array).role, Role::Temporary);
            let free = equation.free.iter().filter(|_| !temporary);
            let indices = free.chain(&equation.reduction);
            let classes: Vec<usize> = indices.map(|index| self.class(*index)).collect();
            self.whole.extend(classes.into_iter().filter(is_new));
        }
        let gone = |class: &usize| !used[1].contains(class) && !self.split.contains_key(class);
        let gone: Vec<usize> = known.iter().copied().filter(gone).collect();
        self.whole.extend(gone);
        let programs: &[&Program] = if text { &[after] } else { &[before, after] };
        let mut changed = BTreeSet::new();
        for program in programs {
            for index in program.equations.iter().flat_map(|e| e.domain()) {
                let (own, class) = (program.loop_index(index), self.class(index));
                let length = own.extent.as_constant();
                if length.is_some() && length != self.lengths[class] {
                    changed.insert(class);
                }
            }
        }
        // What the text has of one length may be of another one each time.
        for index in self.text.values() {
            let class = self.classes.root(*index);
            if self.lengths[*index].is_none() || self.lengths[*index] != self.lengths[class] {
                changed.insert(class);
            }
        }
        self.whole.extend(changed);
    }

    /// The text runs all iterations of loops that it has and that are none of the lowered program's, which
    /// has pieces of them: these run in full, whatever a pass lets stand for them.
    fn fix_pieces(&mut self, lowered: &Program, kept: Option<&Kept>) {
        let Some(kept) = kept else {
            return;
        };
        let own: BTreeSet<IndexId> = kept.values().flatten().copied().collect();
        let all = lowered.equations.iter().flat_map(|e| e.domain());
        let pieces = all.filter(|index| lowered.is_constant(*index) && !own.contains(index));
        let classes: Vec<usize> = pieces.map(|index| self.class(index)).collect();
        self.whole.extend(classes);
    }

    /// A loop that runs in full has parts that do, and the other way round.
    fn settle(&mut self) {
        loop {
            let mut changed = false;
            for (of, parts) in &self.split {
                let classes = || parts.iter().map(|(class, _)| *class).chain([*of]);
                let whole = classes().any(|class| self.whole.contains(&class));
                if whole {
                    for class in classes().collect::<Vec<_>>() {
                        changed |= self.whole.insert(class);
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }
}
