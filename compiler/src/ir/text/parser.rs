//! What the parsers of programs and schedules share: a cursor, names, affine functions.

use super::lexer::{self, ParseError, Token, Word, word_of};
use super::names::{Names, RESERVED};
use crate::collections::HashMap;
use crate::ir::{Access, Affine, ArrayId, Atom, Extent, IndexId, Program};

pub type Result<T> = std::result::Result<T, ParseError>;

/// What a name stands for.
#[derive(Default)]
pub struct Scope {
    /// Indices, with the number that tells equal names apart.
    pub indices: HashMap<(String, Option<u32>), IndexId>,
    /// Arrays and the number of their dimensions.
    pub arrays: HashMap<String, (ArrayId, usize)>,
}

impl Scope {
    /// What the names of a program stand for in its text.
    pub fn of(program: &Program) -> Self {
        let names = Names::new(program);
        let mut scope = Scope::default();
        for (at, name) in names.indices.iter().enumerate() {
            if let Some(word) = word_of(name) {
                let id = IndexId(at as u32);
                scope.indices.insert((word.name, word.copy), id);
            }
        }
        for (at, array) in program.arrays.iter().enumerate() {
            let entry = (ArrayId(at as u32), array.shape.len());
            scope.arrays.insert(array.name.clone(), entry);
        }
        scope
    }
}

/// A position in a text.
pub struct Parser<'s> {
    source: &'s str,
    tokens: Vec<(Token, usize)>,
    at: usize,
    /// The names declared.
    pub scope: Scope,
}

impl<'s> Parser<'s> {
    /// The start of a text.
    pub fn new(source: &'s str) -> Result<Self> {
        Ok(Parser {
            source,
            tokens: lexer::tokens(source)?,
            at: 0,
            scope: Scope::default(),
        })
    }

    /// The next token.
    pub fn peek(&self) -> &Token {
        self.ahead(0)
    }

