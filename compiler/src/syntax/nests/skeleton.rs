//! The part of a text that the language of kernels can read, for the types of its variables.
//!
//! ```text
//! let mut error = f64::MAX;                let mut error = f64::MAX;
//! while error > tolerance {                if error > tolerance {
//!     error = sweep(&a, &mut b);    ->         {}
//!     for i in 0..n { … }                      let __nest_0 = 0; for i in 0..n { … }
//!     std::mem::swap(&mut a, &mut b);      }
//! }
//! ```
//! Loops of unknown length are conditions or blocks, what leaves a loop is left out, and so is each statement that
//! cannot be read. Before each `for` loop and each call stands a marker, where the variables in scope are looked up.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

use super::steps::called;
use crate::collections::HashSet;
use crate::diagnostics::Diagnostics;
use crate::syntax::expressions::only_literals;
use crate::syntax::items::count;
use crate::syntax::statements::strip;
use crate::syntax::verbatim::words;

/// What a marker's name begins with.
pub const MARKER: &str = "__nest_";

/// The number of the marker where a function begins.
pub const START: usize = usize::MAX;

/// How often as many tokens are read as the function has: the work is linear in its length.
const READS: usize = 32;

/// Reads the statements of a function.
pub struct Skeleton {
    /// Items that the function needs, and its signature without a result.
    head: TokenStream,
    /// The type of its result.
    result: Option<TokenStream>,
    /// Blocks that are open: what stands before each, and its statements so far.
    frames: Vec<(TokenStream, TokenStream)>,
    /// Loops and calls so far.
    loops: usize,
    /// Names in statements that were left out.
    left_out: HashSet<String>,
    /// Tokens that are still read.
    work: usize,
}

