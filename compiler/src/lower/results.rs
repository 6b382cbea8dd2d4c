//! What a kernel has besides its parameters: `const` parameters, and a result.

use super::value::Value;
use super::{Binding, Lowerer, Result, opaque};
use crate::ir::{Access, Affine, Atom, Element, Equation, Operator, Role};
use crate::syntax::ast::{Function, IntegerType, ScalarType, Type};

impl Lowerer<'_> {
    /// The `const` parameters: integers, after the parameters and the result.
    pub(super) fn constants(&mut self, function: &Function) {
        let returns = matches!(function.result, Type::Scalar(_));
        let first = function.parameters.len() + usize::from(returns);
        for (at, constant) in function.constants.iter().enumerate() {
            let name = function.variables[constant.0].name.to_string();
            let (element, role) = (
                Element::Integer(IntegerType::Usize),
                Role::Parameter(first + at),
            );
            let array = self.program.add_array(&name, element, Vec::new(), role);
            self.program.arrays[array.0 as usize].is_const = true;
            let value = Value::Integer(Affine::atom(Atom::Scalar(array)));
            self.frame.values[constant.0] = Some(Binding::outermost(value));
        }
    }

    /// The value of a `const` parameter.
    pub(super) fn constant_parameter(&self, at: usize) -> Affine {
        let variable = self.frame.function.constants.get(at);
        let binding = variable.and_then(|v| self.frame.values[v.0].as_ref());
        match binding.map(|binding| &binding.value) {
            Some(Value::Integer(affine)) => affine.clone(),
            _ => Affine::default(),
        }
    }

    /// The value of the kernel, as an output after those of the parameters.
    pub(super) fn result(
        &mut self,
        function: &Function,
        value: Value,
        scalar: ScalarType,
    ) -> Result<()> {
        let span = function.body.value.as_ref().map(|value| value.span);
        let span = span.unwrap_or_else(|| function.name.span().into());
        let element = match scalar {
            ScalarType::Integer(ty) if self.words && ty.bits() >= 32 => {
                Some(Element::Word(ty.word()))
            }
            ScalarType::Integer(ty) if self.words => Some(Element::Integer(ty)),
            _ => self.element_of(scalar).filter(|e| !e.is_integer()),
        };
        let Some(element) = element else {
            return opaque(
                span,
                "a result that is no floating-point number",
                "return `f64` or `f32`; compute integers in ordinary code",
            );
        };
        let expr = self.number(value, &function.result, span)?;
        let role = Role::Output(function.parameters.len());
        let array = self.program.add_array("result", element, Vec::new(), role);
        let expr = self.narrowed_for(expr, array);
        let target = Access {
            array,
            subscripts: Vec::new(),
        };
        let equation = Equation {
            target,
            operator: Operator::Assign,
            free: Vec::new(),
            reduction: Vec::new(),
            expr,
        };
        self.push(equation, span);
        Ok(())
    }
}
