//! Errors against exact results where the text's terms cancel: none is larger than four times the bound
//! that running error analysis gives the text.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(clippy::needless_range_loop, reason = "the style of kernels")]

use loopwright::{Bounded, Real, Scalar};

mod exact;
#[path = "../../support/mod.rs"]
mod support;
use exact::Exact;
use support::noise;

/// How much larger an error may be than the reference's bound.
const FACTOR: f64 = 4.0;
/// No multiple of a register's lanes.
const CELLS: usize = 11;

/// What values vary around, and by how much.
const INPUTS: [[f64; 2]; 8] = [
    [0.0, 1.0],
    [1.0, 1.0],
    [300.0, 0.01],
    [101_325.0, 1.0],
    [6.4e6, 1.0],
    [1e8, 1.0],
    [1e-8, 1e-16],
    [1e12, 0.0],
];

mod kernels {
    use loopwright::kernel;

    kernel! {
        /// A rule of four points, and three functions there.
        static W: [f64; 4] = [0.1, 0.2, 0.3, 0.4];
        static P: [[f64; 3]; 4] =
            [[0.5, 0.25, 0.25], [0.1, 0.6, 0.3], [0.3, 0.3, 0.4], [0.7, 0.2, 0.1]];
        /// P2 on the reference triangle.
        static WEIGHTS: [f64; 6] = tabulate!(triangle, quadrature(4), weights);
        static PHI: [[f64; 6]; 6] = tabulate!(triangle, quadrature(4), lagrange(2));
        static DPHI: [[[f64; 6]; 6]; 2] = tabulate!(triangle, quadrature(4), lagrange(2), gradient);

        /// ∫ (u - u₀)² v.
        pub fn variance<T: loopwright::Real>(u0: T, x: &[[T; 3]], y: &mut [[T; 3]]) {
            for e in 0..x.len() {
                for q in 0..4 {
                    let mut u = T::zero();
                    for j in 0..3 {
                        u += T::from_f64(P[q][j]) * x[e][j];
                    }
                    for i in 0..3 {
                        y[e][i] += T::from_f64(W[q]) * (u - u0) * (u - u0) * T::from_f64(P[q][i]);
                    }
                }
            }
        }

        /// The same at level 2.
        #[opt(level = 2)]
        pub fn variance_2<T: loopwright::Real>(u0: T, x: &[[T; 3]], y: &mut [[T; 3]]) {
            for e in 0..x.len() {
                for q in 0..4 {
                    let mut u = T::zero();
                    for j in 0..3 {
                        u += T::from_f64(P[q][j]) * x[e][j];
                    }
                    for i in 0..3 {
                        y[e][i] += T::from_f64(W[q]) * (u - u0) * (u - u0) * T::from_f64(P[q][i]);
                    }
                }
            }
        }

        /// ∫ (u - u₁)² v, u₁ being the value of the first node.
        pub fn square<T: loopwright::Real>(x: &[[T; 3]], y: &mut [[T; 3]]) {
            for e in 0..x.len() {
                for q in 0..4 {
                    let mut u = T::zero();
                    for j in 0..3 {
                        u += T::from_f64(P[q][j]) * x[e][j];
                    }
                    for i in 0..3 {
                        y[e][i] += T::from_f64(W[q]) * (u - x[e][0]) * (u - x[e][0]) * T::from_f64(P[q][i]);
                    }
                }
            }
        }

        /// The same where terms may cancel.
        #[opt(reassociate = full)]
        pub fn expanded<T: loopwright::Real>(x: &[[T; 3]], y: &mut [[T; 3]]) {
            for e in 0..x.len() {
                for q in 0..4 {
                    let mut u = T::zero();
                    for j in 0..3 {
                        u += T::from_f64(P[q][j]) * x[e][j];
                    }
                    for i in 0..3 {
                        y[e][i] += T::from_f64(W[q]) * (u - x[e][0]) * (u - x[e][0]) * T::from_f64(P[q][i]);
                    }
                }
            }
        }

        /// ∫ (u - u₁)³ v.
        pub fn nodal<T: loopwright::Real>(x: &[[T; 3]], y: &mut [[T; 3]]) {
            for e in 0..x.len() {
                for q in 0..4 {
                    let mut u = T::zero();
                    for j in 0..3 {
                        u += T::from_f64(P[q][j]) * x[e][j];
                    }
                    let d = u - x[e][0];
                    for i in 0..3 {
                        y[e][i] += T::from_f64(W[q]) * d * d * d * T::from_f64(P[q][i]);
                    }
                }
            }
        }

        /// ∫ ∇u·∇u v on the reference triangle, P2.
        pub fn energy<T: loopwright::Real>(u: &[[T; 6]], y: &mut [[T; 6]]) {
            for e in 0..u.len() {
                for q in 0..6 {
                    let mut square = T::zero();
                    for d in 0..2 {
                        let mut g = T::zero();
                        for j in 0..6 {
                            g += T::from_f64(DPHI[d][q][j]) * u[e][j];
                        }
                        square += g * g;
                    }
                    for i in 0..6 {
                        y[e][i] += T::from_f64(WEIGHTS[q]) * square * T::from_f64(PHI[q][i]);
                    }
                }
            }
        }

        /// ∫ (∇u·∇u) ∇u·∇v: the p-Laplacian, p = 4; sums kept in local arrays.
        pub fn p_laplacian<T: loopwright::Real>(u: &[[T; 6]], y: &mut [[T; 6]]) {
            for e in 0..u.len() {
                for q in 0..6 {
                    let mut g = [T::zero(); 2];
                    for d in 0..2 {
                        for j in 0..6 {
                            g[d] += T::from_f64(DPHI[d][q][j]) * u[e][j];
                        }
                    }
                    let square = g[0] * g[0] + g[1] * g[1];
                    for i in 0..6 {
                        for d in 0..2 {
                            y[e][i] += T::from_f64(WEIGHTS[q]) * square * g[d] * T::from_f64(DPHI[d][q][i]);
                        }
                    }
                }
            }
        }

        /// ∫ ∇u·∇v φ on cells with axes of their own lengths, P2.
        pub fn stretched<T: loopwright::Real>(k: &[T; 2], u: &[[T; 6]], v: &[[T; 6]], y: &mut [[T; 6]]) {
            for e in 0..u.len() {
                for q in 0..6 {
                    let mut dot = T::zero();
                    for d in 0..2 {
                        let mut g = T::zero();
                        let mut h = T::zero();
                        for j in 0..6 {
                            g += T::from_f64(DPHI[d][q][j]) * u[e][j];
                            h += T::from_f64(DPHI[d][q][j]) * v[e][j];
                        }
                        dot += (k[d] * g) * (k[d] * h);
                    }
                    for i in 0..6 {
                        y[e][i] += T::from_f64(WEIGHTS[q]) * dot * T::from_f64(PHI[q][i]);
                    }
                }
            }
        }

        /// ∫ u ∂u v: one factor of the two knows constants.
        pub fn convection<T: loopwright::Real>(u: &[[T; 6]], y: &mut [[T; 6]]) {
            for e in 0..u.len() {
                for q in 0..6 {
                    let mut value = T::zero();
                    let mut slope = T::zero();
                    for j in 0..6 {
                        value += T::from_f64(PHI[q][j]) * u[e][j];
                        slope += T::from_f64(DPHI[0][q][j]) * u[e][j];
                    }
                    for i in 0..6 {
                        y[e][i] += T::from_f64(WEIGHTS[q]) * value * slope * T::from_f64(PHI[q][i]);
                    }
                }
            }
        }

        /// The gradient of a nearly constant field on a cell of size 1e-6, squared.
        pub fn strain<T: loopwright::Real>(x: &[[T; 3]], y: &mut [[T; 3]]) {
            static D: [[f64; 3]; 2] = [[-1.0e6, 1.0e6, 0.0], [0.0, -1.0e6, 1.0e6]];
            for e in 0..x.len() {
                for q in 0..2 {
                    let mut g = T::zero();
                    for j in 0..3 {
                        g += T::from_f64(D[q][j]) * x[e][j];
                    }
                    for i in 0..3 {
                        y[e][i] += g * g * T::from_f64(D[q][i]);
                    }
                }
            }
        }

        /// Products of differences, over loops that others could be taken out of.
        pub fn differences<T: loopwright::Real>(x: &[[T; 4]], y: &mut [[T; 4]]) {
            static Q: [[f64; 4]; 3] =
                [[0.4, 0.3, 0.2, 0.1], [0.1, 0.2, 0.3, 0.4], [0.3, 0.2, 0.1, 0.4]];
            for e in 0..x.len() {
                for q in 0..3 {
                    for i in 0..4 {
                        y[e][i] += T::from_f64(Q[q][i])
                            * ((x[e][q] - x[e][i]) * (x[e][q + 1] - x[e][i])
                                + (x[e][i] - x[e][0]) * (T::one() - x[e][q]));
                    }
                }
            }
        }

        /// A difference that is added to something small, and sums of differences.
        pub fn added<T: loopwright::Real>(c: T, x: &[[T; 4]], y: &mut [[T; 2]]) {
            for e in 0..x.len() {
                let mut sum = T::zero();
                for j in 0..3 {
                    sum += x[e][j + 1] - x[e][j];
                }
                y[e][0] = c * c + (x[e][0] - x[e][1]);
                y[e][1] = sum * c + (x[e][2] - x[e][3]) * c;
            }
        }

        /// Sums over run-time loops with a difference in common.
        pub fn products<T: loopwright::Real>(a: &[[T; 4]], b: &[[T; 4]], y: &mut [[T; 4]]) {
            for e in 0..a.len() {
                for i in 0..4 {
                    let mut first = T::zero();
                    let mut second = T::zero();
                    for k in 0..4 {
                        first += (a[e][k] - b[e][k]) * (a[e][i] - b[e][k]);
                        second += (a[e][k] - b[e][k]) * b[e][i];
                    }
                    y[e][i] += first * second;
                }
            }
        }

        /// ∫ f g h v with functions that differ little from constants, and one that they are subtracted from.
        pub fn coefficients<T: loopwright::Real>(
            c: T,
            f: &[[T; 3]],
            g: &[[T; 3]],
            y: &mut [[T; 3]],
        ) {
            static LINEAR: [[f64; 3]; 6] = tabulate!(triangle, quadrature(4), lagrange(1));
            for e in 0..f.len() {
                for q in 0..6 {
                    let mut first = T::zero();
                    let mut second = T::zero();
                    for j in 0..3 {
                        first += T::from_f64(LINEAR[q][j]) * f[e][j];
                        second += T::from_f64(LINEAR[q][j]) * g[e][j];
                    }
                    let product = first * second * (c - first) * (T::one() - second);
                    for i in 0..3 {
                        y[e][i] += T::from_f64(WEIGHTS[q]) * product * T::from_f64(LINEAR[q][i]);
                    }
                }
            }
        }
    }
}

