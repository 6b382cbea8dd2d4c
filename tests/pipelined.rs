//! Copies of what is staged for a vector of cells, during the sums of the next.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::{Report, kernel};

mod support;
use support::each_variant;

kernel! {
    /// Stiffness on cells with diagonal Jacobians: symmetric, so that entries are copied twice.
    pub fn stiffness(scales: &[[f64; 3]], a: &mut [[[f64; 20]; 20]]) {
        static W: [f64; 14] = tabulate!(tetrahedron, quadrature(4), weights);
        static DPHI: [[[f64; 20]; 14]; 3] =
            tabulate!(tetrahedron, quadrature(4), lagrange(3), gradient);
        for e in 0..scales.len() {
            for q in 0..14 {
                for i in 0..20 {
                    for j in 0..20 {
                        for d in 0..3 {
                            a[e][i][j] += scales[e][d] * W[q] * DPHI[d][q][i] * DPHI[d][q][j];
                        }
                    }
                }
            }
        }
    }

    /// The same of degree four, with other functions in the rows: more than a part of the cache has room
    /// for twice.
    #[opt(lanes(e))]
    pub fn large(scales: &[[f64; 3]], a: &mut [[[f64; 35]; 35]]) {
        static W: [f64; 14] = tabulate!(tetrahedron, quadrature(4), weights);
        static PHI: [[f64; 35]; 14] = tabulate!(tetrahedron, quadrature(4), lagrange(4));
        static DPHI: [[[f64; 35]; 14]; 3] =
            tabulate!(tetrahedron, quadrature(4), lagrange(4), gradient);
        for e in 0..scales.len() {
            for q in 0..14 {
                for i in 0..35 {
                    for j in 0..35 {
                        for d in 0..3 {
                            a[e][i][j] += scales[e][d] * W[q] * PHI[q][i] * DPHI[d][q][j];
                        }
                    }
                }
            }
        }
    }

    /// The same in single precision, with another result beside it.
    pub fn single(scales: &[[f32; 3]], trace: &mut [f32], a: &mut [[[f32; 20]; 20]]) {
        static W: [f32; 14] = tabulate!(tetrahedron, quadrature(4), weights);
        static DPHI: [[[f32; 20]; 14]; 3] =
            tabulate!(tetrahedron, quadrature(4), lagrange(3), gradient);
        for e in 0..scales.len() {
            trace[e] = scales[e][0] + scales[e][1] + scales[e][2];
            for q in 0..14 {
                for i in 0..20 {
                    for j in 0..20 {
                        for d in 0..3 {
                            a[e][i][j] += scales[e][d] * W[q] * DPHI[d][q][i] * DPHI[d][q][j];
                        }
                    }
                }
            }
        }
    }
}

/// Whether the variant of an instruction set copies during sums of a vector, `next` or `same`.
fn is_pipelined(report: &Report, isa: &str, vector: &str) -> bool {
    let name = format!("schedule for {isa}");
    let mut passes = report.passes.iter().filter(|pass| pass.name == name);
    passes.any(|pass| {
        let mut said = pass.decisions.iter();
        said.any(|text| text.contains(&format!("is copied during the {vector} vector's sums")))
    })
}

fn scale(cell: usize, axis: usize) -> f64 {
    0.5 + ((3 * cell + axis) * 7919 % 1009) as f64 / 1009.0
}

#[test]
fn thirty_two_registers_have_room_for_both() {
    for report in [&stiffness::REPORT, &single::REPORT] {
        assert!(is_pipelined(report, "avx512", "next"), "{report}");
        assert!(!is_pipelined(report, "avx2", "next"), "{report}");
        assert!(!is_pipelined(report, "scalar", "next"), "{report}");
    }
}

#[test]
fn a_large_array_is_copied_from_before_it_is_full() {
    let report = &large::REPORT;
    assert!(is_pipelined(report, "avx512", "same"), "{report}");
    assert!(!is_pipelined(report, "avx512", "next"), "{report}");
    assert!(!is_pipelined(report, "avx2", "same"), "{report}");
    for cells in [0, 1, 7, 8, 9, 15, 16, 17, 24, 29] {
        let scales: Vec<[f64; 3]> = (0..cells).map(|e| [0, 1, 2].map(|d| scale(e, d))).collect();
        let mut expected = vec![[[0.25; 35]; 35]; cells];
        large::reference(&scales, &mut expected);
        each_variant(large::variants(), |isa| {
            let mut found = vec![[[0.25; 35]; 35]; cells];
            large::with(isa, &scales, &mut found).unwrap();
            let pairs = found.as_flattened().as_flattened().iter();
            for (at, (f, e)) in pairs
                .zip(expected.as_flattened().as_flattened())
                .enumerate()
            {
                assert!((f - e).abs() <= 1e-13, "{isa:?}, {cells} cells, entry {at}");
            }
        });
    }
}

#[test]
fn whole_and_partial_vectors_arrive_where_they_belong() {
    for cells in (0..=35).chain([47, 48, 49]) {
        let scales: Vec<[f64; 3]> = (0..cells).map(|e| [0, 1, 2].map(|d| scale(e, d))).collect();
        let mut expected = vec![[[0.25; 20]; 20]; cells];
        stiffness::reference(&scales, &mut expected);
        each_variant(stiffness::variants(), |isa| {
            let mut found = vec![[[0.25; 20]; 20]; cells];
            stiffness::with(isa, &scales, &mut found).unwrap();
            let pairs = found.as_flattened().as_flattened().iter();
            for (at, (f, e)) in pairs
                .zip(expected.as_flattened().as_flattened())
                .enumerate()
            {
                assert!((f - e).abs() <= 1e-13, "{isa:?}, {cells} cells, entry {at}");
            }
        });
    }
}

#[test]
fn singles_have_sixteen_lanes() {
    for cells in [0, 1, 15, 16, 17, 31, 32, 33, 70] {
        let scales: Vec<[f32; 3]> = (0..cells)
            .map(|e| [0, 1, 2].map(|d| scale(e, d) as f32))
            .collect();
        let (mut trace, mut expected) = (vec![9.0; cells], vec![[[0.25; 20]; 20]; cells]);
        single::reference(&scales, &mut trace, &mut expected);
        each_variant(single::variants(), |isa| {
            let (mut other, mut found) = (vec![7.0; cells], vec![[[0.25; 20]; 20]; cells]);
            single::with(isa, &scales, &mut other, &mut found).unwrap();
            assert_eq!(trace, other);
            let pairs = found.as_flattened().as_flattened().iter();
            for (at, (f, e)) in pairs
                .zip(expected.as_flattened().as_flattened())
                .enumerate()
            {
                assert!((f - e).abs() <= 1e-5, "{isa:?}, {cells} cells, entry {at}");
            }
        });
    }
}
