//! Rust's integers in whole kernels: whatever a conversion cuts off, and whatever overflows, variants
//! do what the text does in the same build, or panic where it panics.

#![allow(missing_docs, dead_code, reason = "kernels of tests")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use loopwright::Isa;

mod support;

use support::each_variant;

/// The kernels with some options.
macro_rules! kernels {
    ($($module:ident [$($option:tt)*]),*) => {
        $(kernels!(@ $module ($($option)*));)*
    };
    (@ $module:ident $options:tt) => {
        mod $module {
            use loopwright::kernel;

            kernel! {
                #[opt $options]
                pub fn bytes(m: &[u8], y: &mut [f64]) {
                    for i in 0..y.len() {
                        y[i] += 2.0 * (m[i] as i8 as f64);
                    }
                }

                #[opt $options]
                pub fn unsigned(m: &[i32], y: &mut [f64]) {
                    for i in 0..y.len() {
                        y[i] = m[i] as u32 as f64;
                    }
                }

                #[opt $options]
                pub fn widened(m: &[i32], y: &mut [f64]) {
                    for i in 0..y.len() {
                        y[i] = m[i] as u64 as f64 + m[i] as i64 as f64;
                    }
                }

                #[opt $options]
                pub fn chain(m: &[i64], y: &mut [f32]) {
                    for i in 0..y.len() {
                        y[i] = m[i] as i16 as u32 as f32 + m[i] as f32;
                    }
                }

                /// What is named keeps its conversions.
                #[opt $options]
                pub fn named(n: i16, m: &[u16], y: &mut [f64]) {
                    let k = n as u8;
                    for i in 0..y.len() {
                        let mark = m[i] as i8;
                        for _ in 0..3 {
                            y[i] += k as f64 * (mark as f64) - mark as u8 as f64;
                        }
                    }
                }

                #[opt $options]
                pub fn table(y: &mut [f64]) {
                    static MARKS: [i8; 5] = [3, -1, 100, -77, 0];
                    for i in 0..y.len() {
                        for k in 0..5 {
                            y[i] += MARKS[k] as u8 as f64 * (k as f64);
                        }
                    }
                }

                #[opt $options]
                pub fn given(n: i32, y: &mut [f64]) {
                    for i in 0..y.len() {
                        y[i] = (n as usize) as f64;
                    }
                }

                #[opt $options]
                pub fn less_one(n: usize, y: &mut [f64]) {
                    for i in 0..y.len() {
                        y[i] = (n - 1) as f64;
                    }
                }

                /// Not each of these integers is an `f64`.
                #[opt $options]
                pub fn far(n: u64, y: &mut [f64]) {
                    for i in 0..y.len() {
                        y[i] = (i as u64 + n) as f64;
                    }
                }

                #[opt $options]
                pub fn signed_loop(n: i32, y: &mut [f64]) {
                    for i in -3..n - 1 {
                        y[(i + 3) as usize] = (2 * i) as f64;
                    }
                }

                #[opt $options]
                pub fn subscript(m: &[i32], x: &[f64], y: &mut [f64]) {
                    for i in 0..y.len() {
                        y[i] = x[(m[i] as u32 as i64 + 5) as usize];
                    }
                }

                #[opt $options]
                pub fn subscript_of_bytes(m: &[u8], x: &[f64], y: &mut [f64]) {
                    for i in 0..y.len() {
                        y[i] = x[(m[i] as i8 as i64 + 128) as usize];
                    }
                }

                /// The next entry: `255` has none.
                #[opt $options]
                pub fn next(m: &[u8], x: &[f64], y: &mut [f64]) {
                    for i in 0..y.len() {
                        y[i] = x[(m[i] + 1) as usize];
                    }
                }

                #[opt $options]
                pub fn behind(m: &[i32], n: usize, x: &[f64], y: &mut [f64]) {
                    for i in 0..y.len() {
                        y[i] = x[2 * (m[i] as usize) + n];
                    }
                }

                #[opt $options]
                pub fn sum_of_bytes(n: u8, x: &[f64], y: &mut [f64]) {
                    for i in 0..y.len() {
                        y[i] = x[(n + 100) as usize];
                    }
                }

                #[opt $options]
                pub fn narrow(x: &[f64], y: &mut [f64]) {
                    for i in 0..y.len() {
                        y[i] = x[(i as u8) as usize];
                    }
                }

                #[opt $options]
                pub fn back_and_forth(n: usize, x: &[f64], y: &mut [f64]) {
                    for i in 0..y.len() {
                        y[i] = x[i - n + 2];
                    }
                }

                #[opt $options]
                pub fn bound(n: i32, y: &mut [f64]) {
                    for i in 0..n as usize {
                        y[i] = 1.0;
                    }
                }

                #[opt $options]
                pub fn bound_of_bytes(n: u8, y: &mut [f64]) {
                    for i in 1..n + 3 {
                        y[i as usize] = i as f64;
                    }
                }

                #[opt $options]
                pub fn start(n: usize, m: usize, y: &mut [f64]) {
                    for i in n + 1..m {
                        y[i] = i as f64;
                    }
                }

                /// Operators that only integers have.
                #[opt $options]
                pub fn bits(m: &[i16], s: u32, x: &[f64], y: &mut [f64]) {
                    for i in 0..y.len() {
                        let low = m[i] & 15;
                        let other = (!m[i] ^ 21845) | 1;
                        let shifted = (m[i] << s) >> 3;
                        y[i] = x[low as usize] + other as f64 - shifted as f64
                            + (m[i] / 7 - m[i] % 7) as f64
                            + (m[i].rem_euclid(10) * m[i].abs().min(9)) as f64
                            + (m[i] as i64).pow(2).wrapping_mul(1 << 50) as f64;
                    }
                }

                #[opt $options]
                pub fn saturating(x: &[f32], y: &mut [f64]) {
                    for i in 0..y.len() {
                        y[i] = x[i] as i8 as f64 + x[i] as u16 as f64;
                    }
                }
            }
        }
    };
}

