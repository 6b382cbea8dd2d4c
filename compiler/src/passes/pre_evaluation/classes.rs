//! The monomials of a form, as the paper speaks of them: what is evaluated or left as one.
//!
//! A sum of products of functions from discrete spaces, integrated: `∇u · ∇v + f u v` has two
//! monomials. In the text of a kernel, the first one is a sum of products of sums, one for each
//! derivative. The summands whose factors read the same arrays in the same loops are one class.
//!
//! Example: in `w[q] * (s[q, i] * s[q, j] + t[q, i] * t[q, j] + f[q] * phi[q, i] * phi[q, j])`, where
//! `s` and `t` stand for sums over the entries of `dphi`, the first two are a class.

use std::collections::{BTreeMap, BTreeSet};

use super::dissect::Definitions;
use super::evaluation::opened;
use crate::ir::{
    Access, ArrayId, Equation, Expr, ExprId, Factor, IndexId, Mirror, Operator, Program, Role, Term,
};
use crate::number::Number;
use crate::passes::symmetry_detection;
use crate::rewrite::normalise::{product, sum};

/// Most summands of a program that are told apart.
const MOST: usize = 256;

/// The arrays that a factor reads, each with the free loops that choose its element, by position.
type Reads = BTreeSet<(ArrayId, Vec<usize>)>;

/// What the summands of a class have in common: the reads of each factor, and its power.
type Structure = Vec<(Reads, i32)>;

/// Summands of one structure.
#[derive(Clone, Debug)]
pub struct Class {
    /// What its factors read.
    pub name: String,
    /// The summands, by the equation that they are in.
    pub terms: BTreeMap<usize, Vec<Term>>,
}

/// The classes of all sums that may be evaluated, in the order of their first summands. None where
/// there are too many to tell apart.
pub fn classes(program: &mut Program, definitions: &Definitions) -> Vec<Class> {
    let mut found: Vec<(Structure, Class)> = Vec::new();
    let mut count = 0;
    for at in 0..program.equations.len() {
        let equation = program.equations[at].clone();
        let defines = definitions.contains_key(&equation.target.array);
        if defines || !is_sum(program, &equation) {
            continue;
        }
        let mut opening = Opening::of(program, &equation);
        opening.open(equation.expr, Number::ONE, &[]);
        let Opening {
            inner, sums, terms, ..
        } = opening;
        count += terms.len();
        if count > MOST {
            return Vec::new();
        }
        for term in terms {
            let structure = structure(program, term.expr, &inner, &sums);
            let position = found.iter().position(|(other, _)| *other == structure);
            let position = position.unwrap_or_else(|| {
                let class = Class {
                    name: name(program, &structure),
                    terms: BTreeMap::new(),
                };
                found.push((structure, class));
                found.len() - 1
            });
            found[position].1.terms.entry(at).or_default().push(term);
        }
    }
    found.into_iter().map(|(_, class)| class).collect()
}

/// Whether an equation is a sum over loops of constant length, of what nothing writes before.
fn is_sum(program: &Program, equation: &Equation) -> bool {
    let mut sums = equation.reduction.iter();
    equation.adds_up()
        && sums.any(|index| program.is_constant(*index))
        && program.states(equation.expr).is_empty()
}

/// Opens products of sums whose terms have all of the loops of the result.
struct Opening<'a> {
    program: &'a mut Program,
    /// The free loops of constant length.
    inner: Vec<IndexId>,
    /// The reduction loops of constant length.
    sums: Vec<IndexId>,
    terms: Vec<Term>,
}

impl Opening<'_> {
    fn of<'a>(program: &'a mut Program, equation: &Equation) -> Opening<'a> {
        let mut constant = [equation.free.clone(), equation.reduction.clone()];
        for loops in &mut constant {
            loops.retain(|index| program.is_constant(*index));
        }
        let [inner, sums] = constant;
        Opening {
            program,
            inner,
            sums,
            terms: Vec::new(),
        }
    }

    /// Adds the summands of `number * expr * others`.
    fn open(&mut self, expr: ExprId, number: Number, others: &[Factor]) {
        match self.program.pool.get(expr).clone() {
            Expr::Sum(terms) if self.changes(expr) => {
                for term in terms {
                    self.open(term.expr, number * term.coefficient, others);
                }
            }
            Expr::Product(factors) => {
                let mut all = others.to_vec();
                factors
                    .iter()
                    .for_each(|factor| self.flatten(*factor, &mut all));
                match self.whole(&all) {
                    Some(at) => {
                        let sum = all.remove(at);
                        self.open(sum.expr, number, &all);
                    }
                    None => self.close(all, number),
                }
            }
            _ => {
                let mut all = others.to_vec();
                all.push(Factor { expr, power: 1 });
                self.close(all, number);
            }
        }
    }

    fn close(&mut self, factors: Vec<Factor>, coefficient: Number) {
        let element = self.program.pool.element(factors[0].expr);
        let expr = product(&mut self.program.pool, factors, element);
        self.terms.push(Term { coefficient, expr });
    }

    /// Products inside products that loops change are opened.
    fn flatten(&self, factor: Factor, all: &mut Vec<Factor>) {
        match self.program.pool.get(factor.expr) {
            Expr::Product(factors) if factor.power == 1 && self.changes(factor.expr) => {
                factors.iter().for_each(|inner| self.flatten(*inner, all));
            }
            _ => all.push(factor),
        }
    }

    fn changes(&self, expr: ExprId) -> bool {
        let indices = self.program.pool.indices(expr);
        indices
            .iter()
            .any(|index| self.inner.contains(index) || self.sums.contains(index))
    }

    /// The only sum among factors that has all of the free loops that any of them has. Two that have
    /// all of them, or one of two that have none, are not multiplied out.
    fn whole(&self, factors: &[Factor]) -> Option<usize> {
        let pool = &self.program.pool;
        let loops = |factor: &Factor| -> Vec<IndexId> {
            let indices = pool.indices(factor.expr);
            indices
                .iter()
                .copied()
                .filter(|index| self.inner.contains(index))
                .collect()
        };
        let all: BTreeSet<IndexId> = factors.iter().flat_map(loops).collect();
        let has_all = |factor: &Factor| {
            let is_sum = matches!(pool.get(factor.expr), Expr::Sum(_)) && self.changes(factor.expr);
            is_sum && loops(factor).len() == all.len()
        };
        let mut found = (0..factors.len()).filter(|at| has_all(&factors[*at]));
        let first = found.next().filter(|at| factors[*at].power == 1);
        first.filter(|_| found.next().is_none())
    }
}

