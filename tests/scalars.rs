//! Generic kernels with complex numbers and with a type of the user.

#![allow(missing_docs, reason = "kernels of tests")]

use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use loopwright::{Isa, Scalar, kernel};
use num_complex::{Complex, Complex32, Complex64};

kernel! {
    /// Reuses a temporary, divides, calls a function, sums.
    pub fn response<T: Scalar>(omega: T, stiffness: &[[T; 2]], load: &[T], y: &mut [T]) -> T {
        static W: [f64; 2] = [0.25, 3.0];
        let mut total = T::zero();
        for e in 0..stiffness.len() {
            let mut sum = T::zero();
            for q in 0..2 {
                sum += T::from_f64(W[q]) * stiffness[e][q] * omega * omega;
            }
            y[e] += load[e] / (T::one() + sum * sum) - (omega * load[e]).exp();
            total += sum.powi(3);
        }
        total
    }
}

fn number(at: usize) -> Complex64 {
    Complex::new((at % 7) as f64 * 0.25 - 0.5, (at % 5) as f64 * 0.125 + 0.25)
}

#[test]
fn complex_numbers() {
    for n in [0, 1, 5, 9] {
        let stiffness: Vec<_> = (0..n).map(|e| [number(e), number(e + 3)]).collect();
        let load: Vec<_> = (0..n).map(|e| number(2 * e)).collect();
        let omega = Complex::new(0.5, -0.25);
        let mut expected = vec![Complex64::zero(); n];
        let total = response::reference(omega, &stiffness, &load, &mut expected);
        for &isa in response::variants() {
            if !isa.is_available() {
                continue;
            }
            let mut found = vec![Complex64::zero(); n];
            let result = response::with(isa, omega, &stiffness, &load, &mut found).unwrap();
            assert!((result - total).norm() < 1e-13, "{isa:?}, n = {n}");
            let mut both = found.iter().zip(&expected);
            assert!(
                both.all(|(a, b)| (a - b).norm() < 1e-13),
                "{isa:?}, n = {n}"
            );
            let single = |z: Complex64| Complex32::new(z.re as f32, z.im as f32);
            let stiffness: Vec<_> = stiffness.iter().map(|row| row.map(single)).collect();
            let load: Vec<_> = load.iter().copied().map(single).collect();
            let mut found = vec![Complex32::zero(); n];
            response::with(isa, single(omega), &stiffness, &load, &mut found).unwrap();
            let mut both = found.iter().zip(&expected);
            assert!(
                both.all(|(a, b)| (*a - single(*b)).norm() < 1e-4),
                "{isa:?}, n = {n}"
            );
        }
    }
}

/// A number with its derivative by one variable.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Dual {
    value: f64,
    slope: f64,
}

macro_rules! operation {
    ($operator:ident, $function:ident, $assign:ident, $assigned:ident, |$a:ident, $b:ident| $slope:expr) => {
        impl $operator for Dual {
            type Output = Dual;
            fn $function(self, other: Dual) -> Dual {
                let ($a, $b) = (self, other);
                Dual {
                    value: $operator::$function($a.value, $b.value),
                    slope: $slope,
                }
            }
        }
        impl $assign for Dual {
            fn $assigned(&mut self, other: Dual) {
                *self = $operator::$function(*self, other);
            }
        }
    };
}

operation!(Add, add, AddAssign, add_assign, |a, b| a.slope + b.slope);
operation!(Sub, sub, SubAssign, sub_assign, |a, b| a.slope - b.slope);
operation!(Mul, mul, MulAssign, mul_assign, |a, b| a.slope * b.value
    + a.value * b.slope);
operation!(Div, div, DivAssign, div_assign, |a, b| (a.slope * b.value
    - a.value * b.slope)
    / (b.value * b.value));

impl Neg for Dual {
    type Output = Dual;
    fn neg(self) -> Dual {
        Dual {
            value: -self.value,
            slope: -self.slope,
        }
    }
}

impl Scalar for Dual {
    fn zero() -> Self {
        Self::from_f64(0.0)
    }

    fn one() -> Self {
        Self::from_f64(1.0)
    }

    fn from_f64(value: f64) -> Self {
        Dual { value, slope: 0.0 }
    }

    fn exp(self) -> Self {
        Dual {
            value: self.value.exp(),
            slope: self.slope * self.value.exp(),
        }
    }
}

#[test]
fn numbers_of_the_user() {
    let real = |at: usize| number(at).re;
    let stiffness: Vec<_> = (0..5).map(|e| [real(e), real(e + 3)]).collect();
    let load: Vec<_> = (0..5).map(|e| real(2 * e)).collect();
    let step = 1e-6;
    let run = |omega: f64| {
        let mut y = vec![0.0; 5];
        let total = response::reference(omega, &stiffness, &load, &mut y);
        (total, y)
    };
    let ((above, high), (below, low)) = (run(0.5 + step), run(0.5 - step));
    let omega = Dual {
        value: 0.5,
        slope: 1.0,
    };
    let dual = |value: f64| Dual::from_f64(value);
    let stiffness: Vec<_> = stiffness.iter().map(|row| row.map(dual)).collect();
    let load: Vec<_> = load.iter().copied().map(dual).collect();
    for &isa in response::variants()
        .iter()
        .filter(|isa: &&Isa| isa.is_available())
    {
        let mut y = vec![Dual::zero(); 5];
        let total = response::with(isa, omega, &stiffness, &load, &mut y).unwrap();
        assert!(
            (total.slope - (above - below) / (2.0 * step)).abs() < 1e-6,
            "{isa:?}"
        );
        for (y, (high, low)) in y.iter().zip(high.iter().zip(&low)) {
            assert!(
                (y.slope - (high - low) / (2.0 * step)).abs() < 1e-6,
                "{isa:?}"
            );
        }
    }
}
