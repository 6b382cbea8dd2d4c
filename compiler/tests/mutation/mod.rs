//! Kernels of the repository's tests, and random changes of their tokens.
//!
//! The property test of mutations and the fuzz target share it: the one takes its choices from a
//! seed, the other from the fuzzer's bytes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use loopwright_compiler::driver::{Settings, expand_with};
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// Where choices come from.
pub trait Choices {
    /// A number below `end`, which is at least 1.
    fn below(&mut self, end: usize) -> usize;
}

/// What is put where another number was: ends of types, and what overflows them.
const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "63",
    "255",
    "256",
    "4294967296",
    "18446744073709551615",
    "18446744073709551616",
    "0.0",
    "1e308",
    "1e-320",
    "0.5f32",
    "1usize",
];

/// What is put where another word was: keywords, types, methods and names that kernels know.
const WORDS: [&str; 32] = [
    "for",
    "in",
    "let",
    "mut",
    "if",
    "else",
    "as",
    "fn",
    "static",
    "const",
    "return",
    "f64",
    "f32",
    "usize",
    "i32",
    "u8",
    "T",
    "len",
    "rev",
    "step_by",
    "powi",
    "sqrt",
    "mul_add",
    "tabulate",
    "lagrange",
    "gradient",
    "hessian",
    "tetrahedron",
    "quadrature",
    "level",
    "lanes",
    "unroll",
];

const SIGNS: [char; 16] = [
    '+', '-', '*', '/', '%', '=', '&', '|', '!', '<', '>', '.', ',', ';', ':', '#',
];

/// The texts of all `kernel!` blocks in the Rust files of a folder and those in it, sorted by file.
pub fn corpus(folder: &Path) -> Vec<TokenStream> {
    let mut files = Vec::new();
    rust_files(folder, &mut files);
    files.sort();
    let mut result = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        if let Ok(tokens) = text.parse::<TokenStream>() {
            blocks(tokens, &mut result);
        }
    }
    result
}

fn rust_files(folder: &Path, into: &mut Vec<std::path::PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        if path.is_dir() {
            rust_files(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") {
            into.push(path);
        }
    }
}

/// What stands between the braces of `kernel! { … }`.
fn blocks(tokens: TokenStream, into: &mut Vec<TokenStream>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else {
            continue;
        };
        let before = |back: usize| at.checked_sub(back).map(|k| trees[k].to_string());
        if before(1).as_deref() == Some("!") && before(2).as_deref() == Some("kernel") {
            into.push(group.stream());
        } else {
            blocks(group.stream(), into);
        }
    }
}

/// What is wrong with the expansion of a text.
pub fn defect(text: &TokenStream) -> Option<String> {
    let facade: TokenStream = "::loopwright".parse().unwrap_or_default();
    let expand = || expand_with(&facade, text.clone(), &Settings::default());
    let items = match catch_unwind(AssertUnwindSafe(expand)) {
        Ok(items) => items,
        Err(_) => return Some("the compiler panics".to_owned()),
    };
    let text = items.to_string();
    if let Some(at) = text.find("internal compiler error") {
        return Some(text[at..].chars().take(400).collect());
    }
    let parsed = syn::parse2::<syn::File>(items);
    parsed
        .err()
        .map(|e| format!("the expansion is no Rust: {e}"))
}

/// The text after a few changes. `donor` is another text, of which pieces are taken.
pub fn mutate(text: &TokenStream, donor: &TokenStream, choices: &mut dyn Choices) -> TokenStream {
    let mut trees: Vec<TokenTree> = text.clone().into_iter().collect();
    for _ in 0..1 + choices.below(3) {
        let count = size(&trees);
        if count == 0 {
            break;
        }
        let at = choices.below(count);
        change(&mut trees, at, donor, choices);
    }
    trees.into_iter().collect()
}

/// Tokens, those in groups included; a group is one more.
fn size(trees: &[TokenTree]) -> usize {
    let inside = |tree: &TokenTree| match tree {
        TokenTree::Group(group) => 1 + size(&group.stream().into_iter().collect::<Vec<_>>()),
        _ => 1,
    };
    trees.iter().map(inside).sum()
}

/// Changes the `at`-th token.
fn change(
    trees: &mut Vec<TokenTree>,
    mut at: usize,
    donor: &TokenStream,
    choices: &mut dyn Choices,
) {
    for position in 0..trees.len() {
        if at == 0 {
            return change_here(trees, position, donor, choices);
        }
        at -= 1;
        if let TokenTree::Group(group) = &trees[position] {
            let mut inner: Vec<TokenTree> = group.stream().into_iter().collect();
            let count = size(&inner);
            if at < count {
                change(&mut inner, at, donor, choices);
                trees[position] = rebuilt(group.delimiter(), inner);
                return;
            }
            at -= count;
        }
    }
}

fn change_here(
    trees: &mut Vec<TokenTree>,
    at: usize,
    donor: &TokenStream,
    choices: &mut dyn Choices,
) {
    match choices.below(8) {
        0 => {
            trees.remove(at);
        }
        1 => trees.insert(at, trees[at].clone()),
        2 => {
            let other = choices.below(trees.len());
            trees.swap(at, other);
        }
        3 => trees[at] = piece(donor, choices),
        4 => trees.insert(at, piece(donor, choices)),
        _ => trees[at] = alike(&trees[at], trees, choices),
    }
}

/// Another token of the same kind.
fn alike(tree: &TokenTree, beside: &[TokenTree], choices: &mut dyn Choices) -> TokenTree {
    match tree {
        TokenTree::Literal(_) => {
            let text = NUMBERS[choices.below(NUMBERS.len())];
            let literal = text.parse::<Literal>().ok();
            literal.map_or_else(|| tree.clone(), TokenTree::Literal)
        }
        TokenTree::Ident(_) => {
            let words: Vec<&TokenTree> = beside
                .iter()
                .filter(|t| matches!(t, TokenTree::Ident(_)))
                .collect();
            if choices.below(2) == 0 {
                return words[choices.below(words.len())].clone();
            }
            let word = WORDS[choices.below(WORDS.len())];
            Ident::new(word, Span::call_site()).into()
        }
        TokenTree::Punct(_) => Punct::new(SIGNS[choices.below(SIGNS.len())], Spacing::Alone).into(),
        TokenTree::Group(group) => {
            let delimiters = [Delimiter::Parenthesis, Delimiter::Bracket, Delimiter::Brace];
            let mut inner: Vec<TokenTree> = group.stream().into_iter().collect();
            match choices.below(3) {
                0 => inner.clear(),
                1 => inner = vec![tree.clone()],
                _ => {}
            }
            rebuilt(delimiters[choices.below(3)], inner)
        }
    }
}

/// Some token or group of a text.
fn piece(donor: &TokenStream, choices: &mut dyn Choices) -> TokenTree {
    let mut trees: Vec<TokenTree> = donor.clone().into_iter().collect();
    loop {
        if trees.is_empty() {
            return Ident::new("x", Span::call_site()).into();
        }
        match trees.swap_remove(choices.below(trees.len())) {
            // Deeper in two of three cases.
            TokenTree::Group(group) if choices.below(3) > 0 => {
                trees = group.stream().into_iter().collect();
            }
            tree => return tree,
        }
    }
}

fn rebuilt(delimiter: Delimiter, inner: Vec<TokenTree>) -> TokenTree {
    Group::new(delimiter, inner.into_iter().collect()).into()
}
