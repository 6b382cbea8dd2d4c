//! What nests are made of: loops, and calls of functions that have loops.

use proc_macro2::TokenStream;
use quote::ToTokens;

use super::skeleton::{Head, is_unsettled, parts};
use super::tokens::identifiers;
use crate::collections::{HashMap, HashSet};
use crate::syntax::statements::strip;
use crate::syntax::verbatim;

/// Functions and closures that a text may call, and how many loops stand one inside the other in each.
#[derive(Default)]
pub struct Callable {
    depths: HashMap<String, usize>,
    /// Closures in scope, and numbers that are made of others, innermost last.
    defined: Vec<Defined>,
}

/// What stands for the same wherever it is in scope, if the names in it do.
struct Defined {
    names: Vec<String>,
    statement: TokenStream,
    /// How many names were bound before it.
    outside: usize,
    /// It is made of numbers, which have to be the same where it is used.
    is_number: bool,
}

impl Callable {
    /// The functions of a block.
    pub fn of(items: &[&syn::Item]) -> Callable {
        let mut own = Callable::default();
        for item in items {
            if let syn::Item::Fn(function) = item
                && !verbatim::is_kernel(function)
            {
                let depth = own.deepest(&function.block.stmts);
                own.depths.insert(function.sig.ident.to_string(), depth);
            }
        }
        own
    }

    /// A name that is bound after some others, perhaps to a closure, which hides those of this name.
    pub fn bind(&mut self, local: &syn::Local, outside: usize) {
        for name in super::names(&local.pat) {
            self.depths.remove(&name);
        }
        let Some(init) = &local.init else { return };
        let names = match &local.pat {
            syn::Pat::Ident(name) => vec![name],
            syn::Pat::Tuple(own) => (own.elems.iter())
                .filter_map(|part| match part {
                    syn::Pat::Ident(name) => Some(name),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        };
        let mut named = HashMap::default();
        identifiers(init.expr.to_token_stream(), &mut named);
        let shadows = names
            .iter()
            .any(|own| named.contains_key(&own.ident.to_string()));
        let is_number = is_arithmetic(&init.expr) && !is_unsettled(&init.expr) && !shadows;
        if let (syn::Expr::Closure(own), [name]) = (strip(&init.expr), names.as_slice()) {
            let statements = match strip(&own.body) {
                syn::Expr::Block(body) => self.deepest(&body.block.stmts),
                _ => 0,
            };
            self.depths.insert(name.ident.to_string(), statements);
        } else if !is_number || names.len() != super::names(&local.pat).len() {
            return;
        }
        if names.iter().all(|name| name.mutability.is_none()) {
            self.defined.push(Defined {
                names: names.iter().map(|name| name.ident.to_string()).collect(),
                statement: local.to_token_stream(),
                outside,
                is_number,
            });
        }
    }

    /// The definitions that some names lead to, where these are in scope and mean there what they mean here; their names
    /// join the others. Numbers stay names where what they are made of may change.
    pub fn definitions(
        &self,
        scope: &[String],
        names: &mut HashMap<String, proc_macro2::Ident>,
        is_fixed: impl Fn(&String) -> bool,
    ) -> Option<Vec<&TokenStream>> {
        let mut found = Vec::new();
        for own in self.defined.iter().rev() {
            let end = own.outside + own.names.len();
            let bound: HashSet<&String> = scope.iter().take(end).skip(own.outside).collect();
            let here = own.names.iter().all(|name| bound.contains(name));
            let is_used = own.names.iter().any(|name| names.contains_key(name));
            if !here || !is_used {
                continue;
            }
            let mut inside = HashMap::default();
            identifiers(own.statement.clone(), &mut inside);
            inside.retain(|name, _| !own.names.contains(name) && name != "let");
            let later: HashSet<&String> = scope[end..].iter().collect();
            let hidden = own.names.iter().any(|name| later.contains(name));
            let changed = inside.keys().any(|name| later.contains(name));
            if own.is_number && (hidden || changed || !inside.keys().all(&is_fixed)) {
                continue;
            }
            if hidden || changed {
                return None;
            }
            names.retain(|name, _| !own.names.contains(name));
            names.extend(inside);
            found.insert(0, &own.statement);
        }
        Some(found)
    }

    /// Whether a statement may be one of a nest.
    pub fn is_step(&self, statement: &syn::Stmt) -> bool {
        match statement {
            syn::Stmt::Expr(syn::Expr::ForLoop(own), _) => own.label.is_none(),
            syn::Stmt::Expr(expr, Some(_)) => called(expr).is_some() && self.depth(statement) > 0,
            _ => false,
        }
    }

    /// How many loops stand one inside the other.
    pub fn depth(&self, statement: &syn::Stmt) -> usize {
        let syn::Stmt::Expr(expr, _) = statement else {
            return 0;
        };
        let call = called(expr).and_then(|name| self.depths.get(&name.to_string()));
        let inner = parts(expr).into_iter().map(|(head, block)| {
            usize::from(matches!(head, Head::For(_))) + self.deepest(&block.stmts)
        });
        inner.chain(call.copied()).max().unwrap_or_default()
    }

    fn deepest(&self, statements: &[syn::Stmt]) -> usize {
        let depths = statements.iter().map(|own| self.depth(own));
        depths.max().unwrap_or_default()
    }
}

/// The function that a statement calls by its name.
pub fn called(expr: &syn::Expr) -> Option<&proc_macro2::Ident> {
    match expr {
        syn::Expr::Call(call) => match &*call.func {
            syn::Expr::Path(path) => path.path.get_ident(),
            _ => None,
        },
        _ => None,
    }
}

/// The loops and calls of a statement, each of which has a marker.
pub fn marked(statement: &syn::Stmt) -> usize {
    let syn::Stmt::Expr(expr, _) = statement else {
        return 0;
    };
    let inner = parts(expr).into_iter().map(|(head, block)| {
        let inner: usize = block.stmts.iter().map(marked).sum();
        usize::from(matches!(head, Head::For(_))) + inner
    });
    usize::from(called(expr).is_some()) + inner.sum::<usize>()
}

/// Whether a value is made of names, literals and arithmetic alone.
fn is_arithmetic(value: &syn::Expr) -> bool {
    match strip(value) {
        syn::Expr::Path(own) => own.path.get_ident().is_some(),
        syn::Expr::Lit(_) => true,
        syn::Expr::Binary(own) => is_arithmetic(&own.left) && is_arithmetic(&own.right),
        syn::Expr::Cast(own) => is_arithmetic(&own.expr),
        syn::Expr::Tuple(own) => own.elems.iter().all(is_arithmetic),
        _ => false,
    }
}
