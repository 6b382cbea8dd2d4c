//! Values of temporaries that nothing reads before other values take their places.
//!
//! `t[i] = 0` for all `i`, and then `t[i] = x[i]` for all of them, is the latter. A local array of the text is
//! filled where it is declared, mostly for nothing.
//!
//! Holds: nothing reads the array before the later assignment, which is of all that the earlier one wrote.

use crate::collections::HashMap;
use crate::ir::{ArrayId, Equation, IndexId, Operator, Program, Role};

/// Most later assignments that one is compared with.
const MOST: usize = 32;

/// Leaves out what is overwritten.
pub fn leave_out(program: &mut Program) {
    let mut written = program.written();
    let temporary = |array: &ArrayId| matches!(program.array(*array).role, Role::Temporary);
    written.retain(|array, writers| writers.len() > 1 && temporary(array));
    if written.is_empty() {
        return;
    }
    let first_reads = first_reads(program);
    let mut overwritten = Vec::new();
    for (array, writers) in written {
        let end = first_reads.get(&array).copied();
        let unread = writers.iter().copied();
        let unread: Vec<usize> = unread
            .filter(|at| end.is_none_or(|end| *at < end))
            .collect();
        for (n, before) in unread.iter().enumerate() {
            let mut later = unread[n + 1..].iter().take(MOST);
            if later.any(|at| covers(program, *at, *before)) {
                overwritten.push(*before);
            }
        }
    }
    overwritten.sort_unstable();
    let mut at = 0;
    program.equations.retain(|_| {
        at += 1;
        overwritten.binary_search(&(at - 1)).is_err()
    });
}

/// The first equation that reads each temporary.
fn first_reads(program: &Program) -> HashMap<ArrayId, usize> {
    let mut result = HashMap::default();
    for at in 0..program.equations.len() {
        for array in program.temporaries_read(at) {
            result.entry(array).or_insert(at);
        }
    }
    result
}

/// Whether one equation writes all elements that another one does: in each dimension all that there are, or
/// the same one.
fn covers(program: &Program, all: usize, part: usize) -> bool {
    let [all, part] = [all, part].map(|at| &program.equations[at]);
    if all.operator != Operator::Assign {
        return false;
    }
    let shape = program.array(all.target.array).shape.iter();
    let subscripts = all.target.subscripts.iter().zip(&part.target.subscripts);
    let mut met: Vec<IndexId> = Vec::new();
    let each = subscripts.zip(shape).all(|((own, other), extent)| {
        match (own.as_index(), own.as_constant()) {
            (Some(index), _) => {
                let new = !met.contains(&index);
                met.push(index);
                new && program.loop_index(index).extent == *extent
            }
            (None, Some(_)) => own == other,
            (None, None) => false,
        }
    });
    each && runs(program, all, &met)
}

/// Whether an equation has an iteration for each of those of some loops: without other ones, which may have
/// none.
fn runs(program: &Program, equation: &Equation, loops: &[IndexId]) -> bool {
    let others = equation.free.iter().filter(|index| !loops.contains(index));
    let some = |index: &IndexId| program.loop_index(*index).extent.as_constant() > Some(0);
    others.copied().all(|index| some(&index))
}

#[cfg(test)]
mod tests {
    use super::leave_out;
    use crate::ir::text::{equation, parse};

    const HEAD: &str = "program p
index e: len(x)
index i: 4
index j: 4
index k: 3
param 0 x: f64[len(x), 4]
output 1 y: f64[4]
temp s: f64
temp t: f64[4]
temp u: f64[len(x), 4]
";

    fn check(equations: &str, left: &str) {
        let mut program = parse(&format!("{HEAD}{equations}")).unwrap();
        leave_out(&mut program);
        let found = (0..program.equations.len()).map(|at| equation(&program, at));
        let found: Vec<String> = found.map(|text| text.trim_end().to_owned()).collect();
        assert_eq!(found.join("; "), left, "{equations}");
    }

    #[test]
    fn the_last_assignment_is_left() {
        let last = "t[j] = x[0, j]   for j; y[i] = t[i]   for i";
        check(
            &format!("t[i] = 0 for i; t[k] = 1 for k; t[2] = 9; {last}"),
            last,
        );
        check("s = 0; s += 1; s = 2; y[0] = s", "s = 2; y[0] = s");
        check(
            "u[e, i] = 0 for e, i; u[e, 0] = 2 for e; u[e, 0] = 3 for e",
            "u[e, i] = 0   for e, i; u[e, 0] = 3   for e",
        );
    }

    #[test]
    fn what_is_read_or_partly_left_stays() {
        for equations in [
            "t[i] = 0   for i; t[k] = 1   for k",
            "t[i] = 0   for i; t[0] = 1; t[i] += 1   for i",
            "t[i] = 0   for i; y[i] = t[i]   for i; t[i] = 1   for i",
            "s = 0; s = s + 1",
            // No cell, perhaps.
            "t[i] = 0   for i; t[i] = x[e, i]   for i, e",
        ] {
            check(equations, equations);
        }
    }
}
