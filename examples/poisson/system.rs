//! The linear system: its sparsity, boundary values, solution.

use std::error::Error;

use loopwright::kernel;

/// A sparsity pattern in compressed rows, with the place of every cell's entries in it.
pub struct Pattern<const N: usize> {
    /// Where each row starts in `columns`; one more at the end.
    pub rows: Vec<usize>,
    /// The columns of the entries, ascending in each row.
    pub columns: Vec<usize>,
    /// `position[e][i][j]`: the entry of the functions i and j of cell e.
    pub position: Vec<[[usize; N]; N]>,
}

impl<const N: usize> Pattern<N> {
    /// The pattern of a matrix that couples the functions of each cell.
    pub fn new(dofs: &[[usize; N]], len: usize) -> Pattern<N> {
        let mut cells_of = vec![Vec::new(); len];
        for (e, dofs) in dofs.iter().enumerate() {
            dofs.iter().for_each(|&dof| cells_of[dof].push(e));
        }
        let mut rows = vec![0];
        let mut columns = Vec::new();
        let mut row: Vec<usize> = Vec::new();
        for cells in &cells_of {
            row.clear();
            row.extend(cells.iter().flat_map(|&e| dofs[e]));
            row.sort_unstable();
            row.dedup();
            columns.extend_from_slice(&row);
            rows.push(columns.len());
        }
        let find = |i: usize, j: usize| {
            let row = &columns[rows[i]..rows[i + 1]];
            rows[i] + row.partition_point(|&column| column < j)
        };
        let position = dofs
            .iter()
            .map(|dofs| dofs.map(|i| dofs.map(|j| find(i, j))))
            .collect();
        Pattern {
            rows,
            columns,
            position,
        }
    }
}

/// Sets some unknowns of a symmetric system: their columns go to the right-hand side, their rows
/// become `u = value`. The matrix stays symmetric.
pub fn set_values<const N: usize>(
    pattern: &Pattern<N>,
    values: &mut [f64],
    b: &mut [f64],
    fixed: &[Option<f64>],
) {
    for (i, row) in pattern.rows.windows(2).enumerate() {
        let entries = row[0]..row[1];
        for (entry, &j) in values[entries.clone()]
            .iter_mut()
            .zip(&pattern.columns[entries])
        {
            match (fixed[i], fixed[j]) {
                (Some(_), _) => *entry = if i == j { 1.0 } else { 0.0 },
                (None, Some(value)) => {
                    b[i] -= *entry * value;
                    *entry = 0.0;
                }
                (None, None) => {}
            }
        }
    }
    for (b, fixed) in b.iter_mut().zip(fixed) {
        if let Some(value) = fixed {
            *b = *value;
        }
    }
}

kernel! {
    /// `q = A p`, with A in compressed rows; pᵀ A p.
    fn product(rows: &[usize], columns: &[usize], values: &[f64], p: &[f64], q: &mut [f64]) -> f64 {
        let mut energy = 0.0;
        for i in 0..q.len() {
            let mut sum = 0.0;
            for entry in rows[i]..rows[i + 1] {
                sum += values[entry] * p[columns[entry]];
            }
            q[i] = sum;
            energy += p[i] * sum;
        }
        energy
    }

    /// A step along `p`: what is left of the residual, and that over the diagonal; their product.
    fn advance(
        step: f64,
        diagonal: &[f64],
        p: &[f64],
        q: &[f64],
        u: &mut [f64],
        residual: &mut [f64],
        z: &mut [f64],
    ) -> f64 {
        let mut left = 0.0;
        for i in 0..u.len() {
            u[i] += step * p[i];
            let r = residual[i] - step * q[i];
            residual[i] = r;
            z[i] = r / diagonal[i];
            left += r * (r / diagonal[i]);
        }
        left
    }

    /// The next direction.
    fn turn(beta: f64, z: &[f64], p: &mut [f64]) {
        for i in 0..p.len() {
            p[i] = z[i] + beta * p[i];
        }
    }
}

