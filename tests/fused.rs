//! Sums of products whose steps share loops: results in every variant, operations that are executed, and bytes of
//! temporaries.

#![allow(
    clippy::too_many_arguments,
    clippy::explicit_auto_deref,
    clippy::borrow_deref_ref,
    reason = "texts of kernels, and arrays in boxes"
)]
use loopwright::kernel;

kernel! {
    /// Figure 1 of Lam 1999.
    pub fn integral(
        a: &[[f64; 100]; 50], b: &[[[f64; 15]; 40]; 100], c: &[[f64; 15]; 40], w: &mut [f64; 40],
    ) {
        for k in 0..40 {
            for i in 0..50 {
                for j in 0..100 {
                    for l in 0..15 {
                        w[k] += a[i][j] * b[j][k][l] * c[k][l];
                    }
                }
            }
        }
    }

    /// The same, of arrays that are computed here.
    pub fn generated(w: &mut [f64; 40]) {
        let mut a = vec![[0.0; 100]; 50];
        let mut b = vec![[[0.0; 15]; 40]; 100];
        for i in 0..50 {
            for j in 0..100 {
                a[i][j] = i as f64 * 0.5 + j as f64;
            }
        }
        for j in 0..100 {
            for k in 0..40 {
                for l in 0..15 {
                    b[j][k][l] = j as f64 * k as f64 + l as f64;
                }
            }
        }
        for k in 0..40 {
            for i in 0..50 {
                for j in 0..100 {
                    for l in 0..15 {
                        w[k] += a[i][j] * b[j][k][l];
                    }
                }
            }
        }
    }

    /// A product of three matrices.
    pub fn chain(
        a: &[[f64; 120]; 90], b: &[[f64; 150]; 120], c: &[[f64; 70]; 150], d: &mut [[f64; 70]; 90],
    ) {
        for i in 0..90 {
            for j in 0..120 {
                for k in 0..150 {
                    for l in 0..70 {
                        d[i][l] += a[i][j] * b[j][k] * c[k][l];
                    }
                }
            }
        }
    }

    /// As the text has it, in two steps, and what the second one assigns.
    pub fn steps(
        a: &[[f64; 60]; 70], b: &[[f64; 90]; 60], c: &[[f64; 200]; 90], d: &mut [[f64; 200]; 70],
    ) {
        let mut t = vec![[0.0; 90]; 70];
        for i in 0..70 {
            for k in 0..90 {
                for j in 0..60 {
                    t[i][k] += a[i][j] * b[j][k];
                }
            }
        }
        for i in 0..70 {
            for l in 0..200 {
                let mut sum = 0.0;
                for k in 0..90 {
                    sum += t[i][k] * c[k][l];
                }
                d[i][l] = sum;
            }
        }
    }

    /// A temporary that two results read.
    pub fn twice(
        a: &[[f64; 60]; 80], b: &[[f64; 90]; 60], x: &[f64; 90], y: &mut [f64; 80], z: &mut [[f64; 90]; 80],
    ) {
        let mut t = vec![[0.0; 90]; 80];
        for i in 0..80 {
            for k in 0..90 {
                for j in 0..60 {
                    t[i][k] += a[i][j] * b[j][k];
                }
            }
        }
        for i in 0..80 {
            for k in 0..90 {
                y[i] += t[i][k] * x[k];
                z[i][k] = t[i][k] * 2.0 + x[k];
            }
        }
    }

    /// No row of a temporary fits.
    #[opt(memory = "1 KiB")]
    pub fn tight(
        a: &[[f64; 120]; 90], b: &[[f64; 150]; 120], c: &[[f64; 170]; 150], d: &mut [[f64; 170]; 90],
    ) {
        for i in 0..90 {
            for j in 0..120 {
                for k in 0..150 {
                    for l in 0..170 {
                        d[i][l] += a[i][j] * b[j][k] * c[k][l];
                    }
                }
            }
        }
    }

    /// Whole temporaries fit.
    #[opt(memory = "1 MiB")]
    pub fn loose(
        a: &[[f64; 120]; 90], b: &[[f64; 150]; 120], c: &[[f64; 170]; 150], d: &mut [[f64; 170]; 90],
    ) {
        for i in 0..90 {
            for j in 0..120 {
                for k in 0..150 {
                    for l in 0..170 {
                        d[i][l] += a[i][j] * b[j][k] * c[k][l];
                    }
                }
            }
        }
    }

    /// Lengths that are known when it runs.
    pub fn flat(
        n: usize, m: usize, p: usize, q: usize, a: &[f64], b: &[f64], c: &[f64], d: &mut [f64],
    ) {
        for i in 0..n {
            for j in 0..m {
                for k in 0..p {
                    for l in 0..q {
                        d[i * q + l] += a[i * m + j] * b[j * p + k] * c[k * q + l];
                    }
                }
            }
        }
    }

    /// Rows that are multiplied with rows, and with what these are multiplied with.
    pub fn attention(
        n: usize, m: usize, e: usize, d: usize, q: &[f64], k: &[f64], v: &[f64], o: &mut [f64],
    ) {
        for i in 0..n {
            for j in 0..m {
                let mut s = 0.0;
                for h in 0..e {
                    s += q[i * e + h] * k[j * e + h];
                }
                for c in 0..d {
                    o[i * d + c] += s * v[j * d + c];
                }
            }
        }
    }

    /// Two terms of coupled clusters, of six loops and of eight: the first one.
    pub fn ladder(v: &[f64], t: &[f64], r: &mut [f64], n: usize, m: usize) {
        for a in 0..n {
            for b in 0..n {
                for i in 0..m {
                    for j in 0..m {
                        for c in 0..n {
                            for d in 0..n {
                                r[((a * n + b) * m + i) * m + j] +=
                                    v[((a * n + b) * n + c) * n + d] * t[((c * n + d) * m + i) * m + j];
                            }
                        }
                    }
                }
            }
        }
    }

    /// The second one: in two steps.
    pub fn quadratic(v: &[f64], t: &[f64], r: &mut [f64], n: usize, m: usize) {
        for a in 0..n {
            for b in 0..n {
                for i in 0..m {
                    for j in 0..m {
                        for k in 0..m {
                            for l in 0..m {
                                for c in 0..n {
                                    for d in 0..n {
                                        r[((a * n + b) * m + i) * m + j] += v[((k * m + l) * n + c) * n + d]
                                            * t[((a * n + c) * m + i) * m + k]
                                            * t[((d * n + b) * m + l) * m + j];
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// A transform of all four indices of a tensor.
    pub fn four(
        a: &[[[[f64; 9]; 9]; 9]; 9], c: &[[f64; 9]; 5], r: &mut [[[[f64; 5]; 5]; 5]; 5],
    ) {
        for i in 0..5 {
            for j in 0..5 {
                for k in 0..5 {
                    for l in 0..5 {
                        for p in 0..9 {
                            for q in 0..9 {
                                for s in 0..9 {
                                    for t in 0..9 {
                                        r[i][j][k][l] += c[i][p] * c[j][q] * c[k][s] * c[l][t] * a[p][q][s][t];
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Short loops of lengths of their own.
    pub fn short(
        a: &[[f64; 7]; 5], b: &[[f64; 3]; 7], c: &[[f64; 9]; 3], d: &[[f64; 4]; 9], r: &mut [[f64; 4]; 5],
    ) {
        for i in 0..5 {
            for j in 0..7 {
                for k in 0..3 {
                    for l in 0..9 {
                        for m in 0..4 {
                            r[i][m] += a[i][j] * b[j][k] * c[k][l] * d[l][m];
                        }
                    }
                }
            }
        }
    }
}

/// Numbers below one that no two neighbours have.
fn numbers(count: usize) -> Vec<f64> {
    let number = |at: usize| ((at * 7919 + 13) % 1009) as f64 / 505.0 - 1.0;
    (0..count).map(number).collect()
}

fn near(found: &[f64], expected: &[f64], name: &str) {
    let largest = expected.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    assert_eq!(found.len(), expected.len());
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (found - expected).abs();
        assert!(
            error <= 1e-12 * largest,
            "{name} at {at}: {found} instead of {expected}"
        );
    }
}

/// An array of numbers.
macro_rules! filled {
    ($rows:literal) => { {
        let mut all = [0.0; $rows];
        all.copy_from_slice(&numbers($rows));
        Box::new(all)
    } };
    ($rows:literal, $($inner:literal),+) => {{
        let all = numbers($rows $(* $inner)+);
        let mut result = vec![filled!(@zero $($inner),+); $rows];
        let flat = result.as_flattened_mut();
        filled!(@copy flat, all, $($inner),+);
        Box::<[_; $rows]>::try_from(result.into_boxed_slice()).ok().unwrap()
    }};
    (@zero $n:literal) => { [0.0; $n] };
    (@zero $n:literal, $($inner:literal),+) => { [filled!(@zero $($inner),+); $n] };
    (@copy $flat:ident, $all:ident, $n:literal) => { $flat.copy_from_slice(&$all) };
    (@copy $flat:ident, $all:ident, $n:literal, $($inner:literal),+) => {{
        let flat = $flat.as_flattened_mut();
        filled!(@copy flat, $all, $($inner),+);
    }};
}

/// Runs a kernel with every instruction set, and compares what it adds to its result with the reference.
macro_rules! compare {
    ($kernel:ident($($input:expr),*), $result:expr, $($flat:ident)*) => {{
        let mut expected = $result.clone();
        $kernel::reference($(&*$input,)* &mut *expected);
        for isa in $kernel::variants().iter().copied() {
            let mut found = $result.clone();
            $kernel::with(isa, $(&*$input,)* &mut *found).unwrap();
            near(found$(.$flat())*, expected$(.$flat())*, &format!("{} {isa:?}", stringify!($kernel)));
        }
    }};
}

#[test]
fn results_are_those_of_the_text() {
    compare!(
        integral(filled!(50, 100), filled!(100, 40, 15), filled!(40, 15)),
        filled!(40),
        as_slice
    );
    compare!(generated(), filled!(40), as_slice);
    compare!(
        chain(filled!(90, 120), filled!(120, 150), filled!(150, 70)),
        filled!(90, 70),
        as_flattened
    );
    compare!(
        steps(filled!(70, 60), filled!(60, 90), filled!(90, 200)),
        filled!(70, 200),
        as_flattened
    );
    compare!(
        four(filled!(9, 9, 9, 9), filled!(5, 9)),
        filled!(5, 5, 5, 5), as_flattened as_flattened as_flattened
    );
    compare!(
        short(filled!(5, 7), filled!(7, 3), filled!(3, 9), filled!(9, 4)),
        filled!(5, 4),
        as_flattened
    );
}

#[test]
fn two_results_are_those_of_the_text() {
    let (a, b, x) = (filled!(80, 60), filled!(60, 90), filled!(90));
    let (mut y, mut z) = (filled!(80), filled!(80, 90));
    twice::reference(&*a, &*b, &*x, &mut *y, &mut *z);
    for isa in twice::variants().iter().copied() {
        let (mut own, mut others) = (filled!(80), filled!(80, 90));
        twice::with(isa, &*a, &*b, &*x, &mut *own, &mut *others).unwrap();
        near(&*own, &*y, "twice");
        near(others.as_flattened(), z.as_flattened(), "twice");
    }
}

#[test]
fn lengths_of_all_kinds() {
    for [n, m, p, q] in [
        [0, 3, 4, 5],
        [3, 0, 4, 5],
        [3, 4, 0, 5],
        [3, 4, 5, 0],
        [1, 1, 1, 1],
        [2, 3, 5, 7],
        [9, 8, 16, 17],
        [20, 33, 40, 65],
    ] {
        let (a, b, c) = (numbers(n * m), numbers(m * p), numbers(p * q));
        let mut expected = numbers(n * q);
        flat::reference(n, m, p, q, &a, &b, &c, &mut expected);
        for isa in flat::variants().iter().copied() {
            let mut found = numbers(n * q);
            flat::with(isa, n, m, p, q, &a, &b, &c, &mut found).unwrap();
            near(&found, &expected, "flat");
        }
        // Without rows nothing is read, however short the others are.
        let short = |length: usize| numbers(if n == 0 { 0 } else { length });
        let (q_, k, v) = (numbers(n * p), short(m * p), short(m * q));
        let mut expected = numbers(n * q);
        attention::reference(n, m, p, q, &q_, &k, &v, &mut expected);
        for isa in attention::variants().iter().copied() {
            let mut found = numbers(n * q);
            attention::with(isa, n, m, p, q, &q_, &k, &v, &mut found).unwrap();
            near(&found, &expected, "attention");
        }
    }
}

#[test]
fn temporaries_that_leave_the_nearest_cache_are_fused_away() {
    // A row of each at most. Those of `chain` and `steps` stay in a core's own caches, where whole ones are faster, and that
    // of `twice` is in no tree.
    for (report, elements) in [(integral::REPORT, 700), (generated::REPORT, 300)] {
        let bytes = report.expansion.temporary_bytes;
        assert!(bytes <= 8 * elements, "{}: {bytes}", report.kernel);
    }
}

#[test]
fn temporaries_take_no_more_memory_than_they_may() {
    let [tight_bytes, loose_bytes] =
        [tight::REPORT, loose::REPORT].map(|report| report.expansion.temporary_bytes);
    assert!(tight_bytes <= 1 << 10, "{tight_bytes}");
    assert!((32 << 10..=1 << 20).contains(&loose_bytes), "{loose_bytes}");
    // Neither computes anything twice: sums that begin at zero have one more addition.
    let operations = |cost: loopwright::Cost| cost.add + cost.mul;
    let least = operations(loose::REPORT.expansion);
    assert!(operations(tight::REPORT.expansion) <= least + 90 * 170);
    compare!(
        tight(filled!(90, 120), filled!(120, 150), filled!(150, 170)),
        filled!(90, 170),
        as_flattened
    );
    compare!(
        loose(filled!(90, 120), filled!(120, 150), filled!(150, 170)),
        filled!(90, 170),
        as_flattened
    );
}

#[test]
fn many_loops_of_run_time_length_are_in_register_tiles() {
    for (n, m) in [(3, 2), (5, 11)] {
        let [v, t, w] = [n * n * n * n, n * n * m * m, m * m * n * n].map(numbers);
        for isa in ladder::variants().iter().copied() {
            let size = n * n * m * m;
            let mut results = [numbers(size), numbers(size), numbers(size), numbers(size)];
            let [found, expected, squares, expected_squares] = &mut results;
            ladder::with(isa, &v, &t, found, n, m).unwrap();
            ladder::reference(&v, &t, expected, n, m);
            near(found, expected, "ladder");
            quadratic::with(isa, &w, &t, squares, n, m).unwrap();
            quadratic::reference(&w, &t, expected_squares, n, m);
            near(squares, expected_squares, "quadratic");
        }
    }
    // What was told apart was validated: they do not run as written, and the second one takes its two steps.
    for report in [ladder::REPORT, quadratic::REPORT] {
        let as_written = report
            .notes
            .iter()
            .any(|note| note.starts_with("runs as written"));
        assert!(!as_written, "{:?}", report.notes);
    }
}
