//! Elementary functions of all lanes: the standard library's, one lane after another. The run time's own
//! differ by some units in the last place.

#![allow(missing_docs, reason = "documented in the run time")]

use super::double::{__m256d, __m512d};
use super::quarter::__m128;
use super::single::{__m256, __m512};

/// A module of functions of a register.
macro_rules! functions {
    ($module:ident $vector:ident $element:ident: $($name:ident $($other:ident)?,)*) => {
        pub mod $module {
            use super::*;
            use super::super::macros::lanes;

            lanes! {
                $vector;
                $($name |a $(, $other)?| $element::$name(a $(, $other)?);)*
            }

            pub fn sin_cos(a: $vector) -> ($vector, $vector) {
                (sin(a), cos(a))
            }
        }
    };
}

macro_rules! modules {
    ($($module:ident $vector:ident $element:ident;)*) => {$(
        functions! {
            $module $vector $element: exp, exp2, exp_m1, ln, ln_1p, log2, log10, sin, cos, tan, asin,
            acos, atan, atan2 b, sinh, cosh, tanh, cbrt, hypot b, powf b,
        }
    )*};
}

modules! {
    f64x4 __m256d f64;
    f64x8 __m512d f64;
    f32x4 __m128 f32;
    f32x8 __m256 f32;
    f32x16 __m512 f32;
}
