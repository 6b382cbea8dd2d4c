//! Tables on quadrilaterals and hexahedra are products of tables over the line: actions sum over one
//! axis after another. In every variant with the values of the reference, and with the operations
//! that the report states.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(clippy::needless_range_loop, reason = "the style of kernels")]

use loopwright::{Counted, Real, kernel};

mod support;
use support::{counted, counting, each_variant, near_to, noise, numbers};

/// Cells in a row: neighbours have entries in common.
const CELLS: usize = 9;

/// Two degrees of freedom of a cell are those of the next.
fn numbering<const NODES: usize>(cells: usize) -> Vec<[usize; NODES]> {
    let of = |e: usize| std::array::from_fn(|i| (NODES - 2) * e + NODES - 1 - i);
    (0..cells).map(of).collect()
}

/// The action of ∫ ∇u·∇v + u v on hexahedra of a degree, and its test; `g` and `det` are
/// |det J| K Kᵀ and |det J|.
macro_rules! action {
    ($name:ident, $degree:literal, $rule:literal, $points:literal, $nodes:literal) => {
        mod $name {
            use super::*;

            kernel! {
                pub fn helmholtz<T: Real>(
                    g: &[[[T; 3]; 3]],
                    det: &[T],
                    dofs: &[[usize; $nodes]],
                    u: &[T],
                    y: &mut [T],
                ) {
                    static W: [f64; $points] =
                        tabulate!(hexahedron, quadrature($rule), weights);
                    static PHI: [[f64; $nodes]; $points] =
                        tabulate!(hexahedron, quadrature($rule), lagrange($degree));
                    static DPHI: [[[f64; $nodes]; $points]; 3] =
                        tabulate!(hexahedron, quadrature($rule), lagrange($degree), gradient);
                    for e in 0..dofs.len() {
                        let mut local = [T::zero(); $nodes];
                        for q in 0..$points {
                            let mut value = T::zero();
                            let mut gradient = [T::zero(); 3];
                            for j in 0..$nodes {
                                value += u[dofs[e][j]] * T::from_f64(PHI[q][j]);
                                for r in 0..3 {
                                    gradient[r] += u[dofs[e][j]] * T::from_f64(DPHI[r][q][j]);
                                }
                            }
                            for i in 0..$nodes {
                                let mut sum = det[e] * value * T::from_f64(PHI[q][i]);
                                for r in 0..3 {
                                    for s in 0..3 {
                                        sum += g[e][r][s] * gradient[s] * T::from_f64(DPHI[r][q][i]);
                                    }
                                }
                                local[i] += T::from_f64(W[q]) * sum;
                            }
                        }
                        for i in 0..$nodes {
                            y[dofs[e][i]] += local[i];
                        }
                    }
                }
            }

            #[test]
            fn is_its_reference() {
                const NODES: usize = $nodes;
                let size = |cells: usize| (NODES - 2) * cells + 2;
                let dofs = numbering::<NODES>(CELLS);
                let (g, det) = (numbers(1, 9 * CELLS), numbers(2, CELLS));
                let (u, start) = (numbers(3, size(CELLS)), numbers(4, size(CELLS)));
                let metric = g.as_chunks().0.as_chunks().0;
                let mut expected = start.clone();
                helmholtz::reference(metric, &det, &dofs, &u, &mut expected);
                each_variant(helmholtz::variants(), |isa| {
                    let mut found = start.clone();
                    helmholtz::with(isa, metric, &det, &dofs, &u, &mut found).unwrap();
                    assert!(near_to(&found, &expected, 1e-11), "{isa}");
                });
                let operations = counted(&helmholtz::REPORT, CELLS, |cells| {
                    let g = counting(&numbers(1, 9 * cells));
                    let det = counting(&numbers(2, cells));
                    let u = counting(&numbers(3, size(cells)));
                    let metric = g.as_chunks().0.as_chunks().0;
                    helmholtz(metric, &det, &numbering(cells), &u, &mut u.clone());
                });
                // Values at the points take three sums over an axis, derivatives three, and so does the way back.
                let along = $degree + 1_u64;
                let most = match $degree {
                    1 => 18 * 2 * along.pow(4) + 20 * along.pow(3),
                    // In halves.
                    _ => 12 * (along.pow(4) + 2 * along.pow(3)) + 24 * along.pow(3),
                };
                assert!(operations < most, "{operations} of {most}");
            }
        }
    };
}

action!(first, 1, 3, 8, 8);
action!(second, 2, 5, 27, 27);
action!(third, 3, 7, 64, 64);

