//! Nests over the same arrays, one after the other, and time loops around them: large arrays are swept in turns, and
//! in blocks of steps.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    dead_code,
    reason = "each variant is called, not the functions that choose one"
)]

mod support;

use loopwright::{Counted, Scalar, kernel};
use support::{each_variant, numbers};

kernel! {
    /// Two arrays in turns.
    #[opt(strict)]
    pub fn heat(steps: usize, n: usize, m: usize, a: &mut [f64], b: &mut [f64]) {
        for _ in 0..steps {
            for i in 1..n - 1 {
                for j in 1..m - 1 {
                    b[i * m + j] = 0.5 * a[i * m + j]
                        + 0.125 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]);
                }
            }
            for i in 1..n - 1 {
                for j in 1..m - 1 {
                    a[i * m + j] = 0.5 * b[i * m + j]
                        + 0.125 * (b[(i - 1) * m + j] + b[(i + 1) * m + j] + b[i * m + j - 1] + b[i * m + j + 1]);
                }
            }
        }
    }

    /// One array, copied back.
    #[opt(strict)]
    pub fn jacobi<const M: usize>(steps: usize, a: &mut [[f32; M]], b: &mut [[f32; M]]) {
        for _ in 0..steps {
            for i in 1..a.len() - 1 {
                for j in 1..M - 1 {
                    b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
                }
            }
            for i in 1..a.len() - 1 {
                for j in 1..M - 1 {
                    a[i][j] = b[i][j];
                }
            }
        }
    }

    /// Three fields, over rows of different numbers.
    #[opt(strict)]
    pub fn fields(steps: usize, n: usize, m: usize, ex: &mut [f64], ey: &mut [f64], hz: &mut [f64]) {
        for _ in 0..steps {
            for i in 1..n {
                for j in 0..m {
                    ey[i * m + j] -= 0.5 * (hz[i * m + j] - hz[(i - 1) * m + j]);
                }
            }
            for i in 0..n {
                for j in 1..m {
                    ex[i * m + j] -= 0.5 * (hz[i * m + j] - hz[i * m + j - 1]);
                }
            }
            for i in 0..n - 1 {
                for j in 0..m - 1 {
                    hz[i * m + j] -= 0.7 * (ex[i * m + j + 1] - ex[i * m + j] + ey[(i + 1) * m + j] - ey[i * m + j]);
                }
            }
        }
    }

    /// Three dimensions, and a field that is only read.
    #[opt(strict)]
    pub fn wave(steps: usize, n: usize, m: usize, l: usize, c: &[f64], a: &mut [f64], b: &mut [f64]) {
        for _ in 0..steps {
            for i in 2..n - 2 {
                for j in 2..m - 2 {
                    for k in 2..l - 2 {
                        let p = (i * m + j) * l + k;
                        b[p] = 2.0 * a[p] - b[p]
                            + c[p] * (a[p - 2 * m * l] + a[p + 2 * m * l] + a[p - 2 * l] + a[p + l] + a[p - 1] + a[p + 2]);
                    }
                }
            }
            for i in 2..n - 2 {
                for j in 2..m - 2 {
                    for k in 2..l - 2 {
                        let p = (i * m + j) * l + k;
                        a[p] = 2.0 * b[p] - a[p]
                            + c[p] * (b[p - 2 * m * l] + b[p + 2 * m * l] + b[p - 2 * l] + b[p + l] + b[p - 1] + b[p + 2]);
                    }
                }
            }
        }
    }

    /// No time loop: a pass, and another one that reads what it has written.
    #[opt(strict)]
    pub fn passes(n: usize, m: usize, x: &[f64], t: &mut [f64], y: &mut [f64]) {
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                t[i * m + j] = x[(i - 1) * m + j] + x[(i + 1) * m + j] - x[i * m + j - 1];
            }
        }
        for i in 3..n - 3 {
            for j in 1..m - 1 {
                y[i * m + j] = t[(i + 2) * m + j] - t[(i - 2) * m + j + 1];
            }
        }
    }

    /// Values of steps before the first one that are left alone, and scalars of a step.
    pub fn generic<T: Scalar>(steps: usize, n: usize, m: usize, a: &mut [T], b: &mut [T]) {
        for _ in 0..steps {
            for i in 1..n - 1 {
                for j in 0..m {
                    let s = a[(i - 1) * m + j] + a[(i + 1) * m + j];
                    b[i * m + j] = s * s;
                }
            }
            for i in 1..n - 1 {
                for j in 0..m {
                    a[i * m + j] = b[i * m + j] - a[i * m + j];
                }
            }
        }
    }
}

/// Shapes from none on; the last ones are beyond the caches of a core.
const SHAPES: [(usize, usize); 9] = [
    (2, 2),
    (3, 40),
    (4, 5),
    (5, 3),
    (20, 33),
    (7, 70_000),
    (9, 90_001),
    (1100, 700),
    (60_000, 9),
];

/// Steps from none on.
const STEPS: [usize; 4] = [0, 1, 4, 7];

