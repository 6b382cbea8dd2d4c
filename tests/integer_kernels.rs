//! Integers that kernels compute with and write: stencils of bytes, sums, and elementwise arithmetic take lanes,
//! and have the values of the text, at every level, in debug and release builds.

#![allow(
    missing_docs,
    dead_code,
    reason = "kernels of tests, which run as their variants"
)]

use loopwright::Report;

mod support;

use support::each_variant;

/// The kernels with some options.
macro_rules! kernels {
    ($($module:ident [$($option:tt)*])*) => {
        $(kernels!(@ $module ($($option)*));)*
    };
    (@ $module:ident $options:tt) => {
        mod $module {
            loopwright::kernel! {
                #[opt $options]
                pub fn box_of_bytes(x: &[u8], y: &mut [u32]) {
                    for i in 0..y.len() {
                        let mut s = 0;
                        for k in 0..17 {
                            s += x[i + k] as u32;
                        }
                        y[i] = s;
                    }
                }

                #[opt $options]
                pub fn mean(n: usize, m: usize, x: &[u8], y: &mut [u16]) {
                    for j in 1..n - 1 {
                        for i in 1..m - 1 {
                            let mut s = 0u16;
                            for b in 0..3 {
                                for a in 0..3 {
                                    s += x[(j + b - 1) * m + i + a - 1] as u16;
                                }
                            }
                            y[j * m + i] = s / 9;
                        }
                    }
                }

                #[opt $options]
                pub fn sobel(n: usize, m: usize, x: &[u8], y: &mut [i32]) {
                    for j in 1..n - 1 {
                        for i in 1..m - 1 {
                            let right = x[(j - 1) * m + i + 1] as i32
                                + 2 * x[j * m + i + 1] as i32
                                + x[(j + 1) * m + i + 1] as i32;
                            let left = x[(j - 1) * m + i - 1] as i32
                                + 2 * x[j * m + i - 1] as i32
                                + x[(j + 1) * m + i - 1] as i32;
                            let low = x[(j + 1) * m + i - 1] as i32
                                + 2 * x[(j + 1) * m + i] as i32
                                + x[(j + 1) * m + i + 1] as i32;
                            let high = x[(j - 1) * m + i - 1] as i32
                                + 2 * x[(j - 1) * m + i] as i32
                                + x[(j - 1) * m + i + 1] as i32;
                            y[j * m + i] = (right - left).abs() + (low - high).abs();
                        }
                    }
                }

                #[opt $options]
                pub fn wraps(x: &[i32], y: &mut [i32]) {
                    for i in 0..y.len() {
                        let sides = x[i].wrapping_add(x[i + 2]);
                        y[i] = sides.wrapping_sub(x[i + 1].wrapping_mul(2));
                    }
                }

                #[opt $options]
                pub fn wraps_wide(x: &[i64], y: &mut [i64]) {
                    for i in 0..y.len() {
                        let sides = x[i].wrapping_add(x[i + 2]);
                        y[i] = sides.wrapping_sub(x[i + 1].wrapping_mul(x[i]));
                    }
                }

                #[opt $options]
                pub fn total(x: &[i32]) -> i64 {
                    let mut s = 0;
                    for i in 0..x.len() {
                        s += x[i] as i64;
                    }
                    s
                }

                #[opt $options]
                pub fn rows(x: &[[u8; 40]], y: &mut [u32]) {
                    for i in 0..y.len() {
                        let mut s = 3u32;
                        for k in 0..40 {
                            s += x[i][k] as u32 * x[i][k] as u32;
                        }
                        y[i] = s;
                    }
                }

                #[opt $options]
                pub fn grey(x: &[u8], g: &mut [u8]) {
                    for i in 0..g.len() {
                        let (r, g_, b) = (x[3 * i] as u32, x[3 * i + 1] as u32, x[3 * i + 2] as u32);
                        g[i] = ((r * 77 + g_ * 150 + b * 29) >> 8) as u8;
                    }
                }

                #[opt $options]
                pub fn planes(x: &[u8], y: &[u8], z: &[u8], g: &mut [u8]) {
                    for i in 0..g.len() {
                        g[i] = ((x[i] as u32 * 77 + y[i] as u32 * 150 + z[i] as u32 * 29) >> 8) as u8;
                    }
                }

                #[opt $options]
                pub fn backwards(x: &[u8], g: &mut [u8], h: &mut [i16]) {
                    for i in 0..g.len() {
                        g[g.len() - 1 - i] = x[i] / 3;
                        h[h.len() - 1 - i] = x[i] as i16 - 100;
                    }
                }

                #[opt $options]
                pub fn mixed(x: &[i16], u: &[u32], y: &mut [i64], z: &mut [i16]) {
                    for i in 0..y.len() {
                        y[i] = (x[i] as i64 * u[i] as i64 - 5).min(1 << 40).max(-77);
                        z[i] = (x[i] as i32 * 3 - (u[i] % 8) as i32).max(-300).min(300) as i16;
                    }
                }

                #[opt $options]
                pub fn bits(x: &[u32], y: &mut [u32], z: &mut [u8]) {
                    for i in 0..y.len() {
                        y[i] = ((x[i] << 3) ^ (x[i] >> 5)) & 0xffff_00ff | !x[i];
                        z[i] = (x[i] as u8).wrapping_mul(7).wrapping_add(200);
                    }
                }

                #[opt $options]
                pub fn quotients(x: &[i16], u: &[u16], y: &mut [i16], z: &mut [i32]) {
                    for i in 0..y.len() {
                        y[i] = x[i] / 9 + (u[i] / 255 % 7) as i16;
                        z[i] = (x[i] as i32 * 2 - 5) / 4 + (x[i] as i32 + 3) % 10 + x[i] as i32 / 16
                            - (x[i] as i32).div_euclid(8)
                            + (x[i] as i32).rem_euclid(32);
                    }
                }

                #[opt $options]
                pub fn floats(x: &[u8], s: &[i16], y: &mut [i32], z: &mut [f32]) {
                    for i in 0..y.len() {
                        let t = x[i] as i32 * s[i] as i32 - x[i + 1] as i32;
                        y[i] = t >> 2;
                        z[i] = t as f32 * 0.5;
                    }
                }
            }
        }
    };
}

