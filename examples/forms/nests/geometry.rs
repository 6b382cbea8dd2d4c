//! The geometry of affine tetrahedra.

/// Kernels with the helpers of affine tetrahedra: J[i][r] = ∂x_i/∂X_r, and K = J⁻¹ with det J.
/// `form!` is the macro that takes them all.
macro_rules! with_geometry {
    ($($form:ident)::+ ! { $($kernels:tt)* }) => {
        geometry! { $($form)::+, [], f64, zero: [0.0], one: [1.0], $($kernels)* }
    };
}

/// The same for kernels that are generic over the number type.
macro_rules! with_generic_geometry {
    ($($form:ident)::+ ! { $($kernels:tt)* }) => {
        geometry! {
            $($form)::+, [<T: loopwright::Real>], T, zero: [T::zero()], one: [T::from_f64(1.0)],
            $($kernels)*
        }
    };
}

/// Kernels, then the helpers over one number type.
macro_rules! geometry {
    ($($form:ident)::+, [$($generics:tt)*], $number:ident, zero: [$($zero:tt)*],
     one: [$($one:tt)*], $($kernels:tt)*) => {
        $($form)::+ ! {
            $($kernels)*

            fn jacobian $($generics)* (x: &[[$number; 3]; 4]) -> [[$number; 3]; 3] {
                let mut j = [[$($zero)*; 3]; 3];
                for i in 0..3 {
                    for r in 0..3 {
                        j[i][r] = x[r + 1][i] - x[0][i];
                    }
                }
                j
            }

            fn inverse $($generics)* (j: [[$number; 3]; 3]) -> ([[$number; 3]; 3], $number) {
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
                let scale = $($one)* / det;
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