kernels! {
    zero [level = 0],
    one [level = 1],
    two [level = 2],
    three [level = 3],
    strict [strict]
}

/// What a kernel leaves in `y`, and whether it panicked.
fn outcome<T: Clone>(start: &[T], run: impl FnOnce(&mut [T])) -> (Vec<T>, bool) {
    let mut y = start.to_vec();
    let panicked = catch_unwind(AssertUnwindSafe(|| run(&mut y))).is_err();
    (y, panicked)
}

/// Whether every variant of a kernel, at every level, does what the text does; where that panics, it
/// has written nothing, or the same.
macro_rules! as_text {
    ($kernel:ident($($given:expr),*), $start:expr) => {
        as_text!(@ $kernel($($given),*), $start, zero, one, two, three, strict)
    };
    (@ $kernel:ident $given:tt, $start:expr, $($module:ident),*) => {
        $(as_text!(@ $module $kernel $given, $start);)*
    };
    (@ $module:ident $kernel:ident($($given:expr),*), $start:expr) => {{
        let start = $start;
        let (expected, panics) = outcome(&start, |y| $module::$kernel::reference($($given,)* y));
        each_variant($module::$kernel::variants(), |isa: Isa| {
            let (found, panicked) =
                outcome(&start, |y| $module::$kernel::with(isa, $($given,)* y).unwrap());
            let what = concat!(stringify!($module), "::", stringify!($kernel));
            assert_eq!(panicked, panics, "{what}, {isa}: {:?}", ($($given,)*));
            assert!(
                found == expected || (panics && found == start),
                "{what}, {isa}: {found:?}, not {expected:?}"
            );
        });
    }};
}

/// Lengths below, at and above those of vectors.
const SIZES: [usize; 4] = [1, 8, 17, 31];

fn pattern<T>(n: usize, of: impl Fn(i64) -> T) -> Vec<T> {
    let mixed = |at: usize| (at as i64 + 1).wrapping_mul(0x5DEE_CE66_D5DE_ECE5);
    (0..n).map(|at| of(mixed(at) ^ (mixed(at) >> 17))).collect()
}

#[test]
fn conversions_of_elements_cut_off_what_does_not_fit() {
    for n in SIZES {
        as_text!(bytes(&pattern(n, |m| m as u8)), vec![0.5; n]);
        as_text!(unsigned(&pattern(n, |m| m as i32)), vec![0.5; n]);
        as_text!(widened(&pattern(n, |m| (m as i32) >> 8)), vec![0.5; n]);
        as_text!(chain(&pattern(n, |m| m)), vec![0.5_f32; n]);
        as_text!(named(-300, &pattern(n, |m| m as u16)), vec![0.5; n]);
        as_text!(table(), vec![0.0; n]);
    }
}

