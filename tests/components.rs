//! Conditions that compare loops over components or nodes with each other: a Kronecker delta, a diagonal, a triangle.
#![allow(missing_docs, reason = "kernels of tests")]
#![allow(clippy::needless_range_loop, reason = "the style of kernels")]

use loopwright::{Counted, Real, kernel};

#[macro_use]
mod support;
use support::{counted, counting, each_variant, near, numbers};

kernel! {
    /// The element matrix of linear elasticity on triangles, the geometry at each point.
    pub fn elasticity<T: Real>(
        k: &[[[[T; 2]; 2]; 3]],
        dx: &[[T; 3]],
        lambda: T,
        mu: T,
        a: &mut [[[[[T; 2]; 6]; 2]; 6]],
    ) {
        static D: [[[f64; 6]; 3]; 2] = tabulate!(triangle, quadrature(2), lagrange(2), gradient);
        for e in 0..k.len() {
            for q in 0..3 {
                for i in 0..6 {
                    for c in 0..2 {
                        for j in 0..6 {
                            for d in 0..2 {
                                let mut v = [T::zero(); 2];
                                let mut u = [T::zero(); 2];
                                for b in 0..2 {
                                    for r in 0..2 {
                                        v[b] += k[e][q][r][b] * T::from_f64(D[r][q][i]);
                                        u[b] += k[e][q][r][b] * T::from_f64(D[r][q][j]);
                                    }
                                }
                                let mut s = lambda * v[c] * u[d] + mu * v[d] * u[c];
                                if c == d {
                                    s += mu * (v[0] * u[0] + v[1] * u[1]);
                                }
                                a[e][i][c][j][d] += dx[e][q] * s;
                            }
                        }
                    }
                }
            }
        }
    }

    /// The lumped mass matrix: zero beside the diagonal.
    pub fn lumped<T: Real>(det: &[T], a: &mut [[[T; 6]; 6]]) {
        static P: [[f64; 6]; 6] = tabulate!(triangle, quadrature(4), lagrange(2));
        static W: [f64; 6] = tabulate!(triangle, quadrature(4), weights);
        for e in 0..det.len() {
            for i in 0..6 {
                for j in 0..6 {
                    if i == j {
                        for q in 0..6 {
                            a[e][i][j] += T::from_f64(W[q] * P[q][i]) * det[e];
                        }
                    } else {
                        a[e][i][j] = T::zero();
                    }
                }
            }
        }
    }

    /// The upper triangle of a stiffness matrix.
    pub fn upper<T: Real>(k: &[[[T; 2]; 2]], det: &[T], a: &mut [[[T; 6]; 6]]) {
        static D: [[[f64; 6]; 3]; 2] = tabulate!(triangle, quadrature(2), lagrange(2), gradient);
        static W: [f64; 3] = tabulate!(triangle, quadrature(2), weights);
        for e in 0..det.len() {
            for q in 0..3 {
                for i in 0..6 {
                    for j in 0..6 {
                        if j < i {
                            continue;
                        }
                        let mut s = T::zero();
                        for d in 0..2 {
                            let mut v = T::zero();
                            let mut u = T::zero();
                            for r in 0..2 {
                                v += k[e][r][d] * T::from_f64(D[r][q][i]);
                                u += k[e][r][d] * T::from_f64(D[r][q][j]);
                            }
                            s += u * v;
                        }
                        a[e][i][j] += T::from_f64(W[q]) * det[e] * s;
                    }
                }
            }
        }
    }

    /// C : ε with the isotropic tensor C of two deltas each, all indices in loops.
    pub fn isotropic<T: Real>(strain: &[[[T; 3]; 3]], lambda: T, mu: T, stress: &mut [[[T; 3]; 3]]) {
        for e in 0..strain.len() {
            for a in 0..3 {
                for b in 0..3 {
                    for c in 0..3 {
                        for d in 0..3 {
                            let mut modulus = T::zero();
                            if a == b && c == d {
                                modulus += lambda;
                            }
                            if a == c && b == d {
                                modulus += mu;
                            }
                            if a == d && b == c {
                                modulus += mu;
                            }
                            stress[e][a][b] += modulus * strain[e][c][d];
                        }
                    }
                }
            }
        }
    }

    /// A mass matrix with a penalty on its diagonal.
    pub fn penalised(det: &[f64], a: &mut [[[f64; 10]; 10]]) {
        static P: [[f64; 10]; 14] = tabulate!(tetrahedron, quadrature(4), lagrange(2));
        static W: [f64; 14] = tabulate!(tetrahedron, quadrature(4), weights);
        for e in 0..det.len() {
            for i in 0..10 {
                for j in 0..10 {
                    for q in 0..14 {
                        a[e][i][j] += W[q] * P[q][i] * P[q][j] * det[e];
                    }
                    if i == j {
                        a[e][i][j] += 1e3 * det[e];
                    }
                }
            }
        }
    }
}