/// No values.
const NOTHING: [f64; 2] = [0.0; 2];

/// Values around one, the same for each number type.
fn values<T: Scalar, const N: usize>([around, by]: [f64; 2], seed: usize) -> Vec<[T; N]> {
    let value = |e: usize, i: usize| around + by * noise(1000 * seed + N * e + i);
    (0..CELLS)
        .map(|e| std::array::from_fn(|i| T::from_f64(value(e, i))))
        .collect()
}

/// Values that do not change along the first axis of a triangle with six nodes.
fn along<T: Scalar>([around, by]: [f64; 2]) -> Vec<[T; 6]> {
    let value = |second: f64| T::from_f64(around + by * second);
    vec![[0.0, 0.0, 1.0, 0.5, 0.5, 0.0].map(value); CELLS]
}

/// One value.
fn value<T: Scalar>([around, by]: [f64; 2]) -> T {
    T::from_f64(around + 0.25 * by)
}

/// Tests that no variant's error, of a cell's results, is more than some times the bound.
macro_rules! bounded {
    ($($kernel:ident: |$input:ident| $($argument:expr),*;)*) => {$(
        #[test]
        fn $kernel() {
            let variants = kernels::$kernel::variants();
            let mut ratios = vec![0.0_f64; variants.len()];
            for $input in INPUTS {
                let mut exact: Vec<[Exact; _]> = values(NOTHING, 0);
                kernels::$kernel::reference($($argument,)* &mut exact);
                let mut bounds: Vec<[Bounded; _]> = values(NOTHING, 0);
                kernels::$kernel::reference($($argument,)* &mut bounds);
                for (ratio, isa) in ratios.iter_mut().zip(variants) {
                    if !isa.is_available() {
                        continue;
                    }
                    let mut found: Vec<[f64; _]> = values(NOTHING, 0);
                    kernels::$kernel::with(*isa, $($argument,)* &mut found).unwrap();
                    for e in 0..CELLS {
                        *ratio = ratio.max(exact::ratio(&found[e], &exact[e], &bounds[e]));
                    }
                }
                exact::forget();
            }
            let name = stringify!($kernel);
            println!("{name}: {ratios:.3?} of the bound in {variants:?}");
            for (ratio, isa) in ratios.iter().zip(variants) {
                assert!(*ratio <= FACTOR, "{name}, {isa:?}: {ratio} of the bound");
            }
        }
    )*};
}

