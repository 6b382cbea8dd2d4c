//! Sums of products over loops whose lengths are known when the kernel runs: in as few operations as any order
//! of products and sums takes, with lanes over whichever loop has neighbours in memory.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    dead_code,
    reason = "each variant is called, not the functions that choose one"
)]
#![allow(clippy::needless_range_loop, reason = "texts of kernels")]

mod support;

use loopwright::{Counted, kernel};
use support::{each_variant, executed};

kernel! {
    pub fn product(n: usize, m: usize, l: usize, a: &[f64], b: &[f64], y: &mut [f64]) {
        for i in 0..n {
            for j in 0..m {
                for k in 0..l {
                    y[i * m + j] += a[i * l + k] * b[k * m + j];
                }
            }
        }
    }

    pub fn product_in_a_local(n: usize, m: usize, l: usize, a: &[f32], b: &[f32], y: &mut [f32]) {
        for i in 0..n {
            for j in 0..m {
                let mut sum = 0.0;
                for k in 0..l {
                    sum += a[i * l + k] * b[k * m + j];
                }
                y[i * m + j] = 2.0 * sum;
            }
        }
    }

    /// The second factor is transposed, the first is, both are.
    pub fn transposed(n: usize, a: &[f64], b: &[f64], y: &mut [f64], z: &mut [f64], w: &mut [f64]) {
        for i in 0..n {
            for j in 0..n {
                for k in 0..n {
                    y[i * n + j] += a[i * n + k] * b[j * n + k];
                    z[i * n + j] -= a[k * n + i] * b[k * n + j];
                    w[i * n + j] += a[k * n + i] * b[j * n + k];
                }
            }
        }
    }

    pub fn vectors(n: usize, m: usize, a: &[f64], x: &[f64], y: &mut [f64], z: &mut [f64]) {
        for i in 0..n {
            for j in 0..m {
                y[i] += a[i * m + j] * x[j];
            }
        }
        for i in 0..m {
            for j in 0..n {
                z[i] += a[j * m + i] * x[i];
            }
        }
    }

    /// Rows are outside of columns, and the other way round.
    pub fn copies(n: usize, m: usize, a: &[f64], y: &mut [f64], z: &mut [f64]) {
        for i in 0..n {
            for j in 0..m {
                y[j * n + i] = a[i * m + j] + 1.0;
            }
        }
        for j in 0..m {
            for i in 0..n {
                z[i * m + j] = a[i * m + j] - 1.0;
            }
        }
    }
}

fn numbers<T: From<f32>>(n: usize, by: usize) -> Vec<T> {
    (0..n)
        .map(|i| T::from((i * by % 17) as f32 - 8.0))
        .collect()
}

const LENGTHS: [usize; 7] = [0, 1, 3, 8, 17, 35, 67];