/// Solves a symmetric, positive definite system with conjugate gradients, the residual over the diagonal.
///
/// # Errors
///
/// A matrix that is not positive definite.
pub fn solve<const N: usize>(
    pattern: &Pattern<N>,
    values: &[f64],
    b: &[f64],
) -> Result<Vec<f64>, Box<dyn Error>> {
    /// Of the first residual, in the norm that the diagonal gives.
    const TOLERANCE: f64 = 1e-14;
    let (n, rows, columns) = (b.len(), &pattern.rows, &pattern.columns);
    let diagonal: Vec<f64> = (0..n)
        .map(|i| {
            let mut row = (rows[i]..rows[i + 1]).filter(|&entry| columns[entry] == i);
            row.next().map_or(0.0, |entry| values[entry])
        })
        .collect();
    if diagonal.iter().any(|d| *d <= 0.0) {
        return Err(SINGULAR.into());
    }
    // Given values are there from the beginning: the first residual is that of the others.
    let mut u: Vec<f64> = b.iter().zip(&diagonal).map(|(b, d)| b / d).collect();
    let (mut q, mut z) = (vec![0.0; n], vec![0.0; n]);
    product(rows, columns, values, &u, &mut q);
    let mut residual = b.to_vec();
    let mut left = advance(
        1.0,
        &diagonal,
        &z.clone(),
        &q,
        &mut u,
        &mut residual,
        &mut z,
    );
    let (enough, mut p) = (left * TOLERANCE * TOLERANCE, z.clone());
    for _ in 0..10 * n + 100 {
        if left <= enough {
            return Ok(u);
        }
        let energy = product(rows, columns, values, &p, &mut q);
        if energy <= 0.0 {
            break;
        }
        let before = left;
        left = advance(
            left / energy,
            &diagonal,
            &p,
            &q,
            &mut u,
            &mut residual,
            &mut z,
        );
        turn(left / before, &z, &mut p);
    }
    Err(SINGULAR.into())
}

const SINGULAR: &str =
    "the matrix is not positive definite: does every part of the body touch a Dirichlet group?";

/// |b - A u| / |b|, or |b - A u| where b vanishes.
pub fn residual<const N: usize>(pattern: &Pattern<N>, values: &[f64], b: &[f64], u: &[f64]) -> f64 {
    let mut squares = 0.0;
    for (b, row) in b.iter().zip(pattern.rows.windows(2)) {
        let entries = row[0]..row[1];
        let row = values[entries.clone()]
            .iter()
            .zip(&pattern.columns[entries]);
        let product: f64 = row.map(|(entry, &column)| entry * u[column]).sum();
        squares += (b - product).powi(2);
    }
    let norm = b.iter().map(|b| b * b).sum::<f64>().sqrt();
    squares.sqrt() / if norm > 0.0 { norm } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_values_are_reached_and_the_others_solve_their_equations() {
        // Two segments of a string, -u'' = 0, from 1 to 3.
        let dofs = [[0, 1], [1, 2]];
        let pattern = Pattern::new(&dofs, 3);
        assert_eq!(pattern.rows, [0, 2, 5, 7]);
        let mut values = vec![0.0; 7];
        for position in &pattern.position {
            for (i, row) in position.iter().enumerate() {
                for (j, &at) in row.iter().enumerate() {
                    values[at] += if i == j { 1.0 } else { -1.0 };
                }
            }
        }
        let mut b = vec![0.0; 3];
        set_values(&pattern, &mut values, &mut b, &[Some(1.0), None, Some(3.0)]);
        let u = solve(&pattern, &values, &b).expect("a regular matrix");
        assert!(
            u.iter()
                .zip([1.0, 2.0, 3.0])
                .all(|(u, exact)| (u - exact).abs() < 1e-14)
        );
        assert!(residual(&pattern, &values, &b, &u) < 1e-15);
    }

    #[test]
    fn a_singular_matrix_is_an_error() {
        let pattern = Pattern::new(&[[0, 1]], 2);
        let error = solve(&pattern, &[1.0, -1.0, -1.0, 1.0], &[1.0, 0.0]);
        assert!(error.is_err());
    }
}
