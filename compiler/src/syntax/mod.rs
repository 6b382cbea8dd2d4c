//! The kernel language: the only room that knows `syn`.

mod aliases;
mod allocations;
mod arrays;
mod assertions;
mod assigned;
pub mod ast;
mod beside;
mod branch_types;
mod branches;
mod calls;
mod checks;
mod closures;
mod composed;
mod compound;
mod constant_integers;
mod constant_values;
mod constants;
mod conversions;
pub mod cost;
mod counting;
mod expressions;
pub mod extremum;
mod foreign;
mod functions;
mod imports;
mod include;
mod inference;
mod inputs;
mod inside;
mod instances;
mod integer_type;
mod items;
mod iterators;
mod lookups;
mod loops;
mod matches;
mod methods;
pub mod nests;
mod numbers;
mod operands;
mod operations;
pub mod operators;
mod options;
mod outside;
mod parted;
mod parts;
mod powers;
mod precomputed;
mod receivers;
mod records;
mod relevant;
mod results;
mod rounded;
mod scope;
mod signatures;
mod sizes;
mod spans;
mod statements;
mod storages;
mod stored;
mod stubs;
pub mod tables;
pub mod tabulate;
mod text;
mod truths;
mod types;
mod verbatim;
mod views;

use proc_macro2::TokenStream;

use crate::diagnostics::{Diagnostics, Fault};

type Parsed<T> = Result<T, Fault>;

/// Parses a `kernel!` block. What is wrong goes to `diagnostics`; the module is there if a part
/// of it could be read.
pub fn parse(tokens: TokenStream, diagnostics: &mut Diagnostics) -> Option<ast::Module> {
    items::parse(tokens, diagnostics)
}

pub use aliases::spelled_out;
pub use allocations::is_local;
pub use extremum::is_same;
pub use inside::inside;
pub use lookups::{are_inside, looks_up, looks_up_narrow};
pub use precomputed::precomputed;
pub use receivers::as_functions;
pub use relevant::{counters, relevant};
pub use stubs::stubs;
pub use types::{behind, show, valid_subscripts};
pub use verbatim::{Compiled, Split, Verbatim, silenced, split};
