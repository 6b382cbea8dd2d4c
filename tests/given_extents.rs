//! Extents in arrays that are passed by value.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn heat(u: &[f64], v: &mut [f64], n: [usize; 3], c: f64) {
        let [nx, ny, nz] = n;
        let at = |i: usize, j: usize, k: usize| (k * ny + j) * nx + i;
        for k in 1..nz - 1 {
            for j in 1..ny - 1 {
                for i in 1..nx - 1 {
                    v[at(i, j, k)] = u[at(i, j, k)]
                        + c * (u[at(i - 1, j, k)] + u[at(i + 1, j, k)] + u[at(i, j, k - 1)] - u[at(i, j + 1, k)]);
                }
            }
        }
    }

    /// A pattern in the place of a name, and another integer in the same array.
    #[opt(require_lanes)]
    pub fn rows(u: &[f32], v: &mut [f32], [h, w, shift]: [usize; 3]) {
        for y in 0..h {
            for x in 0..w {
                v[y * w + x] += u[y * w + x] * shift as f32;
            }
        }
    }

    /// Subscripted where they are used, beside weights that a loop subscripts.
    #[opt(require_lanes)]
    pub fn boxed(u: &[f64], v: &mut [f64], size: [usize; 2], weights: [i16; 3]) {
        for j in 0..size[1] {
            for i in 0..size[0] - 2 {
                let mut s = 0.0;
                for k in 0..3 {
                    s += f64::from(weights[k]) * u[j * size[0] + i + k];
                }
                v[j * size[0] + i] = s;
            }
        }
    }
}

mod support;
use support::{near, noise};

const SIZES: [[usize; 3]; 6] = [
    [1, 1, 1],
    [3, 3, 3],
    [4, 3, 5],
    [9, 4, 3],
    [17, 5, 4],
    [40, 7, 3],
];

#[test]
fn extents_by_value() {
    for [nx, ny, nz] in SIZES {
        let count = nx * ny * nz;
        let u: Vec<f64> = (0..count + 3).map(noise).collect();
        let single: Vec<f32> = u.iter().map(|v| *v as f32).collect();
        let mut expected = [vec![0.5; count], vec![0.5; count]];
        let mut rounded = vec![0.5; count];
        let (size, weights) = ([nx, ny], [-3, 5, 7]);
        heat::reference(&u, &mut expected[0], [nx, ny, nz], 0.3);
        if nx > 1 {
            boxed::reference(&u, &mut expected[1], size, weights);
        }
        rows::reference(&single, &mut rounded, [ny, nx, 2]);
        for isa in heat::variants() {
            let mut own = [vec![0.5; count], vec![0.5; count]];
            let mut single_own = vec![0.5; count];
            if heat::with(*isa, &u, &mut own[0], [nx, ny, nz], 0.3).is_err() {
                continue;
            }
            if nx > 1 {
                boxed::with(*isa, &u, &mut own[1], size, weights).unwrap();
            }
            rows::with(*isa, &single, &mut single_own, [ny, nx, 2]).unwrap();
            assert!(near(&own[0], &expected[0]), "{nx} {ny} {nz} on {isa:?}");
            assert!(near(&own[1], &expected[1]), "{nx} {ny} {nz} on {isa:?}");
            assert_eq!(single_own, rounded, "{nx} {ny} {nz} on {isa:?}");
        }
    }
}
