//! What a loop tree gains from rings, from temporaries in registers, and from rows that take a step together:
//! each is taken where the cost model says that it takes fewer cycles.

use super::tree::{Schedule, Storage};
use super::{
    Plan, Target, ahead, jamming, model, overlapped, panels, products, unrolling, windows,
};
use crate::collections::HashSet;
use crate::ir::Program;

/// Part of the cycles of a shorter step that a longer one must take less than: what it leaves of a row takes steps of half of
/// its vectors and of single ones.
const LONGER: f64 = 0.95;

/// The same for steps of more rows of stencils, whose expansions are longer, too.
pub const TALLER: f64 = 0.95;

/// Part of an estimate that rows must save where one row at a time takes other loops: the model is no more precise.
const OTHER_LOOPS: f64 = 0.97;

/// What four rows a step may be estimated to take more than two: they need half as many vectors to hide what sums wait
/// for, which short rows do not have, and load less.
const MORE_ROWS: f64 = 1.01;

/// A loop tree with loops that run ahead of others, where that takes fewer cycles; what waits in rings then. Products of
/// matrices have rows in register tiles, which those of one row at a time have not.
pub fn in_rings(
    built: (Program, Schedule),
    plan: (&Plan, Target),
) -> ((Program, Schedule), Vec<String>) {
    let (mut program, mut schedule) = built.clone();
    let rings = ahead::run(&mut program, &mut schedule);
    let ahead = (program, schedule);
    let tiled = || !packed(&built, plan).is_empty();
    let better = match !rings.is_empty() && tiled() {
        true => rows(&ahead, plan).1 < rows(&built, plan).1,
        false if rings.is_empty() => false,
        false => model::estimate(&ahead.0, &ahead.1) < model::estimate(&built.0, &built.1),
    };
    match better {
        true => (ahead, rings),
        false => (built, Vec::new()),
    }
}

/// A loop tree with temporaries along the lanes in registers, and with windows that are loaded once, where that takes
/// fewer cycles; what is there then.
pub fn in_registers(
    built: (Program, Schedule),
    plan: (&Plan, Target),
) -> ((Program, Schedule), Vec<String>) {
    let mut loaded = built.clone();
    if !windows::run(&mut loaded.0, &mut loaded.1) {
        return temporaries(built, plan, 1.0);
    }
    let (alone, kept) = temporaries(built, plan, 1.0);
    let memory = |(_, schedule): &(Program, Schedule)| {
        let all = schedule.storage.iter();
        all.filter(|(_, storage)| matches!(storage, Storage::Memory { .. }))
            .count()
    };
    let (others, with) = temporaries(loaded, plan, LONGER);
    let cycles = |built: &(Program, Schedule)| match rows(built, plan) {
        (1, cycles) => cycles,
        (_, cycles) => cycles / OTHER_LOOPS,
    };
    let better = memory(&others) <= memory(&alone) && cycles(&others) < cycles(&alone);
    match better {
        true => (others, with),
        false => (alone, kept),
    }
}

/// A loop tree with temporaries along the lanes in registers, where that takes fewer cycles; what is there then. Of steps of
/// several lengths a longer one is taken where it takes less than that `part` of a shorter one. Rows that take a step
/// together share a loop's own instructions, and leave a longer step little to save but many instructions.
fn temporaries(
    built: (Program, Schedule),
    plan: (&Plan, Target),
    part: f64,
) -> ((Program, Schedule), Vec<String>) {
    let (mut tallest, mut least) = rows(&built, plan);
    let (program, schedule) = &built;
    let mut best = None;
    for vectors in overlapped::VECTORS {
        let mut tried = schedule.clone();
        let Some(kept) = overlapped::run(program, &mut tried, vectors) else {
            continue;
        };
        let tried = (program.clone(), tried);
        let (together, estimate) = rows(&tried, plan);
        let less = match (best.is_some(), tallest.max(together)) {
            (false, _) => 1.0,
            (true, 1) => part,
            (true, _) => LONGER * TALLER,
        };
        if estimate < less * least {
            (tallest, least) = (together, estimate);
            best = Some((tried, kept));
        }
    }
    best.unwrap_or((built, Vec::new()))
}

/// The equations of products of matrices that are packed where their loops are long.
fn packed((program, schedule): &(Program, Schedule), plan: (&Plan, Target)) -> HashSet<usize> {
    match panels::may_pack(program, plan) {
        true => products::equations(program, schedule),
        false => HashSet::default(),
    }
}

/// How many rows of a loop take a step together, and the cycles that all takes then.
pub fn rows(built: &(Program, Schedule), plan: (&Plan, Target)) -> (usize, f64) {
    let (program, schedule) = built;
    let packed = packed(built, plan);
    let mut best = (1, f64::INFINITY);
    for rows in jamming::ROWS {
        let mut tried = schedule.clone();
        if !jamming::run(program, &mut tried, (rows, plan.0.for_stencils())) && rows > 1 {
            continue;
        }
        unrolling::run(program, &mut tried, plan);
        let estimate = model::estimate_packed(program, &tried, (packed.clone(), plan.0.apart));
        let better = match rows > 1 && jamming::are_stencils(&tried.body) {
            true => estimate < TALLER * best.1,
            false => estimate < best.1 || (best.0 > 1 && estimate <= MORE_ROWS * best.1),
        };
        if better {
            best = (rows, estimate);
        }
    }
    best
}
