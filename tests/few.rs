//! Calls of few elements: fewer than a vector has lanes, whole vectors, and what these leave. All numbers are small
//! integers, on which no operation rounds.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(clippy::needless_range_loop, reason = "texts of kernels")]

use loopwright::kernel;

mod support;
use support::each_variant;

kernel! {
    pub fn products(a: &[[[f64; 4]; 4]], x: &[[[f64; 4]; 4]], c: &mut [[[f64; 4]; 4]]) {
        for b in 0..c.len() {
            for i in 0..4 {
                for j in 0..4 {
                    for k in 0..4 {
                        c[b][i][j] += a[b][i][k] * x[b][k][j];
                    }
                }
            }
        }
    }

    pub fn turned(n: usize, a: &[f32], b: &mut [f32]) {
        for i in 0..n {
            for j in 0..n {
                b[j * n + i] = a[i * n + j];
            }
        }
    }

    /// Of a length that is known when types are.
    pub fn scaled<const N: usize>(a: f64, x: &[f64; N], y: &mut [f64; N]) {
        for i in 0..N {
            y[i] += a * x[i];
        }
    }

    #[opt(lanes(b), require_lanes)]
    pub fn lanes_of_products(a: &[[[f64; 4]; 4]], x: &[[[f64; 4]; 4]], c: &mut [[[f64; 4]; 4]]) {
        for b in 0..c.len() {
            for i in 0..4 {
                for j in 0..4 {
                    for k in 0..4 {
                        c[b][i][j] += a[b][i][k] * x[b][k][j];
                    }
                }
            }
        }
    }

    #[opt(lanes(b), require_lanes)]
    pub fn rows_and_a_part(a: &[[[f64; 3]; 6]], x: &[[f64; 3]], c: &mut [[f64; 18]]) {
        for b in 0..c.len() {
            for i in 0..6 {
                for j in 0..3 {
                    c[b][3 * i + j] = a[b][i][0] * x[b][j] + a[b][i][1] * x[b][0] + a[b][i][2];
                }
            }
        }
    }

    pub fn areas(cells: &[[[f32; 2]; 3]], area: &mut [f32]) {
        for e in 0..area.len() {
            let x = &cells[e];
            area[e] = ((x[1][0] - x[0][0]) * (x[2][1] - x[0][1])
                - (x[2][0] - x[0][0]) * (x[1][1] - x[0][1]))
                .abs();
        }
    }

    pub fn row_by_row(n: usize, m: &[f64], x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            for j in 0..n {
                y[i] += m[i * n + j] * x[j];
            }
        }
    }

    pub fn in_records(dt: f64, p: &mut [[f64; 5]]) {
        for i in 0..p.len() {
            let [_, x, y, u, v] = p[i];
            p[i][3] = u - dt * x;
            p[i][4] = v - dt * y;
            p[i][1] = x + dt * u;
            p[i][2] = y + dt * v;
        }
    }

    pub fn three_of_four(a: &[[f32; 4]], o: &mut [[f32; 4]]) {
        for i in 0..a.len() {
            for c in 0..3 {
                o[i][c] += a[i][3] * (a[i][c] - o[i][c]);
            }
        }
    }

    pub fn first_of_pairs(a: &[i32], o: &mut [[i32; 2]]) {
        for i in 0..a.len() {
            o[i][0] = a[i].wrapping_mul(3);
        }
    }

    /// The next call waits for what is stored under a mask: up to some vectors the text runs.
    pub fn updated(a: f64, x: &[f64], y: &mut [f64]) {
        for (y, x) in y.iter_mut().zip(x) {
            *y += a * x;
        }
    }

    pub fn limited(low: f32, high: f32, x: &mut [f32]) {
        for x in x.iter_mut() {
            *x = x.clamp(low, high);
        }
    }

    /// Accesses are inside by what is checked before the text runs.
    pub fn subscripted(a: f64, x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] += a * x[i];
        }
    }

    /// Nothing is stored again.
    pub fn apart(a: f64, x: &[f64], y: &mut [f64]) {
        for (y, x) in y.iter_mut().zip(x) {
            *y = a * x;
        }
    }
}

/// Small integers that differ.
fn number(at: usize, of: usize) -> f64 {
    ((at * 7 + of * 5) % 11) as f64 - 4.0
}

/// So many blocks of numbers.
fn blocks<const N: usize>(n: usize, of: usize) -> Vec<[f64; N]> {
    (0..n)
        .map(|i| std::array::from_fn(|k| number(N * i + k, of)))
        .collect()
}

fn squares<const N: usize, const M: usize>(n: usize, of: usize) -> Vec<[[f64; N]; M]> {
    (0..n)
        .map(|i| {
            std::array::from_fn(|j| std::array::from_fn(|k| number(i * M * N + j * N + k, of)))
        })
        .collect()
}

