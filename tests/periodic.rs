//! Loops that ask for remainders and quotients of positions by a constant: blocks of them have lanes.
#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

mod support;
use support::{each_variant, naturals, reals};

kernel! {
    const GAINS: [f32; 3] = [0.5, 1.5, -2.0];
    const BAYER: [[u8; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];

    #[opt(require_lanes)]
    pub fn channels(samples: &mut [f32]) {
        for (i, s) in samples.iter_mut().enumerate() {
            *s *= GAINS[i % 3];
        }
    }

    #[opt(require_lanes)]
    pub fn windowed(window: &[f64; 7], x: &[f64], y: &mut [f64]) {
        for i in 0..x.len().min(y.len()) {
            y[i] = x[i] * window[i % 5] + window[(i + 3) % 5];
        }
    }

    #[opt(require_lanes)]
    pub fn keyed(key: &[u8; 16], data: &mut [u8]) {
        for (i, b) in data.iter_mut().enumerate() {
            *b ^= key[i & 15];
        }
    }

    #[opt(require_lanes)]
    pub fn dithered(w: usize, src: &[u8], dst: &mut [u8]) {
        for (y, (line, out)) in src.chunks_exact(w).zip(dst.chunks_exact_mut(w)).enumerate() {
            for (x, (&p, o)) in line.iter().zip(out.iter_mut()).enumerate() {
                *o = if p / 16 > BAYER[y % 4][x % 4] { 255 } else { 0 };
            }
        }
    }

    #[opt(require_lanes)]
    pub fn repeated(x: &[f32], y: &mut [f32]) {
        for i in 0..y.len() {
            y[i] = x[i / 2];
        }
    }

    /// From a position inside of a period.
    #[opt(require_lanes)]
    pub fn from_five(x: &[f64], weights: &[f64; 4], y: &mut [f64]) {
        for i in 5..x.len() {
            y[i] = x[i - 5] * weights[i % 4] + weights[(i + 2) % 4];
        }
    }

    /// As numbers, and as what decides.
    #[opt(require_lanes)]
    pub fn numbers(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            let phase = i % 6;
            y[i] = if phase < 2 { x[i] } else { x[i] * phase as f64 + (i / 6) as f64 };
        }
    }

    #[opt(require_lanes)]
    pub fn coarse_and_fine(x: &[f64], fine: &[f64; 8], coarse: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] = x[i] * fine[i & 7] + coarse[i >> 3];
        }
    }

    /// Colours of a sensor with a filter over each of its elements.
    pub fn mosaic(w: usize, red: &[f32], green: &[f32], blue: &[f32], raw: &mut [f32]) {
        for (y, line) in raw.chunks_exact_mut(w).enumerate() {
            for (x, o) in line.iter_mut().enumerate() {
                let at = y * w + x;
                *o = match (x % 2, y % 2) {
                    (0, 0) => red[at],
                    (1, 1) => blue[at],
                    _ => green[at],
                };
            }
        }
    }

    /// Rows and columns of what is one loop.
    #[opt(require_lanes)]
    pub fn vignette(w: usize, columns: &[f32], rows: &[f32], image: &mut [f32]) {
        for (i, p) in image.iter_mut().enumerate() {
            let (x, y) = (i % w, i / w);
            *p *= columns[x] * rows[y];
        }
    }

    #[opt(require_lanes)]
    pub fn flat(w: usize, h: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..w * h {
            y[i] = if i % w > 0 { x[i] - x[i - 1] } else { 0.0 };
        }
    }

    /// Each phase has a sum of its own.
    pub fn phases(x: &[i32], sums: &mut [i32; 4]) {
        for (i, v) in x.iter().enumerate() {
            sums[i % 4] = sums[i % 4].wrapping_add(*v);
        }
    }

    /// Two periods stay as they are written.
    pub fn two_periods(a: &[f64; 2], b: &[f64; 3], y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] = a[i % 2] + b[i % 3];
        }
    }
}