bounded! {
    variance: |input| value(input), &values(input, 1);
    variance_2: |input| value(input), &values(input, 1);
    square: |input| &values(input, 1);
    nodal: |input| &values(input, 2);
    energy: |input| &values(input, 3);
    p_laplacian: |input| &values(input, 4);
    convection: |input| &values(input, 5);
    strain: |input| &values(input, 6);
    stretched: |input| &[value([1e8, 0.0]), value([1.0, 0.0])], &along(input), &along(input);
    differences: |input| &values(input, 7);
    added: |input| value([1e-3, 0.0]), &values(input, 8);
    products: |input| &values(input, 9), &values(input, 10);
    coefficients: |input| value(input), &values(input, 11), &values([1.0, 1e-9], 12);
}

/// What is multiplied out on demand loses its digits, and so the tests above would tell.
#[test]
fn full_reassociation_lifts_the_bound() {
    let input = [1e8, 1.0];
    let mut exact: Vec<[Exact; 3]> = values(NOTHING, 0);
    kernels::square::reference(&values(input, 1), &mut exact);
    let mut bounds: Vec<[Bounded; 3]> = values(NOTHING, 0);
    kernels::square::reference(&values(input, 1), &mut bounds);
    let mut found: Vec<[f64; 3]> = values(NOTHING, 0);
    kernels::expanded(&values(input, 1), &mut found);
    assert!(exact::ratio(&found[0], &exact[0], &bounds[0]) > 1e3);
}

