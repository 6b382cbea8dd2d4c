//! The Helmholtz operator, ∫ f₀ f₁ … (∇u·∇v + u v), times any number of coefficient functions.

macro_rules! helmholtz {
    ($kernel:ident, level: $level:literal, lagrange: $degree:literal, nodes: $nodes:literal,
     quadrature: $quadrature:literal, points: $points:literal
     $(, $w:ident $f:ident)*) => {
        pub mod $kernel {
        with_geometry! { crate::form! {
            /// Element matrices of ∫ f₀ f₁ … (∇u·∇v + u v) over the cells of a mesh.
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
                static DPHI: [[[f64; $nodes]; $points]; 3] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree), gradient);
                for e in 0..cells.len() {
                    let (k, det) = inverse(jacobian(&cells[e]));
                    for q in 0..$points {
                        $(
                            let mut $f = 0.0;
                            for r in 0..$nodes {
                                $f += $w[e][r] * PHI[q][r];
                            }
                        )*
                        for i in 0..$nodes {
                            for j in 0..$nodes {
                                let mut stiffness = 0.0;
                                for d in 0..3 {
                                    let mut du = 0.0;
                                    let mut dv = 0.0;
                                    for r in 0..3 {
                                        du += k[r][d] * DPHI[r][q][j];
                                        dv += k[r][d] * DPHI[r][q][i];
                                    }
                                    stiffness += du * dv;
                                }
                                a[e][i][j] += W[q]
                                    * det.abs()
                                    $(* $f)*
                                    * (stiffness + PHI[q][i] * PHI[q][j]);
                            }
                        }
                    }
                }
            }
        } }
        }
    };
}

crate::suite::levels!(scalar_instances, helmholtz);
