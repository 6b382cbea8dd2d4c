//! Forms with products of gradients: operations, and errors where fields are nearly constant and cells
//! are stretched.

use loopwright_compiler::analysis::cost;
use loopwright_compiler::analysis::rounding::{Bounded, around, run};
use loopwright_compiler::diagnostics::Diagnostics;
use loopwright_compiler::ir::Program;
use loopwright_compiler::lower::lower_with;
use loopwright_compiler::number::Number;
use loopwright_compiler::passes::{Pipeline, of_level, whole_sums};
use loopwright_compiler::{lower, syntax};

/// What inputs vary around, and by how much.
const INPUTS: [[f64; 2]; 6] = [
    [0.0, 1.0],
    [300.0, 0.01],
    [1e8, 1.0],
    [1e8, 0.0],
    [0.0, 1e-8],
    [1e12, 1.0],
];
/// Most operations of a program that is run.
const MOST: u64 = 1 << 22;

/// A reference cell with the number of its nodes and of the points of quadrature by degree.
struct Cell {
    name: &'static str,
    dimension: usize,
    nodes: [usize; 3],
    /// The degree that quadrature is exact for, and its points.
    quadratures: [[usize; 2]; 3],
}

const CELLS: [Cell; 3] = [
    Cell {
        name: "triangle",
        dimension: 2,
        nodes: [3, 6, 10],
        quadratures: [[2, 3], [4, 6], [7, 15]],
    },
    Cell {
        name: "tetrahedron",
        dimension: 3,
        nodes: [4, 10, 20],
        quadratures: [[2, 4], [4, 14], [6, 24]],
    },
    Cell {
        name: "quadrilateral",
        dimension: 2,
        nodes: [4, 9, 16],
        quadratures: [[3, 4], [5, 9], [7, 16]],
    },
];

/// ∇u and ∇v at a point, over cells of any shape.
const GRADIENTS: &str = "let mut g = [0.0; DIM];
    let mut h = [0.0; DIM];
    for r in 0..DIM {
        let mut s = 0.0;
        let mut t = 0.0;
        for n in 0..NODES {
            s += DPHI[r][q][n] * u[e][n];
            t += DPHI[r][q][n] * v[e][n];
        }
        for d in 0..DIM {
            g[d] += k[e][r][d] * s;
            h[d] += k[e][r][d] * t;
        }
    }";

/// The forms, by what is added at each point.
const FORMS: [(&str, &str); 5] = [
    (
        "|grad u|^2 v",
        "let mut s = 0.0;
        for d in 0..DIM { s += g[d] * g[d]; }
        for i in 0..NODES { y[e][i] += W[q] * s * PHI[q][i]; }",
    ),
    (
        "grad u . grad v w",
        "let mut s = 0.0;
        for d in 0..DIM { s += g[d] * h[d]; }
        for i in 0..NODES { y[e][i] += W[q] * s * PHI[q][i]; }",
    ),
    (
        "p-Laplacian",
        "let mut s = 0.0;
        for d in 0..DIM { s += g[d] * g[d]; }
        for i in 0..NODES {
            for d in 0..DIM {
                let mut dv = 0.0;
                for r in 0..DIM { dv += k[e][r][d] * DPHI[r][q][i]; }
                y[e][i] += W[q] * s * g[d] * dv;
            }
        }",
    ),
    (
        "|grad u|^2 v w",
        "let mut s = 0.0;
        for d in 0..DIM { s += g[d] * g[d]; }
        for i in 0..NODES {
            for j in 0..NODES { y[e][i] += W[q] * s * PHI[q][i] * PHI[q][j] * v[e][j]; }
        }",
    ),
    (
        "u . grad u",
        "let mut a = 0.0;
        for n in 0..NODES { a += PHI[q][n] * v[e][n]; }
        for i in 0..NODES { y[e][i] += W[q] * a * g[0] * PHI[q][i]; }",
    ),
];

