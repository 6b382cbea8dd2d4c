//! The kernel language: the only room that knows `syn`.

mod allocations;
pub mod ast;
mod calls;
mod checks;
mod compound;
mod constants;
mod conversions;
pub mod cost;
mod expressions;
mod include;
mod integer_type;
mod items;
mod loops;
mod methods;
mod operations;
pub mod operators;
mod options;
mod outside;
mod scope;
mod signatures;
mod statements;
mod stubs;
pub mod tables;
pub mod tabulate;
mod types;
mod verbatim;
mod views;

use proc_macro2::{TokenStream, TokenTree};

use crate::diagnostics::{Diagnostics, Fault};

type Parsed<T> = Result<T, Fault>;

/// Parses a `kernel!` block. What is wrong goes to `diagnostics`; the module is there if a part
/// of it could be read.
pub fn parse(tokens: TokenStream, diagnostics: &mut Diagnostics) -> Option<ast::Module> {
    items::parse(tokens, diagnostics)
}

pub use stubs::stubs;
pub use types::{behind, show, valid_subscripts};
pub use verbatim::{Split, Verbatim, split};

/// Tokens of the functions' bodies: what limits of work allow is more for longer texts.
pub fn length(module: &ast::Module) -> usize {
    fn tokens(stream: &TokenStream) -> usize {
        let trees = stream.clone().into_iter().map(|tree| match tree {
            TokenTree::Group(group) => 1 + tokens(&group.stream()),
            _ => 1,
        });
        trees.sum()
    }
    module
        .functions
        .iter()
        .map(|f| tokens(&f.body_tokens))
        .sum()
}
