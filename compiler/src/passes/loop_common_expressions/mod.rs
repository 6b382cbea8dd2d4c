//! Loop common expressions: what several iterations compute is computed once (Ernst 1995, chapters 2 and 3,
//! sections 1.4, 5.1.2 and 7.2).
//!
//! An expression whose translate by some iterations another one needs becomes a temporary over the loops, which
//! is longer by what they are away from each other. Sums are sums of weighted translates: pairs of their terms
//! that stand at several places are such expressions too, in whatever order the text adds (`search`).
//!
//! Before: `y[i] = x[i] + x[i + 1] + x[i + 2] + x[i + 3]   for i`. After: `t[i'] = x[i'] + x[i' + 1]   for i'`,
//! where `i'` takes two more values than `i`, and `y[i] = t[i] + t[i + 2]   for i`.
//! Holds: values are equal in exact arithmetic, bit by bit where operations keep their order; elements are
//! read from between those that the text reads. Loops that run at least once are assumed
//! ([`Program::assumed`]).
//!
//! What it takes is computing and keeping: operations, loads and stores of a point are compared
//! ([`Work`](crate::analysis::cost::Work)). Sums that [`whole_sums`](super::whole_sums) keeps stay whole, but for those of
//! translates (`kept`), where what comes of it is as accurate as the text (`waves`).

mod across;
mod bases;
mod differences;
mod domains;
mod form;
mod gather;
mod group;
mod kept;
mod plan;
mod powers;
mod running;
mod search;
mod split;
mod waves;
mod writer;

use std::collections::BTreeSet;

use crate::collections::HashSet;
use crate::ir::{Affine, Combining, Equation, Expr, ExprId, IndexId, Program, Role};
use crate::rewrite::evaluate::{extents, points};
use crate::rewrite::normalise::sum;
use crate::rewrite::replace::{replace_accesses, value_at};
use crate::rewrite::translate::{AXES, Translation};
use crate::rewrite::unused::remove_unused;
use crate::syntax::ast::Differencing;
pub use across::across_rows;
use group::{Group, Running, Shared};

use super::table_entries::at;

/// The name of the pass.
pub const NAME: &str = "loop_common_expressions";

/// Most terms of a sum over loops that is written out.
const MOST_TERMS: usize = 1024;

/// Most terms of a sum that is written out where nothing is shared.
const MOST_WRITTEN: usize = 64;

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    shared(program, Reach::ALL, None)
}

/// Shares along the innermost loops alone: temporaries are rows inside of the others.
pub fn in_rows(program: &mut Program) -> Vec<String> {
    shared(program, Reach::ROWS, None)
}

/// Shares along the two innermost loops alone, where temporaries that are kept from row to row save more than
/// moving them takes.
pub fn in_planes(program: &mut Program) -> Vec<String> {
    shared(program, Reach::PLANES, None)
}

/// Shares what is left of sums that run along the outer loops.
pub fn running_outside(program: &mut Program) -> Vec<String> {
    running_along(program, Along::Outer)
}

/// The same of sums that run along the innermost loop too, from one vector to a later one.
pub fn running_in_vectors(program: &mut Program) -> Vec<String> {
    running_along(program, Along::Vectors)
}

/// The same of sums that run from one iteration of any loop to the next.
pub fn running_anywhere(program: &mut Program) -> Vec<String> {
    running_along(program, Along::All)
}

fn running_along(program: &mut Program, along: Along) -> Vec<String> {
    let mut values = program.equations.iter().map(|equation| equation.expr);
    let mut words = || values.any(|value| program.pool.element(value).as_word().is_some());
    let differences = match program.differencing {
        Differencing::Off => false,
        Differencing::Exact => words(),
        Differencing::Resync(_) => true,
    };
    match differences && !program.exact {
        true => shared(program, Reach::ALL, Some(along)),
        false => Vec::new(),
    }
}

/// How far sharing reaches.
#[derive(Clone, Copy, Debug)]
struct Reach {
    /// Along how many of the innermost loops.
    axes: usize,
    /// But for so many of these.
    but: usize,
    how: plan::How,
}