kernels! {
    zero [level = 0]
    one [level = 1]
    two [level = 2]
    three [level = 3]
    strict [strict]
}

fn pattern<T>(n: usize, of: impl Fn(i64) -> T) -> Vec<T> {
    let mixed = |at: usize| (at as i64 + 1).wrapping_mul(0x5DEE_CE66_D5DE_ECE5);
    (0..n).map(|at| of(mixed(at) ^ (mixed(at) >> 17))).collect()
}

/// Lengths below, at and above those of vectors.
const SIZES: [usize; 11] = [0, 1, 2, 3, 7, 8, 15, 16, 17, 33, 70];

/// Whether every variant of a kernel writes what the text writes.
macro_rules! as_text {
    ($kernel:ident($($given:expr),*), $($start:expr),+) => {
        as_text!(@ zero $kernel ($($given),*) ($($start),+));
        as_text!(@ one $kernel ($($given),*) ($($start),+));
        as_text!(@ two $kernel ($($given),*) ($($start),+));
        as_text!(@ three $kernel ($($given),*) ($($start),+));
        as_text!(@ strict $kernel ($($given),*) ($($start),+));
    };
    (@ $module:ident $kernel:ident $given:tt ($one:expr)) => {{
        let mut expected = $one;
        as_text!(@@ $module::$kernel::reference [] $given [&mut expected]);
        each_variant($module::$kernel::variants(), |isa| {
            let mut found = $one;
            as_text!(@@ $module::$kernel::with [isa,] $given [&mut found]).unwrap();
            let what = concat!(stringify!($module), "::", stringify!($kernel));
            assert_eq!(found, expected, "{what}, {isa}, {} elements", found.len());
        });
    }};
    (@ $module:ident $kernel:ident $given:tt ($one:expr, $two:expr)) => {{
        let mut expected = ($one, $two);
        as_text!(@@ $module::$kernel::reference [] $given [&mut expected.0, &mut expected.1]);
        each_variant($module::$kernel::variants(), |isa| {
            let mut found = ($one, $two);
            as_text!(@@ $module::$kernel::with [isa,] $given [&mut found.0, &mut found.1]).unwrap();
            let what = concat!(stringify!($module), "::", stringify!($kernel));
            assert_eq!(found, expected, "{what}, {isa}, {} elements", found.0.len());
        });
    }};
    (@@ $path:path [$($isa:tt)*] ($($given:expr),*) [$($out:expr),*]) => {
        $path($($isa)* $($given,)* $($out),*)
    };
}

