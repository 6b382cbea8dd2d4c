//! Statements under a condition: `if`, `match`, and `return` and `continue`, after which the rest of a body
//! does not run.
//!
//! ```text
//! if c { continue; }  rest      is      if c { } else { rest }
//! ```
//!
//! The text is left as it is; this is how the compiler reads it.

use super::Parsed;
use super::assertions::is_assertion;
use super::ast::{Block, Expression, ExpressionKind, ScalarType, Statement, Type};
use super::expressions::typed;
use super::scope::Reader;
use super::statements::strip;
use super::types::show;
use crate::diagnostics::{Fault, Span};

/// What ends where the statements at hand end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// The function: `return` leaves it.
    Function,
    /// An iteration of the loop around: `continue` leaves it.
    Iteration,
}

/// Whether all ways through statements leave the iteration or the function.
pub fn leaves(statements: &[syn::Stmt]) -> bool {
    match statements.last() {
        Some(syn::Stmt::Expr(expr, _)) => leaving(expr),
        _ => false,
    }
}

fn leaving(expr: &syn::Expr) -> bool {
    match strip(expr) {
        syn::Expr::Return(_) => true,
        syn::Expr::Continue(next) => next.label.is_none(),
        syn::Expr::Block(inner) => inner.label.is_none() && leaves(&inner.block.stmts),
        syn::Expr::If(choice) => {
            let otherwise = choice.else_branch.as_ref();
            leaves(&choice.then_branch.stmts) && otherwise.is_some_and(|(_, e)| leaving(e))
        }
        _ => false,
    }
}

/// Whether one of the branches of an `if` leaves.
fn may_leave(choice: &syn::ExprIf) -> bool {
    let otherwise = match choice.else_branch.as_ref().map(|(_, e)| strip(e)) {
        Some(syn::Expr::If(other)) => may_leave(other),
        Some(other) => leaving(other),
        None => false,
    };
    leaves(&choice.then_branch.stmts) || otherwise
}

/// Whether what a statement ends with is where the statements around end.
pub fn hands_on(statement: &syn::Stmt) -> bool {
    let syn::Stmt::Expr(expr, _) = statement else {
        return false;
    };
    matches!(
        strip(expr),
        syn::Expr::If(_)
            | syn::Expr::Match(_)
            | syn::Expr::Block(_)
            | syn::Expr::Return(_)
            | syn::Expr::Continue(_)
    )
}

/// Expressions that are statements even at the end of a block.
fn is_statement(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::ForLoop(_) | syn::Expr::Assign(_) | syn::Expr::While(_) | syn::Expr::Loop(_) => {
            true
        }
        syn::Expr::Group(group) => is_statement(&group.expr),
        syn::Expr::Binary(binary) => matches!(
            binary.op,
            syn::BinOp::AddAssign(_)
                | syn::BinOp::SubAssign(_)
                | syn::BinOp::MulAssign(_)
                | syn::BinOp::DivAssign(_)
                | syn::BinOp::RemAssign(_)
                | syn::BinOp::BitXorAssign(_)
                | syn::BinOp::BitAndAssign(_)
                | syn::BinOp::BitOrAssign(_)
                | syn::BinOp::ShlAssign(_)
                | syn::BinOp::ShrAssign(_)
        ),
        syn::Expr::If(i) => i.else_branch.is_none(),
        syn::Expr::Macro(mac) => is_assertion(&mac.mac),
        syn::Expr::Return(_) | syn::Expr::Break(_) | syn::Expr::Continue(_) => true,
        _ => false,
    }
}

/// Whether a conditional at the end of a block is its value.
pub fn has_value(expr: &syn::Expr) -> bool {
    let block = |block: &syn::Block| match block.stmts.last() {
        Some(syn::Stmt::Expr(last, None)) => has_value(last),
        _ => false,
    };
    match strip(expr) {
        syn::Expr::If(choice) => choice.else_branch.is_some() && block(&choice.then_branch),
        syn::Expr::Match(choice) => choice.arms.iter().any(|arm| match strip(&arm.body) {
            syn::Expr::Block(body) => block(&body.block),
            body => has_value(body),
        }),
        syn::Expr::Block(inner) => block(&inner.block),
        other => !is_statement(other),
    }
}

/// What a block may end with, as it is read: statements, and a value.
pub type Ending = (Option<Statement>, Option<Box<Expression>>);

