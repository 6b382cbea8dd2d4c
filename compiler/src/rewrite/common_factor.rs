//! Sums of products, factorised.

use std::collections::BTreeMap;

use super::normalise::{product, sum};
use crate::ir::{Element, ExprId, Factor, Pool, Term};
use crate::number::Number;

/// A constant times factors.
pub type Coefficient = (Number, Vec<Factor>);

/// A sum of products with what all of them have in common as a factor.
pub fn with_common_factor(pool: &mut Pool, terms: &[Coefficient], element: Element) -> ExprId {
    let mut common: Vec<Factor> = terms[0].1.clone();
    collect(&mut common);
    for (_, factors) in &terms[1..] {
        let mut mine = factors.clone();
        collect(&mut mine);
        common = intersection(&common, &mine);
    }
    let rest = terms
        .iter()
        .map(|(number, factors)| {
            let mut factors = factors.clone();
            factors.extend(common.iter().map(|c| Factor {
                expr: c.expr,
                power: -c.power,
            }));
            Term {
                coefficient: *number,
                expr: product(pool, factors, element),
            }
        })
        .collect();
    let rest = sum(pool, rest, element);
    common.push(Factor {
        expr: rest,
        power: 1,
    });
    product(pool, common, element)
}

/// What both products are divisible by.
pub fn intersection(left: &[Factor], right: &[Factor]) -> Vec<Factor> {
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

/// Equal factors as powers, in the order of their expressions.
pub fn collect(factors: &mut Vec<Factor>) {
    let mut powers: BTreeMap<ExprId, i32> = BTreeMap::new();
    for factor in factors.iter() {
        *powers.entry(factor.expr).or_insert(0) += factor.power;
    }
    *factors = powers
        .into_iter()
        .filter(|(_, power)| *power != 0)
        .map(|(expr, power)| Factor { expr, power })
        .collect();
}
