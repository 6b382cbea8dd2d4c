//! Loops: kept as indices, or unrolled.

use super::clamps::invariant;
use super::expressions::integer_type;
use super::overflow::{bound_facts, is_natural};
use super::pieces::{Values, found};
use super::unroll::SHORT;
use super::value::Value;
use super::{Finding, Lowerer, Problem, Result, opaque};
use crate::diagnostics::Span;
use crate::ir::{Affine, Atom, Extent};
use crate::syntax::ast::{
    Adaptor, BinaryOperator, Expression, ExpressionKind, ForLoop, IntegerMethod, ScalarType, Type,
    adapted,
};

/// Most iterations that unrolling may lead to, over all nested loops of one statement.
const LONGEST_UNROLLED: usize = 256;

/// Longest loop that is unrolled since a condition compares it with another one, where lanes could compare.
const LONGEST_COMPARED: usize = 2 * SHORT;

/// Most iterations of a loop that is unrolled since an inner loop's bounds follow it.
const LONGEST_FOLLOWED: usize = 40;

impl Lowerer<'_> {
    pub(super) fn for_loop(&mut self, for_loop: &ForLoop) -> Result<()> {
        if let Some(values) = self.along_row(for_loop)? {
            self.check_iterations(&values.extent, for_loop.span)?;
            return self.pieces(for_loop, &values);
        }
        let (start, end) = self.bounds_of(for_loop)?;
        let extent = end.sub(&start);
        if self.repeats(for_loop) {
            return self.repeated(for_loop, (start, extent));
        }
        let Some(n) = extent.as_constant() else {
            return self.run_time(for_loop, start, extent);
        };
        let (offset, stride, n) = adapted(&for_loop.adaptors, 0, n);
        let first = start.add(&Affine::constant(offset));
        match usize::try_from(n).unwrap_or(0) {
            0 => Ok(()),
            n if n <= LONGEST_UNROLLED && self.unrolls(for_loop, n) => {
                self.unrolled(for_loop, &first, stride, n)
            }
            n => self.kept(for_loop, first, stride, Extent::Constant(n)),
        }
    }

    /// The values of a loop that begins at a sum of products, `for i in r * n..(r + 1) * n`.
    fn along_row(&mut self, for_loop: &ForLoop) -> Result<Option<Values>> {
        if matches!(for_loop.start.kind, ExpressionKind::Integer(_)) {
            return Ok(None);
        }
        let owed = (self.owed.len(), self.owed_flat.len());
        let Value::Flat(start) = self.expression(&for_loop.start)? else {
            self.owed.truncate(owed.0);
            self.owed_flat.truncate(owed.1);
            return Ok(None);
        };
        let end = self.expression(&for_loop.end)?;
        let extent = self.flat(BinaryOperator::Subtract, &end, &Value::Flat(start.clone()));
        let known = self.is_natural_flat(&start) && for_loop.adaptors.is_empty();
        let extent = match extent {
            Some(Value::Integer(extent)) if known && invariant(&extent) => Some(extent),
            _ => None,
        };
        let Some(extent) = extent else {
            return opaque(
                for_loop.span,
                "the length of this loop is a product of integers that are known when the kernel runs",
                "loop over rows, and over what is inside of them",
            );
        };
        self.settle_owed(owed.0)?;
        let extent = Extent::from(extent);
        Ok(Some(Values {
            first: Affine::default(),
            stride: 1,
            whole: extent.clone(),
            extent,
            beyond: Some(start),
        }))
    }

    /// The bounds of a loop: those of the largest unsigned types must not be below zero, and whatever
    /// else their types do not hold, the text itself runs.
    fn bounds_of(&mut self, for_loop: &ForLoop) -> Result<(Affine, Affine)> {
        let owed = self.owed.len();
        let natural = integer_type(&for_loop.end.ty).filter(|ty| is_natural(*ty));
        let start = self.bound(&for_loop.start)?;
        let saturating = self.saturating(&for_loop.end, &start)?;
        let end = match saturating.clone() {
            Some(end) => end,
            None => self.bound(&for_loop.end)?,
        };
        if natural.is_some() {
            self.check_bound(&start, for_loop.span)?;
            if saturating.is_none() {
                self.check_bound(&end, for_loop.span)?;
            }
        }
        let facts = bound_facts(self, &start, &end, natural.is_some());
        self.show(owed, &facts);
        self.settle_owed(owed)?;
        Ok((start, end))
    }

    /// Runs a loop's body for each of its values.
    pub(super) fn unrolled(
        &mut self,
        for_loop: &ForLoop,
        first: &Affine,
        stride: i64,
        iterations: usize,
    ) -> Result<()> {
        self.unrolled.extend(self.loop_id(for_loop));
        self.copies = self.copies.saturating_mul(iterations.max(1));
        for k in 0..iterations {
            let value = Value::Integer(first.add(&Affine::constant(stride * k as i64)));
            self.frame.values[for_loop.variable.0] = Some(self.binding(value));
            self.block(&for_loop.body)?;
        }
        self.copies /= iterations.max(1);
        Ok(())
    }

    /// The end `a.saturating_sub(b)` as `a - b`, which is the same where the start is not negative:
    /// an extent below zero counts as zero.
    fn saturating(&mut self, end: &Expression, start: &Affine) -> Result<Option<Affine>> {
        let ExpressionKind::Integers(IntegerMethod::SaturatingSub, operands) = &end.kind else {
            return Ok(None);
        };
        let unsigned = matches!(&end.ty, Type::Scalar(ScalarType::Integer(ty)) if !ty.is_signed());
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
            let mapped = |(atom, _): &(Atom, i64)| matches!(atom, Atom::Map(..));
            let help = match extent.terms.iter().any(mapped) {
                true => "rows of one length for all, padded with zeros, could have lanes",
                false => "loop over the whole range, and let factors that are zero cut it",
            };
            let message = "the bounds of this loop change in an outer loop";
            let stopped = opaque(for_loop.span, message, help);
            let finding = self
                .followed(&extent)
                .map(|piece| Finding::Unroll { piece });
            return stopped.map_err(|problem| Problem {
                finding: finding.map(Box::new),
                ..problem
            });
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
        // A loop that holds elements touches none if it has no iterations.
        if self.depth == 0 && self.findings.held.contains(&for_loop.id) {
            self.assumed.push(extent.add(&Affine::constant(-1)));
        }
        self.kept(for_loop, first, stride, Extent::RunTime(extent))
    }

    /// Unrolls the shortest of several loops of constant length that a condition compares, such as those over
    /// components in `if c == d`: in each copy, the others are cut where it changes. Numbers of a generic type
    /// have no lanes that integers could be compared in, so longer loops are unrolled for these.
    pub(super) fn unroll_components(&self, difference: &Affine, span: Span) -> Result<()> {
        let longest = match self.generic {
            true => LONGEST_FOLLOWED,
            false => LONGEST_COMPARED,
        };
        let mut loops = Vec::new();
        for (atom, _) in &difference.terms {
            let Atom::Index(index) = atom else {
                return Ok(());
            };
            match self.program.loop_index(*index).extent.as_constant() {
                Some(n) => loops.push((n, *index)),
                None => return Ok(()),
            }
        }
        let shortest = loops.iter().min().filter(|_| loops.len() > 1);
        let shortest = shortest.filter(|(n, _)| *n <= longest);
        match shortest.and_then(|(_, index)| self.numbers.get(index)) {
            Some(piece) => found(Finding::Unroll { piece: *piece }, span),
            None => Ok(()),
        }
    }

    /// Unrolls a loop of constant length that is divided, as that over quarters in `q / 2` and `q % 2`, or multiplied by what is
    /// known when the kernel runs, where no other loop is.
    pub(super) fn unroll_divided(&self, divided: &Affine, span: Span) -> Result<()> {
        let constant = |(atom, _): &(Atom, i64)| match atom {
            Atom::Index(index) => (self.program.loop_index(*index).extent.as_constant()).is_some(),
            _ => false,
        };
        match self.followed(divided) {
            Some(piece) if divided.terms.iter().all(constant) => {
                found(Finding::Unroll { piece }, span)
            }
            _ => Ok(()),
        }
    }

    /// The loop that an extent follows, of those that can be unrolled for it.
    fn followed(&self, extent: &Affine) -> Option<usize> {
        let mut loops = extent.terms.iter().filter_map(|(atom, _)| match atom {
            Atom::Index(index) => Some(*index),
            _ => None,
        });
        loops.find_map(|index| {
            let n = self.program.loop_index(index).extent.as_constant()?;
            let short = n <= LONGEST_FOLLOWED;
            self.numbers.get(&index).copied().filter(|_| short)
        })
    }

    /// Notes a bound that may fall below zero.
    fn check_bound(&mut self, bound: &Affine, span: Span) -> Result<()> {
        let negative = self.interval(bound).is_none_or(|(least, _)| least < 0);
        if negative && !self.guards.is_empty() {
            return opaque(
                span,
                "a loop inside of a branch, whose bounds may be below zero outside of it",
                "end the loop at `n.saturating_sub(1)`",
            );
        }
        let bound = (bound.clone(), self.open.clone());
        if negative && !self.bounds.contains(&bound) {
            self.bounds.push(bound);
        }
        Ok(())
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
            beyond: None,
        };
        self.pieces(for_loop, &values)
    }
}
