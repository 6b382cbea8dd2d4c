//! Errors against exact element matrices: no variant's is more than four times the reference's.
//!
//! Mass, Helmholtz and elasticity have zero to three coefficient functions, hyperelasticity its
//! displacement. Exact means double-double arithmetic (1e-31) and Gauss-Jacobi rules to as many digits. The error
//! of a form is the largest of all cells, relative to the largest entry of the matrix.

use loopwright::Isa;
use loopwright_compiler::elements::{self, Derivative, Element, Family, Quadrature, Table};
use loopwright_compiler::number::Number;
use loopwright_forms::{elasticity, helmholtz, hyperelasticity, mass};

mod cells;
#[path = "../../support/mod.rs"]
mod support;
use cells::{Cell, cells, noise};
use support::each_variant;

const CELLS: usize = 6;
/// How much larger an error may be than the reference's.
const FACTOR: f64 = 4.0;
/// Of hyperelasticity: λ and μ.
const MATERIAL: [f64; 2] = [0.7, 1.3];

/// Exact tables of a Lagrange element.
struct Tables {
    weights: Vec<Number>,
    /// `[point][node]`.
    values: Vec<Number>,
    /// `[coordinate][point][node]`.
    gradients: Vec<Number>,
    nodes: usize,
}

impl Tables {
    fn new(degree: usize, quadrature: usize) -> Tables {
        let table = |table: Table| {
            let cell = elements::Cell::Tetrahedron;
            // The symmetric rules, which the kernels take, are tabulated to some digits only.
            let quadrature = Quadrature {
                degree: quadrature,
                family: Family::GaussJacobi,
            };
            elements::tabulate(cell, quadrature, table).unwrap()
        };
        let element = Element {
            degree,
            components: None,
        };
        let values = table(Table::Basis(element, Derivative::Values));
        Tables {
            weights: table(Table::Weights).values,
            nodes: values.shape[1],
            values: values.values,
            gradients: table(Table::Basis(element, Derivative::Gradient)).values,
        }
    }
}

/// A function at a point: its value and its gradient.
type AtPoint = (Number, [Number; 3]);

/// What is integrated of the functions `v` and `u`, by component of v, then of u.
type Integrand<'a> = dyn Fn(AtPoint, AtPoint) -> Vec<Number> + 'a;

/// What multiplies it at a point, of the functions of the element.
type Coefficient<'a> = dyn Fn(&[AtPoint]) -> Number + 'a;

