//! Constants that are converted, and operations on them whose bits are the same on each machine.

use super::Parsed;
use super::ast::{ScalarType, Type};
use super::scope::{Entry, Reader};
use super::statements::strip;
use super::types::show;
use crate::diagnostics::Fault;
use crate::number::Number;

impl Reader<'_> {
    /// `N as f64` of a constant.
    pub(super) fn constant_cast(
        &mut self,
        cast: &syn::ExprCast,
        element: ScalarType,
    ) -> Parsed<Number> {
        let to = self.ty(&cast.ty)?;
        if to != Type::Scalar(element) {
            let wanted = show(&Type::Scalar(element));
            return Err(Fault::beyond(
                &cast.ty,
                format!("this is `{}`, but its type here is `{wanted}`", show(&to)),
                format!("write `as {wanted}`"),
            ));
        }
        let from = self.constant_type(&cast.expr, element);
        let value = self.constant(&cast.expr, from, &[])?;
        let value = value.first().copied().ok_or_else(Fault::consequence)?;
        Ok(converted(value, from, element))
    }

    /// The type that a constant expression has by itself.
    fn constant_type(&self, expr: &syn::Expr, wanted: ScalarType) -> ScalarType {
        let integer = ScalarType::Integer(super::ast::IntegerType::I32);
        match strip(expr) {
            syn::Expr::Lit(literal) => match &literal.lit {
                syn::Lit::Int(int) => self.scalar_name(int.suffix()).unwrap_or(integer),
                syn::Lit::Float(float) => {
                    self.scalar_name(float.suffix()).unwrap_or(match wanted {
                        ScalarType::F32 => ScalarType::F32,
                        _ => ScalarType::F64,
                    })
                }
                _ => wanted,
            },
            syn::Expr::Path(path) => {
                let full = self.imports.full(&path.path);
                if let Some((_, ty)) = super::outside::limit(&full) {
                    return ScalarType::Integer(ty);
                }
                if let Some((_, ty)) = super::outside::standard(&full) {
                    return ty;
                }
                let name = path.path.get_ident().map(ToString::to_string);
                match name.as_deref().and_then(|name| self.find(name)) {
                    Some(Entry::Table(id)) => self.tables[id.0].element,
                    _ => wanted,
                }
            }
            syn::Expr::Cast(cast) => match cast.ty.as_ref() {
                syn::Type::Path(path) => {
                    let name = path.path.get_ident().map(ToString::to_string);
                    name.and_then(|name| self.scalar_name(&name))
                        .unwrap_or(wanted)
                }
                _ => wanted,
            },
            syn::Expr::Unary(unary) => self.constant_type(&unary.expr, wanted),
            syn::Expr::MethodCall(call) => self.constant_type(&call.receiver, wanted),
            syn::Expr::Binary(binary) => {
                let literal = super::expressions::only_literals(&binary.left);
                self.constant_type(if literal { &binary.right } else { &binary.left }, wanted)
            }
            _ => wanted,
        }
    }

    /// Methods that round once, wherever they are computed.
    pub(super) fn constant_method(
        &mut self,
        call: &syn::ExprMethodCall,
        element: ScalarType,
    ) -> Parsed<Number> {
        let method = call.method.to_string();
        let refused = || {
            Fault::beyond(
                &call.method,
                format!("`{method}` is no function of constants"),
                "in constants stand arithmetic, `abs`, `min` and `max`; write the number out, or compute it in the kernel",
            )
        };
        let value = |reader: &mut Self, expr: &syn::Expr| {
            let value = reader.constant(expr, element, &[])?;
            value.first().copied().ok_or_else(Fault::consequence)
        };
        if matches!(element, ScalarType::Integer(_)) {
            return Err(refused());
        }
        let receiver = value(self, &call.receiver)?.to_f64();
        let arguments: Vec<&syn::Expr> = call.args.iter().collect();
        let result = match (method.as_str(), arguments.as_slice()) {
            ("abs", []) => receiver.abs(),
            ("min", [other]) => receiver.min(value(self, other)?.to_f64()),
            ("max", [other]) => receiver.max(value(self, other)?.to_f64()),
            _ => return Err(refused()),
        };
        Ok(Number::from_f64(result))
    }
}

/// A constant as a number of another type, as `as` converts it.
fn converted(value: Number, from: ScalarType, to: ScalarType) -> Number {
    match (from, to) {
        (ScalarType::Integer(_), ScalarType::Integer(ty)) => {
            Number::from_integer(ty.truncated(value.to_integer()))
        }
        (ScalarType::Integer(_), ScalarType::F32) => {
            Number::from_f64(f64::from(value.to_integer() as f32))
        }
        (ScalarType::Integer(_), _) => Number::from_f64(value.to_integer() as f64),
        (_, ScalarType::Integer(ty)) => {
            let (least, most) = ty.range();
            Number::from_integer((value.to_f64() as i128).clamp(least, most))
        }
        (_, ScalarType::F32) => Number::from_f64(f64::from(value.to_f64() as f32)),
        _ => value,
    }
}
