//! Vectors that iterations of a loop fill anew, as rows of images between two passes are: each iteration has its own.
#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

mod support;
use support::{each_variant, reals, same_grids};

kernel! {
    const WEIGHTS: [f32; 5] = [0.0625, 0.25, 0.375, 0.25, 0.0625];

    /// Down the columns into a row, and along it; clamped at all sides.
    #[opt(require_lanes)]
    pub fn clamped(w: usize, h: usize, a: &[f32], b: &mut [f32]) {
        let mut row = vec![0.0f32; w];
        for y in 0..h {
            for x in 0..w {
                let mut s = 0.0;
                for k in 0..5 {
                    s += WEIGHTS[k] * a[(y + k).saturating_sub(2).min(h - 1) * w + x];
                }
                row[x] = s;
            }
            for x in 0..w {
                let mut s = 0.0;
                for k in 0..5 {
                    s += WEIGHTS[k] * row[(x + k).saturating_sub(2).min(w - 1)];
                }
                b[y * w + x] = s;
            }
        }
    }

    /// Allocated in the loop.
    #[opt(require_lanes)]
    pub fn allocated_there(w: usize, h: usize, a: &[f64], b: &mut [f64]) {
        for y in 1..h {
            let mut row = vec![0.0; w];
            for x in 0..w {
                row[x] = a[y * w + x] - a[(y - 1) * w + x];
            }
            for x in 1..w {
                b[y * w + x] = row[x] * row[x - 1];
            }
        }
    }

    /// Some of it is what it was when it was allocated.
    #[opt(require_lanes)]
    pub fn zeros_around(w: usize, h: usize, a: &[f64], b: &mut [f64]) {
        for y in 0..h {
            let mut row = vec![0.5; w + 2];
            for x in 0..w {
                row[x + 1] = a[y * w + x];
            }
            for x in 0..w {
                b[y * w + x] = row[x] + 2.0 * row[x + 1] + row[x + 2];
            }
        }
    }

    /// Two rows, in the inner one of two loops.
    #[opt(require_lanes)]
    pub fn two_rows(n: usize, m: usize, a: &[f64], b: &mut [f64]) {
        let mut above = vec![0.0; m];
        let mut below = vec![0.0; m];
        for z in 0..n {
            for y in 1..m - 1 {
                for x in 0..m {
                    above[x] = a[(z * m + y - 1) * m + x];
                    below[x] = a[(z * m + y + 1) * m + x];
                }
                for x in 1..m - 1 {
                    b[(z * m + y) * m + x] = above[x - 1] - below[x + 1];
                }
            }
        }
    }

    /// Erosion of bytes: of integers.
    #[opt(require_lanes)]
    pub fn eroded(w: usize, h: usize, a: &[u8], b: &mut [u8]) {
        let mut row = vec![0_u8; w];
        for y in 1..h - 1 {
            for x in 0..w {
                row[x] = a[(y - 1) * w + x].min(a[y * w + x]).min(a[(y + 1) * w + x]);
            }
            for x in 1..w - 1 {
                b[y * w + x] = row[x - 1].min(row[x]).min(row[x + 1]);
            }
        }
    }

    /// What sums in a row may be is known by what was written there.
    #[opt(require_lanes)]
    pub fn blurred(w: usize, h: usize, a: &[u8], b: &mut [u8]) {
        let mut row = vec![0_u16; w];
        for y in 1..h - 1 {
            for x in 0..w {
                let ends = u16::from(a[(y - 1) * w + x]) + u16::from(a[(y + 1) * w + x]);
                row[x] = ends + 2 * u16::from(a[y * w + x]);
            }
            for x in 1..w - 1 {
                b[y * w + x] = ((row[x - 1] + 2 * row[x] + row[x + 1] + 8) / 16) as u8;
            }
        }
    }

    /// What the row before has left is read.
    pub fn late(w: usize, h: usize, a: &[f64], b: &mut [f64]) {
        let mut row = vec![0.0; w];
        for y in 0..h {
            for x in 0..w {
                b[y * w + x] = row[x] + a[y * w + x];
            }
            for x in 0..w {
                row[x] = a[y * w + x];
            }
        }
    }

    /// A part of the row is written in some iterations alone.
    pub fn sometimes(w: usize, h: usize, a: &[f64], b: &mut [f64]) {
        let mut row = vec![0.0; w];
        for y in 0..h {
            if y < 2 {
                row[0] = a[y];
            }
            for x in 1..w {
                row[x] = a[y * w + x];
            }
            for x in 0..w - 1 {
                b[y * w + x] = row[x] + row[x + 1];
            }
        }
    }

    /// Fewer elements each time.
    pub fn fewer(n: usize, a: &[f64], b: &mut [f64]) {
        let mut row = vec![0.0; n];
        for y in 0..n {
            for x in y..n {
                row[x] = a[y * n + x];
            }
            for x in 0..n {
                b[y * n + x] = row[x];
            }
        }
    }

    /// The last row is read after the loop.
    pub fn last(w: usize, h: usize, a: &[f64], b: &mut [f64]) {
        let mut row = vec![0.0; w];
        for y in 0..h {
            for x in 0..w {
                row[x] = 2.0 * a[y * w + x];
            }
            for x in 1..w {
                b[y * w + x] = row[x] - row[x - 1];
            }
        }
        for x in 0..w {
            b[x] += row[x];
        }
    }

    /// The element before is that of the same row, the one behind that of the row before.
    pub fn mixed(w: usize, h: usize, a: &[f64], b: &mut [f64]) {
        let mut row = vec![0.0; w + 1];
        for y in 0..h {
            for x in 0..w {
                row[x] = a[y * w + x] + row[x + 1];
                b[y * w + x] = row[x];
            }
        }
    }
}

