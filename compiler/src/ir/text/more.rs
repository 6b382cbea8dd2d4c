//! Text of what a program has more than another one, or computes in another way.
//!
//! The lines are those of programs, without those that the other program has as well: loops, temporaries and tables that
//! are new, temporaries that have other extents, and all equations, if one of them differs.

use super::lexer::Token;
use super::names::Names;
use super::parse::{array, declaration_at, equation};
use super::parser::{Parser, Result, Scope, is_keyword};
use super::print::{declaration_of, equations};
use crate::ir::{Program, Role};

/// What a program has more than the one that it was made of.
pub fn print(program: &Program, base: &Program) -> String {
    let [own, names] = [program, base].map(Names::new);
    let mut out = String::new();
    for (at, index) in program.indices.iter().enumerate().skip(base.indices.len()) {
        let extent = own.extent(&index.extent);
        out.push_str(&format!("index {}: {extent}\n", own.indices[at]));
    }
    for (at, array) in program.arrays.iter().enumerate() {
        let new = at >= base.arrays.len();
        if !new && array.role != Role::Temporary {
            continue;
        }
        let line = declaration_of(program, &own, at);
        let known = (!new).then(|| declaration_of(base, &names, at));
        if known.as_ref() != Some(&line) {
            out.push_str(&line);
        }
    }
    let lines = equations(program, &own);
    if lines != equations(base, &names) {
        out.push_str(&lines);
    }
    out
}

/// Takes what a program has more than `base`, up to a line that begins with the words `until`.
pub fn parse(parser: &mut Parser, base: &Program, until: [&str; 2]) -> Result<Program> {
    let mut program = base.clone();
    parser.scope = Scope::of(base);
    parser.skip_lines();
    while let Some(keyword) = declaration_at(parser) {
        match keyword {
            "index" => index(parser, &mut program)?,
            "temp" | "table" => owned(parser, &mut program, keyword)?,
            _ => {
                let message =
                    format!("a plan declares loops, temporaries and tables, no `{keyword}`");
                return parser.error_at(parser.position(), message);
            }
        }
        parser.end_of_line()?;
        parser.scope = Scope::of(&program);
    }
    let ends = |parser: &Parser| {
        let mut words = until.iter().enumerate();
        *parser.peek() == Token::End || words.all(|(at, word)| is_keyword(parser.ahead(at), word))
    };
    if !ends(parser) {
        program.equations.clear();
    }
    while !ends(parser) {
        equation(parser, &mut program)?;
        parser.end_of_line()?;
    }
    Ok(program)
}

/// Takes a loop. One of `base` may be written down again.
fn index(parser: &mut Parser, program: &mut Program) -> Result<()> {
    parser.next();
    let start = parser.position();
    let word = parser.word("a name")?;
    parser.symbol(":")?;
    let extent = parser.extent()?;
    let key = (word.name.clone(), word.copy);
    match parser.scope.indices.get(&key) {
        Some(known) if program.loop_index(*known).extent == extent => Ok(()),
        Some(_) => parser.error_at(start, format!("the loop `{word}` has another length")),
        None => {
            program.add_index(&word.name, extent);
            Ok(())
        }
    }
}

/// Takes a temporary or a table. A temporary of `base` may have another shape.
fn owned(parser: &mut Parser, program: &mut Program, keyword: &str) -> Result<()> {
    let start = parser.position();
    array(parser, program, keyword)?;
    let Some(new) = program.arrays.pop() else {
        return Ok(());
    };
    match parser.scope.arrays.get(&new.name) {
        Some((known, _)) => {
            let known = &mut program.arrays[known.0 as usize];
            if known.role != Role::Temporary || new.role != Role::Temporary {
                return parser.error_at(start, format!("`{}` is there already", new.name));
            }
            *known = new;
        }
        None => program.arrays.push(new),
    }
    Ok(())
}
