//! Loops whose bounds follow outer ones: halves of symmetric matrices.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

#[macro_use]
mod support;
use support::noise;

/// ∫ κ ∇u·∇v over tetrahedra with functions of degree 2, the entries that the text says.
macro_rules! stiffness {
    ($name:ident, |$e:ident, $i:ident, $j:ident, $a:ident| $from:expr, $to:expr, $($rest:tt)*) => {
        kernel! {
            pub fn $name(
                k: &[[[f64; 3]; 3]],
                kappa: &[f64],
                $a: &mut [[[f64; 10]; 10]],
            ) {
                static W: [f64; 4] = tabulate!(tetrahedron, quadrature(2), weights);
                static DPHI: [[[f64; 10]; 4]; 3] =
                    tabulate!(tetrahedron, quadrature(2), lagrange(2), gradient);
                for $e in 0..k.len() {
                    for q in 0..4 {
                        for $i in 0..10 {
                            for $j in $from..$to {
                                for d in 0..3 {
                                    let mut du = 0.0;
                                    let mut dv = 0.0;
                                    for r in 0..3 {
                                        du += k[$e][r][d] * DPHI[r][q][$j];
                                        dv += k[$e][r][d] * DPHI[r][q][$i];
                                    }
                                    $a[$e][$i][$j] += kappa[$e] * W[q] * du * dv;
                                }
                            }
                        }
                    }
                    $($rest)*
                }
            }
        }
    };
}

stiffness!(whole, |e, i, j, a| 0, 10,);
stiffness!(lower, |e, i, j, a| 0, i + 1,);
stiffness!(upper, |e, i, j, a| i, 10,);
stiffness!(
    mirrored,
    |e, i, j, a| 0,
    i + 1,
    for i in 0..10 {
        for j in 0..i {
            a[e][j][i] = a[e][i][j];
        }
    }
);

kernel! {
    /// Each row needs those before it: this runs as written.
    pub fn forward_substitution(l: &[[[f64; 6]; 6]], b: &[[f64; 6]], x: &mut [[[f64; 6]; 1]]) {
        for e in 0..l.len() {
            let mut y = [0.0; 6];
            for i in 0..6 {
                let mut rest = b[e][i];
                for j in 0..i {
                    rest -= l[e][i][j] * y[j];
                }
                y[i] = rest / (2.0 + l[e][i][i]);
            }
            for i in 0..6 {
                x[e][0][i] = y[i];
            }
        }
    }

    /// The products of rows up to the diagonal.
    pub fn squared(l: &[[[f64; 6]; 6]], s: &mut [[[f64; 6]; 6]]) {
        for e in 0..l.len() {
            for i in 0..6 {
                for j in 0..=i {
                    for k in 0..=j {
                        s[e][i][j] += l[e][i][k] * l[e][j][k];
                    }
                }
            }
        }
    }
}

kernel! {
    /// Unrolled, this is 465 sums of their own.
    pub fn many(l: &[[[f64; 30]; 30]], s: &mut [[[f64; 30]; 30]]) {
        for e in 0..l.len() {
            for i in 0..30 {
                for j in 0..=i {
                    for k in 0..=j {
                        s[e][i][j] += l[e][i][k] * l[e][j][k];
                    }
                }
            }
        }
    }
}

fn rows<const N: usize>(seed: usize) -> Vec<[[f64; N]; N]> {
    let matrix = |e: usize| {
        std::array::from_fn(|r| std::array::from_fn(|c| noise(seed + (e * N + r) * N + c)))
    };
    (0..19).map(matrix).collect()
}

#[test]
fn halves_take_what_halves_of_symmetric_matrices_take() {
    let (k, kappa) = (rows::<3>(0), (0..19).map(noise).collect::<Vec<f64>>());
    agrees!(whole(&k, &kappa), [[0.25; 10]; 10]);
    agrees!(lower(&k, &kappa), [[0.25; 10]; 10]);
    agrees!(upper(&k, &kappa), [[0.25; 10]; 10]);
    agrees!(mirrored(&k, &kappa), [[0.25; 10]; 10]);
    let operations = whole::REPORT.expansion.operations();
    for report in [lower::REPORT, upper::REPORT, mirrored::REPORT] {
        assert!(report.notes.is_empty(), "{report}");
        assert!(
            report.expansion.operations() <= operations,
            "{operations}: {report}"
        );
    }
}

#[test]
fn other_triangles_agree() {
    let l = rows::<6>(300);
    let b: Vec<[f64; 6]> = (0..19)
        .map(|e| std::array::from_fn(|i| noise(6 * e + i)))
        .collect();
    agrees!(forward_substitution(&l, &b), [[0.25; 6]; 1]);
    agrees!(squared(&l), [[0.25; 6]; 6]);
    // Two operations for each product of entries.
    assert!(squared::REPORT.expansion.operations() <= 2 * 56);
}

#[test]
fn too_many_lengths_run_as_written() {
    agrees!(many(&rows::<30>(700)), [[0.25; 30]; 30]);
    let mut notes = many::REPORT.notes.iter();
    let expected = "the bounds of this loop change in an outer loop";
    assert!(
        notes.any(|note| note.contains(expected)),
        "{}",
        many::REPORT
    );
}
