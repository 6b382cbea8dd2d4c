//! Tokens as readable Rust.
//!
//! One statement or item a line, blocks indented, long lists broken at their commas. It need not be
//! what rustfmt makes of it, but it is the same tokens: only comments are added, which the emission
//! marks as `__comment!("…");`.

mod spacing;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use spacing::{Glue, is_punct, is_word, word};

/// Lines are broken beyond this column where they can be.
const WIDTH: usize = 100;
/// Blocks of one expression up to this length stay on their line.
const SHORT: usize = 60;
/// Columns of a level.
const INDENT: usize = 4;
/// The macro that stands for a comment.
const COMMENT: &str = "__comment";

/// The text of some items.
pub fn code(tokens: TokenStream) -> String {
    let mut printer = Printer { out: String::new() };
    printer.block(tokens, 0);
    printer.out
}

/// The text of an item on one line.
pub fn excerpt(tokens: TokenStream) -> String {
    flat(&tokens.into_iter().collect::<Vec<_>>())
}

struct Printer {
    out: String,
}

impl Printer {
    /// What stands in braces, or in a file: statements, items, arms, fields.
    fn block(&mut self, tokens: TokenStream, depth: usize) {
        let mut statement: Vec<TokenTree> = Vec::new();
        let list = is_list(&tokens);
        let mut trees = tokens.into_iter().peekable();
        while let Some(tree) = trees.next() {
            let ends = match &tree {
                TokenTree::Punct(punct) => match punct.as_char() {
                    ',' => list,
                    c => c == ';',
                },
                TokenTree::Group(group) => match group.delimiter() {
                    Delimiter::Brace => !continues(trees.peek()),
                    Delimiter::Bracket => is_attribute(&statement),
                    _ => false,
                },
                _ => false,
            };
            statement.push(tree);
            if ends {
                self.statement(
                    &std::mem::take(&mut statement),
                    depth,
                    trees.peek().is_none(),
                );
            }
        }
        if !statement.is_empty() {
            self.statement(&statement, depth, true);
        }
    }

