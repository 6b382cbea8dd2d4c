//! Assignments and accumulations of one array in one loop.
//!
//! They must meet the same part of the array in each iteration: otherwise their order across
//! iterations matters. Unrolled loops write an array thousands of times in few ways, so only the
//! ways are kept and compared.

use super::{Lowerer, Result, problem};
use crate::diagnostics::Span;
use crate::ir::{Affine, ArrayId, Equation, IndexId, Operator};

/// A way in which equations write an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    operator: Operator,
    domain: Vec<IndexId>,
    /// The subscripts that are an index and nothing else.
    plain: Vec<Option<IndexId>>,
}

impl Lowerer<'_> {
    /// Keeps the way in which an equation writes its array.
    pub(super) fn remember(&mut self, equation: &Equation) {
        let way = Written {
            operator: equation.operator,
            domain: equation.domain().collect(),
            plain: plain(&equation.target.subscripts),
        };
        let ways = self.written.entry(equation.target.array).or_default();
        if !ways.contains(&way) {
            ways.push(way);
        }
    }

    /// Compares a write with those before it.
    pub(super) fn check_mixed(
        &self,
        array: ArrayId,
        operator: Operator,
        subscripts: &[Affine],
        span: Span,
    ) -> Result<()> {
        let own = plain(subscripts);
        for other in self.written.get(&array).into_iter().flatten() {
            if operator == Operator::Accumulate && other.operator == Operator::Accumulate {
                continue;
            }
            let mut shared = other.domain.iter().filter(|i| self.open.contains(i));
            let aligned = shared.all(|index| {
                let mut axes = other.plain.iter().zip(&own);
                axes.any(|(a, b)| a == b && *a == Some(*index))
            });
            if !aligned {
                let name = &self.array(array).name;
                return problem(
                    span,
                    format!("`{name}` is assigned and written again inside one loop"),
                    "write the assignments in a loop of their own before it",
                );
            }
        }
        Ok(())
    }
}

fn plain(subscripts: &[Affine]) -> Vec<Option<IndexId>> {
    subscripts.iter().map(Affine::as_index).collect()
}
