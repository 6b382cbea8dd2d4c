//! Tensors that several products have, multiplied once.
//!
//! Before: `t[n, i, j] * k0 * b0[n] + t[n, i, j] * k1 * b1[n]`. After: `t[n, i, j] * (k0 * b0[n] + k1 *
//! b1[n])`, where the sum in brackets is the same for all i and j.

use super::evaluation::Evaluated;
use super::reference::Part;
use crate::collections::HashMap;
use crate::ir::{Element, Factor, Program, Term};
use crate::number::Number;
use crate::rewrite::normalise::{product, sum};

/// Joins the parts of each equation whose tensors are equal up to a factor.
pub fn join(program: &mut Program, evaluated: &mut [Evaluated]) {
    for evaluated in evaluated {
        let element = program.pool.element(evaluated.equation.expr);
        let mut groups: Vec<Vec<Part>> = Vec::new();
        let mut known: HashMap<_, usize> = HashMap::default();
        for part in std::mem::take(&mut evaluated.parts) {
            let key = (part.sums.clone(), part.loops.clone(), part.direction());
            let next = groups.len();
            let group = *known.entry(key).or_insert(next);
            if group == next {
                groups.push(Vec::new());
            }
            groups[group].push(part);
        }
        let joined = groups.into_iter().map(|group| one(program, group, element));
        evaluated.parts = joined.collect();
    }
}

/// One part for several with the same tensor, up to a factor.
fn one(program: &mut Program, mut group: Vec<Part>, element: Element) -> Part {
    let mut result = group.swap_remove(0);
    if group.is_empty() {
        return result;
    }
    let mut term = |coefficient: Number, part: &Part| Term {
        coefficient,
        expr: product(
            &mut program.pool,
            [part.factors.as_slice(), &part.variables].concat(),
            element,
        ),
    };
    let mut terms = vec![term(Number::ONE, &result)];
    terms.extend(group.iter().map(|part| term(part.times(&result), part)));
    let expr = sum(&mut program.pool, terms, element);
    result.factors = Vec::new();
    result.variables = vec![Factor { expr, power: 1 }];
    result
}
