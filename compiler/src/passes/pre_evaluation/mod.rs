//! Pre-evaluation of reductions (Luporini 2017, section 4 and Algorithms 2 and 3).
//!
//! A sum over quadrature points is expanded into monomials; in each, what is known (tables) is
//! split from what is not (geometry, coefficients), and the tables' sum is evaluated while the
//! kernel expands. What remains is a sum of unknown scalars times reference tensors. Coefficient
//! functions are sums themselves: their definitions may be put in their places, which makes the
//! tensors larger. Each way is counted after sharing elimination and code motion, and that with the
//! fewest operations is taken if its tables fit the memory bound. Beyond the paper, a table that is
//! up to twice too large is taken if it halves the operations.
//!
//! Before: `a[e, i, j] += sum(q) w[q] * det[e] * phi[q, i] * phi[q, j]`. After:
//! `a[e, i, j] += det[e] * reference[i, j]`.
//! Holds: values are equal in exact arithmetic, operations never more than before.

mod dissect;
mod entries;
mod reference;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::{code_motion, sharing_elimination};
use crate::analysis::cost;
use crate::ir::{
    Access, Affine, ArrayId, Element, Equation, Expr, ExprId, Extent, Factor, IndexId, Operator,
    Program, Role, Term,
};
use crate::number::{Field, Number};
use crate::rewrite::common_factor::with_common_factor;
use crate::rewrite::normalise::{product, sum};
use crate::rewrite::rename;
use dissect::{Definitions, Monomial, definitions, dissect};
use reference::{Part, evaluate};

/// Bytes that tables may take unless the kernel says otherwise: the second-level cache of a common
/// processor.
const MEMORY: u64 = 512 << 10;
/// Most temporaries whose definitions are put in their places one by one.
const MOST_TEMPORARIES: usize = 4;

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    if program.exact {
        return Vec::new();
    }
    let bound = program.memory.unwrap_or(MEMORY);
    let definitions = definitions(program);
    let before = Counted::of(program);
    let mut alternatives = vec![format!("quadrature: {}", before.describe())];
    let mut best: Option<(Counted, Program, String)> = None;
    for (inlined, shared) in choices(program, &definitions) {
        let Some((candidate, copied)) = transformed(program, &definitions, &inlined, shared, bound)
        else {
            continue;
        };
        let mut counted = Counted::of(&candidate);
        counted.copied = copied;
        let how = name(program, &inlined, shared);
        alternatives.push(format!("{how}: {}", counted.describe()));
        let than = best.as_ref().map_or(&before, |(least, ..)| least);
        if counted.beats(than, bound) {
            best = Some((counted, candidate, how));
        }
    }
    let Some((_, candidate, how)) = best else {
        if alternatives.len() == 1 {
            return Vec::new();
        }
        return vec![format!("nothing ({})", alternatives.join("; "))];
    };
    *program = candidate;
    vec![format!("{how} ({})", alternatives.join("; "))]
}

/// Operations and bytes of a program after the passes that follow.
struct Counted {
    operations: u64,
    bytes: u64,
    /// Entries that are read back from a temporary: as dear as an operation each.
    copied: u64,
}

impl Counted {
    fn of(program: &Program) -> Counted {
        let mut moved = program.clone();
        sharing_elimination::run(&mut moved);
        code_motion::run(&mut moved);
        let cost = cost::program(&moved);
        Counted {
            operations: cost.each.operations() + cost.once.operations(),
            bytes: cost.each.table_bytes + cost.once.table_bytes,
            copied: 0,
        }
    }

