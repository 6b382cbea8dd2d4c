//! Literals, and constant expressions: literals, arithmetic, arrays, other constants of the block.

use super::Parsed;
use super::ast::{Expression, ExpressionKind, IntegerType, ScalarType, Type};
use super::composed::byte_string;
use super::constant_integers::constant_operation;
use super::expressions::typed;
use super::outside::{limit, standard};
use super::scope::{Entry, I32, Reader, USIZE};
use super::statements::strip;
use super::tables::nested;
use super::tabulate::is_tabulate;
use super::types::{behind, show};
use crate::diagnostics::{Fault, Span};
use crate::number::Number;

impl Reader<'_> {
    /// Reads a literal; `expected` decides its type.
    pub fn literal(
        &mut self,
        literal: &syn::ExprLit,
        expected: Option<&Type>,
    ) -> Parsed<Expression> {
        let wanted = expected.map(behind);
        match &literal.lit {
            syn::Lit::Int(int) if int.suffix() != "f64" && int.suffix() != "f32" => {
                self.integer_literal(literal, (int, false), wanted)
            }
            syn::Lit::Int(_) | syn::Lit::Float(_) => self.decimal_literal(literal, wanted),
            syn::Lit::Bool(truth) => Ok(typed(
                ExpressionKind::Bool(truth.value),
                Type::Scalar(ScalarType::Bool),
                Span::of(literal),
            )),
            syn::Lit::Byte(byte) => {
                let ty = Type::Scalar(ScalarType::Integer(IntegerType::U8));
                let kind = ExpressionKind::Integer(byte.value().into());
                Ok(typed(kind, ty, Span::of(literal)))
            }
            _ => Err(Fault::beyond(
                literal,
                "this literal has no meaning in a kernel",
                "kernels compute with numbers, and choose by comparisons such as `x < y`",
            )),
        }
    }

    /// `-128`: the smallest integer of a type has no positive counterpart. Nothing where this is no literal,
    /// or of a type without negative values. What nothing is said of is of Rust's own type
    /// where it is looked at first.
    pub fn negative(
        &self,
        operand: &syn::Expr,
        expected: Option<&Type>,
    ) -> Parsed<Option<Expression>> {
        let syn::Expr::Lit(literal) = strip(operand) else {
            return Ok(None);
        };
        let syn::Lit::Int(int) = &literal.lit else {
            return Ok(None);
        };
        let signed = |ty: &ScalarType| matches!(ty, ScalarType::Integer(ty) if ty.is_signed());
        let number = |ty: &&Type| matches!(ty, Type::Scalar(_));
        let wanted = expected.map(behind).filter(number).unwrap_or(&I32);
        let known = match (int.suffix(), Some(wanted)) {
            ("", Some(Type::Scalar(ty))) => signed(ty),
            (suffix, _) => self.scalar_name(suffix).is_some_and(|ty| signed(&ty)),
        };
        if !known {
            return Ok(None);
        }
        self.integer_literal(literal, (int, true), Some(wanted))
            .map(Some)
    }

    fn integer_literal(
        &self,
        literal: &syn::ExprLit,
        (int, negative): (&syn::LitInt, bool),
        wanted: Option<&Type>,
    ) -> Parsed<Expression> {
        let span = Span::of(literal);
        let value = whole_number(int.base10_digits()).ok_or_else(|| {
            let help = "integers here are below 2^64";
            Fault::on(literal, "this integer is too large", help)
        })?;
        let value = if negative { -value } else { value };
        let ty = match (int.suffix(), wanted) {
            ("", Some(Type::Scalar(ScalarType::Integer(ty)))) => {
                Type::Scalar(ScalarType::Integer(*ty))
            }
            ("", Some(Type::Scalar(ScalarType::F64 | ScalarType::F32 | ScalarType::Generic))) => {
                return Err(Fault::on(
                    literal,
                    "an integer where a floating-point number is expected",
                    format!("write `{value}.0`"),
                ));
            }
            ("", _) => USIZE,
            (suffix, _) => match self.scalar_name(suffix) {
                Some(scalar) => Type::Scalar(scalar),
                None => {
                    return Err(Fault::on(
                        literal,
                        "an unknown suffix",
                        "write a plain integer",
                    ));
                }
            },
        };
        if let Type::Scalar(element) = ty {
            checked_integer(Number::from_integer(value), literal, element)?;
        }
        Ok(typed(ExpressionKind::Integer(value), ty, span))
    }

    fn decimal_literal(&self, literal: &syn::ExprLit, wanted: Option<&Type>) -> Parsed<Expression> {
        let span = Span::of(literal);
        let (digits, suffix) = match &literal.lit {
            syn::Lit::Float(float) => (float.base10_digits().to_owned(), float.suffix().to_owned()),
            syn::Lit::Int(int) => (int.base10_digits().to_owned(), int.suffix().to_owned()),
            _ => (String::new(), String::new()),
        };
        let scalar = match (suffix.as_str(), wanted) {
            ("f64", _) => ScalarType::F64,
            ("f32", _) => ScalarType::F32,
            (_, Some(Type::Scalar(ScalarType::F32))) => ScalarType::F32,
            (_, Some(Type::Scalar(ScalarType::F64))) => ScalarType::F64,
            (_, Some(Type::Scalar(ScalarType::Generic))) => {
                return Err(Fault::on(
                    literal,
                    "a float literal in generic code",
                    format!("write `T::from_f64({digits})`"),
                ));
            }
            _ => self.float,
        };
        let value: f64 = digits.parse().map_err(|_| {
            Fault::on(
                literal,
                "this number cannot be read",
                "write a decimal number",
            )
        })?;
        let value = if scalar == ScalarType::F32 {
            digits.parse::<f32>().map_or(value, f64::from)
        } else {
            value
        };
        if !value.is_finite() {
            return Err(Fault::on(
                literal,
                "this number is too large",
                "numbers in a kernel are finite",
            ));
        }
        Ok(typed(
            ExpressionKind::Float(Number::from_f64(value)),
            Type::Scalar(scalar),
            span,
        ))
    }

    /// What is known without reading parts of it: `*b"abc"`, and constants of the standard library.
    fn known(&self, expr: &syn::Expr, element: ScalarType, shape: &[usize]) -> Option<Vec<Number>> {
        match (expr, shape) {
            (syn::Expr::Unary(_) | syn::Expr::Lit(_), [n]) => {
                let bytes = byte_string(expr).filter(|bytes| bytes.len() == *n)?;
                let number = |byte: u8| Number::from_integer(byte.into());
                Some(bytes.into_iter().map(number).collect())
            }
            (syn::Expr::Path(path), []) => {
                let known = standard(&self.imports.full(&path.path));
                let (value, _) = known.filter(|(_, ty)| *ty == element)?;
                Some(vec![Number::from_f64(value)])
            }
            _ => None,
        }
    }

    /// The values of a constant expression of a shape, row-major, rounded as `element` rounds.
    pub fn constant(
        &mut self,
        expr: &syn::Expr,
        element: ScalarType,
        shape: &[usize],
    ) -> Parsed<Vec<Number>> {
        let expr = strip(expr);
        let wrong_shape = |is: String| {
            let right = nested(&show(&Type::Scalar(element)), shape);
            let help = "give the type the shape of the values";
            Err(Fault::on(
                expr,
                format!("{is}, but its type here is `{right}`"),
                help,
            ))
        };
        if let Some(known) = self.known(expr, element, shape) {
            return Ok(known);
        }
        match (expr, shape) {
            // Rows are tuples where the type says so, which rustc checks.
            (syn::Expr::Array(syn::ExprArray { elems, .. }), [n, inner @ ..])
            | (syn::Expr::Tuple(syn::ExprTuple { elems, .. }), [n, inner @ ..])
                if elems.len() == *n =>
            {
                let mut result = Vec::new();
                for entry in elems {
                    result.extend(self.constant(entry, element, inner)?);
                }
                Ok(result)
            }
            (syn::Expr::Array(array), _) => {
                wrong_shape(format!("an array of {}", array.elems.len()))
            }
            (syn::Expr::Repeat(repeat), _) => {
                let count = self.length(&repeat.len)?;
                match shape {
                    [n, inner @ ..] if count == *n => {
                        Ok(self.constant(&repeat.expr, element, inner)?.repeat(count))
                    }
                    _ => wrong_shape(format!("an array of {count}")),
                }
            }
            (syn::Expr::Path(path), []) if limit(&self.imports.full(&path.path)).is_some() => {
                let known = limit(&self.imports.full(&path.path));
                let (value, ty) = known.unwrap_or((0, IntegerType::Usize));
                match ScalarType::Integer(ty) == element {
                    true => Ok(vec![Number::from_integer(value)]),
                    false => wrong_shape(format!(
                        "this is `{}`",
                        show(&Type::Scalar(ScalarType::Integer(ty)))
                    )),
                }
            }
            (syn::Expr::Path(path), _) => {
                let name = path.path.get_ident().map(ToString::to_string);
                let of_struct = self.table_of_struct(&path.path).map(Entry::Table);
                match of_struct.or_else(|| self.find(name.as_deref()?)) {
                    Some(Entry::Broken) => Err(Fault::consequence()),
                    Some(Entry::Variable(_)) => Err(Fault::beyond(
                        expr,
                        "this is not known while the kernel is compiled",
                        "write a literal, or a `const` of this block; an array of a length that is known at run time \
                         is `vec![0.0; n]`",
                    )),
                    Some(Entry::Table(id)) => {
                        let table = &self.tables[id.0];
                        if table.element == element && table.shape == shape {
                            return Ok(table.values.clone());
                        }
                        let ty = show(&Type::Scalar(table.element));
                        wrong_shape(format!("this is `{}`", nested(&ty, &table.shape)))
                    }
                    _ => Err(Fault::beyond(
                        expr,
                        "cannot find this constant above in the kernel block",
                        "declare it in the block, before it is used: constants from outside are not visible to the macro",
                    )),
                }
            }
            (_, []) => self.constant_number(expr, element).map(|v| vec![v]),
            _ => wrong_shape("this is one value".to_owned()),
        }
    }

    fn constant_number(&mut self, expr: &syn::Expr, element: ScalarType) -> Parsed<Number> {
        let integer = matches!(element, ScalarType::Integer(_));
        let value = match expr {
            syn::Expr::Lit(literal) => return constant_literal(literal, element),
            syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => {
                let literal = strip(&unary.expr);
                // The smallest integer of a type has no positive counterpart.
                let operand = match literal {
                    syn::Expr::Lit(literal) if integer => constant_literal(literal, element)
                        .or_else(|fault| smallest(literal, element).ok_or(fault))?,
                    _ => self.constant_one(&unary.expr, element)?,
                };
                -operand
            }
            syn::Expr::Binary(binary) => {
                let l = self.constant_one(&binary.left, element)?;
                let r = self.constant_one(&binary.right, element)?;
                if integer {
                    return constant_operation(binary, (l, r), element);
                }
                // Rust rounds each operation on constants; so do we. An `f32` operation is the `f64`
                // one rounded once more: a double has more than twice the digits.
                let (a, b) = (l.to_f64(), r.to_f64());
                let value = match binary.op {
                    syn::BinOp::Add(_) => a + b,
                    syn::BinOp::Sub(_) => a - b,
                    syn::BinOp::Mul(_) => a * b,
                    syn::BinOp::Div(_) => a / b,
                    _ => return Err(unknown(expr, "this operator has no meaning in a constant")),
                };
                Number::from_f64(match element {
                    ScalarType::F32 => f64::from(value as f32),
                    _ => value,
                })
            }
            syn::Expr::Cast(cast) => return self.constant_cast(cast, element),
            syn::Expr::MethodCall(call) => return self.constant_method(call, element),
            syn::Expr::Macro(mac) if is_tabulate(&mac.mac) => {
                let message = "`tabulate!` must be the whole value of a `static` or `const`";
                return Err(refused(expr, message));
            }
            _ => {
                return Err(unknown(
                    expr,
                    "this is no constant that a kernel can evaluate",
                ));
            }
        };
        if !value.to_f64().is_finite() {
            return Err(unknown(expr, "this constant is not finite"));
        }
        checked_integer(value, expr, element)
    }

    fn constant_one(&mut self, expr: &syn::Expr, element: ScalarType) -> Parsed<Number> {
        let value = self.constant(expr, element, &[])?;
        value.first().copied().ok_or_else(Fault::consequence)
    }
}

