//! What iterations hand on, shown to the sums that read it.
//!
//! ```text
//! s[i, j + 1] = s[i, j] * x[i]   for i, j       shown[i, j] = s[i, j]          for i, j
//! y[i] = sum(j) s[i, j]          for i          s[i, j + 1] = s[i, j] * x[i]   for i, j
//!                                               y[i] = sum(j) shown[i, j]      for i
//! ```
//! An element that is handed on lies where the next one takes its place: nothing but the equations that take turns can
//! read it ([`carried`](super::carried)). What reads it in the same iteration, from the outside, reads a copy, which is
//! one of these equations and in a register once the loops are one.

use crate::collections::HashMap;
use crate::ir::{
    Access, Affine, ArrayId, Equation, Expr, ExprId, IndexId, Operator, Program, Role,
};
use crate::rewrite::replace::replace_accesses;

/// A program in which nothing else reads what equations hand on in the iteration that has it; `None` if nothing does.
pub fn run(program: &Program) -> Option<Program> {
    program.recurrence()?;
    let mut result: Option<Program> = None;
    // Where equations are now.
    let mut places: Vec<usize> = (0..program.equations.len()).collect();
    // From the last group on, so that what is inserted moves none of those before.
    for group in program.together().into_iter().rev() {
        let free = program.equations[group.start].free.clone();
        let targets = program.equations[group.clone()].iter();
        let handed: Vec<ArrayId> = targets
            .filter(|equation| is_later(&equation.target, &free))
            .map(|equation| equation.target.array)
            .collect();
        let alike = (program.equations[group.clone()].iter())
            .all(|equation| equation.free == free && equation.reduction.is_empty());
        if handed.is_empty() || !alike {
            continue;
        }
        let is_shown = |access: &Access| handed.contains(&access.array) && is_own(access, &free);
        let readers: Vec<usize> = (group.end..program.equations.len())
            .filter(|at| {
                let read = program.pool.accesses([program.equations[*at].expr]);
                read.iter().any(|(_, access)| is_shown(access))
            })
            .collect();
        if readers.is_empty() {
            continue;
        }
        let result = result.get_or_insert_with(|| program.clone());
        let mut copies: HashMap<ArrayId, ExprId> = HashMap::default();
        let mut added = Vec::new();
        for at in readers {
            let expr = result.equations[places[at]].expr;
            let expr = replace_accesses(result, expr, |result, access, _| {
                is_shown(access).then(|| match copies.get(&access.array) {
                    Some(copy) => *copy,
                    None => {
                        let (equation, copy) = copy(result, access, &free);
                        added.push(equation);
                        copies.insert(access.array, copy);
                        copy
                    }
                })
            });
            result.equations[places[at]].expr = expr;
        }
        let behind = places.iter_mut().skip(group.start);
        behind.for_each(|place| *place += added.len());
        result.equations.splice(group.start..group.start, added);
    }
    result
}

/// Whether a target is an element of a later iteration of the loops around it.
fn is_later(target: &Access, free: &[IndexId]) -> bool {
    let ahead = |subscript: &Affine| {
        let own = |index: &&IndexId| {
            let distance = subscript.sub(&Affine::index(**index)).as_constant();
            distance.is_some_and(|by| by > 0)
        };
        free.iter().any(|index| own(&index))
    };
    target.subscripts.iter().any(ahead)
}

/// Whether an access is to the element of the iteration itself, for all loops of a group.
fn is_own(access: &Access, free: &[IndexId]) -> bool {
    let indices: Option<Vec<IndexId>> = access.subscripts.iter().map(Affine::as_index).collect();
    indices.is_some_and(|indices| {
        indices.len() == free.len() && free.iter().all(|index| indices.contains(index))
    })
}

/// The equation that copies an element, and the copy as it is read.
fn copy(program: &mut Program, access: &Access, free: &[IndexId]) -> (Equation, ExprId) {
    let (name, element) = {
        let array = program.array(access.array);
        (format!("{}_shown", array.name), array.element)
    };
    let extents = free
        .iter()
        .map(|index| program.loop_index(*index).extent.clone());
    let shape = extents.collect();
    let array = program.add_array(&name, element, shape, Role::Temporary);
    let target = Access {
        array,
        subscripts: free.iter().map(|index| Affine::index(*index)).collect(),
    };
    let read = program.pool.add(Expr::Access(target.clone()), element);
    let expr = program.pool.add(Expr::Access(access.clone()), element);
    let equation = Equation {
        target,
        operator: Operator::Assign,
        free: free.to_vec(),
        reduction: Vec::new(),
        expr,
    };
    (equation, read)
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::ir::text;
    use expect_test::{Expect, expect};

    fn check(equations: &str, expected: &Expect) {
        let head = "program p\nindex i: n\nindex j: m\nparam 2 n: usize\nparam 3 m: usize\nparam 0 x: f64[n]\n\
                    output 1 y: f64[n]\ntemp s: f64[n, m + 1]\ntemp t: f64[n, m]\n";
        let program = text::parse(&format!("{head}{equations}")).unwrap();
        let printed = match run(&program) {
            Some(program) => text::print(&program),
            None => "\n\nas it is".to_owned(),
        };
        let (_, found) = printed.rsplit_once("\n\n").unwrap();
        expected.assert_eq(found);
    }

    #[test]
    fn sums_read_copies() {
        check(
            "s[i, 0] = x[i] for i; t[i, j] = s[i, j] * x[i] for i, j; s[i, j + 1] = t[i, j] for i, j; \
             y[i] = sum(j) s[i, j] * s[i, j] for i",
            &expect![[r#"
                s[i, 0] = x[i]   for i
                s_shown[i, j] = s[i, j]   for i, j
                t[i, j] = s[i, j] * x[i]   for i, j
                s[i, j + 1] = t[i, j]   for i, j
                y[i] = sum(j) s_shown[i, j] * s_shown[i, j]   for i
            "#]],
        );
    }

    #[test]
    fn what_is_left_is_read_where_it_is() {
        check(
            "s[i, 0] = x[i] for i; s[i, j + 1] = s[i, j] * x[i] for i, j; y[i] = s[i, m] for i",
            &expect!["as it is"],
        );
    }
}
