//! Variables whose values do not say their types: what `rustc` finds for `reference`, which has the text,
//! is what the variants compute with.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::{Scalar, kernel};

mod support;
use support::{each_variant, near_to, noise};

kernel! {
    /// Of the type of the array's elements, also by way of another variable.
    #[opt(strict)]
    pub fn integer_sums(x: &[i64], y: &mut [i64]) {
        for i in 0..y.len() {
            let mut s = 0;
            let mut t = s;
            for k in 0..9 {
                t += x[i + k];
                s = t - 1;
            }
            y[i] = s;
        }
    }

    /// `i32`, since nothing says otherwise: there are negative numbers.
    pub fn defaults(x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            let mut s = 2;
            for _ in 0..3 {
                s -= 1;
            }
            for k in 0..3 {
                y[i] += (k - s - 2) as f64 * x[i];
            }
        }
    }

    /// `f32`, beside what is `f32`.
    pub fn single_sums(x: &[f32], z: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            let mut s = 0.0;
            for k in 0..9 {
                s += x[i + k];
            }
            y[i] = s as f64 * z[i];
        }
    }

    /// `f64` in a kernel of `f32`, since nothing says otherwise.
    pub fn double_step(x: &[f32], y: &mut [f32]) {
        let third = 1.0 / 3.0;
        for i in 0..y.len() {
            y[i] = (x[i] as f64 * third as f64) as f32;
        }
    }

    /// Of the type of a parameter, and of a subscript; a tuple of both.
    pub fn loops(n: i32, x: &[f64], y: &mut [f64]) {
        let (mut count, first) = (0, 2);
        count += n;
        for i in 0..y.len() {
            for k in 0..3 {
                y[i] += (count - k) as f64 * x[i + first];
            }
        }
    }

    /// The type of another loop, which a subscript says later.
    pub fn triangle(x: &[f64], y: &mut [f64]) {
        for i in 0..4 {
            for j in 0..i {
                for k in 0..j {
                    y[i] += (j as f64) * x[i] + k as f64;
                }
            }
        }
    }

    /// Loops that are compared with each other, of which a subscript says one's type.
    pub fn compared(x: &[f64], y: &mut [f64]) {
        for i in 0..5 {
            for j in 0..4 {
                for k in 0..6 {
                    if i <= k && j != k {
                        y[j] += x[i];
                    } else {
                        y[j] -= 0.5;
                    }
                }
            }
        }
    }

    /// Arrays of either kind.
    pub fn arrays(x: &[f32], z: &[f64], y: &mut [f64]) {
        let mut row = vec![0.0; 5];
        for i in 0..5 {
            row[i] = x[i];
        }
        for i in 0..y.len() {
            let mut at = [0; 4];
            for k in 0..4 {
                at[k] = 2 * k;
            }
            for k in 0..4 {
                y[i] += z[at[k] + i] * row[k] as f64;
            }
        }
    }

    /// The type of the result.
    pub fn total(x: &[i32]) -> i64 {
        let mut s = 0;
        for i in 0..x.len() {
            s += x[i] as i64;
        }
        s
    }

    /// Arithmetic on literals is `f64`'s, whatever it is converted to.
    pub fn constants<T: Scalar>(x: &[T], y: &mut [T]) {
        for i in 0..y.len() {
            y[i] = T::from_f64(-2.0) * x[i] + T::from_f64(1.0 / 7.0) * x[i + 1];
        }
    }

    pub fn rounded_once(x: &[f32], y: &mut [f32]) {
        for i in 0..y.len() {
            y[i] = x[i] * (16777216.0 + 1.0 + 2.0) as f32;
        }
    }
}

const LENGTH: usize = 37;

fn doubles() -> Vec<f64> {
    (0..LENGTH + 16).map(noise).collect()
}

fn singles() -> Vec<f32> {
    (0..LENGTH + 16).map(|i| noise(i) as f32).collect()
}

fn widened(x: &[f32]) -> Vec<f64> {
    x.iter().map(|x| f64::from(*x)).collect()
}

