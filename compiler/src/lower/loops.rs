//! Loops: kept as indices, or unrolled.

use super::pieces::Values;
use super::value::Value;
use super::{Binding, Lowerer, Result, opaque};
use crate::ir::{Affine, Atom, Extent};
use crate::syntax::ast::{
    Adaptor, BinaryOperator, Expression, ExpressionKind, ForLoop, IntegerMethod, ScalarType, Type,
    adapted,
};

/// Most iterations that unrolling may lead to, over all nested loops of one statement.
const LONGEST_UNROLLED: usize = 256;

impl Lowerer<'_> {
    pub(super) fn for_loop(&mut self, for_loop: &ForLoop) -> Result<()> {
        let start = self.bound(&for_loop.start)?;
        let end = match self.saturating(&for_loop.end, &start)? {
            Some(end) => {
                self.check_bounds(&start, &Affine::default());
                end
            }
            None => {
                let end = self.bound(&for_loop.end)?;
                self.check_bounds(&start, &end);
                end
            }
        };
        let extent = end.sub(&start);
        let Some(n) = extent.as_constant() else {
            return self.run_time(for_loop, start, extent);
        };
        let (offset, stride, n) = adapted(&for_loop.adaptors, 0, n);
        let first = start.add(&Affine::constant(offset));
        match usize::try_from(n).unwrap_or(0) {
            0 => Ok(()),
            n if n <= LONGEST_UNROLLED && self.unrolls(for_loop, n) => {
                for k in 0..n {
                    let value = Value::Integer(first.add(&Affine::constant(stride * k as i64)));
                    self.frame.values[for_loop.variable.0] = Some(Binding {
                        value,
                        depth: self.open.len(),
                    });
                    self.block(&for_loop.body)?;
                }
                Ok(())
            }
            n => self.kept(for_loop, first, stride, Extent::Constant(n)),
        }
    }

    /// The end `a.saturating_sub(b)` as `a - b`, which is the same where the start is not negative:
    /// an extent below zero counts as zero.
    fn saturating(&mut self, end: &Expression, start: &Affine) -> Result<Option<Affine>> {
        let ExpressionKind::Integers(IntegerMethod::SaturatingSub, operands) = &end.kind else {
            return Ok(None);
        };
        let unsigned =
            matches!(&end.ty, Type::Scalar(ScalarType::Integer(ty)) if ty.range().0 == 0);
        let [from, less] = operands.as_slice() else {
            return Ok(None);
        };
        if !unsigned || start.as_constant().is_none_or(|start| start < 0) {
            return Ok(None);
        }
        let (from, less) = (self.bound(from)?, self.bound(less)?);
        self.integer_arithmetic(BinaryOperator::Subtract, &from, &less, end.span)
            .map(Some)
    }

    /// A loop whose number of iterations is known when the kernel runs.
    fn run_time(&mut self, for_loop: &ForLoop, start: Affine, extent: Affine) -> Result<()> {
        let depends_on_loop = extent
            .terms
            .iter()
            .any(|(atom, _)| matches!(atom, Atom::Index(_) | Atom::Map(..)));
        if depends_on_loop {
            return opaque(
                for_loop.span,
                "the bounds of this loop change in an outer loop",
                "loop over the whole range; tables of zeros can cut it",
            );
        }
        let (mut first, mut stride) = (start, 1);
        for adaptor in &for_loop.adaptors {
            match adaptor {
                Adaptor::Reverse => {
                    let last = extent.add(&Affine::constant(-1));
                    first = first.add(&last.scale(stride));
                    stride = -stride;
                }
                Adaptor::StepBy(1) => {}
                Adaptor::StepBy(_) => {
                    return opaque(
                        for_loop.span,
                        "a loop of run-time length with a step",
                        "pass the number of steps, and subscript by multiples of the loop variable",
                    );
                }
            }
        }
        self.kept(for_loop, first, stride, Extent::RunTime(extent))
    }

    /// Notes the bounds that may fall below zero.
    fn check_bounds(&mut self, start: &Affine, end: &Affine) {
        for bound in [start, end] {
            let negative = bound.constant < 0 || bound.terms.iter().any(|(_, c)| *c < 0);
            let bound = (bound.clone(), self.open.clone());
            if negative && !self.bounds.contains(&bound) {
                self.bounds.push(bound);
            }
        }
    }

    fn bound(&mut self, expression: &Expression) -> Result<Affine> {
        let value = self.expression(expression)?;
        self.affine(value, expression.span)
    }

    fn kept(
        &mut self,
        for_loop: &ForLoop,
        first: Affine,
        stride: i64,
        extent: Extent,
    ) -> Result<()> {
        self.check_iterations(&extent, for_loop.span)?;
        let values = Values {
            first,
            stride,
            whole: extent.clone(),
            extent,
        };
        self.pieces(for_loop, &values)
    }
}
