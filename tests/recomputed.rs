//! Values that are computed again where temporaries take more memory than they may: results in every variant, and the
//! operations and bytes that are reported.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

/// A sequence in which `f` is read along its rows and along its columns, and `h` in a loop that it does not have.
macro_rules! sequence {
    ($name:ident, $memory:literal) => {
        kernel! {
            #[opt(memory = $memory)]
            pub fn $name(
                y: &[[f64; 5]; 40], g: &[[f64; 5]; 40], e: &[[f64; 40]; 3], w: &mut [[f64; 40]; 3],
            ) {
                let mut f = vec![[0.0; 40]; 40];
                for r in 0..40 {
                    for s in 0..40 {
                        let mut sum = 0.0;
                        for l in 0..5 {
                            sum += y[r][l] * g[s][l];
                        }
                        f[r][s] = sum;
                    }
                }
                let mut h = vec![[0.0; 40]; 40];
                for r in 0..40 {
                    for s in 0..40 {
                        h[r][s] = f[r][s] * f[s][r];
                    }
                }
                for k in 0..3 {
                    for s in 0..40 {
                        for r in 0..40 {
                            w[k][s] += e[k][r] * h[r][s];
                        }
                    }
                }
            }
        }
    };
}

sequence!(free, "1 MiB");
sequence!(tight, "4 KiB");
sequence!(tightest, "1 KiB");

/// Numbers between -1 and 1.
fn numbers<const N: usize, const M: usize>(seed: usize) -> [[f64; N]; M] {
    let number = |at: usize| (at * 7919 % 1009) as f64 / 504.5 - 1.0;
    std::array::from_fn(|i| std::array::from_fn(|j| number(i * N + j + seed)))
}

#[test]
fn results_are_those_of_the_text() {
    let (y, g, e) = (numbers(1), numbers(2), numbers(3));
    let mut expected = numbers(4);
    tight::reference(&y, &g, &e, &mut expected);
    for isa in tight::variants().iter().copied() {
        let mut found = numbers(4);
        tight::with(isa, &y, &g, &e, &mut found).unwrap();
        for (found, expected) in found.as_flattened().iter().zip(expected.as_flattened()) {
            assert!(
                (found - expected).abs() <= 1e-12 * 40.0,
                "{isa:?}: {found} {expected}"
            );
        }
    }
}

#[test]
fn a_bound_is_kept_by_computing_again() {
    let [free, tight] = [free::REPORT, tight::REPORT].map(|report| report.expansion);
    assert!(free.temporary_bytes > 12_000, "{free}");
    assert!(tight.temporary_bytes <= 4096, "{tight}");
    // Each element of `f` has five products and four additions.
    assert_eq!(tight.operations(), free.operations() + 9 * 1600);
    let decisions = tight::REPORT.passes.iter().flat_map(|pass| pass.decisions);
    let words = "for each of its reads computed again, 14400 operations more";
    assert!(decisions.into_iter().any(|said| said.contains(words)));
}

#[test]
fn a_bound_that_only_loops_without_lanes_keep_is_kept() {
    let (y, g, e) = (numbers(1), numbers(2), numbers(3));
    let mut expected = numbers(4);
    tightest::reference(&y, &g, &e, &mut expected);
    for isa in tightest::variants().iter().copied() {
        let mut found = numbers(4);
        tightest::with(isa, &y, &g, &e, &mut found).unwrap();
        let pairs = found.as_flattened().iter().zip(expected.as_flattened());
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * (1.0 + b.abs());
        assert!(pairs.into_iter().all(near), "{isa}");
    }
    // Vectors would take a copy of `g` in another order, of 1,600 bytes.
    let report = &tightest::REPORT;
    let mut schedules = report
        .passes
        .iter()
        .filter(|pass| pass.name.starts_with("schedule for"));
    let keeps = |said: &&str| said.contains("temporaries of 0 bytes");
    assert!(
        schedules.all(|pass| pass.decisions.iter().any(keeps)),
        "{report:#}"
    );
    assert!(!report.notes.iter().any(|note| note.starts_with("`memory`")));
}
