//! The mass matrix, ∫ u v.

/// The kernel over the cells of a mesh.
macro_rules! mass_mesh {
    ($mesh:ident, $($rest:tt)*) => {
        mass_nest!(
            as_kernels,
            /// Element matrices over the cells of a mesh; `w…` are the coefficients' values per cell.
            $mesh, $($rest)*
        );
    };
}

/// The kernel for one cell, with any number of scalar coefficients.
macro_rules! mass_cell {
    ($cell:ident, lagrange: $degree:literal, nodes: $nodes:literal,
     quadrature: $quadrature:literal, points: $points:literal $(, $w:ident $f:ident)*) => {
        kernels! {
            /// The element matrix on one cell.
            pub fn $cell(x: &[[f64; 3]; 4], $($w: &[f64; $nodes],)* a: &mut [[f64; $nodes]; $nodes]) {
                static W: [f64; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), weights);
                static PHI: [[f64; $nodes]; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree));
                let (_, det) = inverse(jacobian(x));
                for q in 0..$points {
                    $(
                        let mut $f = 0.0;
                        for r in 0..$nodes {
                            $f += $w[r] * PHI[q][r];
                        }
                    )*
                    for i in 0..$nodes {
                        for j in 0..$nodes {
                            a[i][j] += W[q] * det.abs() $(* $f)* * PHI[q][i] * PHI[q][j];
                        }
                    }
                }
            }
        }
    };
}

/// Both kernels of one degree.
macro_rules! mass {
    ($mesh:ident, $cell:ident, $($rest:tt)*) => {
        mass_mesh!($mesh, $($rest)*);
        mass_cell!($cell, $($rest)*);
    };
}

/// Degree 1.
pub mod p1 {
    mass!(
        mass_p1, mass_p1_cell,
        lagrange: 1, nodes: 4, quadrature: 2, points: 4
    );
}

/// Degree 2.
pub mod p2 {
    mass!(
        mass_p2, mass_p2_cell,
        lagrange: 2, nodes: 10, quadrature: 4, points: 14
    );
}

/// Degree 3.
pub mod p3 {
    mass!(
        mass_p3, mass_p3_cell,
        lagrange: 3, nodes: 20, quadrature: 6, points: 24
    );
}

/// Degree 4.
pub mod p4 {
    mass!(
        mass_p4, mass_p4_cell,
        lagrange: 4, nodes: 35, quadrature: 8, points: 45
    );
}

/// Degree 1, with a coefficient.
pub mod p1_f {
    pub use loopwright_meshed_forms::mass_p1::matrices as mass_p1_f;

    mass_cell!(
        mass_p1_f_cell,
        lagrange: 1, nodes: 4, quadrature: 3, points: 5, w f0
    );
}

/// Degree 2, with a coefficient.
pub mod p2_f {
    pub use loopwright_meshed_forms::mass_p2::matrices as mass_p2_f;

    mass_cell!(
        mass_p2_f_cell,
        lagrange: 2, nodes: 10, quadrature: 6, points: 24, w f0
    );
}

/// Degree 3, with a coefficient.
pub mod p3_f {
    pub use loopwright_meshed_forms::mass_p3::matrices as mass_p3_f;

    mass_cell!(
        mass_p3_f_cell,
        lagrange: 3, nodes: 20, quadrature: 9, points: 57, w f0
    );
}

/// Degree 4, with a coefficient.
pub mod p4_f {
    pub use loopwright_meshed_forms::mass_p4::matrices as mass_p4_f;

    mass_cell!(
        mass_p4_f_cell,
        lagrange: 4, nodes: 35, quadrature: 12, points: 122, w f0
    );
}

/// Degree 1, with two coefficients; over a mesh only.
pub mod p1_f2 {
    mass_mesh!(
        mass_p1_f2,
        lagrange: 1, nodes: 4, quadrature: 4, points: 14, w0 f0, w1 f1
    );
}

/// Degree 1, with three coefficients; over a mesh only.
pub mod p1_f3 {
    mass_mesh!(
        mass_p1_f3,
        lagrange: 1, nodes: 4, quadrature: 5, points: 15, w0 f0, w1 f1, w2 f2
    );
}

/// Degree 2, with two coefficients; over a mesh only.
pub mod p2_f2 {
    mass_mesh!(
        mass_p2_f2,
        lagrange: 2, nodes: 10, quadrature: 8, points: 45, w0 f0, w1 f1
    );
}

/// Degree 2, with three coefficients; over a mesh only.
pub mod p2_f3 {
    mass_mesh!(
        mass_p2_f3,
        lagrange: 2, nodes: 10, quadrature: 10, points: 74, w0 f0, w1 f1, w2 f2
    );
}

/// Degree 3, with two coefficients; over a mesh only.
pub mod p3_f2 {
    mass_mesh!(
        mass_p3_f2,
        lagrange: 3, nodes: 20, quadrature: 12, points: 122, w0 f0, w1 f1
    );
}