/// Numbers are small integers, on which no operation rounds.
#[test]
fn results_are_those_of_the_text() {
    for n in LENGTHS {
        for m in LENGTHS {
            for l in [0, 1, 5, 19] {
                let (a, b) = (numbers(n * l, 7), numbers(l * m, 5));
                let mut expected = vec![0.5; n * m];
                product::reference(n, m, l, &a, &b, &mut expected);
                each_variant(product::variants(), |isa| {
                    let mut y = vec![0.5; n * m];
                    product::with(isa, n, m, l, &a, &b, &mut y).unwrap();
                    assert_eq!(y, expected, "{n} {m} {l}");
                });
                let (a, b) = (numbers(n * l, 7), numbers(l * m, 5));
                let mut expected = vec![0.5; n * m];
                product_in_a_local::reference(n, m, l, &a, &b, &mut expected);
                each_variant(product_in_a_local::variants(), |isa| {
                    let mut y = vec![0.5; n * m];
                    product_in_a_local::with(isa, n, m, l, &a, &b, &mut y).unwrap();
                    assert_eq!(y, expected, "{n} {m} {l}");
                });
            }
            let (a, x) = (numbers(n * m, 7), numbers(m, 3));
            let (mut y, mut z) = (vec![0.5; n], vec![1.5; m]);
            vectors::reference(n, m, &a, &x, &mut y, &mut z);
            each_variant(vectors::variants(), |isa| {
                let (mut v, mut w) = (vec![0.5; n], vec![1.5; m]);
                vectors::with(isa, n, m, &a, &x, &mut v, &mut w).unwrap();
                assert_eq!((&v, &w), (&y, &z), "{n} {m}");
            });
            let (mut y, mut z) = (vec![0.5; n * m], vec![1.5; n * m]);
            copies::reference(n, m, &a, &mut y, &mut z);
            each_variant(copies::variants(), |isa| {
                let (mut v, mut w) = (vec![0.5; n * m], vec![1.5; n * m]);
                copies::with(isa, n, m, &a, &mut v, &mut w).unwrap();
                assert_eq!((&v, &w), (&y, &z), "{n} {m}");
            });
        }
        let (a, b) = (numbers(n * n, 7), numbers(n * n, 5));
        let start = || [0.5, 1.5, 2.5].map(|start| vec![start; n * n]);
        let mut expected = start();
        let [y, z, w] = &mut expected;
        transposed::reference(n, &a, &b, y, z, w);
        each_variant(transposed::variants(), |isa| {
            let mut found = start();
            let [y, z, w] = &mut found;
            transposed::with(isa, n, &a, &b, y, z, w).unwrap();
            assert_eq!(found, expected, "{n}");
        });
    }
}

kernel! {
    /// A matrix times a matrix times a vector: two products with vectors.
    pub fn chain<T: Scalar>(n: usize, m: usize, l: usize, a: &[T], b: &[T], x: &[T], y: &mut [T]) {
        for i in 0..n {
            for j in 0..m {
                for k in 0..l {
                    y[i] += a[i * m + j] * b[j * l + k] * x[k];
                }
            }
        }
    }

    /// Figure 1 of Lam 1999 without its middle array: each array is summed up by itself.
    pub fn apart<T: Scalar>(a: &[T], b: &[T], c: &[T], y: &mut [T]) {
        for k in 0..y.len() {
            for i in 0..a.len() {
                for j in 0..b.len() {
                    y[k] += a[i] * b[j] * c[k];
                }
            }
        }
    }

    /// What each row is multiplied by goes out of its sum.
    pub fn rows<T: Scalar>(n: usize, a: &[T], x: &[T], z: &[T], y: &mut [T]) {
        for i in 0..z.len() {
            let mut sum = T::zero();
            for j in 0..n {
                sum += a[i * n + j] * x[j] * z[i];
            }
            y[i] = sum;
        }
    }

    /// Two sums over a loop of the same length as the one around it, which are made of the same values.
    pub fn forces<T: Scalar>(x: &[T], y: &[T], m: &[T], fx: &mut [T], fy: &mut [T]) {
        for i in 0..x.len() {
            let (mut sx, mut sy) = (T::zero(), T::zero());
            for j in 0..x.len() {
                let (dx, dy) = (x[j] - x[i], y[j] - y[i]);
                let pull = m[j] / (dx * dx + dy * dy + T::one());
                sx += pull * dx;
                sy += pull * dy;
            }
            fx[i] = sx;
            fy[i] = sy;
        }
    }
}

use loopwright::Scalar;

