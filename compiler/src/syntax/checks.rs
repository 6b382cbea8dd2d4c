//! What must hold of a whole block: one meaning for each name, no recursion.

use std::collections::HashSet;

use proc_macro2::{Group, Ident, TokenStream, TokenTree};

use super::Parsed;
use super::ast::{Function, FunctionId, ScalarType, Type};
use super::scope::{Entry, Reader, TypeParameter};
use super::types::show;
use crate::diagnostics::{Diagnostics, Fault};

/// Brackets inside each other, and operators before one operand, which the parser walks through
/// recursively.
const DEEPEST: usize = 128;

/// Refuses text that nests too deeply to be parsed.
pub fn nesting(tokens: &TokenStream) -> Parsed<()> {
    prefixes(tokens)?;
    let mut level: Vec<Group> = groups(tokens);
    for _ in 0..DEEPEST {
        level.iter().try_for_each(|g| prefixes(&g.stream()))?;
        level = level.iter().flat_map(|g| groups(&g.stream())).collect();
    }
    match level.first() {
        Some(group) => Err(Fault::new(
            group.span_open(),
            format!("more than {DEEPEST} brackets inside each other"),
            "give names to parts of the expression with `let`",
        )),
        None => Ok(()),
    }
}

/// Refuses long rows of operators: all but the first stand before what follows.
fn prefixes(tokens: &TokenStream) -> Parsed<()> {
    let mut row = 0;
    for tree in tokens.clone() {
        row = match &tree {
            TokenTree::Punct(punct) if "-!*&|".contains(punct.as_char()) => row + 1,
            TokenTree::Ident(word) if row > 0 && word == "mut" => row,
            _ => 0,
        };
        if row > DEEPEST {
            return Err(Fault::new(
                tree.span(),
                format!("more than {DEEPEST} operators before one operand"),
                "write the operand with the one that they amount to",
            ));
        }
    }
    Ok(())
}

/// Refuses conditional compilation inside an item: the macro sees the text before `rustc` leaves
/// parts of it out.
pub fn unconditional(tokens: TokenStream, diagnostics: &mut Diagnostics) {
    let mut hash = None;
    for tree in tokens {
        match (&tree, hash.take()) {
            (TokenTree::Punct(punct), _) if punct.as_char() == '#' => hash = Some(tree),
            (TokenTree::Group(group), Some(hash)) => {
                let first = group.stream().into_iter().next().map(|t| t.to_string());
                if matches!(first.as_deref(), Some("cfg" | "cfg_attr")) {
                    diagnostics.push(Fault::on(
                        TokenStream::from_iter([hash, tree]),
                        "a condition that the macro cannot evaluate",
                        "write `#[cfg(…)]` on whole kernels, one for each case",
                    ));
                }
            }
            (TokenTree::Group(group), None) => unconditional(group.stream(), diagnostics),
            _ => {}
        }
    }
}

fn groups(tokens: &TokenStream) -> Vec<Group> {
    let trees = tokens.clone().into_iter();
    trees
        .filter_map(|tree| match tree {
            TokenTree::Group(group) => Some(group),
            _ => None,
        })
        .collect()
}

/// Functions and tables share their names.
pub fn names(file: &syn::File, diagnostics: &mut Diagnostics) {
    let mut seen = HashSet::new();
    for item in &file.items {
        let name = match item {
            syn::Item::Fn(function) => &function.sig.ident,
            syn::Item::Static(table) => &table.ident,
            syn::Item::Const(table) => &table.ident,
            _ => continue,
        };
        if !seen.insert(name.to_string()) {
            diagnostics.push(Fault::new(
                name.span(),
                format!("`{name}` is defined twice in this block"),
                "give one of the two another name",
            ));
        }
    }
}

