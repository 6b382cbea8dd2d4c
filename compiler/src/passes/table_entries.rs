//! Short loops of which tables make most iterations simple, written out.
//!
//! Entries of tables become numbers, and those that are 0, 1 or -1 take no multiplication; many take
//! nothing. Elements of degree 1 have such gradients.
//!
//! Before: `g[e] = sum(j) u[e, j] * d[j]` with -1, 1, 0, 0 in `d`. After: `g[e] = u[e, 1] - u[e, 0]`.
//! Before: `t[e, j] = x[e] * d[0, j] + y[e] * d[1, j]`. After: `t[e, 0] = -x[e] - y[e]`,
//! `t[e, 1] = x[e]`, and so on.
//! Holds: values are equal in exact arithmetic, operations fewer than before.
//!
//! Unrolling is what Ernst (1995, section 3.1) begins with; here it is for the numbers that it
//! exposes. Loops of results that are the kernel's own are left to the schedule.

pub mod sparse;

use crate::analysis::cost;
use crate::collections::{HashMap, HashSet};
use crate::ir::{Affine, Element, Equation, Expr, ExprId, IndexId, Operator, Program, Role, Term};
use crate::number::Number;
use crate::rewrite::evaluate::{extents, points, tabulate};
use crate::rewrite::normalise::{product, sum};

/// Most iterations of what is written out.
const MOST: usize = 8;

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    if program.exact {
        return Vec::new();
    }
    let Some((names, equations)) = in_parts(program, written_out) else {
        return Vec::new();
    };
    let before = cost::program(program).operations();
    let original = std::mem::replace(&mut program.equations, equations);
    let after = cost::program(program).operations();
    if after >= before {
        program.equations = original;
        return vec![format!("nothing: {before} operations against {after}")];
    }
    vec![format!(
        "loops of `{names}` written out: {after} operations against {before}"
    )]
}

/// A program's equations with the parts in the place of those that have some, and the names of what these compute;
/// `None` where no equation has any. What takes turns with other equations keeps its loops.
fn in_parts(
    program: &mut Program,
    parts_of: impl Fn(&mut Program, &Equation) -> Option<Vec<Equation>>,
) -> Option<(String, Vec<Equation>)> {
    let mut names = Vec::new();
    let mut equations = Vec::new();
    let turns: Vec<bool> = (program.together().into_iter())
        .flat_map(|group| std::iter::repeat_n(group.len() > 1, group.len()))
        .collect();
    for (equation, turns) in program.equations.clone().into_iter().zip(turns) {
        let keeps = |parts: &Vec<Equation>| parts.iter().all(|part| part.free == equation.free);
        match parts_of(program, &equation).filter(|parts| !turns || keeps(parts)) {
            Some(parts) => {
                names.push(program.array(equation.target.array).name.clone());
                equations.extend(parts);
            }
            None => equations.push(equation),
        }
    }
    names.dedup();
    (!names.is_empty()).then(|| (names.join("`, `"), equations))
}

/// The equations that stand for one of which a loop is written out, if that saves a quarter of its
/// operations.
fn written_out(program: &mut Program, equation: &Equation) -> Option<Vec<Equation>> {
    if !program.states(equation.expr).is_empty() {
        return None;
    }
    let before = operations(program, std::slice::from_ref(equation));
    let summed = summed(program, equation);
    let base = summed.as_ref().unwrap_or(equation).clone();
    let mut found: Vec<Vec<Equation>> = summed.into_iter().map(|sum| vec![sum]).collect();
    if has_own_entries(program, &base) && base.reduction.is_empty() {
        for index in &base.free {
            found.extend(entries_of(program, &base, *index));
        }
    }
    let counted = found
        .into_iter()
        .map(|parts| (operations(program, &parts), parts));
    let least = counted.min_by_key(|(after, _)| *after);
    least
        .filter(|(after, _)| 4 * after <= 3 * before)
        .map(|(_, parts)| parts)
}

fn operations(program: &Program, equations: &[Equation]) -> u64 {
    let mut seen = HashSet::default();
    let costs = equations
        .iter()
        .map(|equation| cost::equation(program, equation, &mut seen));
    costs.map(|cost| cost.operations()).sum()
}

/// A sum with its terms written out, if it is short and tables make some of them simple.
fn summed(program: &mut Program, equation: &Equation) -> Option<Equation> {
    let loops = &equation.reduction;
    let extents = simple(program, equation.expr, loops)?;
    let element = program.pool.element(equation.expr);
    let terms = points(&extents).map(|point| {
        let value = at(program, equation.expr, loops, &point);
        signed(program, Number::ONE, value)
    });
    let terms = terms.collect();
    Some(Equation {
        reduction: Vec::new(),
        expr: sum(&mut program.pool, terms, element),
        ..equation.clone()
    })
}

/// Whether an equation assigns a temporary's entries, and no other equation writes it: its loops may be
/// written out.
fn has_own_entries(program: &Program, equation: &Equation) -> bool {
    let array = equation.target.array;
    matches!(program.array(array).role, Role::Temporary)
        && program.sole_writer(array).is_some()
        && equation.operator == Operator::Assign
}