impl Reach {
    const ALL: Reach = Reach {
        axes: AXES,
        but: 0,
        how: plan::How::new(3, 0),
    };
    const PLANES: Reach = Reach {
        axes: 2,
        but: 0,
        how: plan::How::new(3, 2),
    };
    const ACROSS: Reach = Reach {
        axes: 2,
        but: 1,
        how: plan::How::new(3, 0),
    };
    // What is read along a row is shifted out of registers: pairs take fewer shuffles than what has fewer operations.
    const ROWS: Reach = Reach {
        axes: 1,
        but: 0,
        how: plan::How::new(1, 0),
    };
}

/// The loops along which sums may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Along {
    /// All but the innermost one, which is left to lanes.
    Outer,
    /// That one too, by whole vectors.
    Vectors,
    /// All of them.
    All,
}

/// Shares nothing, and writes short sums out that the pass looks at, since sums of neighbouring iterations then need
/// not wait for each other, or that are over entries of tables: those that are zero take nothing, and terms have
/// equal ones in common.
pub fn written(program: &mut Program) -> Vec<String> {
    let mut count = 0;
    for at in 0..program.equations.len() {
        let equation = program.equations[at].clone();
        let axes = &equation.free[equation.free.len().saturating_sub(AXES)..];
        let extents = extents(program, &equation.reduction);
        let short = extents.is_some_and(|extents| terms(&extents) <= MOST_WRITTEN)
            && !equation.reduction.is_empty();
        let short = short
            && (reads_translates(program, &equation, axes) || sums_entries(program, &equation));
        if let Some(value) = short.then(|| written_out(program, &equation)).flatten() {
            program.equations[at].expr = value;
            program.equations[at].reduction = Vec::new();
            count += 1;
        }
    }
    remove_unused(program);
    match count {
        0 => Vec::new(),
        _ => vec![format!("{count} sums written out")],
    }
}

/// Shares along some of the innermost loops.
fn shared(program: &mut Program, reach: Reach, along: Option<Along>) -> Vec<String> {
    let mut decisions = Vec::new();
    let mut done: HashSet<Vec<IndexId>> = HashSet::default();
    let own = program.indices.len();
    while let Some(free) = next(program, &done) {
        // What running sums begin with is no sum that runs.
        if along.is_some() && free.iter().any(|index| index.0 as usize >= own) {
            done.insert(free);
            continue;
        }
        let mut candidate = program.clone();
        if let Some(said) = share(&mut candidate, (&free, reach), along) {
            remove_unused(&mut candidate);
            *program = candidate;
            decisions.push(said);
        }
        done.insert(free);
    }
    decisions
}

/// The next loops whose equations have not been looked at.
fn next(program: &Program, done: &HashSet<Vec<IndexId>>) -> Option<Vec<IndexId>> {
    let mut loops = program.equations.iter().map(|equation| &equation.free);
    let found = loops.find(|free| !free.is_empty() && !done.contains(*free));
    found.cloned()
}

/// Whether a sum runs over short windows that lie over those of other iterations.
pub fn reads_windows(program: &Program, equation: &Equation) -> bool {
    let axes = &equation.free[equation.free.len().saturating_sub(AXES)..];
    let long: Vec<IndexId> = (axes.iter().copied())
        .filter(|axis| !program.is_constant(*axis))
        .collect();
    reads_translates(program, equation, &long)
}

/// Whether what a subscript reads in loops of some lengths lies over what it reads there in other iterations of an axis:
/// the windows of `u[i + k]` do, and neither the rows of `u[4 * i + k]` for k below 4 nor the columns of `u[i + 4 * k]` for
/// i below 4.
fn overlaps(
    program: &Program,
    subscript: &Affine,
    (loops, lengths): (&[IndexId], &[usize]),
    axes: &[IndexId],
) -> bool {
    let mut apart = BTreeSet::from([0_i64]);
    for (index, length) in loops.iter().zip(lengths) {
        let (step, most) = (subscript.coefficient(*index), *length as i64 - 1);
        if step != 0 {
            let each = apart.iter();
            let each = each.flat_map(|by| {
                (-most..=most).map(move |k| by.saturating_add(step.saturating_mul(k)))
            });
            apart = each.collect();
        }
    }
    axes.iter().any(|axis| {
        let step = subscript.coefficient(*axis).abs();
        let most = program.loop_index(*axis).extent.as_constant();
        let most = most.map_or(i64::MAX, |n| n as i64 - 1);
        let mut apart = apart.iter().filter(|by| **by > 0);
        step > 0 && apart.any(|by| by % step == 0 && by / step <= most)
    })
}

