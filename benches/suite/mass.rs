//! The mass form, ∫ f₀ f₁ … u v, times any number of coefficient functions.

macro_rules! mass {
    ($kernel:ident, level: $level:literal, lagrange: $degree:literal, nodes: $nodes:literal,
     quadrature: $quadrature:literal, points: $points:literal
     $(, $w:ident $f:ident)*) => {
        pub mod $kernel {
        with_geometry! { crate::form! {
            /// Element matrices of ∫ f₀ f₁ … u v over the cells of a mesh.
            #[opt(level = $level)]
            pub fn assemble(
                cells: &[[[f64; 3]; 4]],
                $($w: &[[f64; $nodes]],)*
                a: &mut [[[f64; $nodes]; $nodes]],
            ) {
                static W: [f64; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), weights);
                static PHI: [[f64; $nodes]; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree));
                for e in 0..cells.len() {
                    let (_, det) = inverse(jacobian(&cells[e]));
                    for q in 0..$points {
                        $(
                            let mut $f = 0.0;
                            for r in 0..$nodes {
                                $f += $w[e][r] * PHI[q][r];
                            }
                        )*
                        let weight = W[q] * det.abs() $(* $f)*;
                        for i in 0..$nodes {
                            for j in 0..$nodes {
                                a[e][i][j] += weight * PHI[q][i] * PHI[q][j];
                            }
                        }
                    }
                }
            }
        } }
        }
    };
}

crate::suite::levels!(scalar_instances, mass);
