//! Blanks between tokens.

use proc_macro2::{Delimiter, Spacing, TokenTree};

/// Words that no call or subscript follows.
const KEYWORDS: [&str; 16] = [
    "as", "break", "const", "else", "for", "if", "in", "let", "loop", "match", "mut", "return",
    "unsafe", "use", "where", "while",
];

/// Operators of several characters.
const OPERATORS: [&str; 23] = [
    "::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "^=", "&=",
    "|=", "<<", ">>", "<<=", ">>=", "..", "..=",
];

/// What stands before the next token.
#[derive(Default)]
pub struct Glue {
    before: Before,
    /// Angle brackets that are open.
    angles: usize,
    /// The last identifier, if it is what stands before.
    word: String,
    /// What there is of the current operator.
    operator: String,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Before {
    /// Nothing.
    #[default]
    Start,
    /// A value or a name.
    Operand,
    /// A keyword.
    Keyword,
    /// The name of a function that is declared.
    Declared,
    /// An operator with an operand on both sides.
    Operator,
    /// What sticks to the next token: a sign, a path's `::`, `.`.
    Prefix,
    /// A part of an operator of several characters.
    Joint { unary: bool },
    /// `!` of a macro.
    Bang,
    /// `<` of generics.
    Angle,
    /// `'` of a lifetime.
    Tick,
}

impl Glue {
    /// Whether a blank stands before a token; `next` is the one after it.
    pub fn before(&mut self, tree: &TokenTree, next: Option<&TokenTree>) -> bool {
        let before = self.before;
        match tree {
            TokenTree::Ident(_) | TokenTree::Literal(_) => self.operand(before, tree),
            TokenTree::Group(group) => {
                self.before = Before::Operand;
                self.word.clear();
                match (group.delimiter(), before) {
                    (_, Before::Start | Before::Prefix | Before::Angle | Before::Tick) => false,
                    (_, Before::Joint { unary }) => !unary,
                    (Delimiter::Brace, _) => true,
                    (_, Before::Operand | Before::Declared | Before::Bang) => false,
                    (_, Before::Operator | Before::Keyword) => true,
                }
            }
            TokenTree::Punct(punct) => {
                let next = match next {
                    Some(TokenTree::Punct(next)) if punct.spacing() == Spacing::Joint => {
                        Some(next.as_char())
                    }
                    _ => None,
                };
                self.punct(before, punct.as_char(), next)
            }
        }
    }

    fn operand(&mut self, before: Before, tree: &TokenTree) -> bool {
        let text = tree.to_string();
        self.before = if before == Before::Tick || KEYWORDS.contains(&text.as_str()) {
            Before::Keyword
        } else if self.word == "fn" || self.word == "impl" {
            Before::Declared
        } else {
            Before::Operand
        };
        self.word = text;
        match before {
            Before::Start | Before::Prefix | Before::Angle | Before::Tick => false,
            Before::Joint { unary } => !unary,
            _ => true,
        }
    }

    fn punct(&mut self, before: Before, c: char, next: Option<char>) -> bool {
        let operand = matches!(before, Before::Operand | Before::Declared);
        let word = std::mem::take(&mut self.word);
        if !matches!(before, Before::Joint { .. }) {
            self.operator.clear();
        }
        self.operator.push(c);
        // In generics `>>` closes twice.
        let closes = self.angles > 0 && self.operator == ">";
        let longer = next.is_some_and(|next| {
            let longer = format!("{}{next}", self.operator);
            !closes && OPERATORS.contains(&longer.as_str())
        });
        let tight = matches!(
            before,
            Before::Start | Before::Prefix | Before::Angle | Before::Tick
        );
        let (after, space) = match (before, c) {
            (Before::Joint { .. }, _) if longer => (before, false),
            (Before::Joint { unary: true }, _) => (Before::Prefix, false),
            (Before::Joint { unary: false }, _) => (Before::Operator, false),
            (_, '.' | ':') if longer => {
                let apart = matches!(before, Before::Operator | Before::Keyword | Before::Bang);
                (Before::Joint { unary: true }, apart)
            }
            (_, '&' | '|') if longer && !operand => (Before::Joint { unary: true }, !tight),
            _ if longer => (Before::Joint { unary: false }, true),
            (_, ',' | ';' | ':') => (Before::Operator, false),
            (_, '.') => (Before::Prefix, false),
            (_, '?') => (Before::Operand, false),
            (_, '\'') => (Before::Tick, !tight),
            (_, '#' | '$') => (Before::Prefix, !tight),
            (_, '!') if operand => (Before::Bang, false),
            (_, '<') if self.opens(before, &word) => {
                self.angles += 1;
                (Before::Angle, false)
            }
            (_, '>') if closes => {
                self.angles -= 1;
                (Before::Declared, false)
            }
            (_, '&' | '*' | '-' | '!' | '|') if !operand => (Before::Prefix, !tight),
            _ => (Before::Operator, true),
        };
        self.before = after;
        space
    }

    /// Whether `<` opens generics: after `::`, a name that is declared, a type, or in other generics.
    fn opens(&self, before: Before, word: &str) -> bool {
        match before {
            Before::Declared | Before::Prefix | Before::Start | Before::Angle => true,
            Before::Operand => word.starts_with(char::is_uppercase),
            Before::Operator => self.angles > 0,
            Before::Keyword | Before::Joint { .. } | Before::Bang | Before::Tick => false,
        }
    }
}

/// A token that is no group; the facade's name in place of the macro's own.
pub fn leaf(tree: &TokenTree) -> String {
    match tree.to_string().as_str() {
        "$crate" => "::loopwright".to_owned(),
        // A dot may follow.
        text if text.ends_with('.') && text.len() > 1 => format!("{text}0"),
        text => text.to_owned(),
    }
}

/// An identifier's text.
pub fn word(tree: &TokenTree) -> Option<String> {
    match tree {
        TokenTree::Ident(ident) => Some(ident.to_string()),
        _ => None,
    }
}

/// Whether a token is a certain word.
pub fn is_word(tree: &TokenTree, text: &str) -> bool {
    matches!(tree, TokenTree::Ident(ident) if ident == text)
}

/// Whether a token is a certain character.
pub fn is_punct(tree: &TokenTree, c: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == c)
}

/// The text of a string literal with simple escapes.
pub fn unquoted(tree: &TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = tree else {
        return None;
    };
    let text = literal.to_string();
    if let Some(raw) = text.strip_prefix("r") {
        let raw = raw.trim_matches('#');
        return Some(raw.strip_prefix('"')?.strip_suffix('"')?.to_owned());
    }
    let mut chars = text.strip_prefix('"')?.strip_suffix('"')?.chars();
    let mut result = String::new();
    while let Some(c) = chars.next() {
        if c != '\\' {
            result.push(c);
            continue;
        }
        result.push(match chars.next()? {
            'n' => '\n',
            't' => '\t',
            c @ ('"' | '\\' | '\'') => c,
            _ => return None,
        });
    }
    Some(result)
}
