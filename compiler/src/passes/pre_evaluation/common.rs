//! Products that several coefficients have in common.
//!
//! Coefficients of the tensors of one form differ in a factor or two: `det · r² · g00`,
//! `det · r² · g01`, … What the others are, `det · r²`, is computed once.

use super::evaluation::Evaluated;
use crate::ir::{Element, ExprId, Factor, Program};
use crate::rewrite::common_factor::{collect, intersection, with_common_factor};
use crate::rewrite::normalise::product;

/// Most coefficients that are compared with each other.
const MOST: usize = 128;

/// Sets the factors of each part: those of its coefficient, common products as one.
pub fn factorise(program: &mut Program, evaluated: &mut [Evaluated]) {
    let mut lists: Vec<Vec<Factor>> = Vec::new();
    let mut elements: Vec<Element> = Vec::new();
    for evaluated in evaluated.iter() {
        let element = program.pool.element(evaluated.equation.expr);
        for part in &evaluated.parts {
            let coefficient = with_common_factor(&mut program.pool, &part.coefficient, element);
            lists.push(super::evaluation::opened(&program.pool, coefficient));
            elements.push(element);
        }
    }
    if lists.len() <= MOST && elements.windows(2).all(|pair| pair[0] == pair[1]) {
        while let Some(common) = best(&distinct(&lists)) {
            let node = product(&mut program.pool, common.clone(), elements[0]);
            for list in &mut lists {
                take(list, &common, node);
            }
        }
    }
    let parts = evaluated.iter_mut().flat_map(|e| &mut e.parts);
    for (part, factors) in parts.zip(lists) {
        part.factors = factors;
    }
}

fn distinct(lists: &[Vec<Factor>]) -> Vec<&Vec<Factor>> {
    let mut result: Vec<&Vec<Factor>> = Vec::new();
    for list in lists {
        if !result.contains(&list) {
            result.push(list);
        }
    }
    result
}

/// The common factors that save most operations when they are multiplied once.
fn best(lists: &[&Vec<Factor>]) -> Option<Vec<Factor>> {
    let mut best: Option<(usize, Vec<Factor>)> = None;
    for (at, left) in lists.iter().enumerate() {
        for right in &lists[at + 1..] {
            let common = intersection(left, right);
            let powers: usize = common.iter().map(|f| f.power.unsigned_abs() as usize).sum();
            // A single factor is no product: taking it out would change nothing and never end.
            if powers < 2 {
                continue;
            }
            let count = lists
                .iter()
                .filter(|list| intersection(list, &common) == common)
                .count();
            let saved = (count - 1) * (powers - 1);
            if best.as_ref().is_none_or(|(most, _)| saved > *most) {
                best = Some((saved, common));
            }
        }
    }
    best.map(|(_, common)| common)
}

/// Replaces factors by their product, where a list has all of them.
fn take(list: &mut Vec<Factor>, common: &[Factor], node: ExprId) {
    if intersection(common, list) != common {
        return;
    }
    for taken in common {
        for factor in list.iter_mut() {
            if factor.expr == taken.expr {
                factor.power -= taken.power;
            }
        }
    }
    // A power of the product may be there already.
    list.push(Factor {
        expr: node,
        power: 1,
    });
    collect(list);
    list.sort_by_key(|f| (f.power < 0, f.expr));
}
