//! Helpers that are read again where they are called: those that are given parts of arrays, which are no
//! values of the tree, those that write through references, and generic ones that are called with numbers of a type.

use super::Parsed;
use super::ast::{Expression, FunctionId, Length, ScalarType, Type};
use super::closures::Closure;
use super::functions::default_float;
use super::inference::number;
use super::scope::{Reader, Signature};
use super::types::{behind, show};
use crate::diagnostics::{Fault, Span};

impl Reader<'_> {
    /// The value of a helper that is read where it is called, if it has to be.
    pub(super) fn called_here(
        &mut self,
        id: FunctionId,
        signature: &Signature,
        call: &syn::ExprCall,
    ) -> Parsed<Option<Expression>> {
        let concrete = self.parameter.is_none() && signature.generic.is_some();
        let parts = call.args.iter().any(|argument| self.is_part(argument));
        let Some(item) = self.functions.get(id.0).copied() else {
            return Ok(None);
        };
        let has_items = |block: &syn::Block| {
            let mut statements = block.stmts.iter();
            statements.any(|statement| matches!(statement, syn::Stmt::Item(_)))
        };
        let outside = self.reads_outside(item)
            || self.is_made_again(item, signature)
            || self.returns_parts(item, signature);
        let writes = |ty: &Type| matches!(ty, Type::Reference(_, true));
        let writes = signature.parameters.iter().any(writes);
        if !(concrete || parts || writes || outside) || has_items(&item.block) {
            return Ok(None);
        }
        let mut scalar = None;
        let mut arguments = Vec::new();
        for (argument, wanted) in call.args.iter().zip(&signature.parameters) {
            let given = instance(wanted, scalar);
            let value = self.expression(argument, Some(&given))?;
            if number(wanted) == Some(ScalarType::Generic) && scalar.is_none() {
                scalar = number(&value.ty);
            }
            let wanted = instance(wanted, scalar);
            self.is(argument, &wanted);
            if !fits(&value.ty, &wanted) {
                return Err(Fault::on(
                    argument,
                    format!(
                        "this is `{}`, but `{}` takes `{}`",
                        show(&value.ty),
                        signature.name,
                        show(&wanted)
                    ),
                    "make the types agree",
                ));
            }
            arguments.push(value);
        }
        let patterns = item.sig.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(typed) => Some(typed.pat.as_ref().clone()),
            syn::FnArg::Receiver(_) => None,
        });
        let (attrs, label, block) = (Vec::new(), None, item.block.as_ref().clone());
        let body = syn::ExprBlock {
            attrs,
            label,
            block,
        };
        let closure = Closure {
            parameters: patterns.collect(),
            body: syn::Expr::Block(body),
            result: Some(instance(&signature.result, scalar)),
            scopes: self.scopes[..1].to_vec(),
        };
        let names = self.instances.len();
        if let (Some(name), Some(scalar)) = (&signature.generic, scalar) {
            self.instances.push((name.clone(), scalar));
        }
        let float = std::mem::replace(&mut self.float, default_float(signature));
        let mut statements = Vec::new();
        let value = self.applied(&closure, arguments, None, &mut statements);
        self.float = float;
        self.instances.truncate(names);
        Ok(Some(self.after(statements, value?, Span::of(call))))
    }
}

/// A type with a scalar in place of the type parameter.
fn instance(ty: &Type, scalar: Option<ScalarType>) -> Type {
    let of = |inner: &Type| Box::new(instance(inner, scalar));
    match (ty, scalar) {
        (Type::Scalar(ScalarType::Generic), Some(scalar)) => Type::Scalar(scalar),
        (Type::Scalar(_) | Type::Record(_), _) => ty.clone(),
        (Type::Array(inner, n), _) => Type::Array(of(inner), *n),
        (Type::Slice(inner), _) => Type::Slice(of(inner)),
        (Type::Open(inner, length), _) => Type::Open(of(inner), *length),
        (Type::Reference(inner, mutable), _) => Type::Reference(of(inner), *mutable),
        (Type::Tuple(all), _) => Type::Tuple(all.iter().map(|ty| instance(ty, scalar)).collect()),
    }
}

/// Whether a value may be given where a type is wanted.
fn fits(have: &Type, wanted: &Type) -> bool {
    match (have, wanted) {
        (Type::Reference(a, mutable), Type::Reference(b, wanted)) => {
            let alike = match (behind(a), behind(b)) {
                (Type::Array(x, _) | Type::Open(x, Length::Constant(_)), Type::Slice(y)) => {
                    x == y || behind(a) == behind(b)
                }
                (a, b) => a == b,
            };
            alike && (*mutable || !*wanted)
        }
        (a, b) => a == b,
    }
}
