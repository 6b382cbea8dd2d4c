//! What loops of known length add to results, where every addition keeps its place: sums in registers begin with the
//! element that they are added to, to the bits of the text.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    dead_code,
    clippy::needless_range_loop,
    reason = "the style of kernels, of which each variant is called"
)]

#[path = "support/ordered.rs"]
mod ordered;
mod support;

use loopwright::{Counted, Scalar, kernel};
use ordered::{compare, number};

macro_rules! kernels {
    ($($module:ident $options:tt)*) => {$(mod $module {
        use super::*;

        kernel! {
            /// The product of two matrices, in three orders of its loops.
            #[opt $options]
            pub fn inner(a: &[[f64; 17]; 30], b: &[[f64; 30]; 17], c: &mut [[f64; 30]; 30]) {
                for i in 0..30 {
                    for j in 0..30 {
                        for k in 0..17 {
                            c[i][j] += a[i][k] * b[k][j];
                        }
                    }
                }
            }

            #[opt $options]
            pub fn outer(a: &[[f32; 9]; 11], b: &[[f32; 21]; 9], c: &mut [[f32; 21]; 11]) {
                for k in 0..9 {
                    for i in 0..11 {
                        for j in 0..21 {
                            c[i][j] -= 0.75 * a[i][k] * b[k][j];
                        }
                    }
                }
            }

            #[opt $options]
            pub fn columns(a: &[[f64; 8]; 8], b: &[[f64; 8]; 8], c: &mut [[f64; 8]; 8]) {
                for j in 0..8 {
                    for k in 0..8 {
                        for i in 0..8 {
                            c[i][j] += a[i][k] * b[k][j] + 0.5;
                        }
                    }
                }
            }

            /// Over two loops, and over the rows of a slice.
            #[opt $options]
            pub fn rows(t: &[[[f64; 6]; 5]; 13], x: &[[f64; 5]], y: &[f64; 6], c: &mut [[f64; 13]]) {
                for e in 0..x.len() {
                    for i in 0..13 {
                        for j in 0..5 {
                            for k in 0..6 {
                                c[e][i] += t[i][j][k] * x[e][j] * y[k];
                            }
                        }
                    }
                }
            }

            /// The smallest of sums, and products.
            #[opt $options]
            pub fn paths(a: &[[f64; 12]; 12], b: &[[f64; 12]; 12], c: &mut [[f64; 12]; 12], p: &mut [f64; 12]) {
                for i in 0..12 {
                    for j in 0..12 {
                        for k in 0..12 {
                            c[i][j] = c[i][j].min(a[i][k] + b[k][j]);
                        }
                    }
                }
                for i in 0..12 {
                    for k in 0..12 {
                        p[i] *= 1.0 + a[i][k];
                    }
                }
            }

            /// Two results of the same loops, one of which is read after that.
            #[opt $options]
            pub fn several(a: &[[f64; 10]; 10], x: &[f64; 10], c: &mut [f64; 10], d: &mut [f64; 10], s: &mut [f64; 10]) {
                for i in 0..10 {
                    for k in 0..10 {
                        c[i] += a[i][k] * x[k];
                        d[i] += a[k][i] * x[k];
                    }
                }
                for i in 0..10 {
                    s[i] = c[i] * d[i];
                    for k in 0..10 {
                        d[i] -= a[i][k] * c[k];
                    }
                }
            }

            /// Statements that take turns, and elements that iterations share: in memory, as the text adds them.
            #[opt $options]
            pub fn turns(a: &[[f64; 9]; 9], map: &[usize; 9], c: &mut [f64; 9], d: &mut [f64; 17]) {
                for i in 0..9 {
                    for k in 0..9 {
                        c[i] += a[i][k];
                        c[i] += 1.0e3 * a[k][i];
                        d[map[i]] += a[i][k] * a[k][i];
                    }
                }
                for i in 0..9 {
                    for j in 0..9 {
                        for k in 0..9 {
                            d[i + j] += a[i][k] * a[j][k];
                        }
                    }
                }
            }
        }
    })*};
}

kernels! { strict(strict) zero(level = 0) one(level = 1) }

fn numbers<const N: usize, const M: usize>(seed: usize) -> [[f64; N]; M] {
    std::array::from_fn(|i| std::array::from_fn(|j| number(seed, i * N + j)))
}

fn singles<const N: usize, const M: usize>(seed: usize) -> [[f32; N]; M] {
    numbers::<N, M>(seed).map(|row| row.map(|number| number as f32))
}

/// Results as numbers, which are equal where bits are.
fn flat(all: &[&[f64]]) -> Vec<f64> {
    all.concat()
}

macro_rules! as_text {
    ($($module:ident)*) => {$(
        compare!($module::inner(&numbers(1), &numbers(2); c = numbers::<30, 30>(3)) => c.as_flattened().to_vec());
        compare!($module::outer(&singles(1), &singles(2); c = singles::<21, 11>(3)) =>
            c.as_flattened().iter().map(|v| f64::from(*v)).collect());
        compare!($module::columns(&numbers(1), &numbers(2); c = numbers::<8, 8>(3)) => c.as_flattened().to_vec());
        let t: [[[f64; 6]; 5]; 13] = std::array::from_fn(numbers::<6, 5>);
        for n in [0, 1, 3, 8, 9] {
            let x = &numbers::<5, 9>(4)[..n];
            let y = &numbers::<6, 1>(5)[0];
            compare!($module::rows(&t, x, y; c = numbers::<13, 9>(6)[..n].to_vec()) => c.as_flattened().to_vec());
        }
        compare!($module::paths(&numbers(1), &numbers(2); c = numbers::<12, 12>(3), p = numbers::<12, 1>(4)[0]) =>
            flat(&[c.as_flattened(), &p]));
        compare!($module::several(&numbers(1), &numbers::<10, 1>(2)[0];
            c = numbers::<10, 1>(3)[0], d = numbers::<10, 1>(4)[0], s = [0.0; 10]) => flat(&[&c, &d, &s]));
        for map in [[0, 1, 2, 3, 4, 5, 6, 7, 8], [16, 3, 3, 3, 0, 0, 5, 16, 1]] {
            compare!($module::turns(&numbers(1), &map; c = numbers::<9, 1>(3)[0], d = numbers::<17, 1>(4)[0]) =>
                flat(&[&c, &d]));
        }
    )*};
}

#[test]
fn sums_begin_with_their_elements() {
    as_text!(strict zero one);
}

kernel! {
    /// Of any numbers.
    #[opt(strict)]
    pub fn counted<T: Scalar>(a: &[[T; 6]; 7], b: &[[T; 5]; 6], c: &mut [[T; 5]; 7]) {
        for i in 0..7 {
            for j in 0..5 {
                for k in 0..6 {
                    c[i][j] += a[i][k] * b[k][j];
                }
            }
        }
    }
}

fn many<const N: usize, const M: usize>(seed: usize) -> [[Counted<f64>; N]; M] {
    numbers::<N, M>(seed).map(|row| row.map(Counted::new))
}

#[test]
fn each_term_is_one_addition() {
    let (a, b) = (many::<6, 7>(1), many::<5, 6>(2));
    let mut c = many::<5, 7>(3);
    let (_, cost) = Counted::<f64>::count(|| counted(&a, &b, &mut c));
    assert_eq!(cost.operations(), 2 * 7 * 5 * 6);
    assert_eq!(counted::REPORT.expansion.operations(), 2 * 7 * 5 * 6);
}
