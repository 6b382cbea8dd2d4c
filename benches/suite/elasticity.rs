//! Linear elasticity: symmetric gradients, ∫ f₀ f₁ … ε(u) : ε(v), times any number of coefficient
//! functions.

macro_rules! elasticity {
    ($kernel:ident, level: $level:literal, $($rest:tt)*) => {
        pub mod $kernel {
            elasticity_nest!(
                crate::form,
                /// Element matrices of ∫ f₀ f₁ … ε(u) : ε(v) over the cells of a mesh.
                #[opt(level = $level)]
                assemble, $($rest)*
            );
        }
    };
}

crate::suite::levels!(vector_instances, elasticity);
