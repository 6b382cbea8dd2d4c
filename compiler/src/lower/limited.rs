//! Integers that others limit: the shorter of two lengths, a subscript of a part of an array.
//!
//! Which of two lengths is the shorter one is assumed where nothing shows it, so that a loop over both is
//! the one over the first; for other inputs the text runs. A subscript of a part of an array must be below
//! the number of its elements, which is checked with all bounds, before anything is written.

use super::clamps::invariant;
use super::products::Flat;
use super::value::{Place, Root, Value};
use super::{Lowerer, Result, opaque};
use crate::diagnostics::Span;
use crate::ir::Affine;
use crate::syntax::ast::{BinaryOperator, Expression, ExpressionKind, IntegerMethod, IntegerType};

/// One of several lengths.
enum Limit {
    Affine(Affine),
    /// A quotient of such, rounded down.
    Quotient(Affine, i64),
}

/// Runs the text where a part of a slice may end after it.
fn unshown<T>(span: Span) -> Result<T> {
    opaque(
        span,
        "nothing shows that this is in the range of the slice",
        "take rows of one length, `&x[r * n..(r + 1) * n]`, or loop over `chunks_exact`",
    )
}

impl Lowerer<'_> {
    /// The smaller of two integers, or a subscript that must be below a length.
    pub(super) fn limited(
        &mut self,
        method: IntegerMethod,
        (l, r): (&Expression, &Expression),
        (ty, span): (IntegerType, Span),
    ) -> Result<Value> {
        match method {
            IntegerMethod::Within => self.within(l, r, span),
            _ => self.minimum(l, r, (ty, span)),
        }
    }

    /// The value of the first, which must be below the second.
    fn within(&mut self, index: &Expression, limit: &Expression, span: Span) -> Result<Value> {
        let value = self.expression(index)?;
        let limit_value = self.expression(limit)?;
        if let (Value::Flat(_), _) | (_, Value::Flat(_)) = (&value, &limit_value) {
            let of = self.slice_of(limit)?;
            return self.flat_within((value, limit_value), of.as_ref(), span);
        }
        let (at, limit) = (
            self.affine(value, index.span)?,
            self.affine(limit_value, limit.span)?,
        );
        let left = limit.sub(&at).sub(&Affine::constant(1));
        let interval = |affine: &Affine| self.interval(affine);
        let (natural, below) = (interval(&at), interval(&left));
        if below.is_some_and(|(_, most)| most < 0) {
            return super::problem(
                span,
                "this is past the end of the part of an array that it subscripts",
                "subscript a slice below its length",
            );
        }
        let least = |interval: Option<(i128, i128)>| interval.map(|(least, _)| least);
        for (affine, least) in [(&at, least(natural)), (&left, least(below))] {
            if least >= Some(0) {
                continue;
            }
            // Where it is least, in the loops around.
            let lowest = self.ends(affine).map(|(lowest, _)| lowest);
            let Some(lowest) = lowest.filter(|low| self.guards.is_empty() && invariant(low)) else {
                return opaque(
                    span,
                    "a subscript of a part of an array that may be out of its range",
                    "subscript the array itself, in a range that the loops show",
                );
            };
            let bound = (lowest, self.open.clone());
            if !self.bounds.contains(&bound) {
                self.bounds.push(bound);
            }
        }
        Ok(Value::Integer(at))
    }

    /// An integer that must be below another one, where one of both is a sum of products: the end of a part of a slice,
    /// `&x[r * n..(r + 1) * n]`, whose last element must then be one of the slice.
    fn flat_within(
        &mut self,
        (at, limit): (Value, Value),
        of: Option<&Place>,
        span: Span,
    ) -> Result<Value> {
        if let (Some(own), Some(limit)) = (Flat::part(&at), Flat::part(&limit)) {
            let one = Flat::of(Affine::constant(1));
            let natural = self.is_natural_flat(&own);
            let left = limit.sum(&own, -1).sum(&one, -1);
            if natural && (self.is_natural_flat(&left) || self.is_in_rows_of(&own, &limit)) {
                return Ok(at);
            }
            if let (Some(slice), true) = (of, natural) {
                for extent in own.extents() {
                    self.assume(extent.sub(&Affine::constant(1)), span)?;
                }
                let last = Value::Flat(own.sum(&one, -1));
                match self.flat_element(slice, &last, span)? {
                    Some(element) => self.reach(&element, span)?,
                    // What subscripts the part says its rows; then all begins again.
                    None if self.may_have_rows(slice) => {
                        self.part_of_rows.get_or_insert(span);
                    }
                    None => return unshown(span),
                }
                return Ok(at);
            }
        }
        unshown(span)
    }

    /// Whether a slice is one that subscripts may still show rows of.
    fn may_have_rows(&self, slice: &Place) -> bool {
        let Root::Array(array) = slice.root else {
            return false;
        };
        let parameter = self.array(array).role.position().is_some();
        parameter && slice.subscripts.is_empty() && !self.is_in_rows(array)
    }

    /// Slices of whose parts only a product says the end must have been subscripted as arrays of more dimensions.
    pub(super) fn settle_parts(&self) -> Result<()> {
        self.part_of_rows.map_or(Ok(()), unshown)
    }

    /// The slice of which an integer is one more than the length.
    fn slice_of(&mut self, limit: &Expression) -> Result<Option<Place>> {
        let ExpressionKind::Binary(BinaryOperator::Add, length, one) = &limit.kind else {
            return Ok(None);
        };
        let (ExpressionKind::Length(of, 0), ExpressionKind::Integer(1)) = (&length.kind, &one.kind)
        else {
            return Ok(None);
        };
        Ok(match self.expression(of)? {
            Value::Place(place) => Some(place),
            _ => None,
        })
    }

    fn limit(&mut self, expression: &Expression) -> Result<Limit> {
        if let ExpressionKind::Binary(BinaryOperator::Divide, l, r) = &expression.kind {
            let (value, by) = (self.expression(l)?, self.expression(r)?);
            let (value, by) = (self.affine(value, l.span)?, self.affine(by, r.span)?);
            if let Some(by) = by.as_constant().filter(|by| *by > 0) {
                return Ok(match value.as_constant() {
                    Some(value) => Limit::Affine(Affine::constant(value.div_euclid(by))),
                    None => Limit::Quotient(value, by),
                });
            }
            return opaque(
                expression.span,
                "an integer that is divided by another one",
                "pass the number as a parameter",
            );
        }
        let value = self.expression(expression)?;
        Ok(Limit::Affine(self.affine(value, expression.span)?))
    }

    fn minimum(
        &mut self,
        l: &Expression,
        r: &Expression,
        (ty, span): (IntegerType, Span),
    ) -> Result<Value> {
        let unknown = |span| {
            opaque(
                span,
                "the smaller of two integers, which change in a loop or are divided",
                "compute it before the loops, or pass it as a parameter",
            )
        };
        let (left, right) = (self.limit(l)?, self.limit(r)?);
        let (first, other) = match (left, right) {
            (Limit::Affine(first), other) | (other, Limit::Affine(first)) => (first, other),
            _ => return unknown(span),
        };
        match other {
            Limit::Affine(other) => {
                let known = self.assumed.len();
                let longer = other.sub(&first);
                let both = [first.clone(), other];
                let least = self.clamped(IntegerMethod::Min, &both, (ty, span))?;
                if self.assumed[known..].contains(&longer) {
                    self.shorter.push((longer, first));
                }
                least.map_or_else(|| unknown(span), Ok)
            }
            // n ≤ ⌊m / k⌋ where k n ≤ m.
            Limit::Quotient(whole, by) => {
                let difference = whole.sub(&first.scale(by));
                if !invariant(&difference) {
                    return unknown(span);
                }
                self.assume(difference.clone(), span)?;
                self.shorter.push((difference, first.clone()));
                self.computed(first, ty, span)
            }
        }
    }
}
