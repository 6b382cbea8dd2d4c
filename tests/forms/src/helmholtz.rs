//! The Helmholtz operator, ∫ ∇u·∇v + u v.

/// Both kernels of one degree.
macro_rules! helmholtz {
    ($mesh:ident, $cell:ident, dofs: $dofs:literal, points: $points:literal,
     lagrange: $degree:literal, quadrature: $quadrature:literal) => {
        kernels! {
            /// Element matrices of ∫ ∇u·∇v + u v over the cells of a mesh.
            pub fn $mesh(cells: &[[[f64; 3]; 4]], a: &mut [[[f64; $dofs]; $dofs]]) {
                static W: [f64; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), weights);
                static PHI: [[f64; $dofs]; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree));
                static DPHI: [[[f64; $dofs]; $points]; 3] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree), gradient);
                for e in 0..cells.len() {
                    let (k, det) = inverse(jacobian(&cells[e]));
                    for q in 0..$points {
                        for i in 0..$dofs {
                            for j in 0..$dofs {
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
                                a[e][i][j] +=
                                    W[q] * det.abs() * (stiffness + PHI[q][i] * PHI[q][j]);
                            }
                        }
                    }
                }
            }

            /// The element matrix of ∫ ∇u·∇v + u v on one cell.
            pub fn $cell(x: &[[f64; 3]; 4], a: &mut [[f64; $dofs]; $dofs]) {
                static W: [f64; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), weights);
                static PHI: [[f64; $dofs]; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree));
                static DPHI: [[[f64; $dofs]; $points]; 3] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree), gradient);
                let (k, det) = inverse(jacobian(x));
                for q in 0..$points {
                    for i in 0..$dofs {
                        for j in 0..$dofs {
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
                            a[i][j] += W[q] * det.abs() * (stiffness + PHI[q][i] * PHI[q][j]);
                        }
                    }
                }
            }
        }
    };
}

/// Both kernels of one degree, with a coefficient f.
macro_rules! helmholtz_f {
    ($mesh:ident, $cell:ident, dofs: $dofs:literal, points: $points:literal,
     lagrange: $degree:literal, quadrature: $quadrature:literal) => {
        kernels! {
            /// Element matrices of ∫ f (∇u·∇v + u v) over the cells of a mesh; `w` are f's
            /// values per cell.
            pub fn $mesh(
                cells: &[[[f64; 3]; 4]],
                w: &[[f64; $dofs]],
                a: &mut [[[f64; $dofs]; $dofs]],
            ) {
                static W: [f64; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), weights);
                static PHI: [[f64; $dofs]; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree));
                static DPHI: [[[f64; $dofs]; $points]; 3] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree), gradient);
                for e in 0..cells.len() {
                    let (k, det) = inverse(jacobian(&cells[e]));
                    for q in 0..$points {
                        let mut f = 0.0;
                        for r in 0..$dofs {
                            f += w[e][r] * PHI[q][r];
                        }
                        for i in 0..$dofs {
                            for j in 0..$dofs {
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
                                a[e][i][j] +=
                                    W[q] * det.abs() * f * (stiffness + PHI[q][i] * PHI[q][j]);
                            }
                        }
                    }
                }
            }

            /// The element matrix of ∫ f (∇u·∇v + u v) on one cell; `w` are f's values.
            pub fn $cell(x: &[[f64; 3]; 4], w: &[f64; $dofs], a: &mut [[f64; $dofs]; $dofs]) {
                static W: [f64; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), weights);
                static PHI: [[f64; $dofs]; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree));
                static DPHI: [[[f64; $dofs]; $points]; 3] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree), gradient);
                let (k, det) = inverse(jacobian(x));
                for q in 0..$points {
                    let mut f = 0.0;
                    for r in 0..$dofs {
                        f += w[r] * PHI[q][r];
                    }
                    for i in 0..$dofs {
                        for j in 0..$dofs {
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
                            a[i][j] += W[q] * det.abs() * f * (stiffness + PHI[q][i] * PHI[q][j]);
                        }
                    }
                }
            }
        }
    };
}

/// Degree 1.
pub mod p1 {
    helmholtz!(
        helmholtz_p1, helmholtz_p1_cell,
        dofs: 4, points: 4, lagrange: 1, quadrature: 2
    );
}

/// Degree 2.
pub mod p2 {
    helmholtz!(
        helmholtz_p2, helmholtz_p2_cell,
        dofs: 10, points: 14, lagrange: 2, quadrature: 4
    );
}

/// Degree 3.
pub mod p3 {
    helmholtz!(
        helmholtz_p3, helmholtz_p3_cell,
        dofs: 20, points: 24, lagrange: 3, quadrature: 6
    );
}

/// Degree 4.
pub mod p4 {
    helmholtz!(
        helmholtz_p4, helmholtz_p4_cell,
        dofs: 35, points: 45, lagrange: 4, quadrature: 8
    );
}

/// Degree 1, with a coefficient.
pub mod p1_f {
    helmholtz_f!(
        helmholtz_p1_f, helmholtz_p1_f_cell,
        dofs: 4, points: 5, lagrange: 1, quadrature: 3
    );
}

/// Degree 2, with a coefficient.
pub mod p2_f {
    helmholtz_f!(
        helmholtz_p2_f, helmholtz_p2_f_cell,
        dofs: 10, points: 24, lagrange: 2, quadrature: 6
    );
}

/// Degree 3, with a coefficient.
pub mod p3_f {
    helmholtz_f!(
        helmholtz_p3_f, helmholtz_p3_f_cell,
        dofs: 20, points: 57, lagrange: 3, quadrature: 9
    );
}

/// Degree 4, with a coefficient.
pub mod p4_f {
    helmholtz_f!(
        helmholtz_p4_f, helmholtz_p4_f_cell,
        dofs: 35, points: 122, lagrange: 4, quadrature: 12
    );
}
