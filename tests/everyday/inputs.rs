//! Inputs of kernels.

pub use ndarray::{Array1, Array2, Array3};
pub use num_complex::Complex;

/// Rows of a matrix: few where work grows faster than the number of its entries.
pub fn order(n: usize) -> usize {
    n.isqrt().clamp(n.min(40), 200)
}

/// Two sides of a grid of three dimensions.
pub fn cube(n: usize) -> usize {
    n.isqrt().clamp(n.min(20), 500)
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

macro_rules! integers {
    ($($integer:ident)*) => {
        $(impl Made for $integer {
            const COUNT: usize = 1;

            fn made(of: &[f64]) -> $integer {
                let span = $integer::MAX as f64 - $integer::MIN as f64;
                ($integer::MIN as f64 + (of[0] + 1.0) / 2.0 * span) as $integer
            }
        })*
    };
}

integers! { u8 u16 u32 i8 i16 i32 }

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
