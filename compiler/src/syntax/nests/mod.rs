//! Loop nests of a text that has no program, as kernels of their own.
//!
//! ```text
//! for _ in 0..steps {                          for _ in 0..steps {
//!     for i in 1..n - 1 { b[i] = … a[i] … }  ->    self::heat_nest_0::__dispatch(__isa, &a[..], &mut b[..], n);
//!     std::mem::swap(&mut a, &mut b);              std::mem::swap(&mut a, &mut b);
//! }                                            }
//! ```
//! The text around a nest is whatever Rust is. The nest is a function of the variables that it names, and of fields
//! (`places.rs`): arrays by reference, numbers by value, and those that it assigns are its result. Their types are those that the reader finds
//! in the part of the text that it can read (`skeleton.rs`); a nest that names anything else stays as it is.
//!
//! Holds: a nest is called where it stood, with the variables that it named there. Nothing in it leaves the
//! function or a loop around it.

mod callees;
mod environment;
mod inlined;
mod kernel;
mod places;
mod skeleton;
mod steps;
#[cfg(test)]
mod tests;
mod tokens;
mod variables;

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use self::inlined::inlined;
use self::kernel::Nest;
use self::places::Places;
pub use self::skeleton::element_of_vec;
use self::skeleton::{Skeleton, parts};
use self::steps::{Callable, called, marked};
pub use self::tokens::of_struct;
use self::variables::Variables;
use super::statements::strip;
use super::verbatim::{self, words};
use crate::collections::HashSet;
use crate::diagnostics::Diagnostics;

/// A text whose nests are kernels of their own.
pub struct Nested {
    /// Its body, which calls them for the instruction set [`ISA`].
    pub body: TokenStream,
    /// The kernels.
    pub items: TokenStream,
    /// The line of each, and its name.
    pub kernels: Vec<(usize, Ident)>,
    /// What its body names of the block and the text does not.
    pub needed: TokenStream,
    /// The text is one kernel, which is given the fields of structs that it names.
    pub whole: bool,
}

/// The name of the instruction set in [`Nested::body`].
pub const ISA: &str = "__loopwright_isa";

/// From how many iterations on the kernel of a nest takes less than the text does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pays {
    /// Iterations of its loops of run-time length.
    pub iterations: usize,
    /// How many of these loops stand one inside of the other.
    pub depth: usize,
}

/// What makes kernels of nests.
pub trait Compiler {
    /// Which parameters the kernel of a block that has this name writes, if it has a program that may be worth a call.
    fn written(&mut self, block: &TokenStream, name: &Ident) -> Option<HashSet<String>>;
    /// What that kernel expands to, if it has lanes and pays anywhere. `waits`: each call reads what the text, or a call
    /// before it, has written a moment ago.
    fn items(
        &mut self,
        block: TokenStream,
        name: &Ident,
        waits: bool,
    ) -> Option<(TokenStream, Pays)>;
}

/// The function of a block that has this name, with what of it can be kernels of their own.
pub fn nested(block: &TokenStream, name: &Ident, compiler: &mut dyn Compiler) -> Option<Nested> {
    let file: syn::File = syn::parse2(block.clone()).ok()?;
    let items: Vec<&syn::Item> = file.items.iter().collect();
    if items.iter().any(|item| !is_known(item)) {
        return None;
    }
    let function = items.iter().find_map(|item| match item {
        syn::Item::Fn(function) if function.sig.ident == *name => Some(function),
        _ => None,
    })?;
    let options = verbatim::options_of(function);
    if options.level == 0 || options.on_loops().is_some() || options.pipeline.is_some() {
        return None;
    }
    // Tables that a text makes are values where it is `reference`, and are not seen from outside of it. Tuples in arrays are
    // arrays of numbers to the reader.
    let mut named = HashSet::default();
    words(function.block.to_token_stream(), &mut named);
    if named.contains("tabulate") || tokens::has_tuples_in_arrays(function.to_token_stream()) {
        return None;
    }
    let before = verbatim::needed(function, &items);
    let function = &inlined(function, &items);
    let mut more = verbatim::needed(function, &items);
    more.retain(|item| !before.iter().any(|own| std::ptr::eq(*own, *item)));
    let places = Places::of(function, &items);
    let function = &places.flat(function);
    let needed = needed(function, &items);
    let (text, left_out) = Skeleton::of(function, &needed);
    let module = super::parse(text, &mut Diagnostics::new())?;
    let read = module.functions.into_iter().find(|own| own.name == *name)?;
    let mut search = Search {
        name,
        variables: Variables {
            at: environment::at_markers(&read),
            item: function,
            function: &read,
            left_out,
            needed: &needed,
        },
        compiler,
        scope: Vec::new(),
        callable: Callable::of(&items),
        loops: 0,
        around: Vec::new(),
        items: TokenStream::new(),
        kernels: Vec::new(),
    };
    // A text that is given structs may be a kernel but for these.
    let whole = if places.is_empty() {
        None
    } else {
        search.whole()
    };
    let is_whole = whole.is_some();
    let body = whole.unwrap_or_else(|| search.function(function));
    let found = !search.kernels.is_empty();
    found.then_some(Nested {
        body: places.restored(body),
        items: search.items,
        kernels: search.kernels,
        needed: more.into_iter().map(verbatim::beside_a_text).collect(),
        whole: is_whole,
    })
}

