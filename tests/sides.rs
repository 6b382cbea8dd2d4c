//! Windows at the sides of grids: clamped, periodic, reflected and padded with zeros, in two and three
//! dimensions. The loops are cut, against `reference` in every variant for sizes from none to several vectors.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::{Report, kernel};
use ndarray::{Array2, Array3, ArrayView2, ArrayView3, ArrayViewMut2, ArrayViewMut3};

mod support;
use support::{each_variant, near, noise};

/// A program: the text runs for grids alone that are smaller than the window.
fn is_cut(report: &Report) {
    let mut notes = report.notes.iter();
    assert!(
        notes.all(|note| !note.starts_with("runs as written")),
        "{report}"
    );
}

const SIZES: [(usize, usize); 16] = [
    (0, 0),
    (0, 5),
    (3, 0),
    (1, 1),
    (1, 6),
    (2, 2),
    (3, 3),
    (5, 2),
    (3, 4),
    (4, 4),
    (4, 5),
    (5, 5),
    (6, 17),
    (9, 8),
    (5, 31),
    (20, 20),
];

fn grid(n: usize, m: usize) -> Array2<f64> {
    Array2::from_shape_fn((n, m), |(i, j)| noise(m * i + j))
}

macro_rules! on_views {
    ($($kernel:ident),*) => {
        #[test]
        fn views() {
            $(is_cut(&$kernel::REPORT);)*
            for (n, m) in SIZES {
                let x = grid(n, m);
                $({
                    let mut expected = Array2::from_elem((n, m), 0.5);
                    $kernel::reference(x.view(), expected.view_mut());
                    each_variant($kernel::variants(), |isa| {
                        let mut found = Array2::from_elem((n, m), 0.5);
                        $kernel::with(isa, x.view(), found.view_mut()).unwrap();
                        let both = (found.as_slice().unwrap(), expected.as_slice().unwrap());
                        assert!(near(both.0, both.1), "{} {isa:?}, {n} by {m}", stringify!($kernel));
                    });
                })*
            }
        }
    };
}

