//! What a kernel is given: the parameters of the text, and what stands for them in the program.
//!
//! A scalar, a slice or a view is a parameter of the program as it stands. What is made of several, or may be
//! changed, becomes parameters of the program for its parts, of which the parameter of the text is made again
//! in the body. Constants from outside of the block are parameters that the text does not have.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use super::Parsed;
use super::ast::{
    CompareOperator, Expression, ExpressionKind, Given, Input, IntegerType, Parameter, Returned,
    ScalarType, Statement, Type, VariableId,
};
use super::expressions::typed;
use super::numbers::compare;
use super::scope::{Entry, Reader, Signature, USIZE};
use super::statements::strip;
use super::stored::has_stored;
use super::types::has_record;
use super::views;
use crate::collections::HashMap;
use crate::diagnostics::{Fault, Span};

/// Most extents of an array by value that are parameters each.
const MOST_EXTENTS: usize = 8;

/// What a condition is as a number: 0 or 1.
const BYTE: Type = Type::Scalar(ScalarType::Integer(IntegerType::U8));

/// What has been read of the inputs of a function.
#[derive(Debug, Default)]
pub struct Inputs {
    /// Parameters that the text does not have, and what is given for them.
    given: Vec<(VariableId, TokenStream)>,
    /// Parameters by value that the text has under the same name.
    scalars: Vec<VariableId>,
    /// Parameters that have the names of the text.
    named: Vec<VariableId>,
    /// Statements that stand before the body.
    pub first: Vec<Statement>,
}