#[test]
fn stencils_of_bytes_are_those_of_the_text() {
    for n in SIZES {
        let x = pattern(n + 16, |m| m as u8);
        as_text!(box_of_bytes(&x), vec![1; n]);
        as_text!(box_of_bytes(&vec![255; n + 16]), vec![1; n]);
        let image = pattern(5 * (n + 2), |m| if m % 3 == 0 { 255 } else { m as u8 });
        as_text!(mean(5, n + 2, &image), vec![1; image.len()]);
        as_text!(sobel(5, n + 2, &image), vec![1; image.len()]);
        let rows: Vec<[u8; 40]> = pattern(n, |m| std::array::from_fn(|k| (m >> (k % 40)) as u8));
        as_text!(rows(&rows), vec![1; n]);
    }
}

#[test]
fn what_wraps_around_wraps_around() {
    for n in SIZES {
        as_text!(wraps(&pattern(n + 2, |m| m as i32)), vec![1; n]);
        as_text!(wraps_wide(&pattern(n + 2, |m| m)), vec![1; n]);
        let x = pattern(n, |m| m as u32);
        as_text!(bits(&x), vec![1; n], vec![1; n]);
    }
}

#[test]
fn elements_are_converted_as_the_text_converts_them() {
    for n in SIZES {
        let x = pattern(3 * n + 5, |m| m as u8);
        as_text!(grey(&x), vec![1; n]);
        as_text!(planes(&x, &x[2..], &x[5..]), vec![1; n]);
        as_text!(backwards(&x), vec![1; n], vec![1; n]);
        let (s, u) = (pattern(n, |m| m as i16), pattern(n, |m| m as u32 >> 1));
        as_text!(mixed(&s, &u), vec![1; n], vec![1; n]);
        as_text!(
            quotients(&s, &pattern(n, |m| m as u16)),
            vec![1; n],
            vec![1; n]
        );
        as_text!(floats(&x, &s), vec![1; n], vec![1.0; n]);
    }
}

/// Each integer of 16 bits.
#[test]
fn quotients_are_rounded_towards_zero() {
    let x: Vec<i16> = (i16::MIN..=i16::MAX).collect();
    let u: Vec<u16> = (0..=u16::MAX).collect();
    as_text!(quotients(&x, &u), vec![1; x.len()], vec![1; x.len()]);
}

#[test]
fn sums_are_exact() {
    for n in SIZES {
        for x in [
            pattern(n, |m| m as i32),
            vec![i32::MIN; n],
            vec![i32::MAX; n],
        ] {
            let expected: i64 = x.iter().map(|x| i64::from(*x)).sum();
            assert_eq!(strict::total::reference(&x), expected);
            each_variant(three::total::variants(), |isa| {
                assert_eq!(three::total::with(isa, &x).unwrap(), expected, "{isa}");
                assert_eq!(strict::total::with(isa, &x).unwrap(), expected, "{isa}");
            });
        }
    }
}

/// At every level.
#[test]
fn integers_have_lanes() {
    let optimised = |report: &Report| {
        let mut notes = report.notes.iter();
        assert!(
            !notes.any(|note| note.starts_with("runs as written")),
            "{report}"
        );
        let mut decisions = report.passes.iter().flat_map(|pass| pass.decisions);
        assert!(decisions.any(|d| d.contains("lanes over `i`")), "{report}");
    };
    macro_rules! all {
        ($($module:ident)*) => {$(
            for report in [
                &$module::box_of_bytes::REPORT, &$module::sobel::REPORT, &$module::wraps::REPORT,
                &$module::wraps_wide::REPORT, &$module::planes::REPORT, &$module::bits::REPORT,
                &$module::mixed::REPORT, &$module::floats::REPORT, &$module::total::REPORT, &$module::quotients::REPORT,
            ] {
                optimised(report);
            }
        )*};
    }
    all! { zero one two three strict }
}

loopwright::kernel! {
    /// Nothing shows that this fits.
    pub fn not_shown(x: &[u32], y: &mut [u32]) {
        for i in 0..y.len() {
            y[i] = x[i] - x[i + 1];
        }
    }

    /// What is taken away was added.
    pub fn shown(x: &[u8], y: &mut [u8]) {
        for i in 1..y.len() - 1 {
            let around = x[i - 1] as u32 + x[i] as u32 + x[i + 1] as u32 - x[i] as u32;
            y[i] = if around > 200 { 1 } else { 0 };
        }
    }

    /// Fits where elements have 28 bits.
    pub fn windows(x: &[i32], y: &mut [i32]) {
        for i in 3..y.len() - 3 {
            let mut s = 0;
            for k in 0..7 {
                s += x[i + k - 3];
            }
            y[i] = s;
        }
    }

    /// Fits where they are no larger than 31.
    pub fn lives(n: usize, m: usize, a: &[u8], v: &mut [u8]) {
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                let c = i * m + j;
                let s = a[c - m - 1] + a[c - m] + a[c - m + 1] + a[c - 1]
                    + a[c + 1] + a[c + m - 1] + a[c + m] + a[c + m + 1];
                v[c] = if s == 3 || (s == 2 && a[c] == 1) { 1 } else { 0 };
            }
        }
    }

    /// Products, and sums of any length.
    pub fn sums_of_products(n: usize, x: &[[i32; 2]], y: &mut [i32]) {
        for i in 0..y.len() {
            let mut s = 0;
            for j in 0..n {
                s += x[j][0] * x[i][1] * 3;
            }
            y[i] = s;
        }
    }

    /// A quarter of a million bytes may be 2^26, and 2^34 bytes more than 2^32.
    pub fn few(x: &[u8]) -> u32 {
        let mut s = 0;
        for i in 0..x.len() {
            s += x[i] as u32;
        }
        s
    }
}

