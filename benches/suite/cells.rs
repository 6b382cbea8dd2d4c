//! Kernels of one cell, and of small loops, with their texts compiled for each instruction set.

#![allow(missing_docs, reason = "kernels of a benchmark")]
#![allow(dead_code, reason = "each is called by instruction set")]

/// The kernels that a nest over cells becomes, and its text.
macro_rules! form {
    ($(#[$attribute:meta])* pub fn $name:ident $parameters:tt {
        $(static $table:ident : $ty:tt = tabulate!($($of:tt)*);)*
        for $e:ident in 0..cells.len() { $($body:tt)* }
    } $($helpers:tt)*) => {
        /// Without a loop over cells.
        pub mod bare {
            loopwright::kernel! {
                $(#[$attribute])*
                pub fn $name $parameters {
                    $(static $table: $ty = tabulate!($($of)*);)*
                    let $e = 0;
                    $($body)*
                }
                $($helpers)*
            }
        }

        /// With a loop of one iteration.
        pub mod looped {
            loopwright::kernel! {
                $(#[$attribute])*
                pub fn $name $parameters {
                    $(static $table: $ty = tabulate!($($of)*);)*
                    for $e in 0..1 { $($body)* }
                }
                $($helpers)*
            }
        }

        texts! {
            pub fn $name $parameters {
                $(static $table: $ty = loopwright::tabulate!($($of)*);)*
                let $e = 0;
                $($body)*
            }
            $($helpers)*
        }
    };
}
use form;

#[macro_use]
#[path = "instances.rs"]
mod instances;

/// Instances that compile in seconds.
macro_rules! short {
    ($form:ident q1_nf0 $text:tt) => { short!(@ q1_nf0 $text); };
    ($form:ident q1_nf1 $text:tt) => { short!(@ q1_nf1 $text); };
    ($form:ident q2_nf0 $text:tt) => { short!(@ q2_nf0 $text); };
    ($form:ident q2_nf1 $text:tt) => { short!(@ q2_nf1 $text); };
    ($form:ident q3_nf0 $text:tt) => { short!(@ q3_nf0 $text); };
    (mass q4_nf0 $text:tt) => { short!(@ q4_nf0 $text); };
    (helmholtz q4_nf0 $text:tt) => { short!(@ q4_nf0 $text); };
    (@ $kernel:ident { $($text:tt)* }) => { pub mod $kernel { $($text)* } };
    ($form:ident $kernel:ident $text:tt) => {};
}

/// The module of a form's instances.
macro_rules! suite {
    ($form:ident, $nest:ident, $instances:ident, $d:tt) => {
        #[allow(clippy::needless_range_loop, clippy::too_many_arguments, reason = "kernels")]
        pub mod $form {
            macro_rules! $form {
                ($d kernel:ident, level: $d level:literal, $d($d rest:tt)*) => {
                    short!($form $d kernel { $nest!(crate::kernels::form, assemble, $d($d rest)*); });
                };
            }
            $instances!($form, 3);
        }
    };
}

suite!(mass, mass_nest, scalar_instances, $);
suite!(helmholtz, helmholtz_nest, scalar_instances, $);
suite!(elasticity, elasticity_nest, vector_instances, $);
suite!(hyperelasticity, hyperelasticity_nest, hyperelastic_instances, $);

/// Mass matrices with two coefficient functions, without geometry.
macro_rules! joined {
    ($($module:ident: $degree:literal $nodes:literal, $rule:literal $points:literal;)*) => {$(
        with_texts! { $module:
            pub fn assemble(v: &[f64], w: &[f64], a: &mut [[f64; $nodes]; $nodes]) {
                static W: [f64; $points] =
                    loopwright::tabulate!(tetrahedron, quadrature($rule), weights);
                static PHI: [[f64; $nodes]; $points] =
                    loopwright::tabulate!(tetrahedron, quadrature($rule), lagrange($degree));
                for q in 0..$points {
                    let mut f = 0.0;
                    let mut g = 0.0;
                    for r in 0..$nodes {
                        f += v[r] * PHI[q][r];
                        g += w[r] * PHI[q][r];
                    }
                    for i in 0..$nodes {
                        for j in 0..$nodes {
                            a[i][j] += W[q] * f * g * PHI[q][i] * PHI[q][j];
                        }
                    }
                }
            }
        }
    )*};
}

joined! {
    joined_10_74: 2 10, 10 74;
    joined_20_57: 3 20, 9 57;
    joined_20_74: 3 20, 10 74;
    joined_20_122: 3 20, 12 122;
    joined_35_95: 4 35, 11 95;
}

/// The action of ∫ ∇u·∇v + u v on hexahedra, with as many points as nodes.
macro_rules! hexahedra {
    ($($module:ident: $degree:literal $nodes:literal, $rule:literal;)*) => {$(
        with_texts! { $module:
            pub fn assemble(
                g: &[[[f64; 3]; 3]], det: &[f64], dofs: &[[usize; $nodes]], u: &[f64],
                y: &mut [f64],
            ) {
                static W: [f64; $nodes] =
                    loopwright::tabulate!(hexahedron, quadrature($rule), weights);
                static PHI: [[f64; $nodes]; $nodes] =
                    loopwright::tabulate!(hexahedron, quadrature($rule), lagrange($degree));
                static DPHI: [[[f64; $nodes]; $nodes]; 3] = loopwright::tabulate!(
                    hexahedron, quadrature($rule), lagrange($degree), gradient
                );
                for e in 0..dofs.len() {
                    let mut local = [0.0; $nodes];
                    for q in 0..$nodes {
                        let mut value = 0.0;
                        let mut gradient = [0.0; 3];
                        for j in 0..$nodes {
                            value += u[dofs[e][j]] * PHI[q][j];
                            for r in 0..3 {
                                gradient[r] += u[dofs[e][j]] * DPHI[r][q][j];
                            }
                        }
                        for i in 0..$nodes {
                            let mut sum = det[e] * value * PHI[q][i];
                            for r in 0..3 {
                                for s in 0..3 {
                                    sum += g[e][r][s] * gradient[s] * DPHI[r][q][i];
                                }
                            }
                            local[i] += W[q] * sum;
                        }
                    }
                    for i in 0..$nodes {
                        y[dofs[e][i]] += local[i];
                    }
                }
            }
        }
    )*};
}

hexahedra! {
    hexahedra_p2: 2 27, 5;
    hexahedra_p6: 6 343, 13;
}

with_texts! { bytes_scaled:
    pub fn assemble(x: &[u8], y: &mut [f32]) {
        for i in 0..y.len() {
            y[i] = 0.5 * x[i] as f32;
        }
    }
}

with_texts! { bytes_convolved:
    pub fn assemble(x: &[u8], y: &mut [f32]) {
        for i in 2..y.len() - 2 {
            y[i] = 0.1 * x[i - 2] as f32 + 0.2 * x[i - 1] as f32 + 0.4 * x[i] as f32
                + 0.2 * x[i + 1] as f32 + 0.1 * x[i + 2] as f32;
        }
    }
}

with_texts! { words_to_doubles:
    pub fn assemble(x: &[u64], y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] = 0.5 * x[i] as f64;
        }
    }
}

with_texts! { csr:
    pub fn assemble(
        cells: &[[usize; 3]], material: &[usize], conductivity: &[f64], points: &[[f64; 2]],
        place: &[[[usize; 3]; 3]], values: &mut [f64],
    ) {
        for e in 0..cells.len() {
            let c = conductivity[material[e]];
            let mut g = [[0.0; 2]; 3];
            for i in 0..3 {
                let a = (i + 1) % 3;
                let b = (i + 2) % 3;
                g[i][0] = points[cells[e][a]][1] - points[cells[e][b]][1];
                g[i][1] = points[cells[e][b]][0] - points[cells[e][a]][0];
            }
            let det = g[1][1] * g[2][0] - g[1][0] * g[2][1];
            for i in 0..3 {
                for j in 0..3 {
                    values[place[e][i][j]] +=
                        c * (g[i][0] * g[j][0] + g[i][1] * g[j][1]) / (2.0 * det.abs());
                }
            }
        }
    }
}
