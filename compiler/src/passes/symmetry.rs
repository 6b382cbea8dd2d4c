//! Symmetric results, of which half is computed.
//!
//! Where test and trial functions coincide, a form's matrix is symmetric, and so are those of its
//! blocks that couple a component with itself; two blocks that couple two components are one the
//! other transposed. The pass `mirrors` looks for that in the sums as the text has them. What is
//! found is used here, after code has moved: what both halves need has been hoisted by then.
//!
//! Before: `a[e, i, j] += sum(q) t[e, q, i] * phi[q, j]`, known to be symmetric. After, for each block
//! of rows from `r`: `u[e, i, j] = sum(q) t[e, q, i + r] * phi[q, j + r]`, and
//! `a[e, i + r, j + r] += u[e, i, j]`, and `a[e, j + s, i + r] += u[e, i, j + s - r]` for the columns
//! after the block, which begin at `s`.
//! Holds: values are equal in exact arithmetic, operations fewer than before. The same is done for
//! values that are no sums, if it saves more operations than half the entries that it copies.
//!
//! A row block begins at the diagonal, so that its columns run to the end: the entries below the
//! diagonal inside the blocks are computed twice. Of the matrices of many cells, lanes run over these; the
//! blocks of one matrix have lanes over their columns, and copies of the other half that cross these, so
//! that schedules say whether it pays, and how many rows a block has.

use crate::analysis::cost;
use crate::analysis::totals::Totals;
use crate::collections::HashMap;
use crate::ir::{
    Access, Affine, Equation, Expr, ExprId, Extent, IndexId, Mirror, Operator, Program, Role,
};
use crate::rewrite::unused::remove_unused;

/// Most blocks of rows.
const BLOCKS: usize = 8;

/// The name of the pass.
pub const NAME: &str = "symmetry";

/// Rows of register tiles, of which blocks of one matrix are made.
const ROWS: [usize; 2] = [4, 8];

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    if program.mirrors.is_empty() {
        return Vec::new();
    }
    let mut decisions = Vec::new();
    for kind in [Kind::Sums, Kind::Values] {
        decisions.extend(halved(program, kind, 1));
    }
    decisions
}

/// Runs it where a symmetric sum is one matrix, too, in blocks of low tiles.
pub fn in_low_blocks(program: &mut Program) -> Vec<String> {
    halved(program, Kind::Matrices, ROWS[0])
        .into_iter()
        .collect()
}

/// The same in blocks of high tiles.
pub fn in_high_blocks(program: &mut Program) -> Vec<String> {
    halved(program, Kind::Matrices, ROWS[1])
        .into_iter()
        .collect()
}

/// Whether a symmetric sum is one matrix, and not one of each cell.
pub fn has_matrices(program: &Program) -> bool {
    let totals = Totals::of(program);
    program.mirrors.iter().any(|mirror| {
        let own = |at: &usize| mirror.is_of(&program.equations[*at], &mirror.from);
        let mut sums = (0..program.equations.len()).filter(own);
        mirror.from == mirror.to && sums.any(|at| of_matrix(program, &totals, at).is_some())
    })
}

/// A sum with all loops of run-time length that add to one matrix as its own, if these are all that it has.
fn of_matrix(program: &Program, totals: &Totals, at: usize) -> Option<Equation> {
    let mut loops = totals.loops(program, at);
    loops.retain(|index| !program.is_constant(*index));
    let mut sum = program.equations[at].clone();
    sum.sum_over(loops);
    let single = sum.free.iter().all(|index| program.is_constant(*index));
    (single && !sum.reduction.is_empty()).then_some(sum)
}

/// Halves sums alone: what other passes count on.
pub fn halve_sums(program: &mut Program) {
    halved(program, Kind::Sums, 1);
}

/// What is halved at once.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Sums: what copying the other half takes does not count beside them.
    Sums,
    /// Sums, those of one matrix, too.
    Matrices,
    /// Values that are no sums: two entries that are copied are as dear as an operation.
    Values,
}

