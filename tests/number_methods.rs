//! Methods of numbers that are a few instructions, or several operations: to the bits of the standard library,
//! in every variant, also where numbers are halves, zeros, infinite or none.

#![allow(missing_docs, dead_code, reason = "kernels of tests")]
#![allow(
    clippy::excessive_precision,
    reason = "the number before a half in one type, in a text for both"
)]

mod support;

use support::each_variant;

/// A number from outside.
const GRAVITY: f64 = 9.81;
/// A number of the same name as one that a module has.
const STEPS: usize = 3;

macro_rules! methods {
    ($name:ident, $float:ident, $($options:tt)*) => {
        mod $name {
            loopwright::kernel! {
                use std::$float::consts::{PI, TAU};

                #[opt($($options)*)]
                pub fn kernel(low: $float, high: $float, x: &[$float], y: &[$float], r: &mut [[$float; 18]]) {
                    const N: usize = 3;
                    const H: $float = 1.0 / N as $float;
                    for i in 0..r.len() {
                        let (a, b) = (x[i], y[i]);
                        r[i] = [
                            a.round(),
                            a.round_ties_even(),
                            a.trunc(),
                            a.fract(),
                            a.signum(),
                            a.copysign(b),
                            a.rem_euclid(b),
                            a.div_euclid(b),
                            a % b,
                            a.clamp(low, high),
                            a.clamp(-1.0, 1.0),
                            a.to_radians() * H,
                            a.to_degrees() * PI,
                            if a.is_nan() { 1.0 } else { b },
                            if !a.is_finite() { TAU } else { a },
                            if a.is_infinite() || b.is_nan() { 1.0 } else { 2.0 },
                            if a.is_sign_negative() { -b } else { b },
                            $float::from(a > b) + $float::MAX.recip() + if a.is_sign_positive() { 1.0 } else { 0.0 },
                        ];
                    }
                }
            }

            #[test]
            fn bits_are_those_of_the_text() {
                use super::support::each_variant;

                let special: [$float; 24] = [
                    0.0, -0.0, 0.5, -0.5, 0.499_999_999_999_999_94, -0.499_999_97, 1.5, -1.5, 2.5, -2.5,
                    4503599627370495.5, 8388607.5, -8388609.0, 1e30, -1e30, 3.25, -3.75, 1e-30,
                    $float::INFINITY, $float::NEG_INFINITY, $float::NAN, $float::MAX, $float::MIN_POSITIVE, 7.0,
                ];
                let x: Vec<$float> = special.iter().flat_map(|x| [*x; 24]).collect();
                let y: Vec<$float> = special.iter().cycle().take(x.len()).copied().collect();
                let mut expected = vec![[0.0; 18]; x.len()];
                kernel::reference(-2.0, 3.0, &x, &y, &mut expected);
                each_variant(kernel::variants(), |isa| {
                    let mut found = vec![[0.0; 18]; x.len()];
                    kernel::with(isa, -2.0, 3.0, &x, &y, &mut found).unwrap();
                    for (i, (expected, found)) in expected.iter().zip(&found).enumerate() {
                        for (at, (e, f)) in expected.iter().zip(found).enumerate() {
                            let same = e.to_bits() == f.to_bits() || e.is_nan() && f.is_nan() || *e == 0.0 && *f == 0.0;
                            assert!(same, "{isa:?}, {at} of {} and {}: {e} and {f}", x[i], y[i]);
                        }
                    }
                });
                assert!(format!("{}", kernel::REPORT).contains("lanes"), "{}", kernel::REPORT);
            }

            #[test]
            fn bounds_out_of_order_panic() {
                let run = std::panic::catch_unwind(|| kernel(3.0, -2.0, &[1.0; 9], &[1.0; 9], &mut [[0.0; 18]; 9]));
                assert!(run.is_err());
            }
        }
    };
}

methods! { double, f64, level = 1 }
methods! { single, f32, level = 1 }
methods! { strict, f64, strict }

mod from_outside {
    use super::{GRAVITY, STEPS};

