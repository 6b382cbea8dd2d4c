//! Operations of actions that are written by hand: quadrature with all sums factorised.
//!
//! For a cell: the values of each function at the points and the tests with all functions, two
//! operations each, then what is done at a point. The weight is multiplied to each sum that is tested.

/// The geometry, and additions to y.
fn around(nodes: usize, components: usize) -> usize {
    9 + 27 + 5 + 1 + 9 + nodes * components
}

/// Nothing but values.
pub fn mass(nodes: usize, points: usize, coefficients: usize) -> usize {
    around(nodes, 1) + points * ((2 + coefficients) * 2 * nodes + coefficients + 1)
}

/// The gradient in the reference cell is turned to the real one (15), and back.
pub fn helmholtz(nodes: usize, points: usize, coefficients: usize) -> usize {
    let at_point = 15 + 15 + 4 * (coefficients + 1);
    around(nodes, 1) + points * ((8 + coefficients) * 2 * nodes + at_point)
}

/// The same for three components, whose gradient is made symmetric.
pub fn elasticity(nodes: usize, points: usize, coefficients: usize) -> usize {
    let symmetric = 9;
    let at_point = 45 + symmetric + 45 + 9 * (coefficients + 1);
    around(nodes, 3) + points * ((18 + coefficients) * 2 * nodes + at_point)
}

/// Gradients of u, of the displacement and of the coefficients; then tensors at the point.
pub fn hyperelasticity(nodes: usize, points: usize, coefficients: usize) -> usize {
    let gradients = 45 + 3 + 45;
    let stress = 6 * 5 + 3 + 3 + 6 + 4;
    let its_change = 6 * 11 + 3 + 6 + 4;
    let turned = 9 * 11 + 45;
    let at_point =
        gradients + stress + its_change + turned + 17 * coefficients + 9 * (coefficients + 1);
    around(nodes, 3) + points * ((27 + 9 * coefficients) * 2 * nodes + at_point)
}
