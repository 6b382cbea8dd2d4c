//! The Helmholtz operator, ∫ f₀ f₁ … (∇u·∇v + u v), times any number of coefficient functions.

macro_rules! helmholtz {
    ($kernel:ident, level: $level:literal, $($rest:tt)*) => {
        pub mod $kernel {
            helmholtz_nest!(
                crate::form,
                /// Element matrices of ∫ f₀ f₁ … (∇u·∇v + u v) over the cells of a mesh.
                #[opt(level = $level)]
                assemble, $($rest)*
            );
        }
    };
}

crate::suite::levels!(scalar_instances, helmholtz);
