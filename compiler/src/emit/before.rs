//! Integers that a call computes before a variant runs.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::Kernel;
use crate::syntax::ast::{CompareOperator, Function, Given, Parameter, Whole, WholeOperator};

/// Whether a call computes integers first.
pub fn computes(function: &Function) -> bool {
    function.parameters.iter().any(is_computed)
}

/// Whether a parameter is such an integer.
pub fn is_computed(parameter: &Parameter) -> bool {
    matches!(parameter.given, Some(Given::Whole(_)))
}

/// The name of such an integer in a call.
pub fn name(function: &Function, parameter: &Parameter) -> Ident {
    let name = &function.variables[parameter.variable.0].name;
    format_ident!("__loopwright_{name}")
}

/// What runs a variant, after the integers that it is given; `text` where one of them cannot be computed.
pub fn run(kernel: &Kernel, run: TokenStream, text: &TokenStream) -> TokenStream {
    let own = kernel.function.parameters.iter();
    let own = own.filter_map(|parameter| match &parameter.given {
        Some(Given::Whole(whole)) => {
            let name = name(kernel.function, parameter);
            Some((name, value(kernel.krate, whole)))
        }
        _ => None,
    });
    let (names, values): (Vec<_>, Vec<_>) = own.unzip();
    if names.is_empty() {
        return run;
    }
    quote! {
        match (#(#values,)*) {
            (#(::core::option::Option::Some(#names),)*) => #run,
            _ => #text,
        }
    }
}

/// An integer, if it can be computed.
fn value(krate: &TokenStream, whole: &Whole) -> TokenStream {
    let run_time = quote!(#krate::__private::whole);
    match whole {
        Whole::Literal(value) => {
            let value = Literal::u64_unsuffixed(*value);
            quote!(::core::option::Option::Some(#value))
        }
        Whole::Scalar {
            tokens,
            converted: false,
            ..
        } => quote!(::core::option::Option::Some(#tokens)),
        Whole::Scalar { tokens, .. } => quote!(#run_time::converted(#tokens)),
        Whole::Length {
            tokens, axis: None, ..
        } => quote!(#run_time::length(#tokens)),
        Whole::Length {
            tokens,
            axis: Some((axis, rank)),
            ..
        } => {
            let [axis, rank] = [axis, rank].map(|of| Literal::usize_unsuffixed(*of));
            let view = quote!(#krate::__private::view::shared::<_, #rank>(#tokens));
            quote!(#run_time::extent(&#view, #axis))
        }
        Whole::Operation(operator, operands) => {
            let operands = operands.iter().map(|operand| value(krate, operand));
            let function = match operator {
                WholeOperator::Sum => quote!(sum),
                WholeOperator::Difference => quote!(difference),
                WholeOperator::Product => quote!(product),
                WholeOperator::Quotient => quote!(quotient),
                WholeOperator::Remainder => quote!(remainder),
                WholeOperator::Lesser => quote!(lesser),
                WholeOperator::Greater => quote!(greater),
                WholeOperator::Excess => quote!(excess),
                WholeOperator::Times => quote!(times),
            };
            quote!(#run_time::#function(#(#operands),*))
        }
        Whole::Choice(operator, parts) => {
            let [a, b, then, otherwise] = parts.each_ref().map(|part| value(krate, part));
            let holds = match operator {
                CompareOperator::Less => quote!(a < b),
                CompareOperator::LessEqual => quote!(a <= b),
                CompareOperator::Greater => quote!(a > b),
                CompareOperator::GreaterEqual => quote!(a >= b),
                CompareOperator::Equal => quote!(a == b),
                CompareOperator::NotEqual | CompareOperator::Unordered => quote!(a != b),
            };
            quote! {
                match (#a, #b) {
                    (::core::option::Option::Some(a), ::core::option::Option::Some(b)) => {
                        if #holds { #then } else { #otherwise }
                    }
                    _ => ::core::option::Option::None,
                }
            }
        }
    }
}
