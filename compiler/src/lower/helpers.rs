//! Helpers, which are inlined by being called, and what names are bound to.

use super::limits::check_value;
use super::value::{Binding, Value};
use super::{Frame, Lowerer, Result, opaque, problem};
use crate::diagnostics::Span;
use crate::syntax::ast::{Expression, FunctionId, Pattern, Type};

impl Lowerer<'_> {
    fn all(&mut self, expressions: &[Expression]) -> Result<Vec<Value>> {
        expressions.iter().map(|e| self.expression(e)).collect()
    }

    pub(super) fn all_scalars(
        &mut self,
        expressions: &[Expression],
        whole: &Expression,
    ) -> Result<Vec<Value>> {
        check_value(whole)?;
        expressions
            .iter()
            .map(|e| {
                let value = self.expression(e)?;
                self.copied(value, &e.ty, e.span)
            })
            .collect()
    }

    pub(super) fn helper(
        &mut self,
        id: FunctionId,
        arguments: &[Expression],
        span: Span,
    ) -> Result<Value> {
        const DEEPEST: usize = 32;
        let function = &self.module.functions[id.0];
        if self.depth >= DEEPEST {
            return problem(
                span,
                format!("`{}` calls itself", function.name),
                "write a loop instead of a recursion",
            );
        }
        self.step()?;
        let values = self.all(arguments)?;
        for (value, argument) in values.iter().zip(arguments) {
            self.check_depth(value, argument.span)?;
        }
        let mut frame = Frame::new(function, self.arrays);
        for (parameter, value) in function.parameters.iter().zip(values) {
            if matches!(
                function.variables[parameter.variable.0].ty,
                Type::Reference(_, true)
            ) {
                return opaque(
                    span,
                    format!("`{}` writes through a reference", function.name),
                    "let the helper return what it computes, and write it where it is called",
                );
            }
            frame.values[parameter.variable.0] = Some(self.binding(value));
        }
        let caller = std::mem::replace(&mut self.frame, frame);
        self.depth += 1;
        let value = self.block(&function.body);
        self.depth -= 1;
        self.frame = caller;
        Ok(value?.unwrap_or(Value::Tuple(Vec::new())))
    }

    /// A variable that is declared here.
    pub(super) fn binding(&self, value: Value) -> Binding {
        Binding {
            value,
            depth: self.open.len(),
            branches: self.guards.len(),
        }
    }

    /// Binds a pattern to a value.
    pub(super) fn bind(&mut self, pattern: &Pattern, value: Value, span: Span) -> Result<()> {
        match pattern {
            Pattern::Wildcard => Ok(()),
            Pattern::Variable(variable) => {
                self.frame.values[variable.0] = Some(self.binding(value));
                self.frame.read.remove(variable);
                Ok(())
            }
            Pattern::Tuple(patterns) => match value {
                Value::Tuple(values) if values.len() == patterns.len() => patterns
                    .iter()
                    .zip(values)
                    .try_for_each(|(p, v)| self.bind(p, v, span)),
                _ => opaque(
                    span,
                    "this value is no tuple of that many parts",
                    "bind it to one name",
                ),
            },
        }
    }
}
