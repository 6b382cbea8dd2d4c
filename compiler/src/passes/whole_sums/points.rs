//! Sums over tables as combinations of their own values at some points.
//!
//! A sum `sum(n) d[q, n] * u[n]` has a value for each `q`, but no more of them are independent than the
//! rank of `d` says: derivatives of a function of degree two are of degree one. As many points say the
//! others: `d[q, n] = sum(m) p[q, m] * d[points[m], n]`. At these points the values are those of the text,
//! with its errors, also where terms cancel; and those at the others are as large as the terms `p[q, m]`
//! gives them, since the points are chosen so that `p` is well-conditioned.

use super::columns::{Columns, Definitions, Matrix};
use super::condition::is_well_conditioned;
use crate::collections::HashMap;
use crate::ir::{
    Access, Affine, ArrayId, Equation, Expr, ExprId, Extent, Factor, IndexId, Operator, Program,
    Role,
};
use crate::number::{Field, Number};
use crate::rewrite::evaluate::{extents, only_tables, points, tabulate};
use crate::rewrite::normalise::product;
use crate::rewrite::replace::summed_at;

/// How much smaller than the largest row of a matrix what a row adds to others must be to be nothing.
const NOTHING: f64 = 1e-9;
/// Most entries that are computed to solve for a combination.
const MOST: usize = 1 << 21;

/// Points from which the values at all others follow.
pub struct Basis {
    /// The loops that the points are of.
    loops: Vec<IndexId>,
    chosen: Vec<Vec<usize>>,
    /// What each point's value is as a combination of those at the chosen ones, row-major.
    combinations: Vec<Number>,
}

impl Basis {
    /// Of the rows of a matrix, if they are fewer than these.
    pub fn of(program: &Program, matrix: &Matrix) -> Option<Basis> {
        let [columns] = matrix.blocks.as_slice() else {
            return None;
        };
        let shape = extents(program, &matrix.rows)?;
        let all: Vec<Vec<usize>> = points(&shape).collect();
        let rows = chosen(columns, all.len())?;
        let combinations = combinations(columns, &rows, all.len())?;
        let column = |at: usize| {
            let entries = combinations.iter().skip(at).step_by(rows.len());
            ((ExprId(at as u32), Vec::new()), entries.copied().collect())
        };
        let columns: Columns = (0..rows.len()).map(column).collect();
        is_well_conditioned(&[columns]).then(|| Basis {
            loops: matrix.rows.clone(),
            chosen: rows.into_iter().map(|row| all[row].clone()).collect(),
            combinations,
        })
    }
}

/// Rows that all others are combinations of; `None` if that are all of them. The one that adds the most
/// to those before comes next.
fn chosen(columns: &Columns, height: usize) -> Option<Vec<usize>> {
    let row = |at: usize| columns.values().map(move |column| column[at].to_f64());
    let mut rest: Vec<Vec<f64>> = (0..height).map(|at| row(at).collect()).collect();
    let norm = |row: &Vec<f64>| row.iter().map(|value| value * value).sum::<f64>();
    let mut rows = Vec::new();
    let mut largest = None;
    while rows.len() < height {
        let norms = rest.iter().map(norm).enumerate();
        // The first of those that are equal but for rounding.
        let (at, most) = norms.reduce(|a, b| if b.1 > a.1 * (1.0 + 1e-6) { b } else { a })?;
        if most <= NOTHING * NOTHING * *largest.get_or_insert(most) {
            break;
        }
        rows.push(at);
        if height * columns.len() * rows.len() > MOST {
            return None;
        }
        let unit: Vec<f64> = rest[at].iter().map(|value| value / most.sqrt()).collect();
        for row in &mut rest {
            let along: f64 = row.iter().zip(&unit).map(|(a, b)| a * b).sum();
            let pairs = row.iter_mut().zip(&unit);
            pairs.for_each(|(value, unit)| *value -= along * unit);
        }
    }
    (!rows.is_empty() && rows.len() < height).then_some(rows)
}

/// All rows as combinations of some: by Gauss and Jordan, of columns. `None` if they are none.
fn combinations(columns: &Columns, rows: &[usize], height: usize) -> Option<Vec<Number>> {
    let mut columns: Vec<Vec<Number>> = columns.values().cloned().collect();
    let size = |value: Number| value.to_f64().abs();
    let entries = columns.iter().flatten();
    let largest = entries.map(|value| size(*value)).fold(0.0, f64::max);
    let mut done = Vec::new();
    for row in rows {
        let (at, _) = (columns.iter().enumerate())
            .filter(|(at, _)| !done.contains(at))
            .max_by(|a, b| size(a.1[*row]).total_cmp(&size(b.1[*row])))?;
        let pivot = columns[at][*row];
        if size(pivot) <= NOTHING * largest || pivot.field() == Field::ZERO {
            return None;
        }
        done.push(at);
        let own: Vec<Number> = columns[at].iter().map(|value| *value / pivot).collect();
        for column in &mut columns {
            let times = column[*row];
            let pairs = column.iter_mut().zip(&own);
            pairs.for_each(|(value, own)| *value -= times * *own);
        }
        columns[at] = own;
    }
    let rest = (0..columns.len()).filter(|at| !done.contains(at));
    let mut rest = rest.flat_map(|at| &columns[at]);
    let zero = |value: &Number| {
        value.field() == Field::ZERO && size(*value) <= NOTHING * NOTHING * largest
    };
    let all = |at: usize| done.iter().map(move |done| (at, *done));
    let entries = (0..height).flat_map(all);
    // What is zero in the field, or one, is it exactly.
    let exact = |value: Number| match value.field() {
        Field::ZERO => Number::ZERO,
        Field::ONE => Number::ONE,
        _ => value,
    };
    let near = |value: Number| size(value - exact(value)) <= NOTHING * NOTHING;
    let combinations: Vec<Number> = entries.map(|(row, column)| columns[column][row]).collect();
    let is_exact = rest.all(zero) && combinations.iter().all(|value| near(*value));
    is_exact.then(|| combinations.into_iter().map(exact).collect())
}