/// The digits of a whole number of 64 bits.
fn whole_number(digits: &str) -> Option<i128> {
    let value: i128 = digits.parse().ok()?;
    (value < 1 << 64).then_some(value)
}

/// The positive counterpart of the smallest integer of a type.
fn smallest(literal: &syn::ExprLit, element: ScalarType) -> Option<Number> {
    let (syn::Lit::Int(int), ScalarType::Integer(ty)) = (&literal.lit, element) else {
        return None;
    };
    let own = int.suffix().is_empty() || int.suffix() == show(&Type::Scalar(element));
    let value = whole_number(int.base10_digits()).filter(|value| own && -value == ty.range().0);
    value.map(Number::from_integer)
}

/// A constant that a kernel cannot have.
pub(super) fn refused(expr: &syn::Expr, message: &str) -> Fault {
    let help = "constants are literals, arithmetic on and conversions of constants of this block, arrays of these, and `tabulate!`";
    Fault::on(expr, message, help)
}

/// A constant that only `rustc` can evaluate.
fn unknown(expr: &syn::Expr, message: &str) -> Fault {
    Fault {
        beyond: true,
        ..refused(expr, message)
    }
}

fn constant_literal(literal: &syn::ExprLit, element: ScalarType) -> Parsed<Number> {
    let name = show(&Type::Scalar(element));
    let wrong = |message: &str, help: String| Err(Fault::on(literal, message, help));
    let (digits, suffix) = match &literal.lit {
        syn::Lit::Int(int) => (int.base10_digits(), int.suffix()),
        syn::Lit::Float(float) => (float.base10_digits(), float.suffix()),
        _ => {
            return wrong(
                "this is no number",
                format!("write a number of type `{name}`"),
            );
        }
    };
    let whole = matches!(&literal.lit, syn::Lit::Int(_));
    match (element, whole && !matches!(suffix, "f64" | "f32")) {
        _ if !suffix.is_empty() && suffix != name => wrong(
            "this number has another type",
            format!("write it without `{suffix}`"),
        ),
        (ScalarType::Integer(_), false) => wrong(
            "a floating-point number as an integer",
            format!("write an integer: its type is `{name}`"),
        ),
        (ScalarType::Integer(_), true) => match whole_number(digits) {
            Some(value) => checked_integer(Number::from_integer(value), literal, element),
            None => wrong(
                "this integer is too large",
                "integers here are below 2^64".to_owned(),
            ),
        },
        (_, true) if suffix.is_empty() => wrong(
            "an integer where a floating-point number is expected",
            format!("write `{digits}.0`"),
        ),
        _ => match rounded(digits, element) {
            Some(number) => Ok(number),
            None => wrong(
                "this number is too large",
                format!("numbers here fit in `{name}`"),
            ),
        },
    }
}

/// A constant that its type holds.
pub(super) fn checked_integer(
    value: Number,
    expr: impl quote::ToTokens,
    element: ScalarType,
) -> Parsed<Number> {
    let ScalarType::Integer(ty) = element else {
        return Ok(value);
    };
    let number = value.to_integer();
    if ty.holds(number) {
        return Ok(value);
    }
    let name = show(&Type::Scalar(element));
    Err(Fault::on(
        expr,
        format!("{number} is no `{name}`"),
        "change the type or the value",
    ))
}

/// A decimal literal as its type reads it: the nearest number, where that is finite.
fn rounded(digits: &str, element: ScalarType) -> Option<Number> {
    let value = match element {
        ScalarType::F32 => f64::from(digits.parse::<f32>().ok()?),
        _ => digits.parse().ok()?,
    };
    value.is_finite().then(|| Number::from_f64(value))
}