/// Halves what is of a kind, in blocks of a multiple of so many rows, if that pays; what was decided.
fn halved(program: &mut Program, kind: Kind, rows: usize) -> Option<String> {
    let mut candidate = program.clone();
    let mut halves = Vec::new();
    let mut parts = Parts::default();
    let mut copied = 0;
    for mirror in program.mirrors.clone() {
        if let Some(entries) = halve(&mut candidate, &mirror, &mut parts, (kind, rows)) {
            halves.push(program.array(mirror.from.array).name.clone());
            copied += entries;
        }
    }
    if halves.is_empty() {
        return None;
    }
    remove_unused(&mut candidate);
    let [before, after] =
        [&*program, &candidate].map(|program| cost::program(program).operations());
    let (what, copied) = match kind {
        Kind::Sums | Kind::Matrices => ("sums", 0),
        Kind::Values => ("values", copied),
    };
    // Two copies take as long as an operation.
    if after + copied / 2 >= before {
        return Some(format!(
            "no {what}: {before} operations against {after}, and {copied} entries to copy"
        ));
    }
    *program = candidate;
    let count = halves.len();
    halves.dedup();
    let names = halves.join("`, `");
    Some(format!(
        "{count} {what} that give `{names}` halved: {after} operations against {before}"
    ))
}

/// Uses one mirror; `None` where its sums are no longer there. The number of entries of the result.
fn halve(
    program: &mut Program,
    mirror: &Mirror,
    parts: &mut Parts,
    (kind, rows): (Kind, usize),
) -> Option<u64> {
    let only = |target: &Access| {
        let mut found =
            (0..program.equations.len()).filter(|at| mirror.is_of(&program.equations[*at], target));
        found.next().filter(|_| found.next().is_none())
    };
    let (at, other) = (only(&mirror.from)?, only(&mirror.to)?);
    if kind == Kind::Matrices && at == other {
        let totals = Totals::of(program);
        program.equations[at] = of_matrix(program, &totals, at)?;
    }
    let wanted = |at: usize| program.equations[at].reduction.is_empty() == (kind == Kind::Values);
    let (one, two) = (&program.equations[at], &program.equations[other]);
    // What is kept of one half in a temporary is added up: products and extrema over loops are not.
    let adds = one.reduction.is_empty() || one.adds_up();
    let alike = adds && one.operator == two.operator && one.free == two.free;
    if !(wanted(at) && wanted(other) && alike) {
        return None;
    }
    let entries = cost::iterations(program, one);
    let [first, second] = [mirror.first, mirror.second];
    if at != other {
        let equation = program.equations[at].clone();
        let all = (0, program.loop_index(first).extent.as_constant()?);
        let whole = Block::of(program, parts, &equation, (first, all), (second, all));
        let replaced = whole.both(program, parts, &equation, mirror, 0);
        program.equations.splice(at..=at, replaced);
        let other = if other > at { other + 2 } else { other };
        program.equations.remove(other);
        return Some(2 * entries);
    }
    let mesh = |index: &IndexId| !program.is_constant(*index);
    let length = program.loop_index(first).extent.as_constant()?;
    if kind != Kind::Matrices && !program.equations[at].free.iter().any(mesh) {
        return None;
    }
    let equation = program.equations[at].clone();
    let step = length.div_ceil(BLOCKS).next_multiple_of(rows);
    let mut replaced = Vec::new();
    for start in (0..length).step_by(step) {
        let end = (start + step).min(length);
        let rows = (first, (start, end));
        let block = Block::of(program, parts, &equation, rows, (second, (start, length)));
        replaced.extend(block.both(program, parts, &equation, mirror, end - start));
    }
    program.equations.splice(at..=at, replaced);
    Some(entries)
}

/// The loops over parts of others: one for each part, so that sums over the same part share values.
#[derive(Default)]
struct Parts(HashMap<Range, IndexId>);

impl Parts {
    fn index(&mut self, program: &mut Program, (index, (start, end)): Range) -> IndexId {
        let extent = Extent::Constant(end - start);
        if program.loop_index(index).extent == extent {
            return index;
        }
        let name = program.loop_index(index).name.clone();
        let part = self.0.entry((index, (start, end)));
        *part.or_insert_with(|| program.add_index(&name, extent))
    }
}

