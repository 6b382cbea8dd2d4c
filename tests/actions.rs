//! Actions that gather and scatter, functionals, and facets that choose a table: in every variant
//! with the values of the reference, and with the operations that the report states.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(clippy::needless_range_loop, reason = "the style of kernels")]

use loopwright::{Counted, Real, Report, kernel};

mod support;
use support::{counted, counting, each_variant, near_to, numbers};

kernel! {
    /// y += A u for the matrix A of ∫ ∇u·∇v + u v, by quadrature on each cell; `g` and `det` are
    /// |det J| K Kᵀ and |det J|.
    pub fn helmholtz<T: Real>(
        g: &[[[T; 3]; 3]],
        det: &[T],
        dofs: &[[usize; 10]],
        u: &[T],
        y: &mut [T],
    ) {
        static W: [f64; 14] = tabulate!(tetrahedron, quadrature(4), weights);
        static PHI: [[f64; 10]; 14] = tabulate!(tetrahedron, quadrature(4), lagrange(2));
        static DPHI: [[[f64; 10]; 14]; 3] =
            tabulate!(tetrahedron, quadrature(4), lagrange(2), gradient);
        for e in 0..dofs.len() {
            let mut local = [T::zero(); 10];
            for q in 0..14 {
                let mut value = T::zero();
                let mut gradient = [T::zero(); 3];
                for j in 0..10 {
                    value += u[dofs[e][j]] * T::from_f64(PHI[q][j]);
                    for r in 0..3 {
                        gradient[r] += u[dofs[e][j]] * T::from_f64(DPHI[r][q][j]);
                    }
                }
                for i in 0..10 {
                    let mut sum = det[e] * value * T::from_f64(PHI[q][i]);
                    for r in 0..3 {
                        for s in 0..3 {
                            sum += g[e][r][s] * gradient[s] * T::from_f64(DPHI[r][q][i]);
                        }
                    }
                    local[i] += T::from_f64(W[q]) * sum;
                }
            }
            for i in 0..10 {
                y[dofs[e][i]] += local[i];
            }
        }
    }

    /// Σ over cells of ∫ f² on a triangle.
    pub fn square<T: Real>(det: &[T], f: &[[T; 6]]) -> T {
        static W: [f64; 6] = tabulate!(triangle, quadrature(4), weights);
        static PHI: [[f64; 6]; 6] = tabulate!(triangle, quadrature(4), lagrange(2));
        let mut total = T::zero();
        for e in 0..det.len() {
            for q in 0..6 {
                let mut value = T::zero();
                for i in 0..6 {
                    value += f[e][i] * T::from_f64(PHI[q][i]);
                }
                total += T::from_f64(W[q]) * det[e] * value * value;
            }
        }
        total
    }

    /// ∫ u v over one edge of each triangle; `TRACE` are the functions at two points of each edge.
    pub fn robin<T: Real>(length: &[T], edge: &[usize], a: &mut [[[T; 3]; 3]]) {
        const NEAR: f64 = 0.788675134594813;
        const FAR: f64 = 0.211324865405187;
        static TRACE: [[[f64; 3]; 2]; 3] = [
            [[0.0, NEAR, FAR], [0.0, FAR, NEAR]],
            [[NEAR, 0.0, FAR], [FAR, 0.0, NEAR]],
            [[NEAR, FAR, 0.0], [FAR, NEAR, 0.0]],
        ];
        for e in 0..length.len() {
            for q in 0..2 {
                for i in 0..3 {
                    for j in 0..3 {
                        a[e][i][j] +=
                            T::from_f64(0.5) * length[e] * T::from_f64(TRACE[edge[e]][q][i]) * T::from_f64(TRACE[edge[e]][q][j]);
                    }
                }
            }
        }
    }
}

/// Cells in a row: neighbours have entries in common, so that scattering adds to some twice.
const CELLS: usize = 11;

/// Two degrees of freedom of a cell are those of the next.
fn numbering(cells: usize) -> Vec<[usize; 10]> {
    let of = |e: usize| std::array::from_fn(|i| 8 * e + 9 - i);
    (0..cells).map(of).collect()
}

#[test]
fn helmholtz_action() {
    let dofs = numbering(CELLS);
    let g: Vec<f64> = numbers(1, 9 * CELLS);
    let (det, u) = (numbers(2, CELLS), numbers(3, 8 * CELLS + 2));
    let mut expected = numbers(4, u.len());
    let metric = g.as_chunks().0.as_chunks().0;
    helmholtz::reference(metric, &det, &dofs, &u, &mut expected);
    each_variant(helmholtz::variants(), |isa| {
        let mut found = numbers(4, u.len());
        helmholtz::with(isa, metric, &det, &dofs, &u, &mut found).unwrap();
        assert!(near_to(&found, &expected, 1e-12), "{isa}");
    });
    let operations = counted(&helmholtz::REPORT, CELLS, |cells| {
        let (g, det) = (
            counting(&numbers(1, 9 * cells)),
            counting(&numbers(2, cells)),
        );
        let u = counting(&numbers(3, 8 * cells + 2));
        let metric = g.as_chunks().0.as_chunks().0;
        helmholtz(metric, &det, &numbering(cells), &u, &mut u.clone());
    });
    // Values and gradients at all points, and back: as many as a code with all sums factorised takes.
    let quadrature = 2 * (14 * 4 * 10 * 2) + 14 * (9 + 6 + 4);
    assert!(operations < quadrature, "{operations} of {quadrature}");
}

