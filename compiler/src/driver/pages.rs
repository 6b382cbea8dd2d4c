//! What the files of a report say of a kernel.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::diagnostics::Fault;
use crate::emit::{self, Kernel, Variant};
use crate::ir::{Program, text};
use crate::lower::Lowered;
use crate::report::{self, Clock, Details, Facts, VariantText};
use crate::schedule;
use crate::syntax::Verbatim;
use crate::syntax::ast::Function;

use super::Settings;
use super::stages::Stage;

/// Writes the files of a kernel of a block if they are wanted.
///
/// # Errors
/// If they cannot be written.
pub fn write(
    (settings, block): (&Settings, &TokenStream),
    kernel: &Kernel,
    lowered: Option<&Lowered>,
    (facts, stages): (&Facts, &[Stage]),
    clock: &Clock,
) -> Result<(), Fault> {
    let Some(destination) = &settings.report else {
        return Ok(());
    };
    let name = &kernel.function.name;
    let details = details(kernel, lowered, (facts, stages), clock).map(|details| Details {
        block: block.to_string(),
        ..details
    });
    details
        .and_then(|details| destination.write(&details))
        .map_err(|reason| fault(name, &reason))
}

/// Writes the files of a kernel that is emitted as it stands, and that is no more than its text.
///
/// # Errors
/// If they cannot be written.
pub fn verbatim(
    (settings, block): (&Settings, &TokenStream),
    kernel: &Verbatim,
    facts: &Facts,
    items: &TokenStream,
) -> Result<(), Fault> {
    let Some(destination) = &settings.report else {
        return Ok(());
    };
    let name = kernel.name();
    let (head, tokens) = kernel.text();
    let (body, first) = body(&tokens);
    let text = format!("{} {body}", report::excerpt(head));
    let lines = (0..text.lines().count()).map(|at| first.map_or(0, |first| first + at));
    let details = Details {
        facts: facts.clone(),
        lines: lines.collect(),
        text,
        block: block.to_string(),
        expansion: title(name) + &report::code(items.clone()),
        ..placed(name)
    };
    destination
        .write(&details)
        .map_err(|reason| fault(name, &reason))
}

fn fault(name: &Ident, reason: &str) -> Fault {
    let help = "let `LOOPWRIGHT_REPORT` name a folder that can be written, or unset it";
    let message = format!("the report of `{name}` is not written: {reason}");
    Fault::new(name.span(), message, help)
}

/// The first lines of the code.
fn title(name: &Ident) -> String {
    let file = name.span().file();
    format!("// What `{name}` of {file} expands to, with comments.\n\n")
}

/// Where a kernel stands.
fn placed(name: &Ident) -> Details {
    let (span, start) = (name.span(), name.span().start());
    Details {
        file: span.file(),
        line: start.line,
        column: start.column,
        ..Details::default()
    }
}

fn details(
    kernel: &Kernel,
    lowered: Option<&Lowered>,
    (facts, stages): (&Facts, &[Stage]),
    clock: &Clock,
) -> Result<Details, String> {
    let base = stages.last().map(|last| &last.program);
    let base = base.or(lowered.map(|lowered| &lowered.program));
    let variants = kernel.variants.iter();
    let variants: Vec<VariantText> = variants.map(|own| variant(own, base)).collect();
    let mut links = Vec::new();
    for (variant, text) in kernel.variants.iter().zip(&variants) {
        if let Some(lowered) = lowered {
            report::link(&variant.program, &text.tree, lowered, &mut links);
        }
    }
    let name = &kernel.function.name;
    let programs_of = stages.first().zip(stages.last());
    let (text, lines) = source(kernel);
    Ok(Details {
        facts: facts.clone(),
        text,
        lines,
        links,
        programs: programs(stages),
        pictures: programs_of
            .map(|(first, last)| report::pictures(&first.program, &last.program))
            .unwrap_or_default(),
        variants,
        times: clock.times(),
        expansion: title(name) + &report::code(emit::kernel(kernel)?),
        ..placed(name)
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

fn variant(variant: &Variant, base: Option<&Program>) -> VariantText {
    VariantText {
        name: format!("{:?}, {:?}", variant.isa, variant.element).to_lowercase(),
        program: text::abbreviated(&variant.program),
        tree: schedule::text::print(&variant.program, &variant.schedule),
        plan: base
            .map(|base| schedule::text::plan::print(base, &variant.program, &variant.schedule))
            .unwrap_or_default(),
    }
}

/// The text of a kernel and the functions that are inlined, and the line in the file of each of its lines.
fn source(kernel: &Kernel) -> (String, Vec<usize>) {
    let helpers = kernel.module.functions.iter().filter(|f| f.inlined);
    let (mut texts, mut lines) = (Vec::new(), Vec::new());
    for function in std::iter::once(kernel.function).chain(helpers) {
        let (text, first) = self::function(function);
        if !texts.is_empty() {
            lines.push(0);
        }
        lines.extend((0..text.lines().count()).map(|at| first.map_or(0, |first| first + at)));
        texts.push(text);
    }
    (texts.join("\n\n"), lines)
}

/// A function's text, and the line of its first one.
fn function(function: &Function) -> (String, Option<usize>) {
    let parameters = function.inputs.iter().map(|input| {
        let (name, ty) = (&input.written, &input.type_tokens);
        quote!(#name: #ty)
    });
    let (visibility, name) = (&function.visibility, &function.name);
    let (generics, clause) = (&function.generics, &function.where_clause);
    let result = &function.result_tokens;
    let head = quote!(#visibility fn #name #generics (#(#parameters),*) #result #clause);
    let (body, line) = body(&function.body_tokens);
    (format!("{} {body}", report::excerpt(head)), line)
}

/// A body as the user wrote it, with its first line, or printed where its text is not to be had.
fn body(tokens: &TokenStream) -> (String, Option<usize>) {
    let span = tokens.clone().into_iter().next().map(|tree| tree.span());
    match span.and_then(|span: Span| Some((span.source_text()?, span.start().line))) {
        Some((text, line)) if text.starts_with('{') && text.ends_with('}') => {
            (unindented(&text), Some(line))
        }
        _ => (report::code(tokens.clone()), None),
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