/// An equation for each iteration of a loop over a temporary's entries, if it is short and tables make
/// some of them simple.
fn entries_of(program: &mut Program, equation: &Equation, index: IndexId) -> Option<Vec<Equation>> {
    let extents = simple(program, equation.expr, &[index])?;
    let entry = |point: Vec<usize>| {
        let by = |other: IndexId| value_or_index(other, &[index], &point);
        Equation {
            target: equation.target.substitute(&by),
            free: (equation.free.iter().copied())
                .filter(|other| *other != index)
                .collect(),
            expr: at(program, equation.expr, &[index], &point),
            ..equation.clone()
        }
    };
    Some(points(&extents).map(entry).collect())
}

/// The extents of loops with few iterations in all, if half the entries at least of a table that they
/// go along, they alone, are 0, 1 or -1.
fn simple(program: &Program, expr: ExprId, loops: &[IndexId]) -> Option<Vec<usize>> {
    let extents = extents(program, loops)?;
    if extents.iter().product::<usize>() > MOST {
        return None;
    }
    let accesses = program.pool.accesses([expr]).into_iter();
    let mut tables = accesses.filter(|(expr, access)| {
        let indices = program.pool.indices(*expr);
        matches!(program.array(access.array).role, Role::Table(_))
            && !indices.is_empty()
            && indices.iter().all(|index| loops.contains(index))
    });
    let has_simple =
        tables.any(|(expr, _)| tabulate(program, expr, loops).is_some_and(|v| is_simple(&v)));
    has_simple.then_some(extents)
}

/// Whether half the entries of a table at least are 0, 1 or -1.
fn is_simple(values: &[Number]) -> bool {
    let simple = |n: &&Number| n.is_zero() || n.is_one() || n.is_minus_one();
    2 * values.iter().filter(simple).count() >= values.len()
}

fn value_or_index(index: IndexId, loops: &[IndexId], point: &[usize]) -> Affine {
    match loops.iter().position(|other| *other == index) {
        Some(at) => Affine::constant(point[at] as i64),
        None => Affine::index(index),
    }
}

/// An expression at a point of some loops, entries of tables as numbers.
pub fn at(program: &mut Program, expr: ExprId, loops: &[IndexId], point: &[usize]) -> ExprId {
    let by = |index: IndexId| value_or_index(index, loops, point);
    let expr = (program.pool).substitute(expr, &by, &mut HashMap::default());
    let element = program.pool.element(expr);
    let folded = folded(program, expr, &mut HashMap::default());
    let term = signed(program, Number::ONE, folded);
    sum(&mut program.pool, vec![term], element)
}

/// Whether a whole number is one of a type, exactly.
fn holds(element: Element, value: Number) -> bool {
    let value = value.to_integer();
    match element {
        Element::Word(ty) => ty.holds(value),
        Element::F64 => value.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS,
        Element::F32 | Element::Generic => value.unsigned_abs() <= 1 << f32::MANTISSA_DIGITS,
        Element::Integer(_) => false,
    }
}

/// A term with the sign of its value.
fn signed(program: &Program, coefficient: Number, expr: ExprId) -> Term {
    match program.pool.get(expr) {
        Expr::Sum(terms) => match terms.as_slice() {
            [only] => Term {
                coefficient: coefficient * only.coefficient,
                expr: only.expr,
            },
            _ => Term { coefficient, expr },
        },
        _ => Term { coefficient, expr },
    }
}

/// An expression with the entries of tables that are known as numbers, in normal form.
fn folded(program: &mut Program, expr: ExprId, known: &mut HashMap<ExprId, ExprId>) -> ExprId {
    if let Some(found) = known.get(&expr) {
        return *found;
    }
    let element = program.pool.element(expr);
    let result = match program.pool.get(expr).clone() {
        Expr::Access(_) => match tabulate(program, expr, &[]).as_deref() {
            Some([value]) => program.pool.constant(*value, element),
            _ => expr,
        },
        Expr::Cast(to, inside) => match tabulate(program, inside, &[]).as_deref() {
            Some([value]) if holds(to, *value) && program.pool.element(inside).is_integer() => {
                program.pool.constant(*value, element)
            }
            _ => expr,
        },
        Expr::Sum(mut terms) => {
            for term in &mut terms {
                let value = folded(program, term.expr, known);
                *term = signed(program, term.coefficient, value);
            }
            sum(&mut program.pool, terms, element)
        }
        Expr::Product(mut factors) => {
            for factor in &mut factors {
                factor.expr = folded(program, factor.expr, known);
            }
            product(&mut program.pool, factors, element)
        }
        _ => {
            let operands = program.pool.operands(expr).into_iter();
            let operands: Vec<(ExprId, ExprId)> = operands
                .map(|operand| (operand, folded(program, operand, known)))
                .collect();
            let by = |operand: ExprId| operands.iter().find(|(old, _)| *old == operand);
            program.pool.map_operands(expr, &mut |_, operand| {
                by(operand).map_or(operand, |(_, new)| *new)
            })
        }
    };
    known.insert(expr, result);
    result
}