    loopwright::kernel! {
        use std::f64::consts::FRAC_PI_2 as QUARTER;

        pub fn fall(t: &[f64], z: &mut [f64]) {
            for (z, t) in z.iter_mut().zip(t) {
                *z -= half() * t * t + QUARTER - crate::GRAVITY / STEPS as f64;
            }
        }

        fn half() -> f64 {
            0.5 * GRAVITY
        }

        pub fn smooth(x: &mut [f64]) -> f64 {
            let mut largest = f64::NEG_INFINITY;
            for i in 0..STEPS {
                largest = largest.max(x[i * STEPS]);
                x[i] *= 0.5;
            }
            largest
        }

        /// Parameters that are made of others.
        pub fn several((a, b): (f64, f64), mut scale: f64, w: [f64; 3], at: (usize, [f64; 2]), x: &mut [f64]) {
            scale *= 2.0;
            let [first, _] = [w[0], w[1]];
            for i in at.0..x.len() {
                x[i] = (a * x[i] + b) * scale + first + w[2] * at.1[1] + pair((a, b));
            }
        }

        fn pair(p: (f64, f64)) -> f64 {
            p.0 - p.1
        }
    }

    #[test]
    fn numbers_from_outside_are_parameters() {
        let report = format!("{}", fall::REPORT);
        assert!(report.contains("lanes"), "{report}");
        let t: Vec<f64> = (0..50).map(f64::from).collect();
        let (mut z, mut expected) = (t.clone(), t.clone());
        fall(&t, &mut z);
        fall::reference(&t, &mut expected);
        for (z, expected) in z.iter().zip(&expected) {
            assert!((z - expected).abs() < 1e-9 * expected.abs());
        }
        let (mut x, mut y) = (t.clone(), t.clone());
        assert_eq!(smooth(&mut x), smooth::reference(&mut y));
        assert_eq!(x, y);
    }
}

#[test]
fn constants_of_the_module_are_used() {
    assert_eq!(STEPS, 3);
    each_variant(from_outside::fall::variants(), |isa| {
        let mut z = [1.0];
        from_outside::fall::with(isa, &[2.0], &mut z).unwrap();
        let expected = 1.0 - (0.5 * GRAVITY * 4.0 + std::f64::consts::FRAC_PI_2 - GRAVITY / 3.0);
        assert!((z[0] - expected).abs() < 1e-12);
    });
}

#[test]
fn parameters_made_of_others() {
    use from_outside::several;
    let report = format!("{}", several::REPORT);
    assert!(report.contains("lanes"), "{report}");
    let x: Vec<f64> = (0..50).map(f64::from).collect();
    each_variant(several::variants(), |isa| {
        let (mut found, mut expected) = (x.clone(), x.clone());
        let arguments = ((0.5, 2.0), 3.0, [1.0, 2.0, 3.0], (4, [5.0, 6.0]));
        let (p, s, w, at) = arguments;
        several::with(isa, p, s, w, at, &mut found).unwrap();
        several::reference(p, s, w, at, &mut expected);
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-9 * (1.0 + expected.abs()));
        }
    });
}

loopwright::kernel! {
    #[opt(require_lanes)]
    pub fn moments(w: &mut [f32], g: &[f32], m: &mut [f32], t: i32) {
        let c = 1.0 - 0.9f32.powi(t);
        for i in 0..w.len() {
            m[i] = 0.9 * m[i] + 0.1 * g[i];
            w[i] -= 0.01 * m[i] / c;
        }
    }
    pub fn raised(x: &mut [f64], n: i32, exponents: &[i32]) {
        for i in 0..x.len() {
            x[i] = x[i].powi(n) + 0.5f64.powi(exponents[i]);
        }
    }
}

#[test]
fn powers_are_what_a_call_says() {
    each_variant(raised::variants(), |isa| {
        for (n, power) in [
            (0, 3),
            (1, -2),
            (37, 0),
            (70, i32::MAX),
            (70, i32::MIN),
            (9, 7),
        ] {
            let x: Vec<f64> = (0..n).map(|i| 0.25 * f64::from(i) - 3.0).collect();
            let exponents: Vec<i32> = (0..n).map(|i| i * i * 100_003 - 40 * i).collect();
            let (mut found, mut expected) = (x.clone(), x.clone());
            raised::with(isa, &mut found, power, &exponents).unwrap();
            raised::reference(&mut expected, power, &exponents);
            assert!(
                found
                    .iter()
                    .zip(&expected)
                    .all(|(a, b)| a.to_bits() == b.to_bits())
            );
            let g: Vec<f32> = x.iter().map(|x| *x as f32).collect();
            let (mut w, mut m, mut v, mut o) = (g.clone(), g.clone(), g.clone(), g.clone());
            moments::with(isa, &mut w, &g, &mut m, power).unwrap();
            moments::reference(&mut v, &g, &mut o, power);
            let near = |(a, b): (&f32, &f32)| {
                a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-5 * (1.0 + b.abs())
            };
            assert!(w.iter().zip(&v).all(near), "{power} {w:?} {v:?}");
            assert!(m.iter().zip(&o).all(near));
        }
    });
}
