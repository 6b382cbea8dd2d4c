//! The loops that lanes may run over.

use super::begun::keeps_order;
use super::carried::Carried;
use super::fusing::Fused;
use super::staging::contiguous;
use super::{Plan, Prepared, Target, Wishes, flatten, interchange, lane_reduction};
use crate::analysis::totals::Totals;
use crate::collections::HashMap;
use crate::ir::{Affine, ArrayId, Atom, Equation, IndexId, Program, Role};

/// Programs and plans worth an estimate: lanes over one loop, or over two that were joined.
pub fn alternatives(from: &Prepared, target: Target, wishes: &Wishes) -> Vec<(Program, Plan)> {
    let program = from.program();
    let mut result: Vec<(Program, Plan)> = plans(program, target, wishes)
        .into_iter()
        .map(|plan| (program.clone(), plan))
        .collect();
    if let Some(scalar) = scalar(program, target, wishes) {
        let interchanged = interchange::alternatives(program, &scalar, target.width);
        let along_rows = interchange::along_rows(program, &scalar, target.width);
        let wished = |plan: &Plan| {
            let name = |index| program.loop_index(index).name.clone();
            wishes.lanes.is_none() || plan.lanes.map(name) == wishes.lanes
        };
        let around = around_recurrences(program, &scalar, target.width);
        let lanes: Vec<Option<IndexId>> = around.iter().map(|(_, plan)| plan.lanes).collect();
        let others = interchanged.into_iter().chain(along_rows);
        let others = others.filter(|(_, plan)| !lanes.contains(&plan.lanes));
        result.extend(others.chain(around).filter(|(_, plan)| wished(plan)));
    }
    result.extend(sums_in_tiles(program, target, wishes));
    for (own, shared) in from.fused(target.width) {
        if let Some(plan) = fused(own, shared.clone(), target, wishes) {
            result.push((own.clone(), plan));
        }
    }
    let free = target.width > 1 && !program.exact && wishes.lanes.is_none();
    if free {
        for (outer, inner) in flatten::pairs(program, target.width) {
            if let Some((joined, joint)) = flatten::flatten(program, outer, inner) {
                let over_joint = plans(&joined, target, wishes)
                    .into_iter()
                    .filter(|p| p.lanes == Some(joint));
                result.extend(over_joint.map(|plan| (joined.clone(), plan)));
            }
        }
    }
    result
}

/// Plans with lanes over a loop of constant length, where what is added to its results in all iterations of loops of
/// run-time length is summed up in register tiles.
fn sums_in_tiles(program: &Program, target: Target, wishes: &Wishes) -> Vec<(Program, Plan)> {
    if target.width < 2 || program.recurrence().is_some() || !keeps_order(program) {
        return Vec::new();
    }
    let summed = interchange::summed(program);
    if summed.equations == program.equations {
        return Vec::new();
    }
    let tiled = |plan: &Plan| plan.lanes.is_some_and(|lane| summed.is_constant(lane));
    let plans = plans(&summed, target, wishes).into_iter().filter(tiled);
    plans.map(|plan| (summed.clone(), plan)).collect()
}

/// Plans with lanes over a loop around the one along which values are handed on, in the order of the text, where lanes
/// lie apart: neighbours along the loop inside are on one line of the cache, and the next iterations find it there. And
/// where what the last iteration leaves is read: it is in registers then, and in a row of memory in the other order.
fn around_recurrences(program: &Program, scalar: &Plan, width: usize) -> Vec<(Program, Plan)> {
    if program.recurrence().is_none() {
        return Vec::new();
    }
    let left: Vec<ArrayId> = (Carried::left(program).into_iter())
        .map(|(array, _)| array)
        .collect();
    let groups = program.together().into_iter();
    let outer = groups.filter_map(|group| {
        let (_, outer) = program.equations[group.start].free.split_last()?;
        let lane = *outer.last()?;
        let lies_apart = |at: usize| {
            let target = &program.equations[at].target;
            let output = program.array(target.array).role.position().is_some();
            group.len() > 1 && output && !contiguous(target, lane)
        };
        let leaves = |at: usize| left.contains(&program.equations[at].target.array);
        let fits = |at| lies_apart(at) || leaves(at);
        group.clone().any(fits).then_some(lane)
    });
    let ordered = |lane: &IndexId| each_lane_keeps_its_order(program, *lane);
    let outer = outer.filter(|lane| !program.is_constant(*lane));
    let mut outer: Vec<IndexId> = outer.filter(ordered).collect();
    outer.dedup();
    let plan = |lane: &IndexId| Plan {
        width,
        lanes: Some(*lane),
        ..scalar.clone()
    };
    let plans = outer.iter().map(plan);
    plans.map(|plan| (program.clone(), plan)).collect()
}

