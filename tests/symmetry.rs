//! Symmetric results are computed by halves, in every variant with the values of the reference.
#![allow(missing_docs, reason = "kernels of tests")]
#![allow(clippy::needless_range_loop, reason = "the style of kernels")]

use loopwright::{Counted, Isa, Real, kernel};

kernel! {
    /// A weighted mass matrix: the coefficient is not known, so that no table can be evaluated.
    pub fn weighted<T: Real>(c: &[[T; 6]], s: &[[T; 11]; 6], a: &mut [[[T; 11]; 11]]) {
        for e in 0..c.len() {
            for q in 0..6 {
                for i in 0..11 {
                    for j in 0..11 {
                        a[e][i][j] += c[e][q] * s[q][i] * s[q][j];
                    }
                }
            }
        }
    }

    /// Two components: blocks on the diagonal are symmetric, the others transposed to each other.
    pub fn components<T: Real>(
        c: &[[T; 5]],
        k: &[[T; 2]],
        s: &[[[T; 5]; 4]; 2],
        a: &mut [[[T; 10]; 10]],
    ) {
        for e in 0..c.len() {
            for q in 0..4 {
                for i in 0..5 {
                    for j in 0..5 {
                        for m in 0..2 {
                            for n in 0..2 {
                                a[e][2 * i + m][2 * j + n] +=
                                    c[e][q] * k[e][m] * k[e][n] * s[m][q][i] * s[n][q][j];
                            }
                        }
                    }
                }
            }
        }
    }

    /// No sums: distances, of which each costs more than to copy it.
    pub fn distances<T: Real>(x: &[[[T; 3]; 9]], a: &mut [[[T; 9]; 9]]) {
        for e in 0..x.len() {
            for i in 0..9 {
                for j in 0..9 {
                    let dx = x[e][i][0] - x[e][j][0];
                    let dy = x[e][i][1] - x[e][j][1];
                    let dz = x[e][i][2] - x[e][j][2];
                    a[e][i][j] += (dx * dx + dy * dy + dz * dz).sqrt();
                }
            }
        }
    }

    /// Products: to copy one costs as much.
    pub fn products<T: Real>(x: &[[T; 9]], a: &mut [[[T; 9]; 9]]) {
        for e in 0..x.len() {
            for i in 0..9 {
                for j in 0..9 {
                    a[e][i][j] += x[e][i] * x[e][j];
                }
            }
        }
    }

    /// Not symmetric: the second factor has another table.
    pub fn skew<T: Real>(
        c: &[[T; 6]],
        s: &[[T; 5]; 6],
        t: &[[T; 5]; 6],
        a: &mut [[[T; 5]; 5]],
    ) {
        for e in 0..c.len() {
            for q in 0..6 {
                for i in 0..5 {
                    for j in 0..5 {
                        a[e][i][j] += c[e][q] * s[q][i] * t[q][j];
                    }
                }
            }
        }
    }
}

/// Cells: no multiple of a register's lanes.
const CELLS: usize = 7;

fn number(k: usize) -> f64 {
    ((k * 7919 + 13) % 64) as f64 / 16.0 - 2.0
}

fn numbers<const N: usize>(seed: usize) -> [f64; N] {
    std::array::from_fn(|k| number(seed + 5 * k))
}

fn compare<const N: usize>(found: &[[[f64; N]; N]], expected: &[[[f64; N]; N]], what: &str) {
    let (found, expected) = (found.as_flattened(), expected.as_flattened());
    for (found, expected) in found.as_flattened().iter().zip(expected.as_flattened()) {
        assert!(
            (found - expected).abs() < 1e-11,
            "{what}: {found} for {expected}"
        );
    }
}

