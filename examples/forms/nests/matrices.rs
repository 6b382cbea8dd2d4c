//! Element matrices of mass, Helmholtz and elasticity, times any number of coefficient functions.
//!
//! `a` is row-major, [test][trial], the degrees of freedom of vectors interleaved: 3 · node +
//! component. Coefficients are given by their values at the nodes of each cell.

/// A kernel that adds the element matrices of ∫ f₀ f₁ … u v over the cells of a mesh, in the macro
/// `form!`; `w0`, `w1`, … are the values of f₀, f₁, … for each cell.
macro_rules! mass_nest {
    ($($form:ident)::+, $(#[$attribute:meta])* $name:ident, lagrange: $degree:literal,
     nodes: $nodes:literal, quadrature: $quadrature:literal, points: $points:literal
     $(, $w:ident $f:ident)*) => {
        with_geometry! { $($form)::+ ! {
            $(#[$attribute])*
            pub fn $name(
                cells: &[[[f64; 3]; 4]],
                $($w: &[[f64; $nodes]],)*
                a: &mut [[[f64; $nodes]; $nodes]],
            ) {
                static W: [f64; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), weights);
                static PHI: [[f64; $nodes]; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree));
                for e in 0..cells.len() {
                    let (_, det) = inverse(jacobian(&cells[e]));
                    for q in 0..$points {
                        $(
                            let mut $f = 0.0;
                            for r in 0..$nodes {
                                $f += $w[e][r] * PHI[q][r];
                            }
                        )*
                        let weight = W[q] * det.abs() $(* $f)*;
                        for i in 0..$nodes {
                            for j in 0..$nodes {
                                a[e][i][j] += weight * PHI[q][i] * PHI[q][j];
                            }
                        }
                    }
                }
            }
        } }
    };
}

/// A kernel that adds the element matrices of ∫ f₀ f₁ … (∇u·∇v + u v), as `mass_nest!`.
macro_rules! helmholtz_nest {
    ($($form:ident)::+, $(#[$attribute:meta])* $name:ident, lagrange: $degree:literal,
     nodes: $nodes:literal, quadrature: $quadrature:literal, points: $points:literal
     $(, $w:ident $f:ident)*) => {
        with_geometry! { $($form)::+ ! {
            $(#[$attribute])*
            pub fn $name(
                cells: &[[[f64; 3]; 4]],
                $($w: &[[f64; $nodes]],)*
                a: &mut [[[f64; $nodes]; $nodes]],
            ) {
                static W: [f64; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), weights);
                static PHI: [[f64; $nodes]; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree));
                static DPHI: [[[f64; $nodes]; $points]; 3] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree), gradient);
                for e in 0..cells.len() {
                    let (k, det) = inverse(jacobian(&cells[e]));
                    for q in 0..$points {
                        $(
                            let mut $f = 0.0;
                            for r in 0..$nodes {
                                $f += $w[e][r] * PHI[q][r];
                            }
                        )*
                        for i in 0..$nodes {
                            for j in 0..$nodes {
                                let mut stiffness = 0.0;
                                for d in 0..3 {
                                    let mut du = 0.0;
                                    let mut dv = 0.0;
                                    for r in 0..3 {
                                        du += k[r][d] * DPHI[r][q][j];
                                        dv += k[r][d] * DPHI[r][q][i];
                                    }
                                    stiffness += du * dv;
                                }
                                a[e][i][j] += W[q]
                                    * det.abs()
                                    $(* $f)*
                                    * (stiffness + PHI[q][i] * PHI[q][j]);
                            }
                        }
                    }
                }
            }
        } }
    };
}

/// A kernel that adds the element matrices of ∫ f₀ f₁ … ε(u) : ε(v), as `mass_nest!`. For u = φ_j e_n
/// and v = φ_i e_m, ε(u) : ε(v) = ½ (δ_mn ∇φ_j·∇φ_i + ∂_m φ_j ∂_n φ_i).
macro_rules! elasticity_nest {
    ($($form:ident)::+, $(#[$attribute:meta])* $name:ident, lagrange: $degree:literal,
     nodes: $nodes:literal, dofs: $dofs:literal, quadrature: $quadrature:literal,
     points: $points:literal $(, $w:ident $f:ident)*) => {
        with_geometry! { $($form)::+ ! {
            $(#[$attribute])*
            pub fn $name(
                cells: &[[[f64; 3]; 4]],
                $($w: &[[f64; $nodes]],)*
                a: &mut [[[f64; $dofs]; $dofs]],
            ) {
                static W: [f64; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), weights);
                static PHI: [[f64; $nodes]; $points] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree));
                static DPHI: [[[f64; $nodes]; $points]; 3] =
                    tabulate!(tetrahedron, quadrature($quadrature), lagrange($degree), gradient);
                for e in 0..cells.len() {
                    let (k, det) = inverse(jacobian(&cells[e]));
                    for q in 0..$points {
                        $(
                            let mut $f = 0.0;
                            for r in 0..$nodes {
                                $f += $w[e][r] * PHI[q][r];
                            }
                        )*
                        let weight = 0.5 * W[q] * det.abs() $(* $f)*;
                        for i in 0..$nodes {
                            for j in 0..$nodes {
                                let mut du = [0.0; 3];
                                let mut dv = [0.0; 3];
                                let mut dot = 0.0;
                                for d in 0..3 {
                                    for r in 0..3 {
                                        du[d] += k[r][d] * DPHI[r][q][j];
                                        dv[d] += k[r][d] * DPHI[r][q][i];
                                    }
                                    dot += du[d] * dv[d];
                                }
                                for m in 0..3 {
                                    a[e][3 * i + m][3 * j + m] += weight * dot;
                                    for n in 0..3 {
                                        a[e][3 * i + m][3 * j + n] += weight * du[m] * dv[n];
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
