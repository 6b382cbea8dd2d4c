//! Forms of which some monomials are evaluated while the kernel expands and the others left to
//! quadrature: in every variant with the values of the reference, and with the operations that the
//! report states.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(clippy::needless_range_loop, reason = "the style of kernels")]

use loopwright::{Counted, Real, Report, kernel};

mod support;
use support::{counted, counting, each_variant, near_to, numbers};

kernel! {
    /// ∫ ∇u·∇v + f g u v on triangles; `g` is |det J| K Kᵀ. The product of two functions has 36
    /// coefficients, more than there are points.
    pub fn reaction<T: Real>(
        metric: &[[[T; 2]; 2]],
        det: &[T],
        f: &[[T; 6]],
        g: &[[T; 6]],
        a: &mut [[[T; 6]; 6]],
    ) {
        static W: [f64; 16] = tabulate!(triangle, quadrature(8), weights);
        static PHI: [[f64; 6]; 16] = tabulate!(triangle, quadrature(8), lagrange(2));
        static DPHI: [[[f64; 6]; 16]; 2] =
            tabulate!(triangle, quadrature(8), lagrange(2), gradient);
        for e in 0..det.len() {
            for q in 0..16 {
                let mut first = T::zero();
                let mut second = T::zero();
                for r in 0..6 {
                    first += f[e][r] * T::from_f64(PHI[q][r]);
                    second += g[e][r] * T::from_f64(PHI[q][r]);
                }
                for i in 0..6 {
                    for j in 0..6 {
                        let mut stiffness = T::zero();
                        for r in 0..2 {
                            for s in 0..2 {
                                stiffness += metric[e][r][s]
                                    * T::from_f64(DPHI[r][q][i])
                                    * T::from_f64(DPHI[s][q][j]);
                            }
                        }
                        let mass = T::from_f64(PHI[q][i]) * T::from_f64(PHI[q][j]);
                        a[e][i][j] +=
                            T::from_f64(W[q]) * (stiffness + det[e] * first * second * mass);
                    }
                }
            }
        }
    }

    /// ∫ f (∇u·∇v + u v) on triangles, with so little memory that the stiffness term alone is evaluated.
    #[opt(memory = "1 KiB")]
    pub fn weighted<T: Real>(
        k: &[[[T; 2]; 2]],
        det: &[T],
        f: &[[T; 6]],
        a: &mut [[[T; 6]; 6]],
    ) {
        static W: [f64; 16] = tabulate!(triangle, quadrature(8), weights);
        static PHI: [[f64; 6]; 16] = tabulate!(triangle, quadrature(8), lagrange(2));
        static DPHI: [[[f64; 6]; 16]; 2] =
            tabulate!(triangle, quadrature(8), lagrange(2), gradient);
        for e in 0..det.len() {
            for q in 0..16 {
                let mut value = T::zero();
                for r in 0..6 {
                    value += f[e][r] * T::from_f64(PHI[q][r]);
                }
                for i in 0..6 {
                    for j in 0..6 {
                        let mut sum = T::from_f64(PHI[q][i]) * T::from_f64(PHI[q][j]);
                        for d in 0..2 {
                            let mut du = T::zero();
                            let mut dv = T::zero();
                            for r in 0..2 {
                                du += k[e][r][d] * T::from_f64(DPHI[r][q][j]);
                                dv += k[e][r][d] * T::from_f64(DPHI[r][q][i]);
                            }
                            sum += du * dv;
                        }
                        a[e][i][j] += T::from_f64(W[q]) * det[e] * value * sum;
                    }
                }
            }
        }
    }
}

/// ∫ p u v on triangles, for a product p of coefficient functions of one space.
macro_rules! products {
    ($name:ident, $first:ident $second:ident: $($factor:ident)*) => {
        kernel! {
            pub fn $name<T: Real>(det: &[T], f: &[[T; 3]], g: &[[T; 3]], a: &mut [[[T; 3]; 3]]) {
                static W: [f64; 16] = tabulate!(triangle, quadrature(8), weights);
                static PHI: [[f64; 3]; 16] = tabulate!(triangle, quadrature(8), lagrange(1));
                for e in 0..det.len() {
                    for q in 0..16 {
                        let mut $first = T::zero();
                        let mut $second = T::zero();
                        for r in 0..3 {
                            $first += f[e][r] * T::from_f64(PHI[q][r]);
                            $second += g[e][r] * T::from_f64(PHI[q][r]);
                        }
                        for i in 0..3 {
                            for j in 0..3 {
                                let mass = T::from_f64(PHI[q][i]) * T::from_f64(PHI[q][j]);
                                a[e][i][j] += T::from_f64(W[q]) * det[e] * mass $(* $factor)*;
                            }
                        }
                    }
                }
            }
        }
    };
}
products!(two, u v: u v);
products!(square, u v: u u);
products!(three, u v: u u v);
products!(four, u v: u v u u);

/// Cells: no multiple of a register's lanes.
const CELLS: usize = 11;

type Matrices = Vec<[[f64; 6]; 6]>;

