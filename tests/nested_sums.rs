//! Sums of products over several loops whose lengths are known when the kernel runs: what one loop sums up is a part of
//! what the next one does, in registers for several rows and vectors at once.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    dead_code,
    reason = "each variant is called, not the functions that choose one"
)]

mod support;

use loopwright::{Counted, Scalar, kernel};
use support::each_variant;

kernel! {
    /// The product of an unfolded tensor with a Khatri-Rao product of two factors.
    pub fn unfolded(
        (ni, nj, nk, r): (usize, usize, usize, usize), x: &[f64], b: &[f64], c: &[f64], m: &mut [f64],
    ) {
        for i in 0..ni {
            for j in 0..nj {
                for k in 0..nk {
                    for s in 0..r {
                        m[i * r + s] += x[(i * nj + j) * nk + k] * b[j * r + s] * c[k * r + s];
                    }
                }
            }
        }
    }

    pub fn along_two_axes(
        (ni, nj, nk): (usize, usize, usize), x: &[f64], b: &[f64], c: &[f64], y: &mut [f64],
    ) {
        for i in 0..ni {
            for j in 0..nj {
                for k in 0..nk {
                    y[i] += x[(i * nj + j) * nk + k] * b[j] * c[k];
                }
            }
        }
    }

    pub fn two_sums(
        (ni, no, nj, nk): (usize, usize, usize, usize), x: &[f64], b: &[f64], y: &mut [f64],
    ) {
        for i in 0..ni {
            for o in 0..no {
                for j in 0..nj {
                    for k in 0..nk {
                        y[i * no + o] -= x[(i * nj + j) * nk + k] * b[(j * nk + k) * no + o];
                    }
                }
            }
        }
    }
}

kernel! {
    pub fn counted<T: Scalar>(
        (ni, nj, nk, r): (usize, usize, usize, usize), x: &[T], b: &[T], c: &[T], m: &mut [T],
    ) {
        for i in 0..ni {
            for j in 0..nj {
                for k in 0..nk {
                    for s in 0..r {
                        m[i * r + s] += x[(i * nj + j) * nk + k] * b[j * r + s] * c[k * r + s];
                    }
                }
            }
        }
    }
}

fn numbers(n: usize, by: usize) -> Vec<f64> {
    (0..n).map(|i| (i * by % 7) as f64 - 3.0).collect()
}

const LENGTHS: [(usize, usize, usize, usize); 9] = [
    (0, 2, 3, 4),
    (3, 0, 2, 5),
    (2, 3, 0, 9),
    (1, 1, 1, 1),
    (5, 3, 4, 8),
    (4, 6, 5, 10),
    (7, 2, 9, 31),
    (9, 5, 3, 47),
    (6, 4, 33, 64),
];

/// Numbers are small integers, on which no operation rounds.
#[test]
fn results_are_those_of_the_text() {
    for (ni, nj, nk, r) in LENGTHS {
        let x = numbers(ni * nj * nk, 5);
        let (b, c) = (numbers(nj * r, 3), numbers(nk * r, 2));
        let mut expected = vec![0.5; ni * r];
        unfolded::reference((ni, nj, nk, r), &x, &b, &c, &mut expected);
        each_variant(unfolded::variants(), |isa| {
            let mut m = vec![0.5; ni * r];
            unfolded::with(isa, (ni, nj, nk, r), &x, &b, &c, &mut m).unwrap();
            assert_eq!(m, expected, "{ni} {nj} {nk} {r}");
        });
        let mut expected = vec![0.5; ni];
        let (u, v) = (numbers(nj, 3), numbers(nk, 2));
        along_two_axes::reference((ni, nj, nk), &x, &u, &v, &mut expected);
        each_variant(along_two_axes::variants(), |isa| {
            let mut y = vec![0.5; ni];
            along_two_axes::with(isa, (ni, nj, nk), &x, &u, &v, &mut y).unwrap();
            assert_eq!(y, expected, "{ni} {nj} {nk}");
        });
        let b = numbers(nj * nk * r, 3);
        let mut expected = vec![0.5; ni * r];
        two_sums::reference((ni, r, nj, nk), &x, &b, &mut expected);
        each_variant(two_sums::variants(), |isa| {
            let mut y = vec![0.5; ni * r];
            two_sums::with(isa, (ni, r, nj, nk), &x, &b, &mut y).unwrap();
            assert_eq!(y, expected, "{ni} {nj} {nk} {r}");
        });
    }
}

/// Each inner sum is multiplied once with what its loop does not change, and nothing is computed for all of `j`, `k` and `s`
/// that would have to be kept.
#[test]
fn operations_are_those_of_the_sums() {
    let (ni, nj, nk, r) = (6, 5, 9, 11);
    let all = |n: usize, by: usize| -> Vec<Counted<f64>> {
        numbers(n, by).into_iter().map(Counted::from).collect()
    };
    let (x, b, c) = (all(ni * nj * nk, 5), all(nj * r, 3), all(nk * r, 2));
    let mut m = all(ni * r, 1);
    let ((), cost) = Counted::<f64>::count(|| counted((ni, nj, nk, r), &x, &b, &c, &mut m));
    let operations = 2 * ni * nj * nk * r + 2 * ni * nj * r;
    assert!(cost.operations() <= operations as u64, "{cost:?}");
    assert_eq!(cost.temporary_bytes, 0);
}
