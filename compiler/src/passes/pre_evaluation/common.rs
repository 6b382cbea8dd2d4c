//! Products that several coefficients have in common.
//!
//! Coefficients of the tensors of one form differ in a factor or two: `det · r² · g00`,
//! `det · r² · g01`, … What the others are, `det · r²`, is computed once.

use super::Evaluated;
use crate::ir::{Element, ExprId, Factor, Pool, Program};
use crate::rewrite::common_factor::with_common_factor;
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
            lists.push(super::opened(&program.pool, coefficient));
            elements.push(element);
        }
    }
    if lists.len() <= MOST && elements.windows(2).all(|pair| pair[0] == pair[1]) {
        while let Some(common) = best(&distinct(&lists)) {
            let node = product(&mut program.pool, common.clone(), elements[0]);
            for list in &mut lists {
                take(&program.pool, list, &common, node);
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
            // One list that is the product itself saves nothing and would never end.
            let whole = common.len() == 1 && common[0].power.abs() == 1;
            if powers < 2 || whole {
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

/// What both products are divisible by.
fn intersection(left: &[Factor], right: &[Factor]) -> Vec<Factor> {
    let shared = |factor: &Factor| {
        let other = right.iter().find(|other| other.expr == factor.expr)?;
        let same_sign = (factor.power > 0) == (other.power > 0);
        let power = factor.power.abs().min(other.power.abs()) * factor.power.signum();
        same_sign.then_some(Factor {
            expr: factor.expr,
            power,
        })
    };
    left.iter().filter_map(shared).collect()
}

/// Replaces factors by their product, where a list has all of them.
fn take(pool: &Pool, list: &mut Vec<Factor>, common: &[Factor], node: ExprId) {
    if pool.operands(node).is_empty() || intersection(common, list) != common {
        return;
    }
    for taken in common {
        for factor in list.iter_mut() {
            if factor.expr == taken.expr {
                factor.power -= taken.power;
            }
        }
    }
    list.retain(|factor| factor.power != 0);
    list.push(Factor {
        expr: node,
        power: 1,
    });
    list.sort_by_key(|f| (f.power < 0, f.expr));
}
