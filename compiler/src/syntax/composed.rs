//! Methods of integers that are made of other operations: `clamp`, `abs_diff`, `rotate_left`, `is_ascii_digit`, ….
//!
//! Each is a closure over the operations that kernels know, read as if the text had it. Nothing in it overflows: it
//! panics where the method does, and nowhere else.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::format_ident;

use super::Parsed;
use super::ast::{Expression, IntegerType, ScalarType, Type};
use super::closures::Closure;
use super::parts::known;
use super::scope::Reader;
use super::statements::strip;
use super::types::show;
use crate::diagnostics::{Fault, Span};

/// A method: its parameters beside `x`, the type of its value, and what it computes.
struct Composed {
    parameters: &'static [(&'static str, Takes)],
    result: ScalarType,
    body: String,
}

/// What an argument is.
#[derive(Clone, Copy)]
enum Takes {
    /// A number of the receiver's type.
    Own,
    /// A `u32`.
    Count,
    /// A reference to a number of the receiver's type.
    Reference,
}

/// Methods that this page knows, for errors.
pub const NAMES: &str = "clamp, abs_diff, unsigned_abs, signum, is_positive, is_negative, count_zeros, leading_ones, trailing_ones, rotate_left, rotate_right, swap_bytes, is_power_of_two, is_multiple_of, div_ceil, next_multiple_of, wrapping_shl, wrapping_shr, and those of ASCII such as is_ascii_digit and to_ascii_lowercase";

/// The method of a name.
fn composed(name: &str, ty: IntegerType) -> Option<Composed> {
    let (parameters, result, body) =
        of_numbers(name, ty)
            .or_else(|| of_bits(name, ty))
            .or_else(|| {
                (ty == IntegerType::U8)
                    .then(|| of_characters(name))
                    .flatten()
            })?;
    Some(Composed {
        parameters,
        result,
        body,
    })
}

/// Parameters, the type of the value, and what is computed.
type Parts = (&'static [(&'static str, Takes)], ScalarType, String);

const OWN: &[(&str, Takes)] = &[("y", Takes::Own)];
const BY: &[(&str, Takes)] = &[("by", Takes::Count)];

/// Methods that look at a number as a number.
fn of_numbers(name: &str, ty: IntegerType) -> Option<Parts> {
    let own = ScalarType::Integer(ty);
    let unsigned = ScalarType::Integer(ty.unsigned());
    let (signed, bits) = (ty.is_signed(), ty.bits());
    let (t, u) = (show(&Type::Scalar(own)), show(&Type::Scalar(unsigned)));
    let is = |body: &str| (&[][..], ScalarType::Bool, body.to_owned());
    Some(match name {
        "clamp" => (
            &[("low", Takes::Own), ("high", Takes::Own)],
            own,
            "x.max(low).min(high)".to_owned(),
        ),
        "abs_diff" => (OWN, unsigned, difference(&u, bits)),
        "unsigned_abs" if signed => (
            &[],
            unsigned,
            format!("{{ let y = 0_{t}; {} }}", difference(&u, bits)),
        ),
        "signum" if signed => (&[], own, "x.max(-1).min(1)".to_owned()),
        "is_positive" if signed => is("x > 0"),
        "is_negative" if signed => is("x < 0"),
        "is_power_of_two" if !signed => is("x != 0 && x & x.wrapping_sub(1) == 0"),
        "is_multiple_of" if !signed => (OWN, ScalarType::Bool, "x % y == 0".to_owned()),
        "div_ceil" if !signed => (
            OWN,
            own,
            "x / y + (if x % y > 0 { 1 } else { 0 })".to_owned(),
        ),
        "next_multiple_of" if !signed => (
            OWN,
            own,
            "if x % y == 0 { x } else { x + (y - x % y) }".to_owned(),
        ),
        _ => return None,
    })
}

/// Methods that look at the bits of a number.
fn of_bits(name: &str, ty: IntegerType) -> Option<Parts> {
    let own = ScalarType::Integer(ty);
    let (count, bits) = (ScalarType::Integer(IntegerType::U32), ty.bits());
    let t = show(&Type::Scalar(own));
    let u = show(&Type::Scalar(ScalarType::Integer(ty.unsigned())));
    let masked = |operator: &str| format!("x {operator} (by & {})", bits - 1);
    Some(match name {
        "count_zeros" => (&[], count, "(!x).count_ones()".to_owned()),
        "leading_ones" => (&[], count, "(!x).leading_zeros()".to_owned()),
        "trailing_ones" => (&[], count, "(!x).trailing_zeros()".to_owned()),
        "rotate_left" => (BY, own, rotated(&t, &u, bits, ("<<", ">>"))),
        "rotate_right" => (BY, own, rotated(&t, &u, bits, (">>", "<<"))),
        "wrapping_shl" => (BY, own, masked("<<")),
        "wrapping_shr" => (BY, own, masked(">>")),
        "swap_bytes" => (&[], own, swapped(&t, &u, bits)),
        _ => return None,
    })
}

