//! Sums with terms in common: what they share is summed once.
//!
//! Sums over the same loops are linear combinations of the sums of their monomials. Where several
//! have monomials in common, these are summed by themselves, and each of the sums is put together
//! from them once for each entry, no longer in each iteration.
//!
//! Before: `s[i, j] = sum(q) w[q] * (x[q, i] * x[q, j] + y[q, i] * y[q, j]) + x[q, i] * u[q, j]` and
//! `t[i, j]` likewise with `y[q, i] * v[q, j]`, where `u[q, j] = w[q] * x[q, j]` and
//! `v[q, j] = w[q] * y[q, j]`. After: `a[i, j] = sum(q) x[q, i] * u[q, j]`,
//! `b[i, j] = sum(q) y[q, i] * v[q, j]`, `s[i, j] = 2 * a[i, j] + b[i, j]` and
//! `t[i, j] = a[i, j] + 2 * b[i, j]`.
//! Factors that the sums' loops do not change stand before such sums where that takes fewer operations:
//! `g[d] = sum(n) k[0, d] * u[n] * dphi[0, n] + k[1, d] * u[n] * dphi[1, n]` for each d needs
//! `h[r] = sum(n) u[n] * dphi[r, n]`, and is `g[d] = k[0, d] * h[0] + k[1, d] * h[1]`.
//! Holds: values are equal in exact arithmetic, operations fewer than before.
//!
//! Monomials are compared by their values ([`Identities`]), temporaries in them replaced by what these
//! hold, and computed in the form that has the fewest factors; those that are a power of two times
//! another one are that one.

mod monomials;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::analysis::cost;
use crate::analysis::identity::{Identities, Multiples, multiples};
use crate::collections::HashMap;
use crate::ir::{
    ArrayId, Element, Equation, Expr, ExprId, Factor, IndexId, Operator, Program, Role, Term,
};
use crate::number::Number;
use crate::passes::code_motion;
use crate::rewrite::normalise::{product, sum};
use crate::rewrite::unused::remove_unused;
use monomials::{Monomial, Scaled, inline, monomials, parted};

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    let mut decisions = Vec::new();
    // Sums of what is written in place have their place among the writes.
    if program.exact || program.is_in_place() {
        return decisions;
    }
    let kinds = shared_kinds(program);
    let multiples = match kinds.is_empty() {
        true => return decisions,
        false => Rc::new(multiples(program)),
    };
    for kind in kinds {
        let group = sums(program, &kind);
        let before = cost::program(program).operations();
        let candidates =
            [false, true].map(|outside| candidate(program, &group, &multiples, outside));
        let fewest = (candidates.into_iter().flatten()).min_by_key(|(after, _)| *after);
        let Some((after, candidate)) = fewest.filter(|(after, _)| *after < before) else {
            continue;
        };
        let targets = group.iter().map(|at| program.equations[*at].target.array);
        let mut names: Vec<&str> = targets.map(|array| &*program.array(array).name).collect();
        names.dedup();
        let names = names.join("`, `");
        decisions.push(format!(
            "what `{names}` have in common is summed once: {after} operations against {before}"
        ));
        *program = candidate;
    }
    if !decisions.is_empty() {
        decisions.extend(moved(program));
    }
    decisions
}

/// Moves what sums are multiplied with now, constants among it, out of the loops that do not change it.
fn moved(program: &mut Program) -> Option<String> {
    let mut candidate = program.clone();
    code_motion::run(&mut candidate);
    let [before, after] = [&*program, &candidate].map(|p| cost::program(p).operations());
    (after < before).then(|| {
        *program = candidate;
        format!(
            "what they are multiplied with moved out of loops: {after} operations against {before}"
        )
    })
}

