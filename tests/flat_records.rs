//! Slices of arrays, of structs and of complex numbers that hold grids, subscripted `k[i * n + j][c]`.

#![allow(missing_docs, reason = "kernels of tests")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use loopwright::kernel;
use num_complex::Complex;

kernel! {
    /// Diffusion by a tensor at each point.
    #[opt(require_lanes)]
    pub fn diffusion(u: &[f64], k: &[[f64; 3]], out: &mut [f64], n: usize) {
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                let [a, b, c] = k[i * n + j];
                let uxx = u[i * n + j + 1] - 2.0 * u[i * n + j] + u[i * n + j - 1];
                let uyy = u[(i + 1) * n + j] - 2.0 * u[i * n + j] + u[(i - 1) * n + j];
                let uxy = u[(i + 1) * n + j + 1] - u[(i - 1) * n + j + 1];
                out[i * n + j] = a * uxx + 2.0 * b * uxy + c * uyy;
            }
        }
    }

    /// The curl of a field of vectors, in three dimensions.
    #[opt(require_lanes)]
    pub fn curl(f: &[[f64; 3]], g: &mut [[f64; 3]], (nx, ny, nz): (usize, usize, usize), h: f64) {
        let at = |i: usize, j: usize, k: usize| (k * ny + j) * nx + i;
        let s = 0.5 / h;
        for k in 1..nz - 1 {
            for j in 1..ny - 1 {
                for i in 1..nx - 1 {
                    let dx = |c: usize| f[at(i + 1, j, k)][c] - f[at(i - 1, j, k)][c];
                    let dy = |c: usize| f[at(i, j + 1, k)][c] - f[at(i, j - 1, k)][c];
                    let dz = |c: usize| f[at(i, j, k + 1)][c] - f[at(i, j, k - 1)][c];
                    g[at(i, j, k)] = [s * (dy(2) - dz(1)), s * (dz(0) - dx(2)), s * (dx(1) - dy(0))];
                }
            }
        }
    }

    /// A product of complex matrices.
    #[opt(require_lanes)]
    pub fn product(a: &[Complex<f64>], b: &[Complex<f64>], c: &mut [Complex<f64>], n: usize) {
        for i in 0..n {
            for j in 0..n {
                let mut s = Complex::new(0.0, 0.0);
                for k in 0..n {
                    s += a[i * n + k] * b[k * n + j];
                }
                c[i * n + j] = s;
            }
        }
    }

    /// Bytes of three colours from planes.
    #[opt(require_lanes)]
    pub fn colours(luma: &[u8], red: &[u8], rgb: &mut [[u8; 3]], w: usize, h: usize) {
        for y in 0..h {
            for x in 0..w {
                let c = 298 * (luma[y * w + x] as i32 - 16);
                let e = red[y * w + x] as i32 - 128;
                rgb[y * w + x] = [
                    ((c + 409 * e + 128) >> 8).clamp(0, 255) as u8,
                    ((c - 208 * e + 128) >> 8).clamp(0, 255) as u8,
                    ((c + 128) >> 8).clamp(0, 255) as u8,
                ];
            }
        }
    }

    /// Structs of a grid, relaxed in turn; the last axis is a block of two by two.
    #[opt(require_lanes)]
    pub fn blocks(cells: &[Cell], inverse: &[[[f32; 2]; 2]], next: &mut [Cell], w: usize) {
        let h = cells.len() / w;
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                let (l, r) = (&cells[y * w + x - 1], &cells[y * w + x + 1]);
                let (u, d) = (&cells[(y - 1) * w + x], &cells[(y + 1) * w + x]);
                let p = l.p + r.p + u.p + d.p;
                let q = l.q[0] + r.q[1] - u.q[1] - d.q[0];
                let m = &inverse[y * w + x];
                next[y * w + x].p = m[0][0] * p + m[0][1] * q;
                next[y * w + x].q = [m[1][0] * p, m[1][1] * q];
            }
        }
    }

    /// Rows of maps: which points the corners of cells of a grid are.
    #[opt(require_lanes)]
    pub fn corners(map: &[[u32; 4]], x: &[f64], mean: &mut [f64], w: usize, h: usize) {
        for j in 0..h {
            for i in 0..w {
                let mut s = 0.0;
                for c in 0..4 {
                    s += x[map[j * w + i][c] as usize];
                }
                mean[j * w + i] = 0.25 * s;
            }
        }
    }

    /// A component that follows another parameter.
    #[opt(require_lanes)]
    pub fn component(f: &[[f64; 3]], out: &mut [f64], w: usize, h: usize, c: usize) {
        for j in 0..h {
            for i in 0..w {
                out[j * w + i] += f[j * w + i][c];
            }
        }
    }

    /// Long elements: coefficients of each cell of a grid.
    #[opt(require_lanes)]
    pub fn series(k: &[[f64; 24]], basis: &[f64; 24], out: &mut [[f64; 2]], w: usize, h: usize) {
        for j in 0..h {
            for i in 0..w {
                let mut s = 0.0;
                for c in 0..24 {
                    s += k[j * w + i][c] * basis[c];
                }
                out[j * w + i] = [s, out[j * w + i][0]];
            }
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Cell {
        pub p: f32,
        pub q: [f32; 2],
    }
}

mod support;
use support::noise;

/// Numbers of a seed.
fn numbers(count: usize, seed: usize) -> Vec<f64> {
    (0..count).map(|i| noise(i + 7919 * seed)).collect()
}

fn threes(count: usize, seed: usize) -> Vec<[f64; 3]> {
    let all = numbers(3 * count, seed);
    all.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect()
}

fn bytes(count: usize, seed: usize) -> Vec<u8> {
    let all = numbers(count, seed);
    all.iter().map(|v| (v * 1e6) as i64 as u8).collect()
}

fn near(own: &[f64], expected: &[f64], what: &str) {
    for (at, (own, expected)) in own.iter().zip(expected).enumerate() {
        let apart = (own - expected).abs();
        assert!(
            apart <= 1e-11 * (1.0 + expected.abs()),
            "{what}: [{at}] {own} {expected}"
        );
    }
}

const SIZES: [(usize, usize); 8] = [
    (2, 2),
    (3, 3),
    (4, 3),
    (5, 8),
    (9, 4),
    (10, 10),
    (19, 5),
    (33, 34),
];

#[test]
fn tensors_and_vectors() {
    for (n, _) in SIZES {
        let (u, k) = (numbers(n * n, 1), threes(n * n, 2));
        let mut expected = numbers(n * n, 3);
        diffusion::reference(&u, &k, &mut expected, n);
        for isa in diffusion::variants() {
            let mut own = numbers(n * n, 3);
            if diffusion::with(*isa, &u, &k, &mut own, n).is_ok() {
                near(&own, &expected, &format!("{n} on {isa:?}"));
            }
        }
    }
    for (nx, ny) in SIZES {
        let nz = 3 + nx % 3;
        let n = (nx, ny, nz);
        let f = threes(nx * ny * nz, 1);
        let mut expected = threes(nx * ny * nz, 2);
        curl::reference(&f, &mut expected, n, 0.3);
        for isa in curl::variants() {
            let mut own = threes(nx * ny * nz, 2);
            if curl::with(*isa, &f, &mut own, n, 0.3).is_ok() {
                near(
                    own.as_flattened(),
                    expected.as_flattened(),
                    &format!("{n:?} on {isa:?}"),
                );
            }
        }
    }
}

#[test]
fn complex_matrices() {
    for (n, _) in SIZES {
        let of = |seed| -> Vec<Complex<f64>> {
            let all = numbers(2 * n * n, seed);
            all.chunks_exact(2)
                .map(|c| Complex::new(c[0], c[1]))
                .collect()
        };
        let parts =
            |all: &[Complex<f64>]| -> Vec<f64> { all.iter().flat_map(|c| [c.re, c.im]).collect() };
        let (a, b) = (of(1), of(2));
        let mut expected = of(3);
        product::reference(&a, &b, &mut expected, n);
        for isa in product::variants() {
            let mut own = of(3);
            if product::with(*isa, &a, &b, &mut own, n).is_ok() {
                near(&parts(&own), &parts(&expected), &format!("{n} on {isa:?}"));
            }
        }
    }
}

#[test]
fn bytes_of_colours() {
    for (w, h) in SIZES.into_iter().chain([(0, 3), (1, 1), (64, 2), (70, 3)]) {
        let (luma, red) = (bytes(w * h, 1), bytes(w * h, 2));
        // One more than the grid has: it stays.
        let mut expected = vec![[7; 3]; w * h + 1];
        colours::reference(&luma, &red, &mut expected, w, h);
        for isa in colours::variants() {
            let mut own = vec![[7; 3]; w * h + 1];
            if colours::with(*isa, &luma, &red, &mut own, w, h).is_ok() {
                assert_eq!(own, expected, "{w} {h} on {isa:?}");
            }
        }
    }
}

#[test]
fn structs_and_blocks() {
    for (w, h) in SIZES {
        let cells = |seed| -> Vec<Cell> {
            let all = threes(w * h, seed).into_iter();
            let cell = |[p, q, r]: [f64; 3]| Cell {
                p: p as f32,
                q: [q as f32, r as f32],
            };
            all.map(cell).collect()
        };
        let parts = |all: &[Cell]| -> Vec<f64> {
            all.iter()
                .flat_map(|c| [c.p, c.q[0], c.q[1]])
                .map(|v| (f64::from(v) * 1e4).round())
                .collect()
        };
        let inverse: Vec<[[f32; 2]; 2]> = numbers(4 * w * h, 3)
            .chunks_exact(4)
            .map(|c| [[c[0] as f32, c[1] as f32], [c[2] as f32, c[3] as f32]])
            .collect();
        let mut expected = cells(2);
        blocks::reference(&cells(1), &inverse, &mut expected, w);
        for isa in blocks::variants() {
            let mut own = cells(2);
            if blocks::with(*isa, &cells(1), &inverse, &mut own, w).is_ok() {
                for (own, expected) in parts(&own).iter().zip(parts(&expected)) {
                    assert!((own - expected).abs() <= 1.0, "{w} {h} on {isa:?}");
                }
            }
        }
    }
}

#[test]
fn maps_and_components() {
    for (w, h) in SIZES {
        let points = 3 * w * h + 4;
        let map: Vec<[u32; 4]> = (0..w * h)
            .map(|i| [0, 1, 2, 3].map(|c| ((7919 * i + 31 * c) % points) as u32))
            .collect();
        let (x, f) = (numbers(points, 1), threes(w * h, 2));
        let mut expected = numbers(w * h, 3);
        corners::reference(&map, &x, &mut expected, w, h);
        component::reference(&f, &mut expected, w, h, 2);
        for isa in corners::variants() {
            let mut own = numbers(w * h, 3);
            if corners::with(*isa, &map, &x, &mut own, w, h).is_ok() {
                component::with(*isa, &f, &mut own, w, h, 2).unwrap();
                near(&own, &expected, &format!("{w} {h} on {isa:?}"));
            }
        }
        // Nothing is written where an entry, an extent or a component is too large.
        let before = numbers(w * h, 3);
        let mut own = before.clone();
        let mut wrong = map.clone();
        wrong[w * h - 1][3] = points as u32;
        for (map, rows) in [(&wrong[..], h), (&map[..w * h - 1], h), (&map[..], h + 1)] {
            let call = AssertUnwindSafe(|| corners(map, &x, &mut own, w, rows));
            assert!(catch_unwind(call).is_err(), "{w} {h}");
        }
        for (rows, c) in [(h, 3), (h + 1, 0)] {
            let call = AssertUnwindSafe(|| component(&f, &mut own, w, rows, c));
            assert!(catch_unwind(call).is_err(), "{w} {h}");
        }
        assert_eq!(own, before);
    }
}

#[test]
fn long_elements() {
    for (w, h) in SIZES {
        let k: Vec<[f64; 24]> = numbers(24 * w * h, 1)
            .chunks_exact(24)
            .map(|c| c.try_into().unwrap())
            .collect();
        let basis: [f64; 24] = numbers(24, 2).try_into().unwrap();
        let out = || -> Vec<[f64; 2]> { threes(w * h, 3).iter().map(|c| [c[0], c[1]]).collect() };
        let mut expected = out();
        series::reference(&k, &basis, &mut expected, w, h);
        for isa in series::variants() {
            let mut own = out();
            if series::with(*isa, &k, &basis, &mut own, w, h).is_ok() {
                near(
                    own.as_flattened(),
                    expected.as_flattened(),
                    &format!("{w} {h} on {isa:?}"),
                );
            }
        }
    }
}
