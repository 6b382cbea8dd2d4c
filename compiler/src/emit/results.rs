//! The value of a kernel that returns several numbers, made of what its program writes.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::Kernel;
use super::variant::scalar_name;
use crate::syntax::ast::{Function, Length, Returned, ScalarType, Type};

/// Declares what the program writes.
pub fn declared(kernel: &Kernel) -> TokenStream {
    let mut statements = TokenStream::new();
    if let Some(returned) = &kernel.function.returned {
        declare(kernel, returned, &mut statements);
    }
    statements
}

fn declare(kernel: &Kernel, returned: &Returned, into: &mut TokenStream) {
    match returned {
        Returned::Tuple(parts) => {
            for part in parts {
                declare(kernel, part, into);
            }
        }
        Returned::Part { name, ty, .. } => {
            let zero = zero(kernel, ty);
            into.extend(quote!(let mut #name = #zero;));
        }
    }
}

/// The value of the text's type.
pub fn value(krate: &TokenStream, returned: &Returned) -> TokenStream {
    match returned {
        Returned::Tuple(parts) => {
            let parts = parts.iter().map(|part| value(krate, part));
            quote!((#(#parts,)*))
        }
        Returned::Part { name, numbers, .. } => match numbers {
            true => quote!(#krate::__private::record::made(#name)),
            false => quote!(#name),
        },
    }
}

/// A number, or an array of numbers, that is zero. No name of a type stands in it, which the scope may give another
/// meaning.
fn zero(kernel: &Kernel, ty: &Type) -> TokenStream {
    let (krate, function): (_, &Function) = (kernel.krate, kernel.function);
    match ty {
        Type::Array(inner, n) => {
            let (inner, n) = (zero(kernel, inner), Literal::usize_suffixed(*n));
            quote!([#inner; #n])
        }
        Type::Open(inner, Length::Constant(at)) => {
            let inner = zero(kernel, inner);
            let length = &function.variables[function.constants[*at].0].name;
            quote!([#inner; #length])
        }
        Type::Scalar(ScalarType::Generic) => {
            let parameter = &function.scalar_parameter;
            quote!(<#parameter as #krate::__private::Scalar>::zero())
        }
        Type::Scalar(ScalarType::F64) => quote!(0.0_f64),
        Type::Scalar(ScalarType::F32) => quote!(0.0_f32),
        Type::Scalar(scalar) => {
            let zero = format!("0_{}", scalar_name(*scalar, None));
            zero.parse().unwrap_or_default()
        }
        Type::Open(..)
        | Type::Slice(_)
        | Type::Reference(..)
        | Type::Tuple(_)
        | Type::Record(_) => TokenStream::new(),
    }
}
