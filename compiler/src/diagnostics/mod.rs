//! Errors with spans: several at once, each with a line that says what to write instead.

use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use quote::quote_spanned;

/// Where something stands: its first and its last token, since spans cannot be joined.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    start: proc_macro2::Span,
    end: proc_macro2::Span,
}

impl Span {
    /// From the first to the last of some tokens.
    pub fn of(tokens: impl quote::ToTokens) -> Span {
        let mut spans = tokens.into_token_stream().into_iter().map(|t| t.span());
        let start = spans.next().unwrap_or_else(proc_macro2::Span::call_site);
        let end = spans.last().unwrap_or(start);
        Span { start, end }
    }

    /// From one token to another one.
    pub fn between(start: proc_macro2::Span, end: proc_macro2::Span) -> Span {
        Span { start, end }
    }

    /// The first token.
    pub fn start(self) -> proc_macro2::Span {
        self.start
    }

    /// The line where it starts.
    pub fn line(self) -> usize {
        self.start.start().line
    }

    /// The last token.
    pub fn end(self) -> proc_macro2::Span {
        self.end
    }
}

impl From<proc_macro2::Span> for Span {
    fn from(span: proc_macro2::Span) -> Span {
        Span {
            start: span,
            end: span,
        }
    }
}

/// One error.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: String,
    /// Whether this may well be Rust, which the compiler of Rust decides on: the kernel runs as written.
    pub beyond: bool,
}

impl Fault {
    /// An error at a span.
    pub fn new(
        span: impl Into<Span>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Fault {
        Fault {
            span: span.into(),
            message: message.into(),
            help: help.into(),
            beyond: false,
        }
    }

    /// What lies beyond the language of kernels and may well be Rust.
    pub fn beyond(
        tokens: impl quote::ToTokens,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Fault {
        Fault::beyond_at(Span::of(tokens), message, help)
    }

    /// What lies beyond the language of kernels and may well be Rust, at a span.
    pub fn beyond_at(
        span: impl Into<Span>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Fault {
        Fault {
            beyond: true,
            ..Fault::new(span, message, help)
        }
    }

    /// An error that underlines some tokens.
    pub fn on(
        tokens: impl quote::ToTokens,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Fault {
        Fault::new(Span::of(tokens), message, help)
    }

    /// What follows from an error that is reported where it is made: users do not see it.
    pub fn consequence() -> Fault {
        Fault::new(proc_macro2::Span::call_site(), "", "")
    }

    /// The text that the user sees.
    pub fn text(&self) -> String {
        if self.help.is_empty() {
            self.message.clone()
        } else {
            format!("{}\n\nhelp: {}", self.message, self.help)
        }
    }
}

/// A collection of errors.
#[derive(Debug, Default)]
pub struct Diagnostics {
    faults: Vec<Fault>,
}

/// Errors shown of one block.
const MOST: usize = 20;

impl Diagnostics {
    /// No errors.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds an error.
    pub fn push(&mut self, fault: Fault) {
        if !fault.message.is_empty() {
            self.faults.push(fault);
        }
    }

    /// Takes the last error back.
    pub fn pop(&mut self) -> Option<Fault> {
        self.faults.pop()
    }

    /// Adds the error of a result; its value, if there is one.
    pub fn take<T>(&mut self, result: Result<T, Fault>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(fault) => {
                self.push(fault);
                None
            }
        }
    }

    /// The first error that a condition holds for, if there is one.
    pub fn pop_first(&mut self, holds: impl Fn(&Fault) -> bool) -> Option<Fault> {
        let first = self.faults.iter().position(holds)?;
        Some(self.faults.remove(first))
    }

    /// True if nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.faults.len()
    }

    /// Forgets all but the first ones.
    pub fn truncate(&mut self, count: usize) {
        self.faults.truncate(count);
    }

    /// Takes all but the first ones for what may well be Rust.
    pub fn beyond_from(&mut self, count: usize) {
        let found = self.faults.iter_mut().skip(count);
        found.for_each(|fault| fault.beyond = true);
    }

    /// The texts of all errors.
    pub fn messages(&self) -> Vec<String> {
        self.faults.iter().map(Fault::text).collect()
    }

    /// `compile_error!`s for all errors, up to a limit.
    pub fn into_compile_error(self) -> TokenStream {
        self.faults.iter().take(MOST).map(compile_error).collect()
    }
}

/// `::core::compile_error! { "…" }`, its first and its last token where the error begins and ends:
/// the compiler underlines everything between them.
fn compile_error(fault: &Fault) -> TokenStream {
    let (start, end) = (fault.span.start, fault.span.end);
    let text = fault.text();
    let mut message = Literal::string(&text);
    message.set_span(end);
    let mut group = Group::new(Delimiter::Brace, TokenTree::Literal(message).into());
    group.set_span(end);
    let head = quote_spanned!(start=> ::core::compile_error!);
    head.into_iter().chain([TokenTree::Group(group)]).collect()
}
