//! Components of streams that are read and written in lanes of each variant, all of them or some, in place too, with
//! the bits of the text: all numbers here are small integers, on which no operation rounds.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    dead_code,
    reason = "each variant is called, not the functions that choose one"
)]
#![allow(clippy::needless_range_loop, reason = "texts of kernels")]

#[macro_use]
#[path = "support/compared.rs"]
mod compared;
mod support;

macro_rules! kernels_of {
    ($module:ident, $number:ident) => {
        mod $module {
            loopwright::kernel! {
                #[opt(require_lanes)]
                pub fn third(n: usize, x: &[$number], y: &mut [$number]) {
                    for i in 0..n {
                        y[i] = x[3 * i + 1] - 1.0;
                    }
                }

                #[opt(require_lanes)]
                pub fn fifths(n: usize, x: &[$number], y: &mut [$number]) {
                    for i in 0..n {
                        y[i] = x[5 * i] - x[5 * i + 3];
                    }
                }

                #[opt(require_lanes)]
                pub fn to_second(x: &[$number], y: &mut [$number]) {
                    for i in 0..x.len() {
                        y[2 * i] = x[i] + 1.0;
                    }
                }

                #[opt(require_lanes)]
                pub fn to_thirds(x: &[$number], y: &mut [$number]) {
                    for i in 0..x.len() {
                        y[3 * i + 2] = x[i];
                        y[3 * i] = 2.0 * x[i];
                    }
                }

                #[opt(require_lanes)]
                pub fn to_sevenths(x: &[$number], y: &mut [$number]) {
                    for i in 0..x.len() {
                        y[7 * i + 1] = x[i];
                        y[7 * i + 2] = 2.0 * x[i];
                        y[7 * i + 5] = 3.0 * x[i];
                    }
                }

                #[opt(require_lanes)]
                pub fn added(x: &[$number], y: &mut [$number]) {
                    for i in 0..x.len() {
                        y[4 * i + 1] += x[i];
                    }
                }

                #[opt(require_lanes)]
                pub fn largest(x: &[$number], y: &mut [$number]) {
                    for i in 0..x.len() {
                        y[2 * i] = y[2 * i].max(x[i]);
                    }
                }

                #[opt(require_lanes)]
                pub fn butterfly(n: usize, x: &mut [$number]) {
                    for i in 0..n {
                        let a = x[2 * i];
                        let b = x[2 * i + 1];
                        x[2 * i] = a + b;
                        x[2 * i + 1] = a - b;
                    }
                }

                #[opt(require_lanes)]
                pub fn conjugated(x: &mut [[$number; 2]]) {
                    for i in 0..x.len() {
                        x[i][1] = -x[i][1];
                    }
                }

                #[opt(require_lanes)]
                pub fn blended(y: &[[$number; 4]], x: &mut [[$number; 4]]) {
                    for i in 0..x.len() {
                        let t = y[i][3];
                        x[i][0] = x[i][0] * t + y[i][0];
                        x[i][1] = x[i][1] * t + y[i][1];
                        x[i][2] = x[i][2] * t + y[i][2];
                    }
                }

                #[opt(require_lanes)]
                pub fn red(n: usize, x: &mut [$number]) {
                    for i in 0..n {
                        x[2 * i + 1] = x[2 * i] + 2.0 * x[2 * i + 2];
                    }
                }

                #[opt(require_lanes)]
                pub fn between(n: usize, x: &mut [$number]) {
                    for i in 0..n {
                        x[3 * i + 1] = x[3 * i] - x[3 * i + 2];
                    }
                }

                #[opt(require_lanes)]
                pub fn after(x: &[$number], y: &mut [$number]) {
                    for i in 0..x.len() {
                        y[3 * i] = x[i] + y[3 * i + 1];
                        y[3 * i + 1] = 2.0 * y[3 * i] - y[3 * i + 1];
                    }
                }

                #[opt(require_lanes)]
                pub fn rows(n: usize, m: usize, x: &[$number], y: &mut [$number]) {
                    for j in 0..n {
                        for i in 0..m {
                            y[(j * m + i) * 2 + 1] = x[(j * m + i) * 3 + 1] + x[(j * m + i) * 3];
                        }
                    }
                }

                pub fn known(x: &[[$number; 3]; 29], y: &mut [[$number; 3]; 29]) {
                    for i in 0..29 {
                        y[i][2] = x[i][1] - x[i][0];
                        y[i][0] += x[i][2];
                    }
                }

                #[opt(strict)]
                pub fn exactly(x: &[$number], y: &mut [$number]) {
                    for i in 0..x.len() {
                        y[4 * i + 2] = y[4 * i] + x[i];
                        y[4 * i + 1] = y[4 * i + 3] - x[i];
                    }
                }
            }
        }
    };
}
kernels_of!(double, f64);
kernels_of!(single, f32);

loopwright::kernel! {
    #[opt(require_lanes)]
    pub fn widened(x: &[f32], a: &[f64], y: &mut [f64]) {
        for i in 0..a.len() {
            y[3 * i + 1] = x[3 * i + 2] as f64 * a[i] + x[3 * i] as f64;
        }
    }

    #[opt(require_lanes)]
    pub fn narrowed(a: &[f64], y: &mut [f32]) {
        for i in 0..a.len() / 2 {
            y[2 * i + 1] = (a[2 * i] + a[2 * i + 1]) as f32 - y[2 * i];
        }
    }
}

macro_rules! tests_of {
    ($module:ident, $number:ident) => {
        #[test]
        fn $module() {
            for n in 0..70 {
                let x = numbers!($number, 1, n);
                let all = |count: usize| numbers!($number, 2, count);
                let less = |by: usize, last: usize| all((by * n + last).saturating_sub(by));
                compare!($module::third, (n, &less(3, 2)), x);
                compare!($module::fifths, (n, &less(5, 4)), x);
                compare!($module::to_second, (&x), less(2, 1));
                compare!($module::to_thirds, (&x), all(3 * n));
                compare!($module::to_sevenths, (&x), less(7, 6));
                compare!($module::added, (&x), less(4, 2));
                compare!($module::largest, (&x), less(2, 1));
                compare!($module::butterfly, (n), all(2 * n));
                compare!(
                    $module::conjugated,
                    (),
                    all(2 * n).as_chunks::<2>().0.to_vec()
                );
                let (a, b) = (numbers!($number, 3, 4 * n), all(4 * n));
                compare!(
                    $module::blended,
                    (a.as_chunks::<4>().0),
                    b.as_chunks::<4>().0.to_vec()
                );
                compare!($module::red, (n), all(2 * n + 1));
                compare!($module::between, (n), all(3 * n));
                compare!($module::after, (&x), less(3, 2));
                compare!($module::exactly, (&x), all(4 * n));
                for m in [0, 1, 3] {
                    compare!($module::rows, (m, n, &all(3 * n * m)), all(2 * n * m));
                }
            }
            let x = numbers!($number, 4, 87).as_chunks::<3>().0.to_vec();
            let x: [[$number; 3]; 29] = x.try_into().unwrap();
            compare!($module::known, (&x), x);
        }
    };
}
tests_of!(double, f64);
tests_of!(single, f32);

#[test]
fn numbers_of_two_types() {
    for n in 0..70 {
        let (x, a) = (numbers!(f32, 1, 3 * n), numbers!(f64, 2, n));
        compare!(widened, (&x, &a), numbers!(f64, 3, 3 * n));
        compare!(narrowed, (&a), numbers!(f32, 4, n));
    }
}
