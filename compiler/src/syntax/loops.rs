//! Loops and their ranges.

use syn::spanned::Spanned;

use super::Parsed;
use super::ast::{
    Adaptor, BinaryOperator, Expression, ExpressionKind, ForLoop, IntegerType, LoopId, ScalarType,
    Statement, Type,
};
use super::expressions::{only_literals, typed};
use super::scope::Reader;
use super::statements::strip;
use super::types::show;
use crate::diagnostics::{Fault, Span};

impl Reader<'_> {
    /// `for PATTERN in ITEMS { … }`, which counts its iterations, perhaps.
    pub(super) fn for_loop(&mut self, for_loop: &mut syn::ExprForLoop) -> Parsed<Statement> {
        let counters = self.counters(for_loop);
        if counters.is_empty() {
            return self.loop_alone(for_loop);
        }
        for counter in counters.iter().rev() {
            for_loop.body.stmts.remove(counter.at);
        }
        let looped = self.loop_alone(for_loop);
        for counter in &counters {
            let stays = counter.statement.clone();
            for_loop.body.stmts.insert(counter.at, stays);
        }
        self.with_counters(counters, looped?, Span::of(&for_loop.expr))
    }

    /// A loop as it stands.
    fn loop_alone(&mut self, for_loop: &mut syn::ExprForLoop) -> Parsed<Statement> {
        if let Some(label) = &for_loop.label {
            return Err(Fault::beyond(
                label,
                "a labelled loop",
                "kernels run their loops to the end",
            ));
        }
        if !is_range(&for_loop.expr) || self.has_run_time_step(&for_loop.expr) {
            return self.loop_over_items(for_loop);
        }
        let name = match for_loop.pat.as_ref() {
            syn::Pat::Ident(name) if name.mutability.is_none() && name.by_ref.is_none() => {
                name.ident.clone()
            }
            syn::Pat::Wild(wild) => proc_macro2::Ident::new("iteration", wild.span()),
            other => {
                return Err(Fault::beyond(
                    other,
                    "a pattern as a loop variable",
                    "give the loop variable a name",
                ));
            }
        };
        self.unused(&name)?;
        let mut adaptors = Vec::new();
        let declaration = self.inference.declaration();
        let range = self.range(&for_loop.expr, &mut adaptors);
        let ends = range.as_ref().ok();
        let inclusive =
            ends.is_some_and(|range| matches!(range.limits, syn::RangeLimits::Closed(_)));
        let ends = ends.map(|range| [&range.start, &range.end].map(|end| end.as_deref()));
        let ends: Vec<&syn::Expr> = ends.into_iter().flatten().flatten().collect();
        let bounds = range.and_then(|range| self.bounds(range, declaration));
        let id = LoopId(self.loops.len());
        self.loops.push(name.clone());
        let span = for_loop.for_token.span.into();
        self.scopes.push(crate::collections::HashMap::default());
        let variable = match &bounds {
            Ok((_, end)) => {
                let variable = self.declare(&name, end.ty.clone(), false);
                if let Type::Scalar(guess) = end.ty {
                    self.open_variable((variable, declaration), guess, &ends);
                }
                Some(variable)
            }
            Err(_) => {
                self.declare_broken_name(&name);
                None
            }
        };
        let bounds = self.diagnostics.take(bounds);
        let body = self.iteration(&mut for_loop.body);
        self.scopes.pop();
        let (body, Some(variable), Some((start, end))) = (body?, variable, bounds) else {
            return Err(self.diagnostics.pop().unwrap_or_else(Fault::consequence));
        };
        Ok(Statement::For(Box::new(ForLoop {
            id,
            variable,
            start,
            end,
            inclusive,
            adaptors,
            body,
            span,
        })))
    }

    /// Whether a range has a step that is known when the kernel runs only.
    fn has_run_time_step(&mut self, expr: &syn::Expr) -> bool {
        match strip(expr) {
            syn::Expr::MethodCall(call) => {
                let step = call.args.first().filter(|_| call.method == "step_by");
                step.is_some_and(|step| self.length(step).is_err())
                    || self.has_run_time_step(&call.receiver)
            }
            _ => false,
        }
    }

    /// The first value of a range, and its end, exclusive.
    pub(super) fn bounds(
        &mut self,
        range: &syn::ExprRange,
        declaration: usize,
    ) -> Parsed<(Expression, Expression)> {
        let (Some(start), Some(end)) = (&range.start, &range.end) else {
            return Err(Fault::beyond(
                range,
                "an open range",
                "write both ends: `a..b`",
            ));
        };
        let (start_tokens, end_tokens) = (start, end);
        let inferred = self.inference.known(declaration).map(Type::Scalar);
        // The type of a literal is that of the other bound.
        let (start, mut end) = if only_literals(start) {
            let signed = matches!(strip(start), syn::Expr::Unary(_));
            let guess = Type::Scalar(ScalarType::Integer(IntegerType::I32));
            let guess = Some(&guess).filter(|_| signed);
            let end = self.integer(end, inferred.as_ref().or(guess))?;
            (self.integer(start, Some(&end.ty))?, end)
        } else {
            let start = self.integer(start, inferred.as_ref())?;
            let end = self.integer(end, Some(&start.ty))?;
            (start, end)
        };
        self.agree((start_tokens, &start.ty), (end_tokens, &end.ty));
        if start.ty != end.ty {
            return Err(Fault::on(
                range,
                format!("a range from `{}` to `{}`", show(&start.ty), show(&end.ty)),
                "convert one of the bounds with `as`",
            ));
        }
        if matches!(range.limits, syn::RangeLimits::Closed(_)) {
            let span = end.span;
            let one = typed(ExpressionKind::Integer(1), end.ty.clone(), span);
            let ty = end.ty.clone();
            let kind = ExpressionKind::Binary(BinaryOperator::Add, Box::new(end), Box::new(one));
            end = typed(kind, ty, span);
        }
        Ok((start, end))
    }

    /// The range of a loop, and what is applied to it, first to last.
    fn range<'e>(
        &mut self,
        expr: &'e syn::Expr,
        adaptors: &mut Vec<Adaptor>,
    ) -> Parsed<&'e syn::ExprRange> {
        match strip(expr) {
            syn::Expr::Range(range) => Ok(range),
            syn::Expr::MethodCall(call) if call.method == "rev" && call.args.is_empty() => {
                let range = self.range(&call.receiver, adaptors)?;
                adaptors.push(Adaptor::Reverse);
                Ok(range)
            }
            syn::Expr::MethodCall(call) if call.method == "step_by" && call.args.len() == 1 => {
                let range = self.range(&call.receiver, adaptors)?;
                match self.length(&call.args[0]) {
                    Ok(step) if step > 0 => adaptors.push(Adaptor::StepBy(step)),
                    _ => {
                        return Err(Fault::on(
                            &call.args[0],
                            "the step of a loop is zero, at which Rust panics",
                            "write a positive number",
                        ));
                    }
                }
                Ok(range)
            }
            _ => Err(Fault::consequence()),
        }
    }
}

/// Whether a loop runs over a range alone, in some order.
fn is_range(expr: &syn::Expr) -> bool {
    match strip(expr) {
        syn::Expr::Range(range) => range.end.is_some(),
        syn::Expr::MethodCall(call) => {
            let order = (call.method == "rev" && call.args.is_empty())
                || (call.method == "step_by" && call.args.len() == 1);
            order && is_range(&call.receiver)
        }
        _ => false,
    }
}