/// The plan without lanes.
fn without_lanes(program: &Program, target: Target, wishes: &Wishes) -> Plan {
    let unroll: Vec<(IndexId, usize)> = indices(program)
        .into_iter()
        .filter_map(|index| {
            let name = &program.loop_index(index).name;
            wishes
                .unroll
                .iter()
                .find(|(n, _)| n == name)
                .map(|(_, factor)| (index, *factor))
        })
        .collect();
    Plan {
        width: 1,
        lanes: None,
        others: Vec::new(),
        registers: target.registers,
        unroll,
        blocks: None,
        places: HashMap::default(),
        fused: Fused::default(),
        apart: wishes.apart,
    }
}

/// The plan without lanes, if there are targets with lanes.
pub fn scalar(program: &Program, target: Target, wishes: &Wishes) -> Option<Plan> {
    (target.width > 1).then(|| without_lanes(program, target, wishes))
}

/// The plan for a program whose equations have loops of their own: lanes over those that are said, or none in
/// scalar code.
pub fn fused(program: &Program, fused: Fused, target: Target, wishes: &Wishes) -> Option<Plan> {
    let scalar = without_lanes(program, target, wishes);
    let own = |fused: Fused| Plan {
        fused,
        ..scalar.clone()
    };
    if target.width == 1 {
        return Some(own(fused));
    }
    let (first, others) = fused.lanes.split_first()?;
    Some(Plan {
        width: target.width,
        lanes: Some(*first),
        others: others.to_vec(),
        ..own(fused.clone())
    })
}

/// Plans worth an estimate. Scalar code is among them only where nothing else is.
pub fn plans(program: &Program, target: Target, wishes: &Wishes) -> Vec<Plan> {
    let scalar = without_lanes(program, target, wishes);
    if target.width == 1 {
        return vec![scalar];
    }
    let mut plans: Vec<Plan> = indices(program)
        .into_iter()
        .filter(|index| {
            mesh_loop(program, *index)
                || inner_loop(program, *index)
                || summed_loop(program, *index, target.width)
        })
        .filter(|index| each_lane_keeps_its_order(program, *index))
        .flat_map(|index| {
            let mut others = [false, true]
                .map(|sums| beside(program, index, sums))
                .to_vec();
            others.dedup();
            others.into_iter().map(move |others| (index, others))
        })
        .map(|(index, others)| Plan {
            width: target.width,
            lanes: Some(index),
            others,
            ..scalar.clone()
        })
        .collect();
    if let Some(wish) = &wishes.lanes {
        let wished: Vec<Plan> = plans
            .iter()
            .filter(|p| p.lanes.is_some_and(|i| program.loop_index(i).name == *wish))
            .cloned()
            .collect();
        if !wished.is_empty() {
            return wished;
        }
    }
    plans.push(scalar);
    plans
}

