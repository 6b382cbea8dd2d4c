//! Programs and schedules of real kernels come back from their text.

use loopwright_compiler::diagnostics::Diagnostics;
use loopwright_compiler::ir::{self, Program};
use loopwright_compiler::schedule::{self, Target, Wishes};
use loopwright_compiler::syntax::{self, ast::FunctionId};
use loopwright_compiler::verify::{self, Subject};
use loopwright_compiler::{lower, passes};

const KERNELS: [&str; 3] = [
    "
    pub fn helmholtz(cells: &[[[f64; 3]; 4]], a: &mut [[[f64; 4]; 4]]) {
        static W: [f64; 4] = tabulate!(tetrahedron, quadrature(2), weights);
        static PHI: [[f64; 4]; 4] = tabulate!(tetrahedron, quadrature(2), lagrange(1));
        for e in 0..cells.len() {
            let x = &cells[e];
            let det = (x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) * (x[3][2] - x[0][2]);
            for q in 0..4 {
                for i in 0..4 {
                    for j in 0..4 {
                        a[e][i][j] += W[q] * det.abs() * PHI[q][i] * PHI[q][j] / 2.5;
                    }
                }
            }
        }
    }",
    "
    pub fn gather(n: usize, map: &[[usize; 3]], u: &[f64], y: &mut [f64]) {
        for e in 0..n {
            let mut s = 0.0;
            for i in 0..3 {
                s += u[map[e][i]].sqrt().powi(3);
            }
            y[e] = if s < 1.0 { s.max(0.1) } else { -s };
        }
    }",
    "
    pub fn grid(k: &[[f64; 3]], u: &[f64], y: &mut [[f64; 2]], n: usize) {
        for i in 0..n {
            for j in 0..n {
                y[i * n + j][1] = k[i * n + j][2] * u[i * n + j] + k[i * n + j][0];
            }
        }
    }",
];

fn round_trip(program: &Program) -> Program {
    let text = ir::text::print(program);
    let back = ir::text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(ir::text::print(&back), text);
    back
}

#[test]
fn kernels_come_back_at_every_stage() {
    for kernel in KERNELS {
        let mut diagnostics = Diagnostics::new();
        let module = syntax::parse(kernel.parse().unwrap(), &mut diagnostics).unwrap();
        assert!(diagnostics.is_empty());
        for level in 0..4 {
            let function = &module.functions[0];
            let lowered = lower::lower(&module, function, level <= 1)
                .unwrap_or_else(|problem| panic!("{}", problem.message));
            let subject = Subject::new(&module, FunctionId(0), &lowered);
            let mut program = round_trip(&lowered.program);
            for pass in passes::pipeline(level, false) {
                pass.run(&mut program);
                program = round_trip(&program);
            }
            for width in [1, 4, 8] {
                let registers = 16;
                let target = Target { width, registers };
                let built = schedule::schedule(&program, target, &Wishes::default()).unwrap();
                let program = round_trip(&built.program);
                let text = schedule::text::print(&program, &built.schedule);
                assert_eq!(schedule::text::print(&built.program, &built.schedule), text);
                let back = schedule::text::parse(&text, &program)
                    .unwrap_or_else(|error| panic!("{error}\n{text}"));
                assert_eq!(schedule::text::print(&program, &back), text);
                verify::validate(&subject, &program, &back)
                    .unwrap_or_else(|error| panic!("{error:?}\n{program}\n{text}"));
            }
        }
    }
}
