//! Forms over all functions of an element, and one by hand.

use loopwright::{Real, kernel};

kernel! {
    static W: [f64; 4] = tabulate!(tetrahedron, quadrature(2), weights);
    static PHI: [[[f64; 34]; 4]; 4] =
        tabulate!(tetrahedron, quadrature(2), mixed(vector(lagrange(2)), lagrange(1)));
    static DPHI: [[[[f64; 34]; 4]; 3]; 4] =
        tabulate!(tetrahedron, quadrature(2), mixed(vector(lagrange(2)), lagrange(1)), gradient);
    static PRESSURE: [[f64; 4]; 4] = tabulate!(tetrahedron, quadrature(2), lagrange(1));
    static VELOCITY: [[[f64; 10]; 4]; 3] =
        tabulate!(tetrahedron, quadrature(2), lagrange(2), gradient);
    static VECTOR: [[[[f64; 30]; 4]; 3]; 3] =
        tabulate!(tetrahedron, quadrature(2), vector(lagrange(2)), gradient);

    /// ∫ ∇u : ∇v − p ∇·v − q ∇·u for the Taylor-Hood element, over all of its functions.
    pub fn stokes<T: Real>(cells: &[[[T; 3]; 4]], a: &mut [[[T; 34]; 34]]) {
        for e in 0..cells.len() {
            let (k, det) = inverse(&cells[e]);
            for q in 0..4 {
                for i in 0..34 {
                    for j in 0..34 {
                        let mut du = [[T::zero(); 3]; 3];
                        let mut dv = [[T::zero(); 3]; 3];
                        for c in 0..3 {
                            for d in 0..3 {
                                for r in 0..3 {
                                    du[c][d] += k[r][d] * T::from_f64(DPHI[c][r][q][j]);
                                    dv[c][d] += k[r][d] * T::from_f64(DPHI[c][r][q][i]);
                                }
                            }
                        }
                        let mut product = T::zero();
                        for c in 0..3 {
                            for d in 0..3 {
                                product += du[c][d] * dv[c][d];
                            }
                            product -= T::from_f64(PHI[3][q][j]) * dv[c][c];
                            product -= T::from_f64(PHI[3][q][i]) * du[c][c];
                        }
                        a[e][i][j] += T::from_f64(W[q]) * det.abs() * product;
                    }
                }
            }
        }
    }

    /// The same by hand: each component of the velocity, and its coupling with the pressure.
    pub fn stokes_by_hand<T: Real>(cells: &[[[T; 3]; 4]], a: &mut [[[T; 34]; 34]]) {
        for e in 0..cells.len() {
            let (k, det) = inverse(&cells[e]);
            for q in 0..4 {
                for i in 0..10 {
                    for j in 0..10 {
                        let mut dot = T::zero();
                        for d in 0..3 {
                            let mut du = T::zero();
                            let mut dv = T::zero();
                            for r in 0..3 {
                                du += k[r][d] * T::from_f64(VELOCITY[r][q][j]);
                                dv += k[r][d] * T::from_f64(VELOCITY[r][q][i]);
                            }
                            dot += du * dv;
                        }
                        for c in 0..3 {
                            a[e][3 * i + c][3 * j + c] += T::from_f64(W[q]) * det.abs() * dot;
                        }
                    }
                    for j in 0..4 {
                        for c in 0..3 {
                            let mut dv = T::zero();
                            for r in 0..3 {
                                dv += k[r][c] * T::from_f64(VELOCITY[r][q][i]);
                            }
                            let product =
                                T::from_f64(W[q]) * det.abs() * T::from_f64(PRESSURE[q][j]) * dv;
                            a[e][3 * i + c][30 + j] -= product;
                            a[e][30 + j][3 * i + c] -= product;
                        }
                    }
                }
            }
        }
    }

    /// y += A u for the matrix of the first kernel: sums over all functions, there and back.
    pub fn action<T: Real>(cells: &[[[T; 3]; 4]], u: &[[T; 34]], y: &mut [[T; 34]]) {
        for e in 0..cells.len() {
            let (k, det) = inverse(&cells[e]);
            for q in 0..4 {
                let mut pressure = T::zero();
                let mut gradient = [[T::zero(); 3]; 3];
                for j in 0..34 {
                    pressure += u[e][j] * T::from_f64(PHI[3][q][j]);
                    for c in 0..3 {
                        for r in 0..3 {
                            gradient[c][r] += u[e][j] * T::from_f64(DPHI[c][r][q][j]);
                        }
                    }
                }
                let mut du = [[T::zero(); 3]; 3];
                for c in 0..3 {
                    for d in 0..3 {
                        for r in 0..3 {
                            du[c][d] += k[r][d] * gradient[c][r];
                        }
                    }
                }
                for i in 0..34 {
                    let mut product = T::zero();
                    for c in 0..3 {
                        for d in 0..3 {
                            let mut dv = T::zero();
                            for r in 0..3 {
                                dv += k[r][d] * T::from_f64(DPHI[c][r][q][i]);
                            }
                            product += du[c][d] * dv;
                        }
                        let mut slope = T::zero();
                        for r in 0..3 {
                            slope += k[r][c] * T::from_f64(DPHI[c][r][q][i]);
                        }
                        product -= pressure * slope + T::from_f64(PHI[3][q][i]) * du[c][c];
                    }
                    y[e][i] += T::from_f64(W[q]) * det.abs() * product;
                }
            }
        }
    }

    /// ∫ p ∇·v: tests with a vector of degree 2, trials of degree 1.
    pub fn divergence<T: Real>(cells: &[[[T; 3]; 4]], b: &mut [[[T; 4]; 30]]) {
        for e in 0..cells.len() {
            let (k, det) = inverse(&cells[e]);
            for q in 0..4 {
                for i in 0..30 {
                    for j in 0..4 {
                        let mut div = T::zero();
                        for c in 0..3 {
                            for r in 0..3 {
                                div += k[r][c] * T::from_f64(VECTOR[c][r][q][i]);
                            }
                        }
                        b[e][i][j] +=
                            T::from_f64(W[q]) * det.abs() * div * T::from_f64(PRESSURE[q][j]);
                    }
                }
            }
        }
    }

    /// ∫ f u v on triangles: tests of degree 3, trials of degree 2, and a coefficient of degree 1.
    pub fn unequal<T: Real>(det: &[T], f: &[[T; 3]], b: &mut [[[T; 6]; 10]]) {
        static W: [f64; 12] = tabulate!(triangle, quadrature(6), weights);
        static F: [[f64; 3]; 12] = tabulate!(triangle, quadrature(6), lagrange(1));
        static U: [[f64; 6]; 12] = tabulate!(triangle, quadrature(6), lagrange(2));
        static V: [[f64; 10]; 12] = tabulate!(triangle, quadrature(6), lagrange(3));
        for e in 0..det.len() {
            for q in 0..12 {
                let mut value = T::zero();
                for i in 0..3 {
                    value += f[e][i] * T::from_f64(F[q][i]);
                }
                for i in 0..10 {
                    for j in 0..6 {
                        b[e][i][j] += T::from_f64(W[q])
                            * det[e]
                            * value
                            * T::from_f64(V[q][i])
                            * T::from_f64(U[q][j]);
                    }
                }
            }
        }
    }

    /// What is assigned where all functions are zero, is zero.
    pub fn trace<T: Real>(x: &[[T; 3]], y: &mut [[T; 34]]) {
        for e in 0..x.len() {
            for i in 0..34 {
                y[e][i] = x[e][0].sqrt() * T::from_f64(PHI[1][0][i])
                    + x[e][1] * T::from_f64(PHI[1][1][i])
                    + x[e][2] * T::from_f64(PHI[1][2][i]);
            }
        }
    }

    /// y += A u for ∫ ∇u : ∇v on triangles, gathered and scattered; `g` is |det J| K Kᵀ.
    pub fn assembled<T: Real>(
        g: &[[[T; 2]; 2]],
        dofs: &[[usize; 12]],
        u: &[T],
        y: &mut [T],
    ) {
        static W: [f64; 3] = tabulate!(triangle, quadrature(2), weights);
        static DPHI: [[[[f64; 12]; 3]; 2]; 2] =
            tabulate!(triangle, quadrature(2), vector(lagrange(2)), gradient);
        for e in 0..dofs.len() {
            let mut local = [T::zero(); 12];
            for q in 0..3 {
                let mut gradient = [[T::zero(); 2]; 2];
                for j in 0..12 {
                    for c in 0..2 {
                        for r in 0..2 {
                            gradient[c][r] += u[dofs[e][j]] * T::from_f64(DPHI[c][r][q][j]);
                        }
                    }
                }
                for i in 0..12 {
                    let mut sum = T::zero();
                    for c in 0..2 {
                        for r in 0..2 {
                            for s in 0..2 {
                                sum += g[e][r][s]
                                    * gradient[c][s]
                                    * T::from_f64(DPHI[c][r][q][i]);
                            }
                        }
                    }
                    local[i] += T::from_f64(W[q]) * sum;
                }
            }
            for i in 0..12 {
                y[dofs[e][i]] += local[i];
            }
        }
    }

    fn inverse<T: Real>(x: &[[T; 3]; 4]) -> ([[T; 3]; 3], T) {
        let mut j = [[T::zero(); 3]; 3];
        for r in 0..3 {
            for c in 0..3 {
                j[r][c] = x[c + 1][r] - x[0][r];
            }
        }
        let mut k = [[T::zero(); 3]; 3];
        for r in 0..3 {
            for c in 0..3 {
                k[c][r] = j[(r + 1) % 3][(c + 1) % 3] * j[(r + 2) % 3][(c + 2) % 3]
                    - j[(r + 1) % 3][(c + 2) % 3] * j[(r + 2) % 3][(c + 1) % 3];
            }
        }
        let det = j[0][0] * k[0][0] + j[0][1] * k[1][0] + j[0][2] * k[2][0];
        for r in 0..3 {
            for c in 0..3 {
                k[r][c] = k[r][c] / det;
            }
        }
        (k, det)
    }
}
