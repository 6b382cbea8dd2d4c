//! The equations of a program, evaluated where they can be.

use std::cell::Cell;

use super::assemble::replaced;
use super::canonical::Canonical;
use super::dissect::{Definitions, Monomial, dissect};
use super::entries::{self, Sharing};
use super::packed::Packed;
use super::reference::{Part, evaluate};
use super::selections::Selections;
use super::{alike, common};
use crate::analysis::cost;
use crate::collections::{HashMap, HashSet};
use crate::ir::{ArrayId, Equation, Expr, ExprId, Factor, IndexId, Pool, Program, Role, Term};
use crate::rewrite::normalise::{product, share_reciprocals};
use crate::rewrite::rename;
use crate::rewrite::tables::Tables;
use crate::rewrite::unused::remove_unused;

/// An equation whose sums over tables are evaluated.
pub struct Evaluated {
    /// As it was.
    pub equation: Equation,
    /// What was evaluated.
    pub parts: Vec<Part>,
    /// What is still summed over the equation's reduction loops.
    pub rest: Vec<Term>,
    /// The products of coefficients that it is the first to read.
    pub products: Vec<Equation>,
}

/// The equations of a program, evaluated where they can be.
pub struct Evaluation {
    /// With the loops and expressions that the parts are made of.
    program: Program,
    evaluated: Vec<Evaluated>,
    /// Those that can share temporaries.
    groups: Vec<entries::Group>,
    /// For each equation, which of `evaluated` it is.
    position: Vec<Option<usize>>,
}

impl Evaluation {
    /// Evaluates the equations but those `left` as they are; `None` if none can be in tables that take
    /// little more memory than allowed.
    pub fn of(
        program: &Program,
        left: &[bool],
        definitions: &Definitions,
        selections: &Selections,
        inlined: &HashSet<ArrayId>,
        (bound, products): (u64, &Cell<usize>),
    ) -> Option<Evaluation> {
        let mut result = program.clone();
        // Twice the bound, in numbers of eight bytes.
        let most = usize::try_from(bound / 4).unwrap_or(usize::MAX);
        let mut evaluated: Vec<Evaluated> = Vec::new();
        let mut position: Vec<Option<usize>> = Vec::new();
        let (mut canonical, mut packed) = (Canonical::default(), Packed::default());
        for (equation, left) in program.equations.iter().zip(left) {
            let new = if *left || inlined.contains(&equation.target.array) {
                None
            } else {
                let mut loops: Vec<IndexId> = equation.free.clone();
                loops.extend(selections.indices());
                loops.retain(|index| result.is_constant(*index));
                let limits = (most, products);
                let known = (definitions, inlined);
                let names = (&mut canonical, &mut packed);
                pre_evaluated(&mut result, equation, &loops, known, limits, names)
            };
            position.push(new.is_some().then_some(evaluated.len()));
            evaluated.extend(new);
        }
        common::factorise(&mut result, &mut evaluated);
        alike::join(&mut result, &mut evaluated);
        let groups = entries::groups(&mut result, &evaluated);
        (!evaluated.is_empty()).then_some(Evaluation {
            program: result,
            evaluated,
            groups,
            position,
        })
    }

    /// Terms that are left: entries of tensors that are not zero, and what is still summed.
    pub fn terms(&self) -> u64 {
        let each = |of: &Evaluated| {
            let entries = of.parts.iter().flat_map(|part| &*part.tensor);
            let entries = entries.filter(|entry| !entry.is_zero()).count() as u64;
            entries + of.rest.len() as u64 * cost::iterations(&self.program, &of.equation)
        };
        self.evaluated.iter().map(each).sum()
    }

    /// The program with what was evaluated; `None` if entries are to be shared and cannot be.
    pub fn assembled(
        &self,
        source: &Program,
        selections: &Selections,
        how: Option<Sharing>,
    ) -> Option<Program> {
        let mut result = self.program.clone();
        let mut sharing = HashMap::default();
        let mut tables = Tables::default();
        if let Some(how) = how {
            let evaluated = (&*self.evaluated, &*self.groups);
            sharing = entries::share(&mut result, evaluated, how, &mut tables);
            if sharing.is_empty() {
                return None;
            }
        }
        let (mut copies, mut equations) = (Vec::new(), Vec::new());
        for (equation, position) in source.equations.iter().zip(&self.position) {
            let Some(at) = position else {
                equations.push(equation.clone());
                continue;
            };
            equations.extend(self.evaluated[*at].products.iter().cloned());
            equations.extend(match sharing.remove(at) {
                Some(replaced) => {
                    copies.extend(replaced.last().cloned());
                    replaced
                }
                None => replaced(&mut result, &self.evaluated[*at], &mut tables),
            });
        }
        result.equations = equations;
        entries::forward(&mut result, &copies);
        selections.close(&mut result);
        remove_unused(&mut result);
        share_reciprocals(&mut result);
        rename::unify(&mut result);
        Some(result)
    }
}

/// The factors of a product, or a value as its only factor.
pub fn opened(pool: &Pool, expr: ExprId) -> Vec<Factor> {
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
    (definitions, inlined): (&Definitions, &HashSet<ArrayId>),
    limits: (usize, &Cell<usize>),
    (canonical, packed): (&mut Canonical, &mut Packed),
) -> Option<Evaluated> {
    // Several equations would write what the later ones read; and parts are added up.
    if !equation.adds_up() || !program.states(equation.expr).is_empty() {
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
    let mut parts = evaluate(program, &known, &sums, loops, limits, canonical)?;
    let output = matches!(program.array(equation.target.array).role, Role::Output(_));
    let different = parts.windows(2).any(|pair| pair[0].sums != pair[1].sums);
    let several = different || (!rest.is_empty() && !parts.is_empty());
    // A temporary has one equation.
    if (parts.is_empty() && rest.is_empty()) || (several && !output) {
        return None;
    }
    packed.pack(program, &mut parts);
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
        products: packed.definitions(),
    })
}