/// A function that calls itself, if not through one that was reported before.
pub fn recursion(functions: &[Function], calls: &[Vec<FunctionId>], diagnostics: &mut Diagnostics) {
    let reached: Vec<HashSet<usize>> = (0..functions.len()).map(|at| reach(calls, at)).collect();
    for (at, function) in functions.iter().enumerate() {
        let again = |before: &usize| reached[at].contains(before) && reached[*before].contains(&at);
        if reached[at].contains(&at) && !(0..at).any(|before| again(&before)) {
            diagnostics.push(Fault::new(
                function.name.span(),
                format!("`{}` calls itself", function.name),
                "helpers are inlined: write a loop instead of a recursion",
            ));
        }
    }
}

/// The functions that one calls, at once or through others.
fn reach(calls: &[Vec<FunctionId>], from: usize) -> HashSet<usize> {
    let mut seen = HashSet::new();
    let mut stack = vec![from];
    while let Some(at) = stack.pop() {
        for callee in calls.get(at).into_iter().flatten() {
            if seen.insert(callee.0) {
                stack.push(callee.0);
            }
        }
    }
    seen
}

/// A body ends with the value that the signature declares.
pub fn result(function: &Function, item: &syn::ItemFn) -> Parsed<()> {
    let name = &function.name;
    let declared = &function.result;
    let nothing = Type::Tuple(Vec::new());
    match &function.body.value {
        Some(value) if value.ty != *declared => Err(Fault::new(
            value.span,
            format!(
                "this is `{}`, but `{name}` returns `{}`",
                show(&value.ty),
                show(declared)
            ),
            "make the types agree",
        )),
        None if *declared != nothing => Err(Fault::on(
            &item.sig.output,
            format!(
                "`{name}` returns `{}`, but its body has no value",
                show(declared)
            ),
            "end the body with the value, without a semicolon",
        )),
        _ => Ok(()),
    }
}

/// What is wrong with an expression that is not in the subset.
pub fn refusal(expr: &syn::Expr) -> Fault {
    let (message, help) = match expr {
        syn::Expr::Closure(_) => ("a closure", "write a helper function in the same block"),
        syn::Expr::Match(_) => ("a `match`", "choose with `if c { a } else { b }`"),
        syn::Expr::Macro(_) => (
            "a macro call",
            "kernels know `tabulate!` as the value of a table, and no other macro",
        ),
        syn::Expr::Unsafe(_) => (
            "an `unsafe` block",
            "write safe code: accesses are checked once, before the loops",
        ),
        syn::Expr::Struct(_) => ("a struct", "use tuples and arrays"),
        syn::Expr::Range(_) => (
            "a range as a value",
            "subscript single elements, and write ranges as the bounds of loops",
        ),
        syn::Expr::Try(_) | syn::Expr::Await(_) | syn::Expr::Async(_) => (
            "a kernel computes with numbers and runs to its end",
            "do what can fail or wait before the kernel is called",
        ),
        _ => (
            "this expression has no meaning in a kernel",
            "kernels know arithmetic, subscripts, the methods of `f64`, helpers of the same block, and `if c { a } else { b }`",
        ),
    };
    Fault::on(expr, message, help)
}

impl Reader<'_> {
    /// Only `Real` numbers can be compared.
    pub fn ordered(&self, ty: &Type, tokens: impl quote::ToTokens) -> Parsed<()> {
        match &self.parameter {
            Some(TypeParameter {
                name,
                ordered: false,
            }) if *ty == Type::Scalar(ScalarType::Generic) => Err(Fault::on(
                tokens,
                format!("`{name}: Scalar` has no order"),
                format!("write `{name}: Real` in the signature"),
            )),
            _ => Ok(()),
        }
    }

    /// A name that a variable can take: Rust does not let one shadow a `const` or `static`.
    pub fn unused(&self, name: &Ident) -> Parsed<()> {
        match self.find(&name.to_string()) {
            Some(Entry::Table(_)) => Err(Fault::new(
                name.span(),
                format!("`{name}` is a constant of this block"),
                "give the variable another name",
            )),
            _ => Ok(()),
        }
    }
}
