//! What kernels compute, as numbers that are compared.

use std::any::Any;

use ndarray::{Array, Dimension};
use num_complex::Complex;

/// Results and outputs as numbers.
pub trait Outcome {
    fn flatten(&self, into: &mut Vec<f64>);
}

impl Outcome for () {
    fn flatten(&self, _: &mut Vec<f64>) {}
}

impl Outcome for bool {
    fn flatten(&self, into: &mut Vec<f64>) {
        into.push(f64::from(u8::from(*self)));
    }
}

macro_rules! number {
    ($($number:ident)*) => {
        $(impl Outcome for $number {
            fn flatten(&self, into: &mut Vec<f64>) {
                into.push(*self as f64);
            }
        })*
    };
}

number! { f64 f32 usize u64 u32 u16 u8 i64 i32 i16 i8 }

macro_rules! tuple {
    ($($name:ident)*) => {
        impl<$($name: Outcome),*> Outcome for ($($name,)*) {
            fn flatten(&self, into: &mut Vec<f64>) {
                #[allow(non_snake_case, reason = "parts are named as their types are")]
                let ($($name,)*) = self;
                $($name.flatten(into);)*
            }
        }
    };
}

tuple! { A B }
tuple! { A B C }
tuple! { A B C D }

impl<T: Outcome> Outcome for Option<T> {
    fn flatten(&self, into: &mut Vec<f64>) {
        self.is_some().flatten(into);
        self.iter().for_each(|value| value.flatten(into));
    }
}

impl<T: Outcome> Outcome for Vec<T> {
    fn flatten(&self, into: &mut Vec<f64>) {
        self.iter().for_each(|value| value.flatten(into));
    }
}

impl<T: Outcome, const N: usize> Outcome for [T; N] {
    fn flatten(&self, into: &mut Vec<f64>) {
        self.iter().for_each(|value| value.flatten(into));
    }
}

impl<T: Outcome, D: Dimension> Outcome for Array<T, D> {
    fn flatten(&self, into: &mut Vec<f64>) {
        self.iter().for_each(|value| value.flatten(into));
    }
}

impl<T: Outcome> Outcome for Complex<T> {
    fn flatten(&self, into: &mut Vec<f64>) {
        self.re.flatten(into);
        self.im.flatten(into);
    }
}

/// Structs by their fields, both those of the plain functions and those of the kernels.
macro_rules! fields {
    ($($suite:ident::$name:ident::$ty:ident { $($field:tt)* })*) => {
        $(
            fields! { one $suite $name plain $ty $($field)* }
            fields! { one $suite $name kernels $ty $($field)* }
        )*
    };
    (one $suite:ident $name:ident $module:ident $ty:ident $($field:tt)*) => {
        impl crate::outcome::Outcome for crate::$suite::$name::$module::$ty {
            fn flatten(&self, into: &mut Vec<f64>) {
                $(crate::outcome::Outcome::flatten(&self.$field, into);)*
            }
        }
    };
}

type Run = Result<Vec<f64>, Box<dyn Any + Send>>;

/// Both panic, or neither does and the numbers agree to rounding.
pub fn same(name: &str, n: usize, how: &str, expected: &Run, found: &Run) {
    let about = format!("{name}, {how}, size {n}");
    match (expected, found) {
        (Ok(expected), Ok(found)) => {
            assert_eq!(expected.len(), found.len(), "{about}");
            let largest = expected
                .iter()
                .filter(|x| x.is_finite())
                .fold(0.0, |m: f64, x| m.max(x.abs()));
            for (at, (x, y)) in expected.iter().zip(found).enumerate() {
                let near = (x - y).abs() <= 1e-5 * (x.abs() + 0.1 * largest + 1e-3);
                assert!(
                    near || x == y || x.is_nan() && y.is_nan(),
                    "{about}, value {at}: {x} and {y}"
                );
            }
        }
        (Err(_), Err(_)) => {}
        (Err(_), Ok(_)) => panic!("{about}: only the plain function panics"),
        (Ok(_), Err(_)) => panic!("{about}: only the kernel panics"),
    }
}
