//! Helmholtz over any number type, for counting operations.

/// The mesh form of one degree, generic over the scalar.
macro_rules! helmholtz_generic {
    ($mesh:ident, dofs: $dofs:literal, points: $points:literal,
     lagrange: $degree:literal, quadrature: $quadrature:literal) => {
        with_generic_geometry! { loopwright::kernel! {
            /// Element matrices of ∫ ∇u·∇v + u v over the cells of a mesh.
            pub fn $mesh<T: loopwright::Real>(
                cells: &[[[T; 3]; 4]],
                a: &mut [[[T; $dofs]; $dofs]],
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
                        for i in 0..$dofs {
                            for j in 0..$dofs {
                                let mut stiffness = T::zero();
                                for d in 0..3 {
                                    let mut du = T::zero();
                                    let mut dv = T::zero();
                                    for r in 0..3 {
                                        du += k[r][d] * T::from_f64(DPHI[r][q][j]);
                                        dv += k[r][d] * T::from_f64(DPHI[r][q][i]);
                                    }
                                    stiffness += du * dv;
                                }
                                a[e][i][j] += T::from_f64(W[q])
                                    * det.abs()
                                    * (stiffness
                                        + T::from_f64(PHI[q][i]) * T::from_f64(PHI[q][j]));
                            }
                        }
                    }
                }
            }
        } }
    };
}

/// Degree 1.
pub mod p1 {
    helmholtz_generic!(helmholtz_p1_generic, dofs: 4, points: 4, lagrange: 1, quadrature: 2);
}

/// Degree 2.
pub mod p2 {
    helmholtz_generic!(helmholtz_p2_generic, dofs: 10, points: 14, lagrange: 2, quadrature: 4);
}
