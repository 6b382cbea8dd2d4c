//! The kernels: stiffness matrix and load vector, for each degree on affine and on curved cells.
//!
//! Each instance is a module with two kernels and an [`ELEMENT`](Element) that gathers what the
//! program calls. `G` nodes span a cell: 4 vertices, or 10 nodes with those of the edges, in the
//! order of `tabulate!`'s elements.
//!
//! The stiffness is integrated exactly on affine cells. On curved ones its integrand is rational;
//! two more degrees are enough not to spoil the order. The load's rules are exact for a product
//! of two functions of the element.

use crate::element::{Element, Load, Stiffness};

/// Both kernels of one degree on affine cells: the Jacobian is constant on a cell.
macro_rules! affine {
    ($(#[$doc:meta])* $module:ident, degree: $degree:tt, dofs: $dofs:tt,
     stiffness: ($quadrature:tt, $points:tt), load: ($load_quadrature:tt, $load_points:tt)) => {
        $(#[$doc])*
        pub mod $module {
            use super::*;

            loopwright::kernel! {
                /// Adds ∫ ∇u·∇v over every cell to the matrix; `position[e][i][j]` is where the
                /// entry of the cell's functions i and j stands in `values`.
                pub fn stiffness(
                    nodes: &[[f64; 3]],
                    cells: &[[usize; 4]],
                    position: &[[[usize; $dofs]; $dofs]],
                    values: &mut [f64],
                ) {
                    static W: [f64; $points] =
                        tabulate!(tetrahedron, quadrature($quadrature), weights);
                    static DPHI: [[[f64; $dofs]; $points]; 3] =
                        tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree), gradient);
                    for e in 0..cells.len() {
                        let (k, det) = inverse(jacobian(
                            &nodes[cells[e][0]],
                            &nodes[cells[e][1]],
                            &nodes[cells[e][2]],
                            &nodes[cells[e][3]],
                        ));
                        for q in 0..$points {
                            for i in 0..$dofs {
                                for j in 0..$dofs {
                                    let mut s = 0.0;
                                    for d in 0..3 {
                                        let mut du = 0.0;
                                        let mut dv = 0.0;
                                        for r in 0..3 {
                                            du += k[r][d] * DPHI[r][q][j];
                                            dv += k[r][d] * DPHI[r][q][i];
                                        }
                                        s += du * dv;
                                    }
                                    values[position[e][i][j]] += W[q] * det.abs() * s;
                                }
                            }
                        }
                    }
                }

                /// Adds ∫ f v over every cell to the vector; f is given by its nodal values.
                pub fn load(
                    nodes: &[[f64; 3]],
                    cells: &[[usize; 4]],
                    dofs: &[[usize; $dofs]],
                    f: &[f64],
                    b: &mut [f64],
                ) {
                    static W: [f64; $load_points] =
                        tabulate!(tetrahedron, quadrature($load_quadrature), weights);
                    static PHI: [[f64; $dofs]; $load_points] =
                        tabulate!(tetrahedron, quadrature($load_quadrature), lagrange($degree));
                    for e in 0..cells.len() {
                        let det = determinant(jacobian(
                            &nodes[cells[e][0]],
                            &nodes[cells[e][1]],
                            &nodes[cells[e][2]],
                            &nodes[cells[e][3]],
                        ));
                        for q in 0..$load_points {
                            let mut fq = 0.0;
                            for k in 0..$dofs {
                                fq += f[dofs[e][k]] * PHI[q][k];
                            }
                            for i in 0..$dofs {
                                b[dofs[e][i]] += W[q] * det.abs() * fq * PHI[q][i];
                            }
                        }
                    }
                }

                fn jacobian(
                    x0: &[f64; 3],
                    x1: &[f64; 3],
                    x2: &[f64; 3],
                    x3: &[f64; 3],
                ) -> [[f64; 3]; 3] {
                    let mut j = [[0.0; 3]; 3];
                    for r in 0..3 {
                        j[r][0] = x1[r] - x0[r];
                        j[r][1] = x2[r] - x0[r];
                        j[r][2] = x3[r] - x0[r];
                    }
                    j
                }

                fn determinant(j: [[f64; 3]; 3]) -> f64 {
                    j[0][0] * (j[1][1] * j[2][2] - j[1][2] * j[2][1])
                        + j[0][1] * (j[1][2] * j[2][0] - j[1][0] * j[2][2])
                        + j[0][2] * (j[1][0] * j[2][1] - j[1][1] * j[2][0])
                }

                fn inverse(j: [[f64; 3]; 3]) -> ([[f64; 3]; 3], f64) {
                    let c0 = j[1][1] * j[2][2] - j[1][2] * j[2][1];
                    let c1 = j[1][2] * j[2][0] - j[1][0] * j[2][2];
                    let c2 = j[1][0] * j[2][1] - j[1][1] * j[2][0];
                    let det = j[0][0] * c0 + j[0][1] * c1 + j[0][2] * c2;
                    let k = [
                        [
                            c0 / det,
                            (j[0][2] * j[2][1] - j[0][1] * j[2][2]) / det,
                            (j[0][1] * j[1][2] - j[0][2] * j[1][1]) / det,
                        ],
                        [
                            c1 / det,
                            (j[0][0] * j[2][2] - j[0][2] * j[2][0]) / det,
                            (j[0][2] * j[1][0] - j[0][0] * j[1][2]) / det,
                        ],
                        [
                            c2 / det,
                            (j[0][1] * j[2][0] - j[0][0] * j[2][1]) / det,
                            (j[0][0] * j[1][1] - j[0][1] * j[1][0]) / det,
                        ],
                    ];
                    (k, det)
                }
            }

            element!($degree, $dofs, 4);
        }
    };
}

