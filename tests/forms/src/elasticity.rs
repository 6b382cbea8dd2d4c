//! Linear elasticity with symmetric gradients, ∫ ε(u) : ε(v), vector-valued.
//!
//! Degrees of freedom are interleaved: 3 · node + component. For u = φ_j e_n and v = φ_i e_m,
//! ε(u) : ε(v) = ½ (δ_mn ∇φ_j·∇φ_i + ∂_m φ_j ∂_n φ_i).

/// Both kernels of one degree.
macro_rules! elasticity {
    ($mesh:ident, $cell:ident, nodes: $nodes:literal, dofs: $dofs:literal,
     points: $points:literal, lagrange: $degree:literal, quadrature: $quadrature:literal) => {
        kernels! {
            /// Element matrices of ∫ ε(u) : ε(v) over the cells of a mesh.
            pub fn $mesh(cells: &[[[f64; 3]; 4]], a: &mut [[[f64; $dofs]; $dofs]]) {
                static W: [f64; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), weights);
                static DPHI: [[[f64; $nodes]; $points]; 3] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree), gradient);
                for e in 0..cells.len() {
                    let (k, det) = inverse(jacobian(&cells[e]));
                    for q in 0..$points {
                        let weight = 0.5 * W[q] * det.abs();
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

            /// The element matrix of ∫ ε(u) : ε(v) on one cell.
            pub fn $cell(x: &[[f64; 3]; 4], a: &mut [[f64; $dofs]; $dofs]) {
                static W: [f64; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), weights);
                static DPHI: [[[f64; $nodes]; $points]; 3] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree), gradient);
                let (k, det) = inverse(jacobian(x));
                for q in 0..$points {
                    let weight = 0.5 * W[q] * det.abs();
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

/// Both kernels of one degree, with a scalar coefficient f.
macro_rules! elasticity_f {
    ($mesh:ident, $cell:ident, nodes: $nodes:literal, dofs: $dofs:literal,
     points: $points:literal, lagrange: $degree:literal, quadrature: $quadrature:literal) => {
        kernels! {
            /// Element matrices of ∫ f ε(u) : ε(v) over the cells of a mesh; `w` are f's values
            /// per cell.
            pub fn $mesh(
                cells: &[[[f64; 3]; 4]],
                w: &[[f64; $nodes]],
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
                        let mut f = 0.0;
                        for r in 0..$nodes {
                            f += w[e][r] * PHI[q][r];
                        }
                        let weight = 0.5 * W[q] * det.abs() * f;
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

            /// The element matrix of ∫ f ε(u) : ε(v) on one cell; `w` are f's values.
            pub fn $cell(x: &[[f64; 3]; 4], w: &[f64; $nodes], a: &mut [[f64; $dofs]; $dofs]) {
                static W: [f64; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), weights);
                static PHI: [[f64; $nodes]; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree));
                static DPHI: [[[f64; $nodes]; $points]; 3] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree), gradient);
                let (k, det) = inverse(jacobian(x));
                for q in 0..$points {
                    let mut f = 0.0;
                    for r in 0..$nodes {
                        f += w[r] * PHI[q][r];
                    }
                    let weight = 0.5 * W[q] * det.abs() * f;
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

/// Degree 1.
pub mod p1 {
    elasticity!(
        elasticity_p1, elasticity_p1_cell,
        nodes: 4, dofs: 12, points: 1, lagrange: 1, quadrature: 1
    );
}

/// Degree 2.
pub mod p2 {
    elasticity!(
        elasticity_p2, elasticity_p2_cell,
        nodes: 10, dofs: 30, points: 4, lagrange: 2, quadrature: 2
    );
}

/// Degree 3.
pub mod p3 {
    elasticity!(
        elasticity_p3, elasticity_p3_cell,
        nodes: 20, dofs: 60, points: 14, lagrange: 3, quadrature: 4
    );
}

/// Degree 4.
pub mod p4 {
    elasticity!(
        elasticity_p4, elasticity_p4_cell,
        nodes: 35, dofs: 105, points: 24, lagrange: 4, quadrature: 6
    );
}

/// Degree 1, with a coefficient.
pub mod p1_f {
    elasticity_f!(
        elasticity_p1_f, elasticity_p1_f_cell,
        nodes: 4, dofs: 12, points: 1, lagrange: 1, quadrature: 1
    );
}

/// Degree 2, with a coefficient.
pub mod p2_f {
    elasticity_f!(
        elasticity_p2_f, elasticity_p2_f_cell,
        nodes: 10, dofs: 30, points: 14, lagrange: 2, quadrature: 4
    );
}

/// Degree 3, with a coefficient.
pub mod p3_f {
    elasticity_f!(
        elasticity_p3_f, elasticity_p3_f_cell,
        nodes: 20, dofs: 60, points: 31, lagrange: 3, quadrature: 7
    );
}

/// Degree 4, with a coefficient.
pub mod p4_f {
    elasticity_f!(
        elasticity_p4_f, elasticity_p4_f_cell,
        nodes: 35, dofs: 105, points: 74, lagrange: 4, quadrature: 10
    );
}
