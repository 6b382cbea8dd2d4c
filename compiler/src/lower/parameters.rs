//! The kernel's parameters: arrays of the program, and integers.

use super::unroll::elements;
use super::value::{Place, Root, Value};
use super::{Lowerer, Result, opaque, problem};
use crate::diagnostics::Span;
use crate::ir::{Affine, Atom, Element, Extent, Role};
use crate::syntax::ast::{Length, ScalarType, Type};

/// What a parameter's type says of its array.
struct Shape {
    extents: Vec<Extent>,
    /// The axes whose extents are the array's own, known when the kernel runs.
    own: Vec<usize>,
    slice: bool,
    scalar: ScalarType,
}

impl Lowerer<'_> {
    /// The value of a parameter: an array of the program, or an integer.
    pub(super) fn parameter(
        &mut self,
        position: usize,
        name: &str,
        ty: &Type,
        span: Span,
    ) -> Result<Value> {
        if let Type::Array(..) | Type::Open(..) = ty {
            return problem(
                span,
                format!("`{name}` is an array that is not behind a reference"),
                match ty {
                    Type::Open(..) => format!("put it behind a reference: `{name}: &[…]`"),
                    _ => format!("write `{name}: &{}`", crate::syntax::show(ty)),
                },
            );
        }
        let (inner, output) = match ty {
            Type::Reference(inner, mutable) => (inner.as_ref(), *mutable),
            other => (other, false),
        };
        let mut shape = self.shape(name, inner, span)?;
        let found = self.findings.shapes.get(&position).cloned();
        let flat = found.filter(|_| shape.slice);
        let behind = shape.extents.len().saturating_sub(1);
        let rows = flat.iter().flatten().cloned();
        let rows = rows.map(|extent| match extent.as_constant() {
            Some(n) => Extent::Constant(usize::try_from(n).unwrap_or(usize::MAX)),
            None => Extent::RunTime(extent),
        });
        let after = shape.extents.len().min(1);
        shape.extents.splice(after..after, rows);
        self.hold(elements(inner), shape.slice, span, || {
            (
                format!("`{name}` is too large to be validated while the kernel is compiled"),
                "use a slice of smaller arrays, such as `&[f64]`: run-time extents are validated for small ones",
            )
        })?;
        let element = self.parameter_element(name, shape.scalar, output, span)?;
        let role = match output {
            true => Role::Output(position),
            false => Role::Parameter(position),
        };
        let array = self.program.add_array(name, element, shape.extents, role);
        let declared = &mut self.program.arrays[array.0 as usize];
        declared.flat = flat.is_some();
        declared.inner = if declared.flat { behind } else { 0 };
        declared.strided = !shape.slice && !shape.own.is_empty();
        for axis in shape.own {
            declared.shape[axis] = Extent::RunTime(Affine::atom(Atom::Length(array, axis)));
        }
        if let (Type::Scalar(ScalarType::Integer(_)), false) = (inner, output) {
            return Ok(Value::Integer(Affine::atom(Atom::Scalar(array))));
        }
        Ok(Value::Place(Place {
            root: Root::Array(array),
            subscripts: Vec::new(),
            ty: inner.clone(),
        }))
    }

    fn shape(&self, name: &str, mut ty: &Type, span: Span) -> Result<Shape> {
        let mut extents = Vec::new();
        let (mut slice, mut own) = (false, Vec::new());
        loop {
            match ty {
                Type::Scalar(scalar) => {
                    return Ok(Shape {
                        extents,
                        own,
                        slice,
                        scalar: *scalar,
                    });
                }
                Type::Array(element, n) => {
                    extents.push(Extent::Constant(*n));
                    ty = element;
                }
                Type::Slice(element) if extents.is_empty() && !slice => {
                    slice = true;
                    own.push(0);
                    extents.push(Extent::Constant(0));
                    ty = element;
                }
                Type::Open(element, length) => {
                    extents.push(match length {
                        Length::Axis => {
                            own.push(extents.len());
                            Extent::Constant(0)
                        }
                        Length::Constant(at) => Extent::RunTime(self.constant_parameter(*at)),
                    });
                    ty = element;
                }
                _ => {
                    return problem(
                        span,
                        format!("the type of `{name}` is not one that a kernel takes"),
                        "parameters are scalars, nested arrays `&[[f64; N]; M]` and slices of them `&[[f64; N]]`; pairs are arrays, \
                         or structs of this block",
                    );
                }
            }
        }
    }

    fn parameter_element(
        &self,
        name: &str,
        scalar: ScalarType,
        output: bool,
        span: Span,
    ) -> Result<Element> {
        let Some(element) = self.element_of(scalar) else {
            return problem(
                span,
                format!("`{name}` is a bool"),
                "pass an integer or a floating-point number",
            );
        };
        if self.generic && matches!(scalar, ScalarType::F64 | ScalarType::F32) {
            return opaque(
                span,
                format!("`{name}` is a float of fixed type in a generic kernel"),
                "give it the type parameter as its type",
            );
        }
        if let (true, true, Element::Integer(ty)) = (self.words, output, element)
            && ty.bits() >= 32
        {
            return Ok(Element::Word(ty.word()));
        }
        if output && element.is_integer() && !self.words {
            return opaque(
                span,
                format!("`{name}` is a mutable array of integers"),
                "kernels write floating-point arrays; write the integers in ordinary code",
            );
        }
        Ok(element)
    }
}
