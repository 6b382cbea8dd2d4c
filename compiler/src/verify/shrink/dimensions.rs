//! The loops that run along the dimensions of temporaries.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Access, Affine, ArrayId, IndexId, Program, Role};

/// What stands in the subscripts of one dimension of a temporary.
#[derive(Clone, Default)]
pub struct Along {
    /// Loops by themselves.
    pub plain: BTreeSet<IndexId>,
    /// Whether something else is read, or added to.
    pub others: bool,
    /// The loops in something else that is written, and read.
    pub moved: BTreeSet<IndexId>,
    pub read: BTreeSet<IndexId>,
}

/// Temporaries whose elements are computed from earlier ones.
pub fn handed_on(program: &Program) -> BTreeSet<ArrayId> {
    let groups = program.together().into_iter();
    let groups = groups.filter(|group| {
        let target = program.equations[group.start].target.array;
        group.len() > 1 || program.temporaries_read(group.start).contains(&target)
    });
    groups
        .flatten()
        .map(|at| program.equations[at].target.array)
        .collect()
}

/// The accesses to temporaries.
pub fn dimensions(program: &Program) -> BTreeMap<ArrayId, Vec<Along>> {
    let mut result: BTreeMap<ArrayId, Vec<Along>> = BTreeMap::new();
    let values = program.equations.iter().map(|equation| equation.expr);
    let accesses = program.pool.accesses(values);
    let reads = accesses.iter().map(|(_, access)| (*access, true, true));
    let writes = program.equations.iter().map(|equation| {
        let adds = equation.operator.accumulated().is_some();
        (&equation.target, adds, false)
    });
    for (access, needs, read) in reads.chain(writes) {
        if !matches!(program.array(access.array).role, Role::Temporary) {
            continue;
        }
        let Access { array, subscripts } = access;
        let along = result
            .entry(*array)
            .or_insert_with(|| vec![Along::default(); subscripts.len()]);
        for (along, subscript) in along.iter_mut().zip(subscripts) {
            match subscript.as_index() {
                Some(index) => {
                    along.plain.insert(index);
                }
                None => {
                    along.others |= needs;
                    let loops = if read {
                        &mut along.read
                    } else {
                        &mut along.moved
                    };
                    loops.extend(Affine::indices_of([subscript]));
                }
            }
        }
    }
    result
}
