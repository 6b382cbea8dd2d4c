//! Forms that are written over vector-valued and mixed elements: operations, and validation.

use loopwright_compiler::analysis::cost;
use loopwright_compiler::diagnostics::Diagnostics;
use loopwright_compiler::ir::{self, Program, text};
use loopwright_compiler::syntax::ast::{FunctionId, Module};
use loopwright_compiler::verify::{self, Subject};
use loopwright_compiler::{lower, passes, syntax};

fn module(text: &str) -> Module {
    let mut diagnostics = Diagnostics::new();
    syntax::parse(text.parse().unwrap(), &mut diagnostics).unwrap()
}

/// The operations of a cell after all passes of the highest level, those of code motion alone, and
/// what the pass decided.
fn operations(text: &str) -> (u64, u64, Vec<String>) {
    let module = module(text);
    let functions = &mut module.functions.iter();
    let function = functions.find(|function| !function.inlined).unwrap();
    let lowered =
        lower::lower(&module, function, false).unwrap_or_else(|p| panic!("{}", p.message));
    let at = |level: u8| {
        let mut program = lowered.program.clone();
        let mut decisions = Vec::new();
        for pass in passes::pipeline(level, false) {
            let decided = pass.run(&mut program);
            if pass.name == "zero_blocks" {
                decisions = decided;
            }
        }
        (cost::program(&program).operations(), decisions)
    };
    let (all, decisions) = at(3);
    (all, at(1).0, decisions)
}

/// A kernel over affine tetrahedra; `statements` are those for each point.
fn kernel(result: &str, tables: &str, points: usize, statements: &str) -> String {
    format!(
        "fn form(cells: &[[[f64; 3]; 4]], a: &mut [{result}]) {{
            {tables}
            for e in 0..cells.len() {{
                let (k, det) = inverse(&cells[e]);
                for q in 0..{points} {{
                    {statements}
                }}
            }}
        }}
        fn inverse(x: &[[f64; 3]; 4]) -> ([[f64; 3]; 3], f64) {{
            let mut j = [[0.0; 3]; 3];
            for r in 0..3 {{
                for c in 0..3 {{
                    j[r][c] = x[c + 1][r] - x[0][r];
                }}
            }}
            let mut k = [[0.0; 3]; 3];
            for r in 0..3 {{
                for c in 0..3 {{
                    k[c][r] = j[(r + 1) % 3][(c + 1) % 3] * j[(r + 2) % 3][(c + 2) % 3]
                        - j[(r + 1) % 3][(c + 2) % 3] * j[(r + 2) % 3][(c + 1) % 3];
                }}
            }}
            let det = j[0][0] * k[0][0] + j[0][1] * k[1][0] + j[0][2] * k[2][0];
            for r in 0..3 {{
                for c in 0..3 {{
                    k[r][c] = k[r][c] / det;
                }}
            }}
            (k, det)
        }}"
    )
}

/// ∫ ε(u) : ε(v) of a degree, over all functions of the vector and by components.
fn elasticity(degree: usize, functions: usize, rule: usize, points: usize) -> [String; 2] {
    let all = 3 * functions;
    let table = |columns: usize, element: &str, shape: &str| {
        format!(
            "static W: [f64; {points}] = tabulate!(tetrahedron, quadrature({rule}), weights);
            static DPHI: {} = tabulate!(tetrahedron, quadrature({rule}), {element}, gradient);",
            shape.replace("COLUMNS", &format!("[[f64; {columns}]; {points}]")),
        )
    };
    let vector = kernel(
        &format!("[[f64; {all}]; {all}]"),
        &table(
            all,
            &format!("vector(lagrange({degree}))"),
            "[[COLUMNS; 3]; 3]",
        ),
        points,
        &format!(
            "for i in 0..{all} {{
                for j in 0..{all} {{
                    let mut du = [[0.0; 3]; 3];
                    let mut dv = [[0.0; 3]; 3];
                    let mut product = 0.0;
                    for c in 0..3 {{
                        for d in 0..3 {{
                            for r in 0..3 {{
                                du[c][d] += k[r][d] * DPHI[c][r][q][j];
                                dv[c][d] += k[r][d] * DPHI[c][r][q][i];
                            }}
                        }}
                    }}
                    for c in 0..3 {{
                        for d in 0..3 {{
                            product += (du[c][d] + du[d][c]) * dv[c][d];
                        }}
                    }}
                    a[e][i][j] += 0.5 * W[q] * det.abs() * product;
                }}
            }}"
        ),
    );
    let components = kernel(
        &format!("[[f64; {all}]; {all}]"),
        &table(functions, &format!("lagrange({degree})"), "[COLUMNS; 3]"),
        points,
        &format!(
            "for i in 0..{functions} {{
                for j in 0..{functions} {{
                    let mut du = [0.0; 3];
                    let mut dv = [0.0; 3];
                    let mut dot = 0.0;
                    for d in 0..3 {{
                        for r in 0..3 {{
                            du[d] += k[r][d] * DPHI[r][q][j];
                            dv[d] += k[r][d] * DPHI[r][q][i];
                        }}
                        dot += du[d] * dv[d];
                    }}
                    for m in 0..3 {{
                        a[e][3 * i + m][3 * j + m] += 0.5 * W[q] * det.abs() * dot;
                        for n in 0..3 {{
                            a[e][3 * i + m][3 * j + n] += 0.5 * W[q] * det.abs() * du[m] * dv[n];
                        }}
                    }}
                }}
            }}"
        ),
    );
    [vector, components]
}

