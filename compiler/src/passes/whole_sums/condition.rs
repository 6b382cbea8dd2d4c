//! Whether sums are as large as their terms.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::columns::{Columns, Definitions, Dissection, Matrix};
use super::exact::Exact;
use crate::collections::{HashMap, HashSet};
use crate::ir::{ArrayId, Equation, ExprId, IndexId, Pool, Program, Role};
use crate::number::Number;

/// How many times smaller than its terms a sum may be, in the mean over its terms. The tables of an
/// element's values have up to 12 (degree 4), gradients times the inverse of the Jacobian up to 4, while
/// what has constants in its null space has infinity.
const MOST: f64 = 64.0;
/// Most products of entries that are computed to make the columns of one matrix orthogonal.
const MOST_PRODUCTS: usize = 1 << 25;

/// The conditions of sums of a program.
pub struct Conditions {
    /// The program, with the loops and expressions that questions add.
    scratch: Program,
    definitions: Definitions,
    /// The loops over which products are multiplied out: those of constant length, and those that sum.
    loops: HashSet<IndexId>,
    known: HashMap<ExprId, bool>,
    matrices: HashMap<ExprId, Option<Rc<Matrix>>>,
    /// Values that are multiplied with others in what is added to an output.
    outputs: BTreeMap<ArrayId, Vec<ExprId>>,
}

impl Conditions {
    /// Of the sums of a program.
    pub fn of(program: &Program) -> Conditions {
        let mut definitions = Definitions::default();
        for equation in &program.equations {
            let array = equation.target.array;
            let constant = |index: &IndexId| program.is_constant(*index);
            if equation.is_definition()
                && matches!(program.array(array).role, Role::Temporary)
                && equation.reduction.iter().all(constant)
                && program.states(equation.expr).is_empty()
                && program.sole_writer(array).is_some()
            {
                definitions.insert(array, equation.clone());
            }
        }
        let domains = program.equations.iter().flat_map(Equation::domain);
        let mut loops: HashSet<IndexId> = domains.filter(|i| program.is_constant(*i)).collect();
        loops.extend(program.equations.iter().flat_map(|e| &e.reduction));
        Conditions {
            loops,
            scratch: program.clone(),
            definitions,
            known: HashMap::default(),
            matrices: HashMap::default(),
            outputs: BTreeMap::new(),
        }
    }

    /// What a temporary holds, if one equation says it.
    pub fn definition(&self, array: ArrayId) -> Option<&Equation> {
        self.definitions.get(&array)
    }

    /// What temporaries hold.
    pub fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    /// What takes values apart into tables and sums of unknowns.
    pub fn groups<'p>(&'p self, program: &'p mut Program, exact: &'p Exact) -> Dissection<'p> {
        Dissection {
            program,
            definitions: &self.definitions,
            loops: &self.loops,
            exact,
            groups: true,
        }
    }

    /// Whether a loop over which products are multiplied out changes a value.
    pub fn is_changed(&self, pool: &Pool, expr: ExprId) -> bool {
        let mut indices = pool.indices(expr).iter();
        indices.any(|index| self.loops.contains(index))
    }

    /// Notes that a value is multiplied with others in what is added to an output.
    pub fn note(&mut self, expr: ExprId, output: ArrayId) {
        let beside = self.outputs.entry(output).or_default();
        if !beside.contains(&expr) {
            beside.push(expr);
            self.known.remove(&expr);
        }
    }

    /// Whether a value is as large as the products that it is the sum of, over all points of its loops;
    /// or over those of all values that are multiplied with others in the same output.
    pub fn is_well_conditioned(&mut self, exact: &Exact, expr: ExprId) -> bool {
        if let Some(known) = self.known.get(&expr) {
            return *known;
        }
        let result = match self.matrix(exact, expr) {
            None => false,
            Some(matrix) => {
                is_well_conditioned(&matrix.blocks) || self.is_well_beside(exact, expr, &matrix)
            }
        };
        self.known.insert(expr, result);
        result
    }

    /// Whether a value that was added to the program since is well-conditioned.
    pub fn is_new_well_conditioned(
        &self,
        program: &mut Program,
        exact: &Exact,
        expr: ExprId,
    ) -> bool {
        let mut dissection = Dissection {
            groups: false,
            ..self.groups(program, exact)
        };
        let matrix = dissection.matrix(expr);
        matrix.is_some_and(|matrix| is_well_conditioned(&matrix.blocks))
    }

    /// What the unknowns in a value are multiplied with.
    pub fn matrix(&mut self, exact: &Exact, expr: ExprId) -> Option<Rc<Matrix>> {
        if let Some(known) = self.matrices.get(&expr) {
            return known.clone();
        }
        let mut dissection = Dissection {
            program: &mut self.scratch,
            definitions: &self.definitions,
            loops: &self.loops,
            exact,
            groups: false,
        };
        let matrix = dissection.matrix(expr).map(Rc::new);
        self.matrices.insert(expr, matrix.clone());
        matrix
    }

    /// Whether a value is well-conditioned over the points of its output's others too.
    fn is_well_beside(&mut self, exact: &Exact, expr: ExprId, matrix: &Matrix) -> bool {
        let outputs = self.outputs.values();
        let outputs: Vec<Vec<ExprId>> = outputs.filter(|o| o.contains(&expr)).cloned().collect();
        let well = |beside: &Vec<ExprId>| {
            let mut stacked = matrix.blocks.clone();
            for other in beside.iter().filter(|other| **other != expr) {
                if let Some(others) = self.matrix(exact, *other) {
                    stack(&mut stacked, &others.blocks);
                }
            }
            stacked != matrix.blocks && is_well_conditioned(&stacked)
        };
        !outputs.is_empty() && outputs.iter().all(well)
    }
}

