//! Loops over halves that are short, written out: results of a line are then values in registers, entries of
//! tables numbers, and what is zero among these takes no operations.

use super::places::Places;
use super::terms;
use crate::ir::{Affine, Equation, ExprId, IndexId, Program};
use crate::passes::table_entries;
use crate::rewrite::evaluate::{extents, points};
use crate::rewrite::normalise::sum;

/// Most iterations of a loop that is written out.
const SHORT: usize = 8;

/// The equations that take the place of one, for each iteration of the loops that are not its own.
pub fn written_out(
    program: &mut Program,
    of: &Equation,
    equations: Vec<Equation>,
) -> Vec<Equation> {
    let own: Vec<IndexId> = of.domain().collect();
    let mut result = Vec::new();
    for equation in equations {
        let new = |loops: &[IndexId]| -> Vec<IndexId> {
            let new = loops.iter().filter(|index| !own.contains(index));
            new.copied().collect()
        };
        let (around, summed) = (new(&equation.free), new(&equation.reduction));
        let loops = [around.clone(), summed.clone()].concat();
        match extents(program, &loops) {
            Some(extents) if extents.iter().all(|extent| *extent <= SHORT) => {
                let (places, terms) = extents.split_at(around.len());
                for place in points(places) {
                    let at = (&place[..], terms);
                    result.push(at_place(program, &equation, (&around, &summed), at));
                }
            }
            _ => result.push(equation),
        }
    }
    result
}

/// An equation at some iterations of loops around it, with its sum over others written out.
fn at_place(
    program: &mut Program,
    equation: &Equation,
    (around, summed): (&[IndexId], &[IndexId]),
    (place, extents): (&[usize], &[usize]),
) -> Equation {
    let mut places = Places::default();
    for (index, at) in around.iter().zip(place) {
        places.put(*index, Affine::constant(*at as i64));
    }
    let loops = [around, summed].concat();
    let values: Vec<ExprId> = points(extents)
        .map(|term| {
            let point = [place, &term].concat();
            table_entries::at(program, equation.expr, &loops, &point)
        })
        .collect();
    let element = program.pool.element(equation.expr);
    let added = values.iter().flat_map(|value| terms(&program.pool, *value));
    let added = added.collect();
    let left = |all: &[IndexId]| -> Vec<IndexId> {
        let left = all.iter().filter(|index| !loops.contains(index));
        left.copied().collect()
    };
    Equation {
        target: places.access(&equation.target),
        free: left(&equation.free),
        reduction: left(&equation.reduction),
        expr: sum(&mut program.pool, added, element),
        ..equation.clone()
    }
}
