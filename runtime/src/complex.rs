//! Complex numbers in generic kernels, with the feature `num-complex`.
//!
//! ```
//! use loopwright_runtime::Scalar;
//! use num_complex::Complex;
//!
//! let i = Complex::new(0.0_f64, 1.0);
//! assert_eq!(i * i, -Complex::<f64>::one());
//! assert_eq!(Scalar::powi(i, -3), i);
//! ```

use num_complex::Complex;

use crate::Scalar;

/// Methods that forward to the inherent ones.
#[cfg(feature = "std")]
macro_rules! forward {
    ($($name:ident,)*) => {$(
        #[inline]
        fn $name(self) -> Self {
            self.$name()
        }
    )*};
}

macro_rules! complex {
    ($float:ty) => {
        impl Scalar for Complex<$float> {
            #[inline]
            fn zero() -> Self {
                Complex::new(0.0, 0.0)
            }

            #[inline]
            fn one() -> Self {
                Complex::new(1.0, 0.0)
            }

            #[inline]
            fn from_f64(value: f64) -> Self {
                Complex::new(<$float as Scalar>::from_f64(value), 0.0)
            }

            #[cfg(feature = "std")]
            forward! {
                sqrt, cbrt, exp, exp2, ln, log2, log10, sin, cos, tan, asin, acos, atan, sinh,
                cosh, tanh,
            }

            #[cfg(feature = "std")]
            #[inline]
            fn exp_m1(self) -> Self {
                self.exp() - Self::one()
            }

            #[cfg(feature = "std")]
            #[inline]
            fn ln_1p(self) -> Self {
                (self + Self::one()).ln()
            }

            #[cfg(feature = "std")]
            #[inline]
            fn powf(self, exponent: Self) -> Self {
                self.powc(exponent)
            }
        }
    };
}

complex!(f32);
complex!(f64);

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    #[test]
    fn functions_are_those_of_complex_numbers() {
        fn all<T: Scalar>(x: T, y: T) -> [T; 6] {
            [
                x.sqrt(),
                x.exp(),
                x.ln(),
                x.powf(y),
                x.recip() * x,
                x.ln_1p(),
            ]
        }
        let (x, y) = (Complex::new(1.5, -0.5), Complex::new(0.25, 2.0));
        let found = all(x, y);
        let expected = [
            x.sqrt(),
            x.exp(),
            x.ln(),
            (y * x.ln()).exp(),
            Complex::new(1.0, 0.0),
            (x + 1.0).ln(),
        ];
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).norm() < 1e-14, "{found} for {expected}");
        }
        assert_eq!(Complex::<f32>::from_f64(0.5), Complex::new(0.5, 0.0));
    }
}
