//! What a kernel computes, in every variant: bits where bits are promised, colliding scatters,
//! element types, index maps, remainders and empty ranges.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::{Isa, kernel};

mod support;
use support::{each_variant, noise};

/// The same text under several options.
macro_rules! under {
    ($name:ident: $($options:tt)*) => {
        kernel! {
            #[opt($($options)*)]
            pub fn $name(x: &[[f64; 3]], w: &[f64], y: &mut [[f64; 4]]) {
                static T: [[f64; 4]; 3] = [
                    [0.1, 1.0, 0.3, 0.0],
                    [0.7, -1.0, 0.2, 0.9],
                    [1e10, 3.0, 1e-10, 0.25],
                ];
                for e in 0..x.len() {
                    for k in 0..3 {
                        for j in 0..4 {
                            y[e][j] += T[k][j] * (x[e][0] * w[k] + x[e][1] / w[k])
                                + x[e][k] * x[e][2] * w[0] * w[1] - T[k][j] * x[e][0].abs().sqrt();
                        }
                    }
                }
            }
        }
    };
}

under!(as_written: level = 0);
under!(strict_one: level = 1, strict);
under!(strict_three: level = 3, strict);
under!(free: level = 1);

/// Runs a kernel as reference and in every variant for sizes around the lanes' number.
macro_rules! results {
    ($kernel:ident, $compare:expr) => {
        for n in [0, 1, 3, 4, 5, 8, 9, 17] {
            let x: Vec<_> = (0..n)
                .map(|e| [0, 1, 2].map(|k| noise(3 * e + k)))
                .collect();
            let w = [noise(91), noise(92) + 3.0, noise(93)];
            let before: Vec<_> = (0..n)
                .map(|e| [0, 1, 2, 3].map(|j| noise(e + 7 * j)))
                .collect();
            let mut expected = before.clone();
            $kernel::reference(&x, &w, &mut expected);
            each_variant($kernel::variants(), |isa| {
                let mut found = before.clone();
                $kernel::with(isa, &x, &w, &mut found).unwrap();
                for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
                    let same: fn(f64, f64) -> bool = $compare;
                    assert!(
                        same(*found, *expected),
                        "{isa:?}, n = {n}: {found} for {expected}"
                    );
                }
            });
        }
    };
}

#[test]
fn level_0_has_the_bits_of_the_reference() {
    results!(as_written, |a, b| a.to_bits() == b.to_bits());
}

#[test]
fn strict_has_the_bits_of_the_reference_at_every_level() {
    results!(strict_one, |a, b| a.to_bits() == b.to_bits());
    results!(strict_three, |a, b| a.to_bits() == b.to_bits());
}

#[test]
fn free_order_is_the_reference_to_rounding() {
    // The largest terms of a sum are near 1e10.
    results!(free, |a, b| (a - b).abs() <= 1e10 * 1e-14);
}

#[test]
fn strict_still_saves_operations() {
    assert!(strict_one::REPORT.expansion.operations() < strict_one::REPORT.source.operations());
    assert_eq!(as_written::REPORT.expansion, as_written::REPORT.source);
}

kernel! {
    pub fn scatter_usize(map: &[[usize; 3]], u: &[f64], y: &mut [f64]) {
        static WEIGHT: [f64; 3] = [1.0, 2.0, 3.0];
        for e in 0..map.len() {
            let s = u[map[e][0]] + u[map[e][1]] * u[map[e][2]];
            for i in 0..3 {
                y[map[e][i]] += s * WEIGHT[i];
            }
        }
    }

    pub fn scatter_u32(map: &[[u32; 3]], u: &[f32], y: &mut [f32]) {
        static WEIGHT: [f32; 3] = [1.0, 2.0, 3.0];
        for e in 0..map.len() {
            let s = u[map[e][0] as usize] + u[map[e][1] as usize] * u[map[e][2] as usize];
            for i in 0..3 {
                y[map[e][i] as usize] += s * WEIGHT[i];
            }
        }
    }

    pub fn scatter_i32(map: &[[i32; 3]], u: &[f64], y: &mut [f64]) {
        static WEIGHT: [f64; 3] = [1.0, 2.0, 3.0];
        for e in 0..map.len() {
            let s = u[map[e][0] as usize] + u[map[e][1] as usize] * u[map[e][2] as usize];
            for i in 0..3 {
                y[map[e][i] as usize] += s * WEIGHT[i];
            }
        }
    }
}

/// Scatters whose lanes meet in few entries.
macro_rules! collisions {
    ($kernel:ident, $index:ty, $real:ty, $tolerance:expr) => {
        for n in [0, 1, 4, 7, 16, 33] {
            for entries in [1, 2, 5] {
                let at = |k: usize| ((k * k + k / 3) % entries) as $index;
                let map: Vec<_> = (0..n).map(|e| [at(e), at(e + 1), at(2 * e)]).collect();
                let u: Vec<_> = (0..entries).map(|k| noise(k) as $real).collect();
                let mut expected = vec![0.5 as $real; entries];
                $kernel::reference(&map, &u, &mut expected);
                each_variant($kernel::variants(), |isa| {
                    let mut found = vec![0.5 as $real; entries];
                    $kernel::with(isa, &map, &u, &mut found).unwrap();
                    for (found, expected) in found.iter().zip(&expected) {
                        assert!(
                            (found - expected).abs() <= $tolerance,
                            "{isa:?}, n = {n}: {found} for {expected}"
                        );
                    }
                });
            }
        }
    };
}

