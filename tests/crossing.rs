//! Arrays that are read across the lanes: transposed, turned by a quarter, with their axes in another order.
#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;
use ndarray::{Array2, Array3, ArrayView2, ArrayView3, ArrayViewMut2, ArrayViewMut3, ShapeBuilder};

mod support;
use support::{decided, each_variant, naturals, near, reals, same_grids};

kernel! {
    #[opt(require_lanes)]
    pub fn transposed(w: usize, h: usize, a: &[f64], b: &mut [f64]) {
        for y in 0..h {
            for x in 0..w {
                b[y * w + x] = a[x * h + y];
            }
        }
    }

    #[opt(require_lanes)]
    pub fn added_single(w: usize, h: usize, a: &[f32], b: &mut [f32]) {
        for y in 0..h {
            for x in 0..w {
                b[y * w + x] += 2.0 * a[x * h + y];
            }
        }
    }

    /// Turned by a quarter, to the one side and to the other.
    #[opt(require_lanes)]
    pub fn quarters(w: usize, h: usize, a: &[f32], b: &mut [f32]) {
        for y in 0..h {
            for x in 0..w {
                b[y * w + x] = a[(w - 1 - x) * h + y] - a[x * h + (h - 1 - y)];
            }
        }
    }

    /// Beside what is read along the lanes, several places of the same rows, and a part of the array only.
    pub fn shifted(a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>) {
        let (h, w) = b.dim();
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                b[[y, x]] = a[[x, y - 1]] + a[[x, y + 1]] - a[[y, x]] + a[[x - 1, y]];
            }
        }
    }

    #[opt(require_lanes)]
    pub fn integers(w: usize, h: usize, a: &[u32], b: &mut [u32]) {
        for y in 0..h {
            for x in 0..w {
                b[y * w + x] = a[x * h + y];
            }
        }
    }

    pub fn symmetric_part(a: ArrayView2<f64>, mut b: ArrayViewMut2<f64>) {
        let n = a.nrows();
        for i in 0..n {
            for j in 0..n {
                b[[i, j]] = 0.5 * (a[[i, j]] + a[[j, i]]);
            }
        }
    }

    pub fn permuted(a: ArrayView3<f32>, mut b: ArrayViewMut3<f32>) {
        let (l, m, n) = b.dim();
        for i in 0..l {
            for j in 0..m {
                for k in 0..n {
                    b[[i, j, k]] = a[[i, k, j]] - a[[i, n - 1 - k, j]];
                }
            }
        }
    }

    /// Rows of constant length.
    pub fn constant(a: &[[f64; 11]; 9], b: &mut [[f64; 9]; 11]) {
        for y in 0..11 {
            for x in 0..9 {
                b[y][x] = a[x][y];
            }
        }
    }
}

/// Shorter than a vector, and than a row that is loaded; whole ones, and one more; strips, and what they leave.
const SIZES: [(usize, usize); 18] = [
    (1, 1),
    (2, 3),
    (3, 2),
    (3, 9),
    (4, 4),
    (5, 8),
    (7, 6),
    (8, 8),
    (9, 13),
    (16, 4),
    (17, 5),
    (31, 18),
    (33, 40),
    (64, 65),
    (150, 21),
    (21, 300),
    (300, 21),
    (513, 9),
];

fn singles(count: usize, seed: u64) -> Vec<f32> {
    let all = reals(count, seed).into_iter();
    all.map(|value| value as f32).collect()
}

