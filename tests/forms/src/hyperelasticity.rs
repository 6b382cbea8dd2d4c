//! Hyperelasticity, ∫ D²ψ(U)(u, v) for a St Venant-Kirchhoff material; in mesh form only.

/// Degree 1, with a coefficient.
pub mod p1_f {
    hyperelasticity_nest!(
        as_kernels,
        /// Element matrices over the cells of a mesh; `w` are the coefficient's values per cell.
        hyperelasticity_p1_f, lagrange: 1, nodes: 4, dofs: 12, quadrature: 1, points: 1, w f0
    );
}

/// Degree 2.
pub mod p2 {
    pub use loopwright_meshed_forms::hyperelasticity_p2::matrices as hyperelasticity_p2;
}

/// Degree 1, with three coefficients.
pub mod p1_f3 {
    hyperelasticity_nest!(
        as_kernels,
        /// Element matrices over the cells of a mesh; `w0`, `w1`, `w2` are the coefficients' values.
        hyperelasticity_p1_f3, lagrange: 1, nodes: 4, dofs: 12, quadrature: 1, points: 1,
        w0 f0, w1 f1, w2 f2
    );
}