/// Whether a sum over short loops reads what other iterations of the axes read too.
fn reads_translates(program: &Program, equation: &Equation, axes: &[IndexId]) -> bool {
    let loops = &equation.reduction;
    let Some(extents) = extents(program, loops).filter(|extents| terms(extents) <= MOST_TERMS)
    else {
        return false;
    };
    let accesses = program.pool.accesses([equation.expr]);
    let mut subscripts = accesses.iter().flat_map(|(_, access)| &access.subscripts);
    subscripts.any(|subscript| overlaps(program, subscript, (loops, &extents), axes))
}

/// Whether a sum has factors out of tables, all of which are numbers where it is written out.
fn sums_entries(program: &Program, equation: &Equation) -> bool {
    let accesses = program.pool.accesses([equation.expr]);
    let mut tables = (accesses.iter())
        .filter(|(_, access)| matches!(program.array(access.array).role, Role::Table(_)))
        .peekable();
    let is_entry = |subscript: &Affine| {
        let mut free = equation.free.iter();
        !free.any(|index| subscript.depends_on(*index))
    };
    tables.peek().is_some() && tables.all(|(_, table)| table.subscripts.iter().all(is_entry))
}

/// The terms of a sum over loops of these lengths.
fn terms(extents: &[usize]) -> usize {
    extents
        .iter()
        .fold(1, |n, extent| n.saturating_mul(*extent))
}

/// A sum over short loops, written out.
fn written_out(program: &mut Program, equation: &Equation) -> Option<ExprId> {
    let loops = &equation.reduction;
    let extents = extents(program, loops)?;
    let count = terms(&extents);
    if program.exact || count > MOST_TERMS || !equation.adds_up() {
        return None;
    }
    let value = converted(program, equation.expr);
    let element = program.pool.element(value);
    let mut terms = Vec::with_capacity(count);
    for point in points(&extents) {
        let value = at(program, value, loops, &point);
        match program.pool.get(value) {
            Expr::Sum(inner) if inner.len() == 1 => terms.extend(inner.iter().copied()),
            _ => terms.push(crate::ir::Term {
                coefficient: crate::number::Number::ONE,
                expr: value,
            }),
        }
    }
    Some(sum(&mut program.pool, terms, element))
}

/// A value with the conversions of a table's entries in it, where temporaries hold these.
fn converted(program: &mut Program, value: ExprId) -> ExprId {
    replace_accesses(program, value, |program, access, _| {
        let writer = program.sole_writer(access.array)?;
        let definition = program.equations[writer].clone();
        let Expr::Cast(_, inside) = program.pool.get(definition.expr) else {
            return None;
        };
        let Expr::Access(entry) = program.pool.get(*inside) else {
            return None;
        };
        let table = matches!(program.array(entry.array).role, Role::Table(_));
        let plain = table && definition.is_definition() && definition.reduction.is_empty();
        plain.then(|| value_at(program, &definition, access))
    })
}

