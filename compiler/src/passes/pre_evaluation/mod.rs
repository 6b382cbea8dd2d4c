//! Pre-evaluation of reductions (Luporini 2017, section 4 and Algorithms 2 and 3).
//!
//! A sum over quadrature points is expanded into monomials; in each, what is known (tables) is
//! split from what is not (geometry, coefficients), and the tables' sum is evaluated while the
//! kernel expands. What remains is a sum of unknown scalars times reference tensors. Coefficient
//! functions are sums themselves: their definitions may be put in their places, which makes the
//! tensors larger. Sums over cells stay, and so do maps that choose a table. Each way is counted,
//! quadrature after sharing elimination, and that with the fewest operations is taken if its tables
//! fit the memory bound. Beyond the paper, a table that is up to twice too large is taken if it
//! halves the operations.
//!
//! Before: `a[e, i, j] += sum(q) w[q] * det[e] * phi[q, i] * phi[q, j]`. After:
//! `a[e, i, j] += det[e] * reference[i, j]`.
//! Holds: values are equal in exact arithmetic, operations never more than before.

mod assemble;
mod common;
mod dissect;
mod entries;
mod reference;
mod selections;

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};

use super::{code_motion, sharing_elimination, symmetry};
use crate::analysis::cost;
use crate::ir::{ArrayId, Equation, Expr, ExprId, Factor, IndexId, Pool, Program, Role, Term};
use crate::rewrite::normalise::{product, share_reciprocals};
use crate::rewrite::rename;
use crate::rewrite::unused::remove_unused;
use assemble::replaced;
use dissect::{Definitions, Monomial, definitions, dissect};
use reference::{Part, evaluate};
use selections::Selections;

/// Bytes that tables may take unless the kernel says otherwise: the second-level cache of a common
/// processor.
const MEMORY: u64 = 512 << 10;
/// Terms, for each operation that code motion alone leaves, from which tables are not tried.
const HOPELESS: u64 = 4;
/// Terms that are tried in any case.
const SMALL: u64 = 4096;
/// Most temporaries whose definitions are put in their places one by one.
const MOST_TEMPORARIES: usize = 4;

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    if program.exact {
        return Vec::new();
    }
    let bound = program.memory.unwrap_or(MEMORY);
    let mut opened = program.clone();
    let selections = Selections::open(&mut opened);
    let definitions = definitions(&opened);
    let mut found: Vec<(Counted, Program, String)> = Vec::new();
    let moved = LazyCell::new(|| Counted::of(program));
    let mut hopeless = Vec::new();
    for inlined in choices(&opened, &definitions) {
        let evaluation = Evaluation::of(&opened, &definitions, &selections, &inlined, bound);
        let Some(evaluation) = evaluation else {
            continue;
        };
        let terms = evaluation.terms();
        if terms > SMALL && terms / HOPELESS > moved.operations {
            let what = name(program, &inlined, false);
            hopeless.push(format!("{what}: {terms} terms, not tried"));
            continue;
        }
        for shared in [false, true] {
            if let Some((candidate, copied)) = evaluation.assembled(&opened, &selections, shared) {
                let counted = Counted {
                    copied,
                    ..Counted::of(&candidate)
                };
                found.push((counted, candidate, name(program, &inlined, shared)));
            }
        }
    }
    if found.is_empty() && hopeless.is_empty() {
        return vec!["nothing is summed over tables that fit the memory bound".to_owned()];
    }
    let quadrature = quadrature(program, &found, &moved, bound);
    let mut alternatives = vec![format!("quadrature: {}", quadrature.describe())];
    alternatives.extend(
        found
            .iter()
            .map(|(c, _, how)| format!("{how}: {}", c.describe())),
    );
    alternatives.append(&mut hopeless);
    let alternatives = alternatives.join("; ");
    let mut best: Option<(Counted, Program, String)> = None;
    for candidate in found {
        let than = best.as_ref().map_or(&quadrature, |(least, ..)| least);
        if candidate.0.beats(than, bound) {
            best = Some(candidate);
        }
    }
    let Some((_, candidate, how)) = best else {
        return vec![format!("nothing ({alternatives})")];
    };
    *program = candidate;
    vec![format!("{how} ({alternatives})")]
}