#[test]
fn elasticity_over_vectors_takes_what_its_components_take() {
    for ((degree, functions, rule, points), expected) in [
        ((1, 4, 0, 1), [387, 374]),
        ((2, 10, 2, 4), [5410, 5410]),
        ((3, 20, 4, 14), [21562, 21562]),
    ] {
        let [vector, components] = elasticity(degree, functions, rule, points);
        let (vector, moved, decisions) = operations(&vector);
        let (components, ..) = operations(&components);
        assert_eq!([vector, components], expected, "{decisions:?}");
        // Code motion alone multiplies the zeros.
        assert!(vector < moved / 3, "{vector} of {moved}");
        assert!(decisions[0].contains("`i` in (0.."), "{decisions:?}");
    }
}

/// The mass matrix of Taylor-Hood elements.
fn mass() -> String {
    let text = "fn form(d: &[f64], a: &mut [[[f64; 34]; 34]]) {
        static W: [f64; 4] = tabulate!(tetrahedron, quadrature(2), weights);
        static PHI: [[[f64; 34]; 4]; 4] =
            tabulate!(tetrahedron, quadrature(2), mixed(vector(lagrange(2)), lagrange(1)));
        for e in 0..d.len() {
            for q in 0..4 {
                for i in 0..34 {
                    for j in 0..34 {
                        let mut product = PHI[3][q][i] * PHI[3][q][j];
                        for c in 0..3 {
                            product += PHI[c][q][i] * PHI[c][q][j];
                        }
                        a[e][i][j] += W[q] * d[e] * product;
                    }
                }
            }
        }
    }";
    text.to_owned()
}

#[test]
fn mixed_elements_are_split_by_components() {
    let (left, moved, decisions) = operations(&mass());
    // The entries of 3 matrices of 10 functions and of one of 4 are added to their places; what is
    // more, are the distinct ones, times the determinant.
    assert_eq!(left, 3 * 10 * 10 + 4 * 4 + 116, "{decisions:?}");
    assert!(left < moved / 3, "{left} of {moved}");
    assert!(decisions[0].contains("30..34"), "{decisions:?}");
}

/// A block that is written elsewhere, or reads other columns, is found, although validation leaves
/// out most iterations of each block; and so is one that is missing.
#[test]
fn wrong_blocks_are_found() {
    let module = module(&mass());
    let lowered = lower::lower(&module, &module.functions[0], false);
    let lowered = lowered.unwrap_or_else(|problem| panic!("{}", problem.message));
    let subject = Subject::new(&module, FunctionId(0), &lowered);
    let mut program = lowered.program.clone();
    for pass in passes::pipeline(3, false) {
        pass.run(&mut program);
        verify::validate_unscheduled(&subject, &program).unwrap();
        if pass.name == "zero_blocks" {
            break;
        }
    }
    let parts = |index: &ir::Index| index.parts.iter().filter(|part| !part.is_plain()).count();
    assert_eq!(program.indices.iter().map(parts).sum::<usize>(), 4 + 4);
    assert_eq!(program.equations.len(), 4);
    let text = text::print(&program);
    let found = |changed: Program| {
        let indices = program.indices.clone();
        let changed = Program { indices, ..changed };
        verify::validate_unscheduled(&subject, &changed).unwrap_err()
    };
    for (right, wrong) in [
        ("3*i'2 + 1, 3*j'2 + 1", "3*i'2 + 1, 3*j'2 + 2"),
        ("i'3 + 30, ", "i'3 + 29, "),
        ("3*i'2, 3*j'2", "3*j'2, 3*i'2 + 1"),
    ] {
        assert!(text.contains(right), "{text}");
        let changed = text::parse(&text.replace(right, wrong)).unwrap();
        let difference = found(changed);
        assert!(difference.contains("of `a` differs"), "{difference}");
    }
    for at in 0..4 {
        let mut changed = program.clone();
        changed.equations.remove(at);
        let difference = found(changed);
        assert!(difference.contains("of `a` differs"), "{difference}");
    }
}
