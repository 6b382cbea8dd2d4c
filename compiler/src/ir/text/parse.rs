//! Text to programs.

use std::rc::Rc;

use super::lexer::{ParseError, Token, Word};
use super::names;
use super::parse_expressions::expression;
use super::parser::{Parser, Result, is_keyword};
use crate::ir::{
    Array, ArrayId, Combining, Element, Equation, Extent, Index, IndexId, Operator, Program, Role,
};
use crate::number::Number;

/// Reads a program; see [`crate::ir::text`] for the form.
///
/// # Errors
/// The first mistake, with its line and column and what was expected.
pub fn parse(text: &str) -> std::result::Result<Program, ParseError> {
    let mut parser = Parser::new(text)?;
    declare(&mut parser)?;
    let mut program = Program::default();
    parser.skip_lines();
    parser.keyword("program")?;
    if !matches!(parser.peek(), Token::Newline) {
        program.name = parser.word("the program's name")?.name;
    }
    parser.end_of_line()?;
    if parser.is_keyword("exact") && matches!(parser.ahead(1), Token::Newline | Token::End) {
        parser.next();
        program.exact = true;
        parser.skip_lines();
    }
    while *parser.peek() != Token::End {
        match declaration_at(&parser) {
            Some(_) if !program.equations.is_empty() => {
                let message = "declarations come before equations";
                return parser.error_at(parser.position(), message);
            }
            Some("index") => index(&mut parser, &mut program)?,
            Some(role) => array(&mut parser, &mut program, role)?,
            None => equation(&mut parser, &mut program)?,
        }
        parser.end_of_line()?;
    }
    Ok(program)
}

/// The keyword of the declaration that starts here, if one does.
pub fn declaration_at(parser: &Parser) -> Option<&'static str> {
    let keywords = [
        "index", "param", "output", "state", "table", "counting", "temp",
    ];
    let found = keywords
        .into_iter()
        .find(|k| is_keyword(parser.peek(), k))?;
    let follows = match parser.ahead(1) {
        Token::Word(_) => !has_position(found),
        Token::Number(..) => has_position(found),
        _ => false,
    };
    follows.then_some(found)
}

/// Whether the arrays of a keyword are a parameter's memory.
fn has_position(keyword: &str) -> bool {
    matches!(keyword, "param" | "output" | "state")
}

/// Collects what is declared: declarations may use each other in any order.
fn declare(parser: &mut Parser) -> Result<()> {
    let (mut indices, mut arrays) = (0, 0);
    let mut line_starts = true;
    while *parser.peek() != Token::End {
        if !line_starts {
            line_starts = matches!(parser.next(), Token::Newline | Token::Symbol(";"));
            continue;
        }
        line_starts = false;
        let Some(keyword) = declaration_at(parser) else {
            line_starts = matches!(parser.next(), Token::Newline | Token::Symbol(";"));
            continue;
        };
        parser.next();
        if has_position(keyword) {
            parser.next();
        }
        let start = parser.position();
        let word = parser.word("a name")?;
        let twice = if keyword == "index" {
            let key = (word.name.clone(), word.copy);
            let id = IndexId(indices);
            indices += 1;
            parser.scope.indices.insert(key, id).is_some()
                || word.copy.is_none() && parser.scope.arrays.contains_key(&word.name)
        } else {
            // The shape follows; its commas are those of the dimensions.
            let rank = rank(parser, &word)?;
            let id = ArrayId(arrays);
            arrays += 1;
            let key = (word.name.clone(), None);
            parser.scope.indices.contains_key(&key)
                || parser
                    .scope
                    .arrays
                    .insert(word.name.clone(), (id, rank))
                    .is_some()
        };
        if twice {
            return parser.error_at(start, format!("`{word}` is declared twice"));
        }
    }
    parser.rewind(0);
    Ok(())
}

/// The number of dimensions in `: f64[…]`.
fn rank(parser: &mut Parser, word: &Word) -> Result<usize> {
    if word.copy.is_some() {
        return parser.expected("the name of an array, without a number");
    }
    parser.symbol(":")?;
    parser.word("an element type")?;
    let (mut depth, mut commas, mut last) = (0usize, 0, Token::End);
    if !parser.is("[") {
        return Ok(0);
    }
    loop {
        match parser.peek() {
            Token::Symbol("[" | "(") => depth += 1,
            Token::Symbol("]" | ")") => depth -= 1,
            Token::Symbol(",") if depth == 1 => commas += 1,
            Token::End => return parser.expected("`]`"),
            _ => {}
        }
        if depth == 0 {
            break;
        }
        last = parser.next();
    }
    let more = !matches!(last, Token::Symbol("[" | ","));
    Ok(commas + usize::from(more))
}

fn index(parser: &mut Parser, program: &mut Program) -> Result<()> {
    parser.next();
    let name = parser.word("a name")?.name;
    parser.symbol(":")?;
    let extent = parser.extent()?;
    program.indices.push(Index {
        name,
        extent,
        parts: Vec::new(),
    });
    Ok(())
}