fn indices(program: &Program) -> Vec<IndexId> {
    let mut all: Vec<IndexId> = program
        .equations
        .iter()
        .flat_map(|e| e.domain().collect::<Vec<_>>())
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// A loop of run-time extent with no other one inside it, in whatever equation has it. Equations
/// that do not have it stand around it, or in nests of their own.
fn mesh_loop(program: &Program, index: IndexId) -> bool {
    let run_time = |i: &IndexId| !program.is_constant(*i);
    let innermost = |e: &Equation| e.domain().filter(run_time).max() == Some(index);
    run_time(&index)
        && program
            .equations
            .iter()
            .all(|e| innermost(e) || !e.domain().any(|i| i == index))
}

/// The loops that may have lanes beside one: those of run-time length that run neighbour by neighbour
/// through what they write, or with `sums` add it up, in equations that have no other such loop.
fn beside(program: &Program, lane: IndexId, sums: bool) -> Vec<IndexId> {
    if program.is_constant(lane) {
        return Vec::new();
    }
    let fits = |index: &IndexId| {
        let mut own = program.equations.iter();
        *index != lane
            && mesh_loop(program, *index)
            && own.all(|e| {
                let has = |index| e.domain().any(|other| other == index);
                !has(*index)
                    || (!has(lane)
                        && match e.free.contains(index) {
                            true => contiguous(&e.target, *index),
                            false => sums && !program.exact,
                        })
            })
            && each_lane_keeps_its_order(program, *index)
    };
    indices(program).into_iter().filter(fits).collect()
}

/// A loop of constant extent that is the innermost free loop of every equation that has it.
fn inner_loop(program: &Program, index: IndexId) -> bool {
    let Some(extent) = program.loop_index(index).extent.as_constant() else {
        return false;
    };
    let mut outputs = 0;
    let fits = program.equations.iter().all(|e| {
        if !e.free.contains(&index) {
            return true;
        }
        outputs += usize::from(matches!(
            program.array(e.target.array).role,
            Role::Output(_)
        ));
        e.free.iter().max() == Some(&index)
    });
    extent > 1 && fits && outputs > 0 && !in_map_of_a_read(program, index)
}

/// A loop of constant extent that fills a vector, and over which all equations that have it are sums. Lanes over it read
/// rows where lanes over the loop around would gather columns, and need no other iterations of that one.
fn summed_loop(program: &Program, index: IndexId, width: usize) -> bool {
    if !program.is_constant(index) || !lane_reduction::fills_vectors(program, index, width) {
        return false;
    }
    let totals = Totals::of(program);
    let with = |at: &usize| program.equations[*at].domain().any(|own| own == index);
    let summed = |at: usize| {
        program.equations[at].reduction.contains(&index)
            || totals.loops(program, at).contains(&index)
    };
    let mut all = (0..program.equations.len()).filter(with);
    all.all(summed) && !in_map_of_a_read(program, index)
}

/// Whether each element that is written in a loop belongs to one of its iterations, so that lanes over
/// the loop do what is done to an element in the order that it has without them; or that order may change.
pub fn each_lane_keeps_its_order(program: &Program, index: IndexId) -> bool {
    if !program.exact {
        return true;
    }
    let mut places: HashMap<ArrayId, (usize, &Affine)> = HashMap::default();
    program.equations.iter().all(|e| {
        let own = |s: &Affine| moves_alone(s, index);
        if e.reduction.contains(&index) {
            return false;
        }
        if !e.free.contains(&index) {
            return true;
        }
        let array = program.viewed(e.target.array);
        let subscripts = &e.target.subscripts;
        match subscripts.iter().position(own) {
            Some(at) => {
                let place = (at, &subscripts[at]);
                *places.entry(array).or_insert(place) == place
            }
            None => false,
        }
    })
}

/// Whether a subscript has another value in each iteration of a loop, whatever those of other loops are.
pub fn moves_alone(subscript: &Affine, index: IndexId) -> bool {
    subscript.depends_on(index)
        && subscript.terms.iter().all(|(atom, _)| match atom {
            Atom::Index(other) => *other == index,
            Atom::Scalar(_) | Atom::Length(..) => true,
            Atom::Map(..) => false,
        })
}

/// Lanes through an index map of a read are gathers: possible, never worth it on an inner loop,
/// unless the map is known (see [`flatten`](super::flatten)): then their cost is.
fn in_map_of_a_read(program: &Program, index: IndexId) -> bool {
    let exprs = program.equations.iter().map(|e| e.expr);
    let accesses = program.pool.accesses(exprs).into_iter();
    let subscripts = accesses.flat_map(|(_, access)| &access.subscripts);
    let mut atoms = subscripts.flat_map(|s| &s.terms).map(|(atom, _)| atom);
    atoms.any(|atom| match atom {
        Atom::Map(map, inner) if !matches!(program.array(*map).role, Role::Table(_)) => {
            inner.iter().any(|subscript| subscript.depends_on(index))
        }
        _ => false,
    })
}

/// Why lanes cannot run over a loop, in words; nothing where they can. `summed` loops have no outputs of
/// their own.
pub fn against(program: &Program, width: usize) -> Vec<(String, String)> {
    let mut result: Vec<(String, String)> = Vec::new();
    for index in indices(program) {
        let name = program.loop_index(index).name.clone();
        if let Some(reason) = reason(program, index, width)
            && !result.iter().any(|(other, _)| *other == name)
        {
            result.push((name, reason));
        }
    }
    result
}

fn reason(program: &Program, index: IndexId, width: usize) -> Option<String> {
    let name = |index: IndexId| &program.loop_index(index).name;
    let with = || {
        program
            .equations
            .iter()
            .filter(|e| e.domain().any(|i| i == index))
    };
    let inside = |e: &Equation| {
        let kind = |i: &IndexId| !program.is_constant(*i) || program.is_constant(index);
        let free = e.free.iter().copied().filter(kind);
        free.filter(|inner| *inner > index).max()
    };
    let Some(extent) = program.loop_index(index).extent.as_constant() else {
        if !mesh_loop(program, index) {
            let run_time = |e: &Equation| {
                let all = e.domain().filter(|i| !program.is_constant(*i));
                all.max().filter(|inner| *inner != index)
            };
            let inner = with().find_map(run_time)?;
            return Some(format!("`{}` runs inside of it", name(inner)));
        }
        return (!each_lane_keeps_its_order(program, index))
            .then(|| "it adds up, in the order of the text at this level".to_owned());
    };
    if inner_loop(program, index) || summed_loop(program, index, width) {
        return (!each_lane_keeps_its_order(program, index))
            .then(|| "it adds up, in the order of the text at this level".to_owned());
    }
    if let Some(inner) = with().find_map(inside) {
        return Some(format!("`{}` runs inside of it", name(inner)));
    }
    if in_map_of_a_read(program, index) {
        return Some("its iterations read through an index map: lanes would gather".to_owned());
    }
    let summed = with().all(|e| e.reduction.contains(&index));
    Some(match (extent > 1, summed) {
        (false, _) => "it has one iteration".to_owned(),
        (_, true) => format!(
            "it is summed over, {extent} terms long: lanes of {width} would add up their parts"
        ),
        _ => "no result is written in it".to_owned(),
    })
}