impl Reader<'_> {
    /// Declares the parameters of a function.
    pub(super) fn inputs(
        &mut self,
        item: &syn::ItemFn,
        signature: &Signature,
    ) -> Parsed<(Vec<Input>, Vec<Parameter>)> {
        let (mut inputs, mut parameters) = (Vec::new(), Vec::new());
        let kernel = has_parts(signature) && self.is_kernel(item);
        let pairs = item.sig.inputs.iter().zip(&signature.parameters);
        for (at, (input, ty)) in pairs.enumerate() {
            let syn::FnArg::Typed(typed) = input else {
                continue;
            };
            let type_tokens = self.closed(&typed.ty).to_token_stream();
            let written = typed.pat.to_token_stream();
            if is_made_again(&typed.pat, ty, kernel) {
                let name = Ident::new(&format!("__input{at}"), Span::of(&typed.pat).start());
                let pattern = name.to_token_stream();
                let item = self.parts_of(&pattern, ty, &typed.pat, &mut parameters)?;
                let mut first = std::mem::take(&mut self.inputs.first);
                let bound = self.bind(&typed.pat, item, &mut first);
                self.inputs.first = first;
                bound?;
                inputs.push(Input {
                    name,
                    pattern,
                    written,
                    type_tokens,
                });
                continue;
            }
            let mutable = matches!(ty, Type::Reference(inner, true) if views::rank(inner) > 0);
            let by_value = !matches!(typed.ty.as_ref(), syn::Type::Reference(_));
            let view = mutable && by_value;
            let (name, _) = self.parameter_name(&typed.pat, view)?;
            if let Some(Entry::Variable(_)) = self.find(&name.to_string()) {
                return Err(Fault::new(
                    name.span(),
                    format!("two parameters are called `{name}`"),
                    "give one of the two another name",
                ));
            }
            let variable = self.declare(&name, ty.clone(), false);
            self.inputs.named.push(variable);
            if let Type::Scalar(_) = ty {
                self.inputs.scalars.push(variable);
            }
            let pattern = match view {
                true => quote!(mut #name),
                false => quote!(#name),
            };
            let numbers = has_record(ty, |_| true) || has_stored(ty);
            let given = match (numbers, ty) {
                (true, Type::Reference(_, true)) if has_stored(ty) => {
                    Some(Given::Truths(quote!(&mut *#name)))
                }
                (true, Type::Reference(_, true)) => Some(Given::Numbers(quote!(&mut *#name))),
                (true, _) => Some(Given::Numbers(quote!(&*#name))),
                _ => None,
            };
            inputs.push(Input {
                name,
                pattern,
                written,
                type_tokens,
            });
            parameters.push(Parameter {
                variable,
                reference: !by_value,
                given,
            });
        }
        Ok((inputs, parameters))
    }

    /// Whether the program of a function has other parameters than its text.
    pub(super) fn is_made_again(&self, item: &syn::ItemFn, signature: &Signature) -> bool {
        let kernel = has_parts(signature) && self.is_kernel(item);
        let pairs = item.sig.inputs.iter().zip(&signature.parameters);
        let mut made = pairs.filter_map(|(input, ty)| match input {
            syn::FnArg::Typed(typed) => Some(is_made_again(&typed.pat, ty, kernel)),
            syn::FnArg::Receiver(_) => None,
        });
        made.any(|made| made)
    }

    /// Whether the program of a function writes the parts of its value.
    pub(super) fn returns_parts(&self, item: &syn::ItemFn, signature: &Signature) -> bool {
        Returned::is_of(&signature.result) && self.is_kernel(item)
    }

    /// Whether a function is one that is expanded: it is seen from outside, or nothing in the block calls it.
    fn is_kernel(&self, item: &syn::ItemFn) -> bool {
        let visible = !matches!(item.vis, syn::Visibility::Inherited);
        let optioned = item.attrs.iter().any(super::options::is_opt);
        let called = |other: &&syn::ItemFn| {
            other.sig.ident != item.sig.ident
                && calls(other.block.to_token_stream(), &item.sig.ident)
        };
        visible || optioned || !self.functions.iter().any(called)
    }

    /// A parameter of the text as its parts, each of which is a parameter of the program.
    fn parts_of(
        &mut self,
        tokens: &TokenStream,
        ty: &Type,
        at: &syn::Pat,
        into: &mut Vec<Parameter>,
    ) -> Parsed<Expression> {
        let span = Span::of(at);
        let mut parameter = |reader: &mut Self, ty: &Type, given: TokenStream| {
            let name = part_name(at, &given);
            let given = match (has_record(ty, |_| true), ty) {
                (_, Type::Reference(_, true)) if has_stored(ty) => Given::Truths(given),
                (true, _) => Given::Numbers(given),
                (false, _) if has_stored(ty) => Given::Numbers(given),
                (false, _) => Given::Value(given),
            };
            let variable = reader.hidden(&name, ty.clone(), false, span);
            into.push(Parameter {
                variable,
                reference: matches!(ty, Type::Reference(..)),
                given: Some(given),
            });
            typed(ExpressionKind::Variable(variable), ty.clone(), span)
        };
        match ty {
            Type::Tuple(fields) => {
                let mut parts = Vec::new();
                for (place, field) in fields.iter().enumerate() {
                    let place = proc_macro2::Literal::usize_unsuffixed(place);
                    parts.push(self.parts_of(&quote!(#tokens.#place), field, at, into)?);
                }
                Ok(typed(ExpressionKind::Tuple(parts), ty.clone(), span))
            }
            // Extents, as a rule: integers in memory are none. Those of other types are weights.
            Type::Array(element, n) if **element == USIZE && *n <= MOST_EXTENTS => {
                let mut parts = Vec::new();
                for place in 0..*n {
                    let place = proc_macro2::Literal::usize_unsuffixed(place);
                    parts.push(self.parts_of(&quote!(#tokens[#place]), element, at, into)?);
                }
                Ok(typed(ExpressionKind::Array(parts), ty.clone(), span))
            }
            Type::Array(..) | Type::Record(_) => {
                let reference = Type::Reference(Box::new(ty.clone()), false);
                let variable = parameter(self, &reference, quote!(&#tokens));
                let kind = ExpressionKind::Dereference(Box::new(variable));
                Ok(typed(kind, ty.clone(), span))
            }
            // Memory, and what loops and branches are weighed by, has numbers.
            Type::Scalar(ScalarType::Bool) => {
                let number = quote!((#tokens as ::core::primitive::u8));
                let number = parameter(self, &BYTE, number);
                let zero = typed(ExpressionKind::Integer(0), BYTE, span);
                Ok(compare(CompareOperator::NotEqual, number, zero, span))
            }
            Type::Reference(inner, _) if views::rank(inner) > 0 => Err(Fault::beyond(
                at,
                "a view that is a part of a parameter",
                "give views parameters of their own",
            )),
            _ => Ok(parameter(self, ty, tokens.clone())),
        }
    }

    /// A parameter that the text does not have, with what is given for it; one for equal tokens.
    pub(super) fn given(
        &mut self,
        (name, tokens): (&str, TokenStream),
        ty: Type,
        span: Span,
    ) -> Expression {
        let text = tokens.to_string();
        let known = self.inputs.given.iter().find(|(variable, given)| {
            given.to_string() == text && self.variables[variable.0].ty == ty
        });
        let variable = match known {
            Some((variable, _)) => *variable,
            None => {
                let variable = self.hidden(name, ty.clone(), false, span);
                self.inputs.given.push((variable, tokens));
                variable
            }
        };
        typed(ExpressionKind::Variable(variable), ty, span)
    }

    /// The parameters of the program, all of them, each with a name of its own.
    pub(super) fn all_parameters(&mut self, mut parameters: Vec<Parameter>) -> Vec<Parameter> {
        for (variable, given) in std::mem::take(&mut self.inputs.given) {
            parameters.push(Parameter {
                variable,
                reference: false,
                given: Some(Given::Value(given)),
            });
        }
        let mut seen: HashMap<String, usize> = HashMap::default();
        let own: Vec<VariableId> = std::mem::take(&mut self.inputs.named);
        for parameter in &parameters {
            if own.contains(&parameter.variable) {
                seen.insert(self.variables[parameter.variable.0].name.to_string(), 0);
            }
        }
        for parameter in &parameters {
            if own.contains(&parameter.variable) {
                continue;
            }
            let name = &mut self.variables[parameter.variable.0].name;
            let mut text = name.to_string();
            while seen.insert(text.clone(), 0).is_some() {
                text.push('_');
            }
            *name = Ident::new(&text, name.span());
        }
        parameters
    }

    /// An expression of parameters and constants alone, as it is written where the kernel is called.
    pub(super) fn as_given(&self, expr: &syn::Expr) -> Option<TokenStream> {
        match strip(expr) {
            syn::Expr::Lit(literal) => Some(literal.to_token_stream()),
            syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => {
                let of = self.as_given(&unary.expr)?;
                Some(quote!((-#of)))
            }
            syn::Expr::Binary(binary) => {
                super::operations::arithmetic(binary.op)?;
                let (l, r) = (self.as_given(&binary.left)?, self.as_given(&binary.right)?);
                let op = &binary.op;
                Some(quote!((#l #op #r)))
            }
            syn::Expr::Path(path) => match path
                .path
                .get_ident()
                .map(|name| self.find(&name.to_string()))
            {
                Some(Some(Entry::Variable(id))) if self.inputs.scalars.contains(&id) => {
                    Some(self.variables[id.0].name.to_token_stream())
                }
                Some(Some(Entry::Table(id))) if self.tables[id.0].shape.is_empty() => {
                    let value = self.tables[id.0].values.first()?.to_f64();
                    let value = match self.tables[id.0].element {
                        ScalarType::F64 => proc_macro2::Literal::f64_suffixed(value.abs()),
                        ScalarType::F32 => proc_macro2::Literal::f32_suffixed(value.abs() as f32),
                        _ => return None,
                    };
                    Some(match self.tables[id.0].values[0].to_f64() < 0.0 {
                        true => quote!((-#value)),
                        false => quote!(#value),
                    })
                }
                Some(Some(_)) => None,
                _ if super::outside::is_value(&path.path) => Some(self.seen_from_outside(path)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The name of a part of a parameter.
fn part_name(at: &syn::Pat, given: &TokenStream) -> String {
    let own = match at {
        syn::Pat::Ident(name) => name.ident.to_string(),
        _ => "part".to_owned(),
    };
    let digits: Vec<String> = given
        .to_string()
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty() && !word.starts_with("__input"))
        .map(str::to_owned)
        .collect();
    [vec![own.trim_start_matches("r#").to_owned()], digits]
        .concat()
        .join("_")
}

/// Whether it matters for some parameter that its function is expanded; that asks all functions of the block.
fn has_parts(signature: &Signature) -> bool {
    let mut types = signature.parameters.iter();
    types.any(|ty| {
        let truth = *ty == Type::Scalar(ScalarType::Bool);
        truth || matches!(ty, Type::Tuple(_) | Type::Array(..) | Type::Record(_))
    })
}

/// Whether a parameter of the text is made of others in the body.
fn is_made_again(pattern: &syn::Pat, ty: &Type, kernel: bool) -> bool {
    let plain = match pattern {
        syn::Pat::Ident(name) => name.mutability.is_none() && name.by_ref.is_none(),
        _ => false,
    };
    match ty {
        Type::Tuple(fields) => (kernel || !plain) && !fields.is_empty(),
        Type::Array(..) | Type::Record(_) | Type::Scalar(ScalarType::Bool) => kernel || !plain,
        Type::Reference(inner, _) if views::rank(inner) > 0 => false,
        _ => !plain,
    }
}

/// Whether some tokens call a function.
pub fn calls(tokens: TokenStream, function: &Ident) -> bool {
    let mut named = false;
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => {
                if named && group.delimiter() == proc_macro2::Delimiter::Parenthesis {
                    return true;
                }
                named = false;
                if calls(group.stream(), function) {
                    return true;
                }
            }
            TokenTree::Ident(name) => named = name == *function,
            TokenTree::Punct(_) => {}
            TokenTree::Literal(_) => named = false,
        }
    }
    false
}
