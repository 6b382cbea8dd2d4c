//! Where temporaries live: dimensions that all uses share a loop for are contracted away.

use super::Plan;
use super::dependence::{reads, writers};
use super::tree::{Dimension, Storage};
use crate::collections::{HashMap, HashSet};
use crate::ir::{ArrayId, Extent, IndexId, Program, Role};

/// The loops around an equation, each with a number of its own.
pub type Path = Vec<(usize, IndexId)>;

/// Decides the storage of all temporaries. `paths` has the loops around each equation, `extra`
/// further uses of arrays (copies), `folded` the arrays with one value a lane for all iterations, then those
/// that are added to in loops that equations share, and those that begin sums in variables of their own.
pub fn storage(
    program: &Program,
    plan: &Plan,
    paths: &HashMap<usize, Path>,
    extra: &[(ArrayId, Path)],
    (folded, added, named_again): (&[ArrayId], &[ArrayId], &[ArrayId]),
) -> Vec<(ArrayId, Storage)> {
    let reads = reads(program);
    let writers = writers(program);
    let mut shared: HashMap<ArrayId, Path> = HashMap::default();
    let mut order = Vec::new();
    let mut meet = |array: ArrayId, path: &Path| match shared.get_mut(&array) {
        Some(common) => {
            let length = common.iter().zip(path).take_while(|(a, b)| a == b).count();
            common.truncate(length);
        }
        None => {
            shared.insert(array, path.clone());
        }
    };
    for (at, equation) in program.equations.iter().enumerate() {
        let path = &paths[&at];
        let array = equation.target.array;
        if matches!(program.array(array).role, Role::Temporary) {
            if !order.contains(&array) {
                order.push(array);
            }
            meet(array, path);
        }
        for access in &reads[at] {
            meet(access.array, path);
        }
    }
    for (array, path) in extra {
        meet(*array, path);
    }
    // What nothing reads may be summed up in a loop around those along its dimensions.
    let read = reads.iter().flatten().map(|access| access.array);
    let read: HashSet<ArrayId> = read
        .chain(extra.iter().map(|(staged, _)| *staged))
        .collect();
    for (at, equation) in program.equations.iter().enumerate() {
        let array = equation.target.array;
        if equation.operator.accumulated().is_none() || read.contains(&array) {
            continue;
        }
        let around = |(_, index): &(usize, IndexId)| !equation.target.depends_on(*index);
        if let Some(common) = shared.get_mut(&array) {
            let outer = paths[&at].iter().position(around);
            common.truncate(outer.unwrap_or(common.len()));
        }
    }
    order
        .into_iter()
        .map(|array| {
            // Copies find their staging array in memory, even if it is one value.
            let several = writers[&array] > 1 && !named_again.contains(&array);
            let memory = several || extra.iter().any(|(staged, _)| *staged == array);
            let folded = folded.contains(&array);
            let common = &shared[&array];
            let uses = Uses {
                common,
                memory: memory || folded || added.contains(&array),
                folded,
            };
            (array, of(program, plan, array, &uses))
        })
        .collect()
}

/// How a temporary is used.
struct Uses<'a> {
    /// The loops that all uses share.
    common: &'a Path,
    /// It lives in memory even if it is one value.
    memory: bool,
    /// It has one value a lane for all iterations.
    folded: bool,
}

fn of(program: &Program, plan: &Plan, array: ArrayId, uses: &Uses) -> Storage {
    let writer = program.equations.iter().find(|e| e.target.array == array);
    let subscripts = writer
        .map(|e| e.target.subscripts.clone())
        .unwrap_or_default();
    let shape = &program.array(array).shape;
    let mut extents = Vec::new();
    let mut lanes = false;
    let mut last_kept = None;
    for (axis, extent) in shape.iter().enumerate() {
        let index = subscripts[axis].as_index();
        let shared = |i| uses.common.iter().any(|(_, at)| *at == i);
        let over_lanes = index.is_some_and(|index| plan.is_lane(index));
        let contracted = index.is_some_and(shared) || (uses.folded && over_lanes);
        if contracted {
            lanes |= over_lanes;
            extents.push(Dimension::CONTRACTED);
            continue;
        }
        last_kept = Some((axis, index));
        extents.push(match extent {
            Extent::Constant(n) => Dimension::Kept(*n),
            Extent::RunTime(_) => Dimension::RunTime,
        });
    }
    let kept = last_kept.is_some();
    if let (Some((axis, index)), false) = (last_kept, lanes)
        && index.is_some_and(|index| plan.is_lane(index))
        && let Some(n) = extents[axis].kept()
    {
        extents[axis] = Dimension::Kept(n.next_multiple_of(plan.width));
    }
    if kept || uses.memory {
        Storage::Memory { extents, lanes }
    } else {
        Storage::Register { lanes }
    }
}