/// Takes the declaration of an array.
pub fn array(parser: &mut Parser, program: &mut Program, keyword: &str) -> Result<()> {
    parser.next();
    let position = match has_position(keyword) {
        true => parser.count("the parameter's position")?,
        false => 0,
    };
    let name = parser.word("a name")?.name;
    parser.symbol(":")?;
    let element = element(parser)?;
    let mut shape = Vec::new();
    if parser.take("[") {
        while !parser.is("]") {
            shape.push(parser.extent()?);
            if !parser.take(",") {
                break;
            }
        }
        parser.symbol("]")?;
    }
    let strided = parser.take_keyword("strided");
    let flat = parser.take_keyword("flat");
    let inner = match parser.peek() {
        Token::Number(..) if flat => parser.count("a number of dimensions")?,
        _ => 0,
    };
    if inner > shape.len() {
        let message = "more dimensions than the array has";
        return parser.error_at(parser.position() - 1, message);
    }
    let allocated = parser.take_keyword("allocated");
    let role = match keyword {
        "param" => Role::Parameter(position),
        "output" => Role::Output(position),
        "state" => Role::State(position),
        "table" => Role::Table(Rc::new(table(parser, &shape)?)),
        "counting" => Role::Counting,
        _ => Role::Temporary,
    };
    program.arrays.push(Array {
        name,
        element,
        shape,
        role,
        strided,
        flat,
        inner,
        allocated,
        is_const: false,
        product: None,
    });
    Ok(())
}

/// Takes the name of an element type.
pub fn element(parser: &mut Parser) -> Result<Element> {
    const WHAT: &str = "an element type (`f64`, `f32`, `T`, `usize`, …)";
    let start = parser.position();
    let word = parser.word(WHAT)?;
    match names::element_of(&word.name) {
        Some(element) => Ok(element),
        None => parser.error_at(start, format!("expected {WHAT}, found `{word}`")),
    }
}

fn table(parser: &mut Parser, shape: &[Extent]) -> Result<Vec<Number>> {
    parser.symbol("=")?;
    let start = parser.position();
    let mut values = Vec::new();
    values_of(parser, &mut values)?;
    let extents: Option<Vec<usize>> = shape.iter().map(Extent::as_constant).collect();
    let expected = extents.map(|e| e.iter().product::<usize>());
    match expected {
        Some(n) if n != values.len() => {
            let message = format!("expected {n} values, found {}", values.len());
            parser.error_at(start, message)
        }
        _ => Ok(values),
    }
}

fn values_of(parser: &mut Parser, values: &mut Vec<Number>) -> Result<()> {
    if parser.take("[") {
        while !parser.is("]") {
            values_of(parser, values)?;
            if !parser.take(",") {
                break;
            }
        }
        return match parser.take("]") {
            true => Ok(()),
            false => parser.expected("`,` or `]`"),
        };
    }
    let negative = parser.take("-");
    match *parser.peek() {
        Token::Number(number, _) => {
            parser.next();
            values.push(if negative { -number } else { number });
            Ok(())
        }
        _ => parser.expected("a number or `[`"),
    }
}

/// Takes an equation, and what it binds before.
pub fn equation(parser: &mut Parser, program: &mut Program) -> Result<()> {
    let element = target_element(parser, program);
    let mut bound = Vec::new();
    while parser.take_keyword("let") {
        let next = bound.len() as u32 + 1;
        if !matches!(parser.peek(), Token::Bound(n) if *n == next) {
            return parser.expected(&format!("`%{next}`"));
        }
        parser.next();
        parser.symbol("=")?;
        bound.push(expression(parser, program, &bound, element)?);
        parser.end_of_line()?;
    }
    if !matches!(parser.peek(), Token::Word(_)) {
        return parser.expected("a declaration or an equation");
    }
    let target = parser.access()?;
    let operator = operator(parser)?;
    let mut reduction = Vec::new();
    let word = match operator.combining() {
        Combining::Add => "sum",
        _ => "over",
    };
    if parser.is_keyword(word) && matches!(parser.ahead(1), Token::Symbol("(")) {
        parser.next();
        parser.next();
        reduction = parser.indices()?;
        parser.symbol(")")?;
    }
    let expr = expression(parser, program, &bound, element)?;
    let mut free = Vec::new();
    if parser.take_keyword("for") {
        free = parser.indices()?;
    } else if !matches!(
        parser.peek(),
        Token::Newline | Token::End | Token::Symbol(";")
    ) {
        return parser.expected("an operator, `for` or the end of the line");
    }
    program.equations.push(Equation {
        target,
        operator,
        free,
        reduction,
        expr,
    });
    Ok(())
}

/// The element type of the target of the next equation, `let`s skipped.
fn target_element(parser: &Parser, program: &Program) -> Element {
    let ends = |token: &Token| matches!(token, Token::Newline | Token::Symbol(";"));
    let mut ahead = 0;
    while is_keyword(parser.ahead(ahead), "let") {
        while !ends(parser.ahead(ahead)) && *parser.ahead(ahead) != Token::End {
            ahead += 1;
        }
        while ends(parser.ahead(ahead)) {
            ahead += 1;
        }
    }
    let Token::Word(word) = parser.ahead(ahead) else {
        return Element::F64;
    };
    let id = parser.scope.arrays.get(&word.name).map(|(id, _)| *id);
    let array = id.and_then(|id| program.arrays.get(id.0 as usize));
    array.map_or(Element::F64, |a| a.element)
}

/// `=`, `+=`, or a word or `*` before `=`.
pub fn operator(parser: &mut Parser) -> Result<Operator> {
    if parser.take("=") {
        return Ok(Operator::Assign);
    }
    if parser.take("+=") {
        return Ok(Operator::ADD);
    }
    for (combining, word) in Combining::ALL {
        let before = matches!(parser.ahead(1), Token::Symbol("="));
        if before && (parser.take(word) || parser.take_keyword(word)) {
            parser.symbol("=")?;
            return Ok(Operator::Accumulate(combining));
        }
    }
    parser.expected("`=` or `+=`")
}
