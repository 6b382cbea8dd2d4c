//! Linear elasticity: symmetric gradients, ∫ f₀ f₁ … ε(u) : ε(v), times any number of coefficient
//! functions.

macro_rules! elasticity {
    ($kernel:ident, level: $level:literal, lagrange: $degree:literal, nodes: $nodes:literal,
     dofs: $dofs:literal, quadrature: $quadrature:literal, points: $points:literal
     $(, $w:ident $f:ident)*) => {
        pub mod $kernel {
        with_geometry! { crate::form! {
            /// Element matrices of ∫ f₀ f₁ … ε(u) : ε(v) over the cells of a mesh.
            #[opt(level = $level)]
            pub fn assemble(
                cells: &[[[f64; 3]; 4]],
                $($w: &[[f64; $nodes]],)*
                a: &mut [[[f64; $dofs]; $dofs]],
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
                        let weight = 0.5 * W[q] * det.abs() $(* $f)*;
                        for i in 0..$nodes {
                            for j in 0..$nodes {
                                let mut du = [0.0; 3];
                                let mut dv = [0.0; 3];
                                let mut dot = 0.0;
                                for d in 0..3 {
                                    for r in 0..3 {
                                        du[d] += k[r][d] * DPHI[r][q][j];
                                        dv[d] += k[r][d] * DPHI[r][q][i];
                                    }
                                    dot += du[d] * dv[d];
                                }
                                for m in 0..3 {
                                    a[e][3 * i + m][3 * j + m] += weight * dot;
                                    for n in 0..3 {
                                        a[e][3 * i + m][3 * j + n] += weight * du[m] * dv[n];
                                    }
                                }
                            }
                        }
                    }
                }
            }
        } }
        }
    };
}

crate::suite::levels!(vector_instances, elasticity);
