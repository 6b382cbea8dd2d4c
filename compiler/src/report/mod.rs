//! What was decided: the constant `REPORT` of an expanded kernel, and the files that a build writes
//! where the environment variable `LOOPWRIGHT_REPORT` names a folder.

mod clock;
mod files;
mod graph;
mod json;
mod page;
mod rust;

pub use clock::Clock;
pub use files::Destination;
pub use graph::picture;
pub use rust::{code, excerpt};

use proc_macro2::TokenStream;
use quote::quote;

use crate::analysis::cost::Cost;

/// What a report states.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The kernel's name.
    pub kernel: String,
    /// What one count is of: `call`, or the names of run-time loops.
    pub per: String,
    /// The text as written.
    pub source: Cost,
    /// What is executed.
    pub expansion: Cost,
    /// What is executed once a call, outside of the loops of `per`.
    pub once: Cost,
    /// What is executed, loop by loop.
    pub levels: Vec<LevelFacts>,
    /// The passes, in order.
    pub passes: Vec<PassFacts>,
    /// What could not be done, and where.
    pub notes: Vec<String>,
}

/// What one iteration of some loops executes, inside no others whose length is known at run time only.
#[derive(Clone, Debug, Default)]
pub struct LevelFacts {
    /// The names of the loops, outermost first, or `call`.
    pub per: String,
    /// How many iterations there are.
    pub times: String,
    /// What is executed.
    pub cost: Cost,
}

/// What a pass did.
#[derive(Clone, Debug, Default)]
pub struct PassFacts {
    /// Its name.
    pub name: String,
    /// Cost of the program before it.
    pub before: Cost,
    /// Cost after it.
    pub after: Cost,
    /// What was decided, among which alternatives.
    pub decisions: Vec<String>,
}

/// Everything that the files of one kernel are written from.
#[derive(Clone, Debug, Default)]
pub struct Details {
    /// What `REPORT` states.
    pub facts: Facts,
    /// The file of the text.
    pub file: String,
    /// The kernel's line in it.
    pub line: usize,
    /// The column of its name.
    pub column: usize,
    /// The text as written, with the functions that it calls.
    pub text: String,
    /// The program as lowered and after each pass that changed it, with the pass's name.
    pub programs: Vec<(String, String)>,
    /// The loop trees: instruction set and element type, equations, and the tree.
    pub variants: Vec<VariantText>,
    /// A picture of the program that is scheduled.
    pub picture: String,
    /// Stages and the milliseconds they took.
    pub times: Vec<(&'static str, f64)>,
    /// The expansion, pretty-printed.
    pub expansion: String,
}

/// A variant as text.
#[derive(Clone, Debug, Default)]
pub struct VariantText {
    /// The instruction set and the element type.
    pub name: String,
    /// The program that is scheduled.
    pub program: String,
    /// The loop tree.
    pub tree: String,
}

/// The report as a constant expression; `krate` is the path of the facade. Naming the environment
/// variable makes Cargo build the crate again where it has changed.
pub fn constant(krate: &TokenStream, facts: &Facts) -> TokenStream {
    let Facts {
        kernel, per, notes, ..
    } = facts;
    let source = cost(krate, &facts.source);
    let expansion = cost(krate, &facts.expansion);
    let once = cost(krate, &facts.once);
    let levels = facts.levels.iter().map(|level| {
        let LevelFacts { per, times, .. } = level;
        let cost = cost(krate, &level.cost);
        quote!(#krate::__private::Level { per: #per, times: #times, cost: #cost })
    });
    let passes = facts.passes.iter().map(|pass| {
        let PassFacts { name, decisions, .. } = pass;
        let (before, after) = (cost(krate, &pass.before), cost(krate, &pass.after));
        quote!(#krate::__private::PassReport { name: #name, before: #before, after: #after, decisions: &[#(#decisions),*] })
    });
    let variable = files::VARIABLE;
    quote! {{
        const _: ::core::option::Option<&'static str> = ::core::option_env!(#variable);
        #krate::__private::Report {
            kernel: #kernel,
            per: #per,
            source: #source,
            expansion: #expansion,
            once: #once,
            levels: &[#(#levels),*],
            passes: &[#(#passes),*],
            notes: &[#(#notes),*],
        }
    }}
}

/// A cost in one short call: tokens are what an expansion costs its reader, rustc.
fn cost(krate: &TokenStream, cost: &Cost) -> TokenStream {
    let counts = [
        cost.add,
        cost.mul,
        cost.div,
        cost.compare,
        cost.call,
        cost.temporary_bytes,
        cost.table_bytes,
    ]
    .map(proc_macro2::Literal::u64_unsuffixed);
    quote!(#krate::__private::cost([#(#counts),*]))
}
