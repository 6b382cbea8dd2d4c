//! Derivatives from values at points.
//!
//! Sums over several axes with the same terms, of which one table has another one in its place along an axis
//! (values beside derivatives), follow from each other: where the table `b` of the values is square and
//! invertible, that of the derivatives is `d * b`. The values at all points are summed once, and derivatives out of
//! these along one axis; on the way back, what derivatives are multiplied with is added to what values are before
//! the sums that they then have in common. Tables are compared by their values.
//!
//! Before: `x[p, q] = sum(i, j) g[p, i] * b[q, j] * u[i, j]` and `y[p, q] = sum(i, j) b[p, i] * g[q, j] * u[i, j]`.
//! After: `c[p, q] = sum(i, j) b[p, i] * b[q, j] * u[i, j]`, `x[p, q] = sum(k) d[p, k] * c[k, q]` and
//! `y[p, q] = sum(k) d[q, k] * c[p, k]`.
//! Holds: values are equal in exact arithmetic; errors are within a small factor of those before, since tables are
//! not taken whose products `d * b` have much larger terms than their sums.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::matrices::{Matrix, after, before};
use super::terms::Terms;
use crate::collections::HashMap;
use crate::ir::{
    Access, Affine, ArrayId, Element, Equation, Expr, ExprId, Extent, Factor, IndexId, Operator,
    Program, Role, Term,
};
use crate::number::Number;
use crate::rewrite::evaluate::{only_tables, tabulate};
use crate::rewrite::normalise::{product, sum};
use crate::rewrite::unused::remove_unused;

/// A term: the table along each axis, and what they are multiplied with.
struct Along {
    coefficient: Number,
    /// For each axis.
    tables: Vec<ExprId>,
    rest: Vec<ExprId>,
}

/// A sum over axes.
struct Sum {
    /// For each axis the loop around the sum, and the sum's.
    axes: Vec<(IndexId, IndexId)>,
    terms: Vec<Along>,
}

/// Writes derivatives as sums over values at points; false if there are none.
pub fn collocated(program: &mut Program) -> bool {
    let equations = program.equations.clone();
    let mut terms = Terms::default();
    let sums: Vec<Option<Sum>> = (equations.iter())
        .map(|equation| sum_of(program, equation, &mut terms))
        .collect();
    // In how many sums what is summed stands: with other tables, it is summed once.
    let mut shared: HashMap<Vec<ExprId>, Vec<Vec<ExprId>>> = HashMap::default();
    for term in sums.iter().flatten().flat_map(|sum| &sum.terms) {
        let tables = shared.entry(term.rest.clone()).or_default();
        if !tables.contains(&term.tables) {
            tables.push(term.tables.clone());
        }
    }
    let mut writer = Writer::default();
    let mut changed = false;
    for (equation, sum) in equations.iter().zip(&sums) {
        let written = sum.as_ref().and_then(|sum| {
            let reads_shared = sum.terms.iter().all(|term| shared[&term.rest].len() > 1);
            match reads_shared {
                true => writer.forward(program, equation, sum),
                false => writer.backward(program, equation, sum),
            }
        });
        changed |= written.is_some();
        match written {
            Some(equations) => writer.equations.extend(equations),
            None => writer.equations.push(equation.clone()),
        }
    }
    if changed {
        program.equations = writer.equations;
        remove_unused(program);
    }
    changed
}

