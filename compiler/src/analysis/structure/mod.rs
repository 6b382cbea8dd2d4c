//! The structural verifier: whether a program keeps the rules that passes rely on.
//!
//! The rules are those of [`crate::ir`], as far as they can be decided. What is known at run time only is
//! wrong where it is wrong for all inputs, and what cannot be decided is left to validation, which
//! interprets programs. All violations are found, each with its equation.
//!
//! | file | rules |
//! |---|---|
//! | `references.rs` | numbers of indices, arrays and expressions exist; accesses have the rank of their array; subscripts and extents are made of integers |
//! | `arrays.rs` | names are unique; tables have a value for each element; what shares memory has one type |
//! | `expressions.rs` | element types agree; conditions are comparisons; functions have their number of operands |
//! | `equations.rs` | each loop of an equation is there once; what is written and read depends on no other loops, what is written on no reductions; mirrored loops have one length |
//! | `bounds.rs` | subscripts are within the extents of what the kernel owns |
//! | `order.rs` | each element of a temporary is assigned once, before it is read; equations that take turns have one domain |
//!
//! Later files rely on the rules of the first one, which is why they are asked only where these hold.

mod arrays;
mod bounds;
mod equations;
mod expressions;
mod order;
mod references;
#[cfg(test)]
mod tests;

pub use bounds::is_inside;

use std::fmt;

use crate::ir::{ArrayId, ExprId, Program, text};

/// A rule that a program breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which, and with what.
    pub message: String,
    /// The text of the equation, if it is one that breaks it.
    pub equation: Option<String>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.equation {
            Some(equation) => write!(f, "{} in `{}`", self.message, equation.trim_end()),
            None => f.write_str(&self.message),
        }
    }
}

/// All rules that a program breaks.
pub fn violations(program: &Program) -> Vec<Violation> {
    broken(program, true)
}

/// The rules that a scheduled program keeps as well: it may add up in temporaries that a loop tree clears.
pub fn scheduled(program: &Program) -> Vec<Violation> {
    broken(program, false)
}

/// The rules that a program breaks, those that only passes rely on among them or not.
fn broken(program: &Program, of_passes: bool) -> Vec<Violation> {
    let mut finder = Finder::new(program);
    finder.references();
    if finder.found.is_empty() {
        finder.arrays();
        finder.expressions();
        finder.equations();
        if of_passes {
            finder.mirrors();
        }
        finder.bounds();
        if of_passes {
            finder.order();
        }
    }
    finder.found
}

/// The rules on element types alone: in the prime field `f32` and `f64` are alike, in Rust they are not.
pub fn types(program: &Program) -> Vec<Violation> {
    let mut finder = Finder::new(program);
    finder.types();
    finder.found
}

/// Collects violations.
struct Finder<'p> {
    program: &'p Program,
    /// The expressions that equations use, each with the first equation that does, in the order of ids.
    used: Vec<(ExprId, usize)>,
    found: Vec<Violation>,
}

impl<'p> Finder<'p> {
    fn new(program: &'p Program) -> Finder<'p> {
        Finder {
            program,
            used: used(program),
            found: Vec::new(),
        }
    }

    /// Notes what an equation breaks.
    fn wrong(&mut self, equation: usize, message: String) {
        self.found.push(Violation {
            message,
            equation: Some(text::equation(self.program, equation)),
        });
    }

    /// Notes what a declaration breaks.
    fn wrong_declaration(&mut self, message: String) {
        self.found.push(Violation {
            message,
            equation: None,
        });
    }

    fn name(&self, array: ArrayId) -> &'p str {
        &self.program.array(array).name
    }
}

/// The expressions that equations use, each with the first equation that does. Equations whose value is
/// none of the program's are left out.
fn used(program: &Program) -> Vec<(ExprId, usize)> {
    let mut first: Vec<Option<usize>> = vec![None; program.pool.len()];
    let mut stack = Vec::new();
    for (at, equation) in program.equations.iter().enumerate() {
        if (equation.expr.0 as usize) < first.len() {
            stack.push(equation.expr);
        }
        while let Some(expr) = stack.pop() {
            let first = &mut first[expr.0 as usize];
            if first.is_none() {
                *first = Some(at);
                program.pool.operands_into(expr, &mut stack);
            }
        }
    }
    let all = first.into_iter().enumerate();
    all.filter_map(|(expr, at)| Some((ExprId(expr as u32), at?)))
        .collect()
}