fn matrices(cells: usize) -> Matrices {
    numbers(7, 36 * cells).as_chunks().0.as_chunks().0.to_vec()
}

/// What one more cell takes, counted, is what the report states; and the decision of pre-evaluation.
fn check(report: &Report, run: impl Fn(usize)) -> &'static str {
    counted(report, CELLS, run);
    let mut passes = report.passes.iter();
    let pass = passes.find(|pass| pass.name == "pre_evaluation").unwrap();
    pass.decisions[0]
}

fn assert_near(found: &Matrices, expected: &Matrices, what: &str) {
    let (found, expected) = (found.as_flattened(), expected.as_flattened());
    let (found, expected) = (found.as_flattened(), expected.as_flattened());
    assert!(near_to(found, expected, 1e-12), "{what}");
}

#[test]
fn a_monomial_that_loses_is_left() {
    let (metric, det) = (numbers(1, 4 * CELLS), numbers(2, CELLS));
    let (f, g) = (numbers(3, 6 * CELLS), numbers(4, 6 * CELLS));
    let metric = metric.as_chunks().0.as_chunks().0;
    let (f, g) = (f.as_chunks().0, g.as_chunks().0);
    let mut expected = matrices(CELLS);
    reaction::reference(metric, &det, f, g, &mut expected);
    each_variant(reaction::variants(), |isa| {
        let mut found = matrices(CELLS);
        reaction::with(isa, metric, &det, f, g, &mut found).unwrap();
        assert_near(&found, &expected, isa.name());
    });
    let decision = check(&reaction::REPORT, |cells| {
        let (metric, det) = (
            counting(&numbers(1, 4 * cells)),
            counting(&numbers(2, cells)),
        );
        let f = counting(&numbers(3, 6 * cells));
        let g = counting(&numbers(4, 6 * cells));
        let mut a = vec![[[Counted::new(0.0); 6]; 6]; cells];
        let metric = metric.as_chunks().0.as_chunks().0;
        reaction(metric, &det, f.as_chunks().0, g.as_chunks().0, &mut a);
    });
    assert!(decision.starts_with("tables of `"), "{decision}");
    assert!(decision.contains("` alone"), "{decision}");
}

#[test]
fn a_monomial_that_does_not_fit_is_left() {
    let (k, det, f) = (
        numbers(1, 4 * CELLS),
        numbers(2, CELLS),
        numbers(3, 6 * CELLS),
    );
    let (k, f) = (k.as_chunks().0.as_chunks().0, f.as_chunks().0);
    let mut expected = matrices(CELLS);
    weighted::reference(k, &det, f, &mut expected);
    each_variant(weighted::variants(), |isa| {
        let mut found = matrices(CELLS);
        weighted::with(isa, k, &det, f, &mut found).unwrap();
        assert_near(&found, &expected, isa.name());
    });
    let decision = check(&weighted::REPORT, |cells| {
        let (k, det) = (
            counting(&numbers(1, 4 * cells)),
            counting(&numbers(2, cells)),
        );
        let f = counting(&numbers(3, 6 * cells));
        let mut a = vec![[[Counted::new(0.0); 6]; 6]; cells];
        weighted(k.as_chunks().0.as_chunks().0, &det, f.as_chunks().0, &mut a);
    });
    assert!(decision.starts_with("tables of `"), "{decision}");
    assert!(decision.contains("` alone"), "{decision}");
}

/// The tensors of products of functions are symmetric in these: combinations with repetition are left,
/// 6, 6, 10 and 15 of 9, 9, 27 and 81.
macro_rules! combinations_with_repetition {
    ($($name:ident $operations:literal)*) => {$(
        let (det, f, g) = (numbers(1, CELLS), numbers(2, 3 * CELLS), numbers(3, 3 * CELLS));
        let (f, g) = (f.as_chunks().0, g.as_chunks().0);
        let of = |seed| numbers(seed, 9 * CELLS).as_chunks().0.as_chunks().0.to_vec();
        let mut expected: Vec<[[f64; 3]; 3]> = of(4);
        $name::reference(&det, f, g, &mut expected);
        each_variant($name::variants(), |isa| {
            let mut found = of(4);
            $name::with(isa, &det, f, g, &mut found).unwrap();
            let flat = |a: &[[[f64; 3]; 3]]| a.as_flattened().as_flattened().to_vec();
            assert!(near_to(&flat(&found), &flat(&expected), 1e-13), "{isa}");
        });
        let operations = counted(&$name::REPORT, CELLS, |cells| {
            let det = counting(&numbers(1, cells));
            let [f, g] = [2, 3].map(|seed| counting(&numbers(seed, 3 * cells)));
            let mut a = vec![[[Counted::new(0.0); 3]; 3]; cells];
            $name(&det, f.as_chunks().0, g.as_chunks().0, &mut a);
        });
        println!("{} {operations}", stringify!($name));
        assert_eq!(operations, $operations, "{}", stringify!($name));
    )*};
}

#[test]
fn products_of_functions_are_packed() {
    combinations_with_repetition!(two 93 square 84 three 161 four 244);
}
