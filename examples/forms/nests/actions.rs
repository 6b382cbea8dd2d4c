//! Actions of the four forms, y += A(w) u without the matrix A, for tests and benchmarks.
//!
//! At each point u and its gradient are evaluated, then tested with all functions of the cell. `dofs`
//! are the nodes of each cell: `u`, `y` and the coefficients have a value a node, vectors three.

/// A kernel that adds the action of ∫ f₀ f₁ … u v, in the macro `form!`; `w0`, `w1`, … are the values
/// of f₀, f₁, …
macro_rules! mass_action_nest {
    ($($form:ident)::+, $(#[$attribute:meta])* $name:ident, lagrange: $degree:literal,
     nodes: $nodes:literal, quadrature: $quadrature:literal, points: $points:literal
     $(, $w:ident $f:ident)*) => {
        with_generic_geometry! { $($form)::+ ! {
            $(#[$attribute])*
            pub fn $name<T: loopwright::Real>(
                cells: &[[[T; 3]; 4]],
                dofs: &[[usize; $nodes]],
                $($w: &[T],)*
                u: &[T],
                y: &mut [T],
            ) {
                static W: [f64; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), weights);
                static PHI: [[f64; $nodes]; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree));
                for e in 0..cells.len() {
                    let (_, det) = inverse(jacobian(&cells[e]));
                    let mut local = [T::zero(); $nodes];
                    for q in 0..$points {
                        $(
                            let mut $f = T::zero();
                            for n in 0..$nodes {
                                $f += $w[dofs[e][n]] * T::from_f64(PHI[q][n]);
                            }
                        )*
                        let mut value = T::zero();
                        for j in 0..$nodes {
                            value += u[dofs[e][j]] * T::from_f64(PHI[q][j]);
                        }
                        let weight = T::from_f64(W[q]) * det.abs() $(* $f)*;
                        for i in 0..$nodes {
                            local[i] += weight * value * T::from_f64(PHI[q][i]);
                        }
                    }
                    for i in 0..$nodes {
                        y[dofs[e][i]] += local[i];
                    }
                }
            }
        } }
    };
}

/// A kernel that adds the action of ∫ f₀ f₁ … (∇u·∇v + u v), as `mass_action_nest!`.
macro_rules! helmholtz_action_nest {
    ($($form:ident)::+, $(#[$attribute:meta])* $name:ident, lagrange: $degree:literal,
     nodes: $nodes:literal, quadrature: $quadrature:literal, points: $points:literal
     $(, $w:ident $f:ident)*) => {
        with_generic_geometry! { $($form)::+ ! {
            $(#[$attribute])*
            pub fn $name<T: loopwright::Real>(
                cells: &[[[T; 3]; 4]],
                dofs: &[[usize; $nodes]],
                $($w: &[T],)*
                u: &[T],
                y: &mut [T],
            ) {
                static W: [f64; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), weights);
                static PHI: [[f64; $nodes]; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree));
                static DPHI: [[[f64; $nodes]; $points]; 3] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree), gradient);
                for e in 0..cells.len() {
                    let (k, det) = inverse(jacobian(&cells[e]));
                    let mut local = [T::zero(); $nodes];
                    for q in 0..$points {
                        $(
                            let mut $f = T::zero();
                            for n in 0..$nodes {
                                $f += $w[dofs[e][n]] * T::from_f64(PHI[q][n]);
                            }
                        )*
                        let mut value = T::zero();
                        for j in 0..$nodes {
                            value += u[dofs[e][j]] * T::from_f64(PHI[q][j]);
                        }
                        let mut gradient = [T::zero(); 3];
                        for r in 0..3 {
                            let mut g = T::zero();
                            for j in 0..$nodes {
                                g += u[dofs[e][j]] * T::from_f64(DPHI[r][q][j]);
                            }
                            for d in 0..3 {
                                gradient[d] += k[r][d] * g;
                            }
                        }
                        let weight = T::from_f64(W[q]) * det.abs() $(* $f)*;
                        for i in 0..$nodes {
                            let mut sum = value * T::from_f64(PHI[q][i]);
                            for d in 0..3 {
                                let mut dv = T::zero();
                                for r in 0..3 {
                                    dv += k[r][d] * T::from_f64(DPHI[r][q][i]);
                                }
                                sum += gradient[d] * dv;
                            }
                            local[i] += weight * sum;
                        }
                    }
                    for i in 0..$nodes {
                        y[dofs[e][i]] += local[i];
                    }
                }
            }
        } }
    };
}

