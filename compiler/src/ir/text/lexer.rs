//! Text to tokens.

use std::fmt;

use super::numbers;
use crate::number::Number;

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What was expected.
    pub message: String,
    /// The line.
    pub text: String,
}

impl ParseError {
    /// An error at a byte of a text.
    pub(crate) fn new(source: &str, at: usize, message: impl Into<String>) -> Self {
        let before = &source[..at.min(source.len())];
        let start = before.rfind('\n').map_or(0, |n| n + 1);
        ParseError {
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
            message: message.into(),
            text: source[start..].lines().next().unwrap_or("").to_owned(),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ParseError {
            line,
            column,
            message,
            text,
        } = self;
        writeln!(f, "line {line}, column {column}: {message}")?;
        writeln!(f, "{line:>4} | {text}")?;
        write!(f, "     | {:>column$}", '^')
    }
}

impl std::error::Error for ParseError {}

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// A name or keyword.
    Word(Word),
    /// `%1`.
    Bound(u32),
    /// A number without sign, and its value if it is a plain integer.
    Number(Number, Option<i128>),
    /// Punctuation.
    Symbol(&'static str),
    /// The end of a line outside parentheses and brackets.
    Newline,
    /// The end.
    End,
}

/// A name: `i`, `i'2` or `` `any text` ``.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Word {
    /// The name itself.
    pub name: String,
    /// The number that tells indices of one name apart.
    pub copy: Option<u32>,
    /// Written in backticks: no keyword.
    pub quoted: bool,
}

/// Longer ones first.
const SYMBOLS: [&str; 24] = [
    "..", "+=", "<=", ">=", "==", "!=", "(", ")", "[", "]", "{", "}", ",", ":", ";", "@", "=", "+",
    "-", "*", "/", "^", "<", ">",
];

/// Splits a text into tokens with their positions in bytes; the last one is [`Token::End`].
pub fn tokens(source: &str) -> Result<Vec<(Token, usize)>, ParseError> {
    let mut result = Vec::new();
    let mut at = 0;
    // What is open, and where.
    let mut open: Vec<(&str, usize)> = Vec::new();
    while let Some(first) = source[at..].chars().next() {
        let rest = &source[at..];
        if first == '\n' {
            if open.is_empty() {
                result.push((Token::Newline, at));
            }
            at += 1;
        } else if first.is_whitespace() {
            at += first.len_utf8();
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else {
            let (token, length) =
                token(rest).map_err(|(offset, m)| ParseError::new(source, at + offset, m))?;
            match &token {
                Token::Symbol(symbol @ ("(" | "[")) => open.push((symbol, at)),
                Token::Symbol(symbol @ (")" | "]")) => {
                    let partner = if *symbol == ")" { "(" } else { "[" };
                    if open.pop().is_none_or(|(opening, _)| opening != partner) {
                        let message = format!("this `{symbol}` has no `{partner}`");
                        return Err(ParseError::new(source, at, message));
                    }
                }
                _ => {}
            }
            result.push((token, at));
            at += length;
        }
    }
    if let Some((symbol, at)) = open.pop() {
        let message = format!("this `{symbol}` is not closed");
        return Err(ParseError::new(source, at, message));
    }
    result.push((Token::Newline, at));
    result.push((Token::End, at));
    Ok(result)
}

/// The first token of a text and its length, or what is wrong how far into it.
fn token(rest: &str) -> Result<(Token, usize), (usize, String)> {
    let first = rest.chars().next().unwrap_or(' ');
    if first.is_ascii_digit() || first == '#' {
        let (number, length) = numbers::lex(rest).ok_or((0, "this is no number".to_owned()))?;
        let integer = rest[..length].parse().ok();
        return Ok((Token::Number(number, integer), length));
    }
    if first == '%' {
        let length = 1 + digits(&rest[1..]);
        let number = rest[1..length].parse();
        return match number {
            Ok(number) => Ok((Token::Bound(number), length)),
            Err(_) => Err((1, "expected the number of a `let` after `%`".to_owned())),
        };
    }
    if first.is_alphabetic() || first == '_' || first == '`' {
        return word(rest);
    }
    match SYMBOLS.iter().find(|s| rest.starts_with(**s)) {
        Some(symbol) => Ok((Token::Symbol(symbol), symbol.len())),
        None => Err((0, format!("unexpected character `{first}`"))),
    }
}

fn word(rest: &str) -> Result<(Token, usize), (usize, String)> {
    let quoted = rest.starts_with('`');
    let (name, mut length) = if quoted {
        let end = rest[1..].find(['`', '\n']).map(|n| n + 1);
        match end.filter(|n| rest[*n..].starts_with('`')) {
            Some(end) => (&rest[1..end], end + 1),
            None => return Err((0, "this backtick has no partner on its line".to_owned())),
        }
    } else {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let end = end.unwrap_or(rest.len());
        (&rest[..end], end)
    };
    let mut copy = None;
    if let Some(suffix) = rest[length..].strip_prefix('\'') {
        let count = digits(suffix);
        copy = suffix[..count].parse().ok();
        if copy.is_none() {
            return Err((length + 1, "expected a number after `'`".to_owned()));
        }
        length += 1 + count;
    }
    let name = name.to_owned();
    Ok((Token::Word(Word { name, copy, quoted }), length))
}

/// The name that a text is.
pub fn word_of(text: &str) -> Option<Word> {
    match word(text) {
        Ok((Token::Word(word), length)) if length == text.len() => Some(word),
        _ => None,
    }
}

/// How many decimal digits a text starts with.
pub fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Word(word) => write!(f, "`{word}`"),
            Token::Bound(number) => write!(f, "`%{number}`"),
            Token::Number(number, _) => write!(f, "`{}`", numbers::print(*number)),
            Token::Symbol(symbol) => write!(f, "`{symbol}`"),
            Token::Newline => write!(f, "the end of the line"),
            Token::End => write!(f, "the end of the text"),
        }
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Word { name, quoted, .. } = self;
        match quoted {
            true => write!(f, "`{name}`")?,
            false => write!(f, "{name}")?,
        }
        match self.copy {
            Some(copy) => write!(f, "'{copy}"),
            None => Ok(()),
        }
    }
}