/// Adds values at points to a program.
pub struct Placing<'p> {
    pub program: &'p mut Program,
    /// What temporaries hold.
    pub definitions: &'p Definitions,
    /// The equations that are added.
    pub equations: &'p mut Vec<Equation>,
}

/// A set of points, as a loop.
struct Chosen<'b> {
    basis: &'b Basis,
    index: IndexId,
    known: HashMap<ExprId, ExprId>,
}

impl Placing<'_> {
    /// A value as the combination of its own at points.
    pub fn combined(&mut self, expr: ExprId, basis: &Basis) -> Option<ExprId> {
        let count = Extent::Constant(basis.chosen.len());
        let name = self.program.loop_index(basis.loops[0]).name.clone();
        let mut chosen = Chosen {
            basis,
            index: self.program.add_index(&name, count),
            known: HashMap::default(),
        };
        let value = self.at(expr, &mut chosen)?;
        let value = self.temporary("point", value, Vec::new());
        let value = self.program.pool.kept(value);
        let loops = [basis.loops.as_slice(), &[chosen.index]].concat();
        let table = self.table(&loops, basis.combinations.clone(), expr)?;
        let factors = [table, value].map(|expr| Factor { expr, power: 1 });
        let element = self.program.pool.element(expr);
        let value = product(&mut self.program.pool, factors.to_vec(), element);
        Some(self.temporary("value", value, vec![chosen.index]))
    }

    /// A value at the chosen points.
    fn at(&mut self, expr: ExprId, chosen: &mut Chosen) -> Option<ExprId> {
        let indices = self.program.pool.indices(expr).to_vec();
        if !(chosen.basis.loops.iter()).any(|index| indices.contains(index)) {
            return Some(expr);
        }
        if let Some(known) = chosen.known.get(&expr) {
            return Some(*known);
        }
        let result = if only_tables(self.program, expr) {
            self.chosen_entries(expr, chosen)?
        } else if let Expr::Access(access) = self.program.pool.get(expr).clone() {
            let definition = self.definitions.get(&access.array)?.clone();
            self.defined(&definition, &access, chosen)?
        } else {
            let operands = self.program.pool.operands(expr);
            let mut new = HashMap::default();
            for operand in operands {
                new.insert(operand, self.at(operand, chosen)?);
            }
            (self.program.pool).map_operands(expr, &mut |_, operand| new[&operand])
        };
        chosen.known.insert(expr, result);
        Some(result)
    }

    /// What a temporary holds at the chosen points.
    fn defined(
        &mut self,
        definition: &Equation,
        access: &Access,
        chosen: &mut Chosen,
    ) -> Option<ExprId> {
        let (value, loops) = summed_at(self.program, definition, access);
        let value = self.at(value, chosen)?;
        if loops.is_empty() {
            return Some(value);
        }
        let name = self.program.array(access.array).name.clone();
        Some(self.temporary(&name, value, loops))
    }

    /// The entries of tables at the chosen points.
    fn chosen_entries(&mut self, expr: ExprId, chosen: &Chosen) -> Option<ExprId> {
        let basis = chosen.basis;
        let indices = self.program.pool.indices(expr).iter().copied();
        let others: Vec<IndexId> = indices.filter(|i| !basis.loops.contains(i)).collect();
        let loops = [basis.loops.as_slice(), &others].concat();
        let values = tabulate(self.program, expr, &loops)?;
        let length: usize = extents(self.program, &others)?.iter().product();
        let shape = extents(self.program, &basis.loops)?;
        let flat = |point: &Vec<usize>| {
            let pairs = point.iter().zip(&shape);
            pairs.fold(0, |flat, (at, n)| flat * n + at)
        };
        let rows = basis.chosen.iter().map(flat);
        let entries = rows.flat_map(|row| values[row * length..][..length].to_vec());
        let entries = entries.collect();
        self.table(
            &[[chosen.index].as_slice(), &others].concat(),
            entries,
            expr,
        )
    }

    /// An entry of a new table.
    fn table(&mut self, loops: &[IndexId], entries: Vec<Number>, like: ExprId) -> Option<ExprId> {
        let role = Role::Table(entries.into());
        extents(self.program, loops)?;
        Some(self.element("points", role, loops, like).1)
    }

    /// An element of a new temporary that a value is assigned to, summed over loops.
    fn temporary(&mut self, name: &str, value: ExprId, sums: Vec<IndexId>) -> ExprId {
        let indices = self.program.pool.indices(value).iter().copied();
        let free: Vec<IndexId> = indices.filter(|index| !sums.contains(index)).collect();
        let (array, read) = self.element(name, Role::Temporary, &free, value);
        let subscripts = free.iter().copied().map(Affine::index).collect();
        self.equations.push(Equation {
            target: Access { array, subscripts },
            operator: Operator::Assign,
            free,
            reduction: sums,
            expr: value,
        });
        read
    }

    fn element(
        &mut self,
        name: &str,
        role: Role,
        loops: &[IndexId],
        like: ExprId,
    ) -> (ArrayId, ExprId) {
        let element = self.program.pool.element(like);
        let extent = |index: &IndexId| self.program.loop_index(*index).extent.clone();
        let shape = loops.iter().map(extent).collect();
        let array = self.program.add_array(name, element, shape, role);
        let subscripts = loops.iter().copied().map(Affine::index).collect();
        let access = Expr::Access(Access { array, subscripts });
        (array, self.program.pool.add(access, element))
    }
}
