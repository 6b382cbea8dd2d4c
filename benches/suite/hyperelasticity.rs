//! Hyperelasticity: a St Venant-Kirchhoff material with energy ψ, ∫ div f₀ div f₁ … D²ψ(U)(u, v), U the
//! displacement so far, times the divergences of any number of coefficient functions.

macro_rules! hyperelasticity {
    ($kernel:ident, level: $level:literal, $($rest:tt)*) => {
        pub mod $kernel {
            hyperelasticity_nest!(
                crate::form,
                /// Element matrices of ∫ div f₀ div f₁ … D²ψ(U)(u, v) over the cells of a mesh.
                #[opt(level = $level)]
                assemble, $($rest)*
            );
        }
    };
}

crate::suite::levels!(hyperelastic_instances, hyperelasticity);