#[test]
fn operations_are_few_and_those_of_the_report() {
    let counted =
        |all: Vec<f64>| -> Vec<Counted<f64>> { all.into_iter().map(Counted::from).collect() };
    for (n, m, l) in [(3, 4, 5), (9, 17, 2), (30, 8, 16)] {
        let (a, b) = (counted(numbers(n * m, 7)), counted(numbers(m * l, 5)));
        let (x, z) = (counted(numbers(l, 3)), counted(numbers(n, 5)));
        let lengths = [("n", n), ("m", m), ("l", l)];
        let mut y = counted(numbers(n, 1));
        let ((), cost) = Counted::<f64>::count(|| chain(n, m, l, &a, &b, &x, &mut y));
        assert_eq!(cost.operations(), executed(&chain::REPORT, &lengths));
        let most = 2 * (n * m + m * l) + n + m;
        assert!(cost.operations() <= most as u64, "{}", chain::REPORT);

        let lengths = [("a.len()", n), ("b.len()", m), ("y.len()", l)];
        let (p, q, r) = (
            counted(numbers(n, 3)),
            counted(numbers(m, 3)),
            counted(numbers(l, 3)),
        );
        let mut y = counted(numbers(l, 1));
        let ((), cost) = Counted::<f64>::count(|| apart(&p, &q, &r, &mut y));
        assert_eq!(cost.operations(), executed(&apart::REPORT, &lengths));
        assert!(
            cost.operations() <= (n + m + 2 * l + 4) as u64,
            "{}",
            apart::REPORT
        );

        let lengths = [("n", m), ("z.len()", n)];
        let mut y = counted(numbers(n, 1));
        let x = counted(numbers(m, 3));
        let ((), cost) = Counted::<f64>::count(|| rows(m, &a, &x, &z, &mut y));
        assert_eq!(cost.operations(), executed(&rows::REPORT, &lengths));
        assert!(
            cost.operations() <= (2 * n * m + n) as u64,
            "{}",
            rows::REPORT
        );

        let lengths = [("x.len()", n)];
        let [x, y, mass] = [2, 3, 5].map(|by| counted(numbers(n, by)));
        let [mut fx, mut fy] = [1, 1].map(|by| counted(numbers(n, by)));
        let run = || forces(&x, &y, &mass, &mut fx, &mut fy);
        let ((), cost) = Counted::<f64>::count(run);
        assert_eq!(cost.operations(), executed(&forces::REPORT, &lengths));
        assert!(
            cost.operations() <= (11 * n * n) as u64,
            "{}",
            forces::REPORT
        );
    }
}

kernel! {
    pub fn scaled(x: &[f64], w: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            for j in 0..w.len() {
                y[i] += x[i] * w[j];
            }
        }
    }

    pub fn repeated(m: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            for _j in 0..m {
                y[i] += x[i];
            }
        }
    }

    pub fn one(m: usize, n: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..n {
            for j in 0..m {
                y[3] += x[i] * x[j];
            }
        }
    }
}

/// Where an inner loop is empty, the text touches nothing that it would add to, however short that is.
#[test]
fn sums_without_terms_touch_nothing() {
    let x = [1.0; 20];
    for n in [0, 1, 3, 8, 20] {
        let mut y = [-0.0_f64; 20];
        let untouched = |y: &[f64; 20]| y.iter().all(|v| v.to_bits() == (-0.0_f64).to_bits());
        each_variant(scaled::variants(), |isa| {
            scaled::with(isa, &x[..n], &[], &mut y[..n.min(1)]).unwrap();
        });
        scaled(&x[..n], &[], &mut []);
        each_variant(repeated::variants(), |isa| {
            repeated::with(isa, 0, &x[..n], &mut y[..n.min(1)]).unwrap();
        });
        each_variant(one::variants(), |isa| {
            one::with(isa, 0, n, &x, &mut y[..2]).unwrap();
            one::with(isa, n, 0, &x, &mut []).unwrap();
        });
        let mut z: [Counted<f64>; 20] = std::array::from_fn(|_| Counted::from(-0.0));
        let a: Vec<Counted<f64>> = x.iter().map(|v| Counted::from(*v)).collect();
        chain(n, 0, 0, &a, &a, &[], &mut z[..0]);
        chain(n.min(6), 3, 0, &a, &a, &[], &mut z[..n.min(1)]);
        apart(&a[..n], &[], &[], &mut z[..2]);
        assert!(untouched(&y));
        each_variant(chain::variants(), |isa| {
            chain::with(isa, n.min(6), 3, 0, &x, &x, &[], &mut y[..0]).unwrap();
        });
        assert!(untouched(&y));
    }
}
