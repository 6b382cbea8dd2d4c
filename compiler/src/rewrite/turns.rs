//! What takes no turns stands before the equations that do.
//!
//! ```text
//! t[i] = a * s[i]   for i                   c = 2 * b
//! c = 2 * b                                 t[i] = a * s[i]   for i
//! s[i + 1] = t[i] + c   for i               s[i + 1] = t[i] + c   for i
//! ```
//! Passes put a value that loops do not change before the equation that needs it, which may be one of a
//! [group](Program::together) of equations that hand values on: these are in the same loops, and nothing else is between
//! them. What is moved reads nothing that it is moved over.

use crate::ir::{Equation, Program};

/// Moves equations over other loops out of groups, as far as nothing that they read is written in these.
pub fn settle(program: &mut Program) {
    if program.recurrence().is_none() {
        return;
    }
    for group in program.together() {
        let free = program.equations[group.start].free.clone();
        let mut to = group.start;
        for at in group {
            let equation = &program.equations[at];
            let over = &program.equations[to..at];
            if equation.free == free || over.iter().any(|other| reads(program, equation, other)) {
                continue;
            }
            let moved = program.equations.remove(at);
            program.equations.insert(to, moved);
            to += 1;
        }
    }
}

/// Whether an equation reads what another one writes, or both write it.
fn reads(program: &Program, equation: &Equation, other: &Equation) -> bool {
    let written = program.viewed(other.target.array);
    let accesses = program.pool.accesses([equation.expr]);
    let mut arrays = accesses.into_iter().map(|(_, access)| access.array);
    arrays.any(|array| program.viewed(array) == written)
        || program.viewed(equation.target.array) == written
}

#[cfg(test)]
mod tests {
    use super::settle;
    use crate::ir::text;
    use expect_test::{Expect, expect};

    fn check(equations: &str, expected: &Expect) {
        let head = "program p\nindex i: 4\nparam 0 x: f64[9]\noutput 1 y: f64[9]\ntemp s: f64[5]\ntemp t: f64[4]\n\
                    temp c: f64\n";
        let mut program = text::parse(&format!("{head}{equations}")).unwrap();
        settle(&mut program);
        let printed = text::print(&program);
        let (_, found) = printed.rsplit_once("\n\n").unwrap();
        expected.assert_eq(found);
    }

    #[test]
    fn what_loops_do_not_change_is_before_them() {
        check(
            "s[0] = x[0]; t[i] = 2 * s[i] for i; c = x[1] * x[2]; s[i + 1] = t[i] + c for i; y[i] = t[i] for i",
            &expect![[r#"
                s[0] = x[0]
                c = x[1] * x[2]
                t[i] = 2 * s[i]   for i
                s[i + 1] = t[i] + c   for i
                y[i] = t[i]   for i
            "#]],
        );
    }

    #[test]
    fn what_needs_them_stays() {
        check(
            "s[0] = x[0]; t[i] = 2 * s[i] for i; c = t[0]; s[i + 1] = t[i] + c for i",
            &expect![[r#"
                s[0] = x[0]
                t[i] = 2 * s[i]   for i
                c = t[0]
                s[i + 1] = t[i] + c   for i
            "#]],
        );
    }
}
