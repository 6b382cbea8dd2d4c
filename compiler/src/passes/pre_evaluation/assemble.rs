//! Equations and tables out of what was evaluated.

use super::evaluation::Evaluated;
use super::reference::Part;
use crate::ir::{
    Access, Affine, Element, Equation, Expr, Factor, IndexId, Operator, Program, Term,
};
use crate::number::Number;
use crate::rewrite::normalise::{product, sum};
use crate::rewrite::tables::Tables;

/// One equation for each set of loops that is still summed over.
pub fn replaced(
    program: &mut Program,
    evaluated: &Evaluated,
    tables: &mut Tables,
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
        operator = Operator::ADD;
    }
    result
}

/// `coefficient · variables · tensor`, the tensor as a table of the program.
fn term(
    program: &mut Program,
    part: &Part,
    element: Element,
    tables: &mut Tables,
    target: &Access,
) -> Term {
    let mut factors = part.factors.clone();
    factors.extend(&part.variables);
    let mut number = Number::ONE;
    if part.loops.is_empty() {
        number = part.tensor[0];
    } else {
        let name = format!("{}_reference", program.array(target.array).name);
        let shape = part.loops.iter();
        let shape = shape.map(|index| program.loop_index(*index).extent.clone());
        let kind = (element, shape.collect());
        let array = tables.table(program, &name, kind, part.tensor.to_vec());
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