/// A sum over two axes at least, each with one table in all terms.
fn sum_of(program: &mut Program, equation: &Equation, terms: &mut Terms) -> Option<Sum> {
    let loops = &equation.reduction;
    if loops.len() < 2
        || !equation.adds_up()
        || !loops.iter().all(|index| program.is_constant(*index))
        || !program.states(equation.expr).is_empty()
    {
        return None;
    }
    let mut axes: BTreeMap<IndexId, IndexId> = BTreeMap::new();
    let mut result = Vec::new();
    for (coefficient, factors) in terms.expanded(program, equation.expr)? {
        let mut tables: BTreeMap<IndexId, ExprId> = BTreeMap::new();
        let mut rest = Vec::new();
        for factor in factors {
            let along = match program.pool.indices(factor) {
                [a, b] if only_tables(program, factor) => {
                    let pairs = [(*a, *b), (*b, *a)];
                    pairs.into_iter().find(|(around, summed)| {
                        equation.free.contains(around) && loops.contains(summed)
                    })
                }
                _ => None,
            };
            let Some((around, summed)) = along else {
                rest.push(factor);
                continue;
            };
            if *axes.entry(summed).or_insert(around) != around
                || tables.insert(summed, factor).is_some()
            {
                return None;
            }
        }
        rest.sort_unstable();
        let around = |index: &IndexId| axes.values().any(|around| around == index);
        let mut inside = rest.iter().flat_map(|expr| program.pool.indices(*expr));
        if tables.len() != loops.len() || inside.any(around) {
            return None;
        }
        result.push(Along {
            coefficient,
            tables: tables.into_values().collect(),
            rest,
        });
    }
    let axes: Vec<(IndexId, IndexId)> = axes.into_iter().map(|(s, a)| (a, s)).collect();
    let length = |index: IndexId| program.loop_index(index).extent.as_constant();
    let square = axes.iter().all(|(a, b)| length(*a) == length(*b));
    let mut arounds: Vec<IndexId> = axes.iter().map(|(around, _)| *around).collect();
    arounds.sort_unstable();
    arounds.dedup();
    (square && arounds.len() == axes.len()).then_some(Sum {
        axes,
        terms: result,
    })
}

/// Writes equations.
#[derive(Default)]
struct Writer {
    equations: Vec<Equation>,
    /// Values at points, by what they are summed over.
    values: HashMap<(ExprId, Vec<IndexId>), ExprId>,
    /// Tables that were made.
    tables: Vec<(Vec<u64>, ArrayId)>,
}

impl Writer {
    /// Values at points first, and each term out of these.
    fn forward(
        &mut self,
        program: &mut Program,
        equation: &Equation,
        all: &Sum,
    ) -> Option<Vec<Equation>> {
        let bases = bases(program, all)?;
        let element = program.pool.element(equation.expr);
        let mut kinds: BTreeMap<Vec<IndexId>, Vec<Term>> = BTreeMap::new();
        for term in &all.terms {
            let (outside, inside): (Vec<ExprId>, Vec<ExprId>) =
                (term.rest.iter()).partition(|expr| {
                    let mut loops = program.pool.indices(**expr).iter();
                    loops.all(|index| !equation.reduction.contains(index))
                });
            let values = [bases.as_slice(), &inside].concat();
            let value = times(program, &values, element);
            let mut value = self.value(program, equation, value);
            let mut factors = outside;
            let mut summed = Vec::new();
            let mut moved: HashMap<IndexId, IndexId> = HashMap::default();
            for ((axis, table), base) in all.axes.iter().zip(&term.tables).zip(&bases) {
                if table == base {
                    continue;
                }
                let [table, base] = [table, base].map(|expr| matrix(program, *expr, *axis));
                let entries = after(&table?, &base?)?;
                factors.push(self.entry(program, &entries, [axis.0, axis.1], element));
                moved.insert(axis.0, axis.1);
                summed.push(axis.1);
            }
            let by = |index: IndexId| Affine::index(moved.get(&index).copied().unwrap_or(index));
            value = program.pool.substitute(value, &by, &mut HashMap::default());
            factors.push(value);
            let expr = times(program, &factors, element);
            kinds.entry(summed).or_default().push(Term {
                coefficient: term.coefficient,
                expr,
            });
        }
        let mut result = Vec::new();
        let mut parts = Vec::new();
        let only = kinds.len() == 1;
        for (reduction, terms) in kinds {
            let expr = sum(&mut program.pool, terms, element);
            let own = Equation {
                reduction,
                expr,
                ..equation.clone()
            };
            if only {
                return Some(vec![own]);
            }
            let target = temporary(program, equation, "part", &equation.free);
            let expr = program.pool.add(Expr::Access(target.clone()), element);
            parts.push(Term {
                coefficient: Number::ONE,
                expr,
            });
            result.push(Equation {
                target,
                operator: Operator::Assign,
                ..own
            });
        }
        result.push(Equation {
            reduction: Vec::new(),
            expr: sum(&mut program.pool, parts, element),
            ..equation.clone()
        });
        Some(result)
    }