#[test]
fn rows_across_the_lanes_are_those_of_the_text() {
    let bits = |e: f64, f: f64| e.to_bits() == f.to_bits();
    same_grids!(
        SIZES,
        transposed,
        |w, h| (w, h, &reals(w * h, 3)),
        reals(w * h, 4),
        bits
    );
    let bits = |e: f32, f: f32| e.to_bits() == f.to_bits();
    same_grids!(
        SIZES,
        added_single,
        |w, h| (w, h, &singles(w * h, 5)),
        singles(w * h, 6),
        bits
    );
    same_grids!(
        SIZES,
        quarters,
        |w, h| (w, h, &singles(w * h, 7)),
        singles(w * h, 8),
        bits
    );
    let same = |e: u32, f: u32| e == f;
    let words = |count: usize, seed: u64| -> Vec<u32> {
        naturals(count, seed)
            .into_iter()
            .map(|value| value as u32)
            .collect()
    };
    same_grids!(
        SIZES,
        integers,
        |w, h| (w, h, &words(w * h, 9)),
        words(w * h, 10),
        same
    );
}

#[test]
fn places_beside_each_other_are_read_from_the_same_rows() {
    for n in [1, 2, 3, 4, 5, 9, 18, 19, 40, 75] {
        let a = Array2::from_shape_vec((n, n), reals(n * n, 11)).unwrap();
        let b = Array2::from_shape_vec((n, n), reals(n * n, 12)).unwrap();
        let mut expected = b.clone();
        shifted::reference(a.view(), expected.view_mut());
        each_variant(shifted::variants(), |isa| {
            let mut found = b.clone();
            shifted::with(isa, a.view(), found.view_mut()).unwrap();
            let [found, expected] = [&found, &expected].map(|of| of.as_slice().unwrap());
            assert!(near(found, expected), "{isa}, {n}");
        });
    }
}

#[test]
fn views_are_read_across_the_lanes_in_every_layout() {
    for n in [1, 2, 3, 4, 7, 8, 15, 16, 33, 70] {
        let rows = Array2::from_shape_vec((n, n), reals(n * n, 13)).unwrap();
        let columns = Array2::from_shape_vec((n, n).f(), reals(n * n, 14)).unwrap();
        for (a, b) in [
            (&rows, &rows),
            (&columns, &columns),
            (&rows, &columns),
            (&columns, &rows),
        ] {
            let mut expected = b.clone();
            symmetric_part::reference(a.view(), expected.view_mut());
            each_variant(symmetric_part::variants(), |isa| {
                let mut found = b.clone();
                symmetric_part::with(isa, a.view(), found.view_mut()).unwrap();
                assert_eq!(found, expected, "{isa}, {n}");
            });
        }
    }
}

#[test]
fn axes_are_permuted() {
    for (l, m, n) in [(1, 1, 1), (2, 5, 3), (3, 4, 17), (2, 33, 35), (1, 70, 9)] {
        let a = Array3::from_shape_vec((l, n, m), singles(l * m * n, 15)).unwrap();
        let mut expected = Array3::zeros((l, m, n));
        permuted::reference(a.view(), expected.view_mut());
        each_variant(permuted::variants(), |isa| {
            let mut found = Array3::zeros((l, m, n));
            permuted::with(isa, a.view(), found.view_mut()).unwrap();
            assert_eq!(found, expected, "{isa}, {l} {m} {n}");
        });
    }
}

#[test]
fn rows_of_constant_length_are_transposed() {
    let values = reals(99, 16);
    let a: [[f64; 11]; 9] = std::array::from_fn(|x| std::array::from_fn(|y| values[x * 11 + y]));
    let mut expected = [[0.0; 9]; 11];
    constant::reference(&a, &mut expected);
    each_variant(constant::variants(), |isa| {
        let mut found = [[0.0; 9]; 11];
        constant::with(isa, &a, &mut found).unwrap();
        assert_eq!(found, expected, "{isa}");
    });
}

#[test]
fn rows_take_a_step_together() {
    let reports = [
        transposed::REPORT,
        added_single::REPORT,
        quarters::REPORT,
        integers::REPORT,
        symmetric_part::REPORT,
        permuted::REPORT,
    ];
    for report in reports {
        let together = decided(&report, "4 rows a step; strips of 256 columns");
        assert_eq!(together, 2, "{report}");
    }
}
