//! `include!("phi.rs")` as the value of a table: the file holds the values, as a literal would.
//!
//! The expansion names the file, so that a changed one builds the crate again.

use std::path::{Path, PathBuf};

use proc_macro2::{Group, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::parse::Parser;
use syn::spanned::Spanned;

use super::Parsed;
use super::statements::strip;
use crate::diagnostics::Fault;

const FORM: &str = "write `include!(\"phi.rs\")`, a path from the directory of this source file, or `include!(concat!(env!(\"OUT_DIR\"), \"/phi.rs\"))`";

/// Whether a macro call is `include!`.
pub fn is_include(mac: &syn::Macro) -> bool {
    let last = mac.path.segments.last();
    last.is_some_and(|segment| segment.ident == "include")
}

/// The expression in the file.
///
/// # Errors
/// A path that is no literal, a file that cannot be read, or one that holds no expression.
pub fn read(mac: &syn::Macro) -> Parsed<syn::Expr> {
    let path = path(mac)?;
    let found = std::fs::read_to_string(&path);
    let text = found.map_err(|error| {
        let message = format!("`{}` cannot be read: {error}", shown(mac));
        Fault::on(&mac.tokens, message, FORM)
    })?;
    syn::parse_str(&text).map_err(|error| {
        let message = format!("`{}` holds no value: {error}", shown(mac));
        let help = "the file holds one expression: an array of numbers, as a literal would be";
        Fault::on(&mac.tokens, message, help)
    })
}

/// An error in the file, shown where it is included.
pub fn at(mac: &syn::Macro, fault: Fault) -> Fault {
    let message = format!("in `{}`: {}", shown(mac), fault.message);
    Fault::on(&mac.tokens, message, fault.help)
}

/// Tokens that make the compiler watch the file, and stand before a value of their block.
pub fn tracked(mac: &syn::Macro) -> TokenStream {
    let span = mac.path.span();
    let mut arguments = Group::new(proc_macro2::Delimiter::Parenthesis, mac.tokens.clone());
    arguments.set_span(span);
    quote_spanned!(span=> const _: &[u8] = ::core::include_bytes! #arguments;)
}

/// The file, from where the call stands.
fn path(mac: &syn::Macro) -> Parsed<PathBuf> {
    let argument = syn::Expr::parse_without_eager_brace.parse2(mac.tokens.clone());
    let text = argument.ok().as_ref().and_then(text);
    let Some(text) = text else {
        return Err(Fault::on(mac, "the path of this file is not known", FORM));
    };
    let source = mac.path.span().local_file();
    let folder = source.as_deref().and_then(Path::parent);
    Ok(match folder {
        Some(folder) => folder.join(text),
        None => PathBuf::from(text),
    })
}

/// A string that the compiler knows: a literal, `env!`, or `concat!` of them.
fn text(expr: &syn::Expr) -> Option<String> {
    match strip(expr) {
        syn::Expr::Lit(literal) => match &literal.lit {
            syn::Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        syn::Expr::Macro(mac) => {
            let list = syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
            let parts = list.parse2(mac.mac.tokens.clone()).ok()?;
            let parts: Option<Vec<String>> = parts.iter().map(text).collect();
            let parts = parts?;
            let name = mac.mac.path.get_ident()?.to_string();
            match (name.as_str(), parts.as_slice()) {
                ("concat", parts) => Some(parts.concat()),
                ("env", [variable]) => std::env::var(variable).ok(),
                _ => None,
            }
        }
        _ => None,
    }
}

/// How the call names its file.
fn shown(mac: &syn::Macro) -> String {
    match syn::parse2::<syn::LitStr>(mac.tokens.clone()) {
        Ok(literal) => literal.value(),
        Err(_) => mac.to_token_stream().to_string(),
    }
}