fn text(cell: &Cell, degree: usize, form: &str) -> String {
    let (nodes, [exact, points]) = (cell.nodes[degree - 1], cell.quadratures[degree - 1]);
    let (name, gradients) = (cell.name, GRADIENTS);
    let text = format!(
        "pub fn form(
            k: &[[[f64; DIM]; DIM]], u: &[[f64; NODES]], v: &[[f64; NODES]], y: &mut [[f64; NODES]],
        ) {{
            static W: [f64; {points}] = tabulate!({name}, quadrature({exact}), weights);
            static PHI: [[f64; NODES]; {points}] =
                tabulate!({name}, quadrature({exact}), lagrange({degree}));
            static DPHI: [[[f64; NODES]; {points}]; DIM] =
                tabulate!({name}, quadrature({exact}), lagrange({degree}), gradient);
            for e in 0..u.len() {{
                for q in 0..{points} {{ {gradients} {form} }}
            }}
        }}"
    );
    let text = text.replace("NODES", &nodes.to_string());
    text.replace("DIM", &cell.dimension.to_string())
}

/// The programs of a text: as lowered, and as passes leave it; that with the fewest operations.
fn programs(text: &str, pipeline: &Pipeline) -> [Program; 2] {
    let mut faults = Diagnostics::new();
    let module = syntax::parse(text.parse().unwrap(), &mut faults).expect(text);
    let all = lower::Arrays::choices(&module, &module.functions[0])
        .into_iter()
        .map(|arrays| {
            let lowered = lower_with(&module, &module.functions[0], false, arrays).unwrap();
            let mut program = lowered.program.clone();
            for pass in &pipeline.passes {
                pass.run(&mut program);
            }
            [lowered.program, whole_sums::released(&program)]
        });
    all.min_by_key(operations).unwrap()
}

fn operations([_, program]: &[Program; 2]) -> u64 {
    cost::program(program).operations()
}

/// The largest ratio of a cell's errors to the text's bound.
fn ratio([text, program]: &[Program; 2], inputs: [f64; 2]) -> f64 {
    let exact = &run::<Number>(text, around(inputs), MOST).unwrap()[0];
    let bounds = &run::<Bounded>(text, around(inputs), MOST).unwrap()[0];
    let found = &run::<f64>(program, around(inputs), MOST).unwrap()[0];
    let size = exact.len() / 3;
    let cell = |at: usize| at * size..(at + 1) * size;
    let ratios = (0..3).map(cell).map(|cell| {
        let bounds = bounds[cell.clone()].iter().map(|value| value.error());
        let errors = cell.map(|at| (Number::from_f64(found[at]) - exact[at]).abs().to_f64());
        let (error, bound) = (errors.fold(0.0, f64::max), bounds.fold(0.0, f64::max));
        if error > 0.0 { error / bound } else { 0.0 }
    });
    ratios.fold(0.0, f64::max)
}

/// The operations of all forms with a cell's elements up to a degree, where sums are as accurate as the
/// text's, and where terms may cancel.
fn check(cell: &Cell, degrees: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for degree in 1..=degrees {
        for (name, form) in FORMS {
            let text = text(cell, degree, form);
            let found = programs(&text, &of_level(3, false));
            for inputs in INPUTS {
                let ratio = ratio(&found, inputs);
                let cell = cell.name;
                assert!(
                    ratio <= 4.0,
                    "{name}, {cell} {degree}: {ratio} for {inputs:?}"
                );
            }
            let without = programs(&text, &of_level(3, false).cancelling());
            let [found, without] = [found, without].map(|programs| operations(&programs));
            lines.push(format!(
                "{name}, degree {degree}: {found}, {without} if terms may cancel"
            ));
        }
    }
    lines
}