/// Adds the rows of a matrix that has unknowns in common with another one.
fn stack(blocks: &mut [Columns], others: &[Columns]) {
    if blocks.len() != others.len() {
        return;
    }
    for (block, other) in blocks.iter_mut().zip(others) {
        let height = |columns: &Columns| columns.values().next().map_or(0, Vec::len);
        let (own, added) = (height(block), height(other));
        if !other.keys().any(|unknown| block.contains_key(unknown)) {
            continue;
        }
        for unknown in other.keys() {
            let column = block.entry(unknown.clone());
            column.or_insert_with(|| vec![Number::ZERO; own]);
        }
        for (unknown, column) in block {
            match other.get(unknown) {
                Some(rows) => column.extend(rows),
                None => column.resize(own + added, Number::ZERO),
            }
        }
    }
}

/// Whether combinations of columns are as large as their terms.
pub fn is_well_conditioned(blocks: &[Columns]) -> bool {
    condition(blocks) <= MOST
}

/// How many times smaller than its terms a combination of columns may be: the Frobenius norm of the
/// inverse of their triangular factor, over the root of their number, each column being of length one.
fn condition(blocks: &[Columns]) -> f64 {
    let work = |columns: &Columns| columns.values().map(Vec::len).sum::<usize>() * columns.len();
    if blocks.iter().map(work).sum::<usize>() > MOST_PRODUCTS {
        return f64::INFINITY;
    }
    let count: usize = blocks.iter().map(Columns::len).sum();
    let sum: f64 = blocks.iter().map(inverse).sum();
    (sum / count.max(1) as f64).sqrt()
}

/// The square of the norm of the inverse.
fn inverse(columns: &Columns) -> f64 {
    let rounded = |column: &Vec<Number>| column.iter().map(|value| value.to_f64()).collect();
    let mut columns: Vec<Vec<f64>> = columns.values().map(rounded).collect();
    for column in &mut columns {
        let length = dot(column, column).sqrt();
        if length == 0.0 {
            return f64::INFINITY;
        }
        column.iter_mut().for_each(|value| *value /= length);
    }
    // By Gram and Schmidt; the factor by columns.
    let count = columns.len();
    let mut factor: Vec<Vec<f64>> = Vec::new();
    for at in 0..count {
        let (done, rest) = columns.split_at_mut(at);
        let column = &mut rest[0];
        let mut entries = vec![0.0; at];
        // Twice is enough.
        for _ in 0..2 {
            for (entry, other) in entries.iter_mut().zip(&*done) {
                let along = dot(other, column);
                *entry += along;
                let pairs = column.iter_mut().zip(other);
                pairs.for_each(|(value, other)| *value -= along * other);
            }
        }
        let length = dot(column, column).sqrt();
        if length < 1e-10 {
            return f64::INFINITY;
        }
        entries.push(length);
        factor.push(entries);
        column.iter_mut().for_each(|value| *value /= length);
    }
    let mut sum = 0.0;
    for unit in 0..count {
        // The column of the inverse: the factor is upper triangular.
        let mut solution = vec![0.0; count];
        for row in (0..=unit).rev() {
            let right = f64::from(u8::from(row == unit));
            let others = (row + 1..=unit).map(|at| factor[at][row] * solution[at]);
            solution[row] = (right - others.sum::<f64>()) / factor[row][row];
        }
        sum += dot(&solution, &solution);
    }
    sum
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::condition;
    use crate::ir::ExprId;
    use crate::number::Number;

    fn of(columns: &[&[f64]]) -> f64 {
        let columns = columns.iter().enumerate();
        let columns = columns.map(|(at, column)| {
            let column = column.iter().map(|value| Number::from_f64(*value));
            ((ExprId(at as u32), Vec::new()), column.collect())
        });
        condition(&[columns.collect()])
    }

    #[test]
    fn columns_that_nearly_cancel_have_a_large_condition() {
        assert!((of(&[&[2.0, 0.0], &[0.0, 0.1]]) - 1.0).abs() < 1e-12);
        assert!(of(&[&[1.0, 1.0], &[1.0, 1.0 + 1e-6]]) > 1e5);
        assert!(of(&[&[1.0, 0.0], &[0.0, 1.0], &[1.0, -1.0]]) > 1e9);
        assert!(of(&[&[0.0, 0.0]]).is_infinite());
    }
}