kernel! {
    /// Bounds inside of the window's loops.
    pub fn smooth(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        const W: [f64; 5] = [1.0, 4.0, 6.0, 4.0, 1.0];
        let (height, width) = x.dim();
        for j in 0..height {
            for i in 0..width {
                let mut s = 0.0;
                for k in 0..5 {
                    for l in 0..5 {
                        let row = (j + k).max(2).min(height + 1) - 2;
                        let column = (i + l).max(2).min(width + 1) - 2;
                        s += W[k] * W[l] * x[[row, column]];
                    }
                }
                y[[j, i]] = s / 256.0;
            }
        }
    }

    /// Written out, two points to each side.
    pub fn star(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let (n, m) = x.dim();
        for i in 0..n {
            for j in 0..m {
                y[[i, j]] += x[[i.saturating_sub(2), j]] + 4.0 * x[[i.saturating_sub(1), j]]
                    + 4.0 * x[[(i + 1).min(n - 1), j]] + x[[(i + 2).min(n - 1), j]]
                    + x[[i, j.saturating_sub(2)]] + 4.0 * x[[i, j.saturating_sub(1)]]
                    + 4.0 * x[[i, (j + 1).min(m - 1)]] + x[[i, (j + 2).min(m - 1)]];
            }
        }
    }

    /// Between signed bounds, in another order of loops.
    pub fn between(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let (n, m) = x.dim();
        for j in 0..m {
            for i in 0..n {
                for a in -1..=1_isize {
                    for b in -1..=1_isize {
                        let p = (i as isize + a).clamp(0, n as isize - 1) as usize;
                        let q = (j as isize + b).clamp(0, m as isize - 1) as usize;
                        y[[i, j]] += x[[p, q]];
                    }
                }
            }
        }
    }

    pub fn periodic(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let (n, m) = x.dim();
        for i in 0..n {
            for j in 0..m {
                let mut s = 0.0;
                for a in 0..5 {
                    for b in 0..3 {
                        s += x[[(i + a + 2 * n - 2) % n, (j + b + m - 1) % m]] / (1 + a + b) as f64;
                    }
                }
                y[[i, j]] = s;
            }
        }
    }

    /// Values beyond the sides are zero.
    pub fn padded(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        const W: [[f64; 3]; 3] = [[1.0, 2.0, 3.0], [-2.0, 5.0, 0.5], [0.25, 4.0, 7.0]];
        let (n, m) = x.dim();
        for i in 0..n {
            for j in 0..m {
                let mut s = 0.0;
                for a in 0..3 {
                    for b in 0..3 {
                        let p = i as isize + a as isize - 1;
                        let q = j as isize + b as isize - 1;
                        if p >= 0 && p < n as isize && q >= 0 && q < m as isize {
                            s += W[a][b] * x[[p as usize, q as usize]];
                        }
                    }
                }
                y[[i, j]] = s;
            }
        }
    }

    /// A wider window that is padded.
    pub fn padded_wide(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let (n, m) = x.dim();
        for i in 0..n {
            for j in 0..m {
                let mut s = 0.0;
                for a in 0..5 {
                    if i + a >= 2 && i + a < n + 2 {
                        for b in 0..5 {
                            if j + b >= 2 && j + b < m + 2 {
                                s += (1 + a + 2 * b) as f64 * x[[i + a - 2, j + b - 2]];
                            }
                        }
                    }
                }
                y[[i, j]] = s;
            }
        }
    }

    /// Reflected without the point at the side: the absolute value.
    pub fn reflected(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let (n, m) = x.dim();
        for i in 0..n {
            for j in 0..m {
                let up = (i as isize - 1).abs() as usize;
                let down = if i + 1 < n { i + 1 } else { n - 1 };
                let left = (j as isize - 2).abs() as usize;
                y[[i, j]] = x[[up.min(n - 1), j]] - x[[down, j]] + x[[i, left.min(m - 1)]];
            }
        }
    }

    /// Values on the sides, and equations inside.
    pub fn heat(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let (n, m) = x.dim();
        for i in 0..n {
            for j in 0..m {
                if i == 0 || j == 0 || i == n - 1 || j == m - 1 {
                    y[[i, j]] = x[[i, j]];
                } else {
                    y[[i, j]] = 0.2 * (x[[i - 1, j]] + x[[i + 1, j]] + x[[i, j - 1]] + x[[i, j + 1]] + x[[i, j]]);
                }
            }
        }
    }

    /// One side by `if`, the other one clamped, and one loop periodic.
    pub fn mixed(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let (n, m) = x.dim();
        for i in 0..n {
            for j in 0..m {
                let up = if i > 0 { x[[i - 1, j]] } else { -x[[i, j]] };
                let down = x[[(i + 1).min(n - 1), (j + 1) % m]];
                let far = if i + 2 < n && j > 1 { x[[i + 2, j - 2]] } else { 0.5 };
                y[[i, j]] = up * down - far;
            }
        }
    }

    /// The largest one of a window, wherever the window is.
    pub fn largest(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let (n, m) = x.dim();
        for i in 0..n {
            for j in 0..m {
                let mut most = f64::NEG_INFINITY;
                for a in 0..3 {
                    for b in 0..7 {
                        most = most.max(x[[(i + a).max(1).min(n) - 1, (j + b).max(3).min(m + 2) - 3]]);
                    }
                }
                y[[i, j]] = most;
            }
        }
    }
}

on_views!(
    smooth,
    star,
    between,
    periodic,
    padded,
    padded_wide,
    reflected,
    heat,
    mixed,
    largest
);