/// What the factors of a product read, cells' values left out.
fn structure(program: &Program, expr: ExprId, inner: &[IndexId], sums: &[IndexId]) -> Structure {
    let pool = &program.pool;
    let mut result: Structure = Vec::new();
    for factor in opened(pool, expr) {
        let mut reads = Reads::new();
        for (id, access) in pool.accesses([factor.expr]) {
            let indices = pool.indices(id);
            let positions: Vec<usize> = (0..inner.len())
                .filter(|at| indices.contains(&inner[*at]))
                .collect();
            if !positions.is_empty() || sums.iter().any(|index| indices.contains(index)) {
                reads.insert((access.array, positions));
            }
        }
        if !reads.is_empty() {
            result.push((reads, factor.power));
        }
    }
    result.sort();
    result
}

/// The arrays of a structure, factor by factor.
fn name(program: &Program, structure: &Structure) -> String {
    let mut factors = Vec::new();
    for (reads, power) in structure {
        let mut arrays: Vec<&str> = reads
            .iter()
            .map(|(array, _)| program.array(*array).name.as_str())
            .collect();
        arrays.dedup();
        let mut text = arrays.join(", ");
        if arrays.len() > 1 {
            text = format!("({text})");
        }
        if *power != 1 {
            text = format!("{text}^{power}");
        }
        factors.push(text);
    }
    format!("`{}`", factors.join(" * "))
}

/// A program whose sums are parted, and which of its equations are left as they are.
pub struct Parted {
    /// The program.
    pub program: Program,
    /// By equation.
    pub left: Vec<bool>,
}

/// Parts the sums of a program: classes that `evaluated` does not name have equations of their own,
/// which are left. `None` where a temporary would need two equations.
pub fn part(program: &Program, classes: &[Class], evaluated: &[usize]) -> Option<Parted> {
    let mut result = program.clone();
    result.equations.clear();
    let mut left = Vec::new();
    let mut mirrors = Vec::new();
    for (at, equation) in program.equations.iter().enumerate() {
        let [mut taken, mut others] = [Vec::new(), Vec::new()];
        for (number, class) in classes.iter().enumerate() {
            let side = match evaluated.contains(&number) {
                true => &mut taken,
                false => &mut others,
            };
            side.extend(class.terms.get(&at).into_iter().flatten().cloned());
        }
        if taken.is_empty() || others.is_empty() {
            result.equations.push(equation.clone());
            left.push(taken.is_empty() && !others.is_empty());
            continue;
        }
        if !matches!(program.array(equation.target.array).role, Role::Output(_)) {
            return None;
        }
        mirrors.push(result.equations.len() + 1);
        let element = program.pool.element(equation.expr);
        let [taken, others] = [taken, others].map(|terms| Equation {
            expr: sum(&mut result.pool, terms, element),
            ..equation.clone()
        });
        result.equations.push(taken);
        result.equations.push(Equation {
            operator: Operator::ADD,
            ..others
        });
        left.extend([false, true]);
    }
    mirror(&mut result, &mirrors);
    Some(Parted {
        program: result,
        left,
    })
}

/// What the parts that are left mirror: the whole was symmetric, its parts need not be.
fn mirror(program: &mut Program, parts: &[usize]) {
    let found = symmetry_detection::found(program, parts);
    let targets = parts.iter().map(|at| program.equations[*at].target.clone());
    let targets: Vec<Access> = targets.collect();
    let is_parted =
        |mirror: &Mirror| targets.contains(&mirror.from) || targets.contains(&mirror.to);
    program.mirrors.retain(|mirror| !is_parted(mirror));
    for mut mirror in found {
        let sum = parts.iter().map(|at| &program.equations[*at]);
        let mut sum = sum.filter(|sum| sum.target == mirror.from);
        mirror.sums = sum.next().map(|sum| sum.reduction.clone());
        program.mirrors.push(mirror);
    }
}
