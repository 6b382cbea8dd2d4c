//! Expressions, typed.

use super::Parsed;
use super::allocations::is_vec;
use super::ast::{Expression, ExpressionKind, IntegerMethod, Length, ScalarType, Type};
use super::checks;
use super::records;
use super::scope::{Entry, Reader, USIZE};
use super::spans;
use super::statements::strip;
use super::truths::is_matches;
use super::types::{behind, show, valid_subscripts};
use crate::diagnostics::{Fault, Span};

/// An expression of a type.
pub fn typed(kind: ExpressionKind, ty: Type, span: Span) -> Expression {
    Expression {
        kind,
        ty,
        span,
        inside: false,
    }
}

/// Operations inside each other: the compiler walks through them recursively.
const DEEPEST: usize = 400;

impl Reader<'_> {
    /// Reads an expression; `expected` decides the type of literals.
    pub fn expression(&mut self, expr: &syn::Expr, expected: Option<&Type>) -> Parsed<Expression> {
        self.depth += 1;
        let read = self.any_expression(expr, expected);
        self.depth -= 1;
        match expected {
            Some(expected) => Ok(self.agreeing(read?, expected)),
            None => read,
        }
    }

    fn any_expression(&mut self, expr: &syn::Expr, expected: Option<&Type>) -> Parsed<Expression> {
        if self.depth > DEEPEST {
            return Err(Fault::on(
                expr,
                format!("this expression has more than {DEEPEST} operations inside each other"),
                "give names to parts of it with `let`",
            ));
        }
        let span = spans::of(expr);
        match expr {
            syn::Expr::Paren(paren) => self.expression(&paren.expr, expected),
            syn::Expr::Group(group) => self.expression(&group.expr, expected),
            syn::Expr::Lit(literal) => self.literal(literal, expected),
            expr if self.is_outside(expr) => self.outside(expr, expected),
            syn::Expr::Path(path) => self.name(path),
            syn::Expr::Index(index) => self.index(index),
            syn::Expr::Field(field) => self.field(field),
            syn::Expr::Struct(literal) => self.record_literal(literal),
            syn::Expr::Tuple(tuple) => self.tuple(tuple, expected),
            syn::Expr::Array(array) => self.array(array, expected),
            syn::Expr::Repeat(repeat) => {
                let element = self.expression(&repeat.expr, inner(expected).as_ref())?;
                self.repeat(element, &repeat.len, span)
            }
            syn::Expr::Unary(unary) => self.unary(unary, expected),
            syn::Expr::Binary(binary) => self.binary(binary, expected),
            syn::Expr::Cast(cast) => self.cast(cast),
            syn::Expr::Reference(reference) => self.reference(reference, expected),
            syn::Expr::Macro(mac) if is_vec(&mac.mac) => self.vec(&mac.mac, expected),
            syn::Expr::Macro(mac) if is_matches(&mac.mac) => self.matches(&mac.mac),
            syn::Expr::MethodCall(call) => self.method(call, expected),
            syn::Expr::Call(call) => self.call(call, expected),
            syn::Expr::If(condition) => self.condition(condition, expected),
            syn::Expr::Match(choice) => self.matched(&mut choice.clone(), expected),
            syn::Expr::Block(block) if block.label.is_none() => {
                let block = self.block(&mut block.block.clone(), expected)?;
                let ty = block
                    .value
                    .as_ref()
                    .map_or(Type::Tuple(Vec::new()), |v| v.ty.clone());
                Ok(typed(ExpressionKind::Block(Box::new(block)), ty, span))
            }
            other => Err(checks::refusal(other)),
        }
    }

    fn tuple(&mut self, tuple: &syn::ExprTuple, expected: Option<&Type>) -> Parsed<Expression> {
        let fields: Vec<Expression> = match expected.and_then(records::types_of_tuple) {
            Some(types) if types.len() == tuple.elems.len() => tuple
                .elems
                .iter()
                .zip(types)
                .map(|(e, t)| self.expression(e, Some(&t)))
                .collect::<Parsed<_>>()?,
            _ => tuple
                .elems
                .iter()
                .map(|e| self.expression(e, None))
                .collect::<Parsed<_>>()?,
        };
        let ty = Type::Tuple(fields.iter().map(|f| f.ty.clone()).collect());
        Ok(typed(
            ExpressionKind::Tuple(fields),
            ty,
            spans::tuple(tuple),
        ))
    }

    fn array(&mut self, array: &syn::ExprArray, expected: Option<&Type>) -> Parsed<Expression> {
        let inner = inner(expected);
        let mut elements: Vec<Expression> = Vec::new();
        for element in &array.elems {
            let wanted = inner
                .clone()
                .or_else(|| elements.first().map(|e| e.ty.clone()));
            elements.push(self.expression(element, wanted.as_ref())?);
        }
        let Some(first) = elements.first() else {
            return Err(Fault::on(array, "an empty array", "give it elements"));
        };
        let ty = first.ty.clone();
        if let Some(at) = elements.iter().position(|e| e.ty != ty) {
            return Err(Fault::on(
                &array.elems[at],
                format!(
                    "this is `{}`, the first element is `{}`",
                    show(&elements[at].ty),
                    show(&ty)
                ),
                "make the types agree",
            ));
        }
        checks::holds_values(&ty, array)?;
        let ty = Type::Array(Box::new(ty), elements.len());
        Ok(typed(
            ExpressionKind::Array(elements),
            ty,
            spans::array(array),
        ))
    }

    fn unary(&mut self, unary: &syn::ExprUnary, expected: Option<&Type>) -> Parsed<Expression> {
        let span = Span::between(Span::of(unary.op).start(), spans::end(&unary.expr));
        match unary.op {
            syn::UnOp::Neg(_) => {
                if let Some(literal) = self.negative(&unary.expr, expected)? {
                    return Ok(Expression { span, ..literal });
                }
                let operand = self.expression(&unary.expr, expected)?;
                if records::is_record(&operand.ty) {
                    return self.record_negated(unary, operand, span);
                }
                let ty = self.scalar_type(&operand, &unary.expr)?;
                if matches!(&ty, Type::Scalar(ScalarType::Integer(i)) if !i.is_signed()) {
                    return Err(Fault::on(
                        unary,
                        format!("`{}` has no negative values", show(&ty)),
                        "subtract where the result is not negative, as in `i - 1`",
                    ));
                }
                Ok(typed(ExpressionKind::Negate(Box::new(operand)), ty, span))
            }
            syn::UnOp::Deref(_) => {
                let operand = self.expression(&unary.expr, None)?;
                if !matches!(operand.ty, Type::Reference(..)) {
                    return Err(Fault::on(unary, "this is no reference", "remove the `*`"));
                }
                let value = super::iterators::one_less(operand);
                Ok(Expression { span, ..value })
            }
            syn::UnOp::Not(_) => {
                let operand = self.expression(&unary.expr, expected)?;
                if let Type::Scalar(ScalarType::Bool) = behind(&operand.ty) {
                    let (ty, operand) = (behind(&operand.ty).clone(), operand.dereferenced());
                    return Ok(typed(ExpressionKind::Not(Box::new(operand)), ty, span));
                }
                let Type::Scalar(ScalarType::Integer(_)) = behind(&operand.ty) else {
                    return Err(not(unary));
                };
                let (ty, operand) = (behind(&operand.ty).clone(), operand.dereferenced());
                let kind = ExpressionKind::Integers(IntegerMethod::Not, vec![operand]);
                Ok(typed(kind, ty, span))
            }
            _ => Err(not(unary)),
        }
    }

    fn reference(
        &mut self,
        reference: &syn::ExprReference,
        expected: Option<&Type>,
    ) -> Parsed<Expression> {
        let mutable = reference.mutability.is_some();
        let wanted = match expected {
            Some(Type::Reference(inner, _)) => Some(inner.as_ref().clone()),
            _ => None,
        };
        let operand = self.expression(&reference.expr, wanted.as_ref())?;
        if mutable {
            self.writable(&operand, &reference.expr)?;
        }
        let ty = Type::Reference(Box::new(operand.ty.clone()), mutable);
        let kind = ExpressionKind::Reference(Box::new(operand));
        Ok(typed(kind, ty, Span::of(reference)))
    }

    /// The scalar type of a value or of what a reference to it leads to.
    pub fn scalar_type(
        &self,
        expression: &Expression,
        tokens: &impl quote::ToTokens,
    ) -> Parsed<Type> {
        match behind(&expression.ty) {
            Type::Scalar(scalar) if *scalar != ScalarType::Bool => Ok(Type::Scalar(*scalar)),
            // Tuples have an order in Rust.
            Type::Tuple(parts) if !parts.is_empty() => Err(Fault::beyond(
                tokens,
                format!("a number was expected, this is `{}`", show(&expression.ty)),
                "take a part of the tuple, such as `x.0`",
            )),
            other => Err(Fault::on(
                tokens,
                format!("a number was expected, this is `{}`", show(other)),
                match other {
                    Type::Scalar(_) => {
                        "conditions are no numbers: write `if c { 1.0 } else { 0.0 }`"
                    }
                    _ => "subscript arrays to their elements",
                },
            )),
        }
    }

    fn name(&mut self, path: &syn::ExprPath) -> Parsed<Expression> {
        let span = Span::of(path);
        if let Some(value) = self.constant_of_struct(path, span) {
            return value;
        }
        let Some(ident) = path.path.get_ident() else {
            return Err(Fault::beyond(
                path,
                "this path has no meaning in a kernel",
                "name variables and tables of the same block",
            ));
        };
        match self.find(&ident.to_string()) {
            Some(Entry::Variable(id)) => Ok(typed(
                ExpressionKind::Variable(id),
                self.variables[id.0].ty.clone(),
                span,
            )),
            Some(Entry::Table(id)) => Ok(self.table_value(id, span)),
            Some(Entry::Alias(at)) => Ok(Expression {
                span,
                ..self.aliases[at].clone()
            }),
            Some(Entry::Closure(_)) => Err(Fault::beyond(
                path,
                "a closure where a value is expected",
                "call it: `f(x)`",
            )),
            Some(Entry::Broken) => Err(Fault::consequence()),
            None => Err(Fault::on(
                path,
                format!("cannot find `{ident}` in this kernel block"),
                "declare it in the block: constants from outside are not visible to the macro",
            )),
        }
    }

    fn index(&mut self, index: &syn::ExprIndex) -> Parsed<Expression> {
        if let Some(extent) = self.view_shape(index)? {
            return Ok(extent);
        }
        let mut base = self.expression(&index.expr, None)?;
        if let syn::Expr::Range(range) = strip(&index.index) {
            return self.sub_slice(base, range);
        }
        match self.view_subscripts(&base, &index.index)? {
            Some(subscripts) => {
                for subscript in subscripts {
                    base = self.element(index, base, subscript)?;
                }
                Ok(base)
            }
            None => self.element(index, base, &index.index),
        }
    }

    /// `base[subscript]`, a part of `index`.
    fn element(
        &mut self,
        index: &syn::ExprIndex,
        base: Expression,
        subscript: &syn::Expr,
    ) -> Parsed<Expression> {
        let at = self.integer(subscript, None)?;
        self.is(subscript, &USIZE);
        if *behind(&at.ty) != USIZE {
            return Err(Fault::on(
                subscript,
                format!("a subscript of type `{}`", show(&at.ty)),
                "subscripts are `usize`: convert with `as usize`",
            ));
        }
        let ty = match behind(&base.ty) {
            Type::Array(element, n) => {
                if let ExpressionKind::Integer(at) = at.kind
                    && (at < 0 || at >= *n as i128)
                {
                    return Err(Fault::on(
                        subscript,
                        format!("index {at} is out of range for an array of {n}"),
                        valid_subscripts(*n),
                    ));
                }
                element.as_ref().clone()
            }
            Type::Slice(element) | Type::Open(element, _) => element.as_ref().clone(),
            other => {
                return Err(Fault::on(
                    &index.expr,
                    format!("`{}` cannot be subscripted", show(other)),
                    "subscript arrays and slices",
                ));
            }
        };
        let span = spans::index(index);
        let base = super::parts::place(base);
        if let ExpressionKind::Part { length, .. } = &base.kind {
            let length = length.as_ref().clone();
            if let (Some(at), Some(n)) = (super::parts::known(&at), super::parts::known(&length))
                && at >= n
            {
                return Err(Fault::on(
                    subscript,
                    format!("index {at} is out of range for a slice of {n}"),
                    valid_subscripts(usize::try_from(n).unwrap_or(0)),
                ));
            }
            let at = super::parts::method(IntegerMethod::Within, at.dereferenced(), length);
            let element = super::parts::element(&base, at);
            return Ok(Expression { span, ..element });
        }
        if let ExpressionKind::Column(..) = base.kind {
            let element = super::parts::element(&base, at);
            return Ok(Expression { span, ..element });
        }
        Ok(typed(
            ExpressionKind::Index(Box::new(base), Box::new(at)),
            ty,
            span,
        ))
    }

    fn field(&mut self, field: &syn::ExprField) -> Parsed<Expression> {
        let base = self.expression(&field.base, None)?;
        let member = match &field.member {
            syn::Member::Unnamed(member) if !records::is_record(&base.ty) => member,
            _ => return self.member(field, base),
        };
        let at = member.index as usize;
        if let ExpressionKind::Tuple(parts) = &base.kind
            && let Some(part) = parts.get(at)
        {
            return Ok(part.clone());
        }
        match behind(&base.ty) {
            Type::Tuple(fields) if at < fields.len() => {
                let ty = fields[at].clone();
                Ok(typed(
                    ExpressionKind::Field(Box::new(base), at),
                    ty,
                    spans::field(field),
                ))
            }
            other => Err(Fault::on(
                field,
                format!("`{}` has no field {at}", show(other)),
                "only tuples have fields here",
            )),
        }
    }
}

/// `!` in front of what is no integer.
fn not(unary: &syn::ExprUnary) -> Fault {
    Fault::beyond(
        unary,
        "this operator has no meaning in a kernel",
        "kernels know `-`, `*` and `&` in front of a value, and `!` in front of an integer or a condition",
    )
}

/// The type of an array's elements, if one is expected.
fn inner(expected: Option<&Type>) -> Option<Type> {
    match expected {
        Some(Type::Array(inner, _) | Type::Open(inner, Length::Constant(_))) => {
            Some(inner.as_ref().clone())
        }
        _ => None,
    }
}

/// Literals and arithmetic on them: their type is decided by the other operand.
pub fn only_literals(expr: &syn::Expr) -> bool {
    match strip(expr) {
        syn::Expr::Lit(literal) => match &literal.lit {
            syn::Lit::Float(f) => f.suffix().is_empty(),
            syn::Lit::Int(i) => i.suffix().is_empty(),
            _ => false,
        },
        syn::Expr::Unary(unary) => only_literals(&unary.expr),
        syn::Expr::Binary(binary) => only_literals(&binary.left) && only_literals(&binary.right),
        _ => false,
    }
}