/// Shares what the equations over some loops have in common along the innermost of these; what was done.
fn share(
    program: &mut Program,
    (free, reach): (&[IndexId], Reach),
    along: Option<Along>,
) -> Option<String> {
    let axes = &free[free.len().saturating_sub(reach.axes)..];
    let axes = &axes[..axes.len().saturating_sub(reach.but)];
    if axes.is_empty() {
        return None;
    }
    let mut group = Group::of(program, free, axes);
    let before: Vec<ExprId> = group.members.iter().map(|m| m.before).collect();
    if before.is_empty() {
        return None;
    }
    let mut translation = Translation::new(axes, program.exact);
    bases::share(program, &mut group, &mut translation);
    if let Some(along) = along {
        running::share(program, &mut group, &mut translation, along);
        if group.shared.iter().all(|shared| shared.running.is_none()) {
            return None;
        }
    }
    if !program.exact {
        for combining in [Combining::Add, Combining::Min, Combining::Max] {
            gather::share(
                program,
                (&mut group, reach.how),
                &mut translation,
                combining,
            );
        }
    }
    group.drop_unread(program);
    let after: Vec<ExprId> = group.members.iter().map(|m| m.value).collect();
    let was = Group::work(program, &[], &before);
    let is = Group::work(program, &group.shared, &after);
    if group.shared.is_empty() || is >= was {
        return None;
    }
    let names: Vec<String> = (group.shared.iter())
        .map(|shared| format!("`{}`", program.array(shared.array).name))
        .collect();
    domains::settle(program, &group, axes)?;
    let loops: Vec<&str> = (free.iter())
        .map(|index| program.loop_index(*index).name.as_str())
        .collect();
    Some(format!(
        "iterations of ({}) share {}: {} operations and {} loads and stores a point against {} and {}",
        loops.join(", "),
        names.join(", "),
        is.operations,
        is.moves,
        was.operations,
        was.moves
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;

    /// Whether what `u` is read at for all k lies over what it is read at in other iterations of i.
    fn lie_over(extent: &str, subscript: &str) -> bool {
        let program = format!(
            "program p\nindex i: {extent}\nindex k: 4\nparam 0 n: usize\nparam 1 u: f64[999]\n\
             output 2 w: f64[999]\nw[i] += sum(k) u[{subscript}]   for i\n"
        );
        let program = text::parse(&program).unwrap();
        let equation = &program.equations[0];
        let accesses = program.pool.accesses([equation.expr]);
        let of = (&equation.reduction[..], &[4][..]);
        (accesses.iter()).any(|(_, a)| overlaps(&program, &a.subscripts[0], of, &equation.free))
    }

    #[test]
    fn windows_lie_over_each_other() {
        for subscript in [
            "i + k",
            "2 * i + k",
            "3 * i + k",
            "i + 2 * k",
            "2 * i + 2 * k",
        ] {
            assert!(lie_over("5", subscript), "{subscript}");
        }
    }

    #[test]
    fn rows_and_columns_do_not() {
        for subscript in ["4 * i + k", "9 * i + k", "i + 5 * k", "i", "k", "2 * i + 3"] {
            assert!(!lie_over("5", subscript), "{subscript}");
        }
        // Where no end of i is known it may be far away.
        assert!(lie_over("n", "i + 5 * k"));
    }

    /// How many sums are written out where nothing is shared, with `w` as given.
    fn sums_written_out(equation: &str) -> usize {
        let program = format!(
            "program p\nindex i: n\nindex j: 4\nindex k: 4\nparam 0 n: usize\nparam 1 u: f64[999]\n\
             param 2 dofs: usize[n, 4]\ntable d: f64[4] = [-2, 2, 0, 3]\n\
             table t: f64[4, 4] = [[1, 2, 3, 4], [2, 3, 4, 1], [3, 4, 1, 2], [4, 1, 2, 3]]\n\
             output 3 w: f64[n, 4]\n{equation}\n"
        );
        let mut program = text::parse(&program).unwrap();
        written(&mut program);
        let sums = program.equations.iter();
        sums.filter(|equation| equation.reduction.is_empty())
            .count()
    }

    #[test]
    fn sums_over_entries_are_written_out() {
        let gathered = "w[i, 0] += sum(k) u[dofs[i, k]] * d[k]   for i";
        assert_eq!(sums_written_out(gathered), 1);
        // No entry is a number where the table has a row for each result, and no operation is saved without tables.
        let rows = "w[i, j] += sum(k) u[dofs[i, k]] * t[j, k]   for i, j";
        assert_eq!(sums_written_out(rows), 0);
        let product = "w[i, j] += sum(k) u[4*i + k] * u[4*k + j]   for i, j";
        assert_eq!(sums_written_out(product), 0);
    }
}