kernel! {
    /// The action of linear elasticity over the table of a vector-valued element; `k` is the inverse of
    /// the Jacobian.
    pub fn elasticity<T: Real>(
        k: &[[[T; 3]; 3]],
        det: &[T],
        mu: T,
        lambda: T,
        dofs: &[[usize; 81]],
        u: &[T],
        y: &mut [T],
    ) {
        static W: [f64; 27] = tabulate!(hexahedron, quadrature(5), weights);
        static DPHI: [[[[f64; 81]; 27]; 3]; 3] =
            tabulate!(hexahedron, quadrature(5), vector(lagrange(2)), gradient);
        for e in 0..dofs.len() {
            let mut local = [T::zero(); 81];
            for q in 0..27 {
                let mut du = [[T::zero(); 3]; 3];
                for j in 0..81 {
                    for c in 0..3 {
                        for d in 0..3 {
                            for r in 0..3 {
                                du[c][d] += u[dofs[e][j]]
                                    * k[e][r][d]
                                    * T::from_f64(DPHI[c][r][q][j]);
                            }
                        }
                    }
                }
                let div = du[0][0] + du[1][1] + du[2][2];
                for i in 0..81 {
                    let mut sum = T::zero();
                    for c in 0..3 {
                        for d in 0..3 {
                            let pressure = if c == d { lambda * div } else { T::zero() };
                            let stress = mu * (du[c][d] + du[d][c]) + pressure;
                            for r in 0..3 {
                                sum += stress * k[e][r][d] * T::from_f64(DPHI[c][r][q][i]);
                            }
                        }
                    }
                    local[i] += T::from_f64(W[q]) * det[e] * sum;
                }
            }
            for i in 0..81 {
                y[dofs[e][i]] += local[i];
            }
        }
    }
}

/// The table of vectors is that of scalars three times; each of them is a product.
#[test]
fn vectors() {
    let size = |cells: usize| 79 * cells + 2;
    let dofs = numbering::<81>(CELLS);
    let (k, det) = (numbers(21, 9 * CELLS), numbers(22, CELLS));
    let (u, start) = (numbers(23, size(CELLS)), numbers(24, size(CELLS)));
    let inverse = k.as_chunks().0.as_chunks().0;
    let mut expected = start.clone();
    elasticity::reference(inverse, &det, 1.3, 0.7, &dofs, &u, &mut expected);
    each_variant(elasticity::variants(), |isa| {
        let mut found = start.clone();
        elasticity::with(isa, inverse, &det, 1.3, 0.7, &dofs, &u, &mut found).unwrap();
        assert!(near_to(&found, &expected, 1e-11), "{isa}");
    });
    let operations = counted(&elasticity::REPORT, CELLS, |cells| {
        let [k, det, u] = [(21, 9 * cells), (22, cells), (23, size(cells))]
            .map(|(seed, count)| counting(&numbers(seed, count)));
        let inverse = k.as_chunks().0.as_chunks().0;
        let [mu, lambda] = [1.3, 0.7].map(Counted::new);
        elasticity(
            inverse,
            &det,
            mu,
            lambda,
            &numbering(cells),
            &u,
            &mut u.clone(),
        );
    });
    // Loops over all nodes, split by components, take 54766.
    assert!(operations < 15400, "{operations}");
}

kernel! {
    /// y += ∫ k ∇u·∇v with trilinear geometry: the Jacobian differs from point to point, and k is
    /// linear along each axis.
    pub fn diffusion<T: Real>(
        x: &[[[T; 3]; 8]],
        k: &[[T; 8]],
        dofs: &[[usize; 27]],
        u: &[T],
        y: &mut [T],
    ) {
        static W: [f64; 27] = tabulate!(hexahedron, quadrature(5), weights);
        static SHAPE: [[f64; 8]; 27] = tabulate!(hexahedron, quadrature(5), lagrange(1));
        static DSHAPE: [[[f64; 8]; 27]; 3] =
            tabulate!(hexahedron, quadrature(5), lagrange(1), gradient);
        static DPHI: [[[f64; 27]; 27]; 3] =
            tabulate!(hexahedron, quadrature(5), lagrange(2), gradient);
        for e in 0..dofs.len() {
            let mut local = [T::zero(); 27];
            for q in 0..27 {
                let mut jacobian = [[T::zero(); 3]; 3];
                let mut factor = T::zero();
                for v in 0..8 {
                    factor += k[e][v] * T::from_f64(SHAPE[q][v]);
                    for a in 0..3 {
                        for b in 0..3 {
                            jacobian[a][b] += x[e][v][a] * T::from_f64(DSHAPE[b][q][v]);
                        }
                    }
                }
                let (adjugate, det) = adjugate(jacobian);
                let mut gradient = [T::zero(); 3];
                for j in 0..27 {
                    for r in 0..3 {
                        gradient[r] += u[dofs[e][j]] * T::from_f64(DPHI[r][q][j]);
                    }
                }
                let mut physical = [T::zero(); 3];
                for a in 0..3 {
                    for r in 0..3 {
                        physical[a] += adjugate[r][a] * gradient[r];
                    }
                }
                for i in 0..27 {
                    let mut sum = T::zero();
                    for r in 0..3 {
                        for a in 0..3 {
                            sum += adjugate[r][a] * physical[a] * T::from_f64(DPHI[r][q][i]);
                        }
                    }
                    local[i] += T::from_f64(W[q]) * factor / det * sum;
                }
            }
            for i in 0..27 {
                y[dofs[e][i]] += local[i];
            }
        }
    }

    /// The inverse of a matrix times its determinant, and that.
    fn adjugate<T: Real>(j: [[T; 3]; 3]) -> ([[T; 3]; 3], T) {
        let mut a = [[T::zero(); 3]; 3];
        a[0][0] = j[1][1] * j[2][2] - j[1][2] * j[2][1];
        a[0][1] = j[0][2] * j[2][1] - j[0][1] * j[2][2];
        a[0][2] = j[0][1] * j[1][2] - j[0][2] * j[1][1];
        a[1][0] = j[1][2] * j[2][0] - j[1][0] * j[2][2];
        a[1][1] = j[0][0] * j[2][2] - j[0][2] * j[2][0];
        a[1][2] = j[0][2] * j[1][0] - j[0][0] * j[1][2];
        a[2][0] = j[1][0] * j[2][1] - j[1][1] * j[2][0];
        a[2][1] = j[0][1] * j[2][0] - j[0][0] * j[2][1];
        a[2][2] = j[0][0] * j[1][1] - j[0][1] * j[1][0];
        (a, j[0][0] * a[0][0] + j[0][1] * a[1][0] + j[0][2] * a[2][0])
    }
}

