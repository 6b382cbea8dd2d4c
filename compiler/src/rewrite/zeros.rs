//! Leaves out zeros that sums start from.
//!
//! `t[i] = 0` and `t[i] += x` are `t[i] = x`; so are parts of an array, if sums are added to all of it:
//! `a[i] = 0`, `a[2 j] += x` and `a[2 j + 1] += y`. To elements that have a sum already, more may be
//! added.
//!
//! Holds: nothing reads the array between the zeros and the last sum. `-0` becomes `0 + -0 = 0` with
//! the zero alone.

use crate::collections::{HashMap, HashSet};
use crate::ir::{Affine, ArrayId, Equation, Extent, IndexId, Operator, Program, Role};

/// Most elements of a row of an array that are looked at.
const MOST: usize = 1 << 16;

/// Leaves out the zeros of a program.
pub fn leave_out(program: &mut Program) {
    let mut zeros = HashSet::default();
    for (array, of) in program.written() {
        let Some((start, sums)) = of.split_first() else {
            continue;
        };
        let own = match program.array(array).role {
            Role::Temporary => true,
            Role::Output(_) => !program.is_in_place(),
            _ => false,
        };
        if !own || !is_zero(program, *start) || is_read(program, array, &of) {
            continue;
        }
        if let Some(first) = first_sums(program, *start, sums) {
            zeros.insert(*start);
            for at in first {
                program.equations[at].operator = Operator::Assign;
            }
        }
    }
    let mut at = 0;
    program.equations.retain(|_| {
        at += 1;
        !zeros.contains(&(at - 1))
    });
}

/// Whether an equation assigns zeros.
pub fn is_zero(program: &Program, at: usize) -> bool {
    let equation = &program.equations[at];
    equation.operator == Operator::Assign && program.pool.is_zero(equation.expr)
}

/// Whether something reads an array between the first and the last of its writers.
pub fn is_read(program: &Program, array: ArrayId, writers: &[usize]) -> bool {
    let ends = writers.first().zip(writers.last());
    let mut known = HashMap::default();
    ends.is_some_and(|(first, last)| {
        let mut between = program.equations[*first..=*last].iter();
        between.any(|equation| program.pool.reads(equation.expr, array, &mut known))
    })
}

/// Those of some sums that are the first ones of their elements, if all elements that are zero at the
/// start have one.
fn first_sums(program: &Program, start: usize, sums: &[usize]) -> Option<Vec<usize>> {
    let zero = &program.equations[start];
    let whole = zero.target.loops(&zero.free)?;
    let constant = |index: &IndexId| program.loop_index(*index).extent.as_constant();
    let elements: usize = whole.iter().filter_map(constant).product();
    let mut met: HashSet<Vec<i64>> = HashSet::default();
    let mut first = Vec::new();
    for at in sums {
        let own = summed_elements(program, &program.equations[*at], &whole)?;
        if own.is_disjoint(&met) {
            first.push(*at);
            met.extend(own);
        } else if !own.is_subset(&met) {
            return None;
        }
    }
    (met.len() == elements).then_some(first)
}

/// The elements that a sum is added to, each once.
fn summed_elements(
    program: &Program,
    equation: &Equation,
    whole: &[IndexId],
) -> Option<HashSet<Vec<i64>>> {
    // Of a sum whose length is not known, the zero is what there is without a term.
    let has_terms = |i: &IndexId| program.loop_index(*i).extent.as_constant() > Some(0);
    let sum = equation.operator == Operator::ADD && equation.reduction.iter().all(has_terms);
    sum.then(|| elements(program, equation, whole))?
}