#[test]
fn integers_have_the_types_of_their_uses() {
    let x: Vec<i64> = (0..LENGTH as i64 + 16).map(|i| (i - 9) << 40).collect();
    let mut expected = vec![0; LENGTH];
    integer_sums::reference(&x, &mut expected);
    assert_eq!(expected[0], x[..9].iter().sum::<i64>() - 1);
    each_variant(integer_sums::variants(), |isa| {
        let mut y = vec![0; LENGTH];
        integer_sums::with(isa, &x, &mut y).unwrap();
        assert_eq!(y, expected);
    });
    let small: Vec<i32> = (0..100).map(|i| i32::MAX - i).collect();
    each_variant(total::variants(), |isa| {
        assert_eq!(total::with(isa, &small).unwrap(), total::reference(&small));
    });
}

#[test]
fn numbers_that_nothing_says_the_type_of_are_rusts() {
    let (x, start) = (doubles(), doubles());
    let mut expected = start[..LENGTH].to_vec();
    defaults::reference(&x, &mut expected);
    each_variant(defaults::variants(), |isa| {
        let mut y = start[..LENGTH].to_vec();
        defaults::with(isa, &x, &mut y).unwrap();
        assert!(near_to(&y, &expected, 1e-14));
    });
    let x = singles();
    let mut expected = vec![0.0; LENGTH];
    double_step::reference(&x, &mut expected);
    each_variant(double_step::variants(), |isa| {
        let mut y = vec![0.0; LENGTH];
        double_step::with(isa, &x, &mut y).unwrap();
        assert_eq!(y, expected);
    });
}

#[test]
fn floating_point_numbers_have_the_types_of_their_uses() {
    let (x, z) = (singles(), doubles());
    let mut expected = vec![0.0; LENGTH];
    single_sums::reference(&x, &z, &mut expected);
    each_variant(single_sums::variants(), |isa| {
        let mut y = vec![0.0; LENGTH];
        single_sums::with(isa, &x, &z, &mut y).unwrap();
        assert!(near_to(&y, &expected, 4e-6));
    });
    let mut expected = vec![0.0; LENGTH];
    arrays::reference(&x, &z, &mut expected);
    each_variant(arrays::variants(), |isa| {
        let mut y = vec![0.0; LENGTH];
        arrays::with(isa, &x, &z, &mut y).unwrap();
        assert!(near_to(&y, &expected, 1e-14));
    });
}

#[test]
fn loops_and_tuples_too() {
    let x = doubles();
    let mut expected = vec![0.0; LENGTH];
    loops::reference(1, &x, &mut expected);
    each_variant(loops::variants(), |isa| {
        let mut y = vec![0.0; LENGTH];
        loops::with(isa, 1, &x, &mut y).unwrap();
        assert!(near_to(&y, &expected, 1e-14));
    });
}

#[test]
fn loops_inside_of_each_other_too() {
    let x = doubles();
    let mut expected = vec![0.0; LENGTH];
    triangle::reference(&x, &mut expected);
    each_variant(triangle::variants(), |isa| {
        let mut y = vec![0.0; LENGTH];
        triangle::with(isa, &x, &mut y).unwrap();
        assert!(near_to(&y, &expected, 1e-14));
    });
}

#[test]
fn what_is_compared_is_of_one_type() {
    let x = doubles();
    let mut expected = vec![0.0; LENGTH];
    compared::reference(&x, &mut expected);
    each_variant(compared::variants(), |isa| {
        let mut y = vec![0.0; LENGTH];
        compared::with(isa, &x, &mut y).unwrap();
        assert!(near_to(&y, &expected, 1e-14));
    });
}

#[test]
fn literals_are_computed_with_in_their_own_type() {
    let x = singles();
    let mut expected = vec![0.0; LENGTH];
    rounded_once::reference(&x, &mut expected);
    each_variant(rounded_once::variants(), |isa| {
        let mut y = vec![0.0; LENGTH];
        rounded_once::with(isa, &x, &mut y).unwrap();
        assert_eq!(y, expected);
    });
    let mut expected = vec![0.0; LENGTH];
    constants::reference(&x, &mut expected);
    each_variant(constants::variants(), |isa| {
        let mut y = vec![0.0; LENGTH];
        constants::with(isa, &x, &mut y).unwrap();
        assert!(near_to(&widened(&y), &widened(&expected), 2e-7));
    });
}
