//! Sums over the points and nodes of hexahedra take as many operations as sums over one axis after
//! another do.

use loopwright_compiler::analysis::cost;
use loopwright_compiler::diagnostics::Diagnostics;
use loopwright_compiler::driver::{Settings, expand_with};
use loopwright_compiler::lower::{self, Arrays};
use loopwright_compiler::schedule::{Target, Wishes, buffers::stored, schedule};
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

/// The action of linear elasticity, ∫ μ (∇u + ∇uᵀ)·∇v + λ div u div v, over the table of a
/// vector-valued element; `k` is the inverse of the Jacobian.
fn elasticity(degree: usize) -> String {
    let (rule, nodes) = (2 * degree + 1, (degree + 1).pow(3));
    let dofs = 3 * nodes;
    format!(
        "pub fn elasticity(
            k: &[[[f64; 3]; 3]], det: &[f64], mu: f64, lambda: f64, dofs: &[[usize; {dofs}]],
            u: &[f64], y: &mut [f64],
        ) {{
            static W: [f64; {nodes}] = tabulate!(hexahedron, quadrature({rule}), weights);
            static DPHI: [[[[f64; {dofs}]; {nodes}]; 3]; 3] =
                tabulate!(hexahedron, quadrature({rule}), vector(lagrange({degree})), gradient);
            for e in 0..dofs.len() {{
                let mut local = [0.0; {dofs}];
                for q in 0..{nodes} {{
                    let mut du = [[0.0; 3]; 3];
                    for j in 0..{dofs} {{
                        for c in 0..3 {{
                            for d in 0..3 {{
                                for r in 0..3 {{
                                    du[c][d] += u[dofs[e][j]] * k[e][r][d] * DPHI[c][r][q][j];
                                }}
                            }}
                        }}
                    }}
                    let div = du[0][0] + du[1][1] + du[2][2];
                    for i in 0..{dofs} {{
                        let mut sum = 0.0;
                        for c in 0..3 {{
                            for d in 0..3 {{
                                let pressure = if c == d {{ lambda * div }} else {{ 0.0 }};
                                let stress = mu * (du[c][d] + du[d][c]) + pressure;
                                for r in 0..3 {{
                                    sum += stress * k[e][r][d] * DPHI[c][r][q][i];
                                }}
                            }}
                        }}
                        local[i] += W[q] * det[e] * sum;
                    }}
                }}
                for i in 0..{dofs} {{
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
        decisions.extend(pass.run(&mut program));
    }
    let cost = cost::program(&program);
    // Twice a material constant, at most.
    assert!(cost.once.operations() <= 1);
    (cost.each.operations(), decisions)
}

/// The exponent of (degree + 1) with which operations grow from one degree to the next but one: odd and even
/// numbers of points differ in the zeros of their tables.
fn exponents(operations: &[(usize, u64)]) -> Vec<f64> {
    let step = |three: &[(usize, u64)]| {
        let [(p, before), _, (q, after)] = three else {
            unreachable!("windows of three");
        };
        (*after as f64 / *before as f64).ln() / ((q + 1) as f64 / (p + 1) as f64).ln()
    };
    operations.windows(3).map(step).collect()
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
        // Values at the points take three sums over an axis, derivatives out of these one each, and the way
        // back as many; a sum has half a multiplication and an addition for each of (degree + 1)^4, and an addition
        // for each of its terms and of its results. Points have some more.
        let along = *degree as u64 + 1;
        let most = match degree {
            1 => 18 * 2 * along.pow(4) + 8 * along.pow(3),
            _ => 12 * (along.pow(4) + 2 * along.pow(3)) + 24 * along.pow(3),
        };
        assert!(*counted <= most, "degree {degree}: {counted} of {most}");
    }
    // All of them are sums over an axis in the end.
    let exponents = exponents(&counted);
    assert!(
        exponents[2..].iter().all(|e| (3.5..4.2).contains(e)),
        "{exponents:?}"
    );
}

/// Of vector-valued functions, each component is summed over the axes by itself.
#[test]
fn the_action_on_vectors_grows_as_sums_over_axes_do() {
    let counted: Vec<(usize, u64)> = (1..=4)
        .map(|degree| (degree, operations(&elasticity(degree), 3).0))
        .collect();
    for (degree, counted) in &counted {
        // Half as much again as three times what scalar functions take: the inverse of the Jacobian
        // is met in the sums over the last axis. Points have stresses besides.
        let along = *degree as u64 + 1;
        let most = 3 * 28 * 2 * along.pow(4) + 128 * along.pow(3);
        assert!(*counted <= most, "degree {degree}: {counted} of {most}");
    }
    let exponents = exponents(&counted);
    assert!(
        exponents[1..].iter().all(|e| (3.5..4.2).contains(e)),
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
fn is_valid(text: &str) {
    let facade = "::loopwright".parse().unwrap();
    let settings = Settings::default();
    let expansion = expand_with(&facade, text.parse().unwrap(), &settings).to_string();
    let refusals = [
        "compile_error",
        "runs as written",
        "was taken back",
        "internal compiler error",
    ];
    for refusal in refusals {
        assert!(!expansion.contains(refusal), "{refusal}: {text}");
    }
    assert!(expansion.contains("loops over points and nodes are loops over the axes"));
}

#[test]
fn actions_over_axes_are_valid() {
    for degree in [1, 2, 3] {
        is_valid(&action(degree));
    }
    is_valid(MATRIX);
}

#[test]
fn what_takes_longer_to_interpret_than_to_check_is_valid() {
    is_valid(&action(8));
}

#[test]
fn actions_on_vectors_over_axes_are_valid() {
    is_valid(&elasticity(1));
    is_valid(&elasticity(2));
}

/// Large temporaries of the action's schedule, the buffers that they share, and bytes.
fn buffers(text: &str, width: usize) -> (usize, usize, u64) {
    let mut diagnostics = Diagnostics::new();
    let module = syntax::parse(text.parse().unwrap(), &mut diagnostics).unwrap();
    let lowered = lower::lower_with(&module, &module.functions[0], false, Arrays::Swept).unwrap();
    let mut program = lowered.program;
    for pass in passes::pipeline(3, false) {
        pass.run(&mut program);
    }
    let target = Target {
        width,
        registers: 4 * width,
    };
    let wishes = Wishes {
        lanes: Some("e".to_owned()),
        ..Wishes::default()
    };
    let scheduled = schedule(&program, target, &wishes).unwrap();
    let (program, schedule) = (scheduled.program, scheduled.schedule);
    let large = schedule.buffers.iter().map(Vec::len).sum();
    (large, schedule.buffers.len(), stored(&program, &schedule))
}

/// Values at 729 points, or sums on the way there, of eight cells take 46,656 bytes. Values and three derivatives at the
/// points, and what is computed next, are alive: loops over sums along three axes, of one derivative each, follow each other.
#[test]
fn large_temporaries_take_turns_in_few_buffers() {
    let (large, shared, bytes) = buffers(&action(8), 8);
    assert_eq!((large, shared), (14, 5));
    // Besides the buffers, what the stack has room for.
    let stack = bytes - 5 * 46_656;
    assert!(stack < 64 << 10, "{bytes}");
}
