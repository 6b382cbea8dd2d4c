//! Programs as text.

use std::fmt;

use super::names::{self, Names};
use super::numbers;
use super::print_expressions::Expressions;
use crate::ir::{Array, Combining, Element, Equation, Extent, IndexId, Operator, Program, Role};
use crate::number::Number;

/// Tables are wrapped at this column.
const WIDTH: usize = 100;

/// Tables up to this length are printed in abbreviated texts.
const SHORT: usize = 16;

/// The text of a program. It parses back, and the same program always has the same text.
pub fn print(program: &Program) -> String {
    text(program, usize::MAX)
}

/// The text of a program for reading only: long tables are left out, and values rounded.
pub fn abbreviated(program: &Program) -> String {
    text(program, SHORT)
}

/// The text of a program, without the tables of more than `longest` values.
fn text(program: &Program, longest: usize) -> String {
    let names = Names::new(program);
    let mut out = match program.name.as_str() {
        "" => "program\n".to_owned(),
        name => format!("program {}\n", names::quoted(name)),
    };
    if program.exact {
        out.push_str("exact\n");
    }
    if !program.indices.is_empty() {
        out.push('\n');
    }
    for (name, index) in names.indices.iter().zip(&program.indices) {
        out.push_str(&format!("index {name}: {}\n", names.extent(&index.extent)));
    }
    if !program.arrays.is_empty() {
        out.push('\n');
    }
    for (name, array) in names.arrays.iter().zip(&program.arrays) {
        declaration(&names, name, array, longest, &mut out);
    }
    if !program.equations.is_empty() {
        out.push('\n');
    }
    out + &equations(program, &names)
}

/// The equations of a program.
pub fn equations(program: &Program, names: &Names) -> String {
    let mut out = String::new();
    for one in &program.equations {
        equation(program, names, one, &mut out);
    }
    out
}

/// The declaration of an array.
pub fn declaration_of(program: &Program, names: &Names, at: usize) -> String {
    let mut out = String::new();
    let (name, array) = (&names.arrays[at], &program.arrays[at]);
    declaration(names, name, array, usize::MAX, &mut out);
    out
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(self))
    }
}

fn declaration(names: &Names, name: &str, array: &Array, longest: usize, out: &mut String) {
    let role = match array.role {
        Role::Parameter(position) => format!("param {position}"),
        Role::Output(position) => format!("output {position}"),
        Role::State(position) => format!("state {position}"),
        Role::Table(_) => "table".to_owned(),
        Role::Counting => "counting".to_owned(),
        Role::Temporary => "temp".to_owned(),
    };
    out.push_str(&format!("{role} {name}: {}", names::element(array.element)));
    if !array.shape.is_empty() {
        let shape: Vec<String> = array.shape.iter().map(|e| names.extent(e)).collect();
        out.push_str(&format!("[{}]", shape.join(", ")));
    }
    if array.strided {
        out.push_str(" strided");
    }
    if array.flat {
        out.push_str(" flat");
        if array.inner > 0 {
            out.push_str(&format!(" {}", array.inner));
        }
    }
    if array.allocated {
        out.push_str(" allocated");
    }
    if let Role::Table(values) = &array.role {
        let shape: Option<Vec<usize>> = array.shape.iter().map(Extent::as_constant).collect();
        let shape = shape.filter(|s| s.iter().product::<usize>() == values.len());
        if longest < usize::MAX {
            return out.push_str(&excerpt(values, longest));
        }
        out.push_str(" = ");
        let column = out.len() - out.rfind('\n').map_or(0, |n| n + 1);
        table(&shape.unwrap_or(vec![values.len()]), values, 0, column, out);
    }
    out.push('\n');
}

/// The values of a table for reading, if they are few.
fn excerpt(values: &[Number], longest: usize) -> String {
    if values.len() > longest {
        return " = …\n".to_owned();
    }
    let values: Vec<String> = values.iter().map(|v| v.to_f64().to_string()).collect();
    format!(" = [{}]\n", values.join(", "))
}

/// A table's values: a row a line.
fn table(shape: &[usize], values: &[Number], indent: usize, column: usize, out: &mut String) {
    let (Some((_, inner)), false) = (shape.split_first(), values.is_empty()) else {
        // A scalar, or nothing.
        let text = values
            .first()
            .map_or("[]".to_owned(), |v| numbers::print(*v));
        out.push_str(&text);
        return;
    };
    out.push('[');
    if inner.is_empty() {
        row(values, indent, column + 1, out);
        return;
    }
    let part = inner.iter().product();
    for values in values.chunks(part) {
        let blank = " ".repeat(indent + 2);
        out.push_str(&format!("\n{blank}"));
        table(inner, values, indent + 2, indent + 2, out);
        out.push(',');
    }
    out.push_str(&format!("\n{}]", " ".repeat(indent)));
}

fn row(values: &[Number], indent: usize, mut column: usize, out: &mut String) {
    for (at, value) in values.iter().enumerate() {
        let text = numbers::print(*value);
        if at > 0 {
            out.push(',');
            if column + text.len() + 3 > WIDTH {
                column = indent + 4;
                out.push_str(&format!("\n{}", " ".repeat(column)));
            } else {
                out.push(' ');
            }
        }
        column += text.len() + 2;
        out.push_str(&text);
    }
    out.push(']');
}

fn equation(program: &Program, names: &Names, equation: &Equation, out: &mut String) {
    let element = program
        .arrays
        .get(equation.target.array.0 as usize)
        .map_or(Element::F64, |a| a.element);
    let mut expressions = Expressions::new(program, names, equation.expr);
    for (at, id) in expressions.bound().into_iter().enumerate() {
        let text = expressions.definition(id, element);
        out.push_str(&format!("let %{} = {text}\n", at + 1));
    }
    let operator = operator(equation.operator);
    out.push_str(&format!("{} {operator} ", names.access(&equation.target)));
    if !equation.reduction.is_empty() {
        let word = match equation.operator.combining() {
            Combining::Add => "sum",
            _ => "over",
        };
        out.push_str(&format!("{word}({}) ", names.list(&equation.reduction)));
    }
    out.push_str(&expressions.text(equation.expr, element));
    if !equation.free.is_empty() {
        let free: &[IndexId] = &equation.free;
        out.push_str(&format!("   for {}", names.list(free)));
    }
    out.push('\n');
}

/// The text of one equation, for reading.
pub fn one(program: &Program, at: usize) -> String {
    let mut out = String::new();
    if let Some(one) = program.equations.get(at) {
        equation(program, &Names::new(program), one, &mut out);
    }
    out
}

/// `=`, `+=` or one of its siblings.
pub fn operator(operator: Operator) -> &'static str {
    operator.accumulated().map_or("=", Combining::symbol)
}