fn bytes(n: usize, seed: u64) -> Vec<u8> {
    reals(n, seed)
        .iter()
        .map(|v| (v * 64.0) as i64 as u8)
        .collect()
}

const SIZES: [(usize, usize); 12] = [
    (1, 2),
    (2, 1),
    (2, 3),
    (3, 2),
    (3, 3),
    (5, 4),
    (9, 9),
    (16, 7),
    (33, 12),
    (64, 5),
    (70, 31),
    (131, 4),
];

/// To rounding, beside sums of numbers up to 2048.
fn near(expected: impl Into<f64>, found: impl Into<f64>) -> bool {
    let (expected, found) = (expected.into(), found.into());
    (expected - found).abs() <= 1e-6 * expected.abs().max(2000.0)
}

#[test]
fn each_iteration_has_a_row() {
    let singles = |n| -> Vec<f32> { reals(n, 1).iter().map(|v| *v as f32).collect() };
    same_grids!(
        SIZES,
        clamped,
        |w, h| (w, h, &singles(w * h)),
        vec![0.5_f32; w * h],
        near
    );
    same_grids!(
        SIZES,
        allocated_there,
        |w, h| (w, h, &reals(w * h, 2)),
        vec![0.5; w * h],
        near
    );
    same_grids!(
        SIZES,
        zeros_around,
        |w, h| (w, h, &reals(w * h, 3)),
        vec![0.5; w * h],
        near
    );
    for (n, m) in SIZES {
        let a = reals(n * m * m, 4);
        let mut expected = vec![0.5; n * m * m];
        let works = m > 1;
        if works {
            two_rows::reference(n, m, &a, &mut expected);
            each_variant(two_rows::variants(), |isa| {
                let mut found = vec![0.5; n * m * m];
                two_rows::with(isa, n, m, &a, &mut found).unwrap();
                assert_eq!(found, expected, "{isa}, {n}, {m}");
            });
        }
    }
}

#[test]
fn rows_of_integers() {
    for (w, h) in SIZES.into_iter().filter(|(w, h)| *w > 1 && *h > 1) {
        let a = bytes(w * h, 5);
        let (mut least, mut sums) = (vec![7; w * h], vec![7; w * h]);
        eroded::reference(w, h, &a, &mut least);
        blurred::reference(w, h, &a, &mut sums);
        each_variant(eroded::variants(), |isa| {
            let mut found = vec![7; w * h];
            eroded::with(isa, w, h, &a, &mut found).unwrap();
            assert_eq!(found, least, "{isa}, {w} by {h}");
        });
        each_variant(blurred::variants(), |isa| {
            let mut found = vec![7; w * h];
            blurred::with(isa, w, h, &a, &mut found).unwrap();
            assert_eq!(found, sums, "{isa}, {w} by {h}");
        });
    }
}

#[test]
fn what_earlier_iterations_left_is_read() {
    same_grids!(
        SIZES,
        late,
        |w, h| (w, h, &reals(w * h, 6)),
        vec![0.5; w * h],
        near
    );
    same_grids!(
        SIZES,
        sometimes,
        |w, h| (w, h, &reals(w * h, 7)),
        vec![0.5; w * h],
        near
    );
    same_grids!(
        SIZES,
        last,
        |w, h| (w, h, &reals(w * h, 8)),
        vec![0.5; w * h],
        near
    );
    same_grids!(
        SIZES,
        mixed,
        |w, h| (w, h, &reals(w * h, 9)),
        vec![0.5; w * h],
        near
    );
    for n in [0, 1, 2, 3, 9, 40, 70] {
        let a = reals(n * n, 10);
        let mut expected = vec![0.5; n * n];
        fewer::reference(n, &a, &mut expected);
        each_variant(fewer::variants(), |isa| {
            let mut found = vec![0.5; n * n];
            fewer::with(isa, n, &a, &mut found).unwrap();
            assert_eq!(found, expected, "{isa}, {n}");
        });
    }
}