/// A kernel that adds the action of ∫ f₀ f₁ … ε(u) : ε(v), as `mass_action_nest!`.
macro_rules! elasticity_action_nest {
    ($($form:ident)::+, $(#[$attribute:meta])* $name:ident, lagrange: $degree:literal,
     nodes: $nodes:literal, $(dofs: $dofs:literal,)? quadrature: $quadrature:literal,
     points: $points:literal $(, $w:ident $f:ident)*) => {
        with_generic_geometry! { $($form)::+ ! {
            $(#[$attribute])*
            pub fn $name<T: loopwright::Real>(
                cells: &[[[T; 3]; 4]],
                dofs: &[[usize; $nodes]],
                $($w: &[T],)*
                u: &[[T; 3]],
                y: &mut [[T; 3]],
            ) {
                static W: [f64; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), weights);
                static PHI: [[f64; $nodes]; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree));
                static DPHI: [[[f64; $nodes]; $points]; 3] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree), gradient);
                for e in 0..cells.len() {
                    let (k, det) = inverse(jacobian(&cells[e]));
                    let mut local = [[T::zero(); 3]; $nodes];
                    for q in 0..$points {
                        $(
                            let mut $f = T::zero();
                            for n in 0..$nodes {
                                $f += $w[dofs[e][n]] * T::from_f64(PHI[q][n]);
                            }
                        )*
                        let mut gradient = [[T::zero(); 3]; 3];
                        for m in 0..3 {
                            for r in 0..3 {
                                let mut g = T::zero();
                                for j in 0..$nodes {
                                    g += u[dofs[e][j]][m] * T::from_f64(DPHI[r][q][j]);
                                }
                                for d in 0..3 {
                                    gradient[m][d] += k[r][d] * g;
                                }
                            }
                        }
                        let weight = T::from_f64(0.5) * T::from_f64(W[q]) * det.abs() $(* $f)*;
                        for i in 0..$nodes {
                            for d in 0..3 {
                                let mut dv = T::zero();
                                for r in 0..3 {
                                    dv += k[r][d] * T::from_f64(DPHI[r][q][i]);
                                }
                                for m in 0..3 {
                                    local[i][m] += weight * (gradient[m][d] + gradient[d][m]) * dv;
                                }
                            }
                        }
                    }
                    for i in 0..$nodes {
                        for m in 0..3 {
                            y[dofs[e][i]][m] += local[i][m];
                        }
                    }
                }
            }
        } }
    };
}

/// A kernel that adds the action of ∫ div f₀ div f₁ … D²ψ(U)(u, v), as `mass_action_nest!`; the values
/// of the displacement U are `displacement`. D²ψ(U)(u, v) = (∇u S + F dS) : ∇v, where dS is what the
/// stress S changes by along u.
macro_rules! hyperelasticity_action_nest {
    ($($form:ident)::+, $(#[$attribute:meta])* $name:ident, lagrange: $degree:literal,
     nodes: $nodes:literal, $(dofs: $dofs:literal,)? quadrature: $quadrature:literal,
     points: $points:literal $(, $w:ident $f:ident)*) => {
        with_generic_geometry! { $($form)::+ ! {
            $(#[$attribute])*
            pub fn $name<T: loopwright::Real>(
                cells: &[[[T; 3]; 4]],
                dofs: &[[usize; $nodes]],
                displacement: &[[T; 3]],
                lambda: T,
                mu: T,
                $($w: &[[T; 3]],)*
                u: &[[T; 3]],
                y: &mut [[T; 3]],
            ) {
                static W: [f64; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), weights);
                static DPHI: [[[f64; $nodes]; $points]; 3] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree), gradient);
                for e in 0..cells.len() {
                    let (k, det) = inverse(jacobian(&cells[e]));
                    let mut local = [[T::zero(); 3]; $nodes];
                    for q in 0..$points {
                        $(
                            let mut $f = T::zero();
                            for m in 0..3 {
                                for r in 0..3 {
                                    let mut g = T::zero();
                                    for n in 0..$nodes {
                                        g += $w[dofs[e][n]][m] * T::from_f64(DPHI[r][q][n]);
                                    }
                                    $f += k[r][m] * g;
                                }
                            }
                        )*
                        let weight = T::from_f64(W[q]) * det.abs() $(* $f)*;
                        // The deformation gradient F = I + ∇U, and dF = ∇u.
                        let mut f = [[T::zero(); 3]; 3];
                        let mut df = [[T::zero(); 3]; 3];
                        for m in 0..3 {
                            f[m][m] = T::from_f64(1.0);
                            for r in 0..3 {
                                let mut g = T::zero();
                                let mut dg = T::zero();
                                for n in 0..$nodes {
                                    g += displacement[dofs[e][n]][m] * T::from_f64(DPHI[r][q][n]);
                                    dg += u[dofs[e][n]][m] * T::from_f64(DPHI[r][q][n]);
                                }
                                for x in 0..3 {
                                    f[m][x] += k[r][x] * g;
                                    df[m][x] += k[r][x] * dg;
                                }
                            }
                        }
                        // Twice the strain, C - I, the stress S = λ tr E + 2 μ E, and dS.
                        let mut s = [[T::zero(); 3]; 3];
                        let mut ds = [[T::zero(); 3]; 3];
                        let mut trace = T::zero();
                        let mut dtrace = T::zero();
                        for x in 0..3 {
                            for y in 0..3 {
                                for m in 0..3 {
                                    s[x][y] += f[m][x] * f[m][y];
                                    ds[x][y] += df[m][x] * f[m][y] + f[m][x] * df[m][y];
                                }
                            }
                            s[x][x] -= T::from_f64(1.0);
                            trace += T::from_f64(0.5) * s[x][x];
                            dtrace += T::from_f64(0.5) * ds[x][x];
                        }
                        for x in 0..3 {
                            for y in 0..3 {
                                s[x][y] *= mu;
                                ds[x][y] *= mu;
                            }
                            s[x][x] += lambda * trace;
                            ds[x][x] += lambda * dtrace;
                        }
                        for i in 0..$nodes {
                            for x in 0..3 {
                                let mut dv = T::zero();
                                for r in 0..3 {
                                    dv += k[r][x] * T::from_f64(DPHI[r][q][i]);
                                }
                                for m in 0..3 {
                                    let mut p = T::zero();
                                    for y in 0..3 {
                                        p += df[m][y] * s[y][x] + f[m][y] * ds[y][x];
                                    }
                                    local[i][m] += weight * p * dv;
                                }
                            }
                        }
                    }
                    for i in 0..$nodes {
                        for m in 0..3 {
                            y[dofs[e][i]][m] += local[i][m];
                        }
                    }
                }
            }
        } }
    };
}
