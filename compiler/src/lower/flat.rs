//! Flat subscripts, such as `u[(k * ny + j) * nx + i]`: slices that hold arrays of more dimensions.
//!
//! A product of integers that are known when the kernel runs is no affine function. As a subscript of
//! a slice it says the shape that the slice's elements have: here rows of `nx`, and planes of `ny`
//! rows. Lowering then begins again with that shape, and every subscript of the slice is taken apart
//! into one for each dimension. That is right where each is below its extent but the outermost one,
//! which the loops' bounds must show; what the whole is below is checked when the kernel runs.

use super::pieces::found;
use super::products::{Flat, is_invariant, times};
use super::value::{Place, Root, Value};
use super::{Finding, Lowerer, Result, opaque};
use crate::diagnostics::Span;
use crate::ir::{Affine, ArrayId};
use crate::syntax::ast::{BinaryOperator, Expression, ExpressionKind, Type};

impl Value {
    /// How many rows of these extents have so many elements, if that is an affine function.
    pub(super) fn rows(&self, extents: &[Affine]) -> Option<Affine> {
        let flat = match self {
            Value::Flat(flat) => flat.clone(),
            Value::Integer(affine) => Flat::of(affine.clone()),
            _ => return None,
        };
        let [(factors, factor)] = flat.terms.as_slice() else {
            return None;
        };
        let mut factors = factors.clone();
        let times = factor.as_constant().filter(|_| !factors.is_empty());
        if times.is_none() {
            factors.push(factor.clone());
        }
        let mut size = 1_i64;
        for extent in extents {
            match extent.as_constant() {
                Some(n) => size = size.checked_mul(n)?,
                None => {
                    let at = factors.iter().position(|factor| factor == extent)?;
                    factors.swap_remove(at);
                }
            }
        }
        match factors.as_slice() {
            [] => Affine::constant(times.unwrap_or(1)).divided(size),
            [rows] => rows.scale(times.unwrap_or(1)).divided(size),
            _ => None,
        }
    }
}

