//! What nests are made of: loops, and calls of functions that have loops.

use std::collections::{HashMap, HashSet};

use proc_macro2::TokenStream;
use quote::ToTokens;

use super::skeleton::{Head, parts};
use super::tokens::identifiers;
use crate::syntax::statements::strip;
use crate::syntax::verbatim;

/// Functions and closures that a text may call, and how many loops stand one inside the other in each.
#[derive(Default)]
pub struct Callable {
    depths: HashMap<String, usize>,
    /// Closures in scope, innermost last.
    closures: Vec<Closure>,
}

/// A closure that has a name.
struct Closure {
    name: String,
    statement: TokenStream,
    /// How many names were bound before it.
    outside: usize,
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
        let (syn::Pat::Ident(name), Some(init)) = (&local.pat, &local.init) else {
            return;
        };
        if let (syn::Expr::Closure(own), None) = (strip(&init.expr), name.mutability) {
            let statements = match strip(&own.body) {
                syn::Expr::Block(body) => self.deepest(&body.block.stmts),
                _ => 0,
            };
            self.depths.insert(name.ident.to_string(), statements);
            self.closures.push(Closure {
                name: name.ident.to_string(),
                statement: local.to_token_stream(),
                outside,
            });
        }
    }

    /// The closures that some names lead to, where these are in scope and mean there what they mean here; their names
    /// join the others.
    pub fn closures(
        &self,
        scope: &[String],
        names: &mut HashMap<String, proc_macro2::Ident>,
    ) -> Option<Vec<&TokenStream>> {
        let mut found = Vec::new();
        for own in self.closures.iter().rev() {
            let here = scope.get(own.outside) == Some(&own.name);
            if !here || names.remove(&own.name).is_none() {
                continue;
            }
            let mut inside = HashMap::new();
            identifiers(own.statement.clone(), &mut inside);
            inside.remove(&own.name);
            let later: HashSet<&String> = scope[own.outside..].iter().collect();
            if later.contains(&own.name) && scope[own.outside + 1..].contains(&own.name)
                || inside.keys().any(|name| later.contains(name))
            {
                return None;
            }
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
