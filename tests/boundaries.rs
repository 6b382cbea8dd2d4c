//! Loops with conditions on integers: cut where these change, against `reference` in every variant.

#![allow(missing_docs, reason = "kernels of tests")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use loopwright::{Report, kernel};
use ndarray::{Array2, ArrayView2, ArrayViewMut2};

mod support;
use support::{each_variant, near, noise};

/// A program with lanes; it may be that the text runs for short arrays.
fn has_lanes(report: &Report) -> bool {
    let decisions = report.passes.iter().flat_map(|pass| pass.decisions);
    let mut notes = report.notes.iter();
    notes.all(|note| support::is_about_inputs(note))
        && decisions
            .clone()
            .any(|d| d.contains("width 4, lanes over `"))
}

const SIZES: [usize; 9] = [0, 1, 2, 3, 4, 7, 8, 9, 17];

kernel! {
    pub fn upwind(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = if i > 0 { x[i] - x[i - 1] } else { x[0] };
        }
    }

    /// Both ends, through a choice of subscripts.
    pub fn clamped(n: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            let left = if i == 0 { 0 } else { i - 1 };
            let right = if i < n - 1 { i + 1 } else { n - 1 };
            y[i] += 0.5 * (x[right] - x[left]);
        }
    }

    pub fn periodic(x: &[f64], y: &mut [f64]) {
        let n = x.len();
        for i in 0..n {
            y[i] = x[(i + 1) % n] - 2.0 * x[i] + x[(i + n - 1) % n];
        }
    }

    /// Sums over a cut loop, downwards, and one over fixed numbers.
    pub fn sums(x: &[f64], w: &[f64; 12]) -> f64 {
        let mut sum = 0.0;
        for i in (0..x.len()).rev() {
            sum += if i != 2 { x[i] } else { 2.0 * x[i] };
        }
        for k in 0..12 {
            sum += if k >= 5 { w[k] * w[(k + 3) % 12] } else { w[k] };
        }
        sum
    }
}

#[test]
fn conditions_in_one_loop() {
    assert!(has_lanes(&upwind::REPORT), "{}", upwind::REPORT);
    assert!(has_lanes(&clamped::REPORT), "{}", clamped::REPORT);
    assert!(has_lanes(&periodic::REPORT), "{}", periodic::REPORT);
    assert!(has_lanes(&sums::REPORT), "{}", sums::REPORT);
    let w = std::array::from_fn(noise);
    for n in SIZES {
        let x: Vec<_> = (0..n).map(|i| noise(i + 50)).collect();
        let mut expected = [(); 3].map(|()| vec![0.25; n]);
        upwind::reference(&x, &mut expected[0]);
        clamped::reference(n, &x, &mut expected[1]);
        periodic::reference(&x, &mut expected[2]);
        let total = sums::reference(&x, &w);
        each_variant(upwind::variants(), |isa| {
            let mut found = [(); 3].map(|()| vec![0.25; n]);
            upwind::with(isa, &x, &mut found[0]).unwrap();
            clamped::with(isa, n, &x, &mut found[1]).unwrap();
            periodic::with(isa, &x, &mut found[2]).unwrap();
            for (found, expected) in found.iter().zip(&expected) {
                assert!(near(found, expected), "{isa:?}, n = {n}");
            }
            let sum = sums::with(isa, &x, &w).unwrap();
            assert!(near(&[sum], &[total]), "{isa:?}, n = {n}");
        });
    }
}

