//! Sums against tables that are even or odd under reversal, in halves: in every variant with the values of the
//! reference, and with the operations that the report states.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(clippy::needless_range_loop, reason = "the style of kernels")]

use loopwright::{Real, kernel};

mod support;
use support::{counted, counting, each_variant, near_to, numbers};

const CELLS: usize = 11;

kernel! {
    /// Values at five points of a line, symmetric as its nodes are; the table is written out.
    pub fn interpolated<T: Real>(u: &[[T; 4]], v: &mut [[T; 5]]) {
        const B: [[f64; 4]; 5] = [
            [0.75, 0.375, -0.25, 0.0625],
            [0.25, 0.8125, -0.125, 0.03125],
            [-0.0625, 0.5625, 0.5625, -0.0625],
            [0.03125, -0.125, 0.8125, 0.25],
            [0.0625, -0.25, 0.375, 0.75],
        ];
        for e in 0..u.len() {
            for q in 0..5 {
                for i in 0..4 {
                    v[e][q] += T::from_f64(B[q][i]) * u[e][i];
                }
            }
        }
    }

    /// Convection on quadrilaterals, with more points than nodes along an axis.
    pub fn convection<T: Real>(b: &[[[T; 2]; 25]], u: &[[T; 16]], y: &mut [[T; 16]]) {
        static PHI: [[f64; 16]; 25] = tabulate!(quadrilateral, quadrature(9), lagrange(3));
        static DPHI: [[[f64; 16]; 25]; 2] =
            tabulate!(quadrilateral, quadrature(9), lagrange(3), gradient);
        for e in 0..u.len() {
            for q in 0..25 {
                let mut along = T::zero();
                for j in 0..16 {
                    for r in 0..2 {
                        along += b[e][q][r] * T::from_f64(DPHI[r][q][j]) * u[e][j];
                    }
                }
                for i in 0..16 {
                    y[e][i] += along * T::from_f64(PHI[q][i]);
                }
            }
        }
    }

    /// Two symmetric filters of one signal, of which both read the same sums.
    pub fn filtered<T: Real>(x: &[T], y: &mut [T]) {
        const W: [[f64; 7]; 2] = [[1.5, 2.5, 4.5, 6.5, 4.5, 2.5, 1.5], [0.3, 0.7, 1.1, 0.2, 1.1, 0.7, 0.3]];
        for i in 0..x.len() - 6 {
            for k in 0..2 {
                for j in 0..7 {
                    y[2 * i + k] += T::from_f64(W[k][j]) * x[i + j];
                }
            }
        }
    }

    /// The mass matrix's action on hexahedra, in numbers of half the width.
    pub fn narrow(g: &[[f32; 64]], u: &[[f32; 64]], y: &mut [[f32; 64]]) {
        static PHI: [[f32; 64]; 64] = tabulate!(hexahedron, quadrature(7), lagrange(3));
        for e in 0..u.len() {
            for q in 0..64 {
                let mut value = 0.0;
                for i in 0..64 {
                    value += PHI[q][i] * u[e][i];
                }
                for i in 0..64 {
                    y[e][i] += PHI[q][i] * value * g[e][q];
                }
            }
        }
    }
}

#[test]
fn tables_that_are_written_out() {
    let (u, start) = (numbers(1, 4 * CELLS), numbers(2, 5 * CELLS));
    let u: &[[f64; 4]] = u.as_chunks().0;
    let start: &[[f64; 5]] = start.as_chunks().0;
    let mut expected = start.to_vec();
    interpolated::reference(u, &mut expected);
    each_variant(interpolated::variants(), |isa| {
        let mut found = start.to_vec();
        interpolated::with(isa, u, &mut found).unwrap();
        assert!(
            near_to(found.as_flattened(), expected.as_flattened(), 1e-13),
            "{isa}"
        );
    });
    let operations = counted(&interpolated::REPORT, CELLS, |cells| {
        let u = counting(&numbers(1, 4 * cells));
        let mut v = counting(&numbers(2, 5 * cells));
        interpolated(u.as_chunks().0, v.as_chunks_mut().0);
    });
    // Of 20 products ten are left; the result is added to what was there.
    assert!(operations <= 4 + 3 * 3 + 2 * 3 + 4 + 5, "{operations}");
}

#[test]
fn more_points_than_nodes() {
    let (b, u, start) = (
        numbers(6, 50 * CELLS),
        numbers(7, 16 * CELLS),
        numbers(8, 16 * CELLS),
    );
    let (b, u): (&[[[f64; 2]; 25]], &[[f64; 16]]) =
        (b.as_chunks().0.as_chunks().0, u.as_chunks().0);
    let start: &[[f64; 16]] = start.as_chunks().0;
    let mut expected = start.to_vec();
    convection::reference(b, u, &mut expected);
    each_variant(convection::variants(), |isa| {
        let mut found = start.to_vec();
        convection::with(isa, b, u, &mut found).unwrap();
        assert!(
            near_to(found.as_flattened(), expected.as_flattened(), 1e-12),
            "{isa}"
        );
    });
    let operations = counted(&convection::REPORT, CELLS, |cells| {
        let (b, u) = (
            counting(&numbers(6, 50 * cells)),
            counting(&numbers(7, 16 * cells)),
        );
        let mut y = counting(&numbers(8, 16 * cells));
        convection(
            b.as_chunks().0.as_chunks().0,
            u.as_chunks().0,
            y.as_chunks_mut().0,
        );
    });
    // Value and derivatives take four sums over an axis, and the way back two, or halves of them where the cost model
    // has these take less time.
    assert!(operations <= 1045, "{operations}");
}

#[test]
fn filters_share_the_sums_of_opposite_terms() {
    let (x, start) = (numbers(10, 61), numbers(11, 110));
    let mut expected = start.clone();
    filtered::reference(&x, &mut expected);
    each_variant(filtered::variants(), |isa| {
        let mut found = start.clone();
        filtered::with(isa, &x, &mut found).unwrap();
        assert!(near_to(&found, &expected, 1e-13), "{isa}");
    });
}

#[test]
fn numbers_of_half_the_width() {
    let narrow_numbers = |seed, count| -> Vec<f32> {
        let numbers = numbers(seed, count).into_iter();
        numbers.map(|number| number as f32).collect()
    };
    let [g, u, start] = [12, 13, 14].map(|seed| narrow_numbers(seed, 64 * 37));
    let (g, u): (&[[f32; 64]], &[[f32; 64]]) = (g.as_chunks().0, u.as_chunks().0);
    let mut expected: Vec<[f32; 64]> = start.as_chunks().0.to_vec();
    narrow::reference(g, u, &mut expected);
    each_variant(narrow::variants(), |isa| {
        let mut found: Vec<[f32; 64]> = start.as_chunks().0.to_vec();
        narrow::with(isa, g, u, &mut found).unwrap();
        let pairs = found.as_flattened().iter().zip(expected.as_flattened());
        for (found, expected) in pairs {
            assert!((found - expected).abs() < 2e-5, "{isa}: {found} {expected}");
        }
    });
}
