//! Which results are symmetric.
//!
//! A value, a sum mostly, is compared with itself, and with the others that go to the same array,
//! after the two loops of its result are exchanged in it. What is compared are values, so that
//! factors need not have been multiplied out.

use crate::analysis::identity::Identities;
use crate::collections::HashMap;
use crate::ir::{Access, Affine, Equation, IndexId, Mirror, Program, Role};
use crate::number::Field;

/// Most equations that are compared with each other.
const MOST: usize = 64;

/// Notes the mirrors of a program. It does not change what the program computes, or how.
pub fn run(program: &mut Program) -> Vec<String> {
    program.mirrors.clear();
    if program.exact || program.is_in_place() || program.equations.len() > MOST {
        return Vec::new();
    }
    let all: Vec<usize> = (0..program.equations.len()).collect();
    let mirrors = with_sums(program, &all).into_iter();
    let told = mirrors.filter_map(|(mirror, sums)| told_apart(program, mirror, sums));
    program.mirrors = told.collect();
    match program.mirrors.len() {
        0 => Vec::new(),
        count => vec![format!(
            "{count} results are symmetric, or equal to others transposed"
        )],
    }
}

/// A mirror of sums over some loops, of these alone where others go to its targets too; `None` where they could not be
/// told from it: equations change between here and where they are halved, and are known by their targets.
fn told_apart(program: &Program, mirror: Mirror, sums: Vec<IndexId>) -> Option<Mirror> {
    let is_told = |mirror: &Mirror| {
        let once = |target: &Access| {
            let all = program.equations.iter();
            all.filter(|sum| mirror.is_of(sum, target)).count() == 1
        };
        once(&mirror.from) && once(&mirror.to)
    };
    if is_told(&mirror) {
        return Some(mirror);
    }
    let none = sums.is_empty();
    let of_sums = Mirror {
        sums: Some(sums),
        ..mirror
    };
    (!none && is_told(&of_sums)).then_some(of_sums)
}

/// The mirrors among some of a program's equations.
pub fn found(program: &mut Program, equations: &[usize]) -> Vec<Mirror> {
    let found = with_sums(program, equations).into_iter();
    found.map(|(mirror, _)| mirror).collect()
}

/// The same with the loops that each is a sum over.
fn with_sums(program: &mut Program, equations: &[usize]) -> Vec<(Mirror, Vec<IndexId>)> {
    let mut mirrors = Vec::new();
    let mut identities = Identities::default();
    let mut sums: Vec<(usize, [IndexId; 2], Field, Field)> = Vec::new();
    for at in equations.iter().copied() {
        let equation = program.equations[at].clone();
        let Some([first, second]) = loops(program, &equation) else {
            continue;
        };
        let exchanged = |index: IndexId| match index {
            index if index == first => Affine::index(second),
            index if index == second => Affine::index(first),
            index => Affine::index(index),
        };
        let pool = &mut program.pool;
        let other = pool.substitute(equation.expr, &exchanged, &mut HashMap::default());
        let own = identities.value(pool, equation.expr);
        let other = identities.value(pool, other);
        sums.push((at, [first, second], own, other));
    }
    let mut used = vec![false; program.equations.len()];
    for (position, (at, loops, _, exchanged)) in sums.iter().enumerate() {
        let partner = sums[position..].iter().find(|(other, others, own, _)| {
            let (mine, theirs) = (&program.equations[*at], &program.equations[*other]);
            own == exchanged
                && loops == others
                && mine.target.array == theirs.target.array
                && mine.operator == theirs.operator
                && mine.free == theirs.free
                && mine.reduction == theirs.reduction
                && !used[*other]
        });
        if let Some((other, ..)) = partner.filter(|_| !used[*at]) {
            (used[*at], used[*other]) = (true, true);
            let mirror = Mirror {
                from: program.equations[*at].target.clone(),
                to: program.equations[*other].target.clone(),
                first: loops[0],
                second: loops[1],
                sums: None,
            };
            mirrors.push((mirror, program.equations[*at].reduction.clone()));
        }
    }
    mirrors
}

/// The two loops of a result that may be exchanged: the only ones of constant length, and equally
/// long.
fn loops(program: &Program, equation: &Equation) -> Option<[IndexId; 2]> {
    let length = |index: &IndexId| program.loop_index(*index).extent.as_constant();
    let inner: Vec<IndexId> = equation
        .free
        .iter()
        .copied()
        .filter(|i| length(i).is_some())
        .collect();
    let [first, second] = inner[..] else {
        return None;
    };
    let output = matches!(program.array(equation.target.array).role, Role::Output(_));
    let equal = length(&first) == length(&second) && length(&first) > Some(1);
    (output && equal).then_some([first, second])
}
