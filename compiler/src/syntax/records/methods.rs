//! Functions in `impl` blocks: they are read where they are called, with `self` as a name for the receiver.

use proc_macro2::Ident;

use crate::diagnostics::{Diagnostics, Fault, Span};
use crate::syntax::Parsed;
use crate::syntax::ast::{BinaryOperator, Expression, Type};
use crate::syntax::closures::Closure;
use crate::syntax::parts::{element_type, place, reference};
use crate::syntax::records::{Records, is_record};
use crate::syntax::scope::Reader;
use crate::syntax::types::{behind, show};

/// A function in an `impl` block.
#[derive(Clone, Copy)]
pub struct Method<'a> {
    /// The name of the struct, or of the scalar type.
    pub of: &'a Ident,
    /// The function.
    pub item: &'a syn::ImplItemFn,
}

/// The functions and constants of an `impl` block.
pub fn methods<'a>(item: &'a syn::ItemImpl, into: &mut Records<'a>, diagnostics: &mut Diagnostics) {
    let name = match item.self_ty.as_ref() {
        syn::Type::Path(path) => path.path.get_ident(),
        _ => None,
    };
    let Some(of) = name.filter(|_| item.generics.params.is_empty()) else {
        diagnostics.push(Fault::beyond(
            &item.self_ty,
            "an `impl` of what is no struct of the block",
            "write `impl Point { … }`, without parameters",
        ));
        return;
    };
    for function in &item.items {
        match function {
            syn::ImplItem::Fn(item) => into.methods.push(Method { of, item }),
            syn::ImplItem::Const(item) => into.constants.push((of, item)),
            _ => {}
        }
    }
}