/// A program where what some sums have in common is summed once, and its operations; `outside`: factors
/// that their loops do not change are left out of it.
fn candidate(
    program: &Program,
    group: &[usize],
    multiples: &Rc<Multiples>,
    outside: bool,
) -> Option<(u64, Program)> {
    let mut candidate = program.clone();
    let (sums, forms) = combinations(&mut candidate, group, multiples, outside)?;
    let mut parts = sums.iter().flat_map(|(_, parts)| parts);
    if outside && parts.all(|part| part.outside.is_empty()) {
        return None;
    }
    rewrite(&mut candidate, &sums, &forms);
    remove_unused(&mut candidate);
    in_order(&mut candidate)?;
    Some((cost::program(&candidate).operations(), candidate))
}

/// The loops around a sum, those that it sums over, and what is summed: numbers of another type are
/// rounded otherwise.
type Kind = (Vec<IndexId>, Vec<IndexId>, Element);

fn kind(program: &Program, equation: &Equation) -> Kind {
    let element = program.array(equation.target.array).element;
    (equation.free.clone(), equation.reduction.clone(), element)
}

/// The kinds that several sums that temporaries hold are of.
fn shared_kinds(program: &Program) -> Vec<Kind> {
    let mut counts: BTreeMap<Kind, usize> = BTreeMap::new();
    for equation in program.equations.iter().filter(|e| is_sum(program, e)) {
        *counts.entry(kind(program, equation)).or_default() += 1;
    }
    let several = counts.into_iter().filter(|(_, count)| *count > 1);
    several.map(|(kind, _)| kind).collect()
}

/// The sums of a kind, by their positions.
fn sums(program: &Program, of: &Kind) -> Vec<usize> {
    let equations = program.equations.iter().enumerate();
    let sums = equations.filter(|(_, e)| is_sum(program, e) && kind(program, e) == *of);
    sums.map(|(at, _)| at).collect()
}

fn is_sum(program: &Program, equation: &Equation) -> bool {
    !equation.reduction.is_empty()
        && equation.operator == Operator::Assign
        && matches!(program.array(equation.target.array).role, Role::Temporary)
}

/// A monomial of several sums, perhaps.
struct Form {
    /// Its product, of the fewest factors that were met.
    factors: Vec<Factor>,
    /// How often sums have it.
    uses: usize,
}

/// A monomial of a sum.
struct Part {
    number: Number,
    /// Factors that the sum's loops do not change.
    outside: Vec<Factor>,
    /// The form of the others.
    form: usize,
    /// All factors, as they were met.
    factors: Vec<Factor>,
}

/// A sum: its equation, and its monomials.
type Combination = (usize, Vec<Part>);

/// The sums of a group as combinations of monomials; `None` if they have none in common.
fn combinations(
    program: &mut Program,
    group: &[usize],
    multiples: &Rc<Multiples>,
    outside: bool,
) -> Option<(Vec<Combination>, Vec<Form>)> {
    let mut forms: Vec<Form> = Vec::new();
    let mut scaled = Scaled::new();
    let mut sums: Vec<Combination> = Vec::new();
    let mut identities = Identities::over(multiples.clone());
    let mut inlined = HashMap::default();
    for at in group.iter().copied() {
        let element = program.pool.element(program.equations[at].expr);
        let loops = program.equations[at].reduction.clone();
        let mut combined: Vec<Part> = Vec::new();
        for Monomial { number, factors } in monomials(program, program.equations[at].expr, &loops)?
        {
            let (outside, inside) = match outside {
                true => parted(program, &factors, &loops),
                false => (Vec::new(), factors.clone()),
            };
            let expr = product(&mut program.pool, inside.clone(), element);
            let expr = inline(program, expr, &mut inlined);
            let value = identities.value(&program.pool, expr);
            let known = scaled.find(value);
            let (form, times) = known.unwrap_or((forms.len(), Number::ONE));
            let number = number * times;
            match forms.get_mut(form) {
                // A multiple of the form is not its product.
                Some(form) if times == Number::ONE && inside.len() < form.factors.len() => {
                    form.factors = inside;
                }
                Some(_) => {}
                None => {
                    scaled.insert(value, form);
                    forms.push(Form {
                        factors: inside,
                        uses: 0,
                    });
                }
            }
            let mut same = combined.iter_mut();
            match same.find(|part| part.form == form && part.outside == outside) {
                Some(part) => part.number += number,
                None => combined.push(Part {
                    number,
                    outside,
                    form,
                    factors,
                }),
            }
        }
        combined.retain(|part| !part.number.is_zero());
        combined.iter().for_each(|part| forms[part.form].uses += 1);
        sums.push((at, combined));
    }
    let shared = forms.iter().any(|form| form.uses > 1);
    shared.then_some((sums, forms))
}

