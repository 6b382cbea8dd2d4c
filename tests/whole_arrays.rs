//! Assignments of whole arrays.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

mod support;
use support::{each_variant, near, noise};

const SIZES: [usize; 8] = [0, 1, 3, 4, 7, 8, 9, 17];

kernel! {
    /// Whole arrays are assigned: rows of parameters, arrays in memory and as elements, fills.
    pub fn whole_arrays(
        x: &[[f64; 3]],
        rows: &mut [[f64; 3]],
        fills: &mut [[[f64; 2]; 5]],
        sums: &mut [[[f64; 20]; 3]],
    ) {
        for e in 0..x.len() {
            rows[e] = x[e];
            fills[e] = [[2.0 * x[e][0]; 2]; 5];
            let pair = [x[e][1], x[e][1] + x[e][2]];
            fills[e][3] = pair;
            let mut local = [[0.0; 20]; 3];
            for q in 0..4 {
                for i in 0..3 {
                    for j in 0..20 {
                        local[i][j] += x[e][i] * (q as f64 + 0.5) * (j as f64);
                    }
                }
            }
            sums[e] = local;
        }
    }

    /// The values are those from before the assignment.
    pub fn swapped(y: &mut [[f64; 3]], z: &mut [[[f64; 2]; 2]]) {
        for e in 0..y.len() {
            y[e] = [y[e][2], y[e][0] * 2.0, y[e][1]];
            z[e] = [z[e][1], z[e][0]];
        }
        for e in 0..y.len() - 1 {
            y[e] = y[e + 1];
        }
    }
}

#[test]
fn whole_arrays_are_assigned_element_by_element() {
    for n in SIZES {
        let x: Vec<[f64; 3]> = (0..n)
            .map(|e| [0, 1, 2].map(|d| noise(3 * e + d)))
            .collect();
        let start = || {
            (
                vec![[7.0; 3]; n],
                vec![[[7.0; 2]; 5]; n],
                vec![[[7.0; 20]; 3]; n],
            )
        };
        let (mut rows, mut fills, mut sums) = start();
        whole_arrays::reference(&x, &mut rows, &mut fills, &mut sums);
        each_variant(whole_arrays::variants(), |isa| {
            let mut found = start();
            whole_arrays::with(isa, &x, &mut found.0, &mut found.1, &mut found.2).unwrap();
            assert_eq!((&found.0, &found.1), (&rows, &fills), "{isa:?}");
            let [found, sums] = [&found.2, &sums].map(|a| a.as_flattened().as_flattened());
            assert!(near(found, sums), "{isa:?}");
        });
    }
    for n in SIZES.into_iter().filter(|n| *n > 0) {
        let start = || -> (Vec<[f64; 3]>, Vec<[[f64; 2]; 2]>) {
            let y = (0..n).map(|e| [0, 1, 2].map(|d| noise(3 * e + d)));
            let z = (0..n).map(|e| [0, 1].map(|r| [0, 1].map(|c| noise(4 * e + 2 * r + c))));
            (y.collect(), z.collect())
        };
        let mut expected = start();
        swapped::reference(&mut expected.0, &mut expected.1);
        each_variant(swapped::variants(), |isa| {
            let mut found = start();
            swapped::with(isa, &mut found.0, &mut found.1).unwrap();
            assert_eq!(found, expected, "{isa:?}");
        });
    }
}