kernel! {
    pub fn seven(u: ArrayView3<f32>, mut v: ArrayViewMut3<f32>) {
        let (n, m, o) = u.dim();
        for i in 0..n {
            for j in 0..m {
                for k in 0..o {
                    v[[i, j, k]] = u[[i.saturating_sub(1), j, k]] + u[[(i + 1).min(n - 1), j, k]]
                        + u[[i, j.saturating_sub(1), k]] + u[[i, (j + 1).min(m - 1), k]]
                        + u[[i, j, k.saturating_sub(1)]] + u[[i, j, (k + 1).min(o - 1)]]
                        - 6.0 * u[[i, j, k]];
                }
            }
        }
    }

    pub fn walls(u: ArrayView3<f32>, mut v: ArrayViewMut3<f32>) {
        let (n, m, o) = u.dim();
        for i in 0..n {
            for j in 0..m {
                for k in 0..o {
                    if i == 0 || i + 1 == n || j == 0 || j + 1 == m || k == 0 || k + 1 == o {
                        v[[i, j, k]] = 0.0;
                    } else {
                        v[[i, j, k]] = u[[i - 1, j, k]] + u[[i + 1, j, k]] + u[[i, j - 1, k]]
                            + u[[i, j + 1, k]] + u[[i, j, k - 1]] + u[[i, j, k + 1]];
                    }
                }
            }
        }
    }
}

#[test]
fn three_dimensions() {
    is_cut(&seven::REPORT);
    is_cut(&walls::REPORT);
    for (n, m) in SIZES {
        let shape = (n, m.min(6), m);
        let u = Array3::from_shape_fn(shape, |(i, j, k)| noise(100 * i + 10 * j + k) as f32);
        let mut expected = [(); 2].map(|()| Array3::from_elem(shape, 7.0));
        seven::reference(u.view(), expected[0].view_mut());
        walls::reference(u.view(), expected[1].view_mut());
        each_variant(seven::variants(), |isa| {
            let mut found = [(); 2].map(|()| Array3::from_elem(shape, 7.0));
            seven::with(isa, u.view(), found[0].view_mut()).unwrap();
            walls::with(isa, u.view(), found[1].view_mut()).unwrap();
            for (found, expected) in found.iter().zip(&expected) {
                let mut pairs = found.iter().zip(expected);
                assert!(
                    pairs.all(|(f, e)| (f - e).abs() < 1e-5),
                    "{isa:?}, {shape:?}"
                );
            }
        });
    }
}

kernel! {
    /// Means of bytes, over a window that stays inside.
    pub fn mean(w: usize, h: usize, x: &[u8], y: &mut [u8]) {
        for j in 0..h {
            for i in 0..w {
                let mut s = 0_u32;
                for k in 0..3 {
                    for l in 0..3 {
                        let p = (j as isize + k as isize - 1).clamp(0, h as isize - 1) as usize;
                        let q = (i as isize + l as isize - 1).clamp(0, w as isize - 1) as usize;
                        s += x[p * w + q] as u32;
                    }
                }
                y[j * w + i] = (s / 9) as u8;
            }
        }
    }

    /// Rows of a fixed length.
    pub fn mean_wide(x: &[[u8; 40]], y: &mut [[u8; 40]]) {
        let h = x.len();
        for j in 0..h {
            for i in 0..40_usize {
                let mut s = 0_u32;
                for k in 0..5 {
                    for l in 0..5 {
                        s += x[(j + k).saturating_sub(2).min(h - 1)][(i + l).saturating_sub(2).min(39)] as u32;
                    }
                }
                y[j][i] = (s / 25) as u8;
            }
        }
    }

    pub fn neighbours(w: usize, h: usize, old: &[u8], new: &mut [u8]) {
        for i in 0..h {
            for j in 0..w {
                let mut alive = 0_u32;
                for di in [h - 1, 0, 1] {
                    for dj in [w - 1, 0, 1] {
                        if di != 0 || dj != 0 {
                            alive += old[(i + di) % h * w + (j + dj) % w] as u32;
                        }
                    }
                }
                new[i * w + j] = (2 * alive + old[i * w + j] as u32) as u8;
            }
        }
    }
}

