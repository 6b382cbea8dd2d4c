//! Rounding errors of sums over axes, run in `f64`, against the text in twice the precision. No error is larger
//! than four times the text's bound.

#[path = "support/accuracy.rs"]
mod accuracy;

use accuracy::{FACTOR, INPUTS, programs, ratio};
use loopwright_compiler::analysis::rounding::around;

/// The action of ∫ ∇u·∇v + u v with the metric at each point, on quadrilaterals or hexahedra.
fn on_product_cells(cell: &str, axes: usize, degree: usize, rule: usize) -> String {
    let (nodes, along) = ((degree + 1).pow(axes as u32), (rule + 2) / 2);
    let points = along.pow(axes as u32);
    format!(
        "pub fn action(
            g: &[[[[f64; {axes}]; {axes}]; {points}]], d: &[[f64; {points}]],
            u: &[[f64; {nodes}]], y: &mut [[f64; {nodes}]],
        ) {{
            static PHI: [[f64; {nodes}]; {points}] =
                tabulate!({cell}, quadrature({rule}), lagrange({degree}));
            static DPHI: [[[f64; {nodes}]; {points}]; {axes}] =
                tabulate!({cell}, quadrature({rule}), lagrange({degree}), gradient);
            for e in 0..u.len() {{
                for q in 0..{points} {{
                    let mut value = 0.0;
                    let mut gradient = [0.0; {axes}];
                    for j in 0..{nodes} {{
                        value += u[e][j] * PHI[q][j];
                        for r in 0..{axes} {{
                            gradient[r] += u[e][j] * DPHI[r][q][j];
                        }}
                    }}
                    for i in 0..{nodes} {{
                        let mut sum = d[e][q] * value * PHI[q][i];
                        for r in 0..{axes} {{
                            for s in 0..{axes} {{
                                sum += g[e][q][r][s] * gradient[s] * DPHI[r][q][i];
                            }}
                        }}
                        y[e][i] += sum;
                    }}
                }}
            }}
        }}"
    )
}

/// Halves of sums, and derivatives from values at points, are as accurate as the text: constants whose
/// derivatives are zero, values that alternate from node to node and some that are far larger than others are among the
/// inputs.
#[test]
fn sums_over_axes_are_as_accurate_as_their_texts() {
    for (cell, axes, degree, rule) in [
        ("quadrilateral", 2, 3, 7),
        ("quadrilateral", 2, 8, 17),
        ("quadrilateral", 2, 4, 13),
        ("hexahedron", 3, 2, 5),
        ("hexahedron", 3, 4, 9),
        ("hexahedron", 3, 3, 9),
    ] {
        let text = on_product_cells(cell, axes, degree, rule);
        for programs in programs(&text, 3).unwrap() {
            let check = |what: &str, ratio: Option<f64>| {
                let ratio = ratio.expect("small enough");
                println!("{cell} {degree} {rule} {what}: {ratio:.2}");
                assert!(ratio <= FACTOR, "{cell} {degree} {rule} {what}: {ratio}");
            };
            for inputs in INPUTS {
                let ratio = ratio(&programs, around(inputs), 3);
                check(&format!("{inputs:?}"), ratio);
            }
            let noise = around([0.0, 1.0]);
            let alternating = |array: usize, at: usize| {
                let sign = if at.is_multiple_of(2) { 1e6 } else { -1e6 };
                sign + noise(array, at)
            };
            check("alternating", ratio(&programs, alternating, 3));
            let steep = |array: usize, at: usize| {
                let height = 10_f64.powi((at % (degree + 1)) as i32 * 2);
                height * noise(array, at)
            };
            check("steep", ratio(&programs, steep, 3));
        }
    }
}