    /// What is summed over the axes with the tables of all terms in common, each term multiplied by its own first.
    fn backward(
        &mut self,
        program: &mut Program,
        equation: &Equation,
        all: &Sum,
    ) -> Option<Vec<Equation>> {
        let first = &all.terms[0].tables;
        if all.terms.iter().all(|term| term.tables == *first) {
            return None;
        }
        let bases = bases(program, all)?;
        let element = program.pool.element(equation.expr);
        // By the axes along which tables differ.
        let mut kinds: BTreeMap<Vec<usize>, Vec<Term>> = BTreeMap::new();
        for term in &all.terms {
            let mut factors = term.rest.clone();
            let mut kind = Vec::new();
            for (at, axis) in all.axes.iter().enumerate() {
                if term.tables[at] == bases[at] {
                    continue;
                }
                let pair = [term.tables[at], bases[at]];
                let [table, base] = pair.map(|expr| matrix(program, expr, *axis));
                let entries = before(&table?, &base?)?;
                factors.push(self.entry(program, &entries, [axis.0, axis.1], element));
                kind.push(at);
            }
            let expr = times(program, &factors, element);
            kinds.entry(kind).or_default().push(Term {
                coefficient: term.coefficient,
                expr,
            });
        }
        let mut result = Vec::new();
        let mut parts = Vec::new();
        let mut outer: Vec<IndexId> = equation.free.clone();
        outer.retain(|index| all.axes.iter().all(|(around, _)| around != index));
        for (kind, terms) in kinds {
            let expr = sum(&mut program.pool, terms, element);
            let place = |at: usize| match kind.contains(&at) {
                true => all.axes[at].0,
                false => all.axes[at].1,
            };
            let free: Vec<IndexId> = (outer.iter().copied())
                .chain((0..all.axes.len()).map(place))
                .collect();
            let target = temporary(program, equation, "at_points", &free);
            let summed = kind.iter().map(|at| all.axes[*at].1);
            result.push(Equation {
                target: target.clone(),
                operator: Operator::Assign,
                free,
                reduction: summed.collect(),
                expr,
            });
            let expr = program.pool.add(read_back(&target, all), element);
            parts.push(Term {
                coefficient: Number::ONE,
                expr,
            });
        }
        let mut free = outer;
        free.extend(all.axes.iter().map(|(_, summed)| *summed));
        let target = temporary(program, equation, "at_points", &free);
        let total = program.pool.add(Expr::Access(target.clone()), element);
        result.push(Equation {
            target,
            operator: Operator::Assign,
            free,
            reduction: Vec::new(),
            expr: sum(&mut program.pool, parts, element),
        });
        let factors = [bases.as_slice(), &[total]].concat();
        result.push(Equation {
            expr: times(program, &factors, element),
            ..equation.clone()
        });
        Some(result)
    }

    /// A sum over the axes, computed once.
    fn value(&mut self, program: &mut Program, equation: &Equation, expr: ExprId) -> ExprId {
        let key = (expr, equation.reduction.clone());
        if let Some(known) = self.values.get(&key) {
            return *known;
        }
        let mut free = program.pool.indices(expr).to_vec();
        free.retain(|index| !equation.reduction.contains(index));
        let target = temporary(program, equation, "values", &free);
        let element = program.pool.element(expr);
        let value = program.pool.add(Expr::Access(target.clone()), element);
        self.equations.push(Equation {
            target,
            operator: Operator::Assign,
            free,
            reduction: equation.reduction.clone(),
            expr,
        });
        self.values.insert(key, value);
        value
    }

