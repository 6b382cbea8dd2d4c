//! Errors against exact element matrices: no variant's is more than four times the reference's.
//!
//! Exact means double-double arithmetic (1e-31) and Gauss-Jacobi rules to as many digits. The error
//! of a form is the largest of all cells, relative to the largest entry of the matrix.

use loopwright_compiler::elements::{self, Derivative, Element, Family, Quadrature, Table};
use loopwright_compiler::number::Number;
use loopwright_forms::{elasticity, helmholtz, mass};

mod cells;
#[path = "../../support/mod.rs"]
mod support;
use cells::{Cell, cells, noise};
use support::each_variant;

const CELLS: usize = 6;
/// How much larger an error may be than the reference's.
const FACTOR: f64 = 4.0;

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

/// What is integrated of the functions `v` and `u`, which are a value and a gradient.
type Integrand = fn(v: (Number, [Number; 3]), u: (Number, [Number; 3])) -> Vec<Number>;

fn dot(a: [Number; 3], b: [Number; 3]) -> Number {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn of_mass(v: (Number, [Number; 3]), u: (Number, [Number; 3])) -> Vec<Number> {
    vec![v.0 * u.0]
}

fn of_helmholtz(v: (Number, [Number; 3]), u: (Number, [Number; 3])) -> Vec<Number> {
    vec![dot(v.1, u.1) + v.0 * u.0]
}

/// By component of v, then of u.
fn of_elasticity(v: (Number, [Number; 3]), u: (Number, [Number; 3])) -> Vec<Number> {
    let half = Number::ratio(1, 2);
    let normal = dot(v.1, u.1);
    let entry = |m: usize, n: usize| {
        let off = u.1[m] * v.1[n];
        half * if m == n { normal + off } else { off }
    };
    (0..9).map(|at| entry(at / 3, at % 3)).collect()
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

/// The element matrix, row-major, for the coefficient `w` (constant one if it is empty).
fn exact(tables: &Tables, integrand: Integrand, blocks: usize, x: &Cell, w: &[f64]) -> Vec<Number> {
    let (k, det) = geometry(x);
    let (nodes, points) = (tables.nodes, tables.weights.len());
    let dofs = nodes * blocks;
    let mut a = vec![Number::ZERO; dofs * dofs];
    for q in 0..points {
        let functions: Vec<(Number, [Number; 3])> = (0..nodes)
            .map(|i| {
                let along = |r: usize| tables.gradients[(r * points + q) * nodes + i];
                let reference = [along(0), along(1), along(2)];
                let gradient = [0, 1, 2].map(|d| dot([k[0][d], k[1][d], k[2][d]], reference));
                (tables.values[q * nodes + i], gradient)
            })
            .collect();
        let terms = w.iter().zip(&functions);
        let sum = terms.map(|(w, (value, _))| Number::from_f64(*w) * *value);
        let coefficient = sum.reduce(|a, b| a + b).unwrap_or(Number::ONE);
        let weight = tables.weights[q] * det * coefficient;
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

macro_rules! tests {
    ($integrand:ident, $blocks:literal, $form:ident: $($module:ident $kernel:ident, $degree:literal,
     $quadrature:literal, $nodes:literal nodes $(, $w:ident)?;)*) => {$(
        #[test]
        fn $kernel() {
            use $form::$module::$kernel;
            const DOFS: usize = $nodes * $blocks;
            let tables = Tables::new($degree, $quadrature);
            let mut seed = 17;
            let cells = cells(CELLS, &mut seed);
            let all: Vec<[f64; $nodes]> =
                cells.iter().map(|_| [0.0; $nodes].map(|_| 1.5 + noise(&mut seed))).collect();
            let all = &all[..];
            let mut exactly = Vec::new();
            for (x, _of_cell) in cells.iter().zip(all) {
                let given: &[&[f64]] = &[$({ let $w = _of_cell; $w })?];
                let coefficient = given.first().copied().unwrap_or(&[]);
                exactly.push(exact(&tables, $integrand, $blocks, x, coefficient));
            }
            let worst = |a: &[[[f64; DOFS]; DOFS]]| {
                let errors = a.iter().zip(&exactly);
                errors.map(|(a, exact)| error(a.as_flattened(), exact)).fold(0.0, f64::max)
            };
            let mut a = vec![[[0.0; DOFS]; DOFS]; CELLS];
            $(let $w = all;)?
            $kernel::reference(&cells, $($w,)? &mut a);
            let reference = worst(&a);
            each_variant($kernel::variants(), |isa| {
                let mut a = vec![[[0.0; DOFS]; DOFS]; CELLS];
                $kernel::with(isa, &cells, $($w,)? &mut a).unwrap();
                let found = worst(&a);
                println!("{isa:?}: {found:.2e}, the reference {reference:.2e}");
                assert!(found <= FACTOR * reference, "{isa:?}: {found:e} against {reference:e}");
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
}
