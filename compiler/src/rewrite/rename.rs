//! Canonical index names: equal loops get equal indices.
//!
//! Indices of one extent form a class, in the order of the source's nests. Where a domain holds
//! r of a class, they become the last r of its canonical members; so the innermost loop of every
//! nest is the same index, and equal expressions over different loops become equal.

use super::replace::substitute;
use crate::collections::HashMap;
use crate::ir::{Affine, ArrayId, Extent, IndexId, Program};

/// The canonical members of each class.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    members: HashMap<Extent, Vec<IndexId>>,
}

impl Classes {
    /// The classes of a program: as many members as any equation's domain needs at once. Their names
    /// are those of the first such equation, or of the last one where only these leave inner loops
    /// inside: of a nest and what was cut off it.
    pub fn of(program: &Program) -> Classes {
        let first = Classes::named(program, |new, known| new > known);
        if first.keep_order(program) {
            return first;
        }
        let last = Classes::named(program, |new, known| new >= known);
        match last.keep_order(program) {
            true => last,
            false => first,
        }
    }

    /// Whether the loops of every equation are inside each other as they were.
    fn keep_order(&self, program: &Program) -> bool {
        program.equations.iter().all(|equation| {
            let mut domain: Vec<IndexId> = equation.domain().collect();
            domain.sort_unstable();
            let names = self.rename(program, &domain);
            domain
                .windows(2)
                .all(|pair| names[&pair[0]] < names[&pair[1]])
        })
    }

    /// Names are taken from an equation if `replaces` says so of how many it has and were known.
    fn named(program: &Program, replaces: impl Fn(usize, usize) -> bool) -> Classes {
        let mut members: HashMap<Extent, Vec<IndexId>> = HashMap::default();
        for equation in &program.equations {
            let mut domain: Vec<IndexId> = equation.domain().collect();
            domain.sort_unstable();
            let mut here: HashMap<Extent, Vec<IndexId>> = HashMap::default();
            for index in domain {
                here.entry(program.loop_index(index).extent.clone())
                    .or_default()
                    .push(index);
            }
            for (extent, indices) in here {
                let canonical = members.entry(extent).or_default();
                if replaces(indices.len(), canonical.len()) {
                    *canonical = indices;
                }
            }
        }
        Classes { members }
    }

    /// The canonical names of a domain's indices (given in any order).
    pub fn rename(&self, program: &Program, domain: &[IndexId]) -> HashMap<IndexId, IndexId> {
        let mut sorted = domain.to_vec();
        sorted.sort_unstable();
        let mut result = HashMap::default();
        let mut done: Vec<IndexId> = Vec::new();
        for index in &sorted {
            if done.contains(index) {
                continue;
            }
            let extent = &program.loop_index(*index).extent;
            let class: Vec<IndexId> = sorted
                .iter()
                .copied()
                .filter(|other| program.loop_index(*other).extent == *extent)
                .collect();
            let canonical = &self.members[extent];
            let skip = canonical.len().saturating_sub(class.len());
            for (from, to) in class.iter().zip(&canonical[skip..]) {
                result.insert(*from, *to);
            }
            done.extend(class);
        }
        result
    }
}

/// A renaming as a substitution.
pub fn substitution(names: &HashMap<IndexId, IndexId>) -> impl Fn(IndexId) -> Affine + '_ {
    |index| Affine::index(names.get(&index).copied().unwrap_or(index))
}

/// Renames the indices of every equation to canonical ones.
pub fn unify(program: &mut Program) {
    let classes = Classes::of(program);
    rename_mirrors(program, &classes);
    let writers = handed_on(program);
    let begun: Vec<_> = (0..program.equations.len())
        .map(|at| begun(program, &classes, (at, &writers)))
        .collect();
    for (at, begun) in begun.into_iter().enumerate() {
        let mut equation = program.equations[at].clone();
        let domain: Vec<IndexId> = equation.domain().collect();
        let mut names = classes.rename(program, &domain);
        names.extend(begun);
        substitute(&mut program.pool, &mut equation, &substitution(&names));
        for index in equation.free.iter_mut().chain(&mut equation.reduction) {
            let new = names[index];
            program.is_same_loop(new, *index);
            *index = new;
        }
        program.equations[at] = equation;
    }
}

/// The equations that hand on what iterations leave to later ones, by what they write.
fn handed_on(program: &Program) -> HashMap<ArrayId, usize> {
    let groups = program.together().into_iter();
    let groups = groups.filter(|group| group.len() > 1);
    let writers = groups.flatten();
    writers
        .map(|at| (program.equations[at].target.array, at))
        .collect()
}

/// The names in an equation that says where iterations begin which hand values on, as those of these: it stands in the
/// loops around theirs.
fn begun(
    program: &Program,
    classes: &Classes,
    (at, writers): (usize, &HashMap<ArrayId, usize>),
) -> HashMap<IndexId, IndexId> {
    let target = &program.equations[at].target;
    let Some(writer) = writers.get(&target.array).filter(|writer| **writer > at) else {
        return HashMap::default();
    };
    let writer = &program.equations[*writer];
    let domain: Vec<IndexId> = writer.domain().collect();
    let names = classes.rename(program, &domain);
    let extent = |index: IndexId| &program.loop_index(index).extent;
    let pairs = target.subscripts.iter().zip(&writer.target.subscripts);
    let found = pairs.filter_map(|(own, other)| {
        let (own, other) = (own.as_index()?, other.as_index()?);
        (extent(own) == extent(other)).then_some((own, names[&other]))
    });
    let found: HashMap<IndexId, IndexId> = found.collect();
    let whole = program.equations[at]
        .domain()
        .all(|index| found.contains_key(&index));
    // Two of them stay two.
    let mut apart: Vec<IndexId> = found.values().copied().collect();
    apart.sort_unstable();
    apart.dedup();
    match whole && apart.len() == found.len() {
        true => found,
        false => HashMap::default(),
    }
}

/// Mirrors of some sums of their targets get the names of these.
fn rename_mirrors(program: &mut Program, classes: &Classes) {
    let mut mirrors = std::mem::take(&mut program.mirrors);
    for mirror in &mut mirrors {
        let sum = (program.equations.iter()).find(|sum| mirror.is_of(sum, &mirror.from));
        let (Some(sum), Some(sums)) = (sum, &mut mirror.sums) else {
            continue;
        };
        let domain: Vec<IndexId> = sum.domain().collect();
        let names = classes.rename(program, &domain);
        let by = substitution(&names);
        for access in [&mut mirror.from, &mut mirror.to] {
            for subscript in &mut access.subscripts {
                *subscript = subscript.substitute(&by);
            }
        }
        for index in [&mut mirror.first, &mut mirror.second]
            .into_iter()
            .chain(sums)
        {
            *index = names[index];
        }
    }
    program.mirrors = mirrors;
}