kernel! {
    /// Five points with values beyond the boundary taken from it.
    pub fn diffuse(u: ArrayView2<f64>, mut v: ArrayViewMut2<f64>) {
        let (n, m) = u.dim();
        for i in 0..n {
            for j in 0..m {
                let north = if i > 0 { u[[i - 1, j]] } else { u[[i, j]] };
                let south = if i + 1 < n { u[[i + 1, j]] } else { u[[i, j]] };
                let west = if j > 0 { u[[i, j - 1]] } else { u[[i, j]] };
                let east = if j + 1 < m { u[[i, j + 1]] } else { u[[i, j]] };
                v[[i, j]] = 0.25 * (north + south + west + east) - u[[i, j]];
            }
        }
    }

    pub fn torus(u: &[[f64; 9]; 7], v: &mut [[f64; 9]; 7]) {
        for i in 0..7 {
            for j in 0..9 {
                v[i][j] += u[(i + 1) % 7][j] + u[(i + 6) % 7][j] + u[i][(j + 1) % 9] + u[i][(j + 8) % 9];
            }
        }
    }
}

#[test]
fn conditions_in_two_loops() {
    assert!(has_lanes(&diffuse::REPORT), "{}", diffuse::REPORT);
    assert!(has_lanes(&torus::REPORT), "{}", torus::REPORT);
    for (n, m) in [(0, 3), (1, 1), (1, 5), (2, 2), (3, 9), (6, 17)] {
        let u = Array2::from_shape_fn((n, m), |(i, j)| noise(m * i + j));
        let mut expected = Array2::zeros((n, m));
        diffuse::reference(u.view(), expected.view_mut());
        each_variant(diffuse::variants(), |isa| {
            let mut found = Array2::zeros((n, m));
            diffuse::with(isa, u.view(), found.view_mut()).unwrap();
            let both = (found.as_slice().unwrap(), expected.as_slice().unwrap());
            assert!(near(both.0, both.1), "{isa:?}, {n} by {m}");
        });
    }
    let u = std::array::from_fn(|i| std::array::from_fn(|j| noise(9 * i + j)));
    let mut expected = [[1.0; 9]; 7];
    torus::reference(&u, &mut expected);
    each_variant(torus::variants(), |isa| {
        let mut found = [[1.0; 9]; 7];
        torus::with(isa, &u, &mut found).unwrap();
        assert!(
            near(found.as_flattened(), expected.as_flattened()),
            "{isa:?}"
        );
    });
}

/// The panic's message.
fn panics(run: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(run)).expect_err("it panics");
    let text = payload.downcast_ref::<String>().cloned();
    text.or_else(|| {
        payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
    })
    .unwrap_or_default()
}

#[test]
fn bounds_are_those_of_the_iterations_that_reach_an_access() {
    // Nothing is written before all accesses are seen to be in range.
    let mut y = [7.0; 2];
    let message = panics(|| upwind(&[1.0, 2.0, 3.0], &mut y));
    assert!(
        message.contains('y') && message.contains("upwind"),
        "{message}"
    );
    assert_eq!(y, [7.0; 2]);
    let mut y = [7.0; 4];
    let message = panics(|| clamped(4, &[1.0, 2.0, 3.0], &mut y));
    assert!(
        message.contains('x') && message.contains("clamped"),
        "{message}"
    );
    assert_eq!(y, [7.0; 4]);
}

kernel! {
    /// Conditions on two loops at once: as written.
    pub fn below(n: usize, y: &mut [f64]) {
        for i in 0..n {
            for j in 0..n {
                y[i] += if j < i { 1.0 } else { 0.5 };
            }
        }
    }
}

#[test]
fn conditions_on_several_loops_are_compared() {
    let mut notes = below::REPORT.notes.iter();
    assert!(
        !notes.any(|note| note.starts_with("runs as written")),
        "{}",
        below::REPORT
    );
    let mut y = [0.0; 3];
    below(3, &mut y);
    assert_eq!(y, [1.5, 2.0, 2.5]);
}

