//! Functions from outside that are declared pure: what alone passes from the user's scope to the
//! variants. Each is an argument of them, with the types that it is called with.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::variant::{element_name, instance};
use super::{Kernel, Variant};
use crate::ir::{Element, Expr, ExprId, Program};
use crate::syntax::ast::Elementary;

/// Functions by the names of their arguments: the path, the types of the operands and of the value.
type Called = BTreeMap<String, (String, Vec<String>, String)>;

/// The argument that holds a function, called with these operands.
pub fn name(
    program: &Program,
    (at, operands, value): (usize, &[ExprId], Element),
    of: Element,
) -> String {
    let operands = operands
        .iter()
        .map(|operand| program.pool.element(*operand));
    let all: Vec<String> = operands
        .chain([value])
        .map(|element| element_name(instance(element, of), Some("generic")))
        .collect();
    format!("__pure_{at}_{}", all.join("_"))
}

fn called(program: &Program, of: Element, parameter: Option<&str>) -> Called {
    let ty = |element: Element| element_name(instance(element, of), parameter);
    let mut result = Called::new();
    for expr in program.reachable() {
        let Expr::Call(Elementary::Pure(at), operands) = program.pool.get(expr) else {
            continue;
        };
        let value = program.pool.element(expr);
        let types = operands
            .iter()
            .map(|operand| ty(program.pool.element(*operand)));
        let path = program.functions.get(*at).cloned().unwrap_or_default();
        let name = name(program, (*at, operands, value), of);
        result.insert(name, (path, types.collect(), ty(value)));
    }
    result
}

fn of_kernel(kernel: &Kernel) -> Called {
    let parameter = kernel.function.scalar_parameter.as_ref();
    let parameter = parameter.map(ToString::to_string);
    let variants = kernel.printed();
    variants
        .flat_map(|variant| called(&variant.program, variant.element, parameter.as_deref()))
        .collect()
}

fn declarations(called: Called) -> Vec<TokenStream> {
    let declaration = |(name, (_, operands, value)): (String, (String, Vec<String>, String))| {
        let (name, value) = (format_ident!("{name}"), format_ident!("{value}"));
        let operands = operands.iter().map(|operand| format_ident!("{operand}"));
        quote!(#name: impl ::core::ops::Fn(#(#operands),*) -> #value + ::core::marker::Copy)
    };
    called.into_iter().map(declaration).collect()
}

/// The parameters of what runs a variant.
pub fn parameters(kernel: &Kernel) -> Vec<TokenStream> {
    declarations(of_kernel(kernel))
}

/// What it is given, in the user's scope.
pub fn paths(kernel: &Kernel) -> Vec<TokenStream> {
    let paths = of_kernel(kernel).into_values();
    paths.filter_map(|(path, ..)| path.parse().ok()).collect()
}

/// The parameters of a variant.
pub fn of_variant(kernel: &Kernel, variant: &Variant) -> Vec<TokenStream> {
    let parameter = kernel.function.scalar_parameter.as_ref();
    let parameter = parameter.map(ToString::to_string);
    declarations(called(
        &variant.program,
        variant.element,
        parameter.as_deref(),
    ))
}

/// What it is given by what runs it.
pub fn arguments(variant: &Variant) -> Vec<TokenStream> {
    let names = called(&variant.program, variant.element, None).into_keys();
    let ident = |name: String| {
        let name = format_ident!("{name}");
        quote!(#name)
    };
    names.map(ident).collect()
}
