//! Fields: parts of the array of a struct's numbers.

use std::rc::Rc;

use crate::diagnostics::{Fault, Span};
use crate::syntax::Parsed;
use crate::syntax::ast::{BinaryOperator, Expression, ExpressionKind, Statement, Type};
use crate::syntax::expressions::typed;
use crate::syntax::parts::{computed, number, place};
use crate::syntax::records::Record;
use crate::syntax::scope::Reader;
use crate::syntax::types::{behind, show, size};

/// What begins at a number of a struct, or of a part of one, and is of a type.
pub fn component(of: &Expression, offset: Expression, ty: &Type) -> Expression {
    let of = place(of.clone());
    let span = of.span;
    let (base, offset) = match of.kind {
        ExpressionKind::Part { base, start, .. } if is_record(&base.ty) => {
            (*base, computed(BinaryOperator::Add, *start, offset))
        }
        _ => (of, offset),
    };
    let kind = match ty {
        Type::Scalar(_) => ExpressionKind::Index(Box::new(base), Box::new(offset)),
        _ => {
            let length = match ty {
                Type::Array(_, n) => *n,
                _ => 1,
            };
            ExpressionKind::Part {
                base: Box::new(base),
                start: Box::new(offset),
                length: Box::new(number(length as i128, span)),
            }
        }
    };
    typed(kind, ty.clone(), span)
}

/// Whether a type is a struct, or a reference to one.
pub fn is_record(ty: &Type) -> bool {
    matches!(behind(ty), Type::Record(_))
}

/// The element of an array that is a part of a struct.
pub fn element_of_part(array: &Expression, at: Expression) -> Option<Expression> {
    let ExpressionKind::Part { base, .. } = &array.kind else {
        return None;
    };
    if !is_record(&base.ty) {
        return None;
    }
    let ty = crate::syntax::parts::element_type(&array.ty)?;
    let span = array.span;
    let by = number(size(&ty) as i128, span);
    let offset = computed(BinaryOperator::Multiply, at, by);
    Some(component(array, offset, &ty))
}

