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
//! hold, and computed in the form that has the fewest factors.

use std::collections::{BTreeMap, HashMap};

use crate::analysis::cost;
use crate::analysis::identity::Identities;
use crate::ir::{
    Access, ArrayId, Equation, Expr, ExprId, Factor, IndexId, Operator, Program, Role, Term,
};
use crate::number::{Field, Number};
use crate::rewrite::normalise::{product, sum};
use crate::rewrite::replace::{replace_accesses, value_at};
use crate::rewrite::unused::remove_unused;

/// Most monomials of a sum.
const MOST: usize = 64;

/// Runs the pass.
pub fn run(program: &mut Program) -> Vec<String> {
    let mut decisions = Vec::new();
    // Sums of what is written in place have their place among the writes.
    if program.exact || program.is_in_place() {
        return decisions;
    }
    for group in groups(program) {
        let before = cost::program(program).operations();
        let candidates = [false, true].map(|outside| candidate(program, &group, outside));
        let fewest = (candidates.into_iter().flatten()).min_by_key(|(after, _)| *after);
        let Some((after, candidate)) = fewest.filter(|(after, _)| *after < before) else {
            continue;
        };
        let names = group.iter().map(|target| &*program.array(*target).name);
        let names = names.collect::<Vec<_>>().join("`, `");
        decisions.push(format!(
            "what `{names}` have in common is summed once: {after} operations against {before}"
        ));
        *program = candidate;
    }
    decisions
}

/// A program where what some sums have in common is summed once, and its operations; `outside`: factors
/// that their loops do not change are left out of it.
fn candidate(program: &Program, group: &[ArrayId], outside: bool) -> Option<(u64, Program)> {
    let mut candidate = program.clone();
    let (sums, forms) = combinations(&mut candidate, group, outside)?;
    let mut parts = sums.iter().flat_map(|(_, parts)| parts);
    if outside && parts.all(|part| part.outside.is_empty()) {
        return None;
    }
    rewrite(&mut candidate, &sums, &forms);
    remove_unused(&mut candidate);
    in_order(&mut candidate)?;
    Some((cost::program(&candidate).operations(), candidate))
}

/// Sums over the same loops that go to a temporary each.
fn groups(program: &Program) -> Vec<Vec<ArrayId>> {
    let mut found: BTreeMap<(Vec<IndexId>, Vec<IndexId>), Vec<ArrayId>> = BTreeMap::new();
    for equation in &program.equations {
        if is_sum(program, equation) {
            let key = (equation.free.clone(), equation.reduction.clone());
            found.entry(key).or_default().push(equation.target.array);
        }
    }
    found
        .into_values()
        .filter(|group| group.len() > 1)
        .collect()
}

fn is_sum(program: &Program, equation: &Equation) -> bool {
    let array = equation.target.array;
    !equation.reduction.is_empty()
        && equation.operator == Operator::Assign
        && matches!(program.array(array).role, Role::Temporary)
        && program.sole_writer(array).is_some()
}

/// A product of factors and a number.
#[derive(Clone)]
struct Monomial {
    number: Number,
    factors: Vec<Factor>,
}

