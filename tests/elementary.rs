//! Elementary functions in kernels: of all lanes at once at levels 2 and 3, within the errors that are
//! documented, and to the bits of the standard library at level 1 and under `strict`.

#![allow(missing_docs, dead_code, reason = "kernels of tests")]

mod support;

use loopwright::Isa;
use support::each_variant;

/// The functions under some options.
macro_rules! under {
    ($name:ident: $($options:tt)*) => {
        mod $name {
            use loopwright::Real;

            loopwright::kernel! {
                #[opt($($options)*)]
                pub fn double(x: &[f64], y: &[f64], r: &mut [[f64; 22]]) {
                    for e in 0..x.len() {
                        let (a, b) = (x[e], y[e]);
                        let (s, c) = a.sin_cos();
                        r[e] = [
                            a.exp(), a.exp2(), a.exp_m1(), a.ln(), a.ln_1p(), a.log2(), a.log10(),
                            s, c, a.tan(), a.asin(), a.acos(), a.atan(), a.atan2(b), a.sinh(),
                            a.cosh(), a.tanh(), a.cbrt(), a.hypot(b), a.powf(b), a.powi(-37),
                            a.powi(21),
                        ];
                    }
                }

                #[opt($($options)*)]
                pub fn generic<T: Real>(x: &[T], y: &[T], r: &mut [T], q: &mut [T]) {
                    for i in 0..x.len() {
                        r[i] = x[i].exp_m1().atan2(y[i].sin());
                        q[i] = y[i].powf(x[i].cos());
                    }
                }

                /// Beside `f64`, in a part of a register.
                #[opt($($options)*)]
                pub fn mixed(x: &[f32], y: &[f64], r: &mut [f64]) {
                    for i in 0..x.len() {
                        r[i] = x[i].tanh() as f64 + y[i].ln();
                    }
                }

                /// Both branches are computed.
                #[opt($($options)*)]
                pub fn chosen(x: &[f64], r: &mut [f64]) {
                    for i in 0..x.len() {
                        r[i] = if x[i] > 0.0 { x[i].ln() } else { x[i].sin() };
                    }
                }
            }
        }
    };
}

under!(strict: level = 3, strict);
under!(level1: level = 1);
under!(level2: level = 2);
under!(level3: level = 3);

/// Numbers of all kinds.
fn arguments(count: usize, seed: usize) -> Vec<f64> {
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        5e-324,
        1e-300,
        1e300,
        1e15,
        -745.0,
        710.0,
    ];
    let number = |at: usize| match (at + seed) % 5 {
        0 => special[(at / 5 * (seed + 1)) % special.len()],
        1 => support::noise(at + 100 * seed),
        2 => 10.0 * support::noise(at + 100 * seed),
        3 => 300.0 * support::noise(at + 100 * seed),
        _ => support::noise(at + 100 * seed).abs() * 3.0,
    };
    (0..count).map(number).collect()
}

/// Equal up to so many units, with the same sign; not a number both.
fn is_near(a: f64, b: f64, ulps: u64) -> bool {
    let same = a.is_sign_negative() == b.is_sign_negative();
    (a.is_nan() && b.is_nan()) || same && a.to_bits().abs_diff(b.to_bits()) <= ulps
}

const COUNTS: [usize; 7] = [0, 1, 3, 8, 17, 64, 157];

macro_rules! compare {
    ($module:ident, $ulps:expr) => {
        for count in COUNTS {
            let (x, y) = (arguments(count, 0), arguments(count, 3));
            let mut expected = vec![[0.0; 22]; count];
            $module::double::reference(&x, &y, &mut expected);
            each_variant($module::double::variants(), |isa| {
                let mut found = vec![[0.0; 22]; count];
                $module::double::with(isa, &x, &y, &mut found).unwrap();
                for (e, (found, expected)) in found.iter().zip(&expected).enumerate() {
                    for (k, (a, b)) in found.iter().zip(expected).enumerate() {
                        let ulps = if isa == Isa::Scalar { 0 } else { $ulps };
                        assert!(
                            is_near(*a, *b, ulps),
                            "{isa} {k} of {} {}: {a:e} {b:e}",
                            x[e],
                            y[e]
                        );
                    }
                }
            });
            let mut expected = vec![0.0; count];
            $module::chosen::reference(&x, &mut expected);
            each_variant($module::chosen::variants(), |isa| {
                let mut found = vec![0.0; count];
                $module::chosen::with(isa, &x, &mut found).unwrap();
                let near = found
                    .iter()
                    .zip(&expected)
                    .all(|(a, b)| is_near(*a, *b, $ulps));
                assert!(near, "{isa}: {found:?}");
            });
        }
    };
}

#[test]
fn levels_2_and_3_are_near_the_standard_library() {
    // Up to 2.5 units each way, and 1 of the standard library.
    compare!(level2, 4);
    compare!(level3, 4);
}

#[test]
fn strict_and_level_1_have_the_bits_of_the_standard_library() {
    compare!(strict, 0);
    compare!(level1, 0);
}

macro_rules! in_turn {
    ($module:ident, $number:ident, $tolerance:expr) => {
        for count in COUNTS {
            let x: Vec<$number> = (0..count).map(|i| support::noise(i) as $number).collect();
            let y: Vec<$number> = x.iter().rev().map(|x| x + 2.0).collect();
            let mut expected = [vec![0.0; count], vec![0.0; count]];
            let [r, q] = &mut expected;
            $module::generic::reference(&x, &y, r, q);
            each_variant($module::generic::variants(), |isa| {
                let mut found = [vec![0.0; count], vec![0.0; count]];
                let [r, q] = &mut found;
                $module::generic::with(isa, &x, &y, r, q).unwrap();
                for (a, b) in found.iter().flatten().zip(expected.iter().flatten()) {
                    assert!(
                        (a - b).abs() <= $tolerance * (1.0 + b.abs()),
                        "{isa}: {a} {b}"
                    );
                }
            });
        }
    };
}

#[test]
fn generic_kernels_take_them_too() {
    in_turn!(level3, f64, 2e-15);
    in_turn!(level3, f32, 1e-6);
    in_turn!(strict, f64, 0.0);
    in_turn!(strict, f32, 0.0);
}

#[test]
fn singles_beside_doubles() {
    for count in COUNTS {
        let x: Vec<f32> = (0..count).map(|i| 3.0 * support::noise(i) as f32).collect();
        let y: Vec<f64> = (0..count).map(|i| 2.0 + support::noise(i)).collect();
        let mut expected = vec![0.0; count];
        level3::mixed::reference(&x, &y, &mut expected);
        each_variant(level3::mixed::variants(), |isa| {
            let mut found = vec![0.0; count];
            level3::mixed::with(isa, &x, &y, &mut found).unwrap();
            for (a, b) in found.iter().zip(&expected) {
                assert!((a - b).abs() <= 2e-7, "{isa}: {a} {b}");
            }
        });
    }
}