impl Skeleton {
    /// The text that can be read, and the names in what is left out of it.
    pub fn of(function: &syn::ItemFn, needed: &TokenStream) -> (TokenStream, HashSet<String>) {
        let mut signature = function.sig.clone();
        let result = match &signature.output {
            syn::ReturnType::Default => None,
            syn::ReturnType::Type(_, ty) => Some(ty.to_token_stream()),
        };
        signature.output = syn::ReturnType::Default;
        signature.inputs = signature.inputs.into_iter().map(as_slice).collect();
        let parameters = readable(&signature, needed);
        // The reader wants something that is written; the result, which may be all that is, is left out.
        let parameters = parameters.into_iter().chain([written()]);
        signature.inputs = parameters.collect();
        let head = quote!(#needed pub #signature);
        let start = format_ident!("{MARKER}{START}");
        let mut skeleton = Skeleton {
            head,
            result,
            frames: vec![(TokenStream::new(), quote!(let #start = 0usize;))],
            loops: 0,
            left_out: HashSet::default(),
            work: READS * count(&function.to_token_stream()),
        };
        skeleton.statements(&function.block.stmts);
        let text = skeleton.text(&TokenStream::new());
        (text, skeleton.left_out)
    }

    /// The text so far, with some more statements in the innermost block.
    fn text(&self, more: &TokenStream) -> TokenStream {
        let mut inner = more.clone();
        for (at, (before, statements)) in self.frames.iter().enumerate().rev() {
            inner = quote!(#statements #inner);
            if at > 0 {
                inner = quote!(#before { #inner });
            }
        }
        let head = &self.head;
        quote!(#head { #inner })
    }

    /// Whether the text can be read with some more statements. Each time takes what there is of it so far: past the
    /// limit of work, nothing more is read.
    fn is_read(&mut self, more: &TokenStream) -> bool {
        let text = self.text(more);
        let Some(left) = self.work.checked_sub(count(&text)) else {
            return false;
        };
        self.work = left;
        errors(text) == 0
    }

    fn push(&mut self, more: TokenStream) {
        if let Some((_, statements)) = self.frames.last_mut() {
            statements.extend(more);
        }
    }

    /// Reads as many of some statements at once as can be read.
    fn statements(&mut self, all: &[syn::Stmt]) {
        let before = self.loops;
        let more = self.all_relaxed(all);
        if self.is_read(&more) {
            return self.push(more);
        }
        let after = std::mem::replace(&mut self.loops, before);
        match all {
            [] => {}
            [one] => self.parts_of(one),
            all => {
                let (first, second) = all.split_at(all.len() / 2);
                self.statements(first);
                self.statements(second);
            }
        }
        self.loops = after;
    }

    /// Reads what can be read of a statement.
    fn parts_of(&mut self, statement: &syn::Stmt) {
        if let syn::Stmt::Local(local) = statement {
            // What the value says of other variables is not read.
            words(statement.to_token_stream(), &mut self.left_out);
            let simpler = simplified(local);
            if self.is_read(&simpler) {
                self.push(simpler);
            }
            return;
        }
        let inner = match statement {
            syn::Stmt::Expr(expr, _) => parts(expr),
            _ => Vec::new(),
        };
        if matches!(statement, syn::Stmt::Expr(expr, _) if called(expr).is_some()) {
            let marker = self.marker();
            self.push(marker);
        }
        if inner.is_empty() {
            words(statement.to_token_stream(), &mut self.left_out);
        }
        for (head, block) in inner {
            if let Head::For(_) = head {
                let marker = self.marker();
                self.push(marker);
            }
            let before = head.tokens();
            let before = match self.is_read(&quote!(#before {})) {
                true => before,
                false => {
                    words(before, &mut self.left_out);
                    TokenStream::new()
                }
            };
            self.frames.push((before, TokenStream::new()));
            self.statements(&block.stmts);
            if let Some((before, statements)) = self.frames.pop() {
                self.push(quote!(#before { #statements }));
            }
        }
    }

    /// The marker of the next loop or call.
    fn marker(&mut self) -> TokenStream {
        let name = format_ident!("{MARKER}{}", self.loops);
        self.loops += 1;
        quote!(let #name = 0usize;)
    }

    /// A statement with markers, loops as blocks, and without what leaves them.
    fn relaxed(&mut self, statement: &syn::Stmt) -> TokenStream {
        match statement {
            syn::Stmt::Local(_) => statement.to_token_stream(),
            syn::Stmt::Expr(expr, semicolon) => {
                let inner = parts(expr);
                let mut tokens = TokenStream::new();
                if called(expr).is_some() {
                    tokens.extend(self.marker());
                }
                if inner.is_empty() {
                    tokens.extend(self.constrained(expr, semicolon.is_some()));
                    return tokens;
                }
                for (head, block) in inner {
                    if let Head::For(_) = head {
                        tokens.extend(self.marker());
                    }
                    let (head, body) = (head.tokens(), self.all_relaxed(&block.stmts));
                    tokens.extend(quote!(#head { #body }));
                }
                tokens
            }
            // What is printed says nothing of types.
            syn::Stmt::Macro(own) if is_printing(&own.mac) => TokenStream::new(),
            syn::Stmt::Macro(_) | syn::Stmt::Item(_) => {
                words(statement.to_token_stream(), &mut self.left_out);
                TokenStream::new()
            }
        }
    }

    fn all_relaxed(&mut self, all: &[syn::Stmt]) -> TokenStream {
        all.iter()
            .map(|statement| self.relaxed(statement))
            .collect()
    }

    /// An expression for what it says of types: one that is returned has the type of the result.
    fn constrained(&self, expr: &syn::Expr, is_statement: bool) -> TokenStream {
        let value = match expr {
            syn::Expr::Break(_) | syn::Expr::Continue(_) => return TokenStream::new(),
            syn::Expr::Return(own) => own.expr.as_deref(),
            syn::Expr::Macro(own) if is_printing(&own.mac) => return TokenStream::new(),
            other if is_statement => return quote!(#other;),
            other => Some(other),
        };
        match (value, &self.result) {
            (Some(value), Some(result)) => quote!(let __result: #result = #value;),
            _ => TokenStream::new(),
        }
    }
}

/// What stands before a block.
pub enum Head<'a> {
    /// `for PATTERN in VALUE`.
    For(&'a syn::ExprForLoop),
    /// A condition, with the names that it binds if it does.
    If(&'a syn::Expr),
    /// Nothing that tells more.
    Nothing,
}

impl Head<'_> {
    fn tokens(&self) -> TokenStream {
        match self {
            Head::For(own) => {
                let (pattern, values) = (&own.pat, &own.expr);
                quote!(for #pattern in #values)
            }
            Head::If(condition) if !binds(condition) => quote!(if #condition),
            Head::If(_) | Head::Nothing => TokenStream::new(),
        }
    }
}

/// Whether a condition binds names.
fn binds(condition: &syn::Expr) -> bool {
    let mut names = HashSet::default();
    words(condition.to_token_stream(), &mut names);
    names.contains("let")
}

/// The blocks of a statement that others may stand in, in the order of the text.
pub fn parts(expr: &syn::Expr) -> Vec<(Head<'_>, &syn::Block)> {
    match expr {
        syn::Expr::ForLoop(own) => vec![(Head::For(own), &own.body)],
        syn::Expr::While(own) => vec![(Head::If(&own.cond), &own.body)],
        syn::Expr::Loop(own) => vec![(Head::Nothing, &own.body)],
        syn::Expr::Block(own) if own.label.is_none() => vec![(Head::Nothing, &own.block)],
        syn::Expr::If(own) => {
            let mut all = vec![(Head::If(&own.cond), &own.then_branch)];
            if let Some((_, other)) = &own.else_branch {
                all.extend(parts(other));
            }
            all
        }
        _ => Vec::new(),
    }
}

/// How many errors a block has.
fn errors(text: TokenStream) -> usize {
    let mut diagnostics = Diagnostics::new();
    match crate::syntax::parse(text, &mut diagnostics) {
        Some(_) => diagnostics.len(),
        None => diagnostics.len().max(1),
    }
}

/// The parameters of a function without those that are errors.
fn readable(signature: &syn::Signature, needed: &TokenStream) -> Vec<syn::FnArg> {
    let errors = |inputs: &[syn::FnArg]| {
        let inputs = inputs.iter().cloned().collect();
        let signature = syn::Signature {
            inputs,
            ..signature.clone()
        };
        errors(quote!(#needed pub #signature {}))
    };
    let written = written();
    let most = errors(std::slice::from_ref(&written));
    let is_read = |own: &&syn::FnArg| errors(&[(*own).clone(), written.clone()]) <= most;
    signature.inputs.iter().filter(is_read).cloned().collect()
}

/// A parameter that is written.
fn written() -> syn::FnArg {
    syn::parse_quote!(__written: &mut [f64])
}

/// A parameter, where it is a reference to a vector as one to a slice.
fn as_slice(mut input: syn::FnArg) -> syn::FnArg {
    if let syn::FnArg::Typed(typed) = &mut input
        && let syn::Type::Reference(reference) = &mut *typed.ty
        && let Some(element) = element_of_vec(&reference.elem)
    {
        let elem = Box::new(element.clone());
        let bracket_token = syn::token::Bracket::default();
        *reference.elem = syn::Type::Slice(syn::TypeSlice {
            attrs: Vec::new(),
            bracket_token,
            elem,
        });
    }
    input
}

/// The name of a macro that prints.
fn is_printing(own: &syn::Macro) -> bool {
    ["println", "eprintln", "print", "eprint"]
        .iter()
        .any(|name| own.path.is_ident(name))
}

/// A `let` with a simpler value of the same type, where its type is written or is that of a copied array.
fn simplified(local: &syn::Local) -> TokenStream {
    let Some(init) = local.init.as_ref().filter(|init| init.diverge.is_none()) else {
        return local.to_token_stream();
    };
    by_parts(&local.pat, &init.expr).unwrap_or_else(|| simpler(&local.pat, &init.expr))
}

/// A `let` for each part of a tuple, where none of the names stands in what they are bound to.
fn by_parts(pattern: &syn::Pat, value: &syn::Expr) -> Option<TokenStream> {
    let (syn::Pat::Tuple(names), syn::Expr::Tuple(values)) = (pattern, strip(value)) else {
        return None;
    };
    let mut named = HashSet::default();
    words(values.to_token_stream(), &mut named);
    if names.elems.len() != values.elems.len()
        || super::names(pattern)
            .iter()
            .any(|name| named.contains(name))
    {
        return None;
    }
    let parts = names.elems.iter().zip(&values.elems);
    Some(parts.map(|(name, value)| simpler(name, value)).collect())
}

/// `let PATTERN = VALUE`, with a simpler value.
fn simpler(pattern: &syn::Pat, value: &syn::Expr) -> TokenStream {
    if let syn::Expr::MethodCall(call) = strip(value) {
        let copies = ["to_vec", "to_owned", "clone"]
            .iter()
            .any(|name| call.method == name);
        if copies && call.args.is_empty() {
            let receiver = &call.receiver;
            return quote!(let #pattern = vec![(#receiver)[0]; 1];);
        }
    }
    if let syn::Pat::Type(typed) = pattern {
        let (pattern, ty) = (&typed.pat, &typed.ty);
        let vec = element_of_vec(ty).and_then(zero);
        let vec = vec.map(|zero| quote!(let #pattern = vec![#zero; 1];));
        let number = || zero(ty).map(|zero| quote!(let #pattern: #ty = #zero;));
        return vec
            .or_else(number)
            .unwrap_or_else(|| quote!(let #pattern: #ty = #value;));
    }
    quote!(let #pattern = #value;)
}

/// `T` of `Vec<T>`.
pub fn element_of_vec(ty: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(path) = ty else {
        return None;
    };
    let last = path.path.segments.last().filter(|own| own.ident == "Vec")?;
    match &last.arguments {
        syn::PathArguments::AngleBracketed(own) => match own.args.first()? {
            syn::GenericArgument::Type(ty) => Some(ty),
            _ => None,
        },
        _ => None,
    }
}

/// A value of a primitive type of numbers, or of an array of such.
pub fn zero(ty: &syn::Type) -> Option<TokenStream> {
    match ty {
        syn::Type::Path(path) => {
            let name = path.path.get_ident()?.to_string();
            let number = match name.as_str() {
                "f64" | "f32" => format!("0.0{name}"),
                "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize" => {
                    format!("0{name}")
                }
                _ => return None,
            };
            number.parse().ok()
        }
        syn::Type::Array(array) => {
            let (zero, length) = (zero(&array.elem)?, &array.len);
            Some(quote!([#zero; #length]))
        }
        _ => None,
    }
}

/// Whether nothing in a value says of which type its numbers are.
pub fn is_unsettled(value: &syn::Expr) -> bool {
    match strip(value) {
        literal @ syn::Expr::Lit(_) => only_literals(literal),
        syn::Expr::Unary(own) => is_unsettled(&own.expr),
        syn::Expr::Binary(own) => is_unsettled(&own.left) && is_unsettled(&own.right),
        syn::Expr::MethodCall(own) => is_unsettled(&own.receiver),
        syn::Expr::Repeat(own) => is_unsettled(&own.expr),
        syn::Expr::Array(own) => own.elems.iter().all(is_unsettled),
        syn::Expr::Tuple(own) => own.elems.iter().any(is_unsettled),
        syn::Expr::Macro(own) => {
            crate::syntax::allocations::element(&own.mac).is_some_and(|value| is_unsettled(&value))
        }
        _ => false,
    }
}