/// A monomial of several sums, perhaps.
struct Form {
    /// What stands for its value.
    value: Field,
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
    group: &[ArrayId],
    outside: bool,
) -> Option<(Vec<Combination>, Vec<Form>)> {
    let mut forms: Vec<Form> = Vec::new();
    let mut sums: Vec<Combination> = Vec::new();
    let mut identities = Identities::default();
    let mut inlined = HashMap::new();
    for array in group {
        let at = program.sole_writer(*array)?;
        let element = program.pool.element(program.equations[at].expr);
        let loops = program.equations[at].reduction.clone();
        let mut combined: Vec<Part> = Vec::new();
        for Monomial { number, factors } in monomials(program, program.equations[at].expr)? {
            let (outside, inside) = match outside {
                true => parted(program, &factors, &loops),
                false => (Vec::new(), factors.clone()),
            };
            let expr = product(&mut program.pool, inside.clone(), element);
            let expr = inline(program, expr, &mut inlined);
            let value = identities.value(&program.pool, expr);
            let known = forms.iter().position(|form| form.value == value);
            let form = known.unwrap_or(forms.len());
            match forms.get_mut(form) {
                Some(form) if inside.len() < form.factors.len() => form.factors = inside,
                Some(_) => {}
                None => forms.push(Form {
                    value,
                    factors: inside,
                    uses: 0,
                }),
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

/// The factors of a product that loops do not change, and the others. Of temporaries that hold
/// products, the factors.
fn parted(
    program: &mut Program,
    factors: &[Factor],
    loops: &[IndexId],
) -> (Vec<Factor>, Vec<Factor>) {
    let (mut outside, mut inside) = (Vec::new(), Vec::new());
    for factor in factors {
        let changes = |program: &Program, expr: ExprId| {
            let indices = program.pool.indices(expr);
            loops.iter().any(|index| indices.contains(index))
        };
        if !changes(program, factor.expr) {
            outside.push(*factor);
            continue;
        }
        let held = match program.pool.get(factor.expr).clone() {
            Expr::Access(access) if factor.power == 1 => held(program, &access),
            _ => None,
        };
        match held.map(|value| program.pool.get(value).clone()) {
            Some(Expr::Product(own)) if own.iter().any(|f| !changes(program, f.expr)) => {
                let (mut others, mut own) = parted(program, &own, loops);
                outside.append(&mut others);
                inside.append(&mut own);
            }
            _ => inside.push(*factor),
        }
    }
    match inside.is_empty() {
        true => (inside, outside),
        false => (outside, inside),
    }
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

/// A temporary for a sum over the loops of another one, which has its subscripts.
fn total(program: &mut Program, like: &Equation, expr: ExprId) -> ExprId {
    let array = program.array(like.target.array).clone();
    let element = program.pool.element(expr);
    let name = format!("{}_total", array.name);
    let array = program.add_array(&name, array.element, array.shape, Role::Temporary);
    let target = Access {
        array,
        subscripts: like.target.subscripts.clone(),
    };
    program.equations.push(Equation {
        target: target.clone(),
        expr,
        ..like.clone()
    });
    program.pool.add(Expr::Access(target), element)
}

/// A value as a sum of products; `None` if there are too many.
fn monomials(program: &Program, expr: ExprId) -> Option<Vec<Monomial>> {
    let one = Monomial {
        number: Number::ONE,
        factors: Vec::new(),
    };
    let result = match program.pool.get(expr) {
        Expr::Constant(value) => vec![Monomial {
            number: *value,
            ..one
        }],
        Expr::Sum(terms) => {
            let mut all = Vec::new();
            for term in terms {
                let mut part = monomials(program, term.expr)?;
                part.iter_mut().for_each(|m| m.number *= term.coefficient);
                all.append(&mut part);
            }
            all
        }
        Expr::Product(factors) => {
            let mut all = vec![one];
            for factor in factors {
                let part = match factor.power {
                    1 => monomials(program, factor.expr)?,
                    _ => vec![Monomial {
                        number: Number::ONE,
                        factors: vec![*factor],
                    }],
                };
                let times = |left: &Monomial, right: &Monomial| Monomial {
                    number: left.number * right.number,
                    factors: [&*left.factors, &*right.factors].concat(),
                };
                all = (all.iter())
                    .flat_map(|left| part.iter().map(move |right| times(left, right)))
                    .collect();
                if all.len() > MOST {
                    return None;
                }
            }
            all
        }
        _ => vec![Monomial {
            factors: vec![Factor { expr, power: 1 }],
            ..one
        }],
    };
    (result.len() <= MOST).then_some(result)
}

/// A value with temporaries replaced by what they hold.
fn inline(program: &mut Program, expr: ExprId, known: &mut HashMap<ExprId, ExprId>) -> ExprId {
    if let Some(found) = known.get(&expr) {
        return *found;
    }
    let result = replace_accesses(program, expr, |program, access, _| {
        let value = held(program, access)?;
        Some(inline(program, value, known))
    });
    known.insert(expr, result);
    result
}

/// The value that a temporary's element holds, if one equation says it for all elements.
fn held(program: &mut Program, access: &Access) -> Option<ExprId> {
    let own = matches!(program.array(access.array).role, Role::Temporary);
    let at = program.sole_writer(access.array).filter(|_| own)?;
    let equation = program.equations[at].clone();
    let plain = equation.operator == Operator::Assign
        && equation.reduction.is_empty()
        && equation.target.loops(&equation.free).is_some();
    plain.then(|| value_at(program, &equation, access))
}

/// Puts equations behind those that write what they read; otherwise their order stays. `None` if there
/// is no such order.
fn in_order(program: &mut Program) -> Option<()> {
    let equations = &program.equations;
    let reads: Vec<Vec<ArrayId>> = (equations.iter())
        .map(|equation| {
            let accesses = program.pool.accesses([equation.expr]).into_iter();
            accesses.map(|(_, access)| access.array).collect()
        })
        .collect();
    let needs: Vec<Vec<usize>> = (0..equations.len())
        .map(|at| {
            let mut needs = Vec::new();
            for array in reads[at].iter().chain([&equations[at].target.array]) {
                let only = program.sole_writer(*array).is_some();
                let writers = program.writers(*array);
                needs.extend(writers.filter(|w| *w < at || only && *w != at));
            }
            needs
        })
        .collect();
    let mut placed = vec![false; equations.len()];
    let mut order = Vec::with_capacity(equations.len());
    while order.len() < equations.len() {
        let ready = |at: &usize| !placed[*at] && needs[*at].iter().all(|need| placed[*need]);
        let next = (0..equations.len()).find(ready)?;
        placed[next] = true;
        order.push(next);
    }
    program.equations = order.into_iter().map(|at| equations[at].clone()).collect();
    Some(())
}
