//! Local arrays whose lengths are `const` parameters.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::{Isa, kernel};

kernel! {
    /// A product that two others read, of rows of a constant length.
    #[opt(require_lanes)]
    pub fn products<const N: usize>(
        a: &[[f64; N]],
        b: &[[f64; N]; N],
        c: &[[f64; N]; N],
        u: &mut [[f64; N]],
        g: &mut [[f64; N]; N],
    ) {
        let mut t = vec![[0.0; N]; a.len()];
        for i in 0..a.len() {
            for j in 0..N {
                for k in 0..N {
                    t[i][j] += a[i][k] * b[k][j];
                }
            }
        }
        for i in 0..a.len() {
            for j in 0..N {
                u[i][j] = 0.0;
                for k in 0..N {
                    u[i][j] += t[i][k] * c[k][j];
                }
            }
        }
        for i in 0..a.len() {
            for j in 0..N {
                for k in 0..N {
                    g[j][k] += t[i][j] * t[i][k];
                }
            }
        }
    }

    /// Before the loops, and beside a fixed extent.
    #[opt(require_lanes)]
    pub fn sandwich<const M: usize, const N: usize>(a: &[[f64; N]; M], b: &[[f64; N]; N], c: &mut [[f64; M]; M]) {
        let mut t = [[0.0; N]; M];
        for i in 0..M {
            for j in 0..N {
                for k in 0..N {
                    t[i][j] += a[i][k] * b[k][j];
                }
            }
        }
        for i in 0..M {
            for j in 0..M {
                let mut s = 0.0;
                for k in 0..N {
                    s += t[i][k] * a[j][k];
                }
                c[i][j] = s;
            }
        }
    }

    /// In a loop over cells: gradients at the nodes, fluxes, and what they do to the nodes.
    #[opt(require_lanes)]
    pub fn cells<const N: usize>(d: &[[f64; N]; N], m: &[[f64; 3]], u: &[[[f64; N]; N]], v: &mut [[[f64; N]; N]]) {
        for e in 0..u.len() {
            let mut flux = [[[0.0; N]; N]; 2];
            for i in 0..N {
                for j in 0..N {
                    let (mut x, mut y) = (0.0, 0.0);
                    for k in 0..N {
                        x += d[i][k] * u[e][k][j];
                        y += d[j][k] * u[e][i][k];
                    }
                    flux[0][i][j] = m[e][0] * x + m[e][1] * y;
                    flux[1][i][j] = m[e][1] * x + m[e][2] * y;
                }
            }
            for i in 0..N {
                for j in 0..N {
                    for k in 0..N {
                        v[e][i][j] += d[k][i] * flux[0][k][j] + d[k][j] * flux[1][i][k];
                    }
                }
            }
        }
    }

    /// Filled with another number, and numbers of another type.
    #[opt(require_lanes)]
    pub fn filled<const N: usize>(x: &[[f32; N]], start: f32, y: &mut [f32]) {
        for i in 0..x.len() {
            let mut t = [start; N];
            for j in 0..N {
                t[j] += x[i][j] * x[i][j];
            }
            let mut s = 0.0;
            for j in 0..N {
                s += t[j] * x[i][j];
            }
            y[i] = s;
        }
    }

    /// To the bits of the text.
    #[opt(strict)]
    pub fn in_order<const N: usize>(a: &[[f64; N]; N], x: &[[f64; N]], y: &mut [[f64; N]]) {
        for r in 0..x.len() {
            let mut t = [0.0; N];
            for j in 0..N {
                for k in 0..N {
                    t[j] += a[j][k] * x[r][k];
                }
            }
            for j in 0..N {
                y[r][j] = t[j] + a[j][j];
            }
        }
    }

    /// Runs as written, after its accesses were looked at.
    pub fn counted<const N: usize>(bins: &[usize], weights: &[f64], most: f64, out: &mut [[f64; N]; 2]) {
        let mut sums = [[0.0; N]; 2];
        for i in 0..bins.len() {
            out[0][0] += 1.0;
            sums[i % 2][bins[i]] += weights[i];
            if sums[i % 2][bins[i]] > most {
                sums[i % 2][bins[i]] = most;
            }
        }
        for j in 0..N {
            out[1][j] = sums[0][j] - sums[1][j];
        }
    }
}

