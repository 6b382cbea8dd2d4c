//! What was decided: the constant `REPORT` of an expanded kernel, and the files that a build writes
//! where the environment variable `LOOPWRIGHT_REPORT` names a folder.

mod clock;
mod files;
mod graph;
mod json;
mod links;
mod page;
mod rust;
mod stencil;
mod tables;
mod weighed;
mod words;

pub use clock::Clock;
pub use files::Destination;
pub use links::{Link, link};
pub use rust::{code, excerpt};
pub use words::did;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use crate::analysis::cost::Cost;
use crate::analysis::traffic::Traffic;
use crate::ir::Program;

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
    /// The loops that lanes run over, the best instruction set first.
    pub lanes: Vec<LanesFacts>,
    /// Bytes that one iteration reads and writes.
    pub traffic: Traffic,
    /// What could not be done, and where.
    pub notes: Vec<String>,
    /// What would make the kernel faster, in words about its text.
    pub advice: Vec<String>,
}

/// The loop that the lanes of an instruction set run over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LanesFacts {
    /// The instruction set.
    pub isa: String,
    /// Numbers in a vector.
    pub width: usize,
    /// The loop's name; empty without lanes.
    pub over: String,
    /// Predicted cycles of one iteration of what is counted.
    pub cycles: f64,
    /// How the loop tree differs from one vector a step.
    pub with: String,
    /// The other loops: those that were weighed have their cycles, those that cannot have lanes a reason.
    pub others: Vec<(String, Result<f64, String>)>,
}

/// How a report names what runs where `rustc` makes the better loops of a text.
const AS_WRITTEN: &str = "as written";

impl LanesFacts {
    /// What is said where the text itself runs, if it does, which takes a part of the cycles of the best loop tree.
    #[must_use]
    pub fn of_text(mut self, part: Option<f64>) -> LanesFacts {
        if let Some(part) = part {
            self.others.insert(0, (self.over.clone(), Ok(self.cycles)));
            self.cycles *= part;
            self.over.clear();
            self.with = AS_WRITTEN.to_owned();
        }
        self
    }
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
    /// What it did, in one line; empty if it changed nothing.
    pub did: String,
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
    /// The whole block that it stands in.
    pub block: String,
    /// The program as lowered and after each pass that changed it, with the pass's name.
    pub programs: Vec<(String, String)>,
    /// The loop trees: instruction set and element type, equations, and the tree.
    pub variants: Vec<VariantText>,
    /// The line in the file of each line of the text; 0 where it has none.
    pub lines: Vec<usize>,
    /// What equations write, and the lines that say so.
    pub links: Vec<Link>,
    /// Pictures, with their titles.
    pub pictures: Vec<(String, String)>,
    /// Stages and the milliseconds they took.
    pub times: Vec<(&'static str, f64)>,
    /// The expansion, pretty-printed.
    pub expansion: String,
}

/// The pictures that fit a kernel: of the program of its text and of the one that is scheduled.
pub fn pictures(text: &Program, scheduled: &Program) -> Vec<(String, String)> {
    let mut result = stencil::pictures(text);
    result.extend(tables::pictures(text));
    for (title, picture) in tables::pictures(scheduled) {
        let drawn = result.iter().any(|(other, _)| *other == title);
        result.extend((!drawn).then_some((title, picture)));
    }
    let graph = graph::picture(scheduled);
    let title = "Equations, and which one reads what another computes; equal colours: equal loops";
    result.extend((!graph.is_empty()).then(|| (title.to_owned(), graph)));
    result
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
    /// Both as the option `plan` takes them.
    pub plan: String,
}

/// The environment variable by which kernels run as they are written, whatever they say. Expansions name it, so that
/// Cargo builds them again when it changes.
const ALL_AS_WRITTEN: &str = "LOOPWRIGHT_AS_WRITTEN";

/// The report of a kernel that is another one, which stands in its module.
pub fn constant_of(krate: &TokenStream, kernel: &str, of: &Ident) -> TokenStream {
    quote!(#krate::__private::Report { kernel: #kernel, ..self::#of::REPORT })
}

/// The report as a constant expression; `krate` is the path of the facade. Naming the environment
/// variables makes Cargo build the crate again where they have changed.
pub fn constant(krate: &TokenStream, facts: &Facts) -> TokenStream {
    let Facts {
        kernel,
        per,
        notes,
        advice,
        traffic: Traffic { read, written },
        ..
    } = facts;
    let [read, written] = [*read, *written].map(Literal::u64_unsuffixed);
    let source = cost(krate, &facts.source);
    let expansion = cost(krate, &facts.expansion);
    let once = cost(krate, &facts.once);
    let levels = facts.levels.iter().map(|level| {
        let LevelFacts { per, times, .. } = level;
        let cost = cost(krate, &level.cost);
        quote!(#krate::__private::Level { per: #per, times: #times, cost: #cost })
    });
    let passes = facts.passes.iter().map(|pass| {
        let PassFacts {
            name,
            decisions,
            did,
            ..
        } = pass;
        let (before, after) = (cost(krate, &pass.before), cost(krate, &pass.after));
        quote!(#krate::__private::PassReport { name: #name, before: #before, after: #after, decisions: &[#(#decisions),*], did: #did })
    });
    let lanes = facts.lanes.iter().map(|facts| lanes(krate, facts));
    let [files, as_written] = [files::VARIABLE, ALL_AS_WRITTEN];
    quote! {{
        const _: [::core::option::Option<&'static str>; 2] = [::core::option_env!(#files), ::core::option_env!(#as_written)];
        #krate::__private::Report {
            kernel: #kernel,
            per: #per,
            source: #source,
            expansion: #expansion,
            once: #once,
            levels: &[#(#levels),*],
            passes: &[#(#passes),*],
            lanes: &[#(#lanes),*],
            traffic: #krate::__private::Traffic { read: #read, written: #written },
            notes: &[#(#notes),*],
            advice: &[#(#advice),*],
        }
    }}
}

fn lanes(krate: &TokenStream, facts: &LanesFacts) -> TokenStream {
    let millicycles = |cycles: f64| Literal::u64_unsuffixed((cycles * 1e3).round() as u64);
    let LanesFacts {
        isa, over, with, ..
    } = facts;
    let (width, cycles) = (facts.width as u64, millicycles(facts.cycles));
    let width = Literal::u64_unsuffixed(width);
    let others = facts.others.iter().map(|(over, weighed)| {
        let (cycles, reason) = match weighed {
            Ok(cycles) => (*cycles, ""),
            Err(reason) => (0.0, reason.as_str()),
        };
        let cycles = millicycles(cycles);
        quote!(#krate::__private::OtherLanes { over: #over, millicycles: #cycles, reason: #reason })
    });
    quote!(#krate::__private::Lanes {
        isa: #isa, width: #width, over: #over, millicycles: #cycles, with: #with, others: &[#(#others),*]
    })
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
    .map(Literal::u64_unsuffixed);
    quote!(#krate::__private::cost([#(#counts),*]))
}