/// The unit cube's vertices, each moved a little.
fn vertices(cells: usize) -> Vec<f64> {
    let moved = |at: usize| {
        let (vertex, axis) = (at / 3 % 8, at % 3);
        (vertex >> axis & 1) as f64 + 0.1 * noise(7000 + at)
    };
    (0..24 * cells).map(moved).collect()
}

#[test]
fn geometry_at_each_point() {
    let size = |cells: usize| 25 * cells + 2;
    let (x, k) = (vertices(CELLS), numbers(5, 8 * CELLS));
    let (u, start) = (numbers(6, size(CELLS)), numbers(7, size(CELLS)));
    let dofs = numbering::<27>(CELLS);
    let (x, k) = (x.as_chunks().0.as_chunks().0, k.as_chunks().0);
    let mut expected = start.clone();
    diffusion::reference(x, k, &dofs, &u, &mut expected);
    each_variant(diffusion::variants(), |isa| {
        let mut found = start.clone();
        diffusion::with(isa, x, k, &dofs, &u, &mut found).unwrap();
        assert!(near_to(&found, &expected, 1e-11), "{isa}");
    });
    let operations = counted(&diffusion::REPORT, CELLS, |cells| {
        let (x, k) = (counting(&vertices(cells)), counting(&numbers(5, 8 * cells)));
        let u = counting(&numbers(6, size(cells)));
        let (x, k) = (x.as_chunks().0.as_chunks().0, k.as_chunks().0);
        diffusion(x, k, &numbering(cells), &u, &mut u.clone());
    });
    // The gradient's sums and those of the way back, ten sums of eight terms, and each point's algebra.
    let sums = 2 * 8 * 2 * 81 + 10 * 3 * 2 * 54;
    let most = sums + 27 * (40 + 35);
    assert!(operations < most, "{operations} of {most}");
}

kernel! {
    /// y += ∫ (b·∇u) v on parallelograms, with fewer points than nodes along an axis.
    pub fn advection<T: Real>(b: &[[T; 2]], u: &[[T; 16]], y: &mut [[T; 16]]) {
        static W: [f64; 9] = tabulate!(quadrilateral, quadrature(5), weights);
        static PHI: [[f64; 16]; 9] = tabulate!(quadrilateral, quadrature(5), lagrange(3));
        static DPHI: [[[f64; 16]; 9]; 2] =
            tabulate!(quadrilateral, quadrature(5), lagrange(3), gradient);
        for e in 0..b.len() {
            for q in 0..9 {
                let mut along = T::zero();
                for j in 0..16 {
                    for r in 0..2 {
                        along += b[e][r] * T::from_f64(DPHI[r][q][j]) * u[e][j];
                    }
                }
                for i in 0..16 {
                    y[e][i] += T::from_f64(W[q]) * along * T::from_f64(PHI[q][i]);
                }
            }
        }
    }

    /// Element matrices of ∫ ∇u·∇v + u v, with `g` at each point.
    pub fn matrix<T: Real>(g: &[[[[T; 3]; 3]; 8]], det: &[T], a: &mut [[[T; 8]; 8]]) {
        static W: [f64; 8] = tabulate!(hexahedron, quadrature(3), weights);
        static PHI: [[f64; 8]; 8] = tabulate!(hexahedron, quadrature(3), lagrange(1));
        static DPHI: [[[f64; 8]; 8]; 3] =
            tabulate!(hexahedron, quadrature(3), lagrange(1), gradient);
        for e in 0..a.len() {
            for q in 0..8 {
                for i in 0..8 {
                    for j in 0..8 {
                        let mut sum = det[e] * T::from_f64(PHI[q][i]) * T::from_f64(PHI[q][j]);
                        for r in 0..3 {
                            for s in 0..3 {
                                sum += g[e][q][r][s]
                                    * T::from_f64(DPHI[r][q][i])
                                    * T::from_f64(DPHI[s][q][j]);
                            }
                        }
                        a[e][i][j] += T::from_f64(W[q]) * sum;
                    }
                }
            }
        }
    }

    /// The values of u at the points of a rule.
    pub fn values<T: Real>(u: &[[T; 27]], v: &mut [[T; 64]]) {
        static PHI: [[f64; 27]; 64] = tabulate!(hexahedron, quadrature(6), lagrange(2));
        for e in 0..u.len() {
            for q in 0..64 {
                for i in 0..27 {
                    v[e][q] += u[e][i] * T::from_f64(PHI[q][i]);
                }
            }
        }
    }
}