/// Methods of bytes as characters of ASCII.
fn of_characters(name: &str) -> Option<Parts> {
    let own = ScalarType::Integer(IntegerType::U8);
    let is = |body: &str| (&[][..], ScalarType::Bool, body.to_owned());
    Some(match name {
        "is_ascii" => is("x < 128"),
        "is_ascii_digit" => is("x >= 48 && x <= 57"),
        "is_ascii_lowercase" => is("x >= 97 && x <= 122"),
        "is_ascii_uppercase" => is("x >= 65 && x <= 90"),
        "is_ascii_alphabetic" => is("x | 32 >= 97 && x | 32 <= 122"),
        "is_ascii_alphanumeric" => is("(x >= 48 && x <= 57) || (x | 32 >= 97 && x | 32 <= 122)"),
        "is_ascii_hexdigit" => is("(x >= 48 && x <= 57) || (x | 32 >= 97 && x | 32 <= 102)"),
        "is_ascii_graphic" => is("x >= 33 && x <= 126"),
        "is_ascii_control" => is("x < 32 || x == 127"),
        "is_ascii_whitespace" => is("x == 32 || x == 9 || x == 10 || x == 12 || x == 13"),
        "is_ascii_punctuation" => is(
            "(x >= 33 && x <= 47) || (x >= 58 && x <= 64) || (x >= 91 && x <= 96) || (x >= 123 && x <= 126)",
        ),
        "to_ascii_lowercase" => {
            let body = "if x >= 65 && x <= 90 { x.wrapping_add(32) } else { x }";
            (&[], own, body.to_owned())
        }
        "to_ascii_uppercase" => {
            let body = "if x >= 97 && x <= 122 { x.wrapping_sub(32) } else { x }";
            (&[], own, body.to_owned())
        }
        "eq_ignore_ascii_case" => (
            &[("y", Takes::Reference)],
            ScalarType::Bool,
            "x.to_ascii_lowercase() == y.to_ascii_lowercase()".to_owned(),
        ),
        _ => return None,
    })
}

/// The distance of `x` and `y`: in a wider type, where 32 bits are one.
fn difference(unsigned: &str, bits: u32) -> String {
    match bits {
        8 | 16 => format!("(x as i32 - y as i32).abs() as {unsigned}"),
        _ => format!("x.max(y).wrapping_sub(x.min(y)) as {unsigned}"),
    }
}

/// Two shifts, and what each leaves.
fn rotated(own: &str, unsigned: &str, bits: u32, (first, second): (&str, &str)) -> String {
    let last = bits - 1;
    format!(
        "{{ let u = x as {unsigned}; (u {first} (by & {last}) | u {second} (0_u32.wrapping_sub(by) & {last})) as {own} }}"
    )
}

/// The bytes from the last one to the first.
fn swapped(own: &str, unsigned: &str, bits: u32) -> String {
    let bytes = bits / 8;
    let terms = (0..bytes).map(|at| {
        let (from, to) = (8 * at, 8 * (bytes - 1 - at));
        format!("(u >> {from} & 255) << {to}")
    });
    let sum = terms.collect::<Vec<_>>().join(" | ");
    format!("{{ let u = x as {unsigned}; ({sum}) as {own} }}")
}

impl Reader<'_> {
    /// A method of integers that is made of others; nothing of any other name.
    pub(super) fn composed(
        &mut self,
        method: &Ident,
        receiver: &Expression,
        arguments: &[&syn::Expr],
        span: Span,
    ) -> Parsed<Option<Expression>> {
        let value = receiver.clone().dereferenced();
        let Type::Scalar(ScalarType::Integer(ty)) = value.ty else {
            return Ok(None);
        };
        let Some(composed) = composed(&method.to_string(), ty) else {
            return Ok(None);
        };
        if arguments.len() != composed.parameters.len() {
            let count = composed.parameters.len();
            return Err(Fault::on(
                method,
                format!("`{method}` takes {count} arguments besides the number it is called on"),
                "pass as many as the method of integers takes",
            ));
        }
        let mut values = vec![value.clone()];
        for ((_, takes), argument) in composed.parameters.iter().zip(arguments) {
            let wanted = match takes {
                Takes::Own | Takes::Reference => value.ty.clone(),
                Takes::Count => Type::Scalar(ScalarType::Integer(IntegerType::U32)),
            };
            let given = self.expression(argument, Some(&wanted))?;
            let given = match takes {
                Takes::Reference => given.dereferenced(),
                _ => given,
            };
            self.is(argument, &wanted);
            if given.ty != wanted {
                return Err(Fault::on(
                    argument,
                    format!("this is `{}`, not `{}`", show(&given.ty), show(&wanted)),
                    "convert it with `as`",
                ));
            }
            values.push(given);
        }
        let mut body = composed.body;
        if let ("clamp", [_, low, high]) = (method.to_string().as_str(), values.as_slice()) {
            match (known(low), known(high)) {
                (Some(l), Some(h)) if l <= h => {}
                (Some(_), Some(_)) => {
                    return Err(Fault::on(
                        arguments[0],
                        "the lower bound is above the upper one: `clamp` panics",
                        "exchange the two",
                    ));
                }
                _ => body = format!("{{ ::core::assert!(low <= high); {body} }}"),
            }
        }
        let names = composed.parameters.iter().map(|(name, _)| *name);
        let parameters = std::iter::once("x").chain(names).map(|name| {
            let name = format_ident!("{name}", span = span.start());
            syn::parse_quote!(#name)
        });
        let closure = Closure {
            parameters: parameters.collect(),
            body: spanned(&body, span)?,
            result: Some(Type::Scalar(composed.result)),
            scopes: Vec::new(),
        };
        let mut statements = Vec::new();
        let value = self.applied(&closure, values, None, &mut statements)?;
        Ok(Some(self.after(statements, value, span)))
    }
}

