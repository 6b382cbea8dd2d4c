//! The way of a kernel through the rooms.

mod advice;
mod asked;
mod bounded;
mod candidates;
mod defects;
mod few_bits;
mod few_elements;
mod in_order;
mod inside;
mod kernel;
mod layouts;
mod measure;
mod nests;
mod numbers;
mod pages;
mod partial;
mod planned;
mod stages;
mod texts;
mod validated;
mod variants;
mod weighed;
mod worth;

pub use defects::{Defect, Parts, Plant};

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;

use crate::collections::HashMap;
use crate::diagnostics::{Diagnostics, Fault, Span};
use crate::elements::MAX_ENTRIES;
use crate::emit;
use crate::report::{self, Clock, Destination, Facts};
use crate::syntax::nests::Nested;
use crate::syntax::tabulate::Wanted;
use crate::syntax::{self, ast::FunctionId};

/// What becomes of a kernel whose expansion is not its source, or at which the compiler panics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InternalErrors {
    /// An error, as tests of the compiler want it.
    #[default]
    Strict,
    /// The kernel is expanded with the passes up to the last one after which it is its source, or runs
    /// as written; the report says so.
    Recover,
}

/// What does not stand in the text.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// What becomes of kernels that the compiler fails at.
    pub internal_errors: InternalErrors,
    /// A defect for tests of validation.
    pub plant: Plant,
    /// Where reports are written, if anywhere.
    pub report: Option<Destination>,
    /// Whether kernels are read and checked, and then run as they are written: for editors and lints, which
    /// run nothing of what they look at.
    pub as_written: bool,
}

impl Settings {
    /// Whether programs are checked after each pass: in debug builds, wherever an internal error is an error, and
    /// where a defect is there to be found by that. One that validation has to find would be found by this.
    fn checks_structure(&self) -> bool {
        let strict = self.internal_errors == InternalErrors::Strict;
        let planted = self.plant.after.is_some();
        (cfg!(debug_assertions) || strict || planted) && !self.plant.is_for_validation()
    }
}

/// Expands `CRATE; TEXT`.
pub fn expand(input: TokenStream) -> TokenStream {
    expand_under(input, &Settings::default())
}

/// Expands `CRATE; TEXT` under some settings.
pub fn expand_under(input: TokenStream, settings: &Settings) -> TokenStream {
    let (krate, text) = split(input);
    expand_with(&krate, text, settings)
}

/// Expands a block. Where the compiler panics before there are kernels, or between them, the block has an
/// error.
pub fn expand_with(krate: &TokenStream, text: TokenStream, settings: &Settings) -> TokenStream {
    let span = Span::of(text.clone());
    let expanded = caught(|| block(krate, text.clone(), settings));
    expanded.unwrap_or_else(|message| {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(Fault::new(span, message, REPORT_IT));
        let stubs = caught(|| syntax::stubs(krate, text)).unwrap_or_default();
        let errors = diagnostics.into_compile_error();
        quote!(#errors #stubs)
    })
}

/// What to do about an internal error.
const REPORT_IT: &str = "please report this kernel; `#[opt(level = 0)]` expands it as written";

/// What a part of the compiler returns; its message where it panics.
fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or(panic.downcast_ref::<&str>().copied());
        let text = text.unwrap_or("no message");
        format!("internal compiler error, a panic: {text}")
    })
}

fn block(krate: &TokenStream, text: TokenStream, settings: &Settings) -> TokenStream {
    let mut diagnostics = Diagnostics::new();
    settings.plant.at("syntax");
    let text = syntax::as_functions(syntax::spelled_out(text));
    let mut clock = Clock::new(settings.report.is_some());
    let module = syntax::parse(text.clone(), &mut diagnostics);
    let Some(module) = module.filter(|_| diagnostics.is_empty()) else {
        // Texts of which it was asked whether they have lanes: these are not compiled again.
        let mut known = HashMap::default();
        let mut has_lanes = |name: &Ident| {
            let own = nests::nested((krate, &text), name, (settings, &Rc::default()));
            let own = known.entry(name.to_string()).or_insert(own);
            own.as_ref().is_some_and(|own| own.whole)
        };
        return match syntax::split(text.clone(), &mut has_lanes) {
            Some(split) => without_verbatim(krate, &text, (split, known), settings),
            None => failed(krate, text, diagnostics),
        };
    };
    clock.lap("syntax");
    let mut result = emit::structs(krate, &module.structs);
    result.extend(module.beside.clone());
    for (at, function) in module.functions.iter().enumerate() {
        if function.inlined {
            continue;
        }
        let work = Rc::default();
        let block = kernel::Block {
            krate,
            module: &module,
            text: &text,
            settings,
            nests: true,
            work: &work,
        };
        if let Some(items) = diagnostics.take(block.guarded(FunctionId(at), &clock)) {
            result.extend(items);
        }
    }
    if diagnostics.is_empty() {
        result.extend(emit::scope(krate, &module, &text));
        result
    } else {
        failed(krate, text, diagnostics)
    }
}

