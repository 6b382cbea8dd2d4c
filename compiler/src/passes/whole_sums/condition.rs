//! Whether sums are as large as their terms.

use std::collections::{HashMap, HashSet};

use super::columns::{Columns, Definitions, Dissection};
use super::exact::Exact;
use crate::ir::{ArrayId, Equation, ExprId, IndexId, Pool, Program, Role};

/// How many times smaller than its terms a sum may be, in the mean over its terms. The tables of an
/// element's values have up to 12 (degree 4), gradients times the inverse of the Jacobian up to 4, while
/// what has constants in its null space has infinity.
const MOST: f64 = 64.0;

/// The conditions of sums of a program.
pub struct Conditions {
    /// The program, with the loops and expressions that questions add.
    scratch: Program,
    definitions: Definitions,
    /// The loops over which products are multiplied out: those of constant length, and those that sum.
    loops: HashSet<IndexId>,
    known: HashMap<ExprId, bool>,
}

impl Conditions {
    /// Of the sums of a program.
    pub fn of(program: &Program) -> Conditions {
        let mut definitions = Definitions::new();
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
            known: HashMap::new(),
        }
    }

    /// What a temporary holds, if one equation says it.
    pub fn definition(&self, array: ArrayId) -> Option<&Equation> {
        self.definitions.get(&array)
    }

    /// Whether a loop over which products are multiplied out changes a value.
    pub fn is_changed(&self, pool: &Pool, expr: ExprId) -> bool {
        let mut indices = pool.indices(expr).iter();
        indices.any(|index| self.loops.contains(index))
    }

    /// Whether a value is as large as the products that it is the sum of, over all points of its loops.
    pub fn is_well_conditioned(&mut self, exact: &Exact, expr: ExprId) -> bool {
        if let Some(known) = self.known.get(&expr) {
            return *known;
        }
        let mut dissection = Dissection {
            program: &mut self.scratch,
            definitions: &self.definitions,
            loops: &self.loops,
            exact,
        };
        let columns = dissection.columns(expr);
        let result = columns.is_some_and(|columns| condition(columns) <= MOST);
        self.known.insert(expr, result);
        result
    }
}

/// How many times smaller than its terms a combination of columns may be: the Frobenius norm of the
/// inverse of their triangular factor, over the root of their number, each column being of length one.
fn condition(mut columns: Columns) -> f64 {
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
    (sum / count as f64).sqrt()
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::condition;

    #[test]
    fn columns_that_nearly_cancel_have_a_large_condition() {
        assert!((condition(vec![vec![2.0, 0.0], vec![0.0, 0.1]]) - 1.0).abs() < 1e-12);
        assert!(condition(vec![vec![1.0, 1.0], vec![1.0, 1.0 + 1e-6]]) > 1e5);
        assert!(condition(vec![vec![1.0, 0.0], vec![0.0, 1.0], vec![1.0, -1.0]]) > 1e9);
        assert!(condition(vec![vec![0.0, 0.0]]).is_infinite());
    }
}
