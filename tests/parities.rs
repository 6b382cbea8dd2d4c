//! Loops over grids that ask whether positions, or sums of them, are even: mosaics of colours, checkerboards, red and black points.
#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

mod support;
use support::{each_variant, naturals, reals, same_grids};

kernel! {
    /// The mosaic of a sensor: red and green, green and blue.
    pub fn colours(w: usize, h: usize, raw: &[u16], rgb: &mut [[u16; 3]]) {
        for y in 1..h.saturating_sub(1) {
            for x in 1..w.saturating_sub(1) {
                let p = |dx: usize, dy: usize| raw[(y + dy - 1) * w + (x + dx - 1)] as u32;
                let cross = (p(1, 0) + p(0, 1) + p(2, 1) + p(1, 2)) / 4;
                let diagonal = (p(0, 0) + p(2, 0) + p(0, 2) + p(2, 2)) / 4;
                let (r, g, b) = match (y & 1, x & 1) {
                    (0, 0) => (p(1, 1), cross, diagonal),
                    (0, 1) => ((p(0, 1) + p(2, 1)) / 2, p(1, 1), (p(1, 0) + p(1, 2)) / 2),
                    (1, 0) => ((p(1, 0) + p(1, 2)) / 2, p(1, 1), (p(0, 1) + p(2, 1)) / 2),
                    _ => (diagonal, cross, p(1, 1)),
                };
                rgb[y * w + x] = [r as u16, g as u16, b as u16];
            }
        }
    }

    pub fn checkered(w: usize, h: usize, a: &[f64], b: &mut [f64]) {
        for y in 0..h {
            for x in 0..w {
                b[y * w + x] = if (x + y + 1) % 2 == 0 { a[y * w + x] } else { 0.5 * a[y * w + x] };
            }
        }
    }

    /// One parity in each row, in a loop that begins at 1.
    #[opt(require_lanes)]
    pub fn columns(w: usize, h: usize, a: &[f32], b: &mut [f32]) {
        for y in 0..h {
            for x in 1..w {
                let c = y * w + x;
                b[c] = if x % 2 == 1 { a[c] - a[c - 1] } else { a[c - 1] };
            }
        }
    }

    pub fn exclusive(w: usize, h: usize, a: &[i32], b: &mut [i32]) {
        for y in 0..h {
            for x in 0..w {
                let odd = (x ^ y) & 1 == 1;
                b[y * w + x] = if odd { a[y * w + x] } else { !a[y * w + x] };
            }
        }
    }

    /// Points of one colour after those of the other one, in place.
    #[opt(require_lanes)]
    pub fn red_black(w: usize, h: usize, f: &[f64], u: &mut [f64]) {
        for colour in 0..2 {
            for y in 1..h.saturating_sub(1) {
                for x in 1..w.saturating_sub(1) {
                    if (x + y) % 2 == colour {
                        let i = y * w + x;
                        u[i] = 0.25 * (u[i - 1] + u[i + 1] + u[i - w] + u[i + w] - f[i]);
                    }
                }
            }
        }
    }

    #[opt(require_lanes)]
    pub fn red_black_3d(n: usize, f: &[f32], u: &mut [f32]) {
        for colour in 0..2 {
            for z in 1..n - 1 {
                for y in 1..n - 1 {
                    for x in 1..n - 1 {
                        if (x + y + z) % 2 == colour {
                            let i = (z * n + y) * n + x;
                            let sides = u[i - 1] + u[i + 1] + u[i - n] + u[i + n] + u[i - n * n] + u[i + n * n];
                            u[i] = (sides - f[i]) * 0.125;
                        }
                    }
                }
            }
        }
    }

    /// Whole arrays of what is read as it is.
    #[opt(require_lanes)]
    pub fn grey_to_colours(grey: &[u8], rgb: &mut [[u8; 3]]) {
        for i in 0..grey.len() {
            let g = grey[i];
            rgb[i] = [g, g, !g];
        }
    }
}

