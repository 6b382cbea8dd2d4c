//! Sums over the points and nodes of hexahedra take as many operations as sums over one axis after
//! another do.

use loopwright_compiler::analysis::cost;
use loopwright_compiler::diagnostics::Diagnostics;
use loopwright_compiler::driver::{Settings, expand_with};
use loopwright_compiler::lower::{self, Arrays};
use loopwright_compiler::{passes, syntax};

/// The action of ∫ ∇u·∇v + u v, with as many points as nodes.
fn action(degree: usize) -> String {
    let (rule, nodes) = (2 * degree + 1, (degree + 1).pow(3));
    format!(
        "pub fn action(
            g: &[[[f64; 3]; 3]], det: &[f64], dofs: &[[usize; {nodes}]], u: &[f64], y: &mut [f64],
        ) {{
            static W: [f64; {nodes}] = tabulate!(hexahedron, quadrature({rule}), weights);
            static PHI: [[f64; {nodes}]; {nodes}] =
                tabulate!(hexahedron, quadrature({rule}), lagrange({degree}));
            static DPHI: [[[f64; {nodes}]; {nodes}]; 3] =
                tabulate!(hexahedron, quadrature({rule}), lagrange({degree}), gradient);
            for e in 0..dofs.len() {{
                let mut local = [0.0; {nodes}];
                for q in 0..{nodes} {{
                    let mut value = 0.0;
                    let mut gradient = [0.0; 3];
                    for j in 0..{nodes} {{
                        value += u[dofs[e][j]] * PHI[q][j];
                        for r in 0..3 {{
                            gradient[r] += u[dofs[e][j]] * DPHI[r][q][j];
                        }}
                    }}
                    for i in 0..{nodes} {{
                        let mut sum = det[e] * value * PHI[q][i];
                        for r in 0..3 {{
                            for s in 0..3 {{
                                sum += g[e][r][s] * gradient[s] * DPHI[r][q][i];
                            }}
                        }}
                        local[i] += W[q] * sum;
                    }}
                }}
                for i in 0..{nodes} {{
                    y[dofs[e][i]] += local[i];
                }}
            }}
        }}"
    )
}

/// Operations per cell at a level, and what was decided.
fn operations(text: &str, level: u8) -> (u64, Vec<String>) {
    let mut diagnostics = Diagnostics::new();
    let module = syntax::parse(text.parse().unwrap(), &mut diagnostics);
    let module = module.unwrap_or_else(|| panic!("{:?}", diagnostics.messages()));
    let function = &module.functions[0];
    let lowered = lower::lower_with(&module, function, false, Arrays::Swept).unwrap();
    let mut program = lowered.program;
    let mut decisions = Vec::new();
    for pass in passes::pipeline(level, false) {
        decisions.extend((pass.run)(&mut program));
    }
    let cost = cost::program(&program);
    assert_eq!(cost.once.operations(), 0);
    (cost.each.operations(), decisions)
}

/// The exponent of (degree + 1) with which operations grow from one degree to the next.
fn exponents(operations: &[(usize, u64)]) -> Vec<f64> {
    let step = |pair: &[(usize, u64)]| {
        let [(p, before), (q, after)] = pair else {
            unreachable!("windows of two");
        };
        (*after as f64 / *before as f64).ln() / ((q + 1) as f64 / (p + 1) as f64).ln()
    };
    operations.windows(2).map(step).collect()
}

#[test]
fn the_action_grows_as_sums_over_axes_do() {
    let counted: Vec<(usize, u64)> = (1..=8)
        .map(|degree| {
            let (counted, decisions) = operations(&action(degree), 3);
            let taken = "loops over points and nodes are loops over the axes";
            assert!(decisions.iter().any(|d| d.contains(taken)), "{decisions:?}");
            (degree, counted)
        })
        .collect();
    for (degree, counted) in &counted {
        // Value and gradient take nine sums over an axis, and so does the way back; a sum has a
        // multiplication and an addition for each of (degree + 1)^4, and points have some more.
        let along = *degree as u64 + 1;
        let most = 18 * 2 * along.pow(4) + 8 * along.pow(3);
        assert!(*counted <= most, "degree {degree}: {counted} of {most}");
    }
    // All of them are sums over an axis in the end.
    let exponents = exponents(&counted);
    assert!(
        exponents[2..].iter().all(|e| (3.7..4.2).contains(e)),
        "{exponents:?}"
    );
}

#[test]
fn without_that_it_grows_as_the_tables_do() {
    let counted: Vec<(usize, u64)> = (1..=4)
        .map(|degree| (degree, operations(&action(degree), 1).0))
        .collect();
    let exponents = exponents(&counted);
    assert!(exponents[1..].iter().all(|e| *e > 5.5), "{exponents:?}");
}

/// Element matrices of ∫ ∇u·∇v + u v of degree 1, with the metric at each point.
const MATRIX: &str = "
    pub fn matrix(g: &[[[[f64; 3]; 3]; 8]], det: &[f64], a: &mut [[[f64; 8]; 8]]) {
        static W: [f64; 8] = tabulate!(hexahedron, quadrature(3), weights);
        static PHI: [[f64; 8]; 8] = tabulate!(hexahedron, quadrature(3), lagrange(1));
        static DPHI: [[[f64; 8]; 8]; 3] =
            tabulate!(hexahedron, quadrature(3), lagrange(1), gradient);
        for e in 0..a.len() {
            for q in 0..8 {
                for i in 0..8 {
                    for j in 0..8 {
                        let mut sum = det[e] * PHI[q][i] * PHI[q][j];
                        for r in 0..3 {
                            for s in 0..3 {
                                sum += g[e][q][r][s] * DPHI[r][q][i] * DPHI[s][q][j];
                            }
                        }
                        a[e][i][j] += W[q] * sum;
                    }
                }
            }
        }
    }";

/// What is emitted has been compared with the source.
#[test]
fn sums_over_axes_are_valid() {
    for text in [action(1), action(2), action(3), MATRIX.to_owned()] {
        let facade = "::loopwright".parse().unwrap();
        let settings = Settings::default();
        let expansion = expand_with(&facade, text.parse().unwrap(), &settings).to_string();
        for refusal in ["compile_error", "runs as written", "was taken back"] {
            assert!(!expansion.contains(refusal), "{refusal}: {text}");
        }
        assert!(expansion.contains("loops over points and nodes are loops over the axes"));
    }
}