impl Lowerer<'_> {
    /// `left operator right` where that is no affine function.
    pub(super) fn flat(
        &self,
        operator: BinaryOperator,
        left: &Value,
        right: &Value,
    ) -> Option<Value> {
        let part = Flat::part;
        let affine = |value: &Value| matches!(value, Value::Integer(_));
        let known = |value: &Value| matches!(value, Value::Integer(a) if a.as_constant().is_some());
        let simple = match operator {
            BinaryOperator::Multiply => known(left) || known(right),
            _ => true,
        };
        if affine(left) && affine(right) && simple {
            return None;
        }
        let (left, right) = (part(left)?, part(right)?);
        let value = match operator {
            BinaryOperator::Add => left.sum(&right, 1),
            BinaryOperator::Subtract => left.sum(&right, -1),
            BinaryOperator::Multiply => left.product(&right)?,
            BinaryOperator::Divide | BinaryOperator::Remainder => return None,
        };
        // What is left of two products may be none: the length of a row, `(r + 1) * n - r * n`.
        Some(match value.as_affine() {
            Some(affine) => Value::Integer(affine),
            None => Value::Flat(value),
        })
    }

    /// A difference that is no affine function must not be below zero: its type has no such values.
    pub(super) fn owe_flat(&mut self, operator: BinaryOperator, value: &Value, span: Span) {
        if let (BinaryOperator::Subtract, Value::Flat(flat)) = (operator, value)
            && !self.is_natural_flat(flat)
        {
            self.owed_flat.push((flat.clone(), span));
        }
    }

    /// Whether no term is below zero.
    pub(super) fn is_natural_flat(&self, flat: &Flat) -> bool {
        let natural = |affine: &Affine| self.interval(affine).is_some_and(|(low, _)| low >= 0);
        let all = |flat: &Flat| {
            let mut terms = flat.terms.iter();
            terms.all(|(extents, factor)| natural(factor) && extents.iter().all(natural))
        };
        all(flat) || all(&flat.gathered())
    }

    /// What is owed of differences that nothing has shown.
    pub(super) fn settle_flat(&mut self) -> Result<()> {
        match self.owed_flat.pop() {
            None => Ok(()),
            Some((_, span)) => opaque(
                span,
                "this difference of integers may be below zero",
                "add what is added first, and subtract then",
            ),
        }
    }

    /// The element of a slice at a flat subscript, or at any if the slice has a shape.
    pub(super) fn flat_element(
        &mut self,
        place: &Place,
        at: &Value,
        span: Span,
    ) -> Result<Option<Place>> {
        let (Root::Array(array), Type::Slice(element)) = (place.root, &place.ty) else {
            return Ok(None);
        };
        let flat = match at {
            Value::Flat(_) if self.is_in_rows(array) && !self.has_run_time_rows(array) => {
                return found(Finding::Flat, span);
            }
            Value::Flat(flat) => flat.clone(),
            _ if !self.has_run_time_rows(array) => return Ok(None),
            other => Flat::of(self.affine(other.clone(), span)?),
        };
        if !is_constant(element) {
            return Ok(None);
        }
        // The subscript itself is checked, and what is no smaller is shown with it.
        let owed = std::mem::take(&mut self.owed_flat);
        let left = |(owed, _): &(Flat, Span)| !self.is_natural_flat(&owed.sum(&flat, -1));
        self.owed_flat = owed.into_iter().filter(left).collect();
        if !self.is_in_rows(array) {
            let Some(position) = self.array(array).role.position() else {
                return Ok(None);
            };
            return match self.shape_of(&flat) {
                Some(extents) => found(Finding::Shape { position, extents }, span),
                None => Ok(None),
            };
        }
        let Some(subscripts) = self.digits(array, &flat, span)? else {
            self.find_more_dimensions(array, &flat, span)?;
            let name = &self.array(array).name;
            return opaque(
                span,
                format!("the loops' bounds do not show in which row of `{name}` this is"),
                "let the inner subscripts run from 0 to the extents that the outer ones are multiplied by, or pass a view",
            );
        };
        Ok(Some(Place {
            root: place.root,
            subscripts,
            ty: element.as_ref().clone(),
        }))
    }

    /// A sum that is multiplied by an extent, `(k * ny + j) * nx`, counts rows of so many elements: they lie inside of what
    /// the sum has products of.
    pub(super) fn rows_of_a_sum(&mut self, (text, sum): (&Expression, &Value), extent: &Value) {
        let product = matches!(
            text.kind,
            ExpressionKind::Binary(BinaryOperator::Multiply, ..)
        );
        if let (false, Value::Flat(sum), Value::Integer(extent)) = (product, sum, extent) {
            let outer = sum.extents().cloned();
            self.inside
                .extend(outer.map(|outer| (extent.clone(), outer)));
        }
    }

    /// The extents that a slice has by one of its subscripts.
    fn shape_of(&self, flat: &Flat) -> Option<Vec<Affine>> {
        let is_inside = |inner: &Affine, outer: &Affine| {
            let pair = (inner.clone(), outer.clone());
            let turned = (outer.clone(), inner.clone());
            self.inside.contains(&pair) && !self.inside.contains(&turned)
        };
        flat.shape(|digit, extent| self.is_below(digit, extent), is_inside)
    }

    /// What was read as an array of few dimensions, where the subscripts of others are constant, has more.
    fn find_more_dimensions(&self, array: ArrayId, flat: &Flat, span: Span) -> Result<()> {
        let shape = self.shape_of(flat);
        let position = self.array(array).role.position();
        let (Some(position), Some(extents)) = (position, shape) else {
            return Ok(());
        };
        if extents.len() < self.array(array).rows() {
            return Ok(());
        }
        found(Finding::Shape { position, extents }, span)
    }

    /// Whether a slice holds an array whose inner extents are known when the kernel runs.
    fn has_run_time_rows(&self, array: ArrayId) -> bool {
        self.is_in_rows(array) && self.array(array).has_run_time_rows()
    }

    /// Whether one subscript is several: a slice, or a vector that the text allocates, holds an array of more dimensions.
    pub(super) fn is_in_rows(&self, array: ArrayId) -> bool {
        let own = self.array(array);
        let position = own.role.position().filter(|_| own.allocated);
        let found = position.and_then(|position| self.findings.shapes.get(&position));
        own.flat || found.is_some_and(|rows| own.shape.len() == rows.len() + 1)
    }

    /// A subscript for each dimension.
    fn digits(&mut self, array: ArrayId, flat: &Flat, span: Span) -> Result<Option<Vec<Affine>>> {
        let own = self.array(array);
        let extents: Vec<Affine> = own.shape[1..own.rows()]
            .iter()
            .filter_map(|extent| match extent {
                crate::ir::Extent::RunTime(affine) => Some(affine.clone()),
                crate::ir::Extent::Constant(_) => None,
            })
            .collect();
        let digits = self.digits_of(flat, &extents);
        if digits.is_some() {
            for extent in extents {
                self.assume(extent, span)?;
            }
        }
        Ok(digits)
    }

    /// A subscript for each dimension of an array with these extents behind the outermost one: all but the first are below
    /// theirs.
    fn digits_of(&self, flat: &Flat, extents: &[Affine]) -> Option<Vec<Affine>> {
        let count = extents.len() + 1;
        // What an element of each dimension is far from the next.
        let strides: Vec<Vec<Affine>> = (0..count)
            .map(|axis| {
                let mut stride = extents[axis..].to_vec();
                stride.sort();
                stride
            })
            .collect();
        let mut digits = vec![Affine::default(); count];
        for (product, factor) in &flat.terms {
            let (axis, factor) = place(&strides, product, factor)?;
            digits[axis] = digits[axis].add(&factor);
        }
        for axis in (1..count).rev() {
            let extent = &extents[axis - 1];
            let near = [0, 1, -1, 2, -2].into_iter();
            let carry = near.chain(times(&digits[axis], extent)).find(|carry| {
                let digit = digits[axis].sub(&extent.scale(*carry));
                self.is_below(&digit, extent)
            });
            let carry = carry?;
            digits[axis] = digits[axis].sub(&extent.scale(carry));
            digits[axis - 1] = digits[axis - 1].add(&Affine::constant(carry));
        }
        Some(digits)
    }

    /// Whether a subscript of a part of a slice is below the part's length, a product: `i * n + j` below `m * n`.
    pub(super) fn is_in_rows_of(&self, at: &Flat, length: &Flat) -> bool {
        let Some(extents) = self.shape_of(at) else {
            return false;
        };
        let rows = Value::Flat(length.clone()).rows(&extents);
        let digits = self.digits_of(at, &extents);
        match (rows, digits.as_deref()) {
            (Some(rows), Some([outermost, ..])) => self.is_below(outermost, &rows),
            _ => false,
        }
    }

    /// Whether a subscript is from 0 to below an extent, in all iterations.
    fn is_below(&self, digit: &Affine, extent: &Affine) -> bool {
        let left = extent.sub(&Affine::constant(1)).sub(digit);
        let least = |affine: &Affine| self.interval(affine).map(|(least, _)| least);
        least(digit) >= Some(0) && least(&left) >= Some(0)
    }
}

