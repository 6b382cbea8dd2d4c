//! Loop trees that `plan` hands in.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

mod support;
use support::{each_variant, near, numbers};

kernel! {
    /// Two rows and all columns at a time with four lanes; with eight, columns one vector at a time.
    #[opt(plan = ["
        schedule width 4 lanes j
        loop i in 0..6 step 2 {
          reduce k {
            eq 0; eq 0 @ j+4; eq 0 @ i+1; eq 0 @ i+1, j+4
          }
        }
    ", "
        schedule width 8 lanes j
        loop i in 0..6 { reduce k { eq 0 } }
    "])]
    pub fn product(a: &[[f64; 5]; 6], b: &[[f64; 8]; 5], c: &mut [[f64; 8]; 6]) {
        for i in 0..6 {
            for j in 0..8 {
                for k in 0..5 {
                    c[i][j] += a[i][k] * b[k][j];
                }
            }
        }
    }

    /// Lanes over rows, where the search takes columns.
    #[opt(isa = [avx2], plan = "
        schedule width 4 lanes i
        loop i in 0..n - 2 step 4 {
          loop j in 0..m - 2 { block { eq 0 } }
        }
    ")]
    pub fn heat(n: usize, m: usize, u: &[f64], v: &mut [f64]) {
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                v[i * m + j] = u[i * m + j - 1] + 2.0 * u[i * m + j + 1] + 3.0 * u[(i - 1) * m + j] - u[(i + 1) * m + j];
            }
        }
    }

    /// Equations of its own: a sum of two neighbours that three iterations use, in a ring.
    #[opt(isa = [scalar], plan = "
        index ahead: len(x) - 1
        temp pair: f64[len(x) - 1]
        pair[ahead] = + x[ahead] + x[ahead + 1]   for ahead
        y[i] = + pair[i] + pair[i + 2]   for i
        schedule width 1
        store pair: memory[run]
        loop ahead in 0..len(x) - 1 { block { eq 0 } }
        loop i in 0..len(x) - 3 { block { eq 1 } }
    ")]
    pub fn four(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() - 3 {
            y[i] = x[i] + x[i + 1] + x[i + 2] + x[i + 3];
        }
    }
}

/// What the report says of lanes.
fn lanes(report: &loopwright::Report) -> Vec<(&'static str, u64, &'static str, &'static str)> {
    let lanes = report.lanes.iter();
    lanes
        .map(|lanes| (lanes.isa, lanes.width, lanes.over, lanes.with))
        .collect()
}

#[test]
fn each_width_has_its_plan() {
    let [avx512, avx2, scalar] = lanes(&product::REPORT)[..] else {
        panic!("{:?}", product::REPORT.lanes)
    };
    assert_eq!(avx512, ("avx512", 8, "j", "as `plan` says"));
    assert_eq!(avx2, ("avx2", 4, "j", "as `plan` says"));
    assert_ne!(scalar.3, "as `plan` says");
    let (a, b) = (numbers(1, 30), numbers(2, 40));
    let a = a.as_chunks::<5>().0.try_into().unwrap();
    let b = b.as_chunks::<8>().0.try_into().unwrap();
    let mut expected = [[0.5; 8]; 6];
    product::reference(a, b, &mut expected);
    each_variant(product::variants(), |isa| {
        let mut found = [[0.5; 8]; 6];
        product::with(isa, a, b, &mut found).unwrap();
        assert!(
            near(found.as_flattened(), expected.as_flattened()),
            "{isa:?}"
        );
    });
}

#[test]
fn lanes_run_over_the_loop_of_the_plan() {
    assert_eq!(lanes(&heat::REPORT)[0], ("avx2", 4, "i", "as `plan` says"));
    for (n, m) in [(2, 2), (3, 3), (6, 5), (7, 9), (10, 4)] {
        let u = numbers(n, n * m);
        let mut expected = vec![0.25; n * m];
        heat::reference(n, m, &u, &mut expected);
        each_variant(heat::variants(), |isa| {
            let mut found = vec![0.25; n * m];
            heat::with(isa, n, m, &u, &mut found).unwrap();
            assert!(near(&found, &expected), "{isa:?}, {n} x {m}");
        });
    }
}

#[test]
fn a_plan_may_compute_in_another_way() {
    // Two additions for each element, where the text has three.
    let cost = four::REPORT.levels.iter().map(|level| level.cost.add);
    assert_eq!(cost.sum::<u64>(), 2, "{:?}", four::REPORT.levels);
    for n in [3, 4, 5, 30] {
        let x = numbers(n, n);
        let mut expected = vec![0.0; n];
        four::reference(&x, &mut expected);
        let mut found = vec![0.0; n];
        four(&x, &mut found);
        assert!(near(&found, &expected), "{n}: {found:?} {expected:?}");
    }
}