#[test]
fn every_variant_computes_the_reference() {
    let c: Vec<[f64; 6]> = (0..CELLS).map(numbers).collect();
    let c4: Vec<[f64; 5]> = (0..CELLS).map(numbers).collect();
    let k: Vec<[f64; 2]> = (0..CELLS).map(|e| numbers(3 + e)).collect();
    let s: [[f64; 11]; 6] = std::array::from_fn(|q| numbers(10 + q));
    let (s5, t5): ([[f64; 5]; 6], [[f64; 5]; 6]) = (
        std::array::from_fn(|q| numbers(20 + q)),
        std::array::from_fn(|q| numbers(31 + q)),
    );
    let both: [[[f64; 5]; 4]; 2] =
        std::array::from_fn(|m| std::array::from_fn(|q| numbers(7 * m + q)));
    for isa in [Isa::Scalar, Isa::Avx2, Isa::Avx512] {
        let start = |e: usize| numbers::<11>(e).map(|_| numbers::<11>(e + 1));
        let (mut a, mut r): (Vec<_>, Vec<_>) = (0..CELLS).map(|e| (start(e), start(e))).unzip();
        match weighted::with(isa, &c, &s, &mut a) {
            Ok(()) => {
                weighted::reference(&c, &s, &mut r);
                compare(&a, &r, &format!("weighted, {isa}"));
            }
            Err(error) => println!("skipped: {error}"),
        }
        let (mut a, mut r) = (vec![[[1.0; 10]; 10]; CELLS], vec![[[1.0; 10]; 10]; CELLS]);
        if components::with(isa, &c4, &k, &both, &mut a).is_ok() {
            components::reference(&c4, &k, &both, &mut r);
            compare(&a, &r, &format!("components, {isa}"));
        }
        let (mut a, mut r) = (vec![[[1.0; 5]; 5]; CELLS], vec![[[1.0; 5]; 5]; CELLS]);
        if skew::with(isa, &c, &s5, &t5, &mut a).is_ok() {
            skew::reference(&c, &s5, &t5, &mut r);
            compare(&a, &r, &format!("skew, {isa}"));
        }
        let x: Vec<[[f64; 3]; 9]> = (0..CELLS)
            .map(|e| std::array::from_fn(|i| numbers(e + 3 * i)))
            .collect();
        let (mut a, mut r) = (vec![[[1.0; 9]; 9]; CELLS], vec![[[1.0; 9]; 9]; CELLS]);
        if distances::with(isa, &x, &mut a).is_ok() {
            distances::reference(&x, &mut r);
            compare(&a, &r, &format!("distances, {isa}"));
        }
    }
}

#[test]
fn half_of_the_products_are_left_out() {
    let of = |value: f64| Counted::new(value);
    let s: [_; 6] = std::array::from_fn(|q| numbers::<11>(10 + q).map(of));
    let total = |cells: usize| {
        let c: Vec<_> = (0..cells).map(|e| numbers::<6>(e).map(of)).collect();
        let mut a = vec![[[of(0.0); 11]; 11]; cells];
        let (_, cost) = Counted::<f64>::count(|| weighted(&c, &s, &mut a));
        cost.operations()
    };
    // What one more cell takes: products of the table with itself are computed once a call.
    let counted = total(CELLS + 1) - total(CELLS);
    assert_eq!(counted, weighted::REPORT.expansion.operations());
    // A product and an addition for each point and entry, of which blocks of rows leave out the part
    // below them.
    let full = 6 * 11 * 11 * 2;
    assert!(counted < full * 3 / 4, "{counted} of {full}");
    let skewed = skew::REPORT.expansion.operations();
    assert!(skewed >= 6 * 5 * 5 * 2, "{skewed}");
}

#[test]
fn values_that_are_no_sums_are_halved_where_that_pays() {
    let of = |value: f64| Counted::new(value);
    let total = |cells: usize| {
        let x: Vec<[[_; 3]; 9]> = (0..cells)
            .map(|e| std::array::from_fn(|i| numbers::<3>(e + 3 * i).map(of)))
            .collect();
        let mut a = vec![[[of(0.0); 9]; 9]; cells];
        Counted::<f64>::count(|| distances(&x, &mut a))
            .1
            .operations()
    };
    let counted = total(CELLS + 1) - total(CELLS);
    assert_eq!(counted, distances::REPORT.expansion.operations());
    // Three differences, three squares, two additions, a root, and the addition to the result.
    let full = 9 * 9 * 10;
    assert!(counted < full * 3 / 4, "{counted} of {full}");
    assert_eq!(products::REPORT.expansion.operations(), 9 * 9 * 2);
}

kernel! {
    /// One matrix: the sum over the rows of a table of any length.
    pub fn gram<T: Real>(a: &[[T; 20]], w: &[T], c: &mut [[T; 20]; 20]) {
        for k in 0..a.len() {
            for i in 0..20 {
                for j in 0..20 {
                    c[i][j] += a[k][i] * w[k] * a[k][j];
                }
            }
        }
    }
}

#[test]
fn sums_of_one_matrix_are_halved() {
    for rows in [0, 1, 33] {
        let a: Vec<[f64; 20]> = (0..rows).map(|k| numbers(3 * k)).collect();
        let w: Vec<f64> = (0..rows).map(number).collect();
        // What the matrix held need not be symmetric.
        let start: [[f64; 20]; 20] = std::array::from_fn(numbers);
        let mut expected = start;
        gram::reference(&a, &w, &mut expected);
        for isa in gram::variants().iter().copied() {
            let mut found = start;
            gram::with(isa, &a, &w, &mut found).unwrap();
            compare(&[found], &[expected], &format!("gram, {isa}"));
        }
    }
    let of = |value: f64| Counted::new(value);
    let a: Vec<_> = (0..40).map(|k| numbers::<20>(k).map(of)).collect();
    let w = vec![of(0.5); 40];
    let mut c = [[of(0.0); 20]; 20];
    let (_, cost) = Counted::<f64>::count(|| gram(&a, &w, &mut c));
    let full = 40 * 20 * (2 * 20 + 1);
    assert!(
        cost.operations() < full * 3 / 4,
        "{} of {full}",
        cost.operations()
    );
}
