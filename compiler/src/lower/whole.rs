//! Assignments of whole arrays: `a[e] = local`, `a[e] = [[0.0; N]; M]`, element by element.

use super::value::{Place, Value};
use super::{Lowerer, Result, opaque};
use crate::diagnostics::Span;
use crate::ir::{Affine, Extent};
use crate::syntax::ast::{Expression, ExpressionKind, Type};

impl Lowerer<'_> {
    /// Assigns all elements of an array in memory.
    pub(super) fn assign_whole(
        &mut self,
        place: &Expression,
        value: &Expression,
        span: Span,
    ) -> Result<()> {
        let mut fill = value;
        while let ExpressionKind::Repeat(inner, _) = &fill.kind {
            fill = inner;
        }
        // What is repeated is one value for all elements. What may be written here is read before.
        let value = match fill.ty {
            Type::Scalar(_) => Value::Scalar(self.scalar(fill)?),
            _ => match self.expression(value)? {
                Value::Place(source) => {
                    let ty = source.ty.clone();
                    self.copied(Value::Place(source), &ty, span)?
                }
                other => self.scalarise(other, span)?,
            },
        };
        let target = self.target(place, span)?;
        self.write_all(target, value, span)
    }

    fn write_all(&mut self, mut target: Place, value: Value, span: Span) -> Result<()> {
        let Type::Array(element, n) = target.ty else {
            let value = self.number(value, &target.ty, span)?;
            self.check_depth(&Value::Scalar(value), span)?;
            return self.write_here(target, None, value, span);
        };
        target.ty = *element;
        if let Value::Array(elements) = value {
            for (at, element) in elements.into_iter().enumerate() {
                let mut target = target.clone();
                target.subscripts.push(Affine::constant(at as i64));
                self.write_all(target, element, span)?;
            }
            return Ok(());
        }
        if !self.guards.is_empty() {
            return opaque(
                span,
                "a whole array is assigned under a condition",
                "assign its elements in a loop",
            );
        }
        let index = self.program.add_index("k", Extent::Constant(n));
        target.subscripts.push(Affine::index(index));
        let value = match value {
            Value::Place(mut source) => {
                source.ty = target.ty.clone();
                source.subscripts.push(Affine::index(index));
                Value::Place(source)
            }
            other => other,
        };
        self.open.push(index);
        let result = self.write_all(target, value, span);
        self.open.pop();
        result
    }
}