impl Reader<'_> {
    /// An `if` of which a branch leaves what the rest of the block is in; `None` for any other statement.
    pub(super) fn leaving_if(
        &mut self,
        statement: &mut syn::Stmt,
        rest: &mut [syn::Stmt],
        expected: Option<&Type>,
    ) -> Parsed<Option<Ending>> {
        let syn::Stmt::Expr(syn::Expr::If(choice), _) = statement else {
            return Ok(None);
        };
        if !may_leave(choice) {
            return Ok(None);
        }
        if self.tail.is_none() {
            return Err(stuck(choice));
        }
        let mut known = None;
        let choice = self.without_rest(choice, rest, &mut known, expected)?;
        Ok(Some(match choice.ty == nothing() {
            true => (Some(Statement::Effect(choice)), None),
            false => (None, Some(Box::new(choice))),
        }))
    }

    /// The conditional, with the rest of the block in the branches that come to it.
    fn without_rest(
        &mut self,
        choice: &mut syn::ExprIf,
        rest: &mut [syn::Stmt],
        known: &mut Option<Block>,
        expected: Option<&Type>,
    ) -> Parsed<Expression> {
        let span = Span::of(choice.if_token);
        let condition = self.truth(&choice.cond)?;
        let at = choice.then_branch.brace_token.span.open().into();
        let then = match leaves(&choice.then_branch.stmts) {
            true => self.body_of(at, &mut choice.then_branch.stmts, expected)?,
            false => {
                let first = self.apart(&mut choice.then_branch)?;
                let rest = self.rest(rest, known, at, expected)?;
                followed(first, rest)
            }
        };
        let otherwise = match &mut choice.else_branch {
            None => self.rest(rest, known, span, expected)?,
            Some((_, otherwise)) => match otherwise.as_mut() {
                syn::Expr::If(inner) if may_leave(inner) => {
                    let outside = std::mem::take(&mut self.before);
                    let choice = self.without_rest(inner, rest, known, expected);
                    let before = std::mem::replace(&mut self.before, outside);
                    let choice = choice?;
                    self.only(before, choice)
                }
                syn::Expr::Block(inner) if leaves(&inner.block.stmts) => {
                    let at = inner.block.brace_token.span.open().into();
                    self.body_of(at, &mut inner.block.stmts, expected)?
                }
                other => {
                    let first = self.otherwise(other, None)?;
                    let rest = self.rest(rest, known, span, expected)?;
                    followed(first, rest)
                }
            },
        };
        self.chosen(condition, then, otherwise, span)
    }

    /// A block that the rest of another one follows: nothing in it leaves.
    fn apart(&mut self, block: &mut syn::Block) -> Parsed<Block> {
        let tail = self.tail.take();
        let read = self.block(block, None);
        self.tail = tail;
        read
    }

    /// The rest of a block, read once.
    fn rest(
        &mut self,
        rest: &mut [syn::Stmt],
        known: &mut Option<Block>,
        span: Span,
        expected: Option<&Type>,
    ) -> Parsed<Block> {
        if let Some(block) = known {
            return Ok(block.clone());
        }
        let block = self.body_of(span, rest, expected)?;
        *known = Some(block.clone());
        Ok(block)
    }

    /// `return v`, `return` and `continue` at the end of what they leave: the value.
    pub(super) fn jump(
        &mut self,
        expr: &syn::Expr,
        expected: Option<&Type>,
    ) -> Parsed<Option<Box<Expression>>> {
        match (expr, self.tail) {
            (syn::Expr::Return(end), Some(Tail::Function)) => match (&end.expr, expected) {
                (None, expected) if expected.is_none_or(|ty| *ty == nothing()) => Ok(None),
                (Some(value), _) => {
                    self.tail = None;
                    let read = self.expression(value, expected)?;
                    if let Some(expected) = expected {
                        self.is(value, expected);
                    }
                    Ok(Some(Box::new(read)))
                }
                (None, expected) => Err(Fault::on(
                    end,
                    "a `return` without the value of the function",
                    match expected {
                        Some(expected) => format!("return a value of type `{}`", show(expected)),
                        None => "return a value".to_owned(),
                    },
                )),
            },
            (syn::Expr::Continue(next), Some(Tail::Iteration)) if next.label.is_none() => Ok(None),
            _ => Err(stuck(expr)),
        }
    }

    /// A condition.
    pub(super) fn truth(&mut self, condition: &syn::Expr) -> Parsed<Expression> {
        let tail = self.tail.take();
        let test = self.expression(condition, Some(&Type::Scalar(ScalarType::Bool)));
        self.tail = tail;
        let test = test?;
        if *super::types::behind(&test.ty) == Type::Scalar(ScalarType::Bool) {
            return Ok(test.dereferenced());
        }
        Err(Fault::on(
            condition,
            "a comparison was expected here",
            "write for example `if x < y { a } else { b }`",
        ))
    }

    /// An `if` as a statement.
    pub(super) fn if_statement(&mut self, choice: &mut syn::ExprIf) -> Parsed<Statement> {
        let tail = self.tail;
        let condition = self.truth(&choice.cond)?;
        let then = self.block(&mut choice.then_branch, None)?;
        self.tail = tail;
        let otherwise = match &mut choice.else_branch {
            Some((_, otherwise)) => self.otherwise(otherwise, None)?,
            None => self.numbered(Span::of(choice.if_token), Vec::new(), None),
        };
        self.tail = tail;
        let span = Span::of(choice.if_token);
        self.chosen(condition, then, otherwise, span)
            .map(Statement::Effect)
    }

    /// What stands behind `else`.
    pub(super) fn otherwise(
        &mut self,
        otherwise: &mut syn::Expr,
        expected: Option<&Type>,
    ) -> Parsed<Block> {
        match otherwise {
            syn::Expr::Group(group) => self.otherwise(&mut group.expr, expected),
            syn::Expr::Block(block) => self.block(&mut block.block, expected),
            syn::Expr::If(inner) if expected.is_none() && !has_value_of(inner) => {
                let span = Span::of(inner.if_token);
                let outside = std::mem::take(&mut self.before);
                let statement = self.if_statement(inner);
                let mut before = std::mem::replace(&mut self.before, outside);
                before.push(statement?);
                Ok(self.numbered(span, before, None))
            }
            other => {
                let outside = std::mem::take(&mut self.before);
                let value = self.expression(other, expected);
                let before = std::mem::replace(&mut self.before, outside);
                let value = value?;
                Ok(self.only(before, value))
            }
        }
    }

    /// A block of a value, or of a statement.
    fn only(&mut self, mut before: Vec<Statement>, value: Expression) -> Block {
        let span = value.span;
        if value.ty == nothing() {
            before.push(Statement::Effect(value));
            return self.numbered(span, before, None);
        }
        self.numbered(span, before, Some(Box::new(value)))
    }

    /// `if condition { then } else { otherwise }`.
    pub(super) fn chosen(
        &mut self,
        condition: Expression,
        then: Block,
        otherwise: Block,
        span: Span,
    ) -> Parsed<Expression> {
        let ty = |block: &Block| {
            let value = block.value.as_ref();
            value.map_or_else(nothing, |value| value.ty.clone())
        };
        let (first, second) = (ty(&then), ty(&otherwise));
        if first != second || !is_chosen(&first) {
            let ends = then.value.as_ref().or(otherwise.value.as_ref());
            return Err(Fault::new(
                ends.map_or(span, |value| value.span),
                format!(
                    "the branches are of the types `{}` and `{}`",
                    show(&first),
                    show(&second)
                ),
                "choose between two values of one type: numbers, conditions, tuples or arrays of them",
            ));
        }
        let kind = ExpressionKind::If(Box::new(condition), Box::new(then), Box::new(otherwise));
        Ok(typed(kind, first, span))
    }
}

fn has_value_of(choice: &syn::ExprIf) -> bool {
    let last = choice.then_branch.stmts.last();
    choice.else_branch.is_some()
        && matches!(last, Some(syn::Stmt::Expr(last, None)) if has_value(last))
}

/// Types of what an `if` chooses between.
fn is_chosen(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) | Type::Record(_) => true,
        Type::Tuple(parts) => parts.iter().all(is_chosen),
        Type::Array(inner, _) => is_chosen(inner),
        _ => false,
    }
}

/// One block after another one.
fn followed(first: Block, rest: Block) -> Block {
    let mut statements = vec![Statement::Block(first)];
    statements.extend(rest.statements);
    Block { statements, ..rest }
}

/// The type of what has no value.
pub fn nothing() -> Type {
    Type::Tuple(Vec::new())
}

/// A jump out of what is not at its end.
pub fn stuck(at: impl quote::ToTokens) -> Fault {
    let text = at.to_token_stream().to_string();
    let help = match text {
        text if text.contains("break") => "write `for i in a..b` with the condition inside",
        _ => {
            "`return` may end a function, and `continue` an iteration, at the end of a branch of an `if` that is not inside another one"
        }
    };
    Fault::beyond(at, "this leaves a loop or a function on the way", help)
}