const SIZES: [usize; 14] = [0, 1, 2, 3, 5, 8, 15, 16, 17, 63, 64, 200, 385, 1001];

/// A kernel's variants against its text.
macro_rules! same {
    ($kernel:ident, |$n:ident| ($($argument:expr),*), $out:expr) => {
        for $n in SIZES {
            let mut expected = $out;
            $kernel::reference($($argument,)* &mut expected);
            each_variant($kernel::variants(), |isa| {
                let mut found = $out;
                $kernel::with(isa, $($argument,)* &mut found).unwrap();
                assert_eq!(found, expected, "{isa}, {}", $n);
            });
        }
    };
}

#[test]
fn constant_arrays_are_repeated() {
    let singles = |n, seed| -> Vec<f32> { reals(n, seed).iter().map(|v| *v as f32).collect() };
    let bytes = |n, seed| -> Vec<u8> { naturals(n, seed).iter().map(|v| *v as u8).collect() };
    same!(channels, |n| (), singles(n, 1));
    let window: [f64; 7] = reals(7, 2).try_into().unwrap();
    same!(windowed, |n| (&window, &reals(n, 3)), vec![1.0; n + 2]);
    let key: [u8; 16] = bytes(16, 4).try_into().unwrap();
    same!(keyed, |n| (&key), bytes(n, 5));
    for width in [1, 2, 5, 16, 63, 70, 130] {
        same!(dithered, |n| (width, &bytes(n, 6)), vec![7; n + 3]);
    }
    let weights: [f64; 4] = reals(4, 7).try_into().unwrap();
    same!(from_five, |n| (&reals(n, 8), &weights), vec![0.5; n]);
}

#[test]
fn quotients_and_numbers_are_those_of_the_text() {
    let singles = |n, seed| -> Vec<f32> { reals(n, seed).iter().map(|v| *v as f32).collect() };
    same!(repeated, |n| (&singles(n, 9)), vec![0.0; 2 * n]);
    same!(numbers, |n| (&reals(n, 10)), vec![0.0; n]);
    let fine: [f64; 8] = reals(8, 11).try_into().unwrap();
    let coarse = reals(200, 13);
    same!(
        coarse_and_fine,
        |n| (&reals(n, 12), &fine, &coarse),
        vec![0.0; n]
    );
    for width in [1, 2, 7, 16, 33, 100] {
        let plane = |seed| singles(1100, seed);
        let [red, green, blue] = [15, 16, 17].map(plane);
        same!(mosaic, |n| (width, &red, &green, &blue), vec![0.0; n + 1]);
        // Also where something is left of the rows.
        // Small numbers, whose products are exact.
        let small =
            |n, seed| -> Vec<f32> { naturals(n, seed).iter().map(|v| (*v % 64) as f32).collect() };
        let [across, down] = [small(1001, 20), small(1001, 21)];
        same!(vignette, |n| (width, &across, &down), small(n, 18));
        for height in [0, 1, 5] {
            same!(
                flat,
                |n| (width, height, &reals(n + 500, 19)),
                vec![0.5; n + 500]
            );
        }
    }
    let signed = |n, seed| -> Vec<i32> { naturals(n, seed).iter().map(|v| *v as i32).collect() };
    same!(phases, |n| (&signed(n, 14)), [5, 6, 7, 8]);
    same!(
        two_periods,
        |n| (&[1.0, 2.0], &[3.0, 4.0, 5.0]),
        vec![0.0; n]
    );
}

#[test]
fn what_is_too_short_panics_before_anything_is_written() {
    let mut y = vec![3.0; 40];
    let run = std::panic::AssertUnwindSafe(|| {
        coarse_and_fine(&[1.0; 40], &[1.0; 8], &[2.0; 4], &mut y);
    });
    assert!(std::panic::catch_unwind(run).is_err());
    assert_eq!(y, [3.0; 40]);
}