macro_rules! compared {
    ($kernel:ident, ($($given:expr),*), $found:expr) => {
        let start = $found;
        let mut expected = start.clone();
        $kernel::reference($($given,)* &mut expected);
        each_variant($kernel::variants(), |isa| {
            let mut found = start.clone();
            $kernel::with(isa, $($given,)* &mut found).unwrap();
            assert_eq!(found, expected, "{isa:?} {}", stringify!($kernel));
        });
    };
}

#[test]
fn few_elements_are_those_of_the_text() {
    for n in 0..=35 {
        let (a, x) = (squares::<4, 4>(n, 1), squares::<4, 4>(n, 2));
        compared!(products, (&a, &x), squares::<4, 4>(n, 3));
        compared!(lanes_of_products, (&a, &x), squares::<4, 4>(n, 3));
        let (a, x) = (squares::<3, 6>(n, 1), blocks::<3>(n, 2));
        compared!(rows_and_a_part, (&a, &x), blocks::<18>(n, 3));
        let cells = squares::<2, 3>(n, 1).into_iter();
        let cells: Vec<[[f32; 2]; 3]> = cells.map(|c| c.map(|p| p.map(|x| x as f32))).collect();
        compared!(areas, (&cells), vec![1.0_f32; n]);
        let a: Vec<f32> = (0..n * n).map(|i| i as f32).collect();
        compared!(turned, (n, &a), vec![0.5_f32; n * n]);
        for rows in [1, 3, 9] {
            let m: Vec<f64> = (0..n * rows).map(|i| number(i, 1)).collect();
            let x: Vec<f64> = (0..n).map(|i| number(i, 2)).collect();
            compared!(row_by_row, (n, &m, &x), vec![2.0; rows]);
        }
    }
}

#[test]
fn some_components_of_records_are_written_and_the_others_kept() {
    for n in 0..=70 {
        compared!(in_records, (2.0), blocks::<5>(n, 1));
        let single = |of| -> Vec<[f32; 4]> {
            let all = blocks::<4>(n, of).into_iter();
            all.map(|record| record.map(|x| x as f32)).collect()
        };
        compared!(three_of_four, (&single(1)), single(2));
        let a: Vec<i32> = (0..n).map(|i| number(i, 1) as i32).collect();
        let pairs: Vec<[i32; 2]> = (0..n as i32).map(|i| [i, -i]).collect();
        compared!(first_of_pairs, (&a), pairs);
    }
}

/// Below how many elements the text runs for AVX-512.
fn text_below(report: &loopwright::Report) -> Option<usize> {
    let mut passes = report.passes.iter();
    let schedule = passes.find(|pass| pass.name == "schedule for avx512")?;
    let mut below = schedule.decisions.iter().filter_map(|decision| {
        let below = decision.strip_prefix("where loops along the lanes have less than ")?;
        let below = below.strip_suffix(" iterations, the text runs")?;
        below.parse().ok()
    });
    below.next_back()
}

#[test]
fn what_is_updated_goes_to_the_text_for_some_vectors() {
    // More than a vector of eight, and less than a step of four of them.
    let below = text_below(&updated::REPORT);
    assert!(matches!(below, Some(9..=32)), "{below:?}");
    // One by one, where bounds are checked.
    assert!(text_below(&subscripted::REPORT) < below);
    assert!(matches!(text_below(&limited::REPORT), Some(17..=64)));
    assert!(text_below(&apart::REPORT) <= Some(8));
    for n in 0..=70 {
        let x: Vec<f64> = (0..n).map(|i| number(i, 1)).collect();
        let y = || -> Vec<f64> { (0..n).map(|i| number(i, 2)).collect() };
        compared!(updated, (2.0, &x), y());
        compared!(subscripted, (2.0, &x), y());
        compared!(apart, (2.0, &x), y());
        let single: Vec<f32> = x.iter().map(|x| *x as f32).collect();
        compared!(limited, (-2.0, 3.0), single.clone());
        // Fewer numbers than there is room for.
        compared!(updated, (2.0, &x[..n - n / 3]), y());
    }
}

#[test]
#[should_panic = "`subscripted`: `x` has extent 3 along axis 0, but the kernel reaches index 4"]
fn what_the_text_accesses_is_checked_before() {
    subscripted(1.0, &[1.0; 3], &mut [0.0; 5]);
}

#[test]
fn lengths_of_types_are_no_parameters() {
    fn check<const N: usize>() {
        let x: [f64; N] = std::array::from_fn(|at| at as f64 - 3.0);
        let expected = x.map(|x| 1.0 + 2.0 * x);
        each_variant(scaled::variants(), |isa| {
            let mut y = [1.0; N];
            scaled::with(isa, 2.0, &x, &mut y).unwrap();
            assert_eq!(y, expected, "{isa}");
        });
    }
    check::<1>();
    check::<3>();
    check::<8>();
    check::<17>();
}