fn dot(a: [Number; 3], b: [Number; 3]) -> Number {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn of_mass(v: AtPoint, u: AtPoint) -> Vec<Number> {
    vec![v.0 * u.0]
}

fn of_helmholtz(v: AtPoint, u: AtPoint) -> Vec<Number> {
    vec![dot(v.1, u.1) + v.0 * u.0]
}

fn of_elasticity(v: AtPoint, u: AtPoint) -> Vec<Number> {
    let half = Number::ratio(1, 2);
    let normal = dot(v.1, u.1);
    let entry = |m: usize, n: usize| {
        let off = u.1[m] * v.1[n];
        half * if m == n { normal + off } else { off }
    };
    (0..9).map(|at| entry(at / 3, at % 3)).collect()
}

/// D²ψ(U)(u, v) = S : ∇vᵀ∇u + λ (F:∇u) (F:∇v) + 2 μ sym(Fᵀ∇u) : sym(Fᵀ∇v), for a component of each.
fn of_hyperelasticity(f: [[Number; 3]; 3], v: AtPoint, u: AtPoint) -> Vec<Number> {
    let [lambda, mu] = MATERIAL.map(Number::from_f64);
    let half = Number::ratio(1, 2);
    let axes = [0, 1, 2];
    let column = |x: usize| axes.map(|m| f[m][x]);
    // The strain E = ½ (FᵀF - I), and S = λ tr E + 2 μ E.
    let delta = |x: usize, y: usize| Number::ratio((x == y) as i64, 1);
    let strain = axes.map(|x| axes.map(|y| half * (dot(column(x), column(y)) - delta(x, y))));
    let trace = strain[0][0] + strain[1][1] + strain[2][2];
    let stress =
        axes.map(|x| axes.map(|y| lambda * trace * delta(x, y) + (mu + mu) * strain[x][y]));
    let geometric = dot(v.1, axes.map(|x| dot(stress[x], u.1)));
    // Of the function φ e_m: (Fᵀ∇(φ e_m))_xy = F_mx ∂_y φ.
    let turned = |m: usize, of: [Number; 3]| axes.map(|x| axes.map(|y| f[m][x] * of[y]));
    let symmetric = |t: [[Number; 3]; 3]| axes.map(|x| axes.map(|y| half * (t[x][y] + t[y][x])));
    let entry = |m: usize, n: usize| {
        let (dv, du) = (symmetric(turned(m, v.1)), symmetric(turned(n, u.1)));
        let product = axes.map(|x| dot(dv[x], du[x]));
        let traces = dot(f[m], v.1) * dot(f[n], u.1);
        let material = lambda * traces + (mu + mu) * (product[0] + product[1] + product[2]);
        material + if m == n { geometric } else { Number::ZERO }
    };
    (0..9).map(|at| entry(at / 3, at % 3)).collect()
}

/// The value of a scalar at a point, or the gradient of one, from its degrees of freedom.
fn value(functions: &[AtPoint], w: &[f64]) -> Number {
    let terms = functions.iter().zip(w);
    terms.fold(Number::ZERO, |sum, (f, w)| sum + f.0 * Number::from_f64(*w))
}

/// The gradient of a vector at a point, `[component][axis]`.
fn gradient(functions: &[AtPoint], w: &[[f64; 3]]) -> [[Number; 3]; 3] {
    [0, 1, 2].map(|m| {
        [0, 1, 2].map(|d| {
            let terms = functions.iter().zip(w);
            terms.fold(Number::ZERO, |sum, (f, w)| {
                sum + f.1[d] * Number::from_f64(w[m])
            })
        })
    })
}

/// K = J⁻¹ and |det J|.
fn geometry(x: &Cell) -> ([[Number; 3]; 3], Number) {
    let x = x.map(|vertex| vertex.map(Number::from_f64));
    let j = |i: usize, r: usize| x[r % 3 + 1][i % 3] - x[0][i % 3];
    let minor =
        |r: usize, i: usize| j(i + 1, r + 1) * j(i + 2, r + 2) - j(i + 1, r + 2) * j(i + 2, r + 1);
    let det = j(0, 0) * minor(0, 0) + j(0, 1) * minor(1, 0) + j(0, 2) * minor(2, 0);
    let k = [0, 1, 2].map(|r| [0, 1, 2].map(|i| minor(r, i) / det));
    (k, det.abs())
}

/// The functions of the element at a point of a cell, for K = J⁻¹.
fn functions(tables: &Tables, k: &[[Number; 3]; 3], q: usize) -> Vec<AtPoint> {
    let (nodes, points) = (tables.nodes, tables.weights.len());
    let function = |i: usize| {
        let reference = [0, 1, 2].map(|r| tables.gradients[(r * points + q) * nodes + i]);
        let gradient = [0, 1, 2].map(|d| dot([k[0][d], k[1][d], k[2][d]], reference));
        (tables.values[q * nodes + i], gradient)
    };
    (0..nodes).map(function).collect()
}

/// The element matrix, row-major. What is integrated and what multiplies it follow from the functions at
/// the point.
fn exact<'a>(
    tables: &Tables,
    blocks: usize,
    x: &Cell,
    coefficient: &Coefficient,
    integrand: &dyn Fn(&[AtPoint]) -> Box<Integrand<'a>>,
) -> Vec<Number> {
    let (k, det) = geometry(x);
    let dofs = tables.nodes * blocks;
    let mut a = vec![Number::ZERO; dofs * dofs];
    for q in 0..tables.weights.len() {
        let functions = functions(tables, &k, q);
        let weight = tables.weights[q] * det * coefficient(&functions);
        let integrand = integrand(&functions);
        for (i, v) in functions.iter().enumerate() {
            for (j, u) in functions.iter().enumerate() {
                for (at, value) in integrand(*v, *u).into_iter().enumerate() {
                    let (m, n) = (at / blocks, at % blocks);
                    a[(i * blocks + m) * dofs + j * blocks + n] += weight * value;
                }
            }
        }
    }
    a
}

