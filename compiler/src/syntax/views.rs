//! `ndarray`'s views and arrays as parameters: dimensions whose extents and strides are known when
//! the kernel runs.
//!
//! The expansion calls their methods by name, so that nothing here depends on that crate.

use quote::ToTokens;

use super::Parsed;
use super::ast::{Expression, ExpressionKind, Length, ScalarType, Taken, Type};
use super::expressions::typed;
use super::scope::{Reader, USIZE};
use super::spans;
use super::statements::strip;
use super::storages::{self, Storage};
use super::types::{behind, show};
use crate::diagnostics::{Fault, Span};

/// Dimensions that a view may have.
pub const MOST: usize = 6;

/// What views can be asked.
pub const METHODS: &str = "views have `len()`, `nrows()`, `ncols()`, `dim()`, `shape()[0]` and `len_of(Axis(0))`; write a loop over their elements";

/// Who owns the elements of a view type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// `ArrayView2<f64>`.
    Shared,
    /// `ArrayViewMut2<f64>`.
    Mutable,
    /// `Array2<f64>`.
    Itself,
}

/// The number of dimensions of a type by its name, and its element.
pub fn named(path: &syn::Path, storages: &[Storage]) -> Option<(Owner, usize, syn::Type)> {
    if let Some(general) = storages::named(path, storages) {
        return Some(general);
    }
    let last = path.segments.last()?;
    let name = last.ident.to_string();
    let rest = name.strip_prefix("Array")?;
    let (owner, digit) = match (rest.strip_prefix("ViewMut"), rest.strip_prefix("View")) {
        (Some(digit), _) => (Owner::Mutable, digit),
        (None, Some(digit)) => (Owner::Shared, digit),
        (None, None) => (Owner::Itself, rest),
    };
    let rank = digit
        .parse()
        .ok()
        .filter(|rank| (1..=MOST).contains(rank))?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    let mut types = arguments.args.iter().filter_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    match (types.next(), types.next()) {
        (Some(element), None) => Some((owner, rank, element.clone())),
        _ => None,
    }
}

/// Dimensions of a view, as far as they are not subscripted.
pub fn rank(ty: &Type) -> usize {
    match ty {
        Type::Open(inner, Length::Axis) => 1 + rank(inner),
        _ => 0,
    }
}