impl Reader<'_> {
    /// `base.name` of a struct.
    pub(in crate::syntax) fn member(
        &mut self,
        field: &syn::ExprField,
        base: Expression,
    ) -> Parsed<Expression> {
        let name = match &field.member {
            syn::Member::Named(name) => name.to_string(),
            syn::Member::Unnamed(at) => at.index.to_string(),
        };
        let Type::Record(record) = behind(&base.ty).clone() else {
            return Err(Fault::on(
                field,
                format!("`{}` has no field `{name}`", show(&base.ty)),
                "declare the struct in the block: `struct Point { x: f64, y: f64 }`",
            ));
        };
        let found = record.member(&field.member)?;
        let span = crate::syntax::spans::field(field);
        let offset = number(found.offset as i128, span);
        let value = component(&base, offset, &found.ty);
        Ok(Expression { span, ..value })
    }

    /// `Point { x, y: height, .. }` as a pattern.
    pub(in crate::syntax) fn bind_record(
        &mut self,
        pattern: &syn::PatStruct,
        item: Expression,
        into: &mut Vec<Statement>,
    ) -> Parsed<()> {
        let Type::Record(record) = behind(&item.ty).clone() else {
            return Err(Fault::beyond(
                pattern,
                format!("`{}` is no struct of this block", show(&item.ty)),
                "bind it to one name",
            ));
        };
        let mutable = match &item.ty {
            Type::Reference(_, mutable) => Some(*mutable),
            _ => None,
        };
        let whole = match mutable {
            Some(_) => item,
            None => self.once(item, "value", into),
        };
        for field in &pattern.fields {
            let found = record.member(&field.member)?;
            let part = component(&whole, number(found.offset as i128, whole.span), &found.ty);
            let part = match mutable {
                Some(mutable) => crate::syntax::parts::reference(part, mutable),
                None => part,
            };
            self.bind(&field.pat, part, into)?;
        }
        Ok(())
    }

    /// `Point(x, y)` as a value.
    pub(in crate::syntax) fn record_of_values(
        &mut self,
        path: &syn::ExprPath,
        call: &syn::ExprCall,
    ) -> Parsed<Expression> {
        let span = call.paren_token.span.open();
        let fields = call
            .args
            .iter()
            .enumerate()
            .map(|(at, value)| syn::FieldValue {
                attrs: Vec::new(),
                member: syn::Member::Unnamed(syn::Index {
                    index: at as u32,
                    span,
                }),
                colon_token: Some(syn::Token![:](span)),
                expr: value.clone(),
            });
        self.record_literal(&syn::ExprStruct {
            attrs: Vec::new(),
            qself: None,
            path: path.path.clone(),
            brace_token: syn::token::Brace(span),
            fields: fields.collect(),
            dot2_token: None,
            rest: None,
        })
    }

    /// `Point { x, y }` as a value.
    pub(in crate::syntax) fn record_literal(
        &mut self,
        literal: &syn::ExprStruct,
    ) -> Parsed<Expression> {
        let span = Span::of(literal);
        let name = literal
            .path
            .segments
            .last()
            .map(|last| last.ident.to_string());
        let name = name.unwrap_or_default();
        let known = match literal.path.get_ident() {
            Some(_) => self.record_named(&name),
            None => None,
        };
        let complex = (name == "Complex").then(|| Type::Record(super::complex(self.float)));
        let Some(Type::Record(record)) = known.or(complex) else {
            return Err(Fault::beyond(
                literal,
                format!("the struct `{name}` is not known in this block"),
                "declare it in the block: `struct Point { x: f64, y: f64 }`",
            ));
        };
        let mut statements = Vec::new();
        let rest = match &literal.rest {
            Some(rest) => {
                let ty = Type::Record(record.clone());
                let value = self.expression(rest, Some(&ty))?;
                if value.ty != ty {
                    return Err(Fault::on(
                        rest,
                        format!("this is `{}`", show(&value.ty)),
                        "make the types agree",
                    ));
                }
                Some(self.once(value, "rest", &mut statements))
            }
            None => None,
        };
        let mut values: Vec<Option<Expression>> = vec![None; record.size];
        for field in &literal.fields {
            let (offset, value) = self.field_value(&record, field)?;
            let numbers = self.numbers(value, &mut statements);
            for (at, number) in numbers.into_iter().enumerate() {
                values[offset + at] = Some(number);
            }
        }
        for (at, value) in values.iter_mut().enumerate() {
            if let (None, Some(rest)) = (&value, &rest) {
                let scalar = Type::Scalar(record.element);
                *value = Some(component(rest, number(at as i128, span), &scalar));
            }
        }
        let Some(values) = values.into_iter().collect::<Option<Vec<_>>>() else {
            return Err(Fault::on(
                literal,
                format!("not all fields of `{}` have values", record.name),
                "give each a value, or end with `..other`",
            ));
        };
        let value = made(&record, values, span);
        Ok(self.after(statements, value, span))
    }

    /// The value of a field in a literal, and the numbers before it.
    fn field_value(
        &mut self,
        record: &Record,
        field: &syn::FieldValue,
    ) -> Parsed<(usize, Expression)> {
        let found = record.member(&field.member)?;
        let value = self.expression(&field.expr, Some(&found.ty))?;
        self.is(&field.expr, &found.ty);
        if value.ty == found.ty {
            return Ok((found.offset, value));
        }
        Err(Fault::on(
            &field.expr,
            format!(
                "this is `{}`, but `{}` is `{}`",
                show(&value.ty),
                found.name,
                show(&found.ty)
            ),
            "make the types agree",
        ))
    }

    /// The numbers of a value, in order; what is computed is, once.
    pub(in crate::syntax) fn numbers(
        &mut self,
        value: Expression,
        into: &mut Vec<Statement>,
    ) -> Vec<Expression> {
        if let Type::Scalar(_) = value.ty {
            return vec![value];
        }
        if let ExpressionKind::Array(elements) = value.kind {
            let all = elements
                .into_iter()
                .map(|element| self.numbers(element, into));
            return all.collect::<Vec<_>>().concat();
        }
        let whole = match value.kind {
            ExpressionKind::Part { .. }
            | ExpressionKind::Index(..)
            | ExpressionKind::Variable(_)
            | ExpressionKind::Dereference(_) => value,
            _ => self.once(value, "value", into),
        };
        scalars(&whole)
    }

    /// Assigns a value to a struct, or to an array that is a part of one, number by number.
    pub(in crate::syntax) fn assign_numbers(
        &mut self,
        place: &Expression,
        operator: Option<BinaryOperator>,
        value: Expression,
        span: Span,
    ) -> Statement {
        let mut statements = Vec::new();
        let whole = Expression {
            ty: behind(&place.ty).clone(),
            ..self::place(place.clone())
        };
        let value = self.once(value, "assigned", &mut statements);
        let values = self.numbers(value, &mut statements);
        for (place, value) in scalars(&whole).into_iter().zip(values) {
            statements.push(Statement::Assign {
                place,
                operator,
                value,
                span,
            });
        }
        Statement::Block(self.numbered(span, statements, None))
    }
}

/// A struct of some numbers.
pub fn made(record: &Rc<Record>, numbers: Vec<Expression>, span: Span) -> Expression {
    let ty = Type::Record(record.clone());
    typed(ExpressionKind::Array(numbers), ty, span)
}

/// The numbers of a place, in order.
pub fn scalars(whole: &Expression) -> Vec<Expression> {
    let span = whole.span;
    match behind(&whole.ty) {
        Type::Record(record) => {
            let scalar = Type::Scalar(record.element);
            let at = |at: usize| component(whole, number(at as i128, span), &scalar);
            (0..record.size).map(at).collect()
        }
        Type::Array(_, n) => {
            let element =
                |at: usize| crate::syntax::parts::element(whole, number(at as i128, span));
            (0..*n).flat_map(|at| scalars(&element(at))).collect()
        }
        _ => vec![whole.clone()],
    }
}