kernel! {
    /// Neighbours that wrap around, each with a name, in planes of rows: of the first rows, the second one is a neighbour.
    pub fn all_around(u: &[f64], v: &mut [f64], nx: usize, ny: usize, nz: usize) {
        for k in 0..nz {
            let above = if k == 0 { nz - 1 } else { k - 1 };
            let below = if k + 1 == nz { 0 } else { k + 1 };
            for j in 0..ny {
                let before = if j == 0 { ny - 1 } else { j - 1 };
                let behind = if j + 1 == ny { 0 } else { j + 1 };
                for i in 0..nx {
                    let left = if i == 0 { nx - 1 } else { i - 1 };
                    let right = if i + 1 == nx { 0 } else { i + 1 };
                    v[(k * ny + j) * nx + i] = u[(above * ny + j) * nx + i]
                        - u[(below * ny + j) * nx + i]
                        + 0.5 * u[(k * ny + before) * nx + i]
                        + 0.25 * u[(k * ny + behind) * nx + i]
                        + 2.0 * u[(k * ny + j) * nx + left]
                        + 3.0 * u[(k * ny + j) * nx + right];
                }
            }
        }
    }
}

#[test]
fn neighbours_wrap_around_in_planes() {
    assert!(has_lanes(&all_around::REPORT));
    for (nx, ny, nz) in [
        (0, 1, 1),
        (1, 1, 1),
        (2, 1, 3),
        (3, 2, 2),
        (5, 3, 4),
        (17, 4, 3),
        (9, 5, 5),
    ] {
        let u: Vec<f64> = (0..nx * ny * nz).map(noise).collect();
        let mut expected = vec![0.0; u.len()];
        all_around::reference(&u, &mut expected, nx, ny, nz);
        each_variant(all_around::variants(), |isa| {
            let mut v = vec![0.0; u.len()];
            all_around::with(isa, &u, &mut v, nx, ny, nz).unwrap();
            assert!(near(&v, &expected), "{nx} {ny} {nz} {isa}");
        });
    }
}

kernel! {
    /// Bytes, mirrored at the ends, by a variable that changes.
    pub fn mirrored(line: &[u8], out: &mut [u8]) {
        const W: [i32; 5] = [1, 4, 6, 4, 1];
        let n = line.len() as i32;
        for i in 0..n {
            let mut sum = 8;
            for k in 0..5 {
                let mut j = i + k - 2;
                if j < 0 {
                    j = -j;
                }
                if j >= n {
                    j = 2 * n - 2 - j;
                }
                sum += W[k as usize] * line[j as usize] as i32;
            }
            out[i as usize] = (sum >> 4) as u8;
        }
    }

    /// Windows of bytes that are counted while they are read.
    pub fn middle(x: &[u8], y: &mut [u8], width: usize) {
        for i in 1..x.len() / width - 1 {
            for j in 1..width - 1 {
                let mut window = [0u8; 9];
                let mut at = 0;
                for a in 0..3 {
                    for b in 0..3 {
                        window[at] = x[(i + a - 1) * width + j + b - 1];
                        at += 1;
                    }
                }
                y[i * width + j] = window[0].max(window[8]).min(window[4]);
            }
        }
    }
}

#[test]
fn subscripts_of_bytes_change_on_the_way() {
    assert_eq!(mirrored::REPORT.lanes.len(), 3);
    assert_eq!(middle::REPORT.lanes.len(), 3);
    for count in [0, 1, 3, 4, 5, 8, 9, 64, 100] {
        let x: Vec<u8> = (0..count).map(|i| (i * 77 % 256) as u8).collect();
        if count != 1 {
            let mut expected = vec![0; count];
            mirrored::reference(&x, &mut expected);
            each_variant(mirrored::variants(), |isa| {
                let mut y = vec![0; count];
                mirrored::with(isa, &x, &mut y).unwrap();
                assert_eq!(y, expected, "{count} {isa}");
            });
        }
        for width in [4, 10].into_iter().filter(|width| count >= 3 * width) {
            let mut expected = x.clone();
            middle::reference(&x, &mut expected, width);
            each_variant(middle::variants(), |isa| {
                let mut y = x.clone();
                middle::with(isa, &x, &mut y, width).unwrap();
                assert_eq!(y, expected, "{count} {width} {isa}");
            });
        }
    }
}
