//! Actions of the Laplacian and of the mass matrix on hexahedra, of degrees 1 to 8, with Gauss points, one more than the
//! degree along an axis.

#![allow(
    missing_docs,
    clippy::needless_range_loop,
    reason = "kernels of a benchmark"
)]

macro_rules! degrees {
    ($($module:ident: lagrange $degree:literal, quadrature $rule:literal, $nodes:literal nodes;)*) => {$(
        pub mod $module {
            use loopwright::kernel;

            kernel! {
                /// y += A u for A = ∫ ∇u·∇v. `metric` has the entries (0, 0), (1, 1), (2, 2), (0, 1), (0, 2) and (1, 2) of
                /// |det J| K Kᵀ times the weight at each point.
                pub fn laplace(metric: &[[[f64; 6]; $nodes]], dofs: &[[usize; $nodes]], u: &[f64], y: &mut [f64]) {
                    static DPHI: [[[f64; $nodes]; $nodes]; 3] =
                        tabulate!(hexahedron, quadrature($rule), lagrange($degree), gradient);
                    for e in 0..dofs.len() {
                        let mut local = [0.0; $nodes];
                        for q in 0..$nodes {
                            let mut gradient = [0.0; 3];
                            for j in 0..$nodes {
                                for r in 0..3 {
                                    gradient[r] += u[dofs[e][j]] * DPHI[r][q][j];
                                }
                            }
                            let g = metric[e][q];
                            let flux = [
                                g[0] * gradient[0] + g[3] * gradient[1] + g[4] * gradient[2],
                                g[3] * gradient[0] + g[1] * gradient[1] + g[5] * gradient[2],
                                g[4] * gradient[0] + g[5] * gradient[1] + g[2] * gradient[2],
                            ];
                            for i in 0..$nodes {
                                for r in 0..3 {
                                    local[i] += flux[r] * DPHI[r][q][i];
                                }
                            }
                        }
                        for i in 0..$nodes {
                            y[dofs[e][i]] += local[i];
                        }
                    }
                }

                /// y += M u for M = ∫ u v. `density` is |det J| times the weight at each point.
                pub fn mass(density: &[[f64; $nodes]], dofs: &[[usize; $nodes]], u: &[f64], y: &mut [f64]) {
                    static PHI: [[f64; $nodes]; $nodes] =
                        tabulate!(hexahedron, quadrature($rule), lagrange($degree));
                    for e in 0..dofs.len() {
                        let mut local = [0.0; $nodes];
                        for q in 0..$nodes {
                            let mut value = 0.0;
                            for j in 0..$nodes {
                                value += u[dofs[e][j]] * PHI[q][j];
                            }
                            for i in 0..$nodes {
                                local[i] += density[e][q] * value * PHI[q][i];
                            }
                        }
                        for i in 0..$nodes {
                            y[dofs[e][i]] += local[i];
                        }
                    }
                }
            }
        }
    )*};
}

degrees! {
    p1: lagrange 1, quadrature 3, 8 nodes;
    p2: lagrange 2, quadrature 5, 27 nodes;
    p3: lagrange 3, quadrature 7, 64 nodes;
    p4: lagrange 4, quadrature 9, 125 nodes;
    p5: lagrange 5, quadrature 11, 216 nodes;
    p6: lagrange 6, quadrature 13, 343 nodes;
    p7: lagrange 7, quadrature 15, 512 nodes;
    p8: lagrange 8, quadrature 17, 729 nodes;
}