#[test]
fn colliding_lanes_add_up() {
    collisions!(scatter_usize, usize, f64, 1e-12);
    collisions!(scatter_u32, u32, f32, 1e-4);
    collisions!(scatter_i32, i32, f64, 1e-12);
}

kernel! {
    /// Contiguous, single precision, with an offset and a bound from a parameter.
    pub fn filter(n: usize, h: f32, x: &[f32], y: &mut [f32]) {
        for i in 1..n {
            y[i] = h * (x[i - 1] - 2.0 * x[i] + x[i + 1]).exp() + x[i].max(x[i + 1]);
        }
    }
}

#[test]
fn single_precision_with_remainders() {
    for n in [1, 2, 7, 8, 9, 16, 25] {
        let x: Vec<_> = (0..n + 1).map(|i| noise(i) as f32).collect();
        let mut expected = vec![7.0_f32; n + 2];
        filter::reference(n, 0.5, &x, &mut expected);
        each_variant(filter::variants(), |isa| {
            let mut found = vec![7.0_f32; n + 2];
            filter::with(isa, n, 0.5, &x, &mut found).unwrap();
            for (at, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let inside = at > 0 && at < n;
                let tolerance = if inside { 1e-5 } else { 0.0 };
                assert!(
                    (found - expected).abs() <= tolerance,
                    "{isa:?} at {at} of {n}"
                );
            }
        });
    }
}

#[test]
fn unavailable_sets_are_values() {
    let mut y = [[0.0; 4]; 1];
    for isa in [Isa::Avx512, Isa::Avx2, Isa::Scalar] {
        let result = free::with(isa, &[[1.0; 3]], &[1.0; 3], &mut y);
        assert_eq!(result.is_ok(), isa.is_available());
    }
}

kernel! {
    /// Rows of three: lanes run over both loops.
    pub fn small_matrices(
        c: f64,
        m: &[[f64; 3]; 3],
        d: &[f64; 3],
        x: &[[[f64; 3]; 3]; 5],
        y: &mut [[[f64; 3]; 3]; 5],
    ) {
        static T: [[f64; 3]; 3] = [[1.0, 2.0, 3.0], [4.5, 5.5, 6.5], [0.1, 0.2, 0.3]];
        for k in 0..5 {
            for i in 0..3 {
                for j in 0..3 {
                    y[k][i][j] += c * m[i][j] + x[k][i][j] * T[j][i] + d[i] / (d[j] + 7.0);
                }
            }
        }
    }
}

#[test]
fn two_loops_as_one() {
    let matrix = |k: usize| [0, 1, 2].map(|i| [0, 1, 2].map(|j| noise(100 * k + 10 * i + j)));
    let d = [noise(1), noise(2), noise(3)];
    let x = [1, 2, 3, 4, 5].map(matrix);
    let before = [6, 7, 8, 9, 10].map(matrix);
    let mut expected = before;
    small_matrices::reference(1.5, &matrix(0), &d, &x, &mut expected);
    each_variant(small_matrices::variants(), |isa| {
        let mut found = before;
        small_matrices::with(isa, 1.5, &matrix(0), &d, &x, &mut found).unwrap();
        for (found, expected) in found.as_flattened().iter().zip(expected.as_flattened()) {
            for (found, expected) in found.iter().zip(expected) {
                assert!(
                    (found - expected).abs() < 1e-14,
                    "{isa:?}: {found} for {expected}"
                );
            }
        }
    });
    let decision = |pass: &loopwright::PassReport| {
        pass.name == "schedule for avx2"
            && pass
                .decisions
                .iter()
                .any(|d| d.contains("lanes over `i_j`: "))
    };
    assert!(small_matrices::REPORT.passes.iter().any(decision));
}

kernel! {
    /// Ranges with adaptors, closed ranges.
    pub fn ranges(x: &[f64], y: &mut [f64; 12], z: &mut [f64]) {
        for i in (0..12).step_by(5) {
            y[i] += x[i];
        }
        for i in (1..=9).rev().step_by(4) {
            y[i] += 2.0 * x[i + 1];
        }
        for i in (1..x.len()).rev() {
            z[i] = x[i - 1];
        }
    }
}

#[test]
fn ranges_with_adaptors() {
    let x: Vec<_> = (0..15).map(noise).collect();
    let (mut y, mut z) = ([1.0; 12], vec![0.5; 15]);
    ranges::reference(&x, &mut y, &mut z);
    let touched: Vec<_> = (0..12)
        .filter(|&i| y[i].to_bits() != 1.0_f64.to_bits())
        .collect();
    assert_eq!(touched, [0, 1, 5, 9, 10]);
    each_variant(ranges::variants(), |isa| {
        let (mut found, mut shifted) = ([1.0; 12], vec![0.5; 15]);
        ranges::with(isa, &x, &mut found, &mut shifted).unwrap();
        assert!(
            found.iter().zip(&y).all(|(a, b)| (a - b).abs() < 1e-14),
            "{isa:?}"
        );
        assert_eq!(shifted, z, "{isa:?}");
    });
}
