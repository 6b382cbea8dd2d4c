//! What the files of a report say of a kernel.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use crate::diagnostics::Fault;
use crate::emit::{self, Kernel, Variant};
use crate::ir::text;
use crate::report::{self, Clock, Details, Facts, VariantText};
use crate::schedule;
use crate::syntax::ast::Function;

use super::Settings;
use super::stages::Stage;

/// Writes the files if they are wanted.
///
/// # Errors
/// If they cannot be written.
pub fn write(
    settings: &Settings,
    kernel: &Kernel,
    facts: &Facts,
    stages: &[Stage],
    clock: &Clock,
) -> Result<(), Fault> {
    let Some(destination) = &settings.report else {
        return Ok(());
    };
    let fault = |message: String| {
        let help = "let `LOOPWRIGHT_REPORT` name a folder that can be written, or unset it";
        Fault::new(kernel.function.name.span(), message, help)
    };
    let details = details(kernel, facts, stages, clock).map_err(fault)?;
    let name = &kernel.function.name;
    let written = destination.write(&details);
    written.map_err(|reason| fault(format!("the report of `{name}` is not written: {reason}")))
}

fn details(
    kernel: &Kernel,
    facts: &Facts,
    stages: &[Stage],
    clock: &Clock,
) -> Result<Details, String> {
    let span = kernel.function.name.span();
    let start = span.start();
    let title = format!(
        "// What `{}` of {} expands to, with comments.\n\n",
        kernel.function.name,
        span.file()
    );
    Ok(Details {
        facts: facts.clone(),
        file: span.file(),
        line: start.line,
        column: start.column,
        text: source(kernel),
        programs: programs(stages),
        picture: stages
            .last()
            .map(|stage| report::picture(&stage.program))
            .unwrap_or_default(),
        variants: kernel.variants.iter().map(variant).collect(),
        times: clock.times(),
        expansion: title + &report::code(emit::kernel(kernel)?),
    })
}

/// The programs that differ from the one before.
fn programs(stages: &[Stage]) -> Vec<(String, String)> {
    let mut result: Vec<(String, String)> = Vec::new();
    for stage in stages {
        let program = text::abbreviated(&stage.program);
        if result.last().is_none_or(|(_, last)| *last != program) {
            result.push((stage.name.to_owned(), program));
        }
    }
    result
}

fn variant(variant: &Variant) -> VariantText {
    VariantText {
        name: format!("{:?}, {:?}", variant.isa, variant.element).to_lowercase(),
        program: text::abbreviated(&variant.program),
        tree: schedule::text::print(&variant.program, &variant.schedule),
    }
}

/// The text of a kernel and the functions that are inlined.
fn source(kernel: &Kernel) -> String {
    let helpers = kernel.module.functions.iter().filter(|f| f.inlined);
    let functions = std::iter::once(kernel.function).chain(helpers);
    let texts: Vec<String> = functions.map(function).collect();
    texts.join("\n\n")
}

fn function(function: &Function) -> String {
    let parameters = function.inputs.iter().map(|input| {
        let (name, ty) = (&input.written, &input.type_tokens);
        quote!(#name: #ty)
    });
    let (visibility, name) = (&function.visibility, &function.name);
    let (generics, clause) = (&function.generics, &function.where_clause);
    let result = &function.result_tokens;
    let head = quote!(#visibility fn #name #generics (#(#parameters),*) #result #clause);
    format!("{} {}", report::excerpt(head), body(&function.body_tokens))
}

/// A body as the user wrote it, or printed where its text is not to be had.
fn body(tokens: &TokenStream) -> String {
    let span = tokens.clone().into_iter().next().map(|tree| tree.span());
    match span.and_then(|span: Span| span.source_text()) {
        Some(text) if text.starts_with('{') && text.ends_with('}') => unindented(&text),
        _ => report::code(tokens.clone()),
    }
}

/// A block whose last line begins at the first column.
fn unindented(text: &str) -> String {
    let last = text.lines().last().unwrap_or_default();
    let indent = last.len() - last.trim_start().len();
    let blank = |line: &str| line.len() - line.trim_start().len();
    let lines = text.lines().map(|line| &line[indent.min(blank(line))..]);
    lines.collect::<Vec<_>>().join("\n")
}
