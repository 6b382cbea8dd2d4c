//! Closures: read again wherever they are called, with names for their arguments.

use std::rc::Rc;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

use super::Parsed;
use super::ast::{Expression, ExpressionKind, Statement, Type};
use super::branches::Tail;
use super::expressions::typed;
use super::scope::{Entry, Reader};
use super::statements::strip;
use super::types::show;
use crate::collections::HashMap;
use crate::diagnostics::{Fault, Span};

/// Calls inside each other.
const DEEPEST: usize = 24;

/// A closure, and the names that it sees.
#[derive(Clone)]
pub struct Closure {
    /// What its arguments are bound to.
    pub parameters: Vec<syn::Pat>,
    /// Its value.
    pub body: syn::Expr,
    /// The type of its value, where it is written.
    pub result: Option<Type>,
    /// The names that it sees, innermost scope last.
    pub scopes: Vec<HashMap<String, Entry>>,
}

impl std::fmt::Debug for Closure {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "|…| {}", self.body.to_token_stream())
    }
}

impl Closure {
    /// More names that it sees.
    pub fn enter(&mut self, names: HashMap<String, Entry>) {
        self.scopes.push(names);
    }
}

impl Reader<'_> {
    /// A closure where it is written.
    pub fn closure(&mut self, expr: &syn::Expr) -> Parsed<Rc<Closure>> {
        match super::statements::strip(expr) {
            syn::Expr::Closure(closure) => self.written(closure),
            syn::Expr::Path(path) => {
                let name = path.path.get_ident().map(ToString::to_string);
                match name.and_then(|name| self.find(&name)) {
                    Some(Entry::Closure(at)) => Ok(self.closures[at].clone()),
                    Some(Entry::Broken) => Err(Fault::consequence()),
                    _ => Ok(self.named_function(path)),
                }
            }
            syn::Expr::Reference(reference) => self.closure(&reference.expr),
            other => Err(Fault::on(
                other,
                "this is no closure",
                "write it where it is used: `|x| …`",
            )),
        }
    }

    /// `f` as `|x| f(x)`.
    fn named_function(&self, path: &syn::ExprPath) -> Rc<Closure> {
        let argument = proc_macro2::Ident::new("argument", Span::of(path).start());
        Rc::new(Closure {
            parameters: vec![syn::parse_quote!(#argument)],
            body: syn::parse_quote!(#path(#argument)),
            result: None,
            scopes: self.scopes.clone(),
        })
    }

    fn written(&mut self, closure: &syn::ExprClosure) -> Parsed<Rc<Closure>> {
        if closure.asyncness.is_some() || closure.constness.is_some() || closure.lifetimes.is_some()
        {
            return Err(Fault::beyond(
                closure,
                "this closure is not a plain one",
                "write `|x| …`",
            ));
        }
        if let Some(capture) = &closure.capture
            && let Some(name) = self.mutable_name(closure.body.to_token_stream())
        {
            return Err(Fault::beyond(
                capture,
                format!("this closure keeps the value that `{name}` has here"),
                "write the closure without `move`, or bind the value to a name that is not `mut`",
            ));
        }
        let result = match &closure.output {
            syn::ReturnType::Default => None,
            syn::ReturnType::Type(_, ty) => Some(self.ty(ty)?),
        };
        Ok(Rc::new(Closure {
            parameters: closure.inputs.iter().cloned().collect(),
            body: closure.body.as_ref().clone(),
            result,
            scopes: self.scopes.clone(),
        }))
    }

    /// A variable among some tokens whose value may change.
    fn mutable_name(&self, tokens: TokenStream) -> Option<String> {
        tokens.into_iter().find_map(|tree| match tree {
            TokenTree::Ident(name) => match self.find(&name.to_string()) {
                Some(Entry::Variable(id)) if self.variables[id.0].mutable => Some(name.to_string()),
                Some(Entry::Alias(at)) if self.may_change(&self.aliases[at]) => {
                    Some(name.to_string())
                }
                _ => None,
            },
            TokenTree::Group(group) => self.mutable_name(group.stream()),
            _ => None,
        })
    }

    /// Whether a value is a tuple of variables that may change.
    fn may_change(&self, value: &Expression) -> bool {
        match &value.kind {
            ExpressionKind::Tuple(parts) => parts.iter().any(|part| match part.kind {
                ExpressionKind::Variable(id) => self.variables[id.0].mutable,
                _ => self.may_change(part),
            }),
            _ => false,
        }
    }

    /// Runs `read` where the names of a closure are, with its arguments bound; what has to stand before
    /// the value goes to `into`.
    pub fn inside<T>(
        &mut self,
        closure: &Closure,
        arguments: Vec<Expression>,
        into: &mut Vec<Statement>,
        read: impl FnOnce(&mut Self, &mut Vec<Statement>) -> Parsed<T>,
    ) -> Parsed<T> {
        if self.inlined >= DEEPEST {
            return Err(Fault::on(
                &closure.body,
                "calls that are too deep inside each other",
                "write loops instead of recursion",
            ));
        }
        if closure.parameters.len() != arguments.len() {
            return Err(Fault::on(
                &closure.body,
                format!(
                    "a closure of {} arguments is given {}",
                    closure.parameters.len(),
                    arguments.len()
                ),
                "pass as many as it declares",
            ));
        }
        self.inlined += 1;
        let mut scopes = closure.scopes.clone();
        scopes.push(HashMap::default());
        let around = std::mem::replace(&mut self.scopes, scopes);
        let before = std::mem::take(&mut self.before);
        let mut bound = Ok(());
        for (pattern, argument) in closure.parameters.iter().zip(arguments) {
            bound = bound.and_then(|()| self.bind(pattern, argument, into));
        }
        // What `return` leaves is the closure.
        let tail = self.tail.take();
        let value = bound.and_then(|()| read(self, into));
        self.tail = tail;
        into.append(&mut self.before);
        self.before = before;
        self.scopes = around;
        self.inlined -= 1;
        value
    }

    /// The value of a closure for some arguments.
    pub fn applied(
        &mut self,
        closure: &Closure,
        arguments: Vec<Expression>,
        expected: Option<&Type>,
        into: &mut Vec<Statement>,
    ) -> Parsed<Expression> {
        let result = closure.result.clone();
        let wanted = result.as_ref().or(expected);
        let value = self.inside(closure, arguments, into, |reader, into| {
            if let syn::Expr::Block(_) = strip(&closure.body) {
                reader.tail = Some(Tail::Function);
            }
            let value = reader.expression(&closure.body, wanted)?;
            into.append(&mut reader.before);
            Ok(value)
        })?;
        match &result {
            Some(result) if *result != value.ty => Err(Fault::on(
                &closure.body,
                format!(
                    "this is `{}`, but the closure returns `{}`",
                    show(&value.ty),
                    show(result)
                ),
                "make the types agree",
            )),
            _ => Ok(value),
        }
    }

    /// `f(x)` of a closure that has a name.
    pub fn closure_call(
        &mut self,
        at: usize,
        call: &syn::ExprCall,
        expected: Option<&Type>,
    ) -> Parsed<Expression> {
        let closure = self.closures[at].clone();
        let mut arguments = Vec::new();
        for (position, argument) in call.args.iter().enumerate() {
            let wanted = match closure.parameters.get(position) {
                Some(syn::Pat::Type(typed)) => Some(self.ty(&typed.ty)?),
                _ => None,
            };
            let value = self.expression(argument, wanted.as_ref())?;
            if let Some(wanted) = &wanted {
                self.is(argument, wanted);
            }
            arguments.push(coerced(value, wanted.as_ref()));
        }
        let mut statements = Vec::new();
        let value = self.applied(&closure, arguments, expected, &mut statements)?;
        Ok(self.after(statements, value, Span::of(call)))
    }

    /// A value behind statements.
    pub fn after(
        &mut self,
        statements: Vec<Statement>,
        value: Expression,
        span: Span,
    ) -> Expression {
        if statements.is_empty() {
            return Expression { span, ..value };
        }
        let ty = value.ty.clone();
        let block = self.numbered(span, statements, Some(Box::new(value)));
        typed(ExpressionKind::Block(Box::new(block)), ty, span)
    }
}

/// `&x` of what is a reference itself is that one, where one is wanted.
fn coerced(value: Expression, wanted: Option<&Type>) -> Expression {
    let Some(Type::Reference(wanted, _)) = wanted else {
        return value;
    };
    match value.kind {
        ExpressionKind::Reference(of) if matches!(&of.ty, Type::Reference(inner, _) if inner == wanted) => {
            *of
        }
        _ => value,
    }
}
