//! Values of expressions that are known while the compiler runs.

use std::collections::HashSet;

use crate::ir::{Access, Atom, Expr, ExprId, IndexId, Program, Role};
use crate::number::Number;

/// Whether an expression is made of constants and of tables whose entries are chosen by loops of
/// constant extent, by sums and products alone.
pub fn only_tables(program: &Program, expr: ExprId) -> bool {
    let mut seen = HashSet::new();
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        if !seen.insert(expr) {
            continue;
        }
        match program.pool.get(expr) {
            Expr::Constant(_) => {}
            Expr::Access(access) => {
                let table = matches!(program.array(access.array).role, Role::Table(_));
                if !table || !chosen(program, access) {
                    return false;
                }
            }
            Expr::Sum(_) | Expr::Product(_) => stack.extend(program.pool.operands(expr)),
            _ => return false,
        }
    }
    true
}

/// Whether loops of constant extent alone choose an element.
fn chosen(program: &Program, access: &Access) -> bool {
    let constant = |atom: &Atom| match atom {
        Atom::Index(index) => program.is_constant(*index),
        _ => false,
    };
    let terms = access.subscripts.iter().flat_map(|s| &s.terms);
    terms.map(|(atom, _)| atom).all(constant)
}

/// Parts of an expression that are evaluated at most, each at all points: a limit on work.
const MOST: usize = 1 << 22;

/// The values of an expression of tables over loops of constant extent, the last one fastest;
/// `None` if one of them is not known: it depends on something else, or divides by zero; or if they are
/// too many.
pub fn tabulate(program: &Program, expr: ExprId, free: &[IndexId]) -> Option<Vec<Number>> {
    let extents = extents(program, free)?;
    let points_of = extents.iter().fold(1, |n: usize, e| n.saturating_mul(*e));
    if points_of.saturating_mul(parts(program, expr, MOST)) > MOST {
        return None;
    }
    points(&extents)
        .map(|point| value(program, expr, free, &point))
        .collect()
}

/// How many parts of an expression [`value`] evaluates, counted up to a number of them.
fn parts(program: &Program, expr: ExprId, most: usize) -> usize {
    let mut stack = vec![expr];
    let mut count = 0;
    while let Some(expr) = stack.pop().filter(|_| count < most) {
        count += 1;
        stack.extend(program.pool.operands(expr));
    }
    count
}

/// The extents of loops, if all of them are constant.
pub fn extents(program: &Program, loops: &[IndexId]) -> Option<Vec<usize>> {
    let extent = |index: &IndexId| program.loop_index(*index).extent.as_constant();
    loops.iter().map(extent).collect()
}

/// All points of a box, the last coordinate fastest.
pub fn points(extents: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    let size: usize = extents.iter().product();
    (0..size).map(move |mut flat| {
        let mut point = vec![0; extents.len()];
        for (coordinate, extent) in point.iter_mut().zip(extents).rev() {
            *coordinate = flat % extent;
            flat /= extent;
        }
        point
    })
}

/// The value of an expression of tables at a point.
fn value(program: &Program, expr: ExprId, free: &[IndexId], point: &[usize]) -> Option<Number> {
    match program.pool.get(expr) {
        Expr::Constant(value) => Some(*value),
        Expr::Access(access) => {
            let array = program.array(access.array);
            let Role::Table(values) = &array.role else {
                return None;
            };
            let of = |index: IndexId| {
                let at = free.iter().position(|other| *other == index)?;
                Some(point[at] as i64)
            };
            let mut flat = 0usize;
            for (subscript, extent) in access.subscripts.iter().zip(&array.shape) {
                let at = usize::try_from(subscript.value(of)?).ok()?;
                let extent = extent.as_constant()?;
                if at >= extent {
                    return None;
                }
                flat = flat * extent + at;
            }
            values.get(flat).copied()
        }
        Expr::Sum(terms) => terms.iter().try_fold(Number::ZERO, |sum, term| {
            Some(sum + term.coefficient * value(program, term.expr, free, point)?)
        }),
        Expr::Product(factors) => factors.iter().try_fold(Number::ONE, |product, factor| {
            let value = value(program, factor.expr, free, point)?;
            let power = value.powi(factor.power.unsigned_abs());
            if factor.power > 0 {
                Some(product * power)
            } else {
                (!power.is_zero()).then(|| product / power)
            }
        }),
        _ => None,
    }
}
