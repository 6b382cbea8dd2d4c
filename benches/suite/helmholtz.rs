//! The Helmholtz operator, ∫ f₀ f₁ … (∇u·∇v + u v), times any number of coefficient functions.

macro_rules! helmholtz {
    ($kernel:ident, level: $level:literal, lagrange: $degree:literal, nodes: $nodes:literal,
     quadrature: $quadrature:literal, points: $points:literal
     $(, $w:ident $f:ident)*) => {
        pub mod $kernel {
        crate::suite::with_geometry! {
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
        }
        }
    };
}

macro_rules! instances {
    ($level:literal) => {
        helmholtz!(q1_nf0, level: $level, lagrange: 1, nodes: 4, quadrature: 2, points: 4);
        helmholtz!(q1_nf1, level: $level, lagrange: 1, nodes: 4, quadrature: 3, points: 5, w0 f0);
        helmholtz!(q1_nf2, level: $level, lagrange: 1, nodes: 4, quadrature: 4, points: 14, w0 f0, w1 f1);
        helmholtz!(q1_nf3, level: $level, lagrange: 1, nodes: 4, quadrature: 5, points: 15, w0 f0, w1 f1, w2 f2);
        helmholtz!(q2_nf0, level: $level, lagrange: 2, nodes: 10, quadrature: 4, points: 14);
        helmholtz!(q2_nf1, level: $level, lagrange: 2, nodes: 10, quadrature: 6, points: 24, w0 f0);
        helmholtz!(q2_nf2, level: $level, lagrange: 2, nodes: 10, quadrature: 8, points: 45, w0 f0, w1 f1);
        helmholtz!(q2_nf3, level: $level, lagrange: 2, nodes: 10, quadrature: 10, points: 74, w0 f0, w1 f1, w2 f2);
        helmholtz!(q3_nf0, level: $level, lagrange: 3, nodes: 20, quadrature: 6, points: 24);
        helmholtz!(q3_nf1, level: $level, lagrange: 3, nodes: 20, quadrature: 9, points: 57, w0 f0);
        helmholtz!(q3_nf2, level: $level, lagrange: 3, nodes: 20, quadrature: 12, points: 122, w0 f0, w1 f1);
        helmholtz!(q3_nf3, level: $level, lagrange: 3, nodes: 20, quadrature: 15, points: 214, w0 f0, w1 f1, w2 f2);
        helmholtz!(q4_nf0, level: $level, lagrange: 4, nodes: 35, quadrature: 8, points: 45);
        helmholtz!(q4_nf1, level: $level, lagrange: 4, nodes: 35, quadrature: 12, points: 122, w0 f0);
        helmholtz!(q4_nf2, level: $level, lagrange: 4, nodes: 35, quadrature: 16, points: 729, w0 f0, w1 f1);
        helmholtz!(q4_nf3, level: $level, lagrange: 4, nodes: 35, quadrature: 20, points: 1331, w0 f0, w1 f1, w2 f2);
    };
}

/// At level 2.
#[cfg(not(clippy))]
pub mod level2 {
    instances!(2);
}

/// At level 3, the default.
#[cfg(not(clippy))]
pub mod level3 {
    instances!(3);
}

/// As written: lints are about the text, and what it expands to at other levels is long.
#[cfg(clippy)]
pub mod level3 {
    instances!(0);
}

#[cfg(clippy)]
pub use level3 as level2;