/// Whether an element of a slice is a number, or an array whose extents are known.
fn is_constant(element: &Type) -> bool {
    match element {
        Type::Scalar(_) => true,
        Type::Array(inner, _) => is_constant(inner),
        _ => false,
    }
}

/// The dimension that a product of extents is the stride of, and what it is multiplied by: a factor
/// may be the extent that is missing, a number of times.
fn place(strides: &[Vec<Affine>], product: &[Affine], factor: &Affine) -> Option<(usize, Affine)> {
    let of = |product: &[Affine]| {
        strides
            .iter()
            .position(|stride| stride.as_slice() == product)
    };
    if is_invariant(factor) && factor.as_constant().is_none() {
        let missing = strides.iter().flatten();
        let times = missing.filter_map(|extent| Some((extent, multiple(factor, extent)?)));
        for (extent, times) in times {
            let mut more = product.to_vec();
            more.push(extent.clone());
            more.sort();
            if let Some(axis) = of(&more) {
                return Some((axis, Affine::constant(times)));
            }
        }
    }
    let whole = of(product).map(|axis| (axis, factor.clone()));
    // `4 * i * m` is `2 * i` rows of `2 * m`.
    let parts = |(axis, stride): (usize, &Vec<Affine>)| {
        let mut left = product.to_vec();
        let mut all = 1_i64;
        for extent in stride {
            let found = (left.iter().enumerate())
                .find_map(|(at, own)| Some((at, multiple(extent, own).filter(|n| *n > 0)?)));
            let (at, times) = found?;
            left.remove(at);
            all = all.checked_mul(times)?;
        }
        let rows = factor.divided(all).filter(|_| left.is_empty())?;
        Some((axis, rows))
    };
    whole.or_else(|| strides.iter().enumerate().find_map(parts))
}

/// How many times an extent an affine function is, if it is nothing else.
fn multiple(of: &Affine, extent: &Affine) -> Option<i64> {
    let times = times(of, extent).next()?;
    (extent.scale(times) == *of).then_some(times)
}