impl Reader<'_> {
    /// The type of a view, always behind a reference; `reference` tells whether it stands behind a
    /// mutable one in the text.
    pub fn view(
        &mut self,
        ty: &syn::Type,
        (owner, rank, element): (Owner, usize, &syn::Type),
        reference: Option<bool>,
    ) -> Parsed<Type> {
        let read = self.ty(element)?;
        if !matches!(read, Type::Scalar(scalar) if scalar != ScalarType::Bool) {
            return Err(Fault::beyond(
                element,
                format!("a view of `{}`", show(&read)),
                "views have numbers as elements: `ArrayView2<f64>`",
            ));
        }
        let mutable = match (owner, reference) {
            (Owner::Itself, None) => {
                let name = format!("&Array{rank}<{}>", show(&read));
                return Err(Fault::beyond(
                    ty,
                    "an array that is not behind a reference",
                    format!("write `{name}`, or `&mut` for what the kernel writes"),
                ));
            }
            (Owner::Shared, _) => false,
            (_, Some(mutable)) => mutable,
            (Owner::Mutable, None) => true,
        };
        let open = |inner: Type, _| Type::Open(Box::new(inner), Length::Axis);
        let dimensions = (0..rank).fold(read, open);
        Ok(Type::Reference(Box::new(dimensions), mutable))
    }

    /// The subscripts of a view, one for each dimension: `u[[i, j]]`, `u[(i, j)]`, or `u[i]`.
    pub fn view_subscripts<'e>(
        &self,
        base: &Expression,
        index: &'e syn::Expr,
    ) -> Parsed<Option<Vec<&'e syn::Expr>>> {
        let rank = rank(behind(&base.ty));
        if rank == 0 {
            return Ok(None);
        }
        let all: Vec<&syn::Expr> = match strip(index) {
            syn::Expr::Array(array) => array.elems.iter().collect(),
            syn::Expr::Tuple(tuple) => tuple.elems.iter().collect(),
            other => vec![other],
        };
        if all.len() == rank {
            return Ok(Some(all));
        }
        let names = ["i", "j", "k", "l", "m", "n"];
        let one = names[..rank.min(MOST)].join(", ");
        Err(Fault::on(
            index,
            format!("{} subscripts for {rank} dimensions", all.len()),
            format!("write `[[{one}]]`, all of them at once"),
        ))
    }

    /// `u.shape()[k]`.
    pub fn view_shape(&mut self, index: &syn::ExprIndex) -> Parsed<Option<Expression>> {
        let syn::Expr::MethodCall(call) = strip(&index.expr) else {
            return Ok(None);
        };
        if call.method != "shape" || !call.args.is_empty() {
            return Ok(None);
        }
        let receiver = self.expression(&call.receiver, None)?;
        if rank(behind(&receiver.ty)) == 0 {
            return Ok(None);
        }
        let axis = self.length(&index.index)?;
        self.axis(receiver, axis, &index.index, spans::index(index))
            .map(Some)
    }

    /// The number in `Axis(1)`.
    pub fn axis_number(&mut self, axis: &syn::Expr) -> Parsed<usize> {
        match strip(axis) {
            syn::Expr::Call(of) if of.args.len() == 1 && is_axis(&of.func) => {
                self.length(&of.args[0])
            }
            _ => Err(Fault::on(axis, "this is no axis", "write `Axis(0)`")),
        }
    }

    /// The extent along an axis.
    fn axis(
        &self,
        receiver: Expression,
        axis: usize,
        tokens: &syn::Expr,
        span: Span,
    ) -> Parsed<Expression> {
        let rank = rank(behind(&receiver.ty));
        if axis >= rank {
            return Err(Fault::on(
                tokens,
                format!("axis {axis} of {rank} dimensions"),
                format!("axes are 0 to {}", rank.saturating_sub(1)),
            ));
        }
        let kind = ExpressionKind::Length(Box::new(receiver), axis);
        Ok(typed(kind, USIZE, span))
    }

    /// A method of a view.
    pub fn view_method(
        &mut self,
        call: &syn::ExprMethodCall,
        receiver: Expression,
    ) -> Parsed<Expression> {
        let span = Span::of(call);
        if let (ExpressionKind::Variable(variable), syn::Expr::Path(path)) =
            (&receiver.kind, strip(&call.receiver))
            && let Some(name) = path.path.get_ident()
        {
            self.taken.push(Taken::View {
                method: call.method.clone(),
                receiver: name.clone(),
                variable: *variable,
                arguments: call.args.to_token_stream(),
            });
        }
        let rank = rank(behind(&receiver.ty));
        let extent = |axis: usize| {
            let kind = ExpressionKind::Length(Box::new(receiver.clone()), axis);
            typed(kind, USIZE, span)
        };
        let arguments: Vec<&syn::Expr> = call.args.iter().collect();
        match (call.method.to_string().as_str(), arguments.as_slice()) {
            ("nrows", []) if rank == 2 => Ok(extent(0)),
            ("ncols", []) if rank == 2 => Ok(extent(1)),
            ("dim", []) | ("len", []) if rank == 1 => Ok(extent(0)),
            ("dim", []) => {
                let fields: Vec<Expression> = (0..rank).map(extent).collect();
                let ty = Type::Tuple(vec![USIZE; rank]);
                Ok(typed(ExpressionKind::Tuple(fields), ty, span))
            }
            ("len", []) => {
                let product = |left: Expression, right: Expression| {
                    let operator = super::ast::BinaryOperator::Multiply;
                    let kind = ExpressionKind::Binary(operator, Box::new(left), Box::new(right));
                    typed(kind, USIZE, span)
                };
                let all = (0..rank).map(extent).reduce(product);
                all.ok_or_else(Fault::consequence)
            }
            ("len_of", [axis]) => {
                let at = self.axis_number(axis)?;
                self.axis(receiver, at, axis, span)
            }
            _ => Err(Fault::beyond(
                &call.method,
                format!(
                    "`{}` has no method `{}` in a kernel",
                    show(&receiver.ty),
                    call.method
                ),
                METHODS,
            )),
        }
    }
}

fn is_axis(function: &syn::Expr) -> bool {
    let syn::Expr::Path(path) = strip(function) else {
        return false;
    };
    path.path
        .segments
        .last()
        .is_some_and(|last| last.ident == "Axis")
}
