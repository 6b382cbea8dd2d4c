//! Hyperelasticity of a St Venant-Kirchhoff material, for tests and benchmarks.

/// A kernel that adds the element matrices of ∫ div f₀ div f₁ … D²ψ(U)(u, v) over the cells of a mesh,
/// in the macro `form!`: ψ is the energy, U the displacement so far, with values `u` per cell, and
/// `w0`, `w1`, … are those of f₀, f₁, …
macro_rules! hyperelasticity_nest {
    ($($form:ident)::+, $(#[$attribute:meta])* $name:ident, lagrange: $degree:literal,
     nodes: $nodes:literal, dofs: $dofs:literal, quadrature: $quadrature:literal,
     points: $points:literal $(, $w:ident $f:ident)*) => {
        with_geometry! { $($form)::+ ! {
            $(#[$attribute])*
            pub fn $name(
                cells: &[[[f64; 3]; 4]],
                u: &[[[f64; 3]; $nodes]],
                lambda: f64,
                mu: f64,
                $($w: &[[[f64; 3]; $nodes]],)*
                a: &mut [[[f64; $dofs]; $dofs]],
            ) {
                static W: [f64; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), weights);
                static DPHI: [[[f64; $nodes]; $points]; 3] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree), gradient);
                for e in 0..cells.len() {
                    let (k, det) = inverse(jacobian(&cells[e]));
                    for q in 0..$points {
                        $(
                            let mut $f = 0.0;
                            for m in 0..3 {
                                for r in 0..3 {
                                    let mut g = 0.0;
                                    for n in 0..$nodes {
                                        g += $w[e][n][m] * DPHI[r][q][n];
                                    }
                                    $f += k[r][m] * g;
                                }
                            }
                        )*
                        let weight = W[q] * det.abs() $(* $f)*;
                        // The deformation gradient F = I + ∇U.
                        let mut f = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
                        for m in 0..3 {
                            for r in 0..3 {
                                let mut g = 0.0;
                                for n in 0..$nodes {
                                    g += u[e][n][m] * DPHI[r][q][n];
                                }
                                for x in 0..3 {
                                    f[m][x] += k[r][x] * g;
                                }
                            }
                        }
                        // Twice the strain, C - I, and the stress S = λ tr E + 2 μ E.
                        let mut s = [[0.0; 3]; 3];
                        let mut trace = 0.0;
                        for x in 0..3 {
                            for y in 0..3 {
                                for m in 0..3 {
                                    s[x][y] += f[m][x] * f[m][y];
                                }
                            }
                            s[x][x] -= 1.0;
                            trace += 0.5 * s[x][x];
                        }
                        for x in 0..3 {
                            for y in 0..3 {
                                s[x][y] *= mu;
                            }
                            s[x][x] += lambda * trace;
                        }
                        for i in 0..$nodes {
                            for j in 0..$nodes {
                                let mut du = [0.0; 3];
                                let mut dv = [0.0; 3];
                                for d in 0..3 {
                                    for r in 0..3 {
                                        du[d] += k[r][d] * DPHI[r][q][j];
                                        dv[d] += k[r][d] * DPHI[r][q][i];
                                    }
                                }
                                let mut geometric = 0.0;
                                let mut dot = 0.0;
                                for x in 0..3 {
                                    dot += du[x] * dv[x];
                                    for y in 0..3 {
                                        geometric += s[x][y] * du[y] * dv[x];
                                    }
                                }
                                let mut fu = [0.0; 3];
                                let mut fv = [0.0; 3];
                                for m in 0..3 {
                                    for x in 0..3 {
                                        fu[m] += f[m][x] * du[x];
                                        fv[m] += f[m][x] * dv[x];
                                    }
                                }
                                for m in 0..3 {
                                    a[e][3 * i + m][3 * j + m] += weight * geometric;
                                    for n in 0..3 {
                                        let mut fft = 0.0;
                                        for x in 0..3 {
                                            fft += f[m][x] * f[n][x];
                                        }
                                        a[e][3 * i + m][3 * j + n] += weight
                                            * (lambda * fv[m] * fu[n]
                                                + mu * (fft * dot + fu[m] * fv[n]));
                                    }
                                }
                            }
                        }
                    }
                }
            }
        } }
    };
}
