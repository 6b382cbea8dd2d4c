//! Integers: affine arithmetic, and what subscripts reach.

use super::clamps::invariant;
use super::value::{Place, Root, Value};
use super::{Lowerer, Result, opaque, problem};
use crate::diagnostics::Span;
use crate::ir::{Affine, Atom, Extent};
use crate::syntax::ast::{
    BinaryOperator, Expression, ExpressionKind, IntegerMethod, IntegerType, ScalarType, Type,
};

/// Largest constant and coefficient: nothing that is computed from them overflows.
const LARGEST: i64 = 1 << 40;
/// Most elements of an array that validation allocates.
const VALIDATED: i128 = 1 << 22;
/// Elements that no memory holds.
const SENSELESS: i128 = 1 << 36;
/// More than validation takes for a run-time extent or integer.
const RUN_TIME: i128 = 64;

impl Lowerer<'_> {
    /// `left operator right`.
    pub(super) fn integer_arithmetic(
        &self,
        operator: BinaryOperator,
        left: &Affine,
        right: &Affine,
        span: Span,
    ) -> Result<Affine> {
        match (operator, left.as_constant(), right.as_constant()) {
            (BinaryOperator::Add, ..) => bounded(left.add(right), span),
            (BinaryOperator::Subtract, ..) => bounded(left.sub(right), span),
            (BinaryOperator::Multiply, _, Some(factor)) => scaled(left, factor, span),
            (BinaryOperator::Multiply, Some(factor), _) => scaled(right, factor, span),
            (BinaryOperator::Divide | BinaryOperator::Remainder, _, Some(0)) => problem(
                span,
                "a division by zero",
                "divide by an integer that is not zero",
            ),
            (BinaryOperator::Divide, Some(a), Some(b)) => Ok(Affine::constant(a / b)),
            (BinaryOperator::Divide, None, Some(b)) if left.divided(b).is_some() => {
                Ok(left.divided(b).unwrap_or_default())
            }
            (BinaryOperator::Remainder, Some(a), Some(b)) => Ok(Affine::constant(a % b)),
            (BinaryOperator::Multiply, ..) if invariant(left) || invariant(right) => opaque(
                span,
                "a product of integers that are known when the kernel runs",
                "pass slices of arrays or a view, whose strides are known",
            ),
            _ => opaque(
                span,
                "this index arithmetic is not affine",
                match operator {
                    BinaryOperator::Remainder => {
                        "remainders may wrap around a few times, `(i + 1) % n` in a loop over `0..n`; else loop over blocks and over what is inside of them"
                    }
                    _ => "subscripts are sums of loop variables and integers times constants",
                },
            ),
        }
    }

    /// A method of integers, or an operator that only they have, where its value is known.
    pub(super) fn integer_method(
        &mut self,
        method: IntegerMethod,
        operands: &[Expression],
        (ty, span): (IntegerType, Span),
    ) -> Result<Value> {
        let limits = matches!(method, IntegerMethod::Min | IntegerMethod::Within);
        let mut given = Vec::new();
        if self.words || !limits {
            for operand in operands {
                given.push(self.expression(operand)?);
            }
        }
        if given.iter().any(|value| self.is_data(value)) && method != IntegerMethod::Within {
            return self.whole_method(method, given, (ty, span));
        }
        if let (true, [l, r]) = (limits, operands) {
            return self.limited(method, (l, r), (ty, span));
        }
        let mut values = Vec::new();
        for (value, operand) in given.into_iter().zip(operands) {
            values.push(self.affine(value, operand.span)?);
        }
        if let Some(value) = self.unwrapped(method, &values, (ty, span))? {
            return self.computed(value, ty, span);
        }
        let known: Option<Vec<i128>> = values
            .iter()
            .map(|value| value.as_constant().map(i128::from))
            .collect();
        // Without a type of its own, a literal may be of type `i32`.
        let certain =
            ty != IntegerType::Usize || !(method == IntegerMethod::Not || method.counts_bits());
        if known.is_none()
            && let Some(value) = self.clamped(method, &values, (ty, span))?
        {
            return Ok(value);
        }
        let value = known.filter(|_| certain);
        let value = value.and_then(|known| known_value(method, ty, &known));
        match value.and_then(|value| i64::try_from(value).ok()) {
            Some(value) => self.computed(Affine::constant(value), ty, span),
            None => opaque(
                span,
                "a method or an operator of integers whose value is not known here",
                "compute it before the loops, or pass it as a parameter",
            ),
        }
    }

    /// The value of a method that leaves out what its type does not hold, where that is nothing: shown here, or owed of what is
    /// multiplied.
    fn unwrapped(
        &self,
        method: IntegerMethod,
        operands: &[Affine],
        (ty, span): (IntegerType, Span),
    ) -> Result<Option<Affine>> {
        let [l, r] = operands else {
            return Ok(None);
        };
        let shown = |value: Affine| {
            let (least, most) = self.interval(&value)?;
            (ty.holds(least) && ty.holds(most)).then_some(value)
        };
        Ok(match (method, l.as_constant(), r.as_constant()) {
            (_, Some(_), Some(_)) => None,
            (IntegerMethod::ShiftLeft, _, Some(by @ 0..32)) => Some(scaled(l, 1 << by, span)?),
            (IntegerMethod::WrappingAdd, ..) => shown(l.add(r)),
            (IntegerMethod::WrappingSub, ..) => shown(l.sub(r)),
            _ => None,
        })
    }

    /// An integer that was computed: its type must hold it.
    pub(super) fn computed(
        &mut self,
        affine: Affine,
        ty: IntegerType,
        span: Span,
    ) -> Result<Value> {
        let affine = bounded(affine, span)?;
        self.owe(&affine, ty, span);
        Ok(Value::Integer(affine))
    }

    /// `value as to`: an integer as it is, if `to` holds it; an element that it may not hold stays a
    /// conversion, and anything else must fit.
    pub(super) fn integer_cast(
        &mut self,
        operand: &Expression,
        (from, to): (IntegerType, IntegerType),
        span: Span,
    ) -> Result<Value> {
        let value = self.expression(operand)?;
        if self.is_computed(&value) {
            let expr = self.whole(value, from, span)?;
            return Ok(Value::Scalar(self.whole_cast(expr, to)));
        }
        let (affine, mut steps) = match value {
            Value::Converted(affine, steps) => (affine, steps),
            other => (self.affine(other, operand.span)?, Vec::new()),
        };
        if let (Some(known), []) = (affine.as_constant(), steps.as_slice()) {
            let value = to.truncated(known.into());
            return match i64::try_from(value) {
                Ok(value) => Value::integer(value, span),
                Err(_) => opaque(
                    span,
                    "this integer is 2^63 or larger",
                    "compute with smaller integers",
                ),
            };
        }
        let (least, most) = from.range();
        let (least, most) = match self.interval(&affine) {
            Some((low, high)) if steps.is_empty() => (low.max(least), high.min(most)),
            _ => (least, most),
        };
        let fits = to.holds(least) && to.holds(most);
        let element = matches!(
            (affine.terms.as_slice(), affine.constant),
            ([(Atom::Scalar(_) | Atom::Map(..), 1)], 0)
        );
        match fits {
            true if steps.is_empty() => Ok(Value::Integer(affine)),
            true => Ok(Value::Converted(affine, steps)),
            false if element => {
                steps.push(to);
                Ok(Value::Converted(affine, steps))
            }
            false => {
                self.owe_conversion(&affine, to, span);
                Ok(Value::Integer(affine))
            }
        }
    }

    /// A comparison of integers.
    pub(super) fn is_integer_condition(&self, condition: &Expression) -> bool {
        let ExpressionKind::Compare(_, left, _) = &condition.kind else {
            return false;
        };
        matches!(left.ty, Type::Scalar(ScalarType::Integer(_)))
    }

    /// Whether a condition on integers holds in all iterations, or in none of them; a loop is cut
    /// where it changes.
    pub(super) fn decided(&mut self, condition: &Expression) -> Result<Option<bool>> {
        let ExpressionKind::Compare(operator, left, right) = &condition.kind else {
            return Ok(None);
        };
        if !self.is_integer_condition(condition) {
            return Ok(None);
        }
        let (l, r) = (self.expression(left)?, self.expression(right)?);
        if self.is_computed(&l) || self.is_computed(&r) {
            return Ok(None);
        }
        let (l, r) = (self.affine(l, left.span)?, self.affine(r, right.span)?);
        let difference = l.sub(&r);
        if self.interval(&difference).is_none() {
            return Ok(None);
        }
        let known = self.settled(*operator, &difference, condition.span)?;
        if known.is_none() {
            self.peel(&difference, condition.span)?;
            self.unroll_components(&difference, condition.span)?;
        }
        Ok(known)
    }

    /// Refuses a subscript that is out of range in some iteration.
    pub(super) fn check_subscript(&self, at: &Affine, of: &Place, span: Span) -> Result<()> {
        let (extent, inner) = match &of.ty {
            Type::Array(inner, n) => (Some(*n), inner),
            Type::Slice(inner) | Type::Open(inner, _) => (None, inner),
            _ => return Ok(()),
        };
        if let Some((least, most)) = self.extremes(at) {
            if least < 0 {
                return problem(
                    span,
                    format!("this subscript reaches {least}"),
                    "let the loop start where the subscript is not negative",
                );
            }
            if let Some(extent) = extent
                && most >= extent as i128
            {
                return problem(
                    span,
                    format!("this subscript reaches {most}, but the array has {extent} elements"),
                    match extent {
                        0 => "an empty array has no elements to subscript".to_owned(),
                        _ => format!(
                            "let the loop end where the subscript is at most {}",
                            extent - 1
                        ),
                    },
                );
            }
        }
        if let (Root::Array(array), None) = (of.root, extent) {
            let beyond = match self.array(array).shape.get(of.subscripts.len()) {
                Some(Extent::RunTime(length)) => self.last(at).map(|last| last.sub(length)),
                _ => None,
            };
            if beyond.is_some_and(|beyond| beyond.as_constant() >= Some(0)) {
                let name = &self.array(array).name;
                return problem(
                    span,
                    format!("this subscript reaches past the end of `{name}`"),
                    format!("let the loop end earlier, as in `0..{name}.len() - 1`"),
                );
            }
        }
        let elements = i128::try_from(super::unroll::elements(inner)).unwrap_or(VALIDATED);
        if extent.is_none() && self.estimate(at).saturating_mul(elements) > VALIDATED {
            return opaque(
                span,
                "this subscript reaches too far into a slice",
                "pass the distance as an integer parameter",
            );
        }
        Ok(())
    }

    /// Counts an array that validation has to hold with all others, as many elements as it takes for
    /// run-time extents.
    pub(super) fn hold(
        &mut self,
        elements: usize,
        slice: bool,
        span: Span,
        refusal: impl FnOnce() -> (String, &'static str),
    ) -> Result<()> {
        let factor = if slice { RUN_TIME } else { 1 };
        let elements = (elements as i128).saturating_mul(factor);
        self.held = self.held.saturating_add(elements);
        if self.held <= VALIDATED {
            return Ok(());
        }
        let (message, help) = refusal();
        match elements > SENSELESS {
            true => problem(span, message, help),
            false => opaque(span, message, help),
        }
    }

    /// Loops of constant extent must come to an end: their iterations are counted.
    pub(super) fn check_iterations(&self, extent: &Extent, span: Span) -> Result<()> {
        let open = self
            .open
            .iter()
            .map(|index| &self.program.loop_index(*index).extent);
        let iterations = open.chain([extent]).filter_map(Extent::as_constant);
        let all = iterations.fold(1i128, |all, n| all.saturating_mul(n as i128));
        if all > i128::from(LARGEST) {
            return problem(
                span,
                "these loops have more than 2^40 iterations together",
                "take the extents from parameters, or use shorter loops",
            );
        }
        Ok(())
    }

    /// The least and the largest value, the first iterations of run-time loops taken; `None`
    /// if run-time integers take part.
    pub(super) fn extremes(&self, affine: &Affine) -> Option<(i128, i128)> {
        let constant = i128::from(affine.constant);
        let mut range = (constant, constant);
        for (atom, coefficient) in &affine.terms {
            let Atom::Index(index) = atom else {
                return None;
            };
            if let Extent::Constant(n) = self.program.loop_index(*index).extent {
                let most = i128::from(*coefficient) * (n as i128 - 1);
                range.0 += most.min(0);
                range.1 += most.max(0);
            }
        }
        Some(range)
    }

    /// The value in the last iteration of a run-time loop that the subscript follows.
    fn last(&self, at: &Affine) -> Option<Affine> {
        let [(Atom::Index(index), 1)] = at.terms.as_slice() else {
            return None;
        };
        match &self.program.loop_index(*index).extent {
            Extent::RunTime(extent) => {
                Some(extent.add(&Affine::constant(at.constant.checked_sub(1)?)))
            }
            Extent::Constant(_) => None,
        }
    }

    /// How far validation will go.
    fn estimate(&self, affine: &Affine) -> i128 {
        let constant = i128::from(affine.constant.max(0));
        let terms = affine.terms.iter().map(|(atom, coefficient)| {
            let most = match atom {
                Atom::Index(index) => match &self.program.loop_index(*index).extent {
                    Extent::Constant(n) => *n as i128,
                    Extent::RunTime(extent) => self.estimate(extent),
                },
                Atom::Scalar(_) | Atom::Length(..) | Atom::Map(..) => RUN_TIME,
            };
            i128::from(*coefficient).max(0).saturating_mul(most)
        });
        terms.fold(constant, i128::saturating_add)
    }
}

