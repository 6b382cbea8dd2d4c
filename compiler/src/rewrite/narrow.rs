//! Temporaries without the dimensions along which they do not change.

use super::replace::replace_accesses;
use crate::collections::HashMap;
use crate::ir::{Access, Affine, ArrayId, Expr, ExprId, Operator, Program, Role};

/// The arrays that stand for others, and which of their dimensions they have.
type Narrowed = HashMap<ArrayId, (ArrayId, Vec<usize>)>;

/// Drops dimensions of temporaries along which no loop of constant length changes what is assigned,
/// and returns the names of these temporaries.
///
/// Before: `g[e, q] = sum(i) u[e, i] * d[i]`, read as `g[e, q]`. After:
/// `g[e] = sum(i) u[e, i] * d[i]`, read as `g[e]`.
/// Holds: values have the same bits.
pub fn narrow_temporaries(program: &mut Program) -> Vec<String> {
    let mut narrowed = Narrowed::default();
    let mut names = Vec::new();
    // In order: what a temporary is made of has lost its dimensions by then.
    for at in 0..program.equations.len() {
        let expr = program.equations[at].expr;
        program.equations[at].expr = replaced(program, expr, &narrowed);
        let Some(kept) = kept(program, at) else {
            continue;
        };
        let target = program.equations[at].target.clone();
        let array = program.array(target.array).clone();
        let shape = kept.iter().map(|axis| array.shape[*axis].clone());
        let new = program.add_array(&array.name, array.element, shape.collect(), array.role);
        let target_of_new = projected(&target, new, &kept);
        let left: Vec<_> = (target_of_new.subscripts.iter())
            .filter_map(Affine::as_index)
            .collect();
        let equation = &mut program.equations[at];
        equation.free.retain(|index| left.contains(index));
        equation.target = target_of_new;
        narrowed.insert(target.array, (new, kept));
        names.push(array.name);
    }
    names
}

/// The dimensions that a temporary needs, if it has others: one equation assigns it, each subscript is
/// a loop of its own, and the value depends on fewer.
fn kept(program: &Program, at: usize) -> Option<Vec<usize>> {
    let equation = &program.equations[at];
    let array = program.array(equation.target.array);
    let own = matches!(array.role, Role::Temporary)
        && !array.element.is_integer()
        && !array.allocated
        && equation.operator == Operator::Assign
        // What it reads may be written between two of its iterations.
        && program.states(equation.expr).is_empty()
        && program.sole_writer(equation.target.array).is_some();
    let loops = equation.target.loops(&equation.free).filter(|_| own)?;
    let depends = program.pool.indices(equation.expr);
    let needed = |axis: &usize| {
        let index = loops[*axis];
        depends.contains(&index) || !program.is_constant(index)
    };
    let kept: Vec<usize> = (0..loops.len()).filter(needed).collect();
    (kept.len() < loops.len()).then_some(kept)
}

/// An access to `array`, which has the dimensions that are `kept`, for one that has all.
pub fn projected(access: &Access, array: ArrayId, kept: &[usize]) -> Access {
    let subscripts = kept.iter().map(|axis| access.subscripts[*axis].clone());
    Access {
        array,
        subscripts: subscripts.collect(),
    }
}

fn replaced(program: &mut Program, expr: ExprId, narrowed: &Narrowed) -> ExprId {
    replace_accesses(program, expr, |program, access, element| {
        let (array, kept) = narrowed.get(&access.array)?;
        let access = projected(access, *array, kept);
        Some(program.pool.add(Expr::Access(access), element))
    })
}