#[test]
fn quadrilaterals() {
    let (b, u) = (numbers(8, 2 * CELLS), numbers(9, 16 * CELLS));
    let start = numbers(10, 16 * CELLS);
    let flat = |y: &[[f64; 16]]| y.as_flattened().to_vec();
    let (b, u) = (b.as_chunks().0, u.as_chunks().0);
    let mut expected = start.as_chunks().0.to_vec();
    advection::reference(b, u, &mut expected);
    each_variant(advection::variants(), |isa| {
        let mut found = start.as_chunks().0.to_vec();
        advection::with(isa, b, u, &mut found).unwrap();
        assert!(near_to(&flat(&found), &flat(&expected), 1e-11), "{isa}");
    });
    let operations = counted(&advection::REPORT, CELLS, |cells| {
        let (b, u) = (
            counting(&numbers(8, 2 * cells)),
            counting(&numbers(9, 16 * cells)),
        );
        let (b, u) = (b.as_chunks().0, u.as_chunks().0);
        advection(b, u, &mut u.to_vec());
    });
    let dense = 2 * 9 * 16 * 3;
    assert!(operations < dense, "{operations} of {dense}");
}

#[test]
fn element_matrices() {
    let (g, det) = (numbers(13, 72 * CELLS), numbers(14, CELLS));
    let g = g.as_chunks().0.as_chunks().0.as_chunks().0;
    let flat = |a: &[[[f64; 8]; 8]]| a.as_flattened().as_flattened().to_vec();
    let mut expected = vec![[[0.5; 8]; 8]; CELLS];
    matrix::reference(g, &det, &mut expected);
    each_variant(matrix::variants(), |isa| {
        let mut found = vec![[[0.5; 8]; 8]; CELLS];
        matrix::with(isa, g, &det, &mut found).unwrap();
        assert!(near_to(&flat(&found), &flat(&expected), 1e-11), "{isa}");
    });
    let operations = counted(&matrix::REPORT, CELLS, |cells| {
        let (g, det) = (
            counting(&numbers(13, 72 * cells)),
            counting(&numbers(14, cells)),
        );
        let g = g.as_chunks().0.as_chunks().0.as_chunks().0;
        matrix(g, &det, &mut vec![[[Counted::new(0.5); 8]; 8]; cells]);
    });
    // Half of what a sum over all points of the ten products with two tables takes.
    let dense = 8 * 64 * 10;
    assert!(operations < dense / 2, "{operations} of {dense}");
}

#[test]
fn values_at_points() {
    let (u, start) = (numbers(11, 27 * CELLS), numbers(12, 64 * CELLS));
    let flat = |v: &[[f64; 64]]| v.as_flattened().to_vec();
    let u = u.as_chunks().0;
    let mut expected = start.as_chunks().0.to_vec();
    values::reference(u, &mut expected);
    each_variant(values::variants(), |isa| {
        let mut found = start.as_chunks().0.to_vec();
        values::with(isa, u, &mut found).unwrap();
        assert!(near_to(&flat(&found), &flat(&expected), 1e-11), "{isa}");
    });
    let operations = counted(&values::REPORT, CELLS, |cells| {
        let u = counting(&numbers(11, 27 * cells));
        let mut v = vec![[Counted::new(0.0); 64]; cells];
        values(u.as_chunks().0, &mut v);
    });
    // Sums over one axis after another, and their additions to what is there.
    let sums = (4 * 9 + 16 * 3 + 64) * 5;
    assert!(operations <= sums + 64, "{operations} of {}", sums + 64);
}
