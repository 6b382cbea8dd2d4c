//! What must hold of a whole block: one meaning for each name, no recursion.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use super::Parsed;
use super::ast::{Function, FunctionId, ScalarType, Type};
use super::scope::{Entry, Reader, TypeParameter};
use super::types::show;
use crate::collections::HashSet;
use crate::diagnostics::{Diagnostics, Fault};

/// How deeply text may nest: brackets, and whatever else the parser walks through recursively, which
/// stands before what it is applied to. Without optimisation a level takes up to 30 KB of stack.
const DEEPEST: usize = 56;

/// A part of the text, and how deep it is.
type Level = (TokenStream, usize);

/// Refuses text that nests too deeply to be parsed.
pub fn nesting(tokens: &TokenStream) -> Parsed<()> {
    let mut open: Vec<Level> = vec![(tokens.clone(), 0)];
    while let Some((tokens, depth)) = open.pop() {
        let mut row = Row::default();
        for tree in tokens {
            row.take(&tree);
            let depth = depth + row.depth();
            if depth > DEEPEST {
                let span = match &tree {
                    TokenTree::Group(group) => group.span_open(),
                    other => other.span(),
                };
                return Err(Fault::new(
                    span,
                    format!("more than {DEEPEST} brackets and operators inside each other"),
                    "give names to parts of the expression with `let`",
                ));
            }
            if let TokenTree::Group(group) = &tree {
                open.push((group.stream(), depth + 1));
            }
        }
    }
    Ok(())
}

/// What stands around the next token besides brackets, counted generously.
#[derive(Default)]
struct Row {
    /// Operators and words right before it.
    before: usize,
    /// `<` without `>`, of which types make the most.
    angles: usize,
    /// What is applied to all that follows in a statement: `a = …`, `|a| …`, `fn() -> …`, `a @ …`.
    around: usize,
    /// What is applied to all before: `?`.
    behind: usize,
    last: char,
}

impl Row {
    fn depth(&self) -> usize {
        // A type in angles is a path with arguments, each of which takes its own levels.
        self.before + 2 * self.angles + (self.around + self.behind) / 2
    }

    fn take(&mut self, tree: &TokenTree) {
        let punct = match tree {
            TokenTree::Punct(punct) => punct.as_char(),
            _ => ' ',
        };
        match (tree, punct) {
            (_, ';') => *self = Row::default(),
            (TokenTree::Group(group), _) => {
                self.before = 0;
                if group.delimiter() == Delimiter::Brace {
                    *self = Row::default();
                }
            }
            (_, '-' | '!' | '*' | '&' | '|' | '\'' | '.') if self.last != '.' || punct != '.' => {
                // A method is behind its receiver, and the reader counts these.
                self.before += usize::from(punct != '.');
                self.around += usize::from(punct == '|');
            }
            // A shift, or two of them at once: these are counted half.
            (_, '<') if self.last == '<' => {}
            (_, '<') => self.angles += 1,
            (_, '>') if self.last == '-' => self.around += 2,
            (_, '>') if self.last == '=' => self.around += 1,
            (_, '>') => self.angles = self.angles.saturating_sub(1),
            (_, '=') if !"=<>!+-*/%&|^".contains(self.last) => self.around += 1,
            (_, '@') => self.around += 1,
            (_, '?') => self.behind += 1,
            (TokenTree::Ident(word), _) if nests(&word.to_string()) => self.before += 1,
            // The name of a lifetime.
            (TokenTree::Ident(_), _) if self.last == '\'' => {}
            _ => self.before = 0,
        }
        self.last = punct;
    }
}

/// Words that stand before what they are applied to.
fn nests(word: &str) -> bool {
    const WORDS: [&str; 13] = [
        "mut", "ref", "const", "return", "break", "move", "unsafe", "dyn", "impl", "fn", "match",
        "loop", "async",
    ];
    WORDS.contains(&word)
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

/// Functions and tables share their names.
pub fn names(file: &syn::File, diagnostics: &mut Diagnostics) {
    let mut seen = HashSet::default();
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
                "give one of the two another name; what stands under different `#[cfg(…)]` has a block each",
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
            diagnostics.push(Fault::beyond_at(
                function.name.span(),
                format!("`{}` calls itself", function.name),
                "helpers are inlined: write a loop instead of a recursion",
            ));
        }
    }
}

/// The functions that one calls, at once or through others.
fn reach(calls: &[Vec<FunctionId>], from: usize) -> HashSet<usize> {
    let mut seen = HashSet::default();
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
    Fault::beyond(expr, message, help)
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

/// Whether a value is written through, or a part of it is.
pub fn is_written_through(ty: &Type) -> bool {
    match ty {
        Type::Reference(_, mutable) => *mutable,
        Type::Tuple(parts) => parts.iter().any(is_written_through),
        _ => false,
    }
}

/// Refuses an array of references that are written through: an array holds values.
pub fn holds_values(element: &Type, array: &syn::ExprArray) -> Parsed<()> {
    match is_written_through(element) {
        true => Err(Fault::beyond(
            array,
            "an array of references that are written through",
            "write through each by its name, or loop over them: `for c in [r, g, b] { … }`",
        )),
        false => Ok(()),
    }
}