/// Both kernels of one degree on curved cells: the Jacobian changes from point to point.
macro_rules! curved {
    ($(#[$doc:meta])* $module:ident, degree: $degree:tt, dofs: $dofs:tt,
     stiffness: ($quadrature:tt, $points:tt), load: ($load_quadrature:tt, $load_points:tt)) => {
        $(#[$doc])*
        pub mod $module {
            use super::*;

            loopwright::kernel! {
                /// Adds ∫ ∇u·∇v over every cell to the matrix; `position[e][i][j]` is where the
                /// entry of the cell's functions i and j stands in `values`.
                pub fn stiffness(
                    nodes: &[[f64; 3]],
                    cells: &[[usize; 10]],
                    position: &[[[usize; $dofs]; $dofs]],
                    values: &mut [f64],
                ) {
                    static W: [f64; $points] =
                        tabulate!(tetrahedron, quadrature($quadrature), weights);
                    static DPHI: [[[f64; $dofs]; $points]; 3] =
                        tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree), gradient);
                    static DGEO: [[[f64; 10]; $points]; 3] =
                        tabulate!(tetrahedron, quadrature($quadrature), lagrange(2), gradient);
                    for e in 0..cells.len() {
                        for q in 0..$points {
                            let mut jacobian = [[0.0; 3]; 3];
                            for v in 0..10 {
                                for r in 0..3 {
                                    for c in 0..3 {
                                        jacobian[r][c] += nodes[cells[e][v]][r] * DGEO[c][q][v];
                                    }
                                }
                            }
                            let (k, det) = inverse(jacobian);
                            for i in 0..$dofs {
                                for j in 0..$dofs {
                                    let mut s = 0.0;
                                    for d in 0..3 {
                                        let mut du = 0.0;
                                        let mut dv = 0.0;
                                        for r in 0..3 {
                                            du += k[r][d] * DPHI[r][q][j];
                                            dv += k[r][d] * DPHI[r][q][i];
                                        }
                                        s += du * dv;
                                    }
                                    values[position[e][i][j]] += W[q] * det.abs() * s;
                                }
                            }
                        }
                    }
                }

                /// Adds ∫ f v over every cell to the vector; f is given by its nodal values.
                pub fn load(
                    nodes: &[[f64; 3]],
                    cells: &[[usize; 10]],
                    dofs: &[[usize; $dofs]],
                    f: &[f64],
                    b: &mut [f64],
                ) {
                    static W: [f64; $load_points] =
                        tabulate!(tetrahedron, quadrature($load_quadrature), weights);
                    static PHI: [[f64; $dofs]; $load_points] =
                        tabulate!(tetrahedron, quadrature($load_quadrature), lagrange($degree));
                    static DGEO: [[[f64; 10]; $load_points]; 3] =
                        tabulate!(tetrahedron, quadrature($load_quadrature), lagrange(2), gradient);
                    for e in 0..cells.len() {
                        for q in 0..$load_points {
                            let mut jacobian = [[0.0; 3]; 3];
                            for v in 0..10 {
                                for r in 0..3 {
                                    for c in 0..3 {
                                        jacobian[r][c] += nodes[cells[e][v]][r] * DGEO[c][q][v];
                                    }
                                }
                            }
                            let det = determinant(jacobian);
                            let mut fq = 0.0;
                            for k in 0..$dofs {
                                fq += f[dofs[e][k]] * PHI[q][k];
                            }
                            for i in 0..$dofs {
                                b[dofs[e][i]] += W[q] * det.abs() * fq * PHI[q][i];
                            }
                        }
                    }
                }

                fn determinant(j: [[f64; 3]; 3]) -> f64 {
                    j[0][0] * (j[1][1] * j[2][2] - j[1][2] * j[2][1])
                        + j[0][1] * (j[1][2] * j[2][0] - j[1][0] * j[2][2])
                        + j[0][2] * (j[1][0] * j[2][1] - j[1][1] * j[2][0])
                }

                fn inverse(j: [[f64; 3]; 3]) -> ([[f64; 3]; 3], f64) {
                    let c0 = j[1][1] * j[2][2] - j[1][2] * j[2][1];
                    let c1 = j[1][2] * j[2][0] - j[1][0] * j[2][2];
                    let c2 = j[1][0] * j[2][1] - j[1][1] * j[2][0];
                    let det = j[0][0] * c0 + j[0][1] * c1 + j[0][2] * c2;
                    let k = [
                        [
                            c0 / det,
                            (j[0][2] * j[2][1] - j[0][1] * j[2][2]) / det,
                            (j[0][1] * j[1][2] - j[0][2] * j[1][1]) / det,
                        ],
                        [
                            c1 / det,
                            (j[0][0] * j[2][2] - j[0][2] * j[2][0]) / det,
                            (j[0][2] * j[1][0] - j[0][0] * j[1][2]) / det,
                        ],
                        [
                            c2 / det,
                            (j[0][1] * j[2][0] - j[0][0] * j[2][1]) / det,
                            (j[0][0] * j[1][1] - j[0][1] * j[1][0]) / det,
                        ],
                    ];
                    (k, det)
                }
            }

            element!($degree, $dofs, 10);
        }
    };
}