impl<'a> Reader<'a> {
    /// The functions of a name that a type has.
    fn methods_of(&self, ty: &Type, name: &str) -> Vec<Method<'a>> {
        let own = match ty {
            Type::Record(record) => record.name.clone(),
            other => show(other),
        };
        let all = self.records.methods.iter();
        all.filter(|method| *method.of == own && method.item.sig.ident == name)
            .copied()
            .collect()
    }

    /// A method of a struct by the name of one in the block, before iterators and views are asked for it.
    pub(in crate::syntax) fn own_method(
        &mut self,
        call: &syn::ExprMethodCall,
    ) -> Parsed<Option<Expression>> {
        let mut known = self.records.methods.iter();
        if !known.any(|known| known.item.sig.ident == call.method) {
            return Ok(None);
        }
        let count = (self.before.len(), self.diagnostics.len());
        // What is no value, as an iterator is none, is read by who knows it.
        match self.expression(&call.receiver, None) {
            Ok(receiver) if is_record(&receiver.ty) => {
                return self.record_method(call, receiver).map(Some);
            }
            _ => {}
        }
        self.before.truncate(count.0);
        self.diagnostics.truncate(count.1);
        Ok(None)
    }

    /// `receiver.method(arguments)` of a struct.
    pub(in crate::syntax) fn record_method(
        &mut self,
        call: &syn::ExprMethodCall,
        receiver: Expression,
    ) -> Parsed<Expression> {
        let name = call.method.to_string();
        let ty = behind(&receiver.ty).clone();
        if name == "clone" && call.args.is_empty() {
            return Ok(receiver.dereferenced());
        }
        if let Type::Record(record) = &ty
            && record.complex
        {
            return self.complex_method(call, receiver, &record.clone());
        }
        let Some(method) = self.methods_of(&ty, &name).first().copied() else {
            return Err(Fault::beyond(
                &call.method,
                format!("`{}` has no method `{name}` in this block", show(&ty)),
                "write it in an `impl` in the block",
            ));
        };
        let mut arguments = Vec::new();
        for argument in &call.args {
            arguments.push((argument, None));
        }
        self.called(method, Some(receiver), arguments, Span::of(call))
    }

    /// `Point::new(…)` of a struct of the block; nothing of any other name.
    pub(in crate::syntax) fn record_function(
        &mut self,
        (ty, function): (&str, &str),
        call: &syn::ExprCall,
    ) -> Parsed<Option<Expression>> {
        let Some(record) = self.record_named(ty) else {
            return Ok(None);
        };
        let Some(method) = self.methods_of(&record, function).first().copied() else {
            return Err(Fault::beyond(
                &call.func,
                format!(
                    "`{}` has no function `{function}` in this block",
                    show(&record)
                ),
                "write it in an `impl` in the block",
            ));
        };
        let mut arguments: Vec<_> = call.args.iter().map(|own| (own, None)).collect();
        // A method by its path, `Point::norm(&p)`, is given what it is called on as an argument.
        let receiver = match method.item.sig.receiver() {
            Some(_) if !arguments.is_empty() => {
                let (tokens, _) = arguments.remove(0);
                Some(self.called_on(tokens, &record)?)
            }
            _ => None,
        };
        self.called(method, receiver, arguments, Span::of(call))
            .map(Some)
    }

    /// What a method that is named by its path is called on.
    fn called_on(&mut self, tokens: &syn::Expr, record: &Type) -> Parsed<Expression> {
        let value = self.expression(tokens, Some(record))?;
        match behind(&value.ty) == record {
            true => Ok(value),
            false => Err(Fault::on(
                tokens,
                format!("this is `{}`, not `{}`", show(&value.ty), show(record)),
                "make the types agree",
            )),
        }
    }

    /// `left operator right` of structs that have the operator.
    pub(in crate::syntax) fn record_operator(
        &mut self,
        binary: &syn::ExprBinary,
        operator: BinaryOperator,
        (left, right): (Expression, Expression),
        span: Span,
    ) -> Parsed<Expression> {
        let (l, r) = (behind(&left.ty).clone(), behind(&right.ty).clone());
        let complex = |ty: &Type| matches!(ty, Type::Record(record) if record.complex);
        if complex(&l) || complex(&r) {
            return self.complex_operator(binary, operator, (left, right), span);
        }
        let name = match operator {
            BinaryOperator::Add => "add",
            BinaryOperator::Subtract => "sub",
            BinaryOperator::Multiply => "mul",
            BinaryOperator::Divide => "div",
            BinaryOperator::Remainder => "rem",
        };
        for method in self.methods_of(&l, name) {
            let argument = method.item.sig.inputs.iter().nth(1);
            let Some(syn::FnArg::Typed(typed)) = argument else {
                continue;
            };
            let own = self.own.take();
            self.own = record_of(&l);
            let wanted = self.ty(&typed.ty);
            self.own = own;
            if wanted.is_ok_and(|wanted| *behind(&wanted) == r) {
                let arguments = vec![(binary.right.as_ref(), Some(right))];
                return self.called(method, Some(left), arguments, span);
            }
        }
        Err(Fault::beyond(
            binary,
            format!(
                "`{}` and `{}` have no `{name}` in this block",
                show(&l),
                show(&r)
            ),
            "write the operator's trait in an `impl` in the block, or compute with the fields",
        ))
    }

    /// `-value` of a struct.
    pub(in crate::syntax) fn record_negated(
        &mut self,
        unary: &syn::ExprUnary,
        operand: Expression,
        span: Span,
    ) -> Parsed<Expression> {
        let ty = behind(&operand.ty).clone();
        if let Some(record) = record_of(&ty).filter(|record| record.complex) {
            return Ok(self.complex_negated(operand, &record, span));
        }
        match self.methods_of(&ty, "neg").first().copied() {
            Some(method) => self.called(method, Some(operand), Vec::new(), span),
            None => Err(Fault::on(
                unary,
                format!("`{}` has no `neg` in this block", show(&ty)),
                "write `impl Neg` in the block, or compute with the fields",
            )),
        }
    }

    /// Whether a call is one of a function in an `impl` block.
    pub(in crate::syntax) fn is_record_call(&self, call: &syn::ExprCall) -> bool {
        let syn::Expr::Path(path) = call.func.as_ref() else {
            return false;
        };
        let mut segments = path.path.segments.iter().rev().skip(1);
        let ty = segments.next().map(|segment| segment.ident.to_string());
        ty.is_some_and(|ty| self.record_named(&ty).is_some())
    }

    /// The value of a function for a receiver and arguments, some of which have been read.
    fn called(
        &mut self,
        method: Method<'a>,
        receiver: Option<Expression>,
        given: Vec<(&syn::Expr, Option<Expression>)>,
        span: Span,
    ) -> Parsed<Expression> {
        let signature = &method.item.sig;
        let around = self.own.take();
        self.own = self
            .record_named(&method.of.to_string())
            .as_ref()
            .and_then(record_of);
        let value = self.called_with_self(method, receiver, given, span);
        self.own = around;
        value.map_err(|fault| match fault.message.is_empty() {
            true => Fault::on(
                &signature.ident,
                "this function cannot be read",
                "compute with the fields",
            ),
            false => fault,
        })
    }

    fn called_with_self(
        &mut self,
        method: Method<'a>,
        receiver: Option<Expression>,
        given: Vec<(&syn::Expr, Option<Expression>)>,
        span: Span,
    ) -> Parsed<Expression> {
        let signature = &method.item.sig;
        let (mut parameters, mut arguments) = (Vec::new(), Vec::new());
        let mut inputs = signature.inputs.iter().peekable();
        if let (Some(receiver), Some(first)) = (receiver, inputs.peek()) {
            let (pattern, argument) = self.receiver(first, receiver, span);
            parameters.push(pattern);
            arguments.push(argument);
            inputs.next();
        }
        let inputs: Vec<_> = inputs.collect();
        if inputs.len() != given.len() {
            return Err(Fault::new(
                span,
                format!(
                    "`{}` takes {} arguments and is given {}",
                    signature.ident,
                    inputs.len(),
                    given.len()
                ),
                "pass as many as it declares",
            ));
        }
        for (input, (tokens, read)) in inputs.into_iter().zip(given) {
            let syn::FnArg::Typed(typed) = input else {
                continue;
            };
            let value = self.argument_of(signature, typed, tokens, read)?;
            parameters.push(typed.pat.as_ref().clone());
            arguments.push(value);
        }
        let result = match &signature.output {
            syn::ReturnType::Default => None,
            syn::ReturnType::Type(_, ty) => Some(self.ty(ty)?),
        };
        let (attrs, label, block) = (Vec::new(), None, method.item.block.clone());
        let body = syn::Expr::Block(syn::ExprBlock {
            attrs,
            label,
            block,
        });
        let scopes = self.scopes[..1].to_vec();
        let closure = Closure {
            parameters,
            body,
            result,
            scopes,
        };
        let mut statements = Vec::new();
        let value = self.applied(&closure, arguments, None, &mut statements)?;
        Ok(self.after(statements, value, span))
    }

    /// `self`, and what it stands for.
    fn receiver(
        &mut self,
        first: &syn::FnArg,
        receiver: Expression,
        span: Span,
    ) -> (syn::Pat, Expression) {
        let kind = match first {
            syn::FnArg::Receiver(own) => Some(own),
            syn::FnArg::Typed(_) => None,
        };
        let pattern = syn::Pat::Ident(syn::PatIdent {
            attrs: Vec::new(),
            by_ref: None,
            mutability: kind.and_then(|own| own.mutability),
            ident: Ident::new("self", span.start()),
            subpat: None,
        });
        let argument = match kind.map(|own| &own.kind) {
            Some(syn::ReceiverKind::Reference(_, _, mutable)) => match receiver.ty {
                Type::Reference(..) => receiver,
                _ => {
                    let receiver = self.stable_place(place(receiver));
                    reference(receiver, mutable.is_some())
                }
            },
            _ => receiver.dereferenced(),
        };
        (pattern, argument)
    }

    /// An argument, of the type of its parameter.
    fn argument_of(
        &mut self,
        signature: &syn::Signature,
        typed: &syn::PatType,
        tokens: &syn::Expr,
        read: Option<Expression>,
    ) -> Parsed<Expression> {
        let wanted = self.ty(&typed.ty)?;
        let value = match read {
            Some(value) => match wanted {
                Type::Reference(..) => value,
                _ => value.dereferenced(),
            },
            None => {
                let own = self.own.take();
                let value = self.expression(tokens, Some(&wanted));
                self.own = own;
                value?
            }
        };
        self.is(tokens, &wanted);
        let alike = behind(&value.ty) == behind(&wanted)
            || element_type(&value.ty) == element_type(&wanted) && element_type(&wanted).is_some();
        if !alike {
            return Err(Fault::on(
                tokens,
                format!(
                    "this is `{}`, but `{}` takes `{}`",
                    show(&value.ty),
                    signature.ident,
                    show(&wanted)
                ),
                "make the types agree",
            ));
        }
        Ok(value)
    }
}

pub(super) fn record_of(ty: &Type) -> Option<std::rc::Rc<super::Record>> {
    match ty {
        Type::Record(record) => Some(record.clone()),
        _ => None,
    }
}