#[test]
fn every_variant_computes_the_reference() {
    let (k, dx) = (numbers(1, 19 * 12), numbers(2, 19 * 3));
    let at_points = k.as_chunks().0.as_chunks().0.as_chunks().0;
    let entries = |a: &[[[[[f64; 2]; 6]; 2]; 6]]| -> Vec<f64> {
        let flat = a.as_flattened().as_flattened().as_flattened();
        flat.as_flattened().to_vec()
    };
    let start = vec![[[[[0.25; 2]; 6]; 2]; 6]; 19];
    let mut expected = start.clone();
    elasticity::reference(at_points, dx.as_chunks().0, 0.75, 1.5, &mut expected);
    each_variant(elasticity::variants(), |isa| {
        let mut found = start.clone();
        elasticity::with(isa, at_points, dx.as_chunks().0, 0.75, 1.5, &mut found).unwrap();
        assert!(near(&entries(&found), &entries(&expected)), "{isa:?}");
    });
    let (k, det) = (numbers(3, 19 * 4), numbers(4, 19));
    let k = k.as_chunks().0.as_chunks().0;
    agrees!(lumped(&det), [[0.5; 6]; 6]);
    agrees!(upper(k, &det), [[0.5; 6]; 6]);
    agrees!(penalised(&det), [[0.5; 10]; 10]);
    let strain = numbers(5, 19 * 9);
    agrees!(
        isotropic(strain.as_chunks().0.as_chunks().0, 0.75, 1.5),
        [[0.5; 3]; 3]
    );
}

#[test]
fn what_a_condition_leaves_out_is_not_computed() {
    let counted_with = Counted::new;
    counted(&elasticity::REPORT, 3, |cells| {
        let (k, dx) = (
            counting(&numbers(1, cells * 12)),
            counting(&numbers(2, cells * 3)),
        );
        let k = k.as_chunks().0.as_chunks().0.as_chunks().0;
        let (lambda, mu) = (counted_with(0.75), counted_with(1.5));
        let mut a = vec![[[[[counted_with(0.0); 2]; 6]; 2]; 6]; cells];
        elasticity(k, dx.as_chunks().0, lambda, mu, &mut a);
    });
    let diagonal = counted(&lumped::REPORT, 3, |cells| {
        let det = counting(&numbers(1, cells));
        lumped(&det, &mut vec![[[counted_with(0.0); 6]; 6]; cells]);
    });
    // Three entries of weights that are not zero, at most a product and an addition for each entry.
    assert!(diagonal <= 12, "{diagonal}");
    counted(&upper::REPORT, 3, |cells| {
        let (k, det) = (
            counting(&numbers(1, cells * 4)),
            counting(&numbers(2, cells)),
        );
        upper(
            k.as_chunks().0.as_chunks().0,
            &det,
            &mut vec![[[counted_with(0.0); 6]; 6]; cells],
        );
    });
    let moduli = counted(&isotropic::REPORT, 3, |cells| {
        let strain = counting(&numbers(1, cells * 9));
        let (lambda, mu) = (counted_with(0.75), counted_with(1.5));
        let mut stress = vec![[[counted_with(0.0); 3]; 3]; cells];
        isotropic(strain.as_chunks().0.as_chunks().0, lambda, mu, &mut stress);
    });
    // Six products on the diagonal with sums of two, three products with a sum beside it; all are added.
    assert!(moduli <= 6 + 6 + 6 + 9, "{moduli}");
}

#[test]
fn reports_count_the_branches_that_run() {
    let total = Counted::<f64>::count(|| {
        let det = counting(&numbers(1, 1));
        lumped::reference(&det, &mut vec![[[Counted::new(0.0); 6]; 6]; 1]);
    });
    assert_eq!(total.1.operations(), lumped::REPORT.source.operations());
    let total = Counted::<f64>::count(|| {
        let strain = counting(&numbers(1, 9));
        let mut stress = vec![[[Counted::new(0.0); 3]; 3]; 1];
        let (lambda, mu) = (Counted::new(0.75), Counted::new(1.5));
        isotropic::reference(strain.as_chunks().0.as_chunks().0, lambda, mu, &mut stress);
    });
    assert_eq!(total.1.operations(), isotropic::REPORT.source.operations());
}
