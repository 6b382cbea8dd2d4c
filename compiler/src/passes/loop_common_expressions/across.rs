//! Sums that rows have in common, in the place of the temporaries that would hold them.
//!
//! Before: `t[j', i] = x[j', i] + u[j', i]   for j', i` and `y[j, i] = t[j, i] + t[j + 2, i]   for j, i`. After:
//! `y[j, i] = (x[j, i] + u[j, i]) + (x[j + 2, i] + u[j + 2, i])   for j, i`.

use super::{Reach, in_rows, shared};
use crate::ir::{ArrayId, Equation, Program, Role};
use crate::rewrite::replace::{replace_accesses, value_at};
use crate::rewrite::unused::remove_unused;

/// Shares in rows, and puts the terms of what rows compute together so that rows next to each other have sums in common. These
/// stay where they are: rows that take a step together compute each of them once
/// ([`same_rows`](crate::schedule::same_rows)). Nothing where there are no loops over rows.
pub fn across_rows(program: &mut Program) -> Vec<String> {
    if program.equations.iter().all(|own| own.free.len() < 2) {
        return Vec::new();
    }
    let mut decisions = in_rows(program);
    let (first, assumed) = (program.arrays.len(), program.assumed.clone());
    decisions.extend(shared(program, Reach::ACROSS, None));
    put_back(program, first);
    program.assumed = assumed;
    decisions
}

/// Puts what temporaries from some array on hold where it is read, as what no rewrite looks through.
fn put_back(program: &mut Program, first: usize) {
    let mut defined: Vec<Equation> = Vec::new();
    for at in 0..program.equations.len() {
        let expr = program.equations[at].expr;
        let expr = replace_accesses(program, expr, |program, access, _| {
            let own = defined.iter().find(|own| own.target.array == access.array);
            let value = value_at(program, own?, access);
            Some(program.pool.kept(value))
        });
        program.equations[at].expr = expr;
        if is_new(program, program.equations[at].target.array, first) {
            defined.push(program.equations[at].clone());
        }
    }
    remove_unused(program);
}

fn is_new(program: &Program, array: ArrayId, first: usize) -> bool {
    array.0 as usize >= first && matches!(program.array(array).role, Role::Temporary)
}

#[cfg(test)]
mod tests {
    use crate::ir::text;
    use crate::passes::loop_common_expressions::across_rows;
    use crate::passes::whole_sums;

    /// The equations of what rows of a program have in common.
    fn equations(source: &str) -> String {
        let head = "program p\nindex k: l\nindex j: n\nindex i: m\nparam 0 x: f64[l + 2, n + 2, m + 2]\n\
                    output 1 y: f64[l, n, m]\nparam 2 l: usize\nparam 3 n: usize\nparam 4 m: usize\n";
        let mut program = text::parse(&format!("{head}{source}")).unwrap();
        across_rows(&mut program);
        assert!(program.assumed.is_empty(), "no loop is longer");
        let printed = text::print(&whole_sums::released(&program));
        let equations = printed.lines().filter(|line| line.contains(" = "));
        equations.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn rows_have_sums_of_planes_in_common() {
        let rows = (0..3).flat_map(|b| (0..3).map(move |a| format!("x[k + {a}, j + {b}, i]")));
        let sum = rows.collect::<Vec<_>>().join(" + ");
        assert_eq!(
            equations(&format!("y[k, j, i] = {sum}   for k, j, i\n")),
            "y[k, j, i] = (x[k, j, i] + x[k + 1, j, i] + x[k + 2, j, i]) \
             + (x[k, j + 1, i] + x[k + 1, j + 1, i] + x[k + 2, j + 1, i]) \
             + (x[k, j + 2, i] + x[k + 1, j + 2, i] + x[k + 2, j + 2, i])   for k, j, i"
        );
    }

    #[test]
    fn what_no_other_row_has_stays() {
        let sum =
            "y[k, j, i] = 2 * x[k, j, i] + 3 * x[k, j + 1, i] + 5 * x[k + 1, j, i]   for k, j, i";
        assert_eq!(equations(&format!("{sum}\n")), sum);
    }
}