/// What the program takes if nothing is evaluated. That is counted after sharing elimination, unless
/// some candidate takes less than one operation for each iteration, or none takes less than code
/// motion alone leaves: `moved`.
fn quadrature(
    program: &Program,
    found: &[(Counted, Program, String)],
    moved: &Counted,
    bound: u64,
) -> Counted {
    let sums = program.equations.iter().filter(|e| !e.reduction.is_empty());
    let least = Counted {
        operations: sums.map(|equation| iterations(program, equation)).sum(),
        bytes: 0,
        copied: 0,
        bound: Bound::AtLeast,
    };
    let beaten = |by: &Counted| found.iter().any(|(counted, ..)| counted.beats(by, bound));
    if beaten(&least) {
        return least;
    }
    if !beaten(moved) {
        return Counted {
            bound: Bound::AtMost,
            ..*moved
        };
    }
    let mut eliminated = program.clone();
    sharing_elimination::run(&mut eliminated);
    Counted::of(&eliminated)
}

/// Iterations of an equation's loops of constant length.
fn iterations(program: &Program, equation: &Equation) -> u64 {
    let length = |index| program.loop_index(index).extent.as_constant().unwrap_or(1);
    let lengths = equation.domain().map(|index| length(index) as u64);
    lengths.product()
}

/// Whether operations are counted or bounded.
enum Bound {
    Counted,
    AtLeast,
    AtMost,
}

/// Operations and bytes of a program after the passes that follow.
struct Counted {
    operations: u64,
    bytes: u64,
    /// Entries that are read back from a temporary: as dear as an operation each.
    copied: u64,
    bound: Bound,
}

impl Counted {
    fn of(program: &Program) -> Counted {
        let mut moved = program.clone();
        code_motion::run(&mut moved);
        symmetry::run(&mut moved);
        let cost = cost::program(&moved);
        Counted {
            operations: cost.operations(),
            bytes: cost.each.table_bytes + cost.once.table_bytes,
            copied: 0,
            bound: Bound::Counted,
        }
    }

    fn describe(&self) -> String {
        let (operations, bytes) = (self.operations, self.bytes);
        match self.bound {
            Bound::AtLeast => format!("at least {operations} operations"),
            Bound::AtMost => {
                format!("at most {operations} operations, {bytes} bytes of tables")
            }
            Bound::Counted => format!("{operations} operations, {bytes} bytes of tables"),
        }
    }

    fn work(&self) -> u64 {
        self.operations + self.copied
    }

    /// Fewer operations in tables that fit, or half of them in tables of up to twice the bound.
    fn beats(&self, other: &Counted, bound: u64) -> bool {
        let fits = self.bytes <= bound.max(other.bytes);
        let nearly = self.bytes <= bound.saturating_mul(2);
        let (mine, others) = (self.work(), other.work());
        (fits && mine < others) || (nearly && mine < others / 2)
    }
}

/// Which temporaries are replaced by their definitions: none, all, or one of them.
fn choices(program: &Program, definitions: &Definitions) -> Vec<HashSet<ArrayId>> {
    let mut all: Vec<ArrayId> = definitions.keys().copied().collect();
    all.retain(|array| {
        let mut known = HashMap::new();
        let mut sums = program.equations.iter().filter(|e| !e.reduction.is_empty());
        sums.any(|equation| program.pool.reads(equation.expr, *array, &mut known))
    });
    all.sort_unstable();
    let mut result = vec![HashSet::new()];
    if !all.is_empty() {
        result.push(all.iter().copied().collect());
    }
    if (2..=MOST_TEMPORARIES).contains(&all.len()) {
        result.extend(all.iter().map(|array| HashSet::from([*array])));
    }
    result
}

fn name(program: &Program, inlined: &HashSet<ArrayId>, shared: bool) -> String {
    let mut names: Vec<&str> = inlined
        .iter()
        .map(|array| program.array(*array).name.as_str())
        .collect();
    names.sort_unstable();
    let shared = if shared { ", equal entries once" } else { "" };
    if names.is_empty() {
        format!("tables{shared}")
    } else {
        format!("tables and the sums of `{}`{shared}", names.join("`, `"))
    }
}

/// An equation whose sums over tables are evaluated.
struct Evaluated {
    equation: Equation,
    /// What was evaluated.
    parts: Vec<Part>,
    /// What is still summed over the equation's reduction loops.
    rest: Vec<Term>,
}

/// The equations of a program, evaluated where they can be.
struct Evaluation {
    /// With the loops and expressions that the parts are made of.
    program: Program,
    evaluated: Vec<Evaluated>,
    /// For each equation, which of `evaluated` it is.
    position: Vec<Option<usize>>,
}

