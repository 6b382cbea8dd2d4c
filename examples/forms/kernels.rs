//! The kernels: for each form and degree `matrices` and `action`. Their loops are in `nests`.
//!
//! Rules are exact on affine cells: of degree 3q for mass and Helmholtz with their coefficient, 3q - 2
//! for elasticity, and 4 (q - 1) for hyperelasticity, where the displacement is the coefficient.

/// A module with both kernels.
macro_rules! kernels {
    ($(#[$doc:meta])* $module:ident: $matrices:ident, $action:ident, $($instance:tt)*) => {
        $(#[$doc])*
        pub mod $module {
            $matrices!(
                loopwright::kernel,
                /// Adds the element matrices of the cells.
                matrices, $($instance)*
            );
            $action!(
                loopwright::kernel,
                /// Adds the matrix times u to y, without the matrix.
                action, $($instance)*
            );
        }
    };
}

kernels! {
    /// ∫ f u v, linear elements.
    mass_p1: mass_nest, mass_action_nest,
    lagrange: 1, nodes: 4, quadrature: 3, points: 5, density f
}
kernels! {
    /// ∫ f u v, quadratic elements.
    mass_p2: mass_nest, mass_action_nest,
    lagrange: 2, nodes: 10, quadrature: 6, points: 24, density f
}
kernels! {
    /// ∫ f (∇u·∇v + u v), linear elements.
    helmholtz_p1: helmholtz_nest, helmholtz_action_nest,
    lagrange: 1, nodes: 4, quadrature: 3, points: 5, density f
}
kernels! {
    /// ∫ f (∇u·∇v + u v), quadratic elements.
    helmholtz_p2: helmholtz_nest, helmholtz_action_nest,
    lagrange: 2, nodes: 10, quadrature: 6, points: 24, density f
}
kernels! {
    /// ∫ f ε(u) : ε(v), linear elements.
    elasticity_p1: elasticity_nest, elasticity_action_nest,
    lagrange: 1, nodes: 4, dofs: 12, quadrature: 1, points: 1, density f
}
kernels! {
    /// ∫ f ε(u) : ε(v), quadratic elements.
    elasticity_p2: elasticity_nest, elasticity_action_nest,
    lagrange: 2, nodes: 10, dofs: 30, quadrature: 4, points: 14, density f
}
kernels! {
    /// ∫ D²ψ(U)(u, v), linear elements.
    hyperelasticity_p1: hyperelasticity_nest, hyperelasticity_action_nest,
    lagrange: 1, nodes: 4, dofs: 12, quadrature: 1, points: 1
}
kernels! {
    /// ∫ D²ψ(U)(u, v), quadratic elements.
    hyperelasticity_p2: hyperelasticity_nest, hyperelasticity_action_nest,
    lagrange: 2, nodes: 10, dofs: 30, quadrature: 4, points: 14
}