/// The value of a method, or of an operator that only integers have: `None` where Rust panics.
fn known_value(method: IntegerMethod, ty: IntegerType, operands: &[i128]) -> Option<i128> {
    let (l, r) = match *operands {
        [l] => (l, 0),
        [l, r] => (l, r),
        _ => return None,
    };
    let (least, most) = ty.range();
    let shift = u32::try_from(r).ok().filter(|by| *by < ty.bits());
    match method {
        IntegerMethod::WrappingAdd => Some(ty.truncated(l + r)),
        IntegerMethod::WrappingSub => Some(ty.truncated(l - r)),
        IntegerMethod::WrappingMul => Some(ty.truncated(l.wrapping_mul(r))),
        IntegerMethod::WrappingNeg => Some(ty.truncated(-l)),
        IntegerMethod::SaturatingAdd => Some((l + r).clamp(least, most)),
        IntegerMethod::SaturatingSub => Some((l - r).clamp(least, most)),
        IntegerMethod::SaturatingMul => Some(l.saturating_mul(r).clamp(least, most)),
        IntegerMethod::Within => (0 <= l && l < r).then_some(l),
        IntegerMethod::Min => Some(l.min(r)),
        IntegerMethod::Max => Some(l.max(r)),
        IntegerMethod::Abs => Some(l.abs()),
        IntegerMethod::Power => l.checked_pow(u32::try_from(r).ok()?),
        IntegerMethod::DivEuclid => l.checked_div_euclid(r),
        IntegerMethod::RemEuclid => l.checked_rem_euclid(r),
        IntegerMethod::Not => Some(ty.truncated(!l)),
        IntegerMethod::Ones | IntegerMethod::LeadingZeros | IntegerMethod::TrailingZeros => {
            Some(ty.counted(method, l))
        }
        IntegerMethod::And => Some(l & r),
        IntegerMethod::Or => Some(l | r),
        IntegerMethod::ExclusiveOr => Some(l ^ r),
        IntegerMethod::ShiftLeft => Some(ty.truncated(l << shift?)),
        IntegerMethod::ShiftRight => Some(l >> shift?),
    }
}

/// An integer whose parts are small enough to compute with.
pub(super) fn bounded(affine: Affine, span: Span) -> Result<Affine> {
    scaled(&affine, 1, span)
}

fn scaled(affine: &Affine, factor: i64, span: Span) -> Result<Affine> {
    let coefficients = affine.terms.iter().map(|(_, coefficient)| *coefficient);
    let small = |part: i64| matches!(part.checked_mul(factor), Some(p) if (-LARGEST..=LARGEST).contains(&p));
    if coefficients.chain([affine.constant]).all(small) {
        return Ok(affine.scale(factor));
    }
    too_large_integer(span)
}

pub(super) fn too_large_integer<T>(span: Span) -> Result<T> {
    opaque(
        span,
        "this integer is too large",
        "bounds and subscripts are at most 2^40",
    )
}

impl Value {
    /// A small integer constant.
    pub(super) fn integer(constant: i64, span: Span) -> Result<Value> {
        bounded(Affine::constant(constant), span).map(Value::Integer)
    }
}
