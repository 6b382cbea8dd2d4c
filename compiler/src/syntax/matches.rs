//! `match` on numbers and conditions, or on tuples of integers: a choice after the other.

use super::Parsed;
use super::ast::{
    Block, CompareOperator, Expression, ExpressionKind, LogicalOperator, ScalarType, Statement,
    Type,
};
use super::branches::nothing;
use super::expressions::typed;
use super::scope::Reader;
use super::types::behind;
use crate::diagnostics::{Fault, Span};

const HELP: &str = "patterns are numbers, ranges of them, `true`, `false`, several of them with `|`, tuples of integers, and `_`; \
                    write anything else with `if`";

impl Reader<'_> {
    /// Reads a `match`, with a value or without.
    pub(super) fn matched(
        &mut self,
        choice: &mut syn::ExprMatch,
        expected: Option<&Type>,
    ) -> Parsed<Expression> {
        let tail = self.tail.take();
        let value = self
            .expression(&choice.expr, None)
            .map(Expression::dereferenced);
        let mut value = value?;
        if let ExpressionKind::Tuple(parts) = &mut value.kind {
            let all = std::mem::take(parts).into_iter();
            *parts = all.map(|part| self.stable(part, "part")).collect();
        }
        if !is_matched(&value.ty) {
            return Err(Fault::beyond(
                &choice.expr,
                "a `match` on what is no number, nor several integers",
                HELP,
            ));
        }
        let span = Span::of(choice.match_token);
        let mut arms: Vec<(Option<Expression>, Block, Span)> = Vec::new();
        let mut branches = self.branches(expected, choice.arms.first().map(|arm| &*arm.body));
        for arm in &mut choice.arms {
            let at = Span::of(&arm.pat);
            let (pattern, guard) = match &arm.pat {
                syn::Pat::Guard(guarded) => (guarded.pat.as_ref(), Some(&guarded.guard)),
                pattern => (pattern, None),
            };
            let (bound, guard) = named(&choice.expr, pattern, guard.map(AsRef::as_ref));
            if let Some(name) = bound {
                let (body, of) = (&arm.body, &choice.expr);
                *arm.body = syn::parse_quote!({ let #name = #of; #body });
            }
            let guard = guard.as_ref();
            let mut condition = match bound {
                Some(_) => None,
                None => self.pattern_holds(&value, pattern)?,
            };
            if let Some(guard) = guard {
                let (tokens, count) = (guard, self.before.len());
                let guard = self.truth(tokens)?;
                if self.before.len() > count {
                    return Err(Fault::beyond(
                        tokens,
                        "a loop in the condition of an arm",
                        HELP,
                    ));
                }
                condition = Some(match condition {
                    Some(first) => both(LogicalOperator::And, first, guard),
                    None => guard,
                });
            }
            self.tail = tail;
            let wanted = branches.wanted_after(&arm.body).cloned();
            let body = self.arm(&mut arm.body, wanted.as_ref())?;
            self.branch(&mut branches, &arm.body, body.value.as_deref());
            arms.push((condition, body, at));
        }
        self.tail = tail;
        let Some((_, mut otherwise, _)) = arms.pop() else {
            return Err(Fault::on(choice, "a `match` without arms", HELP));
        };
        while let Some((condition, body, at)) = arms.pop() {
            let Some(condition) = condition else {
                otherwise = body;
                continue;
            };
            let chosen = self.chosen(condition, body, otherwise, at)?;
            otherwise = match chosen.ty == nothing() {
                true => self.numbered(at, vec![Statement::Effect(chosen)], None),
                false => self.numbered(at, Vec::new(), Some(Box::new(chosen))),
            };
        }
        let ty = otherwise
            .value
            .as_ref()
            .map_or_else(nothing, |value| value.ty.clone());
        Ok(typed(ExpressionKind::Block(Box::new(otherwise)), ty, span))
    }

    /// What stands behind `=>`.
    fn arm(&mut self, body: &mut syn::Expr, expected: Option<&Type>) -> Parsed<Block> {
        if let syn::Expr::Block(block) = body {
            return self.block(&mut block.block, expected);
        }
        let span = Span::of(&*body);
        let mut statement = [syn::Stmt::Expr(body.clone(), None)];
        self.body_of(span, &mut statement, expected)
    }

    /// The condition under which a value has a pattern; `None` if it always has.
    fn pattern_holds(
        &mut self,
        value: &Expression,
        pattern: &syn::Pat,
    ) -> Parsed<Option<Expression>> {
        match pattern {
            syn::Pat::Wild(_) => Ok(None),
            syn::Pat::Paren(inner) => self.pattern_holds(value, &inner.pat),
            syn::Pat::Or(several) => {
                let mut holds: Option<Expression> = None;
                for case in &several.cases {
                    let Some(case) = self.pattern_holds(value, case)? else {
                        return Ok(None);
                    };
                    holds = Some(match holds {
                        Some(before) => both(LogicalOperator::Or, before, case),
                        None => case,
                    });
                }
                Ok(holds)
            }
            syn::Pat::Tuple(tuple) => self.parts_hold(value, tuple),
            syn::Pat::Lit(literal) => {
                let literal = syn::Expr::Lit(literal.clone());
                self.is_at(value, CompareOperator::Equal, &literal)
                    .map(Some)
            }
            syn::Pat::Const(_) | syn::Pat::Path(_) => {
                Err(Fault::beyond(pattern, "this pattern", HELP))
            }
            syn::Pat::Range(range) => {
                let last = match range.limits {
                    syn::RangeLimits::Closed(_) => CompareOperator::LessEqual,
                    syn::RangeLimits::HalfOpen(_) => CompareOperator::Less,
                };
                let ends = [
                    (CompareOperator::GreaterEqual, &range.start),
                    (last, &range.end),
                ];
                let mut holds: Option<Expression> = None;
                for (operator, end) in ends {
                    let Some(end) = end else { continue };
                    let end = self.is_at(value, operator, end)?;
                    holds = Some(match holds {
                        Some(before) => both(LogicalOperator::And, before, end),
                        None => end,
                    });
                }
                Ok(holds)
            }
            _ => Err(Fault::beyond(
                pattern,
                "this pattern has no meaning in a kernel",
                HELP,
            )),
        }
    }

    /// The condition under which all numbers of a tuple have their patterns.
    fn parts_hold(
        &mut self,
        value: &Expression,
        tuple: &syn::PatTuple,
    ) -> Parsed<Option<Expression>> {
        let parts: Vec<Expression> = match (&value.kind, &value.ty) {
            (ExpressionKind::Tuple(parts), _) => parts.clone(),
            (_, Type::Tuple(types)) => {
                let part = |(at, ty): (usize, &Type)| {
                    let kind = ExpressionKind::Field(Box::new(value.clone()), at);
                    typed(kind, ty.clone(), value.span)
                };
                types.iter().enumerate().map(part).collect()
            }
            _ => Vec::new(),
        };
        if parts.len() != tuple.elems.len() {
            return Err(Fault::beyond(tuple, "a pattern of another length", HELP));
        }
        let mut holds: Option<Expression> = None;
        for (part, pattern) in parts.iter().zip(&tuple.elems) {
            let Some(own) = self.pattern_holds(part, pattern)? else {
                continue;
            };
            holds = Some(match holds {
                Some(before) => both(LogicalOperator::And, before, own),
                None => own,
            });
        }
        Ok(holds)
    }

    /// `value operator literal`.
    fn is_at(
        &mut self,
        value: &Expression,
        operator: CompareOperator,
        literal: &syn::Expr,
    ) -> Parsed<Expression> {
        let span = Span::of(literal);
        let truth = Type::Scalar(ScalarType::Bool);
        let at = self.expression(literal, Some(behind(&value.ty)))?;
        if at.ty != value.ty {
            return Err(Fault::on(literal, "a pattern of another type", HELP));
        }
        if let ExpressionKind::Bool(wanted) = at.kind {
            let value = value.clone();
            return Ok(match wanted {
                true => value,
                false => typed(ExpressionKind::Not(Box::new(value)), truth, span),
            });
        }
        let kind = ExpressionKind::Compare(operator, Box::new(value.clone()), Box::new(at));
        Ok(typed(kind, truth, span))
    }
}

/// Whether values of a type have patterns here. LLVM makes more of several comparisons of what is next to each other in
/// memory than lanes do, so that tuples are of integers.
fn is_matched(ty: &Type) -> bool {
    let integer = |ty: &Type| matches!(ty, Type::Scalar(ScalarType::Integer(_)));
    match ty {
        Type::Tuple(types) => !types.is_empty() && types.iter().all(integer),
        ty => matches!(ty, Type::Scalar(_)),
    }
}

/// A pattern that is a name for the value, and the guard with that name.
fn named<'a>(
    of: &syn::Expr,
    pattern: &'a syn::Pat,
    guard: Option<&syn::Expr>,
) -> (Option<&'a syn::PatIdent>, Option<syn::Expr>) {
    let plain = |name: &syn::PatIdent| name.subpat.is_none() && name.by_ref.is_none();
    match (pattern, guard) {
        (syn::Pat::Ident(name), guard) if plain(name) => {
            let guard = guard.map(|guard| syn::parse_quote!({ let #name = #of; #guard }));
            (Some(name), guard)
        }
        (_, guard) => (None, guard.cloned()),
    }
}

fn both(operator: LogicalOperator, first: Expression, second: Expression) -> Expression {
    let span = second.span;
    let kind = ExpressionKind::Logical(operator, Box::new(first), Box::new(second));
    typed(kind, Type::Scalar(ScalarType::Bool), span)
}
