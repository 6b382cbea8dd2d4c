//! Sums against tables that are even or odd, on halves of their loops.
//!
//! A table over the line is often symmetric under reversal of both axes, or changes its sign: points and
//! nodes lie symmetrically. Its even part then multiplies the sums of opposite terms, its odd part their
//! differences, and each of them says the results of one half of the points and those of the other: half
//! the products (Solomonoff 1992; Kronbichler and Kormann 2019, section 3.1). Which tables
//! are like that, their values say. A table that is symmetric along one axis alone has half the products, too: along
//! that of the terms, if several results share these, or along that of the results.
//!
//! Before: `v[e, q] = sum(i: 4) b[q, i] * u[e, i]`, where `b[3 - q, 3 - i] = b[q, i]`. After, for `h` of two:
//! `s[e, h] = u[e, h] + u[e, 3 - h]` and `d[e, h] = u[e, h] - u[e, 3 - h]`;
//! `x[e, h] = sum(k: 2) b0[h, k] * s[e, k]` and `y[e, h] = sum(k: 2) b1[h, k] * d[e, k]`;
//! `v[e, h] = x[e, h] + y[e, h]` and `v[e, 3 - h] = x[e, h] - y[e, h]`.
//! Holds: values are equal in exact arithmetic, operations fewer than before. Sums over windows that lie over each
//! other, those of a stencil, are left to [`loop_common_expressions`], which shares more.

mod build;
mod parts;
mod places;
mod written_out;

use crate::analysis::cost;
use crate::ir::{Equation, Expr, ExprId, IndexId, Pool, Program, Term};
use crate::number::Number;
use crate::passes::{loop_common_expressions, scalar_replacement};
use crate::rewrite::rename;
use build::{Builder, Halved};
use parts::{Loops, Weighted};
use written_out::written_out;

/// The name of the pass.
pub const NAME: &str = "even_odd";

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    if program.exact || program.is_in_place() || program.recurrence().is_some() {
        return Vec::new();
    }
    let mut candidate = program.clone();
    let mut builder = Builder::default();
    let mut equations = Vec::new();
    let mut count = 0;
    for equation in program.equations.clone() {
        match halves(&mut candidate, &mut builder, &equation) {
            Some(halves) => {
                equations.extend(halves);
                count += 1;
            }
            None => equations.push(equation),
        }
    }
    if count == 0 {
        return Vec::new();
    }
    candidate.equations = equations;
    scalar_replacement::split_from(&mut candidate, program.arrays.len());
    rename::unify(&mut candidate);
    let [before, after] = [&*program, &candidate].map(|p| cost::program(p).operations());
    if after >= before {
        return vec![format!(
            "nothing: {before} operations against {after} in halves"
        )];
    }
    *program = candidate;
    vec![format!(
        "{count} sums in halves of their loops: {after} operations against {before}"
    )]
}

/// The equations that take the place of a sum, if that is fewer operations: in the way that takes the fewest.
fn halves(
    program: &mut Program,
    builder: &mut Builder,
    equation: &Equation,
) -> Option<Vec<Equation>> {
    if equation.reduction.is_empty()
        || loop_common_expressions::reads_windows(program, equation)
        || !equation.adds_up()
        || (program.array(equation.target.array).element)
            .as_word()
            .is_some()
    {
        return None;
    }
    let before = operations(program, vec![equation.clone()]);
    let mut best: Option<(u64, Program, Builder, Vec<Equation>)> = None;
    for loops in ways(program, equation) {
        let Some(halved) = halved(program, equation, &loops) else {
            continue;
        };
        let (mut attempt, mut writer) = (program.clone(), builder.clone());
        let equations = writer.write(&mut attempt, equation, &loops, &halved);
        let equations = written_out(&mut attempt, equation, equations);
        let after = operations(&attempt, equations.clone());
        if after < best.as_ref().map_or(before, |(least, ..)| *least) {
            best = Some((after, attempt, writer, equations));
        }
    }
    let (_, new, writer, equations) = best?;
    *program = new;
    *builder = writer;
    Some(equations)
}

/// Each loop of a sum with each one around it, the sum's terms folded or not, and with none.
fn ways(program: &Program, equation: &Equation) -> Vec<Loops> {
    let is_long = |index: &IndexId| {
        let extent = program.loop_index(*index).extent.as_constant();
        extent.is_some_and(|extent| extent > 1)
    };
    let mut result = Vec::new();
    for summed in equation.reduction.iter().copied().filter(is_long) {
        let loops = |around, folded| Loops {
            around,
            summed,
            folded,
        };
        for around in equation.free.iter().copied().filter(is_long) {
            result.extend([true, false].map(|folded| loops(Some(around), folded)));
        }
        result.push(loops(None, true));
    }
    result
}

/// The terms of a sum with the parts of their tables, if all have them.
fn halved(program: &mut Program, equation: &Equation, loops: &Loops) -> Option<Vec<Halved>> {
    let terms = terms(&program.pool, equation.expr);
    let halved = terms.into_iter().map(|term| {
        let weighted = Weighted::of(program, term.expr, loops)?;
        let parts = weighted.parts(program, loops)?;
        Some(Halved {
            sign: term.coefficient,
            weighted,
            parts,
        })
    });
    halved.collect()
}

/// What is added.
fn terms(pool: &Pool, expr: ExprId) -> Vec<Term> {
    match pool.get(expr) {
        Expr::Sum(terms) => terms.clone(),
        _ => vec![Term {
            coefficient: Number::ONE,
            expr: pool.inside_kept(expr).unwrap_or(expr),
        }],
    }
}

/// Operations of some equations alone.
fn operations(program: &Program, equations: Vec<Equation>) -> u64 {
    let alone = Program {
        equations,
        ..program.clone()
    };
    cost::program(&alone).operations()
}