impl Reader<'_> {
    /// `u32::from_be_bytes([a, b, c, d])` and its siblings; nothing of any other function.
    pub(super) fn of_bytes(
        &mut self,
        scalar: ScalarType,
        function: &str,
        arguments: &[&syn::Expr],
        span: Span,
    ) -> Parsed<Option<Expression>> {
        let (ScalarType::Integer(ty), [bytes]) = (scalar, arguments) else {
            return Ok(None);
        };
        let count = ty.bits() as usize / 8;
        let place = |at: usize| match function {
            "from_be_bytes" => Some(8 * (count - 1 - at)),
            "from_le_bytes" | "from_ne_bytes" => Some(8 * at),
            _ => None,
        };
        let u = show(&Type::Scalar(ScalarType::Integer(ty.unsigned())));
        let terms = (0..count).map(|at| Some(format!("(x[{at}] as {u}) << {}", place(at)?)));
        let Some(terms) = terms.collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        let byte = Type::Scalar(ScalarType::Integer(IntegerType::U8));
        let wanted = Type::Array(Box::new(byte), count);
        let given = self.expression(bytes, Some(&wanted))?;
        if given.ty != wanted {
            return Err(Fault::on(
                bytes,
                format!("this is `{}`, not `{}`", show(&given.ty), show(&wanted)),
                "list the bytes: `[b[0], b[1]]`",
            ));
        }
        let result = Type::Scalar(scalar);
        let closure = Closure {
            parameters: vec![syn::parse_quote!(x)],
            body: spanned(
                &format!("({}) as {}", terms.join(" | "), show(&result)),
                span,
            )?,
            result: Some(result),
            scopes: Vec::new(),
        };
        let mut statements = Vec::new();
        let value = self.applied(&closure, vec![given], None, &mut statements)?;
        Ok(Some(self.after(statements, value, span)))
    }
}

/// An expression of this page, where the text has the method.
fn spanned(body: &str, span: Span) -> Parsed<syn::Expr> {
    fn at(tokens: TokenStream, span: proc_macro2::Span) -> TokenStream {
        let trees = tokens.into_iter().map(|tree| match tree {
            TokenTree::Group(group) => {
                let mut own = Group::new(group.delimiter(), at(group.stream(), span));
                own.set_span(span);
                TokenTree::Group(own)
            }
            mut other => {
                other.set_span(span);
                other
            }
        });
        trees.collect()
    }
    let tokens: TokenStream = body.parse().map_err(|_| Fault::consequence())?;
    syn::parse2(at(tokens, span.start())).map_err(|_| Fault::consequence())
}

/// The bytes of `b"…"`, and of `*b"…"`.
pub fn byte_string(expr: &syn::Expr) -> Option<Vec<u8>> {
    match strip(expr) {
        syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
            byte_string(&unary.expr)
        }
        syn::Expr::Lit(literal) => match &literal.lit {
            syn::Lit::ByteStr(bytes) => Some(bytes.value()),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_rust() {
        let names = NAMES.replace(" and those of ASCII such as", "");
        let names = names.replace(" and ", ", ");
        let names = names
            .split(", ")
            .map(str::trim)
            .filter(|name| !name.is_empty());
        for name in names {
            let known = [IntegerType::U8, IntegerType::I32, IntegerType::U64]
                .map(|ty| composed(name, ty))
                .into_iter()
                .flatten()
                .inspect(|method| assert!(syn::parse_str::<syn::Expr>(&method.body).is_ok()));
            assert!(known.count() > 0, "{name}");
        }
    }
}
