//! The geometry of affine tetrahedra.

/// Kernels with the helpers of affine tetrahedra: J[i][r] = ∂x_i/∂X_r, and K = J⁻¹ with det J.
/// `form!` is the macro that takes them all.
macro_rules! with_geometry {
    ($($form:ident)::+ ! { $($kernels:tt)* }) => {
        $($form)::+ ! {
            $($kernels)*

            fn jacobian(x: &[[f64; 3]; 4]) -> [[f64; 3]; 3] {
                let mut j = [[0.0; 3]; 3];
                for i in 0..3 {
                    for r in 0..3 {
                        j[i][r] = x[r + 1][i] - x[0][i];
                    }
                }
                j
            }

            fn inverse(j: [[f64; 3]; 3]) -> ([[f64; 3]; 3], f64) {
                let mut k = [
                    [
                        j[1][1] * j[2][2] - j[1][2] * j[2][1],
                        j[0][2] * j[2][1] - j[0][1] * j[2][2],
                        j[0][1] * j[1][2] - j[0][2] * j[1][1],
                    ],
                    [
                        j[1][2] * j[2][0] - j[1][0] * j[2][2],
                        j[0][0] * j[2][2] - j[0][2] * j[2][0],
                        j[0][2] * j[1][0] - j[0][0] * j[1][2],
                    ],
                    [
                        j[1][0] * j[2][1] - j[1][1] * j[2][0],
                        j[0][1] * j[2][0] - j[0][0] * j[2][1],
                        j[0][0] * j[1][1] - j[0][1] * j[1][0],
                    ],
                ];
                let det = j[0][0] * k[0][0] + j[0][1] * k[1][0] + j[0][2] * k[2][0];
                let scale = 1.0 / det;
                for r in 0..3 {
                    for d in 0..3 {
                        k[r][d] *= scale;
                    }
                }
                (k, det)
            }
        }
    };
}
