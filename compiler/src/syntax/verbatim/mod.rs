//! Kernels whose text lies outside of the subset: whatever may be Rust, or with the option `fallback` whatever it
//! is, runs as it is written, compiled for each instruction set.
//!
//! Such a kernel has the items of its block that it names in its own module, beside `reference`, which is
//! the text itself. Types, and all else that its signature may name, stay beside the kernel.

mod items;

use crate::collections::HashSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};

pub use items::silenced;
pub(super) use items::{is_hidden, is_plain, turbofish};

use super::ast::{IsaName, Options};
use super::beside::inlined;
use super::{checks, options};
use crate::diagnostics::{Diagnostics, Fault};

/// A block without the kernels that run as they are written, and these.
pub struct Split {
    /// What is left of the block.
    pub rest: TokenStream,
    /// Types, traits and imports that the block has.
    pub items: TokenStream,
    /// The kernels.
    pub kernels: Vec<Verbatim>,
}

/// An instruction set that a text is compiled for.
pub struct Compiled {
    /// Which one.
    pub isa: IsaName,
    /// The name of the function that is compiled for it.
    pub name: Ident,
    /// The attributes of this function.
    pub features: TokenStream,
    /// The path of the instruction set in expanded code.
    pub path: TokenStream,
    /// When this function is called, as the pattern of an arm after those of better instruction sets.
    pub pattern: TokenStream,
}

/// A kernel that runs as it is written.
pub struct Verbatim {
    /// Why.
    pub reason: Fault,
    /// Instruction sets that the text is compiled for, best first.
    pub isa: Vec<IsaName>,
    /// Whether the option `fallback` asked for this.
    pub asked: bool,
    item: syn::ItemFn,
    /// The functions and constants of the block that it names, with what these name.
    needed: TokenStream,
}

/// Takes the kernels out of a block that lie outside of the subset, and what only they need; `None` if there
/// are none. Those that have to have lanes stay, for their errors, but where they are found to have some.
pub fn split(text: TokenStream, has_lanes: &mut dyn FnMut(&Ident) -> bool) -> Option<Split> {
    checks::nesting(&text).ok()?;
    let file: syn::File = syn::parse2(text).ok()?;
    // The items that kernels may need, by name, and those that stay beside them.
    let (beside, inside): (Vec<&syn::Item>, Vec<&syn::Item>) =
        file.items.iter().partition(|item| name(item).is_none());
    let mut refused: HashSet<String> = HashSet::default();
    let mut kernels = Vec::new();
    for item in &inside {
        let syn::Item::Fn(function) = item else {
            continue;
        };
        let options = options_of(function);
        let helper = !is_kernel(function) && is_named(function, &inside);
        // What options ask of loops is done, or an error says why not.
        let ordered = options.on_loops().is_some();
        if helper || (ordered && !options.fallback) {
            continue;
        }
        let needed = needed(function, &inside);
        let own = needed.iter().map(|item| item.to_token_stream());
        let own: TokenStream = own.chain([function.to_token_stream()]).collect();
        let mut diagnostics = Diagnostics::new();
        // A kernel of a block with types has none in the subset, wherever it names them.
        let block = beside.iter().map(|item| item.to_token_stream());
        let block: TokenStream = block.chain([own]).collect();
        super::parse(block, &mut diagnostics);
        let Some(reason) = diagnostics.pop_first(|fault| fault.beyond || options.fallback) else {
            continue;
        };
        if options_are_wrong(function) {
            continue;
        }
        if options.require_lanes.is_some() && !has_lanes(&function.sig.ident) {
            continue;
        }
        refused.insert(function.sig.ident.to_string());
        kernels.push(Verbatim {
            reason,
            isa: options.isa,
            asked: options.fallback,
            item: function.clone(),
            needed: needed.into_iter().map(beside_a_text).collect(),
        });
    }
    if kernels.is_empty() {
        return None;
    }
    let mut rest = left(&inside, &refused);
    let items = named_by_impls(&beside, &inside, &mut rest);
    // What the kernels that are left know stands beside them.
    let (known, other): (Vec<&syn::Item>, Vec<&syn::Item>) = beside.into_iter().partition(|item| {
        let known = matches!(
            item,
            syn::Item::Use(_) | syn::Item::Struct(_) | syn::Item::Impl(_) | syn::Item::Type(_)
        );
        known && !rest.is_empty()
    });
    Some(Split {
        rest: known
            .into_iter()
            .chain(rest)
            .map(ToTokens::to_token_stream)
            .collect(),
        items: other.into_iter().map(inlined).chain([items]).collect(),
        kernels,
    })
}

