//! Sums with those terms put together that are multiplied with the same entries of tables.
//!
//! Before: `f[x] * (k[r, x] * d[r, q, j] + …) + …`, over `x` and `r`. After: `d[r, q, j] * h[r] + …`, where
//! `h[r] = k[r, x] * f[x] + …` is kept whole.

use super::columns::Dissection;
use crate::ir::{ExprId, Factor, Term};
use crate::number::Number;
use crate::rewrite::normalise::{product, sum};

/// A sum whose terms have different entries of tables; `None` if those of the given one do.
pub fn regrouped(dissection: &mut Dissection, expr: ExprId) -> Option<ExprId> {
    let monomials = dissection.monomials(expr)?;
    let pool = &mut dissection.program.pool;
    let element = pool.element(expr);
    let count = monomials.len();
    let mut groups: Vec<(ExprId, Vec<Term>)> = Vec::new();
    for monomial in monomials {
        let known = product(pool, monomial.known, element);
        let term = Term {
            coefficient: monomial.number,
            expr: product(pool, monomial.unknown, element),
        };
        match groups.iter_mut().find(|(other, _)| *other == known) {
            Some((_, terms)) => terms.push(term),
            None => groups.push((known, vec![term])),
        }
    }
    if groups.len() == count || groups.len() < 2 {
        return None;
    }
    let terms = groups.into_iter().map(|(known, terms)| {
        let single = terms.len() == 1;
        let mut unknown = sum(pool, terms, element);
        if !single {
            unknown = pool.kept(unknown);
        }
        let factors = [known, unknown].map(|expr| Factor { expr, power: 1 });
        Term {
            coefficient: Number::ONE,
            expr: product(pool, factors.to_vec(), element),
        }
    });
    let terms = terms.collect();
    Some(sum(pool, terms, element))
}
