//! The actions of the suite's forms, for Lagrange elements of degree 1 to 4 on affine tetrahedra,
//! multiplied by zero to three coefficient functions.
//!
//! A kernel `<form>::q<q>_nf<nf>::apply` adds A(w) u to y without the matrix A. Values of functions are
//! at the nodes of a mesh, which `dofs` has for each cell. The quadrature is that of the matrices.

#![allow(clippy::needless_range_loop, reason = "the style of kernels")]
#![allow(clippy::too_many_arguments, reason = "each coefficient is one")]

/// Level 3, the default; lints are about the text, and what it expands to is long.
macro_rules! at_level {
    ($instances:ident, $form:ident) => {
        #[cfg(not(clippy))]
        $instances!($form, 3);
        #[cfg(clippy)]
        $instances!($form, 1);
    };
}

/// ∫ f₀ f₁ … u v.
pub mod mass {
    macro_rules! mass {
        ($kernel:ident, level: $level:literal, $($rest:tt)*) => {
            pub mod $kernel {
                mass_action_nest!(
                    crate::form,
                    /// Adds the action of ∫ f₀ f₁ … u v.
                    #[opt(level = $level)]
                    apply, $($rest)*
                );
            }
        };
    }

    at_level!(scalar_instances, mass);
}

/// ∫ f₀ f₁ … (∇u·∇v + u v).
pub mod helmholtz {
    macro_rules! helmholtz {
        ($kernel:ident, level: $level:literal, $($rest:tt)*) => {
            pub mod $kernel {
                helmholtz_action_nest!(
                    crate::form,
                    /// Adds the action of ∫ f₀ f₁ … (∇u·∇v + u v).
                    #[opt(level = $level)]
                    apply, $($rest)*
                );
            }
        };
    }

    at_level!(scalar_instances, helmholtz);
}

/// ∫ f₀ f₁ … ε(u) : ε(v).
pub mod elasticity {
    macro_rules! elasticity {
        ($kernel:ident, level: $level:literal, $($rest:tt)*) => {
            pub mod $kernel {
                elasticity_action_nest!(
                    crate::form,
                    /// Adds the action of ∫ f₀ f₁ … ε(u) : ε(v).
                    #[opt(level = $level)]
                    apply, $($rest)*
                );
            }
        };
    }

    at_level!(all_vector_instances, elasticity);
}

/// ∫ div f₀ div f₁ … D²ψ(U)(u, v).
pub mod hyperelasticity {
    macro_rules! hyperelasticity {
        ($kernel:ident, level: $level:literal, $($rest:tt)*) => {
            pub mod $kernel {
                hyperelasticity_action_nest!(
                    crate::form,
                    /// Adds the action of ∫ div f₀ div f₁ … D²ψ(U)(u, v).
                    #[opt(level = $level)]
                    apply, $($rest)*
                );
            }
        };
    }

    at_level!(all_hyperelastic_instances, hyperelasticity);
}