/// The largest error of the entries, relative to the largest entry.
fn error(found: &[f64], exact: &[Number]) -> f64 {
    let largest = exact.iter().map(|a| a.to_f64().abs()).fold(0.0, f64::max);
    let differences = found.iter().zip(exact);
    let each = differences.map(|(a, b)| (Number::from_f64(*a) - *b).to_f64().abs());
    each.fold(0.0, f64::max) / largest
}

/// The largest error of the matrices of all cells.
fn worst<const DOFS: usize>(found: &[[[f64; DOFS]; DOFS]], exact: &[Vec<Number>]) -> f64 {
    let errors = found.iter().zip(exact);
    errors
        .map(|(a, exact)| error(a.as_flattened(), exact))
        .fold(0.0, f64::max)
}

/// Panics where a variant's error is too large beside the reference's. `run` takes the variant, or
/// nothing for the reference.
fn check<const DOFS: usize>(
    exact: &[Vec<Number>],
    variants: &[Isa],
    run: impl Fn(Option<Isa>, &mut [[[f64; DOFS]; DOFS]]),
) {
    let error_of = |isa: Option<Isa>| {
        let mut a = vec![[[0.0; DOFS]; DOFS]; CELLS];
        run(isa, &mut a);
        worst(&a, exact)
    };
    let reference = error_of(None);
    each_variant(variants, |isa| {
        let found = error_of(Some(isa));
        println!("{isa:?}: {found:.2e}, the reference {reference:.2e}");
        assert!(
            found <= FACTOR * reference,
            "{isa:?}: {found:e} against {reference:e}"
        );
    });
}

macro_rules! tests {
    ($integrand:ident, $blocks:literal, $form:ident: $($module:ident $kernel:ident, $degree:literal,
     $quadrature:literal, $nodes:literal nodes $(, $w:ident)*;)*) => {$(
        #[test]
        fn $kernel() {
            use $form::$module::$kernel;
            let tables = Tables::new($degree, $quadrature);
            let mut seed = 17;
            let cells = cells(CELLS, &mut seed);
            $(let $w: Vec<[f64; $nodes]> =
                cells.iter().map(|_| [0.0; $nodes].map(|_| 1.5 + noise(&mut seed))).collect();)*
            let exactly: Vec<Vec<Number>> = (0..CELLS).map(|e| {
                let coefficient = |functions: &[AtPoint]| {
                    let _ = (functions, e);
                    Number::ONE $(* value(functions, &$w[e]))*
                };
                exact(&tables, $blocks, &cells[e], &coefficient, &|_| Box::new($integrand))
            }).collect();
            check::<{ $nodes * $blocks }>(&exactly, $kernel::variants(), |isa, a| match isa {
                None => $kernel::reference(&cells, $(&$w,)* a),
                Some(isa) => $kernel::with(isa, &cells, $(&$w,)* a).unwrap(),
            });
        }
    )*};
}

tests! { of_mass, 1, mass:
    p1 mass_p1, 1, 2, 4 nodes;
    p2 mass_p2, 2, 4, 10 nodes;
    p3 mass_p3, 3, 6, 20 nodes;
    p4 mass_p4, 4, 8, 35 nodes;
    p1_f mass_p1_f, 1, 3, 4 nodes, w;
    p2_f mass_p2_f, 2, 6, 10 nodes, w;
    p3_f mass_p3_f, 3, 9, 20 nodes, w;
    p4_f mass_p4_f, 4, 12, 35 nodes, w;
    p1_f2 mass_p1_f2, 1, 4, 4 nodes, w0, w1;
    p1_f3 mass_p1_f3, 1, 5, 4 nodes, w0, w1, w2;
    p2_f2 mass_p2_f2, 2, 8, 10 nodes, w0, w1;
    p2_f3 mass_p2_f3, 2, 10, 10 nodes, w0, w1, w2;
    p3_f2 mass_p3_f2, 3, 12, 20 nodes, w0, w1;
}