/// Whether an item is of those that nests may stand beside.
fn is_known(item: &syn::Item) -> bool {
    use syn::Item as Of;
    let plain = matches!(item, Of::Fn(_) | Of::Static(_) | Of::Const(_) | Of::Use(_));
    plain || matches!(item, Of::Struct(_) | Of::Impl(_) | Of::Enum(_))
}

/// The functions and constants that a function names, and imports. The numbers of structs are theirs alone: what names
/// a type of the block is left out.
fn needed(function: &syn::ItemFn, items: &[&syn::Item]) -> TokenStream {
    let types: Vec<String> = (items.iter())
        .filter_map(|item| match item {
            syn::Item::Struct(own) => Some(own.ident.to_string()),
            syn::Item::Enum(own) => Some(own.ident.to_string()),
            _ => None,
        })
        .collect();
    let names_none = |item: &&&syn::Item| {
        let mut names = HashSet::default();
        words(item.to_token_stream(), &mut names);
        !types.iter().any(|own| names.contains(own))
    };
    // A kernel may have the name of a variable.
    let is_helper =
        |item: &&&syn::Item| !matches!(item, syn::Item::Fn(own) if verbatim::is_kernel(own));
    let needed = verbatim::needed(function, items);
    let needed = needed.iter().filter(is_helper).filter(names_none);
    let imports = items
        .iter()
        .filter(|item| matches!(item, syn::Item::Use(_)));
    imports
        .chain(needed)
        .map(|item| item.to_token_stream())
        .collect()
}

/// A loop around a nest.
#[derive(Default)]
struct Around {
    /// Its variable, and the range that it is in.
    range: Option<(String, syn::ExprRange)>,
    /// How many names were bound before it.
    outside: usize,
    /// What it repeats.
    body: TokenStream,
}

impl Around {
    fn of(own: &syn::ExprForLoop, outside: usize) -> Around {
        let range = match (&*own.pat, strip(&own.expr)) {
            (syn::Pat::Ident(name), syn::Expr::Range(range)) if name.mutability.is_none() => {
                Some((name.ident.to_string(), range.clone()))
            }
            _ => None,
        };
        Around {
            range,
            outside,
            ..Around::default()
        }
    }
}

/// Where a nest stands.
struct Place<'a> {
    /// Names that are bound, innermost last.
    scope: &'a [String],
    /// Loops around, outermost first.
    around: &'a [Around],
    /// Loops and calls before it.
    at: usize,
    /// What it may call.
    callable: &'a Callable,
}

struct Search<'a> {
    name: &'a Ident,
    variables: Variables<'a>,
    compiler: &'a mut dyn Compiler,
    /// Names that are bound, innermost last.
    scope: Vec<String>,
    /// What the text may call here.
    callable: Callable,
    /// Loops and calls so far.
    loops: usize,
    /// Loops around, outermost first.
    around: Vec<Around>,
    items: TokenStream,
    kernels: Vec<(usize, Ident)>,
}

