//! Local arrays with flat subscripts, as arrays of more dimensions.
//!
//! Before: `m[e, 10*i + j] = x[e, i] * x[e, j]` and `a[e, k] += m[e, k]`. After:
//! `m[e, i, j] = x[e, i] * x[e, j]` and `a[e, 10*i + j] += m[e, i, j]`: each element has its loops, and
//! other passes see that the array is symmetric.
//! Holds: the values and the operations are the same.

use std::collections::BTreeSet;

use crate::collections::HashMap;
use crate::ir::{Access, Affine, ArrayId, Atom, Extent, IndexId, Program, Role};
use crate::rewrite::rename;
use crate::rewrite::replace::{redirect, substitute};

/// A dimension that becomes two: rows of `length` elements.
#[derive(Clone, Copy)]
struct Rows {
    array: ArrayId,
    axis: usize,
    count: usize,
    length: usize,
}

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    // What is written in place has its order.
    if program.is_in_place() || program.recurrence().is_some() {
        return Vec::new();
    }
    let mut names = Vec::new();
    let mut at = 0;
    // What became two dimensions may become three.
    while at < program.arrays.len() {
        match rows(program, ArrayId(at as u32)) {
            Some(rows) => {
                names.push(program.array(rows.array).name.clone());
                split(program, rows);
            }
            None => at += 1,
        }
    }
    if names.is_empty() {
        return Vec::new();
    }
    rename::unify(program);
    let names = names.join("`, `");
    vec![format!("`{names}` in the dimensions of its subscripts")]
}

/// The first dimension of a local array in which some subscript says that it has rows, and all others
/// can be one of a row and a column.
fn rows(program: &Program, array: ArrayId) -> Option<Rows> {
    let own = program.array(array);
    if !matches!(own.role, Role::Temporary) {
        return None;
    }
    let accesses = program.accesses(array);
    (0..own.shape.len()).find_map(|axis| {
        let extent = own.shape[axis].as_constant()?;
        let subscripts = accesses.iter().map(|(_, access)| &access.subscripts[axis]);
        let lengths: BTreeSet<usize> = subscripts.filter_map(row_length).collect();
        let mut candidates = lengths.into_iter().rev().filter(|l| extent % l == 0);
        candidates.find_map(|length| {
            let rows = Rows {
                array,
                axis,
                count: extent / length,
                length,
            };
            let mut subscripts = accesses.iter().map(|(_, access)| &access.subscripts[axis]);
            let fit = subscripts.all(|subscript| rows.fits(program, subscript));
            fit.then_some(rows)
        })
    })
}

/// What the outermost of several loops in a subscript is multiplied with.
fn row_length(subscript: &Affine) -> Option<usize> {
    let most = subscript.terms.iter().map(|(_, by)| *by).max()?;
    (subscript.terms.len() > 1 && most > 1).then_some(most as usize)
}

impl Rows {
    /// The row and the column that a subscript means; `None` if the column may be in another row.
    fn place(self, program: &Program, subscript: &Affine) -> Option<[Affine; 2]> {
        let length = self.length as i64;
        let mut row = Affine::constant(subscript.constant.div_euclid(length));
        let mut column = Affine::constant(subscript.constant.rem_euclid(length));
        let mut last = [row.constant, column.constant];
        for (atom, by) in &subscript.terms {
            let Atom::Index(index) = atom else {
                return None;
            };
            let steps = program.loop_index(*index).extent.as_constant()? as i64 - 1;
            let (of, at, by) = match by % length {
                0 => (&mut row, 0, by / length),
                _ => (&mut column, 1, *by),
            };
            if by < 0 {
                return None;
            }
            *of = of.add(&Affine::index(*index).scale(by));
            last[at] += by * steps;
        }
        let inside = last[0] < self.count as i64 && last[1] < length;
        inside.then_some([row, column])
    }

    /// The loop over all elements of the dimension that a subscript is.
    fn along(self, program: &Program, subscript: &Affine) -> Option<IndexId> {
        let index = subscript.as_index()?;
        let extent = program.loop_index(index).extent.as_constant();
        (extent == Some(self.count * self.length)).then_some(index)
    }

    fn fits(self, program: &Program, subscript: &Affine) -> bool {
        let along = self.along(program, subscript).is_some();
        along || self.place(program, subscript).is_some()
    }
}

/// Makes a dimension two.
fn split(program: &mut Program, rows: Rows) {
    let like = program.array(rows.array).clone();
    let mut shape = like.shape;
    let two = [rows.count, rows.length].map(Extent::Constant);
    shape.splice(rows.axis..=rows.axis, two);
    let new = program.add_array(&like.name, like.element, shape, like.role);
    for at in 0..program.equations.len() {
        split_loops(program, at, rows);
    }
    redirect(program, |program, access| {
        if access.array != rows.array {
            return None;
        }
        let mut subscripts = access.subscripts.clone();
        let place = rows.place(program, &subscripts[rows.axis])?;
        subscripts.splice(rows.axis..=rows.axis, place);
        let array = new;
        Some(Access { array, subscripts })
    });
}

/// Makes loops of an equation that run over all elements of the dimension two, one inside the other.
fn split_loops(program: &mut Program, at: usize, rows: Rows) {
    let equation = program.equations[at].clone();
    let reads = program.pool.accesses([equation.expr]).into_iter();
    let own = reads.map(|(_, access)| access).chain([&equation.target]);
    let own = own.filter(|access| access.array == rows.array);
    let along = own.filter_map(|access| rows.along(program, &access.subscripts[rows.axis]));
    let along: BTreeSet<IndexId> = along.collect();
    let Some(first) = along.first() else {
        return;
    };
    // What is outside of another loop comes before it.
    let mut inner: Vec<IndexId> = equation.domain().filter(|index| index >= first).collect();
    inner.sort_unstable();
    let mut new: HashMap<IndexId, Vec<IndexId>> = HashMap::default();
    for index in inner {
        let name = program.loop_index(index).name.clone();
        let loops = match along.contains(&index) {
            true => [rows.count, rows.length]
                .map(|extent| program.add_index(&name, Extent::Constant(extent)))
                .to_vec(),
            false => vec![program.add_index_like(index)],
        };
        new.insert(index, loops);
    }
    let by = |index: IndexId| match new.get(&index).map(Vec::as_slice) {
        Some([row, column]) => Affine::index(*row)
            .scale(rows.length as i64)
            .add(&Affine::index(*column)),
        Some([only]) => Affine::index(*only),
        _ => Affine::index(index),
    };
    let loops = |old: &[IndexId]| -> Vec<IndexId> {
        let of = |index: &IndexId| new.get(index).cloned().unwrap_or_else(|| vec![*index]);
        old.iter().flat_map(of).collect()
    };
    let result = &mut program.equations[at];
    substitute(&mut program.pool, result, &by);
    result.free = loops(&equation.free);
    result.reduction = loops(&equation.reduction);
}
