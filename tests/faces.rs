//! Flat subscripts of neighbours that have names first.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

mod support;
use support::{each_variant, near, noise};

kernel! {
    /// What flows through the faces of cells, whose neighbours have names before they are subscripts.
    pub fn faces(n: usize, k: &[f64], u: &[f64], v: &mut [f64]) {
        for a in 1..n - 1 {
            for b in 1..n - 1 {
                for c in 1..n - 1 {
                    let p = (a * n + b) * n + c;
                    let flow = |q: usize, r: usize| (k[q] + k[r]) * (u[q] - u[r]);
                    let below = p - n * n;
                    v[p] = flow(p + 1, p) - flow(p, p - 1) + flow(p + n, p) - flow(p, p - n)
                        + flow(p + n * n, p) - flow(p, below);
                }
            }
        }
    }
}

#[test]
fn flows() {
    let wanted = "width 4, lanes over `c` (";
    let mut decisions = faces::REPORT.passes.iter().flat_map(|pass| pass.decisions);
    assert!(decisions.any(|d| d.contains(wanted)), "{}", faces::REPORT);
    for n in [2, 3, 4, 7, 10, 19] {
        let [k, u] = [1, 2].map(|of| (0..n * n * n).map(|at| noise(of * at)).collect::<Vec<_>>());
        let mut expected = vec![0.5; n * n * n];
        faces::reference(n, &k, &u, &mut expected);
        each_variant(faces::variants(), |isa| {
            let mut found = vec![0.5; n * n * n];
            faces::with(isa, n, &k, &u, &mut found).unwrap();
            assert!(near(&found, &expected), "{isa:?}, {n}");
        });
    }
}
