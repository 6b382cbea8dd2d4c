//! Signatures: generics, parameters, results.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use super::Parsed;
use super::ast::{ScalarType, Type};
use super::scope::{Reader, Signature, TypeParameter, USIZE};
use super::storages::others;
use crate::diagnostics::Fault;

/// The type parameter, and the names of the `const` ones.
pub fn generics(item: &syn::ItemFn) -> (Option<TypeParameter>, Vec<Ident>) {
    let constants = item.sig.generics.const_params();
    let names = constants.map(|constant| constant.ident.clone()).collect();
    (type_parameter(item), names)
}

/// A `const` parameter as a generic argument. By its name alone it would be a type of that name, if there is one in scope.
#[must_use]
pub fn constant_argument(name: &Ident) -> TokenStream {
    quote!({ #name })
}

fn type_parameter(item: &syn::ItemFn) -> Option<TypeParameter> {
    let generics = &item.sig.generics;
    let parameter = others(&item.sig).into_iter().next()?;
    // Not its name, which may be that of a bound.
    let bounds = parameter.bounds.to_token_stream().into_iter();
    let clause = generics.where_clause.to_token_stream().into_iter();
    let names_real = |tree: TokenTree| matches!(tree, TokenTree::Ident(name) if name == "Real");
    Some(TypeParameter {
        name: parameter.ident.to_string(),
        ordered: bounds.chain(clause).any(names_real),
    })
}

impl Reader<'_> {
    pub(super) fn signature(&mut self, item: &syn::ItemFn) -> Parsed<Signature> {
        let signature = &item.sig;
        let plain = "kernels are plain functions: no `async`, `unsafe`, `extern` or `const`";
        if signature.asyncness.is_some()
            || signature.abi.is_some()
            || signature.constness.is_some()
            || signature.variadic.is_some()
        {
            let message = "this function is not a plain one";
            return Err(Fault::beyond(signature, message, plain));
        }
        if !matches!(signature.safety, syn::Safety::Default) {
            return Err(Fault::on(signature, "an `unsafe` kernel", plain));
        }
        let generics = others(signature);
        if generics.len() > 1 {
            return Err(Fault::beyond(
                generics[1],
                "a second type parameter",
                "a kernel has one scalar type: `T: Scalar` or `T: Real`",
            ));
        }
        for constant in signature.generics.const_params() {
            if self.ty(&constant.ty)? != USIZE {
                return Err(Fault::beyond(
                    &constant.ty,
                    "a `const` parameter that is no extent",
                    "`const` parameters of kernels are `usize`: pass other numbers as arguments",
                ));
            }
        }
        if let Some(parameter) = generics.first() {
            let name = parameter.ident.to_string();
            let primitive = ["i128", "u128", "bool", "char", "str"].contains(&name.as_str());
            if primitive || self.scalar_name(&name) != Some(ScalarType::Generic) {
                return Err(Fault::on(
                    &parameter.ident,
                    format!("a type parameter with the name of the type `{name}`"),
                    "give it another name: `T`",
                ));
            }
            bounded(signature, parameter)?;
        }
        let (mut parameters, mut names) = (Vec::new(), Vec::new());
        for input in &signature.inputs {
            let syn::FnArg::Typed(typed) = input else {
                let help = "kernels are free functions";
                return Err(Fault::beyond(input, "a method", help));
            };
            let name = typed.pat.to_token_stream().to_string();
            if name != "_" && names.contains(&name) {
                return Err(Fault::on(
                    &typed.pat,
                    format!("two parameters are called `{name}`"),
                    "give each parameter a name of its own",
                ));
            }
            names.push(name);
            parameters.push(self.ty(&typed.ty)?);
        }
        let result = match &signature.output {
            syn::ReturnType::Default => Type::Tuple(Vec::new()),
            syn::ReturnType::Type(_, ty) => self.ty(ty)?,
        };
        Ok(Signature {
            name: signature.ident.to_string(),
            parameters,
            result,
            constants: !self.constants.is_empty(),
            generic: self
                .parameter
                .as_ref()
                .map(|parameter| parameter.name.clone()),
            broken: false,
        })
    }

    /// A parameter's name, and whether it is declared `mut`, which only views may be.
    pub(super) fn parameter_name(
        &mut self,
        pattern: &syn::Pat,
        view: bool,
    ) -> Parsed<(Ident, bool)> {
        match pattern {
            syn::Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => {
                if let (Some(mutability), false) = (&name.mutability, view) {
                    return Err(Fault::on(
                        mutability,
                        "a mutable parameter",
                        "bind it to a `let mut` inside",
                    ));
                }
                self.unused(&name.ident)?;
                Ok((name.ident.clone(), name.mutability.is_some()))
            }
            _ => Err(Fault::beyond(
                pattern,
                "a pattern as a parameter",
                "give the parameter a name",
            )),
        }
    }
}

/// The type parameter is a scalar type.
fn bounded(signature: &syn::Signature, parameter: &syn::TypeParam) -> Parsed<()> {
    let bound = |b: &syn::TypeParamBound| {
        matches!(b, syn::TypeParamBound::Trait(t)
        if t.path.segments.last().is_some_and(|s| s.ident == "Scalar" || s.ident == "Real"))
    };
    let in_where = signature
        .generics
        .where_clause
        .as_ref()
        .is_some_and(|clause| {
            let text = clause.to_token_stream().to_string();
            text.contains("Scalar") || text.contains("Real")
        });
    if !parameter.bounds.iter().any(bound) && !in_where {
        return Err(Fault::beyond(
            parameter,
            format!(
                "`{}` is bounded by neither `Scalar` nor `Real`",
                parameter.ident
            ),
            "write `T: loopwright::Scalar` or `T: loopwright::Real`; storages of arrays are `S: Data<Elem = f64>`",
        ));
    }
    Ok(())
}
