//! Long sums run in blocks, so that what a block needs stays in a near cache.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::{Isa, Report, kernel};

const NODES: usize = 20;

kernel! {
    /// Stiffness with a coefficient function, on cells with diagonal Jacobians.
    #[opt(level = 2, lanes(e))]
    pub fn stiffness(
        scales: &[[f64; 3]],
        w: &[[f64; 20]],
        a: &mut [[[f64; 20]; 20]],
    ) {
        static W: [f64; 214] = tabulate!(tetrahedron, quadrature(15), weights);
        static PHI: [[f64; 20]; 214] = tabulate!(tetrahedron, quadrature(15), lagrange(3));
        static DPHI: [[[f64; 20]; 214]; 3] =
            tabulate!(tetrahedron, quadrature(15), lagrange(3), gradient);
        for e in 0..scales.len() {
            for q in 0..214 {
                let mut f = 0.0;
                for r in 0..20 {
                    f += w[e][r] * PHI[q][r];
                }
                for i in 0..20 {
                    for j in 0..20 {
                        let mut gradients = 0.0;
                        for d in 0..3 {
                            gradients += scales[e][d] * DPHI[d][q][i] * DPHI[d][q][j];
                        }
                        a[e][i][j] += W[q] * f.exp() * gradients;
                    }
                }
            }
        }
    }

    /// Both sums over the points are of temporaries: of a vector, and of a number.
    #[opt(level = 2)]
    pub fn norms(x: &[[f64; 20]], y: &mut [[f64; 20]]) {
        static W: [f64; 214] = tabulate!(tetrahedron, quadrature(15), weights);
        static PHI: [[f64; 20]; 214] = tabulate!(tetrahedron, quadrature(15), lagrange(3));
        for e in 0..x.len() {
            let mut projected = [0.0; 20];
            let mut total = 0.0;
            for q in 0..214 {
                let mut u = 0.0;
                for r in 0..20 {
                    u += x[e][r] * PHI[q][r];
                }
                total += W[q] * u.sqrt();
                for i in 0..20 {
                    projected[i] += W[q] * (u * PHI[q][i] + 0.5).sqrt();
                }
            }
            for i in 0..20 {
                y[e][i] += projected[i] / total;
            }
        }
    }
}

fn number(seed: usize) -> f64 {
    0.5 + (seed * 7919 % 1009) as f64 / 1009.0
}

fn numbers<const N: usize>(count: usize, first: usize) -> Vec<[f64; N]> {
    let row = |e: usize| std::array::from_fn(|k| number(first + e * N + k));
    (0..count).map(row).collect()
}

fn assert_near(found: &[f64], expected: &[f64], what: &str) {
    let largest = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= 1e-13 * largest, "{what}");
    }
}

/// The schedule of an instruction set has the sums over `q` in blocks.
fn has_blocks(report: &Report, isa: &str) -> bool {
    let name = format!("schedule for {isa}");
    let mut passes = report.passes.iter().filter(|pass| pass.name == name);
    // What was chosen stands before the alternatives.
    let chosen = |text: &&str| {
        text.split('(')
            .next()
            .is_some_and(|t| t.contains("`q_block`"))
    };
    passes.any(|pass| pass.decisions.iter().any(chosen))
}

fn available(variants: &[Isa]) -> Vec<Isa> {
    let all = variants.iter().copied();
    all.filter(|isa| isa.is_available()).collect()
}

#[test]
fn sums_over_many_points_are_in_blocks() {
    assert!(
        has_blocks(&stiffness::REPORT, "avx2"),
        "{}",
        stiffness::REPORT
    );
    // With the registers of AVX-512 whole sums are as good.
    let decisions = stiffness::REPORT.passes.iter().flat_map(|p| p.decisions);
    let weighed = decisions.filter(|text| text.contains("steps of `q_block`"));
    assert!(weighed.count() >= 2, "{}", stiffness::REPORT);
    assert!(!has_blocks(&stiffness::REPORT, "scalar"));
    assert!(stiffness::REPORT.notes.is_empty(), "{}", stiffness::REPORT);
}

#[test]
fn blocks_add_up_to_the_sum() {
    for cells in [0, 1, 3, 4, 9] {
        let (scales, w) = (numbers(cells, 0), numbers(cells, 500));
        let mut expected = vec![[[0.25; NODES]; NODES]; cells];
        stiffness::reference(&scales, &w, &mut expected);
        for isa in available(stiffness::variants()) {
            let mut found = vec![[[0.25; NODES]; NODES]; cells];
            stiffness::with(isa, &scales, &w, &mut found).unwrap();
            let [found, expected] = [&found, &expected].map(|a| a.as_flattened().as_flattened());
            assert_near(found, expected, &format!("{isa:?}, {cells} cells"));
        }
    }
}

#[test]
fn sums_that_are_used_again_are_whole() {
    for cells in [0, 1, 5, 8] {
        let x = numbers(cells, 100);
        let mut expected = vec![[0.25; NODES]; cells];
        norms::reference(&x, &mut expected);
        for isa in available(norms::variants()) {
            let mut found = vec![[0.25; NODES]; cells];
            norms::with(isa, &x, &mut found).unwrap();
            let [found, expected] = [&found, &expected].map(|y| y.as_flattened());
            assert_near(found, expected, &format!("{isa:?}, {cells} cells"));
        }
    }
}
