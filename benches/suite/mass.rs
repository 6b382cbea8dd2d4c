//! The mass form, ∫ f₀ f₁ … u v, times any number of coefficient functions.

macro_rules! mass {
    ($kernel:ident, level: $level:literal, $($rest:tt)*) => {
        pub mod $kernel {
            mass_nest!(
                crate::form,
                /// Element matrices of ∫ f₀ f₁ … u v over the cells of a mesh.
                #[opt(level = $level)]
                assemble, $($rest)*
            );
        }
    };
}

crate::suite::levels!(scalar_instances, mass);
