//! Values of expressions that are known while the compiler runs.

use crate::ir::{Access, Affine, Atom, Expr, ExprId, ExprSet, IndexId, Program, Role};
use crate::number::Number;

/// Whether an expression is made of constants and of tables whose entries are chosen by loops of
/// constant extent, by sums and products alone.
pub fn only_tables(program: &Program, expr: ExprId) -> bool {
    let mut seen = ExprSet::default();
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
            Expr::Sum(_) | Expr::Product(_) => program.pool.operands_into(expr, &mut stack),
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
    values(program, expr, free, &extents)
}

/// How many parts of an expression [`values`] evaluates, counted up to a number of them.
fn parts(program: &Program, expr: ExprId, most: usize) -> usize {
    let mut stack = vec![expr];
    let mut count = 0;
    while let Some(expr) = stack.pop().filter(|_| count < most) {
        count += 1;
        program.pool.operands_into(expr, &mut stack);
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

/// Calls `each` with all points of a box, the last coordinate fastest.
pub fn for_each_point(extents: &[usize], mut each: impl FnMut(&[usize])) {
    let count: usize = extents.iter().product();
    let mut point = vec![0; extents.len()];
    for _ in 0..count {
        each(&point);
        for (coordinate, extent) in point.iter_mut().zip(extents).rev() {
            *coordinate += 1;
            if *coordinate < *extent {
                break;
            }
            *coordinate = 0;
        }
    }
}

/// The values of an expression of tables at all points, part by part.
fn values(
    program: &Program,
    expr: ExprId,
    free: &[IndexId],
    extents: &[usize],
) -> Option<Vec<Number>> {
    let count = extents.iter().product();
    match program.pool.get(expr) {
        Expr::Constant(value) => Some(vec![*value; count]),
        Expr::Access(access) => entries(program, access, free, extents),
        Expr::Sum(terms) => {
            let mut sums = vec![Number::ZERO; count];
            for term in terms {
                let values = values(program, term.expr, free, extents)?;
                let pairs = sums.iter_mut().zip(values);
                pairs.for_each(|(sum, value)| *sum += term.coefficient * value);
            }
            Some(sums)
        }
        Expr::Product(factors) => {
            let mut products = vec![Number::ONE; count];
            for factor in factors {
                let mut values = values(program, factor.expr, free, extents)?;
                let power = factor.power.unsigned_abs();
                if power > 1 {
                    values
                        .iter_mut()
                        .for_each(|value| *value = value.powi(power));
                }
                if factor.power < 0 && values.iter().any(|value| value.is_zero()) {
                    return None;
                }
                for (product, value) in products.iter_mut().zip(values) {
                    *product = match factor.power > 0 {
                        true => *product * value,
                        false => *product / value,
                    };
                }
            }
            Some(products)
        }
        _ => None,
    }
}

/// The entries of a table at all points.
fn entries(
    program: &Program,
    access: &Access,
    free: &[IndexId],
    extents: &[usize],
) -> Option<Vec<Number>> {
    let array = program.array(access.array);
    let Role::Table(values) = &array.role else {
        return None;
    };
    let at_zero = |subscript: &Affine| subscript.value(|index| free.contains(&index).then_some(0));
    let slope = |subscript: &Affine, of: IndexId| {
        let one = subscript.value(|index| Some(i64::from(index == of)))?;
        Some(one - subscript.constant)
    };
    let mut rows = Vec::new();
    for (subscript, extent) in access.subscripts.iter().zip(&array.shape) {
        let slopes = free.iter().map(|index| slope(subscript, *index));
        let slopes = slopes.collect::<Option<Vec<i64>>>()?;
        rows.push((at_zero(subscript)?, slopes, extent.as_constant()?));
    }
    let mut result = Vec::with_capacity(extents.iter().product());
    let mut known = true;
    for_each_point(extents, |point| {
        let flat = rows.iter().try_fold(0, |flat, (start, slopes, extent)| {
            let pairs = slopes.iter().zip(point);
            let at = pairs.fold(*start, |at, (slope, point)| at + slope * *point as i64);
            let at = usize::try_from(at).ok().filter(|at| at < extent)?;
            Some(flat * extent + at)
        });
        match flat.and_then(|flat| values.get(flat)) {
            Some(value) => result.push(*value),
            None => known = false,
        }
    });
    known.then_some(result)
}