fn singles(n: usize, seed: u64) -> Vec<f32> {
    reals(n, seed).into_iter().map(|v| v as f32).collect()
}

fn integers(n: usize, seed: u64) -> Vec<i32> {
    naturals(n, seed).into_iter().map(|v| v as i32).collect()
}

const SIZES: [(usize, usize); 16] = [
    (0, 0),
    (0, 3),
    (1, 1),
    (1, 4),
    (2, 2),
    (3, 2),
    (3, 3),
    (4, 4),
    (5, 4),
    (4, 5),
    (16, 9),
    (33, 8),
    (34, 34),
    (35, 35),
    (67, 6),
    (130, 7),
];

#[test]
fn each_parity_is_that_of_the_text() {
    let samples = |n, seed| -> Vec<u16> { naturals(n, seed).iter().map(|v| *v as u16).collect() };
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * a.abs().max(1.0);
    let close_singles = |a: f32, b: f32| (a - b).abs() <= 1e-5 * a.abs().max(1000.0);
    same_grids!(
        SIZES,
        colours,
        |w, h| (w, h, &samples(w * h, 1)),
        vec![[7_u16; 3]; w * h],
        |a: [u16; 3], b| a == b
    );
    same_grids!(
        SIZES,
        checkered,
        |w, h| (w, h, &reals(w * h, 2)),
        vec![1.0; w * h],
        close
    );
    same_grids!(
        SIZES,
        columns,
        |w, h| (w, h, &singles(w * h, 3)),
        vec![1.0; w * h],
        close_singles
    );
    same_grids!(
        SIZES,
        exclusive,
        |w, h| (w, h, &integers(w * h, 4)),
        vec![9; w * h],
        |a: i32, b| a == b
    );
}

#[test]
fn points_of_one_colour_read_those_of_the_other_one() {
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * a.abs().max(1000.0);
    let close_singles = |a: f32, b: f32| (a - b).abs() <= 1e-5 * a.abs().max(1000.0);
    same_grids!(
        SIZES,
        red_black,
        |w, h| (w, h, &reals(w * h, 5)),
        reals(w * h, 6),
        close
    );
    for n in [2, 3, 4, 5, 8, 9, 18, 19] {
        let mut expected = singles(n * n * n, 7);
        red_black_3d::reference(n, &singles(n * n * n, 8), &mut expected);
        each_variant(red_black_3d::variants(), |isa| {
            let mut found = singles(n * n * n, 7);
            red_black_3d::with(isa, n, &singles(n * n * n, 8), &mut found).unwrap();
            let mut both = expected.iter().zip(&found);
            assert!(both.all(|(e, f)| close_singles(*e, *f)), "{isa}, {n}");
        });
    }
}

#[test]
fn elements_of_arrays_are_assigned_as_they_are() {
    for n in [0, 1, 5, 16, 63, 64, 200] {
        let grey: Vec<u8> = naturals(n, 9).iter().map(|v| *v as u8).collect();
        let expected: Vec<[u8; 3]> = grey.iter().map(|g| [*g, *g, !*g]).collect();
        each_variant(grey_to_colours::variants(), |isa| {
            let mut found = vec![[0; 3]; n];
            grey_to_colours::with(isa, &grey, &mut found).unwrap();
            assert_eq!(found, expected, "{isa}, {n}");
        });
    }
}

/// None of them runs as written, nor does the text for grids with an even, or with an odd, number of rows or columns.
#[test]
fn no_parity_of_the_grid_is_left_to_the_text() {
    let reports = [
        colours::REPORT,
        checkered::REPORT,
        columns::REPORT,
        exclusive::REPORT,
        red_black::REPORT,
        red_black_3d::REPORT,
    ];
    for report in reports {
        let left =
            |note: &&&str| note.contains("runs as written, compiled") || note.contains("`rest");
        assert_eq!(report.notes.iter().find(left), None, "{}", report.kernel);
    }
}
