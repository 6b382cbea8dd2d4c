//! Linear elasticity: symmetric gradients, ∫ f₀ f₁ … ε(u) : ε(v), times any number of coefficient functions.

macro_rules! elasticity {
    ($kernel:ident, level: $level:literal, lagrange: $degree:literal, nodes: $nodes:literal,
     dofs: $dofs:literal, quadrature: $quadrature:literal, points: $points:literal
     $(, $w:ident $f:ident)*) => {
        pub mod $kernel {
        crate::suite::with_geometry! {
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
        }
        }
    };
}

macro_rules! instances {
    ($level:literal) => {
        elasticity!(q1_nf0, level: $level, lagrange: 1, nodes: 4, dofs: 12, quadrature: 1, points: 1);
        elasticity!(q1_nf1, level: $level, lagrange: 1, nodes: 4, dofs: 12, quadrature: 1, points: 1, w0 f0);
        elasticity!(q1_nf2, level: $level, lagrange: 1, nodes: 4, dofs: 12, quadrature: 2, points: 4, w0 f0, w1 f1);
        elasticity!(q1_nf3, level: $level, lagrange: 1, nodes: 4, dofs: 12, quadrature: 3, points: 5, w0 f0, w1 f1, w2 f2);
        elasticity!(q2_nf0, level: $level, lagrange: 2, nodes: 10, dofs: 30, quadrature: 2, points: 4);
        elasticity!(q2_nf1, level: $level, lagrange: 2, nodes: 10, dofs: 30, quadrature: 4, points: 14, w0 f0);
        elasticity!(q2_nf2, level: $level, lagrange: 2, nodes: 10, dofs: 30, quadrature: 6, points: 24, w0 f0, w1 f1);
        elasticity!(q2_nf3, level: $level, lagrange: 2, nodes: 10, dofs: 30, quadrature: 8, points: 45, w0 f0, w1 f1, w2 f2);
        elasticity!(q3_nf0, level: $level, lagrange: 3, nodes: 20, dofs: 60, quadrature: 4, points: 14);
        elasticity!(q3_nf1, level: $level, lagrange: 3, nodes: 20, dofs: 60, quadrature: 7, points: 31, w0 f0);
        elasticity!(q3_nf2, level: $level, lagrange: 3, nodes: 20, dofs: 60, quadrature: 10, points: 74, w0 f0, w1 f1);
        elasticity!(q3_nf3, level: $level, lagrange: 3, nodes: 20, dofs: 60, quadrature: 13, points: 146, w0 f0, w1 f1, w2 f2);
        elasticity!(q4_nf0, level: $level, lagrange: 4, nodes: 35, dofs: 105, quadrature: 6, points: 24);
        elasticity!(q4_nf1, level: $level, lagrange: 4, nodes: 35, dofs: 105, quadrature: 10, points: 74, w0 f0);
        elasticity!(q4_nf2, level: $level, lagrange: 4, nodes: 35, dofs: 105, quadrature: 14, points: 177, w0 f0, w1 f1);
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
