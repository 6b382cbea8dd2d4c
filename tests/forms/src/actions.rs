//! Actions of the forms, y += A(w) u, over any number type; the degree and the number of coefficient
//! functions are in the modules' names.

/// A module with a kernel `apply` for each instance.
macro_rules! actions {
    ($nest:ident: $($module:ident $degree:literal $nodes:literal nodes, $quadrature:literal $points:literal
     points $(, $w:ident $f:ident)*;)*) => {$(
        /// One instance.
        pub mod $module {
            $nest!(
                as_kernels,
                /// Adds the action to `y`; `dofs` are the nodes of each cell.
                apply, lagrange: $degree, nodes: $nodes, quadrature: $quadrature, points: $points
                $(, $w $f)*
            );
        }
    )*};
}

/// Modules whose kernels are those of the example.
macro_rules! meshed {
    ($($module:ident $form:ident;)*) => {$(
        /// One instance.
        pub mod $module {
            pub use loopwright_meshed_forms::$form::action as apply;
        }
    )*};
}

/// ∫ f₀ f₁ … u v.
pub mod mass {
    actions! { mass_action_nest:
        q1_nf0 1 4 nodes, 2 4 points;
        q2_nf0 2 10 nodes, 4 14 points;
        q3_nf0 3 20 nodes, 6 24 points;
        q4_nf0 4 35 nodes, 8 45 points;
        q1_nf2 1 4 nodes, 4 14 points, w0 f0, w1 f1;
        q2_nf3 2 10 nodes, 10 74 points, w0 f0, w1 f1, w2 f2;
    }
    meshed! {
        q1_nf1 mass_p1;
        q2_nf1 mass_p2;
        q3_nf1 mass_p3;
        q4_nf1 mass_p4;
    }
}

/// ∫ f₀ f₁ … (∇u·∇v + u v).
pub mod helmholtz {
    actions! { helmholtz_action_nest:
        q1_nf0 1 4 nodes, 2 4 points;
        q2_nf0 2 10 nodes, 4 14 points;
        q3_nf0 3 20 nodes, 6 24 points;
        q4_nf0 4 35 nodes, 8 45 points;
        q1_nf2 1 4 nodes, 4 14 points, w0 f0, w1 f1;
        q2_nf3 2 10 nodes, 10 74 points, w0 f0, w1 f1, w2 f2;
    }
    meshed! {
        q1_nf1 helmholtz_p1;
        q2_nf1 helmholtz_p2;
        q3_nf1 helmholtz_p3;
        q4_nf1 helmholtz_p4;
    }
}

/// ∫ f₀ f₁ … ε(u) : ε(v).
pub mod elasticity {
    actions! { elasticity_action_nest:
        q1_nf0 1 4 nodes, 1 1 points;
        q2_nf0 2 10 nodes, 2 4 points;
        q3_nf0 3 20 nodes, 4 14 points;
        q4_nf0 4 35 nodes, 6 24 points;
        q1_nf3 1 4 nodes, 3 5 points, w0 f0, w1 f1, w2 f2;
        q2_nf2 2 10 nodes, 6 24 points, w0 f0, w1 f1;
    }
    meshed! {
        q1_nf1 elasticity_p1;
        q2_nf1 elasticity_p2;
        q3_nf1 elasticity_p3;
        q4_nf1 elasticity_p4;
    }
}

/// ∫ div f₀ div f₁ … D²ψ(U)(u, v).
pub mod hyperelasticity {
    actions! { hyperelasticity_action_nest:
        q1_nf1 1 4 nodes, 1 1 points, w0 f0;
        q2_nf2 2 10 nodes, 6 24 points, w0 f0, w1 f1;
        q1_nf3 1 4 nodes, 1 1 points, w0 f0, w1 f1, w2 f2;
    }
    meshed! {
        q2_nf0 hyperelasticity_p2;
        q3_nf0 hyperelasticity_p3;
        q4_nf0 hyperelasticity_p4;
    }
}