impl Search<'_> {
    fn function(&mut self, function: &syn::ItemFn) -> TokenStream {
        for input in &function.sig.inputs {
            if let syn::FnArg::Typed(typed) = input {
                self.bind(&typed.pat);
            }
        }
        self.block(&function.block)
    }

    /// The whole text as a kernel.
    fn whole(&mut self) -> Option<TokenStream> {
        let nest = self
            .variables
            .whole(format_ident!("{}_nest_0", self.name))?;
        let text = nest.block(&self.variables, None);
        let written = self.compiler.written(&text, &nest.name)?;
        let call = self.called(nest, &written)?;
        Some(quote!({ #call }))
    }

    fn bind(&mut self, pattern: &syn::Pat) {
        let pattern = match pattern {
            syn::Pat::Type(typed) => &typed.pat,
            other => other,
        };
        self.scope.extend(names(pattern));
    }

    fn block(&mut self, block: &syn::Block) -> TokenStream {
        let outside = self.scope.len();
        let statements = &block.stmts;
        for item in statements {
            if let syn::Stmt::Item(item) = item {
                self.scope.extend(verbatim::name(item));
            }
        }
        let (mut result, mut at) = (TokenStream::new(), 0);
        while at < statements.len() {
            let run = statements[at..]
                .iter()
                .take_while(|own| self.callable.is_step(own));
            let most = run.count();
            match self.longest(&statements[at..at + most]) {
                Some((count, call)) => {
                    result.extend(call);
                    at += count;
                }
                None => {
                    result.extend(self.statement(&statements[at]));
                    at += 1;
                }
            }
        }
        self.scope.truncate(outside);
        quote!({ #result })
    }

    /// As many of some loops as have a program together, from the first one on, and the call of that.
    fn longest(&mut self, loops: &[syn::Stmt]) -> Option<(usize, TokenStream)> {
        let depth = |own: &syn::Stmt| self.callable.depth(own);
        let deepest = |own: &[syn::Stmt]| own.iter().map(depth).max().unwrap_or_default();
        let mut best: Option<(usize, Nest, HashSet<String>)> = None;
        for count in 1..=loops.len() {
            let name = format_ident!("{}_nest_{}", self.name, self.kernels.len());
            let place = Place {
                scope: &self.scope,
                around: &self.around,
                at: self.loops,
                callable: &self.callable,
            };
            let nest = self.variables.nest(&loops[..count], name, &place);
            let Some(nest) = nest else { break };
            // Each call takes as long as some iterations of what it is called for: where these are not counted first, there
            // are to be many.
            if nest.worth.is_none() && deepest(&loops[..count]) < self.around.len() {
                break;
            }
            let text = nest.block(&self.variables, None);
            match self.compiler.written(&text, &nest.name) {
                Some(written) => best = Some((count, nest, written)),
                None => break,
            }
        }
        let (count, nest, written) = best?;
        let call = self.called(nest, &written)?;
        self.loops += loops[..count].iter().map(marked).sum::<usize>();
        Some((count, call))
    }

    /// The call of a nest, if that has lanes.
    fn called(&mut self, nest: Nest, written: &HashSet<String>) -> Option<TokenStream> {
        let text = nest.block(&self.variables, Some(written));
        let around = self.around.last();
        let waits = around.is_some_and(|around| nest.reads_of(&around.body));
        let (items, pays) = self.compiler.items(text, &nest.name, waits)?;
        self.items.extend(items);
        let call = nest.call(&self.variables, written, pays);
        self.kernels.push((nest.line, nest.name));
        Some(call)
    }

    fn statement(&mut self, statement: &syn::Stmt) -> TokenStream {
        match statement {
            syn::Stmt::Local(local) => {
                self.callable.bind(local, self.scope.len());
                self.bind(&local.pat);
                statement.to_token_stream()
            }
            syn::Stmt::Expr(expr, semicolon) if !parts(expr).is_empty() => {
                let changed = self.inside(expr);
                quote!(#changed #semicolon)
            }
            syn::Stmt::Expr(expr, _) if called(expr).is_some() => {
                self.loops += 1;
                statement.to_token_stream()
            }
            _ => statement.to_token_stream(),
        }
    }

    /// A statement with others in it, these with calls.
    fn inside(&mut self, expr: &syn::Expr) -> TokenStream {
        let outside = self.scope.len();
        let changed = match expr {
            syn::Expr::ForLoop(own) => {
                self.loops += 1;
                let around = Around::of(own, self.scope.len());
                self.bind(&own.pat);
                if !matches!(strip(&own.expr), syn::Expr::Range(_)) {
                    // What stands for an element is a reference here, and a number to the reader.
                    self.bind(&own.pat);
                }
                let (attributes, label) = (&own.attrs, &own.label);
                let (pattern, values) = (&own.pat, &own.expr);
                let body = self.repeated(&own.body, around);
                quote!(#(#attributes)* #label for #pattern in #values #body)
            }
            syn::Expr::While(own) => {
                let (attributes, label, condition) = (&own.attrs, &own.label, &own.cond);
                self.scope.extend(bound_by(condition));
                let body = self.repeated(&own.body, Around::default());
                quote!(#(#attributes)* #label while #condition #body)
            }
            syn::Expr::Loop(own) => {
                let (attributes, label) = (&own.attrs, &own.label);
                let body = self.repeated(&own.body, Around::default());
                quote!(#(#attributes)* #label loop #body)
            }
            syn::Expr::Block(own) => {
                let attributes = &own.attrs;
                let body = self.block(&own.block);
                quote!(#(#attributes)* #body)
            }
            syn::Expr::If(own) => {
                let condition = &own.cond;
                self.scope.extend(bound_by(condition));
                let first = self.block(&own.then_branch);
                self.scope.truncate(outside);
                let second = own.else_branch.as_ref().map(|(_, other)| {
                    let other = self.inside(other);
                    quote!(else #other)
                });
                quote!(if #condition #first #second)
            }
            other => other.to_token_stream(),
        };
        self.scope.truncate(outside);
        changed
    }

    fn repeated(&mut self, block: &syn::Block, around: Around) -> TokenStream {
        let body = block.to_token_stream();
        self.around.push(Around { body, ..around });
        let body = self.block(block);
        self.around.pop();
        body
    }
}

/// The names that a pattern may bind, in order: kernels are given variables in that of the scope.
fn names(pattern: &syn::Pat) -> BTreeSet<String> {
    let mut names = HashSet::default();
    words(pattern.to_token_stream(), &mut names);
    let own = names.into_iter();
    own.filter(|name| name != "mut" && name != "ref").collect()
}

/// The names that a condition may bind.
fn bound_by(condition: &syn::Expr) -> BTreeSet<String> {
    match condition {
        syn::Expr::Let(own) => names(&own.pat),
        syn::Expr::Binary(own) => {
            let (left, right) = (bound_by(&own.left), bound_by(&own.right));
            left.into_iter().chain(right).collect()
        }
        syn::Expr::Paren(own) => bound_by(&own.expr),
        _ => BTreeSet::new(),
    }
}