    fn describe(&self) -> String {
        format!(
            "{} operations, {} bytes of tables",
            self.operations, self.bytes
        )
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

/// Which temporaries are replaced by their definitions: none, all, or one of them; each with equal
/// entries computed apart and once.
fn choices(program: &Program, definitions: &Definitions) -> Vec<(HashSet<ArrayId>, bool)> {
    let mut all: Vec<ArrayId> = definitions.keys().copied().collect();
    all.retain(|array| {
        program
            .equations
            .iter()
            .any(|equation| !equation.reduction.is_empty() && reads(program, equation.expr, *array))
    });
    all.sort_unstable();
    let mut result = vec![HashSet::new()];
    if !all.is_empty() {
        result.push(all.iter().copied().collect());
    }
    if (2..=MOST_TEMPORARIES).contains(&all.len()) {
        result.extend(all.iter().map(|array| HashSet::from([*array])));
    }
    let both = |set: HashSet<ArrayId>| [(set.clone(), false), (set, true)];
    result.into_iter().flat_map(both).collect()
}

fn reads(program: &Program, expr: ExprId, array: ArrayId) -> bool {
    let mut stack = vec![expr];
    let mut seen = HashSet::new();
    while let Some(expr) = stack.pop() {
        if !seen.insert(expr) {
            continue;
        }
        match program.pool.get(expr) {
            Expr::Access(access) if access.array == array => return true,
            _ => stack.extend(program.pool.operands(expr)),
        }
    }
    false
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

/// The program with its equations pre-evaluated, and how many entries are copied from a temporary;
/// `None` if that changes nothing or takes far more memory than allowed.
fn transformed(
    program: &Program,
    definitions: &Definitions,
    inlined: &HashSet<ArrayId>,
    shared: bool,
    bound: u64,
) -> Option<(Program, u64)> {
    let mut result = program.clone();
    let most = usize::try_from(bound / 4).unwrap_or(usize::MAX);
    let mut changed: Vec<Evaluated> = Vec::new();
    let mut position: Vec<Option<usize>> = Vec::new();
    for equation in &program.equations {
        let defines = definitions.contains_key(&equation.target.array);
        let new = if defines {
            None
        } else {
            pre_evaluated(&mut result, equation, definitions, inlined, most)
        };
        position.push(new.is_some().then_some(changed.len()));
        changed.extend(new);
    }
    let (mut sharing, copied) = if shared {
        entries::share(&mut result, &changed)
    } else {
        (HashMap::new(), 0)
    };
    if changed.is_empty() || (shared && sharing.is_empty()) {
        return None;
    }
    let mut tables = Vec::new();
    let mut equations = Vec::new();
    for (equation, position) in program.equations.iter().zip(position) {
        let Some(at) = position else {
            equations.push(equation.clone());
            continue;
        };
        equations.extend(match sharing.remove(&at) {
            Some(replaced) => replaced,
            None => replaced(&mut result, &changed[at], &mut tables),
        });
    }
    result.equations = equations;
    remove_unused(&mut result);
    rename::unify(&mut result);
    Some((result, copied))
}

/// Removes definitions of temporaries that nothing reads.
fn remove_unused(program: &mut Program) {
    loop {
        let mut read = HashSet::new();
        for expr in program.reachable() {
            if let Expr::Access(access) = program.pool.get(expr) {
                read.insert(access.array);
            }
        }
        let arrays = &program.arrays;
        let before = program.equations.len();
        program.equations.retain(|equation| {
            let array = equation.target.array;
            let temporary = matches!(arrays[array.0 as usize].role, Role::Temporary);
            !temporary || read.contains(&array)
        });
        if program.equations.len() == before {
            return;
        }
    }
}

/// Evaluates what an equation sums over tables; `None` where that is nothing.
fn pre_evaluated(
    program: &mut Program,
    equation: &Equation,
    definitions: &Definitions,
    inlined: &HashSet<ArrayId>,
    most: usize,
) -> Option<Evaluated> {
    let constant = |program: &Program, index: &IndexId| {
        program.loop_index(*index).extent.as_constant().is_some()
    };
    let sums = &equation.reduction;
    if !sums.iter().all(|index| constant(program, index)) {
        return None;
    }
    let mut free = equation.free.clone();
    free.retain(|index| constant(program, index));
    let monomials = dissect(program, equation, definitions, inlined)?;
    let (rest, known): (Vec<Monomial>, Vec<Monomial>) =
        monomials.into_iter().partition(|m| !m.rest.is_empty());
    let worth = |m: &Monomial| !m.tables.is_empty();
    // What is left keeps the equation's loops, and has none of its own.
    if !known.iter().any(worth) || rest.iter().any(|m| !m.sums.is_empty()) {
        return None;
    }
    let parts = evaluate(program, &known, sums, &free, most)?;
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

/// One equation for each set of loops that is still summed over.
fn replaced(
    program: &mut Program,
    evaluated: &Evaluated,
    tables: &mut Vec<ArrayId>,
) -> Vec<Equation> {
    let equation = &evaluated.equation;
    let element = program.pool.element(equation.expr);
    let mut sets: Vec<(Vec<IndexId>, Vec<Term>)> = Vec::new();
    for part in &evaluated.parts {
        let term = term(program, part, element, tables, &equation.target);
        match sets.iter_mut().find(|(sums, _)| *sums == part.sums) {
            Some((_, terms)) => terms.push(term),
            None => sets.push((part.sums.clone(), vec![term])),
        }
    }
    if !evaluated.rest.is_empty() {
        sets.push((equation.reduction.clone(), evaluated.rest.clone()));
    }
    let mut operator = equation.operator;
    let mut result = Vec::new();
    for (reduction, terms) in sets {
        result.push(Equation {
            operator,
            reduction,
            expr: sum(&mut program.pool, terms, element),
            ..equation.clone()
        });
        operator = Operator::Accumulate;
    }
    result
}

/// `coefficient · variables · tensor`, the tensor as a table of the program.
fn term(
    program: &mut Program,
    part: &Part,
    element: Element,
    tables: &mut Vec<ArrayId>,
    target: &Access,
) -> Term {
    let coefficient = with_common_factor(&mut program.pool, &part.coefficient, element);
    let mut factors = match program.pool.get(coefficient) {
        Expr::Product(inner) => inner.clone(),
        _ => vec![Factor {
            expr: coefficient,
            power: 1,
        }],
    };
    factors.extend(&part.variables);
    let mut number = Number::ONE;
    if part.loops.is_empty() {
        number = part.tensor[0];
    } else {
        let name = format!("{}_reference", program.array(target.array).name);
        let array = table(program, &name, part, element, tables);
        let subscripts = part.loops.iter().copied().map(Affine::index).collect();
        let access = Expr::Access(Access { array, subscripts });
        let expr = program.pool.add(access, element);
        factors.push(Factor { expr, power: 1 });
    }
    Term {
        coefficient: number,
        expr: product(&mut program.pool, factors, element),
    }
}

/// The table of a tensor: an equal one that was made before, or a new one.
fn table(
    program: &mut Program,
    name: &str,
    part: &Part,
    element: Element,
    tables: &mut Vec<ArrayId>,
) -> ArrayId {
    let shape: Vec<Extent> = part
        .loops
        .iter()
        .map(|index| program.loop_index(*index).extent.clone())
        .collect();
    let images = |values: &[Number]| -> Vec<Field> { values.iter().map(|v| v.field()).collect() };
    let mine = images(&part.tensor);
    let equal = tables.iter().copied().find(|array| {
        let array = program.array(*array);
        let Role::Table(values) = &array.role else {
            return false;
        };
        array.element == element && array.shape == shape && images(values) == mine
    });
    equal.unwrap_or_else(|| {
        let role = Role::Table(Rc::new(part.tensor.clone()));
        let array = program.add_array(name, element, shape, role);
        tables.push(array);
        array
    })
}