/// What a call writes, and whether it panics.
fn outcome<T: Copy + From<u8>>(n: usize, call: &dyn Fn(&mut [T])) -> (bool, Vec<T>) {
    let mut y = vec![T::from(7); n];
    let call = std::panic::AssertUnwindSafe(|| call(&mut y));
    (std::panic::catch_unwind(call).is_err(), y)
}

/// Compares a kernel with its text, for inputs that are small enough and for others.
macro_rules! limited {
    ($name:ident, $n:expr, ($($argument:expr),*)) => {{
        let expected = outcome($n, &|y| $name::reference($($argument,)* y));
        each_variant($name::variants(), |isa| {
            let found = outcome($n, &|y| $name::with(isa, $($argument,)* y).unwrap());
            // What is written before a panic, nothing says.
            assert_eq!(found.0, expected.0, "{isa}");
            assert!(found.0 || found.1 == expected.1, "{isa}");
        });
        expected.0
    }};
}

#[test]
fn what_overflows_does_what_the_text_does() {
    let panics = cfg!(debug_assertions);
    let notes = [windows::REPORT, lives::REPORT, sums_of_products::REPORT].map(|report| {
        let mut lanes = report.lanes.iter();
        assert!(lanes.any(|own| !own.over.is_empty()), "{report}");
        report.notes.concat()
    });
    assert!(notes[0].contains("outside of -268435456..=268435455"));
    assert!(notes[1].contains("outside of 0..=31"));
    for large in [1 << 27, -1 << 28, 1 << 28, 1 << 30, i32::MIN] {
        let over = large.unsigned_abs() >= 1 << 30;
        for at in [0, 20, 57] {
            let mut x: Vec<i32> = (0..64).map(|i| i * 1000 - 30_000).collect();
            x[at..at + 3].fill(large);
            assert_eq!(limited!(windows, 64, (&x)), over && panics);
        }
    }
    for m in [3, 17, 70, 200] {
        let a: Vec<u8> = (0..5 * m).map(|i| (i * i % 7 < 3) as u8).collect();
        assert!(!limited!(lives, 5 * m, (5, m, &a)));
        for large in [31, 32, 250] {
            let mut a = a.clone();
            a[m + m / 2] = large;
            limited!(lives, 5 * m, (5, m, &a));
        }
        assert_eq!(limited!(lives, 5 * m, (5, m, &vec![32; 5 * m])), panics);
    }
    for (n, large) in [(0, 9), (70, -9), (3, 40_000), (70, 20_000), (70, 256)] {
        let x: Vec<[i32; 2]> = (0..70).map(|i| [i - large, large - 3 * i]).collect();
        limited!(sums_of_products, 40, (n, &x));
    }
}

#[test]
fn what_is_taken_away_from_what_it_was_added_to_fits() {
    assert!(shown::REPORT.notes.is_empty(), "{:?}", shown::REPORT.notes);
    let x: Vec<u8> = (0..99).map(|i| (i * 37) as u8).collect();
    limited!(shown, 99, (&x));
}

#[test]
fn what_may_overflow_runs_as_written() {
    let notes = not_shown::REPORT.notes.concat();
    assert!(notes.contains("may overflow `u32`"), "{notes}");
    let overflowing = [5, 1, 2];
    let (panics, expected) = outcome(2, &|y| not_shown::reference(&overflowing, y));
    each_variant(not_shown::variants(), |isa| {
        let found = outcome(2, &|y| not_shown::with(isa, &overflowing, y).unwrap());
        assert_eq!(found, (panics, expected.clone()), "{isa}");
    });
    let notes = few::REPORT.notes.concat();
    assert!(notes.contains("the text runs as written"), "{notes}");
    assert_eq!(few(&[255; 1000]), 255_000);
}