mod support;
use support::{near, near_to, numbers};

fn rows<const N: usize>(seed: usize, count: usize) -> Vec<[f64; N]> {
    let all = numbers(seed, count * N);
    all.chunks_exact(N)
        .map(|row| row.try_into().unwrap())
        .collect()
}

fn matrix<const M: usize, const N: usize>(seed: usize) -> [[f64; N]; M] {
    rows(seed, M).try_into().unwrap()
}

fn matrices<const N: usize>(seed: usize, count: usize) -> Vec<[[f64; N]; N]> {
    (0..count).map(|at| matrix(seed + 31 * at)).collect()
}

/// What one instruction set computes of all kernels, or the text does; nothing where the processor lacks it.
fn run<const M: usize, const N: usize>(isa: Option<Isa>, count: usize) -> Option<Vec<f64>> {
    let (square, wide, other) = (matrix(1), matrix::<M, N>(2), matrix(3));
    let (cells_in, tensors, lines) = (matrices::<N>(4, count), rows(5, count), rows::<N>(6, count));
    let single: Vec<[f32; N]> = lines.iter().map(|row| row.map(|x| x as f32)).collect();
    let (mut g, mut c, mut v) = (
        matrix::<N, N>(7),
        matrix::<M, M>(8),
        matrices::<N>(9, count),
    );
    let (mut u, mut z, mut y) = (rows::<N>(10, count), rows::<N>(11, count), vec![0.0; count]);
    match isa {
        None => {
            products::reference(&lines, &square, &other, &mut u, &mut g);
            sandwich::reference(&wide, &square, &mut c);
            cells::reference(&square, &tensors, &cells_in, &mut v);
            filled::reference(&single, 0.25, &mut y);
            in_order::reference(&square, &lines, &mut z);
        }
        Some(isa) => {
            products::with(isa, &lines, &square, &other, &mut u, &mut g).ok()?;
            sandwich::with(isa, &wide, &square, &mut c).unwrap();
            cells::with(isa, &square, &tensors, &cells_in, &mut v).unwrap();
            filled::with(isa, &single, 0.25, &mut y).unwrap();
            in_order::with(isa, &square, &lines, &mut z).unwrap();
        }
    }
    let mut result: Vec<f64> = z.concat();
    result.extend(u.concat());
    result.extend(g.concat());
    result.extend(c.concat());
    result.extend(v.concat().concat());
    result.extend(y.into_iter().map(f64::from));
    Some(result)
}

fn all<const M: usize, const N: usize>() {
    for count in [0, 1, 2, 3, 7, 20] {
        let expected = run::<M, N>(None, count).unwrap();
        for isa in products::variants() {
            let Some(found) = run::<M, N>(Some(*isa), count) else {
                continue;
            };
            let exact = count * N;
            assert_eq!(found[..exact], expected[..exact], "{isa} {M} {N} {count}");
            let tail = found.len() - count;
            assert!(
                near(&found[exact..tail], &expected[exact..tail]),
                "{isa} {M} {N} {count}"
            );
            let (found, expected) = (&found[tail..], &expected[tail..]);
            assert!(near_to(found, expected, 1e-5), "{isa} {M} {N} {count}");
        }
    }
}

#[test]
fn arrays_of_all_lengths() {
    all::<1, 1>();
    all::<2, 1>();
    all::<1, 2>();
    all::<3, 5>();
    all::<8, 8>();
    all::<5, 11>();
    all::<17, 9>();
}

#[test]
fn what_is_out_of_bounds_is_found_before_anything_is_written() {
    let (mut own, mut expected) = ([[0.0; 5]; 2], [[0.0; 5]; 2]);
    let weights = numbers(12, 6);
    counted(&[0, 4, 2, 2, 1, 3], &weights, 0.5, &mut own);
    counted::reference(&[0, 4, 2, 2, 1, 3], &weights, 0.5, &mut expected);
    assert_eq!(own, expected);
    let before = own;
    let wrong = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        counted(&[0, 4, 5], &weights, 0.5, &mut own);
    }));
    assert!(wrong.is_err());
    assert_eq!(own, before);
}
