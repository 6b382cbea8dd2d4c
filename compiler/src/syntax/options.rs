//! `#[opt(…)]`.

use proc_macro2::Ident;
use syn::parse::ParseStream;

use super::Parsed;
use super::ast::{IsaName, Options};
use crate::diagnostics::Fault;

const VALID: &str = "options are `level = 0..=3`, `strict`, `isa = [avx512, avx2, scalar]`, `unroll(i = 4)`, `lanes(e)`, `epsilon = 1e-14`, `memory = \"512 KiB\"`, `fallback`";

/// Options that nothing changes.
pub fn defaults() -> Options {
    Options {
        level: 1,
        strict: false,
        isa: vec![IsaName::Avx512, IsaName::Avx2, IsaName::Scalar],
        unroll: Vec::new(),
        lanes: None,
        epsilon: 4e-14,
        memory: None,
        fallback: false,
    }
}

/// Whether an attribute is `#[opt]`.
pub fn is_opt(attribute: &syn::Attribute) -> bool {
    attribute
        .path()
        .segments
        .last()
        .is_some_and(|s| s.ident == "opt")
}

/// Reads the options of one attribute.
pub fn parse(attribute: &syn::Attribute, options: &mut Options) -> Parsed<()> {
    let read = |input: ParseStream| -> syn::Result<()> {
        let mut given: Vec<Ident> = Vec::new();
        while !input.is_empty() {
            let name: Ident = input.fork().parse()?;
            if given.contains(&name) {
                let message = format!("the option `{name}` is given twice");
                return Err(syn::Error::new(name.span(), message));
            }
            given.push(name);
            one(input, options)?;
            if !input.is_empty() {
                input.parse::<syn::Token![,]>()?;
            }
        }
        Ok(())
    };
    let syn::Meta::List(list) = &attribute.meta else {
        return Err(Fault::on(
            attribute,
            "`opt` takes options in parentheses",
            VALID,
        ));
    };
    let tokens = super::tabulate::ungroup(list.tokens.clone());
    syn::parse::Parser::parse2(read, tokens).map_err(|e| Fault::new(e.span(), e.to_string(), VALID))
}

fn one(input: ParseStream, options: &mut Options) -> syn::Result<()> {
    let name: Ident = input.parse()?;
    match name.to_string().as_str() {
        "strict" => options.strict = true,
        "fallback" => options.fallback = true,
        "level" => {
            input.parse::<syn::Token![=]>()?;
            let literal: syn::LitInt = input.parse()?;
            options.level = literal.base10_parse()?;
            if options.level > 3 {
                return Err(syn::Error::new(literal.span(), "levels are 0 to 3"));
            }
        }
        "isa" => {
            input.parse::<syn::Token![=]>()?;
            options.isa = isas(input)?;
        }
        "unroll" => {
            let inside;
            syn::parenthesized!(inside in input);
            while !inside.is_empty() {
                let index: Ident = inside.parse()?;
                inside.parse::<syn::Token![=]>()?;
                let literal: syn::LitInt = inside.parse()?;
                let factor: usize = literal.base10_parse()?;
                if !(1..=64).contains(&factor) {
                    return Err(syn::Error::new(
                        literal.span(),
                        "unroll factors are 1 to 64",
                    ));
                }
                options.unroll.push((index, factor));
                let _: Option<syn::Token![,]> = inside.parse()?;
            }
        }
        "lanes" => {
            let inside;
            syn::parenthesized!(inside in input);
            options.lanes = Some(inside.parse()?);
        }
        "epsilon" => {
            input.parse::<syn::Token![=]>()?;
            let literal: syn::LitFloat = input.parse()?;
            options.epsilon = literal.base10_parse()?;
        }
        "memory" => {
            input.parse::<syn::Token![=]>()?;
            let literal: syn::LitStr = input.parse()?;
            options.memory = Some(bytes(&literal.value()).ok_or_else(|| {
                syn::Error::new(
                    literal.span(),
                    "this is no size: write for example \"512 KiB\"",
                )
            })?);
        }
        "differencing" | "parallel" | "pure" | "pipeline" => {
            return Err(syn::Error::new(
                name.span(),
                format!("the option `{name}` is not supported"),
            ));
        }
        _ => {
            return Err(syn::Error::new(
                name.span(),
                format!("there is no option `{name}`"),
            ));
        }
    }
    Ok(())
}

fn isas(input: ParseStream) -> syn::Result<Vec<IsaName>> {
    let inside;
    syn::bracketed!(inside in input);
    let mut result = Vec::new();
    while !inside.is_empty() {
        let name: Ident = inside.parse()?;
        let isa = match name.to_string().as_str() {
            "scalar" => IsaName::Scalar,
            "avx2" => IsaName::Avx2,
            "avx512" => IsaName::Avx512,
            _ => {
                return Err(syn::Error::new(
                    name.span(),
                    format!("there is no instruction set `{name}`"),
                ));
            }
        };
        if !result.contains(&isa) {
            result.push(isa);
        }
        let _: Option<syn::Token![,]> = inside.parse()?;
    }
    if !result.contains(&IsaName::Scalar) {
        result.push(IsaName::Scalar);
    }
    result.sort_by(|a, b| b.cmp(a));
    Ok(result)
}

/// `512 KiB` in bytes.
fn bytes(text: &str) -> Option<usize> {
    let text = text.trim();
    let digits = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let number: usize = text[..digits].parse().ok()?;
    let unit = match text[digits..].trim() {
        "" | "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return None,
    };
    number.checked_mul(unit)
}
