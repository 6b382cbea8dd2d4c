//! Arrays that the text allocates: parameters after all others, one for each time that one is allocated.

use std::cmp::Ordering;

use std::rc::Rc;

use super::value::{Inputs, Place, Root, Value, field, rank};
use super::{Interpreter, Result};
use crate::number::Field;
use crate::syntax::ast::{Expression, ExpressionKind, ScalarType, Type};
use crate::verify::memory::{Data, Parameter};

/// No array of more elements is interpreted.
const LARGEST: usize = 1 << 24;

impl<'a> Interpreter<'a, '_> {
    /// The position of the first allocated array.
    fn first_allocated(&self) -> Result<usize> {
        let kernel = self.frames.first().ok_or("no function runs")?.function;
        let function = &self.module.functions[kernel.0];
        let returns = matches!(function.result, Type::Scalar(_));
        Ok(function.parameters.len() + usize::from(returns) + function.constants.len())
    }

    /// `vec![value; n]`, or zeros.
    pub(super) fn allocate(&mut self, parts: &'a [Expression], ty: &'a Type) -> Result<Value<'a>> {
        let (mut fill, counts) = match (ty, parts.split_first()) {
            (Type::Slice(_), Some((fill, counts))) => (Some(fill), counts),
            _ => (None, parts),
        };
        let extents: Vec<(i128, Inputs)> = counts
            .iter()
            .map(|count| self.integer(count))
            .collect::<Result<_>>()?;
        let mut shape = Vec::new();
        for (extent, _) in &extents {
            shape.push(usize::try_from(*extent).map_err(|_| "an array of no length")?);
        }
        let mut inner = ty;
        for _ in &extents {
            inner = inner
                .element()
                .ok_or("an allocated array of other dimensions")?;
        }
        while let Type::Array(element, n) = inner {
            shape.push(*n);
            inner = element;
        }
        let count = shape.iter().try_fold(1_usize, |all, n| all.checked_mul(*n));
        let count = count.filter(|count| *count <= LARGEST);
        let count = count.ok_or("an allocated array that is too large to be looked at")?;
        while let Some(ExpressionKind::Repeat(inner, _)) = fill.map(|fill| &fill.kind) {
            fill = Some(inner);
        }
        let data = match (inner, fill) {
            (Type::Scalar(ScalarType::Integer(_)), Some(fill)) => {
                Data::Integer(Rc::new(vec![self.integer(fill)?.0; count]))
            }
            (_, Some(fill)) => Data::Field(Rc::new(vec![field(self.scalar(fill)?)?; count])),
            (_, None) => Data::Field(Rc::new(vec![Field::ZERO; count])),
        };
        let at = self.first_allocated()? + self.allocated.len();
        let parameters = &mut self.memory.parameters;
        let own = Parameter {
            shape: shape.clone(),
            data,
        };
        match parameters.len().cmp(&at) {
            Ordering::Greater => parameters[at] = own,
            Ordering::Equal => parameters.push(own),
            Ordering::Less => return Err("no place for an allocated array".to_owned()),
        }
        self.allocated.push((extents, shape));
        Ok(Value::Place(Place {
            root: Root::Parameter(at),
            offset: 0,
            ty,
        }))
    }

    /// `[[value; N]; M]` with lengths that are known when the kernel runs: a value like others.
    pub(super) fn local_array(&mut self, parts: &'a [Expression]) -> Result<Value<'a>> {
        let (fill, counts) = parts.split_first().ok_or("an array of nothing")?;
        let mut value = self.value(fill)?;
        let mut all = 1usize;
        for count in counts.iter().rev() {
            let (count, _) = self.integer(count)?;
            let count = usize::try_from(count).map_err(|_| "a length below zero")?;
            all = all.saturating_mul(count);
            self.spend(all / 16)?;
            value = Value::Array(Rc::new(vec![value; count]));
        }
        Ok(value)
    }

    /// The extent of an allocated array, as it was written.
    pub(super) fn allocated_extent(&self, place: Place, axis: usize) -> Option<(i128, Inputs)> {
        let Root::Parameter(at) = place.root else {
            return None;
        };
        let own = at.checked_sub(self.first_allocated().ok()?)?;
        let (extents, shape) = self.allocated.get(own)?;
        let outer = shape.len() - rank(place.ty);
        extents.get(outer + axis).cloned()
    }

    /// The shape of an allocated array, as it was written.
    pub(super) fn allocated_shape(&self, at: usize) -> Option<&[usize]> {
        let own = at.checked_sub(self.first_allocated().ok()?)?;
        self.allocated.get(own).map(|(_, shape)| shape.as_slice())
    }
}
