//! Sharing elimination on the nests that its paper prints (Luporini 2017), with the operations
//! that it is to leave, or fewer.
#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::{Counted, Real, kernel};

const I: u64 = 3;
const J: u64 = 6;
const K: u64 = 5;

kernel! {
    /// Figure 2 (a): b_j c_i + b_j d_i.
    #[opt(level = 2)]
    pub fn figure_2<T: Real>(b: &[T; 6], c: &[T; 5], d: &[T; 5], a: &mut [[T; 6]; 5]) {
        for i in 0..5 {
            for j in 0..6 {
                a[i][j] += b[j] * c[i] + b[j] * d[i];
            }
        }
    }

    /// Figure 2 (a) with the loops as they are printed: j around i.
    #[opt(level = 2)]
    pub fn figure_2_as_printed<T: Real>(b: &[T; 6], c: &[T; 5], d: &[T; 5], a: &mut [[T; 5]; 6]) {
        for j in 0..6 {
            for i in 0..5 {
                a[j][i] += b[j] * c[i] + b[j] * d[i];
            }
        }
    }

    /// Figure 3 (a): Poisson's equation in two dimensions.
    #[opt(level = 2)]
    pub fn figure_3<T: Real>(
        z: &[[T; 4]],
        det: &[T],
        w: &[T; 3],
        u: &[[[T; 5]; 3]; 2],
        v: &[[[T; 6]; 3]; 2],
        a: &mut [[[T; 5]; 6]],
    ) {
        for e in 0..z.len() {
            for i in 0..3 {
                for j in 0..6 {
                    for k in 0..5 {
                        a[e][j][k] += ((z[e][0] * u[0][i][k] + z[e][2] * u[1][i][k])
                            * (z[e][0] * v[0][i][j] + z[e][2] * v[1][i][j])
                            + (z[e][1] * u[0][i][k] + z[e][3] * u[1][i][k])
                                * (z[e][1] * v[0][i][j] + z[e][3] * v[1][i][j]))
                            * w[i]
                            * det[e];
                    }
                }
            }
        }
    }

    /// The loop of figure 4, as it is before pre-evaluation.
    #[opt(level = 2)]
    pub fn figure_4<T: Real>(
        d: &[T],
        b: &[[T; 5]; 3],
        c: &[T; 3],
        f: &[T; 3],
        a: &mut [[T; 5]],
    ) {
        for e in 0..d.len() {
            for i in 0..3 {
                for k in 0..5 {
                    a[e][k] += d[e] * b[i][k] * c[i] + d[e] * b[i][k] * f[i];
                }
            }
        }
    }

    /// The nest that figure 5 is the outcome of, with one monomial for each of its two parts.
    #[opt(level = 2)]
    pub fn figure_5<T: Real>(
        det: &[T],
        c: &[[T; 3]],
        w: &[T; 3],
        p: &[[T; 5]; 3],
        a: &mut [[[T; 5]; 5]],
    ) {
        for e in 0..det.len() {
            for i in 0..3 {
                for j in 0..5 {
                    for k in 0..5 {
                        a[e][j][k] += (det[e] + c[e][i]) * w[i] * p[i][j] * p[i][k];
                    }
                }
            }
        }
    }

    /// Figure 6: a mass matrix with a coefficient.
    #[opt(level = 2)]
    pub fn figure_6<T: Real>(
        f: &[T; 3],
        b: &[[T; 5]; 4],
        g: &[[T; 3]; 4],
        a: &mut [[T; 5]; 5],
    ) {
        for i in 0..4 {
            for j in 0..5 {
                for k in 0..5 {
                    a[j][k] += b[i][j] * b[i][k]
                        * (f[0] * g[i][0] + f[1] * g[i][1] + f[2] * g[i][2]);
                }
            }
        }
    }
}

fn number(k: usize) -> Counted<f64> {
    Counted::new(((k * 7919 + 13) % 64) as f64 / 16.0 - 2.0)
}

fn vector<const N: usize>(seed: usize) -> [Counted<f64>; N] {
    std::array::from_fn(|k| number(seed + 5 * k))
}

fn close(found: &[Counted<f64>], expected: &[Counted<f64>]) {
    for (found, expected) in found.iter().zip(expected) {
        assert!((found.value() - expected.value()).abs() < 1e-9);
    }
}

#[test]
fn figure_2_factorises_b() {
    let (b, c, d) = (vector::<6>(1), vector::<5>(2), vector::<5>(3));
    let (mut found, mut expected) = ([vector::<6>(4); 5], [vector::<6>(4); 5]);
    let (_, cost) = Counted::<f64>::count(|| figure_2(&b, &c, &d, &mut found));
    figure_2::reference(&b, &c, &d, &mut expected);
    close(found.as_flattened(), expected.as_flattened());
    // Figure 2 (c): c_i + d_i once a row; a product and the addition to a in the inner loop.
    assert_eq!(cost.operations(), K + 2 * J * K);
    assert_eq!(figure_2::REPORT.source.operations(), 4 * J * K);
}

