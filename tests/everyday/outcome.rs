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

number! { f64 f32 usize u64 u32 u8 i8 i32 }

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
    ($($name:ident::$ty:ident { $($field:tt)* })*) => {
        $(
            fields! { one $name plain $ty $($field)* }
            fields! { one $name kernels $ty $($field)* }
        )*
    };
    (one $name:ident $module:ident $ty:ident $($field:tt)*) => {
        impl Outcome for crate::structs::$name::$module::$ty {
            fn flatten(&self, into: &mut Vec<f64>) {
                $(self.$field.flatten(into);)*
            }
        }
    };
}

fields! {
    drift::Particle { x y vx vy }
    vectors_with_operators::Vec3 { x y z }
    nested_arrays::Point { 0 1 }
    nested_arrays::Quad { corners stiffness load }
    moved::Particle { position velocity }
}

/// What numbers can be made into.
pub trait Made: Sized {
    /// How many numbers it takes.
    const COUNT: usize;

    fn made(of: &[f64]) -> Self;
}

impl Made for f64 {
    const COUNT: usize = 1;

    fn made(of: &[f64]) -> f64 {
        of[0]
    }
}

impl Made for f32 {
    const COUNT: usize = 1;

    fn made(of: &[f64]) -> f32 {
        of[0] as f32
    }
}

impl<T: Made> Made for Complex<T> {
    const COUNT: usize = 2 * T::COUNT;

    fn made(of: &[f64]) -> Complex<T> {
        Complex::new(T::made(of), T::made(&of[T::COUNT..]))
    }
}

impl<T: Made, const N: usize> Made for [T; N] {
    const COUNT: usize = N * T::COUNT;

    fn made(of: &[f64]) -> [T; N] {
        std::array::from_fn(|at| T::made(&of[at * T::COUNT..]))
    }
}

/// Values of numbers between -1 and 1, other ones for each seed.
pub fn numbers<T: Made>(count: usize, seed: u64) -> Vec<T> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let value = |_| {
        let parts: Vec<f64> = (0..T::COUNT).map(|_| next()).collect();
        T::made(&parts)
    };
    (0..count).map(value).collect()
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