/// What the program calls of a module's kernels.
macro_rules! element {
    ($degree:tt, $dofs:tt, $nodes:tt) => {
        /// The kernels of this degree and geometry, and the basis where errors are measured.
        pub static ELEMENT: Element<$dofs, $nodes> = Element {
            degree: $degree,
            stiffness: Stiffness {
                run: stiffness,
                reference: stiffness::reference,
                with: stiffness::with,
                variants: stiffness::variants,
                report: &stiffness::REPORT,
            },
            load: Load {
                run: load,
                reference: load::reference,
                with: load::with,
                report: &load::REPORT,
            },
            basis: &BASIS,
        };

        static BASIS: [[f64; $dofs]; 45] =
            loopwright::tabulate!(tetrahedron, quadrature(8), lagrange($degree));
    };
}

affine!(
    /// Linear elements on affine cells.
    p1_affine, degree: 1, dofs: 4, stiffness: (0, 1), load: (2, 4)
);
affine!(
    /// Quadratic elements on affine cells.
    p2_affine, degree: 2, dofs: 10, stiffness: (2, 4), load: (4, 14)
);
affine!(
    /// Cubic elements on affine cells.
    p3_affine, degree: 3, dofs: 20, stiffness: (4, 14), load: (6, 24)
);
curved!(
    /// Linear elements on curved cells.
    p1_curved, degree: 1, dofs: 4, stiffness: (2, 4), load: (5, 15)
);
curved!(
    /// Quadratic elements on curved cells.
    p2_curved, degree: 2, dofs: 10, stiffness: (4, 14), load: (6, 24)
);
curved!(
    /// Cubic elements on curved cells.
    p3_curved, degree: 3, dofs: 20, stiffness: (6, 24), load: (8, 45)
);