/// Expands what is left of a block, with the kernels that run as they are written.
fn without_verbatim(
    krate: &TokenStream,
    text: &TokenStream,
    (split, mut known): (syntax::Split, HashMap<String, Option<Nested>>),
    settings: &Settings,
) -> TokenStream {
    let mut result = split.items;
    let mut diagnostics = Diagnostics::new();
    for kernel in &split.kernels {
        let fault = &kernel.reason;
        let (line, message, help) = (fault.span.line(), &fault.message, &fault.help);
        let by = if kernel.asked { ", by `fallback`" } else { "" };
        let compiled = match kernel.missing() {
            Some(_) => "",
            None => ", compiled for each instruction set",
        };
        let mut notes = vec![format!(
            "runs as written{by}{compiled}: {message} (line {line}; {help})"
        )];
        notes.extend(kernel.missing().map(str::to_owned));
        let nested = known.remove(&kernel.name().to_string()).unwrap_or_else(|| {
            nests::nested((krate, text), kernel.name(), (settings, &Rc::default()))
        });
        let nested = nested.filter(|_| kernel.missing().is_none());
        notes.extend(nested.iter().map(|own| nests::note(kernel.name(), own)));
        let facts = Facts {
            kernel: kernel.name().to_string(),
            per: "call".to_owned(),
            notes,
            ..Facts::default()
        };
        let whole = nested.as_ref().filter(|own| own.whole);
        let report = match whole.and_then(|own| own.kernels.first()) {
            Some((_, own)) => report::constant_of(krate, &facts.kernel, own),
            None => report::constant(krate, &facts),
        };
        let compiled = emit::compiled(krate, &kernel.isa);
        let items = kernel.items(krate, &report, &compiled, nested.as_ref());
        diagnostics.take(pages::verbatim((settings, text), kernel, &facts, &items));
        result.extend(items);
    }
    if !diagnostics.is_empty() {
        result.extend(diagnostics.into_compile_error());
    }
    if !split.rest.is_empty() {
        result.extend(expand_with(krate, split.rest, settings));
    }
    result
}

/// The errors, and typed stand-ins for the functions so that no other errors follow.
fn failed(krate: &TokenStream, text: TokenStream, diagnostics: Diagnostics) -> TokenStream {
    let errors = diagnostics.into_compile_error();
    let stubs = syntax::stubs(krate, text);
    quote!(#errors #stubs)
}

/// The facade's path, and the block.
fn split(input: TokenStream) -> (TokenStream, TokenStream) {
    let mut krate = TokenStream::new();
    let mut trees = input.into_iter();
    for tree in trees.by_ref() {
        match &tree {
            TokenTree::Punct(p) if p.as_char() == ';' => break,
            _ => krate.extend([tree]),
        }
    }
    (krate, trees.collect())
}

/// Expands `CRATE; REQUEST`, a `tabulate!(…)` that stands outside of kernels.
pub fn tabulate(input: TokenStream) -> TokenStream {
    let (krate, request) = split(input);
    let mut diagnostics = Diagnostics::new();
    let span = proc_macro2::Span::call_site();
    let wanted = Wanted {
        shape: None,
        most: MAX_ENTRIES,
    };
    let table = caught(|| syntax::tabulate::tabulate(request, span, wanted));
    let table = table.unwrap_or_else(|message| Err(Fault::new(span, message, REPORT_IT)));
    match diagnostics.take(table) {
        Some(table) => syntax::tables::expression(&krate, &table.values, &table.shape),
        None => diagnostics.into_compile_error(),
    }
}
