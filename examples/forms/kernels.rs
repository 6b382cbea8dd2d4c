//! The kernels: for each form and degree `matrices` and `action`. Their loops are in `nests`.
//!
//! Rules are exact on affine cells: of degree 3q for mass and Helmholtz with their coefficient, 3q - 2
//! for elasticity, and 4 (q - 1) for hyperelasticity, where the displacement is the coefficient. A library beside the
//! program, so that the tests of the forms have these kernels as well, expanded once.

#[macro_use]
mod nests;

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
    /// ∫ f u v, cubic elements.
    mass_p3: mass_nest, mass_action_nest,
    lagrange: 3, nodes: 20, quadrature: 9, points: 57, density f
}
kernels! {
    /// ∫ f u v, elements of degree four.
    mass_p4: mass_nest, mass_action_nest,
    lagrange: 4, nodes: 35, quadrature: 12, points: 122, density f
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
    /// ∫ f (∇u·∇v + u v), cubic elements.
    helmholtz_p3: helmholtz_nest, helmholtz_action_nest,
    lagrange: 3, nodes: 20, quadrature: 9, points: 57, density f
}
kernels! {
    /// ∫ f (∇u·∇v + u v), elements of degree four.
    helmholtz_p4: helmholtz_nest, helmholtz_action_nest,
    lagrange: 4, nodes: 35, quadrature: 12, points: 122, density f
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
    /// ∫ f ε(u) : ε(v), cubic elements.
    elasticity_p3: elasticity_nest, elasticity_action_nest,
    lagrange: 3, nodes: 20, dofs: 60, quadrature: 7, points: 31, density f
}
kernels! {
    /// ∫ f ε(u) : ε(v), elements of degree four.
    elasticity_p4: elasticity_nest, elasticity_action_nest,
    lagrange: 4, nodes: 35, dofs: 105, quadrature: 10, points: 74, density f
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
kernels! {
    /// ∫ D²ψ(U)(u, v), cubic elements.
    hyperelasticity_p3: hyperelasticity_nest, hyperelasticity_action_nest,
    lagrange: 3, nodes: 20, dofs: 60, quadrature: 8, points: 45
}
kernels! {
    /// ∫ D²ψ(U)(u, v), elements of degree four.
    hyperelasticity_p4: hyperelasticity_nest, hyperelasticity_action_nest,
    lagrange: 4, nodes: 35, dofs: 105, quadrature: 12, points: 122
}
