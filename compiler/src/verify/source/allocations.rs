//! Arrays that the text allocates: their memory is that of parameters after all others.

use std::rc::Rc;

use super::value::{Inputs, Place, Root, Value, field, rank};
use super::{Interpreter, Result};
use crate::syntax::ast::{Expression, ExpressionKind, Type};
use crate::verify::memory::Data;

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
        let at = self.first_allocated()? + self.allocated.len();
        let memory = self.memory.parameters.get(at);
        let shape = &memory.ok_or("no memory for an allocated array")?.shape;
        // A vector may hold an array of more dimensions.
        let inner = rank(ty) - extents.len();
        let (outer, inner) = shape.split_at(shape.len() - inner);
        let whole: i128 = outer.iter().map(|n| *n as i128).product();
        let mut given = extents.iter().zip(outer);
        let equal = match outer.len() == extents.len() {
            true => given.all(|((extent, _), n)| *extent == *n as i128),
            false => matches!(extents.as_slice(), [(extent, _)] if *extent == whole),
        };
        if !equal {
            return Err("an allocated array of another size".to_owned());
        }
        let own = extents.iter().map(|(extent, _)| *extent as usize);
        let shape = own.chain(inner.iter().copied()).collect();
        self.allocated.push((extents, shape));
        while let Some(ExpressionKind::Repeat(inner, _)) = fill.map(|fill| &fill.kind) {
            fill = Some(inner);
        }
        if let Some(fill) = fill {
            let value = field(self.scalar(fill)?)?;
            if let Data::Field(data) = &mut self.memory.parameters[at].data {
                data.fill(value);
            }
        }
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