/// Replaces sums by combinations of the sums of what they share, and of what each has for itself.
fn rewrite(program: &mut Program, sums: &[Combination], forms: &[Form]) {
    let like = program.equations[sums[0].0].clone();
    let element = program.pool.element(like.expr);
    let totals = forms.iter().map(|form| {
        let expr = product(&mut program.pool, form.factors.clone(), element);
        (form.uses > 1).then(|| total(program, &like, expr))
    });
    let totals: Vec<Option<ExprId>> = totals.collect();
    for (at, parts) in sums {
        let (mut combined, mut own): (Vec<Term>, Vec<Term>) = Default::default();
        for part in parts {
            let mut factors = part.outside.clone();
            let into = match totals[part.form] {
                Some(expr) => {
                    factors.push(Factor { expr, power: 1 });
                    &mut combined
                }
                None => {
                    factors.clone_from(&part.factors);
                    &mut own
                }
            };
            into.push(Term {
                coefficient: part.number,
                expr: product(&mut program.pool, factors, element),
            });
        }
        if combined.is_empty() {
            continue;
        }
        if !own.is_empty() {
            let expr = sum(&mut program.pool, own, element);
            let like = program.equations[*at].clone();
            let expr = total(program, &like, expr);
            let coefficient = Number::ONE;
            combined.push(Term { coefficient, expr });
        }
        let expr = sum(&mut program.pool, combined, element);
        program.equations[*at].expr = expr;
        program.equations[*at].reduction.clear();
    }
}

/// A temporary for a sum over the loops of another one.
fn total(program: &mut Program, like: &Equation, expr: ExprId) -> ExprId {
    let array = program.array(like.target.array);
    let (name, kept) = (format!("{}_total", array.name), array.element);
    let element = program.pool.element(expr);
    // That one may write a part of its temporary.
    let target = program.add_temporary(&name, &like.free, kept);
    program.equations.push(Equation {
        target: target.clone(),
        expr,
        ..like.clone()
    });
    program.pool.add(Expr::Access(target), element)
}

/// Puts equations behind those that write what they read; otherwise their order stays. `None` if there
/// is no such order.
fn in_order(program: &mut Program) -> Option<()> {
    let equations = &program.equations;
    let written = program.written();
    let mut missing = vec![0; equations.len()];
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); equations.len()];
    for (at, equation) in equations.iter().enumerate() {
        let accesses = program.pool.accesses([equation.expr]).into_iter();
        let read = accesses.map(|(_, access)| access.array);
        let arrays: BTreeSet<ArrayId> = read.chain([equation.target.array]).collect();
        for array in arrays {
            let writers = written.get(&array).map_or(&[][..], Vec::as_slice);
            let only = writers.len() == 1;
            for writer in (writers.iter().copied()).filter(|w| *w < at || only && *w != at) {
                missing[at] += 1;
                readers[writer].push(at);
            }
        }
    }
    // Of those that may come next, the first.
    let ready = (0..equations.len()).filter(|at| missing[*at] == 0);
    let mut ready: BTreeSet<usize> = ready.collect();
    let mut order = Vec::with_capacity(equations.len());
    while let Some(next) = ready.pop_first() {
        order.push(next);
        for reader in &readers[next] {
            missing[*reader] -= 1;
            if missing[*reader] == 0 {
                ready.insert(*reader);
            }
        }
    }
    if order.len() < equations.len() {
        return None;
    }
    program.equations = order.into_iter().map(|at| equations[at].clone()).collect();
    Some(())
}