    fn statement(&mut self, trees: &[TokenTree], depth: usize, last: bool) {
        if let Some((mark, text)) = comment(trees) {
            for line in text.lines() {
                self.line(depth, format!("{mark}{line}").trim_end());
            }
            return;
        }
        let text = self.broken(trees, depth);
        self.line(depth, &text);
        let item = trees
            .iter()
            .any(|tree| word(tree).is_some_and(|w| w == "fn" || w == "mod"));
        if item && !last && text.contains('\n') {
            self.out.push('\n');
        }
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.out.push_str(&" ".repeat(depth * INDENT));
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Tokens on one line, or on several where that is too long or has blocks.
    fn broken(&mut self, trees: &[TokenTree], depth: usize) -> String {
        let whole = flat(trees);
        if whole.len() + depth * INDENT <= WIDTH && !trees.iter().any(has_blocks) {
            return whole;
        }
        let mut glue = Glue::default();
        let mut text = String::new();
        for (at, tree) in trees.iter().enumerate() {
            let space = glue.before(tree, trees.get(at + 1));
            if space {
                text.push(' ');
            }
            match tree {
                TokenTree::Group(group) => text.push_str(&self.group(group, depth)),
                tree => text.push_str(&spacing::leaf(tree)),
            }
        }
        text
    }

    /// A group in a statement that does not fit on its line.
    fn group(&mut self, group: &Group, depth: usize) -> String {
        let tree = TokenTree::Group(group.clone());
        let (open, close) = delimiters(group.delimiter());
        let whole = flat(std::slice::from_ref(&tree));
        let block = group.delimiter() == Delimiter::Brace;
        let room = if block {
            SHORT
        } else {
            WIDTH - WIDTH.min(depth * INDENT + SHORT)
        };
        if group.stream().is_empty() || (whole.len() <= room && !has_blocks(&tree)) {
            return whole;
        }
        let mut inner = Printer { out: String::new() };
        if block {
            inner.block(group.stream(), depth + 1);
        } else {
            for part in parts(group.stream()) {
                let text = inner.broken(&part, depth + 1);
                inner.line(depth + 1, &text);
            }
        }
        format!("{open}\n{}{}{close}", inner.out, " ".repeat(depth * INDENT))
    }
}

/// Whether braces hold arms or fields, which end with commas.
fn is_list(tokens: &TokenStream) -> bool {
    let item = |tree: TokenTree| {
        let words = ["fn", "impl", "let", "mod", "trait"];
        is_punct(&tree, ';') || words.iter().any(|word| is_word(&tree, word))
    };
    !tokens.clone().into_iter().any(item)
}

/// Whether what follows a block belongs to its statement.
fn continues(next: Option<&TokenTree>) -> bool {
    match next {
        Some(TokenTree::Punct(punct)) => ".?,;=+/%>".contains(punct.as_char()),
        Some(tree) => is_word(tree, "else") || is_word(tree, "as"),
        None => false,
    }
}

/// `#` or `#!`, which an attribute's brackets follow.
fn is_attribute(statement: &[TokenTree]) -> bool {
    match statement {
        [hash] => is_punct(hash, '#'),
        [hash, bang] => is_punct(hash, '#') && is_punct(bang, '!'),
        _ => false,
    }
}

/// Whether a group has a block of more than one short expression in it.
fn has_blocks(tree: &TokenTree) -> bool {
    let TokenTree::Group(group) = tree else {
        return false;
    };
    let trees: Vec<TokenTree> = group.stream().into_iter().collect();
    let ends = |tree: &TokenTree| is_punct(tree, ';');
    let block = group.delimiter() == Delimiter::Brace
        && (trees.iter().any(ends) || flat(&trees).len() + 4 > SHORT);
    block || trees.iter().any(has_blocks)
}

/// A list, broken after its commas.
fn parts(tokens: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut result: Vec<Vec<TokenTree>> = vec![Vec::new()];
    for tree in tokens {
        let comma = is_punct(&tree, ',');
        if let Some(part) = result.last_mut() {
            part.push(tree);
        }
        if comma {
            result.push(Vec::new());
        }
    }
    result.retain(|part| !part.is_empty());
    result
}

/// A comment or documentation: how its lines begin, and its text.
fn comment(trees: &[TokenTree]) -> Option<(&'static str, String)> {
    match trees {
        [name, bang, TokenTree::Group(group), _]
            if is_word(name, COMMENT) && is_punct(bang, '!') =>
        {
            let text = group.stream().into_iter().next()?;
            Some(("// ", spacing::unquoted(&text)?))
        }
        [hash, TokenTree::Group(group)] if is_punct(hash, '#') => {
            let mut inside = group.stream().into_iter();
            let (name, equals, text) = (inside.next()?, inside.next()?, inside.next()?);
            let documents = is_word(&name, "doc") && is_punct(&equals, '=');
            let text = spacing::unquoted(&text).filter(|_| documents)?;
            (!text.is_empty() && inside.next().is_none()).then_some(("///", text))
        }
        _ => None,
    }
}

/// Tokens on one line.
fn flat(trees: &[TokenTree]) -> String {
    let mut glue = Glue::default();
    let mut text = String::new();
    for (at, tree) in trees.iter().enumerate() {
        if glue.before(tree, trees.get(at + 1)) {
            text.push(' ');
        }
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = delimiters(group.delimiter());
                let inside = flat(&group.stream().into_iter().collect::<Vec<_>>());
                let blank = if open == "{" && !inside.is_empty() {
                    " "
                } else {
                    ""
                };
                text.push_str(&format!("{open}{blank}{inside}{blank}{close}"));
            }
            tree => text.push_str(&spacing::leaf(tree)),
        }
    }
    text
}

fn delimiters(delimiter: Delimiter) -> (&'static str, &'static str) {
    match delimiter {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::None => ("", ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn printed(text: &str) -> String {
        code(text.parse().unwrap())
    }

    #[test]
    fn items_and_statements_have_lines_of_their_own() {
        let text = "#[doc = \" Adds \\\"up\\\".\"] #[inline] pub fn f<'a, T: Real>(x: &'a [T], mut n: usize) -> T \
            where T: Copy { __comment!(\"t[e] = x[e]\"); let y = -x[0] * (a - *b); for i in 0..n { \
            y += unsafe { g::<T>(x[i]) }; } if a < b && !c { y } else { let z = 1.0; z } } pub mod m \
            { use super::{a, b as c}; const N: [u8; 2] = [1, 2]; }";
        expect![[r#"
            /// Adds "up".
            #[inline]
            pub fn f<'a, T: Real>(x: &'a [T], mut n: usize) -> T where T: Copy {
                // t[e] = x[e]
                let y = -x[0] * (a - *b);
                for i in 0..n {
                    y += unsafe { g::<T>(x[i]) };
                }
                if a < b && !c { y } else {
                    let z = 1.0;
                    z
                }
            }

            pub mod m {
                use super::{ a, b as c };
                const N: [u8; 2] = [1, 2];
            }
        "#]]
        .assert_eq(&printed(text));
    }

    #[test]
    fn long_lists_are_broken_at_their_commas() {
        let argument = "some_long_argument_of_a_call(x, y)";
        let text = format!("let value = call({argument}, {argument}, {argument});");
        expect![[r"
            let value = call(
                some_long_argument_of_a_call(x, y),
                some_long_argument_of_a_call(x, y),
                some_long_argument_of_a_call(x, y)
            );
        "]]
        .assert_eq(&printed(&text));
    }
}
