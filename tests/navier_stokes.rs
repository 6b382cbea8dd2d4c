//! The Jacobian of Navier-Stokes with Taylor-Hood elements: monomials that are evaluated, and others
//! that are left to quadrature, of blocks of different sizes.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(clippy::needless_range_loop, reason = "the style of kernels")]

use loopwright::{Counted, Real, kernel};

#[macro_use]
mod support;
use support::{counted, counting, noise};

kernel! {
    /// ν ∇u·∇v + (f·∇u)·v + (u·∇f)·v - p ∇·v - q ∇·u on tetrahedra: `flow` is f, `k` is K and `det`
    /// |det J|.
    pub fn jacobian<T: Real>(
        k: &[[[T; 3]; 3]],
        det: &[T],
        nu: T,
        flow: &[[[T; 3]; 10]],
        a: &mut [[[T; 34]; 34]],
    ) {
        static W: [f64; 14] = tabulate!(tetrahedron, quadrature(4), weights);
        static PHI: [[f64; 10]; 14] = tabulate!(tetrahedron, quadrature(4), lagrange(2));
        static PSI: [[f64; 4]; 14] = tabulate!(tetrahedron, quadrature(4), lagrange(1));
        static DPHI: [[[f64; 10]; 14]; 3] =
            tabulate!(tetrahedron, quadrature(4), lagrange(2), gradient);
        for e in 0..det.len() {
            for q in 0..14 {
                let mut velocity = [T::zero(); 3];
                let mut gradient = [[T::zero(); 3]; 3];
                for i in 0..10 {
                    for c in 0..3 {
                        velocity[c] += flow[e][i][c] * T::from_f64(PHI[q][i]);
                        for d in 0..3 {
                            for r in 0..3 {
                                gradient[c][d] +=
                                    flow[e][i][c] * k[e][r][d] * T::from_f64(DPHI[r][q][i]);
                            }
                        }
                    }
                }
                let dx = T::from_f64(W[q]) * det[e];
                for i in 0..10 {
                    for j in 0..10 {
                        let (v, u) = (T::from_f64(PHI[q][i]), T::from_f64(PHI[q][j]));
                        let mut advection = T::zero();
                        let mut diffusion = T::zero();
                        for d in 0..3 {
                            let mut du = T::zero();
                            let mut dv = T::zero();
                            for r in 0..3 {
                                du += k[e][r][d] * T::from_f64(DPHI[r][q][j]);
                                dv += k[e][r][d] * T::from_f64(DPHI[r][q][i]);
                            }
                            advection += velocity[d] * du;
                            diffusion += du * dv;
                        }
                        for c in 0..3 {
                            a[e][3 * i + c][3 * j + c] += dx * (nu * diffusion + advection * v);
                            for d in 0..3 {
                                a[e][3 * i + c][3 * j + d] += dx * gradient[c][d] * v * u;
                            }
                        }
                    }
                    for n in 0..4 {
                        for c in 0..3 {
                            let mut dv = T::zero();
                            for r in 0..3 {
                                dv += k[e][r][c] * T::from_f64(DPHI[r][q][i]);
                            }
                            a[e][3 * i + c][30 + n] -= dx * T::from_f64(PSI[q][n]) * dv;
                            a[e][30 + n][3 * i + c] -= dx * T::from_f64(PSI[q][n]) * dv;
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn every_variant_computes_the_reference() {
    let three = |at: usize| [noise(at), noise(at + 1), noise(at + 2)];
    let k: Vec<[[f64; 3]; 3]> = (0..19)
        .map(|e| [0, 3, 6].map(|r| three(9 * e + r)))
        .collect();
    let det: Vec<f64> = (0..19).map(noise).collect();
    let cell = |e: usize| std::array::from_fn(|i| three(30 * e + 3 * i + 200));
    let flow: Vec<[[f64; 3]; 10]> = (0..19).map(cell).collect();
    agrees!(jacobian(&k, &det, 0.75, &flow), [[0.25; 34]; 34]);
}

#[test]
fn alternatives_are_compared_after_the_same_passes() {
    counted(&jacobian::REPORT, 3, |count| {
        let k = counting(&(0..9 * count).map(noise).collect::<Vec<f64>>());
        let det = counting(&(0..count).map(noise).collect::<Vec<f64>>());
        let flow = counting(&(0..30 * count).map(noise).collect::<Vec<f64>>());
        let mut a = vec![[[Counted::new(0.0); 34]; 34]; count];
        let k = k.as_chunks().0.as_chunks().0;
        let flow = flow.as_chunks().0.as_chunks().0;
        jacobian(k, &det, Counted::new(0.75), flow, &mut a);
    });
    let mut passes = jacobian::REPORT.passes.iter();
    let pass = passes.find(|pass| pass.name == "pre_evaluation").unwrap();
    let decision = pass.decisions[0];
    // What couples velocity and pressure is evaluated, though sharing elimination makes the rest cheaper
    // than code motion alone does.
    let taken = "tables of `dphi * dphi * w`, `dphi * w * psi` alone";
    assert!(decision.starts_with(taken), "{decision}");
}