tests! { of_helmholtz, 1, helmholtz:
    p1 helmholtz_p1, 1, 2, 4 nodes;
    p2 helmholtz_p2, 2, 4, 10 nodes;
    p3 helmholtz_p3, 3, 6, 20 nodes;
    p4 helmholtz_p4, 4, 8, 35 nodes;
    p1_f helmholtz_p1_f, 1, 3, 4 nodes, w;
    p2_f helmholtz_p2_f, 2, 6, 10 nodes, w;
    p3_f helmholtz_p3_f, 3, 9, 20 nodes, w;
    p4_f helmholtz_p4_f, 4, 12, 35 nodes, w;
    p1_f2 helmholtz_p1_f2, 1, 4, 4 nodes, w0, w1;
    p1_f3 helmholtz_p1_f3, 1, 5, 4 nodes, w0, w1, w2;
    p2_f2 helmholtz_p2_f2, 2, 8, 10 nodes, w0, w1;
    p2_f3 helmholtz_p2_f3, 2, 10, 10 nodes, w0, w1, w2;
}

tests! { of_elasticity, 3, elasticity:
    p1 elasticity_p1, 1, 1, 4 nodes;
    p2 elasticity_p2, 2, 2, 10 nodes;
    p3 elasticity_p3, 3, 4, 20 nodes;
    p4 elasticity_p4, 4, 6, 35 nodes;
    p1_f elasticity_p1_f, 1, 1, 4 nodes, w;
    p2_f elasticity_p2_f, 2, 4, 10 nodes, w;
    p3_f elasticity_p3_f, 3, 7, 20 nodes, w;
    p4_f elasticity_p4_f, 4, 10, 35 nodes, w;
    p1_f2 elasticity_p1_f2, 1, 2, 4 nodes, w0, w1;
    p1_f3 elasticity_p1_f3, 1, 3, 4 nodes, w0, w1, w2;
    p2_f2 elasticity_p2_f2, 2, 6, 10 nodes, w0, w1;
    p2_f3 elasticity_p2_f3, 2, 8, 10 nodes, w0, w1, w2;
}

/// Hyperelasticity: the displacement, and coefficients whose divergences multiply.
macro_rules! hyperelasticity_tests {
    ($($module:ident $kernel:ident, $degree:literal, $quadrature:literal, $nodes:literal nodes
     $(, $w:ident)*;)*) => {$(
        #[test]
        fn $kernel() {
            use hyperelasticity::$module::$kernel;
            let tables = Tables::new($degree, $quadrature);
            let mut seed = 17;
            let cells = cells(CELLS, &mut seed);
            let mut vectors = || -> Vec<[[f64; 3]; $nodes]> {
                let mut node = || [(); 3].map(|()| noise(&mut seed));
                (0..CELLS).map(|_| [(); $nodes].map(|()| node())).collect()
            };
            let displacement = vectors();
            $(let $w = vectors();)*
            let exactly: Vec<Vec<Number>> = (0..CELLS).map(|e| {
                let coefficient = |functions: &[AtPoint]| {
                    let _ = functions;
                    let divergence = |g: [[Number; 3]; 3]| g[0][0] + g[1][1] + g[2][2];
                    let _ = divergence;
                    Number::ONE $(* divergence(gradient(functions, &$w[e])))*
                };
                exact(&tables, 3, &cells[e], &coefficient, &|functions| {
                    let mut f = gradient(functions, &displacement[e]);
                    for axis in 0..3 {
                        f[axis][axis] += Number::ONE;
                    }
                    Box::new(move |v, u| of_hyperelasticity(f, v, u))
                })
            }).collect();
            let [lambda, mu] = MATERIAL;
            check::<{ $nodes * 3 }>(&exactly, $kernel::variants(), |isa, a| match isa {
                None => $kernel::reference(&cells, &displacement, lambda, mu, $(&$w,)* a),
                Some(isa) => {
                    $kernel::with(isa, &cells, &displacement, lambda, mu, $(&$w,)* a).unwrap();
                }
            });
        }
    )*};
}

hyperelasticity_tests! {
    p1_f hyperelasticity_p1_f, 1, 1, 4 nodes, w;
    p1_f3 hyperelasticity_p1_f3, 1, 1, 4 nodes, w0, w1, w2;
    p2 hyperelasticity_p2, 2, 4, 10 nodes;
}