/// The compiler's arithmetic with bounds, which its reports and tests use, against the run time's.
#[test]
fn the_compilers_bounds_are_those_of_the_run_time() {
    use loopwright_compiler::analysis::rounding::{self, Value};
    use loopwright_compiler::number::Number;

    let constant = |value: f64| rounding::Bounded::constant(Number::from_f64(value));
    let input = |at: usize| 1.0 + 0.25 * noise(at);
    let mut both = (Bounded::new(input(0)), constant(input(0)));
    for step in 1..4000 {
        let (run, compiled) = (Bounded::new(input(step)), constant(input(step)));
        let (a, b) = both;
        both = match (step * step / 3) % 7 {
            0 => (a + run, b.plus(compiled)),
            1 => (a - run, b.plus(compiled.negated())),
            2 => (a * run, b.times(compiled)),
            3 => (a / run, b.over(compiled)),
            4 => (
                run / (run + a * a),
                compiled.over(compiled.plus(b.times(b))),
            ),
            5 => (-a, b.negated()),
            _ => (run + a.abs(), compiled.plus(b.magnitude())),
        };
        let (a, b) = both;
        assert_eq!(a.value().to_bits(), b.rounded().to_bits(), "step {step}");
        let (wanted, found) = (a.error(), b.error());
        assert!(
            (wanted - found).abs() <= 1e-12 * wanted,
            "step {step}: {found:e} for {wanted:e}"
        );
    }
    assert!(both.0.error() > 0.0);
}