/// What functions in `impl` blocks and types name: it is left with the other kernels, or stands where these functions do.
fn named_by_impls<'a>(
    beside: &[&'a syn::Item],
    inside: &[&'a syn::Item],
    rest: &mut Vec<&'a syn::Item>,
) -> TokenStream {
    let impls = beside
        .iter()
        .filter(|item| matches!(item, syn::Item::Impl(_) | syn::Item::Type(_)));
    let all = named(impls.map(ToTokens::to_token_stream).collect(), inside);
    let is_new = |item: &&syn::Item| {
        let kernel = matches!(item, syn::Item::Fn(own) if is_kernel(own));
        !kernel && !rest.iter().any(|own| std::ptr::eq(*own, *item))
    };
    let all: Vec<&syn::Item> = all.into_iter().filter(is_new).collect();
    if rest.is_empty() {
        return all.into_iter().map(beside_a_text).collect();
    }
    rest.extend(all);
    TokenStream::new()
}

/// An item that a text names, in the module of that text.
pub(super) fn beside_a_text(item: &syn::Item) -> TokenStream {
    let item = inlined(&without_options(item));
    quote!(#[allow(dead_code)] #item)
}

/// What is left of a block: the other kernels, and what they need.
fn left<'a>(inside: &[&'a syn::Item], refused: &HashSet<String>) -> Vec<&'a syn::Item> {
    let mut rest: Vec<&syn::Item> = Vec::new();
    for item in inside {
        let kernel = matches!(item, syn::Item::Fn(f) if is_kernel(f));
        let gone = name(item).is_some_and(|name| refused.contains(&name));
        let only = |kernel: &syn::ItemFn| self::needed(kernel, inside);
        let others = inside.iter().filter_map(|other| match other {
            syn::Item::Fn(f) if is_kernel(f) && !refused.contains(&f.sig.ident.to_string()) => {
                Some(f)
            }
            _ => None,
        });
        let used = others
            .flat_map(only)
            .any(|needed| name(needed) == name(item));
        if !gone && (kernel || used) {
            rest.push(item);
        }
    }
    rest
}

/// Whether a function is one that is called from outside.
pub(super) fn is_kernel(function: &syn::ItemFn) -> bool {
    let visible = !matches!(function.vis, syn::Visibility::Inherited);
    visible || function.attrs.iter().any(options::is_opt)
}

/// Whether another function names this one.
fn is_named(function: &syn::ItemFn, items: &[&syn::Item]) -> bool {
    let name = function.sig.ident.to_string();
    items.iter().any(|item| {
        let other = self::name(item).is_some_and(|other| other != name);
        let mut names = HashSet::default();
        words(item.to_token_stream(), &mut names);
        other && names.contains(&name)
    })
}

pub(super) fn options_of(function: &syn::ItemFn) -> Options {
    let mut options = options::defaults();
    for attribute in function.attrs.iter().filter(|a| options::is_opt(a)) {
        let _ = options::parse(attribute, &mut options);
    }
    options
}

/// An item as Rust has it: a kernel that another one names, perhaps as a method, stands beside that one as a function.
fn without_options(item: &syn::Item) -> syn::Item {
    let mut item = item.clone();
    if let syn::Item::Fn(function) = &mut item {
        function.attrs.retain(|own| !options::is_opt(own));
    }
    item
}

/// Options are not Rust: what is wrong with them stays an error.
fn options_are_wrong(function: &syn::ItemFn) -> bool {
    let mut options = options::defaults();
    let mut all = function.attrs.iter().filter(|a| options::is_opt(a));
    all.any(|attribute| options::parse(attribute, &mut options).is_err())
}

/// The name of a function or constant; other items stay beside the kernels.
pub(super) fn name(item: &syn::Item) -> Option<String> {
    match item {
        syn::Item::Fn(function) => Some(function.sig.ident.to_string()),
        syn::Item::Static(table) => Some(table.ident.to_string()),
        syn::Item::Const(table) => Some(table.ident.to_string()),
        _ => None,
    }
}

/// The functions and constants that one names, in the order of the block.
pub(super) fn needed<'a>(function: &syn::ItemFn, items: &[&'a syn::Item]) -> Vec<&'a syn::Item> {
    let is_other = |item: &&syn::Item| name(item).is_some_and(|name| function.sig.ident != name);
    let others: Vec<&syn::Item> = items.iter().copied().filter(is_other).collect();
    named(vec![function.to_token_stream()], &others)
}

/// The functions and constants that some tokens name, and what these name, in the order of the block.
fn named<'a>(mut stack: Vec<TokenStream>, items: &[&'a syn::Item]) -> Vec<&'a syn::Item> {
    let mut known: HashSet<String> = HashSet::default();
    while let Some(tokens) = stack.pop() {
        let mut names = HashSet::default();
        words(tokens, &mut names);
        for item in items {
            let Some(name) = name(item) else { continue };
            if names.contains(&name) && known.insert(name) {
                stack.push(item.to_token_stream());
            }
        }
    }
    let is_known = |item: &&&syn::Item| name(item).is_some_and(|name| known.contains(&name));
    items.iter().filter(is_known).copied().collect()
}

/// The identifiers of some tokens.
pub(super) fn words(tokens: TokenStream, into: &mut HashSet<String>) {
    each_identifier(tokens, &mut |ident| {
        into.insert(ident.to_string());
    });
}

/// Looks at each identifier of some tokens, in order.
pub(super) fn each_identifier(tokens: TokenStream, look: &mut impl FnMut(Ident)) {
    for tree in tokens {
        match tree {
            TokenTree::Ident(ident) => look(ident),
            TokenTree::Group(group) => each_identifier(group.stream(), look),
            _ => {}
        }
    }
}