/// The elements that an equation writes, each once: subscripts in the dimensions of known extent. In
/// the others they are its loops, as long as those of `whole`, which are all that is there.
pub fn elements(
    program: &Program,
    equation: &Equation,
    whole: &[IndexId],
) -> Option<HashSet<Vec<i64>>> {
    let extent = |index: IndexId| &program.loop_index(index).extent;
    let mut inner: Vec<(IndexId, usize)> = Vec::new();
    let mut outer: Vec<IndexId> = Vec::new();
    for index in &equation.free {
        match extent(*index) {
            Extent::Constant(n) => inner.push((*index, *n)),
            Extent::RunTime(_) => outer.push(*index),
        }
    }
    let size = inner.iter().map(|(_, n)| n).product::<usize>();
    let mut subscripts: Vec<(&Affine, i64)> = Vec::new();
    for (subscript, index) in equation.target.subscripts.iter().zip(whole) {
        match extent(*index) {
            Extent::Constant(n) => subscripts.push((subscript, *n as i64)),
            run_time => {
                let own = subscript
                    .as_index()
                    .filter(|own| extent(*own) == run_time)?;
                let at = outer.iter().position(|index| *index == own)?;
                outer.remove(at);
            }
        }
    }
    if !outer.is_empty() || size > MOST {
        return None;
    }
    let mut result = HashSet::default();
    for mut at in 0..size {
        let mut iteration = HashMap::default();
        for (index, n) in &inner {
            iteration.insert(*index, (at % n) as i64);
            at /= n;
        }
        let element = subscripts.iter().map(|(subscript, end)| {
            let value = subscript.value(|index| iteration.get(&index).copied())?;
            (0..*end).contains(&value).then_some(value)
        });
        if !result.insert(element.collect::<Option<Vec<i64>>>()?) {
            return None;
        }
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::leave_out;
    use crate::ir::text::{equation, parse};

    const ARRAYS: &str = "\
program p

index e: len(x)
index z: len(y)
index i: 6
index j: 3
index k: 4
index q: 2

param 0 x: f64[len(x), 6]
output 1 y: f64[len(y), 6]
temp t: f64[len(x), 6]

";

    fn check(equations: &str, expected: &Expect) {
        let mut program = parse(&format!("{ARRAYS}{equations}")).unwrap();
        leave_out(&mut program);
        let found = (0..program.equations.len()).map(|at| equation(&program, at));
        expected.assert_eq(&found.collect::<String>());
    }

    #[test]
    fn one_sum_needs_no_zero() {
        check(
            "y[e, i] = 0   for e, i\n\
             y[e, i] += sum(q) x[e, q]   for e, i\n",
            &expect![[r#"
                y[e, i] = sum(q) x[e, q]   for e, i
            "#]],
        );
    }

    #[test]
    fn parts_may_have_sums_of_their_own_and_more_than_one() {
        check(
            "y[e, i] = 0   for e, i\n\
             y[e, 2*j] += x[e, j]   for e, j\n\
             y[e, 2*j] += sum(q) x[e, q]   for e, j\n\
             y[e, 2*j + 1] += x[e, j]   for e, j\n",
            &expect![[r#"
                y[e, 2*j] = x[e, j]   for e, j
                y[e, 2*j] += sum(q) x[e, q]   for e, j
                y[e, 2*j + 1] = x[e, j]   for e, j
            "#]],
        );
    }

    #[test]
    fn elements_without_a_sum_need_the_zeros() {
        for sums in [
            "y[e, 2*j] += x[e, j]   for e, j\n",
            "y[e, k] += x[e, k]   for e, k\n",
            // Some elements have a sum already, others do not.
            "y[e, k] += x[e, k]   for e, k\ny[e, i] += x[e, i]   for e, i\n",
        ] {
            unchanged(&format!("y[e, i] = 0   for e, i\n{sums}"));
        }
    }

    #[test]
    fn other_programs_stay() {
        for equations in [
            // Another loop of unknown length.
            "y[e, i] = 0   for e, i\ny[z, i] += x[0, i]   for z, i\n",
            // A sum without terms, perhaps.
            "y[e, i] = 0   for e, i\ny[e, i] += sum(z) x[z, i]   for e, i\n",
            // Elements that are met twice.
            "y[e, i] = 0   for e, i\ny[e, i] += x[e, k]   for e, i, k\n",
            "y[e, i] = 0   for e, i\ny[e, j + q] += x[e, j]   for e, j, q\n",
            "t[e, i] = 0   for e, i\ny[e, i] = t[e, i]   for e, i\nt[e, i] += x[e, i]   for e, i\n",
            "y[e, i] = 1   for e, i\ny[e, i] += x[e, i]   for e, i\n",
        ] {
            unchanged(equations);
        }
    }

    fn unchanged(equations: &str) {
        let mut program = parse(&format!("{ARRAYS}{equations}")).unwrap();
        leave_out(&mut program);
        let found = (0..program.equations.len()).map(|at| equation(&program, at));
        assert_eq!(found.collect::<String>(), equations);
    }
}