#[test]
fn functional() {
    let (det, f) = (numbers(5, CELLS), numbers(6, 6 * CELLS));
    let expected = square::reference(&det, f.as_chunks().0);
    each_variant(square::variants(), |isa| {
        let found = square::with(isa, &det, f.as_chunks().0).unwrap();
        assert!(near_to(&[found], &[expected], 1e-12), "{isa}");
    });
    let operations = counted(&square::REPORT, CELLS, |cells| {
        let (det, f) = (
            counting(&numbers(5, cells)),
            counting(&numbers(6, 6 * cells)),
        );
        std::hint::black_box(square(&det, f.as_chunks().0));
    });
    let source = square::REPORT.source.operations();
    assert!(operations < source, "{operations} of {source}");
}

#[test]
fn facets() {
    let of = |cells: usize| (0..cells).map(|e| e * e % 3).collect::<Vec<usize>>();
    let (length, edge) = (numbers(7, CELLS), of(CELLS));
    let mut expected = vec![[[0.5; 3]; 3]; CELLS];
    robin::reference(&length, &edge, &mut expected);
    each_variant(robin::variants(), |isa| {
        let mut found = vec![[[0.5; 3]; 3]; CELLS];
        robin::with(isa, &length, &edge, &mut found).unwrap();
        let flat = |a: &[[[f64; 3]; 3]]| a.as_flattened().as_flattened().to_vec();
        assert!(near_to(&flat(&found), &flat(&expected), 1e-12), "{isa}");
    });
    let operations = counted(&robin::REPORT, CELLS, |cells| {
        let mut a = vec![[[Counted::new(0.5); 3]; 3]; cells];
        robin(&counting(&numbers(7, cells)), &of(cells), &mut a);
    });
    // The table of each edge, times its length, added to the matrix.
    assert!(operations <= 9 * 2 + 1, "{operations}");
}

kernel! {
    /// Products with rows of a table are added to an array, point by point.
    pub fn load(det: &[f64], u: &[[f64; 6]], y: &mut [[f64; 6]]) {
        static W: [f64; 6] = tabulate!(triangle, quadrature(4), weights);
        static PHI: [[f64; 6]; 6] = tabulate!(triangle, quadrature(4), lagrange(2));
        for e in 0..u.len() {
            let mut local = [0.0; 6];
            for q in 0..6 {
                let mut value = 0.0;
                for j in 0..6 {
                    value += PHI[q][j] * u[e][j];
                }
                for i in 0..6 {
                    local[i] += W[q] * value * value * PHI[q][i];
                }
            }
            for i in 0..6 {
                y[e][i] -= det[e] * local[i];
            }
        }
    }

    /// Every entry of `t` is used often: as scalars they stay in registers, and products are shared.
    pub fn gram(x: &[[f64; 6]], y: &mut [f64]) {
        for e in 0..x.len() {
            let mut t = [0.0; 6];
            for i in 0..6 {
                t[i] = x[e][i].max(0.0);
            }
            for i in 0..6 {
                for j in 0..6 {
                    y[e] += (t[i] * t[j]).min(1.0);
                }
            }
        }
    }
}

/// The decision about local arrays.
fn local_arrays(report: &Report) -> &'static str {
    let lower = report.passes.iter().find(|pass| pass.name == "lower");
    let mut decisions = lower.iter().flat_map(|pass| pass.decisions);
    decisions
        .find(|decision| decision.starts_with("local arrays"))
        .expect("two ways")
}

#[test]
fn local_arrays_are_what_saves_operations() {
    for report in [&load::REPORT, &gram::REPORT] {
        let decision = local_arrays(report);
        let words = decision.split([' ', ';']);
        let counts: Vec<u64> = words.filter_map(|word| word.parse().ok()).collect();
        let [taken, other] = counts[..] else {
            panic!("{decision}");
        };
        assert_eq!(taken, report.expansion.operations(), "{decision}");
        assert!(taken < other, "{decision}");
    }
    assert!(local_arrays(&gram::REPORT).starts_with("local arrays as scalars: "));
    let x: Vec<[f64; 6]> = numbers(8, 6 * CELLS).as_chunks().0.to_vec();
    let mut expected = vec![[0.5; 6]; CELLS];
    let det = numbers(3, CELLS);
    load::reference(&det, &x, &mut expected);
    each_variant(load::variants(), |isa| {
        let mut found = vec![[0.5; 6]; CELLS];
        load::with(isa, &det, &x, &mut found).unwrap();
        let [found, expected] = [&found, &expected].map(|y| y.as_flattened());
        assert!(near_to(found, expected, 1e-12), "{isa}");
    });
    let mut expected = numbers(9, CELLS);
    gram::reference(&x, &mut expected);
    each_variant(gram::variants(), |isa| {
        let mut found = numbers(9, CELLS);
        gram::with(isa, &x, &mut found).unwrap();
        assert!(near_to(&found, &expected, 1e-12), "{isa}");
    });
}