    /// A later token.
    pub fn ahead(&self, count: usize) -> &Token {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.at + count).min(last)].0
    }

    /// Where the next token is.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Goes to a position.
    pub fn rewind(&mut self, position: usize) {
        self.at = position;
    }

    /// Takes a token.
    pub fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// An error at a position.
    pub fn error_at<T>(&self, position: usize, message: impl Into<String>) -> Result<T> {
        let last = self.tokens.len() - 1;
        let byte = self.tokens[position.min(last)].1;
        Err(ParseError::new(self.source, byte, message))
    }

    /// An error at the next token, which is not what is expected.
    pub fn expected<T>(&self, what: &str) -> Result<T> {
        self.error_at(self.at, format!("expected {what}, found {}", self.peek()))
    }

    /// Whether the next token is a symbol.
    pub fn is(&self, symbol: &str) -> bool {
        matches!(self.peek(), Token::Symbol(s) if *s == symbol)
    }

    /// Takes a symbol if it is next.
    pub fn take(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        self.at += usize::from(found);
        found
    }

    /// Takes a symbol.
    pub fn symbol(&mut self, symbol: &str) -> Result<()> {
        match self.take(symbol) {
            true => Ok(()),
            false => self.expected(&format!("`{symbol}`")),
        }
    }

    /// Whether the next token is a keyword.
    pub fn is_keyword(&self, keyword: &str) -> bool {
        is_keyword(self.peek(), keyword)
    }

    /// Takes a keyword if it is next.
    pub fn take_keyword(&mut self, keyword: &str) -> bool {
        let found = self.is_keyword(keyword);
        self.at += usize::from(found);
        found
    }

    /// Takes a keyword.
    pub fn keyword(&mut self, keyword: &str) -> Result<()> {
        match self.take_keyword(keyword) {
            true => Ok(()),
            false => self.expected(&format!("`{keyword}`")),
        }
    }

    /// Takes a name.
    pub fn word(&mut self, what: &str) -> Result<Word> {
        match self.peek() {
            Token::Word(word) if word.quoted || !RESERVED.contains(&&*word.name) => {
                let word = word.clone();
                self.at += 1;
                Ok(word)
            }
            _ => self.expected(what),
        }
    }

    /// Takes a number that counts something.
    pub fn count(&mut self, what: &str) -> Result<usize> {
        match self.peek() {
            Token::Number(_, Some(n)) if usize::try_from(*n).is_ok() => {
                let n = *n as usize;
                self.at += 1;
                Ok(n)
            }
            _ => self.expected(what),
        }
    }

    /// Takes an integer.
    pub fn integer(&mut self, what: &str) -> Result<i64> {
        let start = self.at;
        let sign = if self.take("-") { -1 } else { 1 };
        let Token::Number(_, Some(n)) = *self.peek() else {
            return self.expected(what);
        };
        match i64::try_from(sign * n) {
            Ok(n) => {
                self.at += 1;
                Ok(n)
            }
            Err(_) => self.error_at(start, "this integer does not fit 64 bits"),
        }
    }

    /// Takes the ends of lines (and `;`).
    pub fn skip_lines(&mut self) {
        while matches!(self.peek(), Token::Newline | Token::Symbol(";")) {
            self.at += 1;
        }
    }

    /// Takes what must end a line.
    pub fn end_of_line(&mut self) -> Result<()> {
        match self.peek() {
            Token::Newline | Token::Symbol(";") => {
                self.skip_lines();
                Ok(())
            }
            Token::End => Ok(()),
            _ => self.expected("the end of the line"),
        }
    }

    /// Takes a declared index.
    pub fn index(&mut self) -> Result<IndexId> {
        let start = self.at;
        let word = self.word("an index")?;
        match self.scope.indices.get(&(word.name.clone(), word.copy)) {
            Some(index) => Ok(*index),
            None => self.error_at(start, format!("no index is declared as `{word}`")),
        }
    }

    /// Takes indices with commas, at least one.
    pub fn indices(&mut self) -> Result<Vec<IndexId>> {
        let mut result = vec![self.index()?];
        while self.take(",") {
            result.push(self.index()?);
        }
        Ok(result)
    }

    /// Takes a declared array: it and its number of dimensions.
    pub fn array(&mut self) -> Result<(ArrayId, usize)> {
        let start = self.at;
        let word = self.word("an array")?;
        match self
            .scope
            .arrays
            .get(&word.name)
            .filter(|_| word.copy.is_none())
        {
            Some(found) => Ok(*found),
            None => {
                let key = (word.name.clone(), word.copy);
                let message = match self.scope.indices.contains_key(&key) {
                    true => format!("`{word}` is an index, not an array"),
                    false => format!("no array is declared as `{word}`"),
                };
                self.error_at(start, message)
            }
        }
    }

    /// Takes an access; the subscripts are as many as the array has dimensions.
    pub fn access(&mut self) -> Result<Access> {
        let start = self.at;
        let (array, rank) = self.array()?;
        let subscripts = match self.is("[") {
            true => self.subscripts()?,
            false => Vec::new(),
        };
        let count = subscripts.len();
        if count != rank {
            let message = format!("this array has {rank} dimensions, not {count}");
            return self.error_at(start, message);
        }
        Ok(Access { array, subscripts })
    }

    fn subscripts(&mut self) -> Result<Vec<Affine>> {
        self.symbol("[")?;
        let mut result = Vec::new();
        while !self.is("]") {
            result.push(self.affine()?);
            if !self.take(",") {
                break;
            }
        }
        match self.take("]") {
            true => Ok(result),
            false => self.expected("`,`, `]`, `+` or `-`"),
        }
    }

    /// Takes an affine function.
    pub fn affine(&mut self) -> Result<Affine> {
        let negative = self.take("-");
        let mut result = self.affine_term(if negative { -1 } else { 1 })?;
        loop {
            let sign = match self.peek() {
                Token::Symbol("+") => 1,
                Token::Symbol("-") => -1,
                _ => return Ok(result),
            };
            self.at += 1;
            result = result.add(&self.affine_term(sign)?);
        }
    }

    fn affine_term(&mut self, sign: i64) -> Result<Affine> {
        const WHAT: &str = "an integer, an index, an integer parameter, `len(…)` or an index map";
        let start = self.at;
        if let Token::Number(_, integer) = *self.peek() {
            let value = integer.and_then(|n| i64::try_from(i128::from(sign) * n).ok());
            let Some(value) = value else {
                return self.expected("an integer of 64 bits");
            };
            self.at += 1;
            return Ok(match self.take("*") {
                true => Affine::atom(self.atom(WHAT)?).scale(value),
                false => Affine::constant(value),
            });
        }
        let atom = self.atom(WHAT)?;
        if self.take("*") {
            let message = "write the coefficient first: `2*i`";
            return self.error_at(start, message);
        }
        Ok(Affine::atom(atom).scale(sign))
    }

    fn atom(&mut self, what: &str) -> Result<Atom> {
        let start = self.at;
        let word = self.word(what)?;
        if word.name == "len" && !word.quoted && self.take("(") {
            let (array, _) = self.array()?;
            let axis = if self.take(",") {
                self.count("an axis")?
            } else {
                0
            };
            self.symbol(")")?;
            return Ok(Atom::Length(array, axis));
        }
        if let Some(index) = self.scope.indices.get(&(word.name.clone(), word.copy)) {
            return Ok(Atom::Index(*index));
        }
        match self
            .scope
            .arrays
            .get(&word.name)
            .filter(|_| word.copy.is_none())
        {
            None => self.error_at(start, format!("no index or array is declared as `{word}`")),
            Some((array, _)) if !self.is("[") => Ok(Atom::Scalar(*array)),
            Some((array, _)) => {
                let array = *array;
                Ok(Atom::Map(array, self.subscripts()?))
            }
        }
    }

    /// Takes an extent.
    pub fn extent(&mut self) -> Result<Extent> {
        if self.take("(") {
            let affine = self.affine()?;
            self.symbol(")")?;
            return Ok(Extent::RunTime(affine));
        }
        let affine = self.affine()?;
        let constant = affine.as_constant().and_then(|n| usize::try_from(n).ok());
        Ok(constant.map_or(Extent::RunTime(affine), Extent::Constant))
    }
}

/// Whether a token is a keyword.
pub fn is_keyword(token: &Token, keyword: &str) -> bool {
    matches!(token, Token::Word(w) if !w.quoted && w.copy.is_none() && w.name == keyword)
}
