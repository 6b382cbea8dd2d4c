//! The instances of the suite: element, quadrature and coefficient functions.

#![allow(unused_macros, reason = "each benchmark uses a part")]

#[macro_use]
#[path = "../../examples/forms/nests/mod.rs"]
mod nests;

/// All instances of a form of scalar functions at a level. Mass and Helmholtz take equal quadrature.
macro_rules! scalar_instances {
    ($form:ident, $level:literal) => {
        $form!(q1_nf0, level: $level, lagrange: 1, nodes: 4, quadrature: 2, points: 4);
        $form!(q1_nf1, level: $level, lagrange: 1, nodes: 4, quadrature: 3, points: 5, w0 f0);
        $form!(q1_nf2, level: $level, lagrange: 1, nodes: 4, quadrature: 4, points: 14, w0 f0, w1 f1);
        $form!(q1_nf3, level: $level, lagrange: 1, nodes: 4, quadrature: 5, points: 15, w0 f0, w1 f1, w2 f2);
        $form!(q2_nf0, level: $level, lagrange: 2, nodes: 10, quadrature: 4, points: 14);
        $form!(q2_nf1, level: $level, lagrange: 2, nodes: 10, quadrature: 6, points: 24, w0 f0);
        $form!(q2_nf2, level: $level, lagrange: 2, nodes: 10, quadrature: 8, points: 45, w0 f0, w1 f1);
        $form!(q2_nf3, level: $level, lagrange: 2, nodes: 10, quadrature: 10, points: 74, w0 f0, w1 f1, w2 f2);
        $form!(q3_nf0, level: $level, lagrange: 3, nodes: 20, quadrature: 6, points: 24);
        $form!(q3_nf1, level: $level, lagrange: 3, nodes: 20, quadrature: 9, points: 57, w0 f0);
        $form!(q3_nf2, level: $level, lagrange: 3, nodes: 20, quadrature: 12, points: 122, w0 f0, w1 f1);
        $form!(q3_nf3, level: $level, lagrange: 3, nodes: 20, quadrature: 15, points: 214, w0 f0, w1 f1, w2 f2);
        $form!(q4_nf0, level: $level, lagrange: 4, nodes: 35, quadrature: 8, points: 45);
        $form!(q4_nf1, level: $level, lagrange: 4, nodes: 35, quadrature: 12, points: 122, w0 f0);
        $form!(q4_nf2, level: $level, lagrange: 4, nodes: 35, quadrature: 16, points: 729, w0 f0, w1 f1);
        $form!(q4_nf3, level: $level, lagrange: 4, nodes: 35, quadrature: 20, points: 1331, w0 f0, w1 f1, w2 f2);
    };
}

/// All instances of a form of vector functions at a level.
macro_rules! vector_instances {
    ($form:ident, $level:literal) => {
        $form!(q1_nf0, level: $level, lagrange: 1, nodes: 4, dofs: 12, quadrature: 1, points: 1);
        $form!(q1_nf1, level: $level, lagrange: 1, nodes: 4, dofs: 12, quadrature: 1, points: 1, w0 f0);
        $form!(q1_nf2, level: $level, lagrange: 1, nodes: 4, dofs: 12, quadrature: 2, points: 4, w0 f0, w1 f1);
        $form!(q1_nf3, level: $level, lagrange: 1, nodes: 4, dofs: 12, quadrature: 3, points: 5, w0 f0, w1 f1, w2 f2);
        $form!(q2_nf0, level: $level, lagrange: 2, nodes: 10, dofs: 30, quadrature: 2, points: 4);
        $form!(q2_nf1, level: $level, lagrange: 2, nodes: 10, dofs: 30, quadrature: 4, points: 14, w0 f0);
        $form!(q2_nf2, level: $level, lagrange: 2, nodes: 10, dofs: 30, quadrature: 6, points: 24, w0 f0, w1 f1);
        $form!(q2_nf3, level: $level, lagrange: 2, nodes: 10, dofs: 30, quadrature: 8, points: 45, w0 f0, w1 f1, w2 f2);
        $form!(q3_nf0, level: $level, lagrange: 3, nodes: 20, dofs: 60, quadrature: 4, points: 14);
        $form!(q3_nf1, level: $level, lagrange: 3, nodes: 20, dofs: 60, quadrature: 7, points: 31, w0 f0);
        $form!(q3_nf2, level: $level, lagrange: 3, nodes: 20, dofs: 60, quadrature: 10, points: 74, w0 f0, w1 f1);
        $form!(q3_nf3, level: $level, lagrange: 3, nodes: 20, dofs: 60, quadrature: 13, points: 146, w0 f0, w1 f1, w2 f2);
        $form!(q4_nf0, level: $level, lagrange: 4, nodes: 35, dofs: 105, quadrature: 6, points: 24);
        $form!(q4_nf1, level: $level, lagrange: 4, nodes: 35, dofs: 105, quadrature: 10, points: 74, w0 f0);
        $form!(q4_nf2, level: $level, lagrange: 4, nodes: 35, dofs: 105, quadrature: 14, points: 177, w0 f0, w1 f1);
    };
}

