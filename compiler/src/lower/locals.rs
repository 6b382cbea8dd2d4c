//! Local arrays in memory.

use super::unroll::{SCALARISED, elements};
use super::value::{Place, Root, Value};
use super::{Lowerer, Result};
use crate::ir::{Access, Affine, Equation, Extent, Operator, Role};
use crate::syntax::ast::{Expression, ExpressionKind, Pattern, Type, VariableId};
use crate::syntax::is_local;

impl Lowerer<'_> {
    /// Whether a mutable local array of the function that is run is an array of the program, and not a
    /// scalar for each element.
    pub(super) fn is_in_memory(&self, variable: VariableId) -> bool {
        let declared = &self.frame.function.variables[variable.0];
        elements(&declared.ty) > SCALARISED
            || has_open(&declared.ty)
            || self.frame.swept.contains(&variable)
    }

    /// The mutable local array that a `let` declares, if it is an array of the program.
    pub(super) fn array_in_memory(&self, pattern: &Pattern) -> Option<VariableId> {
        let Pattern::Variable(variable) = pattern else {
            return None;
        };
        let declared = &self.frame.function.variables[variable.0];
        let array = declared.mutable && is_local(&declared.ty);
        (array && self.is_in_memory(*variable)).then_some(*variable)
    }

    /// `let mut x = [[0.0; N]; M]` in memory: an array of the program, filled.
    pub(super) fn large_local(
        &mut self,
        pattern: &Pattern,
        init: &Expression,
    ) -> Result<Option<(VariableId, Value)>> {
        let Some(variable) = self.array_in_memory(pattern) else {
            return Ok(None);
        };
        let (extents, fill) = self.extents_of_local(init)?;
        let declared = &self.frame.function.variables[variable.0];
        let scalar = match &fill.ty {
            Type::Scalar(scalar) => *scalar,
            _ => return Ok(None),
        };
        let (Some(element), name) = (self.element_of(scalar), declared.name.to_string()) else {
            return Ok(None);
        };
        // Its loops often have to run in full, several times.
        let size = elements(&declared.ty).saturating_mul(8);
        self.hold(size, false, init.span, || {
            (
                "this array is too large to be validated while the kernel is compiled".to_owned(),
                "compute with a part of it at a time",
            )
        })?;
        let value = self.scalar(fill)?;
        let outer = self.open.clone();
        let mut shape: Vec<Extent> = outer
            .iter()
            .map(|i| self.program.loop_index(*i).extent.clone())
            .collect();
        let mut free = outer.clone();
        for (k, extent) in extents.into_iter().enumerate() {
            shape.push(extent.clone());
            free.push(self.program.add_index(&format!("{name}{k}"), extent));
        }
        let array = self
            .program
            .add_array(&name, element, shape, Role::Temporary);
        self.large.insert(array);
        let target = Access {
            array,
            subscripts: free.iter().map(|i| Affine::index(*i)).collect(),
        };
        let equation = Equation {
            target,
            operator: Operator::Assign,
            free,
            reduction: Vec::new(),
            expr: value,
        };
        self.push(equation, init.span);
        let subscripts = outer.iter().map(|i| Affine::index(*i)).collect();
        let place = Place {
            root: Root::Array(array),
            subscripts,
            ty: declared.ty.clone(),
        };
        Ok(Some((variable, Value::Place(place))))
    }

    /// The extents of `[[x; N]; M]`, and `x`.
    fn extents_of_local<'e>(
        &mut self,
        init: &'e Expression,
    ) -> Result<(Vec<Extent>, &'e Expression)> {
        let mut extents = Vec::new();
        let mut fill = init;
        loop {
            match &fill.kind {
                ExpressionKind::Repeat(inner, n) => {
                    extents.push(Extent::Constant(*n));
                    fill = inner;
                }
                ExpressionKind::Allocate(parts) if is_local(&fill.ty) => {
                    let (inner, counts) = parts.split_first().expect("a value that is repeated");
                    for count in counts {
                        let value = self.expression(count)?;
                        let extent = self.affine(value, count.span)?;
                        extents.push(extent.into());
                    }
                    fill = inner;
                }
                _ => return Ok((extents, fill)),
            }
        }
    }
}

/// Whether an array of this type has an extent that is known when the kernel runs only.
fn has_open(ty: &Type) -> bool {
    match ty {
        Type::Open(..) => true,
        Type::Array(inner, _) => has_open(inner),
        _ => false,
    }
}
