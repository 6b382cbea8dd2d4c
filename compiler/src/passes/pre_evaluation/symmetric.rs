//! Loops over the basis functions of coefficients in which tensors are symmetric.

use super::reference::Part;
use crate::ir::{ExprId, IndexId, Program, Role};
use crate::rewrite::evaluate::extents;

/// Loops of one length in which all tensors are symmetric.
pub type Class = Vec<IndexId>;

/// The loops among `sums` in which the tensors of all `parts` are symmetric, with one function of each:
/// two of them at least.
pub fn classes(program: &Program, sums: &[IndexId], parts: &[&mut Part]) -> Vec<Class> {
    let mut classes: Vec<Class> = Vec::new();
    for index in sums {
        let alike = |class: &&mut Class| {
            let pair = [class[0], *index];
            parts.iter().all(|part| is_symmetric(program, part, pair))
        };
        match classes.iter_mut().find(alike) {
            Some(class) => class.push(*index),
            None => classes.push(vec![*index]),
        }
    }
    let separable = |class: &Class| parts.iter().all(|part| is_separable(program, part, class));
    classes.retain(|class| class.len() > 1 && separable(class));
    classes
}

/// Whether a tensor does not change if two of its loops are exchanged.
fn is_symmetric(program: &Program, part: &Part, pair: [IndexId; 2]) -> bool {
    let Some(lengths) = extents(program, &part.loops) else {
        return false;
    };
    let axis = |index: IndexId| part.loops.iter().position(|own| *own == index);
    let [Some(a), Some(b)] = pair.map(axis) else {
        return false;
    };
    let stride = |at: usize| -> usize { lengths[at + 1..].iter().product() };
    let (stride, n) = ([stride(a), stride(b)], lengths[a]);
    let mirrored = |flat: usize| {
        let [k, l] = stride.map(|stride| flat / stride % n);
        // One way only: the other is the same pair.
        k >= l || {
            let other = flat + (l - k) * stride[0] - (l - k) * stride[1];
            part.tensor[flat].field() == part.tensor[other].field()
        }
    };
    n == lengths[b] && (0..part.tensor.len()).all(mirrored)
}

/// Whether the variables of a part are one function for each loop of a class, which no other loop of
/// constant length changes, and other factors.
fn is_separable(program: &Program, part: &Part, class: &Class) -> bool {
    let mut members = Vec::new();
    let mut elements = Vec::new();
    for factor in &part.variables {
        let depends = program.pool.indices(factor.expr);
        let own: Vec<IndexId> = along(program, factor.expr, class);
        let alone = depends.iter().filter(|i| program.is_constant(**i)).count() == 1;
        match own.as_slice() {
            [] => {}
            [member] if alone && factor.power == 1 && is_fixed(program, factor.expr) => {
                members.push(*member);
                elements.push(program.pool.element(factor.expr));
            }
            _ => return false,
        }
    }
    members.sort_unstable();
    let mut class = class.clone();
    class.sort_unstable();
    members == class && elements.windows(2).all(|pair| pair[0] == pair[1])
}

/// Whether an expression has one value wherever it stands: nothing that it reads is written twice,
/// or is a result.
fn is_fixed(program: &Program, expr: ExprId) -> bool {
    let accesses = program.pool.accesses([expr]).into_iter();
    accesses
        .map(|(_, access)| access.array)
        .all(|array| match program.array(array).role {
            Role::Temporary => program.sole_writer(array).is_some(),
            _ => program.writers(array).next().is_none(),
        })
}

/// The loops of a class that change an expression.
pub fn along(program: &Program, expr: ExprId, class: &Class) -> Vec<IndexId> {
    let depends = program.pool.indices(expr).iter();
    depends
        .copied()
        .filter(|index| class.contains(index))
        .collect()
}
