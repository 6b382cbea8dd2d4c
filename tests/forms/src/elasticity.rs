//! Linear elasticity with symmetric gradients, ∫ ε(u) : ε(v), vector-valued.
//!
//! Degrees of freedom are interleaved: 3 · node + component. For u = φ_j e_n and v = φ_i e_m,
//! ε(u) : ε(v) = ½ (δ_mn ∇φ_j·∇φ_i + ∂_m φ_j ∂_n φ_i).

/// The kernel over the cells of a mesh.
macro_rules! elasticity_mesh {
    ($mesh:ident, $($rest:tt)*) => {
        elasticity_nest!(
            as_kernels,
            /// Element matrices over the cells of a mesh; `w…` are the coefficients' values per cell.
            $mesh, $($rest)*
        );
    };
}

/// The kernel for one cell, with any number of scalar coefficients.
macro_rules! elasticity_cell {
    ($cell:ident, lagrange: $degree:literal, nodes: $nodes:literal, dofs: $dofs:literal,
     quadrature: $quadrature:literal, points: $points:literal $(, $w:ident $f:ident)*) => {
        kernels! {
            /// The element matrix on one cell.
            pub fn $cell(x: &[[f64; 3]; 4], $($w: &[f64; $nodes],)* a: &mut [[f64; $dofs]; $dofs]) {
                static W: [f64; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), weights);
                static PHI: [[f64; $nodes]; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree));
                static DPHI: [[[f64; $nodes]; $points]; 3] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree), gradient);
                let (k, det) = inverse(jacobian(x));
                for q in 0..$points {
                    $(
                        let mut $f = 0.0;
                        for r in 0..$nodes {
                            $f += $w[r] * PHI[q][r];
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
                                a[3 * i + m][3 * j + m] += weight * dot;
                                for n in 0..3 {
                                    a[3 * i + m][3 * j + n] += weight * du[m] * dv[n];
                                }
                            }
                        }
                    }
                }
            }
        }
    };
}

/// Both kernels of one degree.
macro_rules! elasticity {
    ($mesh:ident, $cell:ident, $($rest:tt)*) => {
        elasticity_mesh!($mesh, $($rest)*);
        elasticity_cell!($cell, $($rest)*);
    };
}

/// Degree 1.
pub mod p1 {
    elasticity!(
        elasticity_p1, elasticity_p1_cell,
        lagrange: 1, nodes: 4, dofs: 12, quadrature: 1, points: 1
    );
}

/// Degree 2.
pub mod p2 {
    elasticity!(
        elasticity_p2, elasticity_p2_cell,
        lagrange: 2, nodes: 10, dofs: 30, quadrature: 2, points: 4
    );
}

/// Degree 3.
pub mod p3 {
    elasticity!(
        elasticity_p3, elasticity_p3_cell,
        lagrange: 3, nodes: 20, dofs: 60, quadrature: 4, points: 14
    );
}

/// Degree 4.
pub mod p4 {
    elasticity!(
        elasticity_p4, elasticity_p4_cell,
        lagrange: 4, nodes: 35, dofs: 105, quadrature: 6, points: 24
    );
}

/// Degree 1, with a coefficient.
pub mod p1_f {
    pub use loopwright_meshed_forms::elasticity_p1::matrices as elasticity_p1_f;

    elasticity_cell!(
        elasticity_p1_f_cell,
        lagrange: 1, nodes: 4, dofs: 12, quadrature: 1, points: 1, w f0
    );
}

/// Degree 2, with a coefficient.
pub mod p2_f {
    pub use loopwright_meshed_forms::elasticity_p2::matrices as elasticity_p2_f;

    elasticity_cell!(
        elasticity_p2_f_cell,
        lagrange: 2, nodes: 10, dofs: 30, quadrature: 4, points: 14, w f0
    );
}

/// Degree 3, with a coefficient.
pub mod p3_f {
    pub use loopwright_meshed_forms::elasticity_p3::matrices as elasticity_p3_f;

    elasticity_cell!(
        elasticity_p3_f_cell,
        lagrange: 3, nodes: 20, dofs: 60, quadrature: 7, points: 31, w f0
    );
}

/// Degree 4, with a coefficient.
pub mod p4_f {
    pub use loopwright_meshed_forms::elasticity_p4::matrices as elasticity_p4_f;

    elasticity_cell!(
        elasticity_p4_f_cell,
        lagrange: 4, nodes: 35, dofs: 105, quadrature: 10, points: 74, w f0
    );
}

/// Degree 1, with two coefficients; over a mesh only.
pub mod p1_f2 {
    elasticity_mesh!(
        elasticity_p1_f2,
        lagrange: 1, nodes: 4, dofs: 12, quadrature: 2, points: 4, w0 f0, w1 f1
    );
}

/// Degree 1, with three coefficients; over a mesh only.
pub mod p1_f3 {
    elasticity_mesh!(
        elasticity_p1_f3,
        lagrange: 1, nodes: 4, dofs: 12, quadrature: 3, points: 5, w0 f0, w1 f1, w2 f2
    );
}

/// Degree 2, with two coefficients; over a mesh only.
pub mod p2_f2 {
    elasticity_mesh!(
        elasticity_p2_f2,
        lagrange: 2, nodes: 10, dofs: 30, quadrature: 6, points: 24, w0 f0, w1 f1
    );
}

/// Degree 2, with three coefficients; over a mesh only.
pub mod p2_f3 {
    elasticity_mesh!(
        elasticity_p2_f3,
        lagrange: 2, nodes: 10, dofs: 30, quadrature: 8, points: 45, w0 f0, w1 f1, w2 f2
    );
}