#[test]
fn two_arrays_in_turns() {
    for (n, m) in SHAPES {
        for steps in STEPS {
            let start = || (numbers(1, n * m), numbers(2, n * m));
            let mut expected = start();
            heat::reference(steps, n, m, &mut expected.0, &mut expected.1);
            each_variant(heat::variants(), |isa| {
                let mut found = start();
                heat::with(isa, steps, n, m, &mut found.0, &mut found.1).unwrap();
                assert!(found == expected, "{isa:?}, {n} x {m}, {steps} steps");
            });
        }
    }
}

#[test]
fn an_array_that_is_copied_back() {
    fn of<const M: usize>(n: usize, steps: usize) {
        let start = || {
            let row = |i: usize| std::array::from_fn(|j| support::noise(i * M + j) as f32);
            (
                (0..n).map(row).collect::<Vec<[f32; M]>>(),
                vec![[1.0; M]; n],
            )
        };
        let mut expected = start();
        jacobi::reference(steps, &mut expected.0, &mut expected.1);
        each_variant(jacobi::variants(), |isa| {
            let mut found = start();
            jacobi::with(isa, steps, &mut found.0, &mut found.1).unwrap();
            assert!(found == expected, "{isa:?}, {n} x {M}, {steps} steps");
        });
    }
    for steps in STEPS {
        of::<3>(2, steps);
        of::<40>(5, steps);
        of::<1001>(701, steps);
    }
}

#[test]
fn fields_of_different_rows() {
    for (n, m) in SHAPES {
        for steps in STEPS {
            let start = || [1, 2, 3].map(|seed| numbers(seed, n * m));
            let mut expected = start();
            let [ex, ey, hz] = &mut expected;
            fields::reference(steps, n, m, ex, ey, hz);
            each_variant(fields::variants(), |isa| {
                let mut found = start();
                let [ex, ey, hz] = &mut found;
                fields::with(isa, steps, n, m, ex, ey, hz).unwrap();
                assert!(found == expected, "{isa:?}, {n} x {m}, {steps} steps");
            });
        }
    }
}

#[test]
fn planes_of_lines() {
    for (n, m, l) in [
        (4, 4, 4),
        (5, 6, 7),
        (9, 5, 30),
        (40, 90, 81),
        (5, 300, 301),
        (300, 6, 300),
    ] {
        for steps in [0, 1, 5] {
            let c = numbers(9, n * m * l);
            let start = || (numbers(1, n * m * l), numbers(2, n * m * l));
            let mut expected = start();
            wave::reference(steps, n, m, l, &c, &mut expected.0, &mut expected.1);
            each_variant(wave::variants(), |isa| {
                let mut found = start();
                wave::with(isa, steps, n, m, l, &c, &mut found.0, &mut found.1).unwrap();
                assert!(found == expected, "{isa:?}, {n} x {m} x {l}, {steps} steps");
            });
        }
    }
}

#[test]
fn passes_over_arguments() {
    for (n, m) in SHAPES.into_iter().filter(|(n, _)| *n > 6) {
        let x = numbers(1, n * m);
        let start = || (numbers(2, n * m), numbers(3, n * m));
        let run = |of: &mut dyn FnMut(&mut [f64], &mut [f64])| {
            let mut all = start();
            of(&mut all.0, &mut all.1);
            all
        };
        let expected = run(&mut |t, y| passes::reference(n, m, &x, t, y));
        each_variant(passes::variants(), |isa| {
            let found = run(&mut |t, y| passes::with(isa, n, m, &x, t, y).unwrap());
            assert!(found == expected, "{isa:?}, {n} x {m}");
        });
    }
}

/// Without steps nothing is accessed, and arrays may be of any length.
#[test]
fn no_steps_fail_no_check() {
    heat(0, 100, 100, &mut [], &mut []);
    let short = std::panic::catch_unwind(|| heat(1, 100, 100, &mut [], &mut []));
    assert!(short.is_err());
}

#[test]
fn operations_are_those_of_all_steps() {
    let (steps, n, m) = (5, 400, 801);
    let start = || {
        let one = |seed| support::counting(&numbers(seed, n * m));
        (one(1), one(2))
    };
    let (mut found, mut expected) = (start(), start());
    let ((), cost) = Counted::<f64>::count(|| generic(steps, n, m, &mut found.0, &mut found.1));
    generic::reference(steps, n, m, &mut expected.0, &mut expected.1);
    let bits = |all: &[Counted<f64>]| all.iter().map(|x| x.value().to_bits()).collect::<Vec<_>>();
    assert!(bits(&found.0) == bits(&expected.0));
    assert_eq!(cost.operations(), 3 * (steps * (n - 2) * m) as u64);
}

#[test]
fn reports_say_what_is_done() {
    let said = |report: &loopwright::Report| report.lanes[0].with.to_owned();
    let heat = said(&heat::REPORT);
    assert!(
        heat.contains("steps in blocks of 4, their nests 0, 1, 2, 3, 4, 5, 6, 7 rows behind"),
        "{heat}"
    );
    let fields = said(&fields::REPORT);
    assert!(
        fields.contains("steps in blocks of 4, their nests 0, 0, 0, 1, 0, 1, 2"),
        "{fields}"
    );
    let passes = said(&passes::REPORT);
    assert!(passes.contains("nests in turns, 0, "), "{passes}");
}
