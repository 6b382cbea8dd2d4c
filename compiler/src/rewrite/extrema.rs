//! Minima and maxima over short loops, written out.
//!
//! Before: `m[i] = x[i]` and `m[i] max= x[i + k]   for i, k`, where `k` has three iterations. After:
//! `m[i] = max(x[i], x[i], x[i + 1], x[i + 2])   for i`, of which each operand counts once: what windows that
//! overlap have in common, others find there.

use super::evaluate::{extents, points};
use super::normalise::extremum;
use crate::collections::HashMap;
use crate::ir::{Affine, Combining, Equation, Expr, ExprId, IndexId, Program};
use crate::syntax::ast::Elementary;

/// Most values that are written out.
const MOST: usize = 256;

/// The value of a temporary that starts from one value and takes the smallest or the largest one of others, over
/// loops of known length; `None` if these are long, or a NaN may be met that counts.
pub fn written_out(program: &mut Program, start: &Equation, later: &Equation) -> Option<ExprId> {
    let number = match program.pool.get(start.expr) {
        Expr::Constant(number) => !number.to_f64().is_nan(),
        _ => false,
    };
    let function = match later.operator.accumulated()? {
        Combining::Min => Elementary::Min,
        Combining::Max => Elementary::Max,
        Combining::Lesser if number => Elementary::Min,
        Combining::Greater if number => Elementary::Max,
        _ => return None,
    };
    let same = start.target == later.target
        && start.is_definition()
        && start.reduction.is_empty()
        && later.reduction.is_empty()
        && start.free.iter().all(|index| later.free.contains(index));
    let inner = later.free.iter().copied();
    let loops: Vec<IndexId> = inner.filter(|index| !start.free.contains(index)).collect();
    let lengths = extents(program, &loops).filter(|_| same)?;
    let count = lengths
        .iter()
        .fold(1, |n: usize, length| n.saturating_mul(*length));
    if loops.is_empty() || count > MOST {
        return None;
    }
    let mut operands = vec![start.expr];
    for point in points(&lengths) {
        let by = |index: IndexId| match loops.iter().position(|own| *own == index) {
            Some(at) => Affine::constant(point[at] as i64),
            None => Affine::index(index),
        };
        let pool = &mut program.pool;
        operands.push(pool.substitute(later.expr, &by, &mut HashMap::default()));
    }
    Some(extremum(&mut program.pool, function, operands))
}
