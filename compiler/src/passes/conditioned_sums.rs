//! Sums whose terms may cancel, written so that they are as large as their terms.
//!
//! [`whole_sums`](super::whole_sums) keeps sums whole that are multiplied with others and whose terms may
//! cancel: other passes then compute each of them at each point. Some are sums over tables of fewer
//! independent rows than they have points: their values at as many points say all others. Of some, terms
//! can be put together so that no two have the same entries of tables. What remains has terms that do not
//! cancel, and may be multiplied out and evaluated before.
//!
//! Before: `g[e, q] = sum(k) d[q, k] * u[e, k]` and `y[e, i] += sum(q) w[q] * g[e, q] * g[e, q] * phi[q, i]`,
//! where `d` has derivatives of functions of degree 2. After: `p[e, m] = sum(k) d'[m, k] * u[e, k]`, kept,
//! `d'` having the rows of `d` at some points, and `g[e, q] = sum(m) c[q, m] * p[e, m]`.
//! Holds: values are equal in exact arithmetic, errors within a small factor of the text's bound,
//! operations after the later passes fewer than without.

use super::pipeline::{Weighed, weighed};
use super::whole_sums::{Remedy, remedied};
use crate::ir::Program;

/// The name of the pass.
pub const NAME: &str = "conditioned_sums";

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    if program.exact || program.is_in_place() {
        return Vec::new();
    }
    let mut decisions = Vec::new();
    let mut before: Option<Weighed> = None;
    for remedy in [Remedy::Points, Remedy::Group] {
        let mut candidate = program.clone();
        let count = remedied(&mut candidate, remedy);
        if count == 0 {
            continue;
        }
        let without = before.take().unwrap_or_else(|| weighed(program, NAME));
        let with = weighed(&candidate, NAME);
        let how = match remedy {
            Remedy::Group => "with terms put together by their tables",
            _ => "as combinations of their values at points",
        };
        let [fewer, more] = [&with, &without].map(|weighed| weighed.operations);
        if fewer < more {
            decisions.push(format!(
                "{count} sums {how}: {fewer} operations against {more}"
            ));
            *program = candidate;
            before = Some(with);
        } else {
            decisions.push(format!(
                "nothing: {more} operations against {fewer}, {count} sums {how}"
            ));
            before = Some(without);
        }
    }
    if let Some(weighed) = before {
        program.foreseen = weighed.foreseen;
    }
    decisions
}