/// A part of the domain of two loops, with loops of its own.
struct Block {
    /// The old loop, the new one, and where the new one starts.
    rows: (IndexId, IndexId, usize),
    columns: (IndexId, IndexId, usize),
    /// All free loops, the new ones in the places of the old.
    free: Vec<IndexId>,
}

/// A loop and a range of it.
type Range = (IndexId, (usize, usize));

impl Block {
    fn of(
        program: &mut Program,
        parts: &mut Parts,
        equation: &Equation,
        rows: Range,
        columns: Range,
    ) -> Block {
        let mut part = |range: Range| (range.0, parts.index(program, range), range.1.0);
        let (rows, columns) = (part(rows), part(columns));
        let renamed = |index: &IndexId| match *index {
            index if index == rows.0 => rows.1,
            index if index == columns.0 => columns.1,
            index => index,
        };
        let free = equation.free.iter().map(renamed).collect();
        Block {
            rows,
            columns,
            free,
        }
    }

    /// The sum over the block in a temporary, and the equations that add it where it belongs: all
    /// of it as it stands, and transposed the columns from `skip` on.
    fn both(
        self,
        program: &mut Program,
        parts: &mut Parts,
        equation: &Equation,
        mirror: &Mirror,
        skip: usize,
    ) -> Vec<Equation> {
        let (rows, columns) = (self.rows, self.columns);
        let by = |index: IndexId| {
            let of = [rows, columns].into_iter().find(|(old, ..)| *old == index);
            of.map_or(Affine::index(index), |(_, new, start)| shifted(new, start))
        };
        let pool = &mut program.pool;
        let expr = pool.substitute(equation.expr, &by, &mut HashMap::default());
        let element = pool.element(expr);
        let shape = (self.free.iter())
            .map(|index| program.loop_index(*index).extent.clone())
            .collect();
        let name = format!("{}_half", program.array(equation.target.array).name);
        let array = program.add_array(&name, element, shape, Role::Temporary);
        let own = |by: &dyn Fn(IndexId) -> Affine| Access {
            array,
            subscripts: self.free.iter().map(|index| by(*index)).collect(),
        };
        let sum = Equation {
            target: own(&Affine::index),
            operator: Operator::Assign,
            free: self.free.clone(),
            reduction: equation.reduction.clone(),
            expr,
        };
        let value = |program: &mut Program, access: Access| -> ExprId {
            program.pool.add(Expr::Access(access), element)
        };
        let straight = Equation {
            target: mirror.from.substitute(&by),
            free: self.free.clone(),
            reduction: Vec::new(),
            expr: value(program, own(&Affine::index)),
            ..equation.clone()
        };
        let mut result = vec![sum, straight];
        let length = |index: IndexId| program.loop_index(index).extent.as_constant().unwrap_or(0);
        let (height, width) = (length(rows.1), length(columns.1));
        if width == skip {
            return result;
        }
        // Columns after those of the block's own rows. Their loop is the outer one now: entries are
        // written row by row.
        let outer = (rows.0, (columns.2 + skip, columns.2 + width));
        let inner = (columns.0, (rows.2, rows.2 + height));
        let (outer, inner) = (parts.index(program, outer), parts.index(program, inner));
        let transposed = |index: IndexId| match index {
            index if index == rows.1 => Affine::index(inner),
            index if index == columns.1 => shifted(outer, skip),
            index => Affine::index(index),
        };
        // `to` has its value at the exchanged loops.
        let place = |index: IndexId| match index {
            index if index == rows.0 => shifted(outer, columns.2 + skip),
            index if index == columns.0 => shifted(inner, rows.2),
            index => Affine::index(index),
        };
        let free = self.free.iter().map(|index| match *index {
            index if index == rows.1 => outer,
            index if index == columns.1 => inner,
            index => index,
        });
        result.push(Equation {
            target: mirror.to.substitute(&place),
            free: free.collect(),
            reduction: Vec::new(),
            expr: value(program, own(&transposed)),
            ..equation.clone()
        });
        result
    }
}

fn shifted(index: IndexId, by: usize) -> Affine {
    Affine::index(index).add(&Affine::constant(by as i64))
}
