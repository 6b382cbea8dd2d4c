//! Smallest and largest integers: of windows, rows, and all elements, under conditions or not.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

mod support;
use support::each_variant;

kernel! {
    pub fn dilated(image: &[u8], out: &mut [u8], w: usize, h: usize) {
        for y in 2..h - 2 {
            for x in 2..w - 2 {
                let mut m = 0u8;
                for dy in 0..5 {
                    for dx in 0..5 {
                        m = m.max(image[(y + dy - 2) * w + x + dx - 2]);
                    }
                }
                out[y * w + x] = m;
            }
        }
    }

    pub fn eroded(image: &[i16], out: &mut [i16], w: usize, h: usize) {
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                let mut m = i16::MAX;
                for dy in 0..3 {
                    for dx in 0..3 {
                        let v = image[(y + dy - 1) * w + x + dx - 1];
                        if v < m {
                            m = v;
                        }
                    }
                }
                out[y * w + x] = m;
            }
        }
    }

    pub fn of_rows(x: &[u16], y: &mut [u16], n: usize) {
        for i in 0..y.len() {
            let mut m = 3;
            for j in 0..n {
                m = x[i * n + j].max(m);
            }
            y[i] = m;
        }
    }

    pub fn of_some(x: &[i8], flags: &[i8], y: &mut [i8], n: usize) {
        for i in 0..y.len() {
            let mut m = 5i8;
            for j in 0..n {
                if flags[j] > 0 {
                    m = m.min(x[i * n + j]);
                }
            }
            y[i] = m;
        }
    }

    pub fn ends(x: &[i32], ends: &mut [i32; 2]) {
        let mut least = i32::MAX;
        let mut most = i32::MIN;
        for &v in x {
            if v <= least {
                least = v;
            }
            if v >= most {
                most = v;
            }
        }
        *ends = [least, most];
    }

    pub fn folded(x: &[i64]) -> i64 {
        x.iter().copied().fold(i64::MIN, |a, b| a.max(b))
    }

    pub fn narrow(x: &[u8]) -> u8 {
        let mut m = 7;
        for v in x {
            m = m.max(*v);
        }
        m
    }

    /// How far the values of a window lie apart: not below zero, as both ends are among the values.
    #[opt(require_lanes)]
    pub fn gradient(x: &[u8], y: &mut [u8], w: usize, h: usize) {
        for i in 0..h {
            let (up, down) = (if i > 0 { i - 1 } else { 0 }, if i + 1 < h { i + 1 } else { i });
            for j in 0..w {
                let (left, right) = (if j > 0 { j - 1 } else { 0 }, if j + 1 < w { j + 1 } else { j });
                let (mut low, mut high) = (u8::MAX, u8::MIN);
                for row in [up, i, down] {
                    for column in [left, j, right] {
                        let value = x[row * w + column];
                        low = low.min(value);
                        high = high.max(value);
                    }
                }
                y[i * w + j] = high - low;
            }
        }
    }

    /// How far the values of a window lie apart.
    pub fn spread(x: &[u8], y: &mut [u8]) {
        for i in 0..y.len() {
            let mut low = 255u8;
            let mut high = 0u8;
            for k in 0..6 {
                low = low.min(x[i + k]);
                high = high.max(x[i + k]);
            }
            y[i] = (i16::from(high) - i16::from(low)) as u8;
        }
    }
}

fn pattern<T>(n: usize, of: impl Fn(i64) -> T) -> Vec<T> {
    let mixed = |at: usize| (at as i64 + 1).wrapping_mul(0x5DEE_CE66_D5DE_ECE5);
    (0..n).map(|at| of(mixed(at) ^ (mixed(at) >> 17))).collect()
}

/// Whether every variant writes what the text writes.
macro_rules! check {
    ($kernel:ident($($before:expr),*; $out:expr $(; $($after:expr),*)?)) => {{
        let mut expected = $out;
        $kernel::reference($($before,)* &mut expected $($(, $after)*)?);
        each_variant($kernel::variants(), |isa| {
            let mut found = $out;
            $kernel::with(isa, $($before,)* &mut found $($(, $after)*)?).unwrap();
            assert_eq!(found, expected, "{}, {isa}", stringify!($kernel));
        });
    }};
}

#[test]
fn extrema_are_those_of_the_text() {
    for n in [0, 1, 2, 5, 8, 15, 16, 31, 33, 64, 70] {
        let (w, h) = (n + 5, 7);
        let bytes = pattern(w * h, |m| (m >> 5) as u8);
        check!(dilated(&bytes; vec![1; w * h]; w, h));
        check!(gradient(&bytes; vec![1; w * h]; w, h));
        check!(eroded(&pattern(w * h, |m| m as i16); vec![1; w * h]; w, h));
        for rows in [0, 1, 3, 40] {
            check!(of_rows(&pattern(n * rows, |m| m as u16); vec![1; rows]; n));
            let (x, flags) = (
                pattern(n * rows, |m| m as i8),
                pattern(n, |m| (m >> 7) as i8),
            );
            check!(of_some(&x, &flags; vec![1; rows]; n));
        }
        let x = pattern(n, |m| m as i32);
        check!(ends(&x; [1, 2]));
        check!(spread(&pattern(n + 5, |m| (m >> 3) as u8); vec![1; n]));
        let (wide, bytes) = (pattern(n, |m| m), pattern(n, |m| (m >> 9) as u8));
        each_variant(folded::variants(), |isa| {
            assert_eq!(folded::with(isa, &wide).unwrap(), folded::reference(&wide));
        });
        each_variant(narrow::variants(), |isa| {
            assert_eq!(
                narrow::with(isa, &bytes).unwrap(),
                narrow::reference(&bytes)
            );
        });
    }
}

#[test]
fn windows_share_what_they_have_in_common() {
    let operations = |report: loopwright::Report| report.expansion.operations();
    assert!(operations(dilated::REPORT) <= 8, "{}", dilated::REPORT);
    assert!(operations(eroded::REPORT) <= 5, "{}", eroded::REPORT);
    for report in [
        dilated::REPORT,
        eroded::REPORT,
        of_rows::REPORT,
        spread::REPORT,
    ] {
        let lanes = report.lanes.iter().any(|lanes| lanes.width > 1);
        assert!(lanes, "{report:#}");
    }
}
