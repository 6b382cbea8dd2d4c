//! The mass matrix, ∫ u v.

/// Both kernels of one degree.
macro_rules! mass {
    ($mesh:ident, $cell:ident, dofs: $dofs:literal, points: $points:literal,
     lagrange: $degree:literal, quadrature: $quadrature:literal) => {
        kernels! {
            /// Element matrices of ∫ u v over the cells of a mesh.
            pub fn $mesh(cells: &[[[f64; 3]; 4]], a: &mut [[[f64; $dofs]; $dofs]]) {
                static W: [f64; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), weights);
                static PHI: [[f64; $dofs]; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree));
                for e in 0..cells.len() {
                    let (_, det) = inverse(jacobian(&cells[e]));
                    for q in 0..$points {
                        for i in 0..$dofs {
                            for j in 0..$dofs {
                                a[e][i][j] += W[q] * det.abs() * PHI[q][i] * PHI[q][j];
                            }
                        }
                    }
                }
            }

            /// The element matrix of ∫ u v on one cell.
            pub fn $cell(x: &[[f64; 3]; 4], a: &mut [[f64; $dofs]; $dofs]) {
                static W: [f64; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), weights);
                static PHI: [[f64; $dofs]; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree));
                let (_, det) = inverse(jacobian(x));
                for q in 0..$points {
                    for i in 0..$dofs {
                        for j in 0..$dofs {
                            a[i][j] += W[q] * det.abs() * PHI[q][i] * PHI[q][j];
                        }
                    }
                }
            }
        }
    };
}

/// Both kernels of one degree, with a coefficient f.
macro_rules! mass_f {
    ($mesh:ident, $cell:ident, dofs: $dofs:literal, points: $points:literal,
     lagrange: $degree:literal, quadrature: $quadrature:literal) => {
        kernels! {
            /// Element matrices of ∫ f u v over the cells of a mesh; `w` are f's values per cell.
            pub fn $mesh(
                cells: &[[[f64; 3]; 4]],
                w: &[[f64; $dofs]],
                a: &mut [[[f64; $dofs]; $dofs]],
            ) {
                static W: [f64; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), weights);
                static PHI: [[f64; $dofs]; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree));
                for e in 0..cells.len() {
                    let (_, det) = inverse(jacobian(&cells[e]));
                    for q in 0..$points {
                        let mut f = 0.0;
                        for r in 0..$dofs {
                            f += w[e][r] * PHI[q][r];
                        }
                        for i in 0..$dofs {
                            for j in 0..$dofs {
                                a[e][i][j] += W[q] * det.abs() * f * PHI[q][i] * PHI[q][j];
                            }
                        }
                    }
                }
            }

            /// The element matrix of ∫ f u v on one cell; `w` are f's values.
            pub fn $cell(x: &[[f64; 3]; 4], w: &[f64; $dofs], a: &mut [[f64; $dofs]; $dofs]) {
                static W: [f64; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), weights);
                static PHI: [[f64; $dofs]; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree));
                let (_, det) = inverse(jacobian(x));
                for q in 0..$points {
                    let mut f = 0.0;
                    for r in 0..$dofs {
                        f += w[r] * PHI[q][r];
                    }
                    for i in 0..$dofs {
                        for j in 0..$dofs {
                            a[i][j] += W[q] * det.abs() * f * PHI[q][i] * PHI[q][j];
                        }
                    }
                }
            }
        }
    };
}

/// Degree 1.
pub mod p1 {
    mass!(
        mass_p1, mass_p1_cell,
        dofs: 4, points: 4, lagrange: 1, quadrature: 2
    );
}

/// Degree 2.
pub mod p2 {
    mass!(
        mass_p2, mass_p2_cell,
        dofs: 10, points: 14, lagrange: 2, quadrature: 4
    );
}

/// Degree 3.
pub mod p3 {
    mass!(
        mass_p3, mass_p3_cell,
        dofs: 20, points: 24, lagrange: 3, quadrature: 6
    );
}

/// Degree 4.
pub mod p4 {
    mass!(
        mass_p4, mass_p4_cell,
        dofs: 35, points: 45, lagrange: 4, quadrature: 8
    );
}

/// Degree 1, with a coefficient.
pub mod p1_f {
    mass_f!(
        mass_p1_f, mass_p1_f_cell,
        dofs: 4, points: 5, lagrange: 1, quadrature: 3
    );
}

/// Degree 2, with a coefficient.
pub mod p2_f {
    mass_f!(
        mass_p2_f, mass_p2_f_cell,
        dofs: 10, points: 24, lagrange: 2, quadrature: 6
    );
}

/// Degree 3, with a coefficient.
pub mod p3_f {
    mass_f!(
        mass_p3_f, mass_p3_f_cell,
        dofs: 20, points: 57, lagrange: 3, quadrature: 9
    );
}

/// Degree 4, with a coefficient.
pub mod p4_f {
    mass_f!(
        mass_p4_f, mass_p4_f_cell,
        dofs: 35, points: 122, lagrange: 4, quadrature: 12
    );
}
