//! Elements that are read and written, and loops, replaced.

use super::rename::substitution;
use crate::collections::HashMap;
use crate::ir::{Access, Affine, Element, Equation, Expr, ExprId, IndexId, Pool, Program};

/// An expression with some of the elements that it reads replaced by what `by` says, which is told the
/// type of each.
pub fn replace_accesses(
    program: &mut Program,
    expr: ExprId,
    mut by: impl FnMut(&mut Program, &Access, Element) -> Option<ExprId>,
) -> ExprId {
    let mut read: Vec<(ExprId, Access)> = (program.pool.accesses([expr]).into_iter())
        .map(|(id, access)| (id, access.clone()))
        .collect();
    // New expressions have the order of those that they replace.
    read.sort_unstable_by_key(|(id, _)| *id);
    let mut known = HashMap::default();
    for (id, access) in read {
        let element = program.pool.element(id);
        if let Some(new) = by(program, &access, element) {
            known.insert(id, new);
        }
    }
    if known.is_empty() {
        return expr;
    }
    program.pool.replace(expr, &mut known)
}

/// An expression with nothing [kept](Pool::kept) in it; `known` says of which parts that is known, and
/// learns the rest.
pub fn release(pool: &mut Pool, expr: ExprId, known: &mut HashMap<ExprId, ExprId>) -> ExprId {
    if let Some(found) = known.get(&expr) {
        return *found;
    }
    let result = match pool.inside_kept(expr) {
        Some(inside) => release(pool, inside, known),
        None => pool.map_operands(expr, &mut |pool, operand| release(pool, operand, known)),
    };
    known.insert(expr, result);
    result
}

/// Replaces accesses in all equations, those that are read and those that are written, by what `by` says.
pub fn redirect(program: &mut Program, by: impl Fn(&Program, &Access) -> Option<Access>) {
    for at in 0..program.equations.len() {
        let expr = program.equations[at].expr;
        program.equations[at].expr = replace_accesses(program, expr, |program, access, element| {
            let access = by(program, access)?;
            Some(program.pool.add(Expr::Access(access), element))
        });
        if let Some(target) = by(program, &program.equations[at].target) {
            program.equations[at].target = target;
        }
    }
}

/// Replaces loops in what an equation reads and where it writes; which loops it has stays.
pub fn substitute(pool: &mut Pool, equation: &mut Equation, by: &impl Fn(IndexId) -> Affine) {
    equation.expr = pool.substitute(equation.expr, by, &mut HashMap::default());
    for subscript in &mut equation.target.subscripts {
        *subscript = subscript.substitute(by);
    }
}

/// The value that a definition, whose target's subscripts are its loops, gives to an element.
pub fn value_at(program: &mut Program, definition: &Equation, access: &Access) -> ExprId {
    let by = |index: IndexId| {
        let mut subscripts = definition.target.subscripts.iter();
        let at = subscripts.position(|subscript| subscript.as_index() == Some(index));
        at.map_or_else(|| Affine::index(index), |at| access.subscripts[at].clone())
    };
    (program.pool).substitute(definition.expr, &by, &mut HashMap::default())
}

/// What a definition, whose target's subscripts are its loops, sums for an element, and the loops that it
/// sums over, which are new: the element may be one of a loop that the definition sums over.
pub fn summed_at(
    program: &mut Program,
    definition: &Equation,
    access: &Access,
) -> (ExprId, Vec<IndexId>) {
    let mut own = definition.clone();
    for index in &mut own.reduction {
        *index = program.add_index_like(*index);
    }
    let pairs = definition.reduction.iter().copied().zip(&own.reduction);
    let names: HashMap<IndexId, IndexId> = pairs.map(|(old, new)| (old, *new)).collect();
    let by = substitution(&names);
    own.expr = (program.pool).substitute(own.expr, &by, &mut HashMap::default());
    (value_at(program, &own, access), own.reduction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text;

    #[test]
    fn elements_are_replaced_by_their_definition() {
        let mut program = text::parse(
            "program p\nindex i: 2\nindex j: 2\nparam 0 x: f64[2, 2]\noutput 1 y: f64[2]\n\
             temp s: f64[2, 2]\n\
             s[i, j] = exp(x[j, i]) for i, j; y[i] = s[0, i] + x[i, i] for i; \
             y[i] = exp(x[i, 0]) + x[i, i] for i",
        )
        .unwrap();
        let [definition, equation, expected] = [0, 1, 2].map(|at| program.equations[at].clone());
        let replaced = replace_accesses(&mut program, equation.expr, |program, access, _| {
            let own = access.array == definition.target.array;
            own.then(|| value_at(program, &definition, access))
        });
        assert_eq!(replaced, expected.expr);
    }

    #[test]
    fn sums_have_loops_of_their_own() {
        let mut program = text::parse(
            "program p\nindex i: 2\nindex k: 2\nparam 0 x: f64[2, 2]\noutput 1 y: f64[2]\n\
             temp s: f64[2]\n\
             s[i] = sum(k) x[i, k] for i; y[k] = s[k] for k",
        )
        .unwrap();
        let [definition, reader] = [0, 1].map(|at| program.equations[at].clone());
        let Expr::Access(access) = program.pool.get(reader.expr).clone() else {
            panic!("no element is read");
        };
        let (value, sums) = summed_at(&mut program, &definition, &access);
        program.equations[1].expr = value;
        program.equations[1].reduction = sums;
        let printed = text::print(&program);
        assert!(
            printed.contains("y[k] = sum(k'2) x[k, k'2]   for k"),
            "{printed}"
        );
    }

    #[test]
    fn what_is_not_replaced_stays() {
        let mut program = text::parse(
            "program p\nindex i: 2\nparam 0 x: f64[2]\noutput 1 y: f64[2]\ny[i] = x[i] * x[0] for i",
        )
        .unwrap();
        let (expr, before) = (program.equations[0].expr, program.pool.len());
        let mut met = Vec::new();
        let replaced = replace_accesses(&mut program, expr, |program, access, element| {
            met.push(program.pool.add(Expr::Access(access.clone()), element));
            None
        });
        assert_eq!((replaced, program.pool.len()), (expr, before));
        assert!(met.len() == 2 && met.is_sorted());
    }
}
