//! Sums whose terms have factors in common.
#![allow(missing_docs, reason = "kernels of tests")]
#![allow(clippy::needless_range_loop, reason = "the style of kernels")]

use loopwright::{Counted, Real, kernel};

mod support;
use support::{counted, each_variant, near, numbers};

kernel! {
    pub fn polynomial<T: Real>(c: &[T; 6], x: &[T], y: &mut [T]) {
        for i in 0..y.len() {
            let t = x[i];
            y[i] = c[0] + c[1] * t + c[2] * t * t + c[3] * t * t * t + c[4] * t.powi(4) + c[5] * t.powi(5);
        }
    }

    /// The values at four corners, weighted.
    pub fn bilinear<T: Real>(corners: &[[T; 4]], at: &[[T; 2]], y: &mut [T]) {
        let one = T::from_f64(1.0);
        for i in 0..y.len() {
            let [a, b, c, d] = corners[i];
            let [u, v] = at[i];
            y[i] = a * (one - u) * (one - v) + b * u * (one - v) + c * (one - u) * v + d * u * v;
        }
    }

    pub fn kinetic<T: Real>(mass: &[T], velocity: &[[T; 3]], energy: &mut [T]) {
        let half = T::from_f64(0.5);
        for i in 0..energy.len() {
            let [u, v, w] = velocity[i];
            energy[i] = half * mass[i] * u * u + half * mass[i] * v * v + half * mass[i] * w * w;
        }
    }

    pub fn mean<T: Real>(x: &[T], z: &[T], n: T, y: &mut [T]) {
        for i in 0..y.len() {
            y[i] = x[i] / n + z[i] / n;
        }
    }
}

kernel! {
    #[opt(strict)]
    pub fn as_written<T: Real>(a: T, x: &[T], z: &[T], y: &mut [T]) {
        for i in 0..y.len() {
            y[i] = a * x[i] + a * z[i];
        }
    }
}

/// Compares all variants of a kernel with its reference, and counts the operations of an element.
macro_rules! check {
    ($kernel:ident, $operations:expr, |$number:ident, $count:ident| ($($input:expr),*)) => {{
        let ($number, $count) = (|x: f64| x, 37);
        let mut expected = vec![0.0; $count];
        $kernel::reference($($input,)* &mut expected);
        each_variant($kernel::variants(), |isa| {
            let mut found = vec![0.0; $count];
            $kernel::with(isa, $($input,)* &mut found).unwrap();
            assert!(near(&found, &expected), "{isa:?}");
        });
        let count = counted(&$kernel::REPORT, 3, |$count| {
            let $number = Counted::<f64>::new;
            let mut found = vec![$number(0.0); $count];
            $kernel($($input,)* &mut found);
        });
        assert_eq!(count, $operations, "{}", $kernel::REPORT);
    }};
}

/// Numbers of a type, other ones for each seed.
fn of<T>(number: impl Fn(f64) -> T, seed: usize, count: usize) -> Vec<T> {
    numbers(seed, count).into_iter().map(number).collect()
}

#[test]
fn polynomials_are_evaluated_by_horners_rule() {
    check!(polynomial, 10, |number, count| (
        &[0.5, -1.5, 0.25, 2.0, -0.75, 1.25].map(number),
        &of(number, 1, count)
    ));
}

#[test]
fn factors_of_some_terms_are_taken_out_one_after_the_other() {
    // 1 - u and 1 - v, two sums of two products, and a sum of two.
    check!(bilinear, 2 + 2 * 3 + 3, |number, count| (
        of(number, 1, 4 * count).as_chunks().0,
        of(number, 2, 2 * count).as_chunks().0
    ));
}

#[test]
fn constants_and_divisors_are_factors() {
    check!(kinetic, 7, |number, count| (
        &of(number, 1, count),
        of(number, 2, 3 * count).as_chunks().0
    ));
    check!(mean, 2, |number, count| (
        &of(number, 1, count),
        &of(number, 2, count),
        number(3.0)
    ));
}

#[test]
fn what_is_to_have_the_bits_of_its_text_is_not_factorised() {
    assert_eq!(as_written::REPORT.expansion.operations(), 3);
    let (x, z) = (numbers(1, 37), numbers(2, 37));
    let (mut found, mut expected) = (vec![0.0; 37], vec![0.0; 37]);
    as_written(0.3, &x, &z, &mut found);
    as_written::reference(0.3, &x, &z, &mut expected);
    assert_eq!(found, expected);
}
