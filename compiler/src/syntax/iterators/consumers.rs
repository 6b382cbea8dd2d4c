//! What makes one value of many items: sums, products, counts.

use super::chains::is_iterator;
use super::loops::closure_name;
use crate::diagnostics::{Fault, Span};
use crate::number::Number;
use crate::syntax::Parsed;
use crate::syntax::ast::{
    BinaryOperator, Expression, ExpressionKind, IntegerMethod, Pattern, ScalarType, Statement, Type,
};
use crate::syntax::expressions::typed;
use crate::syntax::parts::{element_type, method, number, place, reference};
use crate::syntax::scope::{Reader, USIZE};
use crate::syntax::types::{behind, show};
use crate::syntax::views::rank;

impl Reader<'_> {
    /// The value of a method that loops, or that takes a part of an array, if it is one.
    pub fn consumed(
        &mut self,
        call: &syn::ExprMethodCall,
        expected: Option<&Type>,
    ) -> Parsed<Option<Expression>> {
        let name = call.method.to_string();
        let arguments: Vec<&syn::Expr> = call.args.iter().collect();
        let iterator = is_iterator(&call.receiver);
        if let Some(value) = self.contains(call)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.of_option(call, expected)? {
            return Ok(Some(value));
        }
        Ok(Some(match (name.as_str(), arguments.as_slice()) {
            ("sum" | "product", []) => self.total(call, iterator, expected)?,
            ("fold", [init, closure]) if iterator => self.fold(call, (init, closure), expected)?,
            ("count", []) if iterator => self.counted(call)?,
            ("len", []) if iterator => {
                let sequence = self.sequence(&call.receiver)?.by_position();
                sequence
                    .length()
                    .unwrap_or_else(|| number(0, sequence.span))
            }
            ("dot", [other]) => self.dot(call, other)?,
            ("is_empty", []) => {
                let array = self.expression(&call.receiver, None)?;
                let length = self.length_of(&array);
                let equal = crate::syntax::ast::CompareOperator::Equal;
                let zero = Box::new(number(0, length.span));
                let kind = ExpressionKind::Compare(equal, Box::new(length), zero);
                typed(kind, Type::Scalar(ScalarType::Bool), Span::of(call))
            }
            ("split_at" | "split_at_mut", [at]) => self.split(call, at)?,
            ("row" | "row_mut" | "column" | "column_mut" | "index_axis" | "index_axis_mut", _) => {
                self.line(call)?
            }
            ("as_slice" | "as_mut_slice" | "as_ref" | "as_mut" | "view" | "view_mut", []) => {
                let array = self.expression(&call.receiver, None)?;
                let of_slice = matches!(behind(&array.ty), Type::Slice(_) | Type::Array(..));
                let of_view = rank(behind(&array.ty)) > 0;
                if (name.starts_with("view") && !of_view)
                    || (!name.starts_with("view") && !of_slice)
                {
                    return Ok(None);
                }
                reference(place(array), name.contains("mut"))
            }
            ("first" | "last" | "get" | "get_mut" | "first_mut" | "last_mut", _) => {
                return Err(Fault::beyond(
                    &call.method,
                    format!("`{name}` is an `Option`, which has no meaning in a kernel"),
                    "subscript, `x[0]`, `x[x.len() - 1]`, `x[i]`, or say what stands for nothing: `x.first().copied().unwrap_or(0.0)`",
                ));
            }
            (
                "min_by" | "max_by" | "min" | "max" | "min_by_key" | "max_by_key" | "find"
                | "position" | "rposition" | "next" | "nth" | "reduce",
                _,
            ) if iterator => {
                return Err(Fault::beyond(
                    &call.method,
                    format!(
                        "`{name}` of an iterator is an `Option`, which has no meaning in a kernel"
                    ),
                    "say what stands for nothing: `.unwrap_or(x.len())`, or fold: `x.iter().fold(f64::INFINITY, |m, &x| m.min(x))`",
                ));
            }
            ("try_fold" | "cmp" | "partial_cmp" | "eq", _) if iterator => {
                return Err(Fault::beyond(
                    &call.method,
                    format!("`{name}` of an iterator has no meaning in a kernel"),
                    "write a loop",
                ));
            }
            _ => return Ok(None),
        }))
    }

    /// `.sum()` and `.product()`.
    fn total(
        &mut self,
        call: &syn::ExprMethodCall,
        iterator: bool,
        expected: Option<&Type>,
    ) -> Parsed<Expression> {
        let span = Span::of(call);
        let sequence = match iterator {
            true => self.sequence(&call.receiver)?,
            false => self.all_elements(call)?,
        };
        let written = match &call.turbofish {
            Some(generic) => match generic.args.first() {
                Some(syn::GenericArgument::Type(syn::Type::Infer(_))) | None => None,
                Some(syn::GenericArgument::Type(ty)) => Some(self.ty(ty)?),
                Some(other) => {
                    return Err(Fault::on(other, "this is no type", "write `sum::<f64>()`"));
                }
            },
            None => None,
        };
        let product = call.method == "product";
        let name = if product { "product" } else { "sum" };
        let wanted = written.or_else(|| expected.cloned());
        let variable = self.hidden(name, Type::Tuple(Vec::new()), true, span);
        let operator = match product {
            true => BinaryOperator::Multiply,
            false => BinaryOperator::Add,
        };
        let loop_name = closure_name(None, &sequence);
        let mut found = None;
        let statement = self.run(sequence, loop_name, |reader, item, mut header| {
            let value = item.dereferenced();
            let Type::Scalar(scalar) = value.ty else {
                return Err(Fault::beyond(
                    &call.method,
                    format!("a {name} of `{}`", show(&value.ty)),
                    "add up numbers: `map` items to such",
                ));
            };
            if let Some(wanted) = &wanted
                && *behind(wanted) != value.ty
            {
                return Err(Fault::beyond(
                    &call.method,
                    format!("a {name} of `{}`, as `{}`", show(&value.ty), show(wanted)),
                    "convert the items first: `.map(|x| x as f64)`",
                ));
            }
            found = Some(scalar);
            reader.variables[variable.0].ty = value.ty.clone();
            let place = typed(ExpressionKind::Variable(variable), value.ty.clone(), span);
            header.push(Statement::Assign {
                place,
                operator: Some(operator),
                value,
                span,
            });
            Ok(reader.numbered(span, header, None))
        })?;
        let scalar = found.unwrap_or(self.float);
        let first = self.first_of_total(scalar, product, span);
        let ty = Type::Scalar(scalar);
        let statements = vec![
            Statement::Let(Pattern::Variable(variable), first),
            statement,
        ];
        let value = typed(ExpressionKind::Variable(variable), ty, span);
        Ok(self.after(statements, value, span))
    }

    /// What a sum or a product begins with.
    fn first_of_total(&self, scalar: ScalarType, product: bool, span: Span) -> Expression {
        let ty = Type::Scalar(scalar);
        let value = i64::from(product);
        if matches!(scalar, ScalarType::Integer(_)) {
            return typed(ExpressionKind::Integer(value.into()), ty, span);
        }
        let kind = ExpressionKind::Float(Number::from_i64(value));
        let number = typed(kind, ty.clone(), span);
        // The text is compiled with the standard library that the macro itself has.
        let negative = std::iter::empty::<f64>().sum::<f64>().is_sign_negative();
        match !product && negative && self.keeps_operations {
            true => typed(ExpressionKind::Negate(Box::new(number)), ty, span),
            false => number,
        }
    }

    /// All elements of a view of one dimension: `u.sum()`.
    fn all_elements(&mut self, call: &syn::ExprMethodCall) -> Parsed<super::Sequence> {
        let array = self.expression(&call.receiver, None)?;
        if rank(behind(&array.ty)) != 1 {
            return Err(Fault::beyond(
                &call.method,
                format!("`{}` of `{}`", call.method, show(&array.ty)),
                "add up the items of an iterator: `x.iter().sum::<f64>()`",
            ));
        }
        let receiver = &call.receiver;
        let chain: syn::Expr = syn::parse_quote!(#receiver.iter());
        self.sequence(&chain)
    }

    /// `u.dot(&v)` of two views of one dimension.
    fn dot(&mut self, call: &syn::ExprMethodCall, other: &syn::Expr) -> Parsed<Expression> {
        let span = Span::of(call);
        let (left, right) = (
            self.expression(&call.receiver, None)?,
            self.expression(other, None)?,
        );
        if rank(behind(&left.ty)) != 1 || rank(behind(&right.ty)) != 1 {
            return Err(Fault::beyond(
                &call.method,
                format!("`dot` of `{}` and `{}`", show(&left.ty), show(&right.ty)),
                "write loops, or `.dot` of views of one dimension",
            ));
        }
        let (left, right) = (self.stable_place(left), self.stable_place(right));
        let lengths = (self.length_of(&left), self.length_of(&right));
        self.equal_lengths(&lengths.0, &lengths.1);
        let (receiver, other) = (&call.receiver, super::super::statements::strip(other));
        let chain: syn::ExprMethodCall = syn::parse_quote! {
            #receiver.iter().zip(#other).map(|(left, right)| left * right).sum()
        };
        let value = self.total(&chain, true, None)?;
        Ok(Expression { span, ..value })
    }

    /// Panics where two lengths differ, before anything else.
    pub(super) fn equal_lengths(&mut self, left: &Expression, right: &Expression) {
        if crate::syntax::parts::same(left, right) {
            return;
        }
        for (one, other) in [(left, right), (right, left)] {
            let limit = crate::syntax::parts::computed(
                BinaryOperator::Add,
                other.clone(),
                number(1, other.span),
            );
            let check = method(IntegerMethod::Within, one.clone(), limit);
            if matches!(check.kind, ExpressionKind::Integers(..)) {
                self.before.push(Statement::Let(Pattern::Wildcard, check));
            }
        }
    }

    /// `x.split_at(k)`.
    fn split(&mut self, call: &syn::ExprMethodCall, at: &syn::Expr) -> Parsed<Expression> {
        let span = Span::of(call);
        let array = self.expression(&call.receiver, None)?;
        let is_array = matches!(behind(&array.ty), Type::Array(..) | Type::Slice(_));
        if !is_array {
            return Err(Fault::beyond(
                &call.receiver,
                format!("`{}` cannot be split", show(&array.ty)),
                "split slices and arrays",
            ));
        }
        let array = self.stable_place(array);
        let length = self.length_of(&array);
        let value = self.integer(at, Some(&USIZE))?.dereferenced();
        self.is(at, &USIZE);
        let one = number(1, span);
        let limit = crate::syntax::parts::computed(BinaryOperator::Add, length.clone(), one);
        let at = self.stable(method(IntegerMethod::Within, value, limit), "middle");
        let rest = crate::syntax::parts::computed(BinaryOperator::Subtract, length, at.clone());
        let mutable = call.method == "split_at_mut";
        let head = crate::syntax::parts::part(&array, number(0, span), at.clone());
        let tail = crate::syntax::parts::part(&array, at, rest);
        let parts = vec![reference(head, mutable), reference(tail, mutable)];
        let ty = Type::Tuple(parts.iter().map(|part| part.ty.clone()).collect());
        Ok(typed(ExpressionKind::Tuple(parts), ty, span))
    }

    /// `u.row(i)`, `u.column(j)`.
    fn line(&mut self, call: &syn::ExprMethodCall) -> Parsed<Expression> {
        let name = call.method.to_string();
        let view = self.expression(&call.receiver, None)?;
        let of = rank(behind(&view.ty));
        let arguments: Vec<&syn::Expr> = call.args.iter().collect();
        let (axis, at) = match arguments.as_slice() {
            [at] if !name.starts_with("index") => (usize::from(name.starts_with("column")), *at),
            [axis, at] if name.starts_with("index") => (self.axis_number(axis)?, *at),
            _ => (of, &*call.receiver),
        };
        if of < 2 || axis >= of || (of > 2 && axis > 0) {
            return Err(Fault::beyond(
                &call.method,
                format!("`{name}` of `{}` in a kernel", show(&view.ty)),
                "take rows and columns of views of two dimensions; subscript others: `u[[i, j]]`",
            ));
        }
        let view = self.stable_place(view);
        let value = self.integer(at, Some(&USIZE))?.dereferenced();
        self.is(at, &USIZE);
        let span = view.span;
        let length = typed(
            ExpressionKind::Length(Box::new(view.clone()), axis),
            USIZE,
            span,
        );
        let at = self.stable(method(IntegerMethod::Within, value, length), "at");
        let line = match axis {
            0 => crate::syntax::parts::element(&view, at),
            _ => super::loops::column(&view, at),
        };
        assert!(element_type(&line.ty).is_some());
        Ok(reference(line, name.ends_with("_mut")))
    }
}
