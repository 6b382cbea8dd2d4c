//! How many bytes of arrays from outside one iteration of the run-time loops reads and writes.
//!
//! An element counts once, however often it is used: by an iteration's other accesses, and by the
//! iterations before and after it, whose shifted accesses (`u[i - 1]`, `u[i + 1]`) meet the same elements.
//! What does not change in the innermost run-time loops stays near, and counts nothing.

use std::collections::BTreeSet;

use crate::ir::{Access, Affine, ArrayId, Atom, Equation, IndexId, Program, Role};

/// Bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Read.
    pub read: u64,
    /// Written.
    pub written: u64,
}

/// Most elements of an access that are told apart.
const MOST: usize = 1 << 12;

/// An element: its array, and its subscripts without what shifts them by whole iterations.
type Met = BTreeSet<(ArrayId, Vec<Affine>)>;

/// What one iteration of the run-time loops of a program moves.
pub fn traffic(program: &Program) -> Traffic {
    let (mut read, mut written) = (Met::new(), Met::new());
    for equation in &program.equations {
        let accesses = program.pool.accesses([equation.expr]).into_iter();
        for (_, access) in accesses {
            meet(program, equation, access, &mut read);
        }
        meet(program, equation, &equation.target, &mut written);
        if equation.operator.accumulated().is_some() {
            meet(program, equation, &equation.target, &mut read);
        }
    }
    let bytes = |met: &Met| {
        let each = met
            .iter()
            .map(|(array, _)| program.array(*array).element.bits() as u64 / 8);
        each.fold(0, u64::saturating_add)
    };
    Traffic {
        read: bytes(&read),
        written: bytes(&written),
    }
}

/// Adds the elements of an access in all iterations of the loops of constant length, and the entries of
/// the index maps in its subscripts.
fn meet(program: &Program, equation: &Equation, access: &Access, met: &mut Met) {
    for subscript in &access.subscripts {
        for (atom, _) in &subscript.terms {
            if let Atom::Map(map, inner) = atom {
                let entry = Access {
                    array: *map,
                    subscripts: inner.clone(),
                };
                meet(program, equation, &entry, met);
            }
        }
    }
    let outside = matches!(
        program.array(access.array).role,
        Role::Parameter(_) | Role::Output(_) | Role::State(_)
    );
    let run_time = |index: &IndexId| !program.is_constant(*index);
    let loops: BTreeSet<IndexId> = equation.domain().filter(run_time).collect();
    let all = Affine::indices_of(&access.subscripts);
    let own: BTreeSet<IndexId> = all.iter().copied().filter(run_time).collect();
    if !outside || own != loops || loops.is_empty() {
        return;
    }
    let array = program.viewed(access.array);
    let constant: Vec<(IndexId, usize)> = all
        .iter()
        .filter_map(|index| Some((*index, program.loop_index(*index).extent.as_constant()?)))
        .collect();
    let count = constant
        .iter()
        .map(|(_, extent)| *extent)
        .product::<usize>();
    for number in 0..count.min(MOST) {
        let mut left = number;
        let mut values: Vec<(IndexId, i64)> = Vec::new();
        for (index, extent) in &constant {
            values.push((*index, (left % extent) as i64));
            left /= extent;
        }
        let by = |index: IndexId| {
            let value = values.iter().find(|(other, _)| *other == index);
            value.map_or_else(|| Affine::index(index), |(_, v)| Affine::constant(*v))
        };
        let subscripts = access.subscripts.iter();
        let subscripts = subscripts.map(|subscript| unshifted(subscript.substitute(&by)));
        met.insert((array, subscripts.collect()));
    }
}

/// A subscript without the whole iterations that it is shifted by.
fn unshifted(mut subscript: Affine) -> Affine {
    let steps = subscript.terms.iter().filter_map(|(atom, coefficient)| {
        matches!(atom, Atom::Index(_)).then_some(coefficient.abs())
    });
    if let Some(step) = steps.min() {
        subscript.constant = subscript.constant.rem_euclid(step.max(1));
    }
    subscript
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;

    fn of(program: &str) -> Traffic {
        traffic(&text::parse(program).unwrap())
    }

    #[test]
    fn neighbours_are_read_once() {
        let found = of("program p
index i: len(x)
param 0 x: f64[len(x)]
output 1 y: f64[len(y)]
y[i] = x[i] + x[i + 1] + x[i + 2]   for i
");
        assert_eq!(
            found,
            Traffic {
                read: 8,
                written: 8
            }
        );
    }

    #[test]
    fn what_inner_loops_do_not_change_is_near() {
        let found = of("program p
index i: len(y)
index j: len(x)
param 0 a: f64[len(y), len(x)]
param 1 x: f64[len(x)]
output 2 y: f64[len(y)]
y[i] += sum(j) a[i, j] * x[j]   for i
");
        assert_eq!(
            found,
            Traffic {
                read: 8,
                written: 0
            }
        );
    }

    #[test]
    fn elements_of_a_cell_are_told_apart() {
        let found = of("program p
index e: len(x)
index k: 3
param 0 x: f32[len(x), 4]
output 1 y: f32[len(y), 3]
y[e, k] += x[e, k] * x[e, 3] + x[e, 0]   for e, k
");
        let (read, written) = (4 * 4 + 3 * 4, 3 * 4);
        assert_eq!(found, Traffic { read, written });
    }
}