#[test]
fn integers() {
    is_cut(&mean::REPORT);
    is_cut(&mean_wide::REPORT);
    is_cut(&neighbours::REPORT);
    for (h, w) in SIZES {
        let bytes: Vec<u8> = (0..w * h).map(|i| (i * i * 31 % 251) as u8).collect();
        let cells: Vec<u8> = bytes.iter().map(|x| u8::from(x % 3 == 1)).collect();
        let rows: Vec<[u8; 40]> = (0..h)
            .map(|i| std::array::from_fn(|j| ((i * 7 + j) * (j + 3) % 256) as u8))
            .collect();
        let mut expected = (vec![9; w * h], vec![[9; 40]; h], vec![9; w * h]);
        mean::reference(w, h, &bytes, &mut expected.0);
        mean_wide::reference(&rows, &mut expected.1);
        neighbours::reference(w, h, &cells, &mut expected.2);
        each_variant(mean::variants(), |isa| {
            let mut found = (vec![9; w * h], vec![[9; 40]; h], vec![9; w * h]);
            mean::with(isa, w, h, &bytes, &mut found.0).unwrap();
            mean_wide::with(isa, &rows, &mut found.1).unwrap();
            neighbours::with(isa, w, h, &cells, &mut found.2).unwrap();
            assert_eq!(found, expected, "{isa:?}, {h} by {w}");
        });
    }
}

kernel! {
    /// Loops of fixed lengths, one about as long as the window; several arrays.
    pub fn tiles(x: &[[f64; 16]; 3], w: &[f64; 20], y: &mut [[f64; 16]; 3], z: &mut [f64; 20]) {
        for i in 0..3 {
            for j in 0..16_usize {
                for a in 0..5 {
                    for b in 0..5 {
                        y[i][j] += x[(i + a).max(2).min(4) - 2][(j + b + 14) % 16] * w[(j + a).min(12)];
                    }
                }
            }
        }
        for i in 0..20_usize {
            z[i] += w[i.max(4)] - w[(i + 9).min(19)] + w[(i * 2).min(17)];
        }
    }

    #[opt(strict)]
    pub fn strict(x: ArrayView2<f64>, mut y: ArrayViewMut2<f64>) {
        let (n, m) = x.dim();
        for i in 0..n {
            for j in 0..m {
                let mut s = 0.0;
                for a in 0..5 {
                    s += 0.1 * x[[(i + a).max(2).min(n + 1) - 2, j.saturating_sub(1)]];
                }
                y[[i, j]] = s;
            }
        }
    }
}

#[test]
fn loops_of_fixed_lengths() {
    is_cut(&tiles::REPORT);
    let x = std::array::from_fn(|i| std::array::from_fn(|j| noise(16 * i + j)));
    let w = std::array::from_fn(|i| noise(i + 300));
    let (mut y, mut z) = ([[1.0; 16]; 3], [2.0; 20]);
    tiles::reference(&x, &w, &mut y, &mut z);
    each_variant(tiles::variants(), |isa| {
        let (mut found, mut other) = ([[1.0; 16]; 3], [2.0; 20]);
        tiles::with(isa, &x, &w, &mut found, &mut other).unwrap();
        assert!(near(found.as_flattened(), y.as_flattened()), "{isa:?}");
        assert!(near(&other, &z), "{isa:?}");
    });
}

#[test]
fn under_strict_they_have_the_bits_of_the_text() {
    is_cut(&strict::REPORT);
    for (n, m) in SIZES {
        let x = grid(n, m);
        let mut expected = Array2::from_elem((n, m), 0.5);
        strict::reference(x.view(), expected.view_mut());
        each_variant(strict::variants(), |isa| {
            let mut found = Array2::from_elem((n, m), 0.5);
            strict::with(isa, x.view(), found.view_mut()).unwrap();
            assert_eq!(found, expected, "{isa:?}, {n} by {m}");
        });
    }
}