/// All instances of hyperelasticity at a level: from degree 4 with two coefficients on, no peer was
/// measured.
macro_rules! hyperelastic_instances {
    ($form:ident, $level:literal) => {
        $form!(q1_nf0, level: $level, lagrange: 1, nodes: 4, dofs: 12, quadrature: 1, points: 1);
        $form!(q1_nf1, level: $level, lagrange: 1, nodes: 4, dofs: 12, quadrature: 1, points: 1, w0 f0);
        $form!(q1_nf2, level: $level, lagrange: 1, nodes: 4, dofs: 12, quadrature: 1, points: 1, w0 f0, w1 f1);
        $form!(q1_nf3, level: $level, lagrange: 1, nodes: 4, dofs: 12, quadrature: 1, points: 1, w0 f0, w1 f1, w2 f2);
        $form!(q2_nf0, level: $level, lagrange: 2, nodes: 10, dofs: 30, quadrature: 4, points: 14);
        $form!(q2_nf1, level: $level, lagrange: 2, nodes: 10, dofs: 30, quadrature: 5, points: 15, w0 f0);
        $form!(q2_nf2, level: $level, lagrange: 2, nodes: 10, dofs: 30, quadrature: 6, points: 24, w0 f0, w1 f1);
        $form!(q2_nf3, level: $level, lagrange: 2, nodes: 10, dofs: 30, quadrature: 7, points: 31, w0 f0, w1 f1, w2 f2);
        $form!(q3_nf0, level: $level, lagrange: 3, nodes: 20, dofs: 60, quadrature: 8, points: 45);
        $form!(q3_nf1, level: $level, lagrange: 3, nodes: 20, dofs: 60, quadrature: 10, points: 74, w0 f0);
        $form!(q3_nf2, level: $level, lagrange: 3, nodes: 20, dofs: 60, quadrature: 12, points: 122, w0 f0, w1 f1);
        $form!(q3_nf3, level: $level, lagrange: 3, nodes: 20, dofs: 60, quadrature: 14, points: 177, w0 f0, w1 f1, w2 f2);
        $form!(q4_nf0, level: $level, lagrange: 4, nodes: 35, dofs: 105, quadrature: 12, points: 122);
        $form!(q4_nf1, level: $level, lagrange: 4, nodes: 35, dofs: 105, quadrature: 15, points: 214, w0 f0);
    };
}

/// Those, and the one without a peer.
macro_rules! all_vector_instances {
    ($form:ident, $level:literal) => {
        vector_instances!($form, $level);
        $form!(q4_nf3, level: $level, lagrange: 4, nodes: 35, dofs: 105, quadrature: 18, points: 1000, w0 f0, w1 f1, w2 f2);
    };
}

/// Those, and the ones without a peer.
macro_rules! all_hyperelastic_instances {
    ($form:ident, $level:literal) => {
        hyperelastic_instances!($form, $level);
        $form!(q4_nf2, level: $level, lagrange: 4, nodes: 35, dofs: 105, quadrature: 18, points: 1000, w0 f0, w1 f1);
        $form!(q4_nf3, level: $level, lagrange: 4, nodes: 35, dofs: 105, quadrature: 21, points: 1331, w0 f0, w1 f1, w2 f2);
    };
}