#[test]
fn figure_2_needs_no_other_order_of_loops() {
    let (b, c, d) = (vector::<6>(1), vector::<5>(2), vector::<5>(3));
    let (mut found, mut expected) = ([vector::<5>(4); 6], [vector::<5>(4); 6]);
    let (_, cost) = Counted::<f64>::count(|| figure_2_as_printed(&b, &c, &d, &mut found));
    figure_2_as_printed::reference(&b, &c, &d, &mut expected);
    close(found.as_flattened(), expected.as_flattened());
    // Figure 2 (c): the sums are a loop of their own, before both.
    assert_eq!(cost.operations(), K + 2 * J * K);
}

#[test]
fn figure_3_takes_no_more_than_the_paper() {
    let n = 4;
    let z: Vec<_> = (0..n).map(vector::<4>).collect();
    let det: Vec<_> = (0..n).map(number).collect();
    let w = vector::<3>(9);
    let u = [1, 2].map(|d| [3, 4, 5].map(|q| vector::<5>(d + 2 * q)));
    let v = [3, 4].map(|d| [3, 4, 5].map(|q| vector::<6>(d + 2 * q)));
    let (mut found, mut expected) = (vec![[vector::<5>(4); 6]; n], vec![[vector::<5>(4); 6]; n]);
    let (_, cost) = Counted::<f64>::count(|| figure_3(&z, &det, &w, &u, &v, &mut found));
    figure_3::reference(&z, &det, &w, &u, &v, &mut expected);
    for (found, expected) in found.iter().zip(&expected) {
        close(found.as_flattened(), expected.as_flattened());
    }
    // Figure 3 (b), as its caption counts: I (J 6 + K 9 + J K 4) a cell.
    let paper = n as u64 * I * (J * 6 + K * 9 + J * K * 4);
    assert!(
        cost.operations() <= paper,
        "{} of {paper}",
        cost.operations()
    );
}

#[test]
fn figure_4_adds_before_it_multiplies() {
    let n = 3;
    let d: Vec<_> = (0..n).map(number).collect();
    let b = [3, 4, 5].map(vector::<5>);
    let (c, f) = (vector::<3>(1), vector::<3>(2));
    let (mut found, mut expected) = (vec![vector::<5>(4); n], vec![vector::<5>(4); n]);
    let (_, cost) = Counted::<f64>::count(|| figure_4(&d, &b, &c, &f, &mut found));
    figure_4::reference(&d, &b, &c, &f, &mut expected);
    close(found.as_flattened(), expected.as_flattened());
    // c + f and its products with b once, then an addition for each i and k, and a product for each k. That
    // the sum over i could leave the loop over cells too is for pre-evaluation to find.
    assert_eq!(cost.operations(), I + I * K + n as u64 * (I * K + K));
}

#[test]
fn figure_5_takes_no_more_than_its_two_nests() {
    let n = 4;
    let det: Vec<_> = (0..n).map(number).collect();
    let c: Vec<_> = (0..n).map(vector::<3>).collect();
    let (w, p) = (vector::<3>(9), [3, 4, 5].map(vector::<5>));
    let (mut found, mut expected) = (vec![[vector::<5>(4); 5]; n], vec![[vector::<5>(4); 5]; n]);
    let (_, cost) = Counted::<f64>::count(|| figure_5(&det, &c, &w, &p, &mut found));
    figure_5::reference(&det, &c, &w, &p, &mut expected);
    for (found, expected) in found.iter().zip(&expected) {
        close(found.as_flattened(), expected.as_flattened());
    }
    // One nest over the entries with a table that was evaluated before, one over points and
    // entries with a product a row. Without the first there is one addition more at each point.
    let paper = 2 * K * K + I * (1 + K + 2 * K * K);
    assert!(
        cost.operations() <= n as u64 * paper,
        "{}",
        cost.operations()
    );
}

#[test]
fn figure_6_multiplies_by_the_coefficient_once_a_row() {
    let f = vector::<3>(1);
    let (b, g) = ([3, 4, 5, 6].map(vector::<5>), [1, 2, 3, 4].map(vector::<3>));
    let (mut found, mut expected) = ([vector::<5>(4); 5], [vector::<5>(4); 5]);
    let (_, cost) = Counted::<f64>::count(|| figure_6(&f, &b, &g, &mut found));
    figure_6::reference(&f, &b, &g, &mut expected);
    close(found.as_flattened(), expected.as_flattened());
    // The coefficient at each of four points, its products with one row of b there, and a product
    // and an addition for each entry and point.
    assert_eq!(cost.operations(), 4 * (5 + K) + 2 * 4 * K * K);
    // The paper's figure is of what pre-evaluation would have to expand: eight operations, without
    // sharing, and six if the three tables of the expansion were known.
    assert_eq!(figure_6::REPORT.source.operations(), 8 * 4 * K * K);
}
