//! Blocks of zeros (Luporini 2017, section 6.3).
//!
//! The functions of vector-valued and mixed elements are zero in the components that are not theirs:
//! whole columns of their tables are. Loops over the functions are split into blocks, so that no
//! element of a zero column is multiplied. A block's iterations are an arithmetic progression, every
//! third function of a vector, or the functions of one part of a mixed element; its columns are a
//! table of their own, with nothing between them. So there is no indirection, and lanes are as full
//! as with the scalar element. Equal tables are one array, so that the blocks of all components share
//! what is computed from it.
//!
//! Before: `f[e, q] = sum(i) u[e, i] * phi[1, q, i]`, zero but for every third i. After:
//! `f[e, q] = sum(i') u[e, 3i' + 1] * phi_block[q, i']`.
//! Holds: values are equal in exact arithmetic, operations after the later passes fewer than without.
//!
//! All loops of constant length are looked at, sums too. Neighbours are merged where that costs less;
//! `blocks.rs` says how that is decided. A temporary with a value for each function becomes one for
//! each block, where what reads it is in the same blocks.

mod blocks;
pub(super) mod choice;
mod inline;
mod narrow;
mod part;
pub(super) mod plan;
pub(super) mod split;
mod zeros;

use super::invariant_tables;
use super::pipeline::take_if_fewer;
use crate::ir::Program;
use crate::rewrite::normalise::normalise;
use crate::rewrite::rename;
use crate::rewrite::unused::remove_unused;
use blocks::LANES;
use split::Splitter;

/// Most equations that a program may have after it is split.
const MOST_EQUATIONS: usize = 256;

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    if program.exact || program.recurrence().is_some() {
        return Vec::new();
    }
    let mut whole = program.clone();
    inline::run(&mut whole);
    let mut decisions = Vec::new();
    let mut tried: Vec<Vec<String>> = Vec::new();
    for lanes in LANES {
        let Some((mut candidate, blocks)) = in_blocks(&whole, lanes) else {
            continue;
        };
        if tried.contains(&blocks) {
            continue;
        }
        tried.push(blocks.clone());
        if candidate.equations.len() > MOST_EQUATIONS {
            decisions.push("nothing: too many blocks".to_owned());
            continue;
        }
        invariant_tables::run(&mut candidate);
        rename::unify(&mut candidate);
        normalise(&mut candidate);
        let mut taken = program.clone();
        match take_if_fewer(&mut taken, candidate, ("zero_blocks", "in blocks")) {
            Ok([before, after]) if pays(program, lanes, [before, after]) => {
                *program = taken;
                decisions = blocks;
                decisions.push(format!("{after} operations in the end, against {before}"));
            }
            Ok([before, after]) => decisions.push(format!(
                "nothing: {before} operations against {after} in blocks too short for lanes"
            )),
            Err(nothing) => {
                program.foreseen = taken.foreseen;
                decisions.push(nothing);
            }
        }
    }
    decisions
}

/// Whether blocks for vectors of so many iterations pay that leave so many operations of some. Those that lanes do not
/// fill have loops and code of their own, and have to save a quarter where lanes run over cells; inside of one they have
/// to save what the lanes do.
fn pays(program: &Program, lanes: usize, [before, after]: [u64; 2]) -> bool {
    let mut indices = program
        .equations
        .iter()
        .flat_map(|equation| equation.domain());
    let over_cells = indices.any(|index| !program.is_constant(index));
    match over_cells {
        _ if lanes > 1 => true,
        true => after.saturating_mul(4) <= before.saturating_mul(3),
        false => after.saturating_mul(LANES[0] as u64 / 2) <= before,
    }
}

/// A program with loops in the blocks that are best where vectors have so many iterations of them, and the blocks in
/// words; `None` if there are none.
fn in_blocks(whole: &Program, lanes: usize) -> Option<(Program, Vec<String>)> {
    let mut candidate = whole.clone();
    let found = plan::plan(&candidate, lanes);
    if found.iter().all(Option::is_none) {
        return None;
    }
    let mut decisions = Vec::new();
    let mut splitter = Splitter::new(&candidate);
    let mut equations = Vec::new();
    for (equation, blocks) in candidate.equations.clone().into_iter().zip(found) {
        let Some(blocks) = blocks else {
            equations.push(equation);
            continue;
        };
        let parts = splitter.split(&mut candidate, &equation, &blocks);
        let name = &candidate.array(equation.target.array).name;
        let (blocks, count) = (blocks.describe(&candidate), parts.len());
        decisions.push(format!("`{name}`: {blocks}; {count} equations are left"));
        equations.extend(parts);
    }
    candidate.equations = equations;
    remove_unused(&mut candidate);
    Some((candidate, decisions))
}
