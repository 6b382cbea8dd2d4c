//! Components in planes of one array, `f[k * n + i]`: fields, colours, populations of a lattice.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    clippy::needless_range_loop,
    reason = "kernels are loops with subscripts"
)]

use loopwright::kernel;

mod support;
use support::{each_variant, near_to, noise};

kernel! {
    /// Relaxation on a lattice of five velocities.
    pub fn relaxed(n: usize, f: &[f64], o: &mut [f64]) {
        let velocities = [0.0, 1.0, -1.0, 2.0, -2.0];
        for i in 0..n {
            let mut density = 0.0;
            let mut momentum = 0.0;
            for k in 0..5 {
                density += f[k * n + i];
                momentum += velocities[k] * f[k * n + i];
            }
            for k in 0..5 {
                let own = density / 5.0 + 0.1 * velocities[k] * momentum;
                o[k * n + i] = f[k * n + i] + 0.6 * (own - f[k * n + i]);
            }
        }
    }

    pub fn halves(n: usize, x: &[f32], y: &mut [f32]) {
        for i in 0..n {
            let product = x[i] * x[i + n];
            y[i] = product + x[i];
            y[i + n] = product - x[i];
        }
    }

    pub fn added(n: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            y[i] += x[i];
            y[n + i] += 2.0 * x[i];
            y[3 * n + i] -= x[i];
        }
    }

    /// The last element of the first part is the first one of the second part.
    pub fn overlapping(n: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            y[i] = x[i];
            y[i + n - 1] = 2.0 * x[i];
        }
    }

    /// Rows that are as far apart as a call says.
    pub fn through_maps(n: usize, values: &[f64], columns: &[u32], x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            let mut s = 0.0;
            for k in 0..6 {
                s += values[k * n + i] * x[columns[k * n + i] as usize];
            }
            y[i] = s;
        }
    }
}

#[test]
fn planes_are_those_of_the_text() {
    for n in [0, 1, 2, 3, 7, 8, 9, 16, 33, 70] {
        let x: Vec<f64> = (0..6 * n).map(noise).collect();
        macro_rules! check {
            ($kernel:ident($($given:expr),*), $count:expr) => {{
                let mut expected: Vec<f64> = (0..$count).map(|at| noise(at + 1000)).collect();
                let start = expected.clone();
                $kernel::reference(n, $($given,)* &mut expected);
                each_variant($kernel::variants(), |isa| {
                    let mut found = start.clone();
                    $kernel::with(isa, n, $($given,)* &mut found).unwrap();
                    assert!(near_to(&found, &expected, 1e-13), "{}, {isa}, {n}", stringify!($kernel));
                });
            }};
        }
        check!(relaxed(&x), 5 * n);
        check!(added(&x), 4 * n);
        if n > 0 {
            check!(overlapping(&x), 2 * n);
        }
        let columns: Vec<u32> = (0..6 * n).map(|at| (at * 7919 % n.max(1)) as u32).collect();
        check!(through_maps(&x, &columns, &x), n);
        let narrow: Vec<f32> = x.iter().map(|x| *x as f32).collect();
        let mut expected = vec![1.0; 2 * n];
        halves::reference(n, &narrow, &mut expected);
        each_variant(halves::variants(), |isa| {
            let mut found = vec![2.0; 2 * n];
            halves::with(isa, n, &narrow, &mut found).unwrap();
            assert_eq!(found, expected, "{isa}, {n}");
        });
    }
}

/// All planes are written in one loop: what they share is not computed again, nor kept in memory.
#[test]
fn planes_share_what_is_computed_of_them() {
    assert_eq!(
        relaxed::REPORT.expansion.temporary_bytes,
        0,
        "{}",
        relaxed::REPORT
    );
    for report in [relaxed::REPORT, halves::REPORT, added::REPORT] {
        let decisions = report.passes.iter().flat_map(|pass| pass.decisions);
        let mut repeated = decisions.filter(|decision| decision.contains("are repeated"));
        assert_eq!(repeated.next(), None, "{report}");
    }
}
