//! Equations and tables out of what was evaluated.

use std::rc::Rc;

use super::evaluation::Evaluated;
use super::reference::Part;
use crate::ir::{
    Access, Affine, ArrayId, Element, Equation, Expr, Extent, Factor, IndexId, Operator, Program,
    Role, Term,
};
use crate::number::{Field, Number};
use crate::rewrite::normalise::{product, sum};

/// One equation for each set of loops that is still summed over.
pub fn replaced(
    program: &mut Program,
    evaluated: &Evaluated,
    tables: &mut Vec<ArrayId>,
) -> Vec<Equation> {
    let equation = &evaluated.equation;
    let element = program.pool.element(equation.expr);
    let mut outer = equation.reduction.clone();
    outer.retain(|index| !program.is_constant(*index));
    let mut sets: Vec<(Vec<IndexId>, Vec<Term>)> = Vec::new();
    for part in &evaluated.parts {
        let term = term(program, part, element, tables, &equation.target);
        let sums = [outer.as_slice(), &part.sums].concat();
        match sets.iter_mut().find(|(others, _)| *others == sums) {
            Some((_, terms)) => terms.push(term),
            None => sets.push((sums, vec![term])),
        }
    }
    if !evaluated.rest.is_empty() {
        sets.push((equation.reduction.clone(), evaluated.rest.clone()));
    }
    let mut operator = equation.operator;
    let mut result = Vec::new();
    for (reduction, terms) in sets {
        result.push(Equation {
            operator,
            reduction,
            expr: sum(&mut program.pool, terms, element),
            ..equation.clone()
        });
        operator = Operator::Accumulate;
    }
    result
}

/// `coefficient · variables · tensor`, the tensor as a table of the program.
fn term(
    program: &mut Program,
    part: &Part,
    element: Element,
    tables: &mut Vec<ArrayId>,
    target: &Access,
) -> Term {
    let mut factors = part.factors.clone();
    factors.extend(&part.variables);
    let mut number = Number::ONE;
    if part.loops.is_empty() {
        number = part.tensor[0];
    } else {
        let name = format!("{}_reference", program.array(target.array).name);
        let array = table(program, &name, part, element, tables);
        let subscripts = part.loops.iter().copied().map(Affine::index).collect();
        let access = Expr::Access(Access { array, subscripts });
        let expr = program.pool.add(access, element);
        factors.push(Factor { expr, power: 1 });
    }
    Term {
        coefficient: number,
        expr: product(&mut program.pool, factors, element),
    }
}

/// The table of a tensor: an equal one that was made before, or a new one.
fn table(
    program: &mut Program,
    name: &str,
    part: &Part,
    element: Element,
    tables: &mut Vec<ArrayId>,
) -> ArrayId {
    let shape: Vec<Extent> = part
        .loops
        .iter()
        .map(|index| program.loop_index(*index).extent.clone())
        .collect();
    let images = |values: &[Number]| -> Vec<Field> { values.iter().map(|v| v.field()).collect() };
    let mine = images(&part.tensor);
    let equal = tables.iter().copied().find(|array| {
        let array = program.array(*array);
        let Role::Table(values) = &array.role else {
            return false;
        };
        array.element == element && array.shape == shape && images(values) == mine
    });
    equal.unwrap_or_else(|| {
        let role = Role::Table(Rc::new(part.tensor.clone()));
        let array = program.add_array(name, element, shape, role);
        tables.push(array);
        array
    })
}
