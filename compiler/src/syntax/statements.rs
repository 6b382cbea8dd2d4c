//! Blocks and statements.

use super::Parsed;
use super::assertions::is_assertion;
use super::assigned;
use super::ast::{
    BinaryOperator, Block, BlockId, Expression, ExpressionKind, Pattern, ScalarType, Statement,
    Type,
};
use super::branches::{self, Tail};
use super::compound;
use super::parted;
use super::scope::{Reader, USIZE};
use super::types::{behind, show};
use super::views;
use crate::diagnostics::{Fault, Span};

impl Reader<'_> {
    /// Reads a function's body, in place of which `body` gets the tokens for `reference`.
    pub fn body(&mut self, body: &mut syn::Block, expected: &Type) -> Parsed<Block> {
        let expected = Some(expected).filter(|ty| **ty != branches::nothing());
        self.tail = Some(Tail::Function);
        let read = self.block(body, expected);
        self.tail = None;
        read
    }

    /// Reads a block in a scope of its own.
    pub fn block(&mut self, block: &mut syn::Block, expected: Option<&Type>) -> Parsed<Block> {
        let span = block.brace_token.span.open().into();
        self.body_of(span, &mut block.stmts, expected)
    }

    /// Reads the statements of a block in a scope of their own.
    pub fn body_of(
        &mut self,
        span: Span,
        all: &mut [syn::Stmt],
        expected: Option<&Type>,
    ) -> Parsed<Block> {
        self.scopes.push(crate::collections::HashMap::default());
        let outside = std::mem::take(&mut self.before);
        let mut statements = Vec::new();
        let mut value = None;
        let mut failed = false;
        let tail = self.tail;
        let mut rest = all;
        while let Some((statement, after)) = std::mem::take(&mut rest).split_first_mut() {
            rest = after;
            self.tail = tail;
            let read = match self.leaving_if(statement, rest, expected) {
                Ok(Some((statement, found))) => {
                    rest = &mut [];
                    value = found;
                    Ok(statement)
                }
                Ok(None) => self.one(statement, rest.is_empty(), expected, &mut value),
                Err(fault) => {
                    rest = &mut [];
                    Err(fault)
                }
            };
            statements.append(&mut self.before);
            match read {
                Ok(Some(statement)) => statements.push(statement),
                Ok(None) => {}
                // What follows may still be read.
                Err(fault) => {
                    failed = true;
                    self.diagnostics.push(fault);
                }
            }
        }
        self.tail = tail;
        self.scopes.pop();
        self.before = outside;
        if failed {
            // Who reads the block reports its last fault.
            return Err(self.diagnostics.pop().unwrap_or_else(Fault::consequence));
        }
        Ok(self.numbered(span, statements, value))
    }

    /// Reads a statement, the last one perhaps, or the value of the block.
    fn one(
        &mut self,
        statement: &mut syn::Stmt,
        last: bool,
        expected: Option<&Type>,
        value: &mut Option<Box<Expression>>,
    ) -> Parsed<Option<Statement>> {
        self.tail = (self.tail).filter(|_| last && branches::hands_on(statement));
        match statement {
            syn::Stmt::Expr(expr @ (syn::Expr::Return(_) | syn::Expr::Continue(_)), _) if last => {
                *value = self.jump(expr, expected)?;
                Ok(None)
            }
            syn::Stmt::Expr(expr, None) if last && branches::has_value(expr) => {
                self.tail = None;
                let read = self.expression(expr, expected)?;
                if let Some(expected) = expected {
                    self.is(expr, expected);
                }
                *value = Some(Box::new(read));
                Ok(None)
            }
            other => self.statement(other),
        }
    }

    /// A block with a number.
    pub fn numbered(
        &mut self,
        span: Span,
        statements: Vec<Statement>,
        value: Option<Box<Expression>>,
    ) -> Block {
        let id = BlockId(self.blocks);
        self.blocks += 1;
        Block {
            id,
            span,
            statements,
            value,
        }
    }

    pub fn statement(&mut self, statement: &mut syn::Stmt) -> Parsed<Option<Statement>> {
        match statement {
            syn::Stmt::Item(item) => {
                let tokens = self.table_item(item).inspect_err(|_| {
                    if let syn::Item::Fn(function) = &*item {
                        self.declare_broken_name(&function.sig.ident);
                    }
                })?;
                *item = syn::Item::Verbatim(tokens);
                Ok(None)
            }
            syn::Stmt::Local(local) => match self.local(local) {
                Ok(statement) => Ok(statement),
                Err(fault) => {
                    self.declare_broken(&local.pat);
                    Err(fault)
                }
            },
            // `;` by itself.
            syn::Stmt::Expr(syn::Expr::Verbatim(nothing), _) if nothing.is_empty() => Ok(None),
            syn::Stmt::Expr(syn::Expr::ForLoop(for_loop), _) => self.for_loop(for_loop).map(Some),
            syn::Stmt::Expr(syn::Expr::Block(inner), _) if inner.label.is_none() => self
                .block(&mut inner.block, None)
                .map(|b| Some(Statement::Block(b))),
            syn::Stmt::Expr(syn::Expr::If(choice), _) => self.if_statement(choice).map(Some),
            syn::Stmt::Expr(syn::Expr::Match(choice), _) => {
                let choice = self.matched(choice, None)?;
                Ok(Some(Statement::Effect(choice)))
            }
            syn::Stmt::Expr(syn::Expr::Macro(mac), _) if is_assertion(&mac.mac) => {
                self.assertion(&mac.mac).map(Some)
            }
            syn::Stmt::Macro(mac) if is_assertion(&mac.mac) => self.assertion(&mac.mac).map(Some),
            syn::Stmt::Expr(expr, _) => self.expression_statement(expr).map(Some),
            syn::Stmt::Macro(mac) => Err(Fault::beyond(
                mac,
                "a macro call",
                "kernels know `tabulate!` as the value of a table, and no other macro",
            )),
        }
    }

    fn local(&mut self, local: &syn::Local) -> Parsed<Option<Statement>> {
        let Some(init) = &local.init else {
            return Err(Fault::beyond(
                local,
                "a variable without a value",
                "give it a value where it is declared",
            ));
        };
        if init.diverge.is_some() {
            return Err(Fault::beyond(local, "`let … else`", "write a plain `let`"));
        }
        let (pattern, annotation) = match &local.pat {
            syn::Pat::Type(typed) => (typed.pat.as_ref(), Some(self.ty(&typed.ty)?)),
            other => (other, None),
        };
        if self.named(pattern, annotation.as_ref(), &init.expr)? {
            return Ok(None);
        }
        let (declarations, inferred) = match annotation {
            Some(_) => (Vec::new(), None),
            None => match parted::by_parts(pattern, &init.expr) {
                Some(parts) => self.declarations(&parts, &init.expr),
                None => self.declarations(pattern, &init.expr),
            },
        };
        let value = self.expression(&init.expr, annotation.as_ref().or(inferred.as_ref()))?;
        if let Some(annotation) = &annotation {
            self.is(&init.expr, annotation);
        }
        if let Some(annotation) = &annotation
            && *annotation != value.ty
        {
            return Err(Fault::on(
                &init.expr,
                format!(
                    "this is `{}`, but `{}` is declared",
                    show(&value.ty),
                    show(annotation)
                ),
                "make the types agree",
            ));
        }
        self.small(&value, &init.expr)?;
        let value = Self::for_pattern(pattern, value);
        let ty = value.ty.clone();
        let pattern = match self.parted(pattern, &ty)? {
            Some(parts) => parts,
            None => self.pattern(pattern, &ty)?,
        };
        self.open_variables((&pattern, &[&init.expr]), &ty, &declarations);
        Ok(Some(Statement::Let(pattern, value)))
    }

    fn pattern(&mut self, pattern: &syn::Pat, ty: &Type) -> Parsed<Pattern> {
        match pattern {
            syn::Pat::Wild(_) => Ok(Pattern::Wildcard),
            syn::Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                self.unused(&name.ident)?;
                let mutable = name.mutability.is_some();
                Ok(Pattern::Variable(self.declare(
                    &name.ident,
                    ty.clone(),
                    mutable,
                )))
            }
            syn::Pat::Tuple(tuple) => match ty {
                Type::Tuple(fields) if fields.len() == tuple.elems.len() => tuple
                    .elems
                    .iter()
                    .zip(fields)
                    .map(|(p, t)| self.pattern(p, t))
                    .collect::<Parsed<_>>()
                    .map(Pattern::Tuple),
                _ => Err(Fault::on(
                    pattern,
                    format!("`{}` is no tuple of that many parts", show(ty)),
                    "bind it to one name",
                )),
            },
            _ => Err(Fault::beyond(
                pattern,
                "this pattern has no meaning in a kernel",
                "bind names, `_`, and tuples of them",
            )),
        }
    }

    /// An integer expression.
    pub fn integer(&mut self, expr: &syn::Expr, expected: Option<&Type>) -> Parsed<Expression> {
        let value = self.expression(expr, Some(expected.unwrap_or(&USIZE)))?;
        match behind(&value.ty) {
            Type::Scalar(ScalarType::Integer(_)) => Ok(value),
            other => Err(Fault::on(
                expr,
                format!("an integer was expected, this is `{}`", show(other)),
                "subscripts and bounds are integers",
            )),
        }
    }

    pub fn expression_statement(&mut self, expr: &syn::Expr) -> Parsed<Statement> {
        let span = Span::of(expr);
        match expr {
            syn::Expr::Group(group) => self.expression_statement(&group.expr),
            syn::Expr::Assign(assign) if assigned::is_several(&assign.left) => {
                self.several(assign, span)
            }
            syn::Expr::Assign(assign) => {
                let Some(steps) = compound::steps(&assign.left, &assign.right) else {
                    return self.assignment((&assign.left, None, &assign.right), span);
                };
                let step = |(operator, value): (BinaryOperator, &syn::Expr)| {
                    self.assignment((&assign.left, Some(operator), value), span)
                };
                let mut statements = steps.into_iter().map(step).collect::<Parsed<Vec<_>>>()?;
                match statements.len() {
                    1 => Ok(statements.remove(0)),
                    _ => Ok(Statement::Block(self.numbered(span, statements, None))),
                }
            }
            syn::Expr::Binary(binary) => {
                let operator = match binary.op {
                    syn::BinOp::AddAssign(_) => BinaryOperator::Add,
                    syn::BinOp::SubAssign(_) => BinaryOperator::Subtract,
                    syn::BinOp::MulAssign(_) => BinaryOperator::Multiply,
                    syn::BinOp::DivAssign(_) => BinaryOperator::Divide,
                    syn::BinOp::RemAssign(_)
                    | syn::BinOp::BitXorAssign(_)
                    | syn::BinOp::BitAndAssign(_)
                    | syn::BinOp::BitOrAssign(_)
                    | syn::BinOp::ShlAssign(_)
                    | syn::BinOp::ShrAssign(_) => return self.assigned_by(binary, span),
                    _ => {
                        return Err(Fault::beyond(
                            expr,
                            "this statement has no effect that a kernel knows",
                            "assign with `=`, `+=`, `-=`, `*=` or `/=`",
                        ));
                    }
                };
                self.assignment((&binary.left, Some(operator), &binary.right), span)
            }
            syn::Expr::While(counting) => self.counting_loop(counting),
            syn::Expr::Loop(_) => Err(super::counting::unknown_length(expr)),
            syn::Expr::Return(_) | syn::Expr::Break(_) | syn::Expr::Continue(_) => {
                Err(branches::stuck(expr))
            }
            syn::Expr::MethodCall(call) => self.method_statement(call),
            syn::Expr::Call(call) if self.is_record_call(call) => {
                self.expression(expr, None).map(Statement::Effect)
            }
            syn::Expr::Call(call) if self.is_swap(call) => self.exchanged(call),
            syn::Expr::Call(call) => self.call_statement(call),
            syn::Expr::Unsafe(_) => Err(super::checks::refusal(expr)),
            _ => Err(Fault::beyond(
                expr,
                "this statement has no effect that a kernel knows",
                "statements are `let`, assignments and `for` loops",
            )),
        }
    }

    /// The target of an assignment.
    pub(super) fn place(&mut self, expr: &syn::Expr) -> Parsed<Expression> {
        let place = self.expression(expr, None)?;
        self.writable(&place, expr)?;
        Ok(place)
    }

    /// Refuses to write what is not mutable.
    pub fn writable(&mut self, place: &Expression, expr: &syn::Expr) -> Parsed<()> {
        let mut root = place;
        loop {
            match &root.kind {
                ExpressionKind::Index(base, _)
                | ExpressionKind::Field(base, _)
                | ExpressionKind::Part { base, .. }
                | ExpressionKind::Column(base, _) => root = base,
                ExpressionKind::Dereference(inner) => root = inner,
                ExpressionKind::Reference(inner) if matches!(root.ty, Type::Reference(_, true)) => {
                    root = inner
                }
                ExpressionKind::Variable(variable) => {
                    let variable = &self.variables[variable.0];
                    let is_part = !std::ptr::eq(root, place);
                    let writable = match variable.ty {
                        Type::Reference(_, mutable) if is_part || mutable => mutable,
                        _ => variable.mutable,
                    };
                    if !writable {
                        let name = &variable.name;
                        let help = if views::rank(behind(&variable.ty)) > 0 {
                            let view = show(behind(&variable.ty)).replace("View", "ViewMut");
                            format!("declare the parameter as `mut {name}: {view}`")
                        } else if matches!(variable.ty, Type::Reference(..)) {
                            format!("declare the parameter as `{name}: &mut …`")
                        } else {
                            format!("declare it as `let mut {name}`")
                        };
                        return Err(Fault::on(expr, format!("`{name}` is not mutable"), help));
                    }
                    return Ok(());
                }
                ExpressionKind::Tuple(parts) => {
                    return parts.iter().try_for_each(|part| self.writable(part, expr));
                }
                other => {
                    let constant = matches!(
                        other,
                        ExpressionKind::Table(_)
                            | ExpressionKind::Float(_)
                            | ExpressionKind::Integer(_)
                    );
                    return Err(Fault {
                        beyond: !constant,
                        ..Fault::on(
                            expr,
                            "this cannot be assigned",
                            "assign to `let mut` variables and to elements of arrays",
                        )
                    });
                }
            }
        }
    }
}

/// An expression without parentheses and invisible groups.
pub fn strip(expr: &syn::Expr) -> &syn::Expr {
    match expr {
        syn::Expr::Paren(paren) => strip(&paren.expr),
        syn::Expr::Group(group) => strip(&group.expr),
        other => other,
    }
}