#[test]
fn on_triangles() {
    expect_test::expect![[r#"
        |grad u|^2 v, degree 1: 17, 17 if terms may cancel
        grad u . grad v w, degree 1: 25, 25 if terms may cancel
        p-Laplacian, degree 1: 31, 31 if terms may cancel
        |grad u|^2 v w, degree 1: 36, 36 if terms may cancel
        u . grad u, degree 1: 34, 34 if terms may cancel
        |grad u|^2 v, degree 2: 174, 258 if terms may cancel
        grad u . grad v w, degree 2: 282, 426 if terms may cancel
        p-Laplacian, degree 2: 354, 378 if terms may cancel
        |grad u|^2 v w, degree 2: 306, 330 if terms may cancel
        u . grad u, degree 2: 315, 294 if terms may cancel
        |grad u|^2 v, degree 3: 747, 1005 if terms may cancel
        grad u . grad v w, degree 3: 1095, 1665 if terms may cancel
        p-Laplacian, degree 3: 1359, 1425 if terms may cancel
        |grad u|^2 v w, degree 3: 1239, 1305 if terms may cancel
        u . grad u, degree 3: 1011, 1215 if terms may cancel"#]]
    .assert_eq(&check(&CELLS[0], 3).join("\n"));
}

#[test]
fn on_tetrahedra() {
    expect_test::expect![[r#"
        |grad u|^2 v, degree 1: 31, 31 if terms may cancel
        grad u . grad v w, degree 1: 49, 49 if terms may cancel
        p-Laplacian, degree 1: 69, 69 if terms may cancel
        |grad u|^2 v w, degree 1: 49, 49 if terms may cancel
        u . grad u, degree 1: 32, 32 if terms may cancel
        |grad u|^2 v, degree 2: 538, 1358 if terms may cancel
        grad u . grad v w, degree 2: 886, 2366 if terms may cancel
        p-Laplacian, degree 2: 1744, 2170 if terms may cancel
        |grad u|^2 v w, degree 2: 1212, 1638 if terms may cancel
        u . grad u, degree 2: 906, 1428 if terms may cancel"#]]
    .assert_eq(&check(&CELLS[1], 2).join("\n"));
}

#[test]
fn on_quadrilaterals() {
    expect_test::expect![[r#"
        |grad u|^2 v, degree 1: 88, 88 if terms may cancel
        grad u . grad v w, degree 1: 104, 104 if terms may cancel
        p-Laplacian, degree 1: 112, 108 if terms may cancel
        |grad u|^2 v w, degree 1: 116, 116 if terms may cancel
        u . grad u, degree 1: 94, 94 if terms may cancel
        |grad u|^2 v, degree 2: 234, 234 if terms may cancel
        grad u . grad v w, degree 2: 378, 378 if terms may cancel
        p-Laplacian, degree 2: 369, 363 if terms may cancel
        |grad u|^2 v w, degree 2: 291, 291 if terms may cancel
        u . grad u, degree 2: 237, 237 if terms may cancel"#]]
    .assert_eq(&check(&CELLS[2], 2).join("\n"));
}

/// The tangent of the squares of F ∇v, F = 1 + ∇u, over as many points of quadrature as forms with
/// coefficients take: at each of them F is put together with the shape of the cell.
#[test]
fn sums_over_many_points_are_put_together() {
    let text = "pub fn form(
            k: &[[[f64; 3]; 3]], u: &[[f64; 10]], a: &mut [[[f64; 10]; 10]],
        ) {
            static W: [f64; 74] = tabulate!(tetrahedron, quadrature(10), weights);
            static DPHI: [[[f64; 10]; 74]; 3] =
                tabulate!(tetrahedron, quadrature(10), lagrange(2), gradient);
            for e in 0..u.len() {
                for q in 0..74 {
                    let mut f = [1.0; 3];
                    for r in 0..3 {
                        let mut s = 0.0;
                        for n in 0..10 { s += DPHI[r][q][n] * u[e][n]; }
                        for x in 0..3 { f[x] += k[e][r][x] * s; }
                    }
                    for i in 0..10 {
                        for j in 0..10 {
                            let mut fu = 0.0;
                            let mut fv = 0.0;
                            for x in 0..3 {
                                let mut du = 0.0;
                                let mut dv = 0.0;
                                for r in 0..3 {
                                    du += k[e][r][x] * DPHI[r][q][j];
                                    dv += k[e][r][x] * DPHI[r][q][i];
                                }
                                fu += f[x] * du;
                                fv += f[x] * dv;
                            }
                            a[e][i][j] += W[q] * fu * fv;
                        }
                    }
                }
            }
        }";
    let found = programs(text, &of_level(3, false));
    for inputs in INPUTS {
        let ratio = ratio(&found, inputs);
        assert!(ratio <= 4.0, "{ratio} for {inputs:?}");
    }
    let without = programs(text, &of_level(3, false).cancelling());
    let counts = [found, without].map(|programs| operations(&programs));
    expect_test::expect!["[16324, 30010]"].assert_eq(&format!("{counts:?}"));
}
