//! Tables, and temporaries, without the dimensions along which they do not change.
//!
//! Gradients of elements of degree 1 are the same at all points: `dphi[r, q, i]` is `dphi[r, i]`, and
//! what is made of it need not be computed, or summed, for each point: gradients of coefficients are
//! then kept once (see [`narrow`](crate::rewrite::narrow)).
//!
//! Before: `a[i] += sum(q) w[q] * t[q, i]`, where all rows of `t` are equal. After:
//! `a[i] += sum(q) w[q] * t_row[i]`.
//! Holds: values have the same bits.

use std::rc::Rc;

use crate::collections::HashMap;
use crate::ir::{ArrayId, Expr, ExprId, Extent, Program, Role};
use crate::number::Number;
use crate::rewrite::narrow::{narrow_temporaries, projected};
use crate::rewrite::replace::replace_accesses;

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    let mut narrowed: HashMap<ArrayId, Narrowed> = HashMap::default();
    for at in 0..program.arrays.len() {
        let array = ArrayId(at as u32);
        if let Some(narrow) = narrow(program, array) {
            narrowed.insert(array, narrow);
        }
    }
    if !narrowed.is_empty() {
        for at in 0..program.equations.len() {
            let expr = program.equations[at].expr;
            program.equations[at].expr = replaced(program, expr, &narrowed);
        }
    }
    let tables = narrowed
        .keys()
        .map(|array| program.array(*array).name.clone());
    let mut names: Vec<String> = tables.collect();
    names.sort_unstable();
    names.extend(narrow_temporaries(program));
    if names.is_empty() {
        return Vec::new();
    }
    let names = names.join("`, `");
    vec![format!("`{names}`: constant along a dimension")]
}

/// What stands for a table.
enum Narrowed {
    /// All of its entries are one number.
    Constant(Number),
    /// A table with these dimensions of it.
    Table(ArrayId, Vec<usize>),
}

/// The table without the dimensions that do not change it; `None` if all of them do.
fn narrow(program: &mut Program, array: ArrayId) -> Option<Narrowed> {
    let table = program.array(array).clone();
    let Role::Table(values) = &table.role else {
        return None;
    };
    let extents: Vec<usize> =
        (table.shape.iter().map(Extent::as_constant)).collect::<Option<_>>()?;
    if table.element.is_integer() || values.is_empty() || extents.is_empty() {
        return None;
    }
    let mut left = Values {
        extents,
        values: values.to_vec(),
    };
    let mut kept: Vec<usize> = (0..left.extents.len()).collect();
    let mut axis = 0;
    while axis < kept.len() {
        match left.without(axis) {
            Some(fewer) => {
                left = fewer;
                kept.remove(axis);
            }
            None => axis += 1,
        }
    }
    if kept.len() == table.shape.len() {
        return None;
    }
    if kept.is_empty() {
        return Some(Narrowed::Constant(left.values[0]));
    }
    let shape = kept.iter().map(|axis| table.shape[*axis].clone()).collect();
    let role = Role::Table(Rc::new(left.values));
    let name = format!("{}_row", table.name);
    let new = program.add_array(&name, table.element, shape, role);
    Some(Narrowed::Table(new, kept))
}

/// Entries in row-major order.
struct Values {
    extents: Vec<usize>,
    values: Vec<Number>,
}

impl Values {
    /// The first slice along a dimension, if all others are equal to it.
    fn without(&self, axis: usize) -> Option<Values> {
        let inner: usize = self.extents[axis + 1..].iter().product();
        let length = self.extents[axis];
        let mut values = Vec::with_capacity(self.values.len() / length);
        for block in self.values.chunks(inner * length) {
            let (first, others) = block.split_at(inner);
            let equal = |other: &[Number]| {
                let pairs = first.iter().zip(other);
                pairs.into_iter().all(|(a, b)| a.key() == b.key())
            };
            if !others.chunks(inner).all(equal) {
                return None;
            }
            values.extend_from_slice(first);
        }
        let mut extents = self.extents.clone();
        extents.remove(axis);
        Some(Values { extents, values })
    }
}

fn replaced(program: &mut Program, expr: ExprId, narrowed: &HashMap<ArrayId, Narrowed>) -> ExprId {
    replace_accesses(program, expr, |program, access, element| {
        let new = match narrowed.get(&access.array)? {
            Narrowed::Constant(value) => program.pool.constant(*value, element),
            Narrowed::Table(array, kept) => {
                let access = projected(access, *array, kept);
                program.pool.add(Expr::Access(access), element)
            }
        };
        Some(new)
    })
}