    /// An entry of a square table that was computed.
    fn entry(
        &mut self,
        program: &mut Program,
        matrix: &Matrix,
        loops: [IndexId; 2],
        element: Element,
    ) -> ExprId {
        let images: Vec<u64> = matrix.entries.iter().map(|value| value.key().2).collect();
        let known = self.tables.iter().find(|(other, _)| *other == images);
        let array = match known {
            Some((_, array)) => *array,
            None => {
                let shape = vec![Extent::Constant(matrix.size); 2];
                let role = Role::Table(Rc::new(matrix.entries.clone()));
                let array = program.add_array("collocated", element, shape, role);
                self.tables.push((images, array));
                array
            }
        };
        let subscripts = loops.map(Affine::index).to_vec();
        let access = Expr::Access(Access { array, subscripts });
        program.pool.add(access, element)
    }
}

/// For each axis the table that most terms have; `None` where all terms have one along each.
fn bases(program: &Program, all: &Sum) -> Option<Vec<ExprId>> {
    let axes = 0..all.axes.len();
    // A table may stand along several axes: those of values do in most terms.
    let values = |at: usize, expr: ExprId| matrix(program, expr, all.axes[at]);
    let most = |at: usize| {
        let mut counts: BTreeMap<ExprId, usize> = BTreeMap::new();
        for term in &all.terms {
            for (other, table) in term.tables.iter().enumerate() {
                let own = values(other, *table)?;
                let here = all.terms.iter().map(|term| term.tables[at]);
                let here = here.chain(along(program, all, at));
                for candidate in here {
                    let matrix = values(at, candidate);
                    if matrix.is_some_and(|matrix| matrix.is(&own) && matrix.is_invertible()) {
                        *counts.entry(candidate).or_default() += 1;
                    }
                }
            }
        }
        counts
            .into_iter()
            .max_by_key(|(expr, count)| (*count, std::cmp::Reverse(*expr)))
            .map(|(expr, _)| expr)
    };
    axes.map(most).collect()
}

/// The tables of other axes, subscripted along one, where the pool has such an expression.
fn along(program: &Program, all: &Sum, at: usize) -> Vec<ExprId> {
    let mut result = Vec::new();
    for term in &all.terms {
        for (other, table) in term.tables.iter().enumerate() {
            let Expr::Access(access) = program.pool.get(*table) else {
                continue;
            };
            let by = |index: IndexId| match index {
                index if index == all.axes[other].0 => Affine::index(all.axes[at].0),
                index if index == all.axes[other].1 => Affine::index(all.axes[at].1),
                _ => Affine::index(index),
            };
            let access = access.substitute(&by);
            let element = program.pool.element(*table);
            result.extend(program.pool.find(&Expr::Access(access), element));
        }
    }
    result.sort_unstable();
    result.dedup();
    result
}

/// A table along an axis: rows are those of the loop around.
fn matrix(program: &Program, expr: ExprId, (around, summed): (IndexId, IndexId)) -> Option<Matrix> {
    let entries = tabulate(program, expr, &[around, summed])?;
    let size = program.loop_index(around).extent.as_constant()?;
    Some(Matrix { size, entries })
}

fn times(program: &mut Program, factors: &[ExprId], element: Element) -> ExprId {
    let factors = factors.iter().map(|expr| Factor {
        expr: *expr,
        power: 1,
    });
    product(&mut program.pool, factors.collect(), element)
}

/// An element of a new temporary.
fn temporary(program: &mut Program, of: &Equation, what: &str, free: &[IndexId]) -> Access {
    let name = format!("{}_{what}", program.array(of.target.array).name);
    let element = program.pool.element(of.expr);
    program.add_temporary(&name, free, element)
}

/// What was summed over axes, read at the indices that are left of them.
fn read_back(target: &Access, all: &Sum) -> Expr {
    let back: HashMap<IndexId, IndexId> = all.axes.iter().copied().collect();
    let by = |index: IndexId| Affine::index(back.get(&index).copied().unwrap_or(index));
    Expr::Access(target.substitute(&by))
}