#[test]
fn integers_that_are_given_are_converted_as_written() {
    for n in [i32::MIN, -1, 0, 7, i32::MAX] {
        as_text!(given(n), vec![0.5; 9]);
    }
    for n in [0, 1, 2, 1 << 53, usize::MAX] {
        as_text!(less_one(n), vec![0.5; 9]);
    }
    let below = (1 << 53) - 5;
    for n in [0, below, below + 4, below + 5, 1 << 60, u64::MAX - 3] {
        as_text!(far(n), vec![0.5; 19]);
    }
    for n in [i32::MIN, -9, 0, 6, 7] {
        as_text!(signed_loop(n), vec![0.5; 9]);
    }
}

/// Whether this build checks for overflow.
fn overflow_panics() -> bool {
    let sum = || std::hint::black_box(u8::MAX) + std::hint::black_box(1);
    catch_unwind(AssertUnwindSafe(sum)).is_err()
}

#[test]
fn subscripts_are_what_rust_computes() {
    let x: Vec<f64> = (0..400).map(f64::from).collect();
    for m in [
        [3, 7, 100, 394],
        [3, -3, 100, 394],
        [0, 395, 1, 2],
        [5, i32::MIN, 1, 2],
    ] {
        as_text!(subscript(&m, &x), vec![0.5; 4]);
    }
    for m in [[3, 7, 100, 127], [3, 200, 128, 255]] {
        as_text!(subscript_of_bytes(&m, &x), vec![0.5; 4]);
    }
    for m in [[3, 7, 100, 254], [3, 200, 0, 255]] {
        as_text!(next(&m, &x), vec![0.5; 4]);
        // Without checks of overflow the text wraps around and comes back, where variants panic.
        if overflow_panics() {
            as_text!(next(&m, &x[..200]), vec![0.5; 4]);
        }
    }
    for m in [[3, 7, 100, 195], [0, 7, 198, 1], [3, 7, 3000, 1]] {
        as_text!(behind(&m, 4, &x), vec![0.5; 4]);
    }
    for n in [0, 55, 155, 156, 200, 255] {
        as_text!(sum_of_bytes(n, &x), vec![0.5; 4]);
    }
    for n in [9, 256, 300] {
        as_text!(narrow(&x), vec![0.5; n]);
    }
    for n in [0, 1, 2, 3, 9, usize::MAX] {
        as_text!(back_and_forth(n, &x), vec![0.5; 9]);
    }
}

/// What would wrap around in a release build is out of bounds in every build.
#[test]
fn negative_entries_are_out_of_bounds() {
    for isa in three::behind::variants()
        .iter()
        .filter(|isa| isa.is_available())
    {
        let run = |y: &mut [f64]| three::behind::with(*isa, &[1, -1], 5, &[1.0; 9], y).unwrap();
        assert_eq!(outcome(&[0.5; 2], run), (vec![0.5; 2], true));
    }
}

#[test]
fn bounds_are_what_rust_computes() {
    for n in [-1, 0, 3, 9, 10, i32::MIN] {
        as_text!(bound(n), vec![0.5; 9]);
    }
    for n in [0, 5, 6, 7, 252, 253, 255] {
        as_text!(bound_of_bytes(n), vec![0.5; 9]);
    }
    for (n, m) in [(0, 9), (7, 9), (8, 9), (9, 9), (0, 10), (20, 3)] {
        as_text!(start(n, m), vec![0.5; 9]);
    }
}

#[test]
fn operators_of_integers_run_as_written() {
    let x: Vec<f64> = (0..16).map(f64::from).collect();
    for n in SIZES {
        as_text!(bits(&pattern(n, |m| m as i16), 3, &x), vec![0.5; n]);
        as_text!(bits(&pattern(n, |m| m as i16 % 100), 16, &x), vec![0.5; n]);
        let floats = pattern(n, |m| match m % 4 {
            0 => f32::NAN,
            1 => m as f32,
            _ => (m % 300) as f32 / 7.0,
        });
        as_text!(saturating(&floats), vec![0.5; n]);
    }
}
