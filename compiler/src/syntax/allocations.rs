//! Temporaries whose size is known when the kernel runs: `vec![0.0; n]`, `Array2::zeros((n, m))`.
//!
//! They are arrays of the text like others.

use syn::parse::{Parse, ParseStream};

use super::Parsed;
use super::ast::{Expression, ExpressionKind, Length, ScalarType, Taken, Type};
use super::expressions::typed;
use super::inference::number;
use super::scope::{Reader, USIZE};
use super::statements::strip;
use super::tabulate::parse_until;
use super::types::behind;
use crate::diagnostics::{Fault, Span};

const FORMS: &str = "write `vec![0.0; n]`, `vec![[0.0; 3]; n]` or `Array2::<f64>::zeros((n, m))`";

/// `element; count`.
struct Filled {
    element: syn::Expr,
    count: syn::Expr,
}

impl Parse for Filled {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let element = input.parse()?;
        input.parse::<syn::Token![;]>()?;
        let count = input.parse()?;
        Ok(Filled { element, count })
    }
}

fn filled(mac: &syn::Macro) -> Parsed<Filled> {
    parse_until(mac.tokens.clone(), Span::of(mac).end(), Filled::parse)
        .map_err(|error| Fault::new(error.span(), error.to_string(), FORMS))
}

/// What each element of `vec![element; count]` is, if it is that.
pub fn element(mac: &syn::Macro) -> Option<syn::Expr> {
    filled(mac).ok().map(|filled| filled.element)
}

/// Whether a macro call is `vec!`.
pub fn is_vec(mac: &syn::Macro) -> bool {
    let last = mac.path.segments.last();
    last.is_some_and(|segment| segment.ident == "vec")
}

/// The number of dimensions of `Array2::zeros`, and the element type if it is written.
pub fn zeros(path: &syn::Path) -> Option<(usize, Option<&syn::Type>)> {
    let mut segments = path.segments.iter().rev();
    let (function, array) = (segments.next()?, segments.next()?);
    let digit = array.ident.to_string();
    let rank = digit.strip_prefix("Array")?.parse().ok()?;
    if function.ident != "zeros" || !(1..=6).contains(&rank) {
        return None;
    }
    let element = match &array.arguments {
        syn::PathArguments::AngleBracketed(arguments) => match arguments.args.first() {
            Some(syn::GenericArgument::Type(ty)) => Some(ty),
            _ => None,
        },
        _ => None,
    };
    Some((rank, element))
}

/// Whether what allocates an array of this type is `[value; N]`, of a local array, and neither a vector nor a view.
pub fn is_local(ty: &Type) -> bool {
    matches!(ty, Type::Array(..) | Type::Open(_, Length::Constant(_)))
}

/// An array of `count` elements. Where these are arrays of the text's own, it has their extents after its own.
fn repeated(element: Expression, count: Expression, ty: Type, span: Span) -> Expression {
    let parts = match element.kind {
        ExpressionKind::Allocate(parts) if is_local(&element.ty) => {
            let (fill, inner) = parts.split_first().expect("a value that is repeated");
            let outer = [fill.clone(), count].into_iter();
            outer.chain(inner.iter().cloned()).collect()
        }
        _ => vec![element, count],
    };
    typed(ExpressionKind::Allocate(parts), ty, span)
}

impl Reader<'_> {
    /// Takes `vec!` for Rust's own, which a path has to say.
    fn own_vec(&mut self, mac: &syn::Macro) -> Parsed<()> {
        let segments: Vec<&proc_macro2::Ident> =
            mac.path.segments.iter().map(|s| &s.ident).collect();
        match segments.as_slice() {
            [name] => self.taken.push(Taken::Vec((*name).clone())),
            [krate, _] if *krate == "std" || *krate == "alloc" => {}
            _ => return Err(Fault::beyond(&mac.path, "this macro is not known", FORMS)),
        }
        Ok(())
    }

    /// `vec![element; count]`, a slice of the text's own.
    pub fn vec(&mut self, mac: &syn::Macro, expected: Option<&Type>) -> Parsed<Expression> {
        let span = Span::of(mac);
        self.own_vec(mac)?;
        let filled = filled(mac)?;
        let wanted = match expected.map(behind) {
            Some(Type::Slice(element)) => Some(element.as_ref().clone()),
            _ => None,
        };
        let element = self.expression(&filled.element, wanted.as_ref())?;
        let count = self.integer(&filled.count, Some(&USIZE))?;
        self.is(&filled.count, &USIZE);
        let ty = Type::Slice(Box::new(element.ty.clone()));
        Ok(repeated(element, count, ty, span))
    }

    /// `[element; length]`: an array whose length is known when the kernel runs where that is a `const` parameter, and so are
    /// arrays of these.
    pub fn repeat(
        &mut self,
        element: Expression,
        length: &syn::Expr,
        span: Span,
    ) -> Parsed<Expression> {
        let inner = Box::new(element.ty.clone());
        if let Some(at) = self.constant_parameter(length) {
            let count = self.integer(length, Some(&USIZE))?;
            let ty = Type::Open(inner, Length::Constant(at));
            return Ok(repeated(element, count, ty, span));
        }
        let n = self.length(length)?;
        let ty = Type::Array(inner, n);
        if matches!(element.kind, ExpressionKind::Allocate(_)) {
            let count = typed(ExpressionKind::Integer(n as i128), USIZE, span);
            return Ok(repeated(element, count, ty, span));
        }
        Ok(typed(
            ExpressionKind::Repeat(Box::new(element), n),
            ty,
            span,
        ))
    }

    /// `Array2::zeros((n, m))`.
    pub fn zeros(
        &mut self,
        call: &syn::ExprCall,
        (rank, element): (usize, Option<&syn::Type>),
        expected: Option<&Type>,
    ) -> Parsed<Expression> {
        let element = match (element, expected.and_then(number)) {
            (Some(ty), _) => self.ty(ty)?,
            (None, expected) => Type::Scalar(expected.unwrap_or(self.float)),
        };
        if !matches!(element, Type::Scalar(scalar) if scalar != ScalarType::Bool) {
            return Err(Fault::on(&call.func, "an array of no numbers", FORMS));
        }
        let extents: Vec<&syn::Expr> = match call.args.first().map(strip) {
            Some(syn::Expr::Tuple(tuple)) => tuple.elems.iter().collect(),
            Some(one) => vec![one],
            None => Vec::new(),
        };
        if extents.len() != rank || call.args.len() != 1 {
            let message = format!("{} extents for {rank} dimensions", extents.len());
            return Err(Fault::on(call, message, FORMS));
        }
        let extents = extents.into_iter().map(|extent| {
            let value = self.integer(extent, Some(&USIZE))?;
            self.is(extent, &USIZE);
            Ok(value)
        });
        let extents = extents.collect::<Parsed<Vec<Expression>>>()?;
        let open = |inner: Type, _| Type::Open(Box::new(inner), Length::Axis);
        let ty = (0..rank).fold(element, open);
        let kind = ExpressionKind::Allocate(extents);
        Ok(typed(kind, ty, Span::of(call)))
    }
}