impl Evaluation {
    /// Evaluates the equations; `None` if none can be in tables that take little more memory than
    /// allowed.
    fn of(
        program: &Program,
        definitions: &Definitions,
        selections: &Selections,
        inlined: &HashSet<ArrayId>,
        bound: u64,
    ) -> Option<Evaluation> {
        let mut result = program.clone();
        // Twice the bound, in numbers of eight bytes.
        let most = usize::try_from(bound / 4).unwrap_or(usize::MAX);
        let mut evaluated: Vec<Evaluated> = Vec::new();
        let mut position: Vec<Option<usize>> = Vec::new();
        for equation in &program.equations {
            let defines = definitions.contains_key(&equation.target.array);
            let new = if defines {
                None
            } else {
                let mut loops: Vec<IndexId> = equation.free.clone();
                loops.extend(selections.indices());
                loops.retain(|index| result.is_constant(*index));
                pre_evaluated(&mut result, equation, &loops, definitions, inlined, most)
            };
            position.push(new.is_some().then_some(evaluated.len()));
            evaluated.extend(new);
        }
        common::factorise(&mut result, &mut evaluated);
        (!evaluated.is_empty()).then_some(Evaluation {
            program: result,
            evaluated,
            position,
        })
    }

    /// Terms that are left: entries of tensors that are not zero, and what is still summed.
    fn terms(&self) -> u64 {
        let each = |of: &Evaluated| {
            let entries = of.parts.iter().flat_map(|part| &part.tensor);
            let entries = entries.filter(|entry| !entry.is_zero()).count() as u64;
            entries + of.rest.len() as u64 * iterations(&self.program, &of.equation)
        };
        self.evaluated.iter().map(each).sum()
    }

    /// The program with what was evaluated, and how many entries are copied from a temporary; `None`
    /// if equal entries are to be `shared` and there are none.
    fn assembled(
        &self,
        source: &Program,
        selections: &Selections,
        shared: bool,
    ) -> Option<(Program, u64)> {
        let mut result = self.program.clone();
        let (mut sharing, mut copied) = (HashMap::new(), 0);
        if shared {
            (sharing, copied) = entries::share(&mut result, &self.evaluated);
            if sharing.is_empty() {
                return None;
            }
        }
        let mut tables = Vec::new();
        let mut equations = Vec::new();
        for (equation, position) in source.equations.iter().zip(&self.position) {
            let Some(at) = position else {
                equations.push(equation.clone());
                continue;
            };
            equations.extend(match sharing.remove(at) {
                Some(replaced) => replaced,
                None => replaced(&mut result, &self.evaluated[*at], &mut tables),
            });
        }
        result.equations = equations;
        selections.close(&mut result);
        remove_unused(&mut result);
        share_reciprocals(&mut result);
        rename::unify(&mut result);
        Some((result, copied))
    }
}

/// The factors of a product, or a value as its only factor.
fn opened(pool: &Pool, expr: ExprId) -> Vec<Factor> {
    match pool.get(expr) {
        Expr::Product(factors) => factors.clone(),
        _ => vec![Factor { expr, power: 1 }],
    }
}

/// Evaluates what an equation sums over tables; `None` where that is nothing. `loops` of constant
/// length stay.
fn pre_evaluated(
    program: &mut Program,
    equation: &Equation,
    loops: &[IndexId],
    definitions: &Definitions,
    inlined: &HashSet<ArrayId>,
    most: usize,
) -> Option<Evaluated> {
    // Several equations would write what the later ones read.
    if !program.states(equation.expr).is_empty() {
        return None;
    }
    // Sums over cells stay.
    let mut sums = equation.reduction.clone();
    sums.retain(|index| program.is_constant(*index));
    let monomials = dissect(program, equation.expr, (loops, &sums), definitions, inlined)?;
    let (rest, known): (Vec<Monomial>, Vec<Monomial>) =
        monomials.into_iter().partition(|m| !m.rest.is_empty());
    let worth = |m: &Monomial| !m.tables.is_empty();
    // What is left keeps the equation's loops, and has none of its own.
    if !known.iter().any(worth) || rest.iter().any(|m| !m.sums.is_empty()) {
        return None;
    }
    let parts = evaluate(program, &known, &sums, loops, most)?;
    let output = matches!(program.array(equation.target.array).role, Role::Output(_));
    let different = parts.windows(2).any(|pair| pair[0].sums != pair[1].sums);
    let several = different || (!rest.is_empty() && !parts.is_empty());
    // A temporary has one equation.
    if (parts.is_empty() && rest.is_empty()) || (several && !output) {
        return None;
    }
    let lengths = sums
        .iter()
        .map(|index| program.loop_index(*index).extent.as_constant());
    let lengths: Vec<usize> = lengths.flatten().collect();
    program.evaluated.extend(lengths);
    let element = program.pool.element(equation.expr);
    let rest = rest.into_iter().map(|m| {
        let factors = [m.cell, m.variables, m.tables, m.rest].concat();
        Term {
            coefficient: m.number,
            expr: product(&mut program.pool, factors, element),
        }
    });
    Some(Evaluated {
        equation: equation.clone(),
        parts,
        rest: rest.collect(),
    })
}
