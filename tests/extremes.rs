//! Inputs near the ends of the range: what is finite in the reference is finite, and near to it, at every level. See
//! "What happens to floating point" in the README.

#![allow(missing_docs, reason = "kernels of tests")]

mod support;
use support::each_variant;

/// The kernels of a type under some options.
macro_rules! under {
    ($name:ident, $t:ident: $($options:tt)*) => {
        #[allow(dead_code, reason = "they are run by the names of their variants alone")]
        mod $name {
            loopwright::kernel! {
                /// One divisor for all.
                #[opt($($options)*)]
                pub fn quotients(s: $t, x: &[$t], y: &mut [$t]) {
                    for i in 0..y.len() {
                        y[i] = x[i] / s;
                    }
                }

                /// A divisor for several, which are summed as well.
                #[opt($($options)*)]
                pub fn cells(d: &[$t], x: &[[$t; 9]], y: &mut [[$t; 10]]) {
                    for e in 0..d.len() {
                        for k in 0..9 {
                            y[e][k] = x[e][k] / d[e];
                            y[e][9] += x[e][k] / d[e] * 0.25;
                        }
                    }
                }

                /// Statements with one divisor, which is computed.
                #[opt($($options)*)]
                pub fn inverse(d: &[[$t; 2]], x: &[[$t; 4]], y: &mut [[$t; 4]]) {
                    for e in 0..d.len() {
                        let det = d[e][0] - d[e][1];
                        y[e][0] = x[e][3] / det;
                        y[e][1] = -x[e][1] / det;
                        y[e][2] = -x[e][2] / det;
                        y[e][3] = x[e][0] / det + x[e][0] / det * 0.5;
                    }
                }

                /// A sum that all are divided by.
                #[opt($($options)*)]
                pub fn normalised(x: &mut [$t]) {
                    let mut sum = 0.0;
                    for i in 0..x.len() {
                        sum += x[i];
                    }
                    for i in 0..x.len() {
                        x[i] /= sum;
                    }
                }

                /// Two divisors after each other.
                #[opt($($options)*)]
                pub fn chains(a: $t, b: &[$t], x: &[[$t; 6]], y: &mut [[$t; 6]]) {
                    for e in 0..b.len() {
                        for k in 0..6 {
                            y[e][k] = x[e][k] / b[e] / a;
                        }
                    }
                }

                /// A reciprocal of the text's own, and a literal's.
                #[opt($($options)*)]
                pub fn reciprocals(d: &[$t], x: &[[$t; 6]], y: &mut [[$t; 6]]) {
                    for e in 0..d.len() {
                        let r = 1.0 / d[e];
                        for k in 0..6 {
                            y[e][k] = x[e][k] * r + x[e][k] / 3.0;
                        }
                    }
                }
            }
        }
    };
}

/// Numbers in arrays, as doubles.
trait Flat {
    fn flat(&self, into: &mut Vec<f64>);
}

impl Flat for f64 {
    fn flat(&self, into: &mut Vec<f64>) {
        into.push(*self);
    }
}

impl Flat for f32 {
    fn flat(&self, into: &mut Vec<f64>) {
        into.push((*self).into());
    }
}

impl<T: Flat, const N: usize> Flat for [T; N] {
    fn flat(&self, into: &mut Vec<f64>) {
        self.iter().for_each(|part| part.flat(into));
    }
}

/// What is finite is near to what the reference has.
#[track_caller]
fn assert_near<T: Flat>(found: &[T], expected: &[T], tolerance: f64, what: &str) {
    let numbers = |of: &[T]| {
        let mut all = Vec::new();
        of.iter().for_each(|part| part.flat(&mut all));
        all
    };
    let (found, expected) = (numbers(found), numbers(expected));
    for (found, expected) in found.iter().zip(&expected) {
        let near = (found - expected).abs() <= tolerance * expected.abs();
        assert!(
            near || !expected.is_finite(),
            "{what}: {found:e} for {expected:e}"
        );
    }
}

/// Runs a kernel at all levels.
macro_rules! compare {
    ($kernel:ident, $start:expr, |$out:ident| $arguments:tt) => {
        compare!(@ written $kernel $start, |$out| $arguments);
        compare!(@ one $kernel $start, |$out| $arguments);
        compare!(@ two $kernel $start, |$out| $arguments);
        compare!(@ three $kernel $start, |$out| $arguments);
    };
    (@ $level:ident $kernel:ident $start:expr, |$out:ident| ($($argument:expr),*)) => {
        let mut expected = $start;
        {
            let $out = &mut expected;
            $level::$kernel::reference($($argument),*);
        }
        each_variant($level::$kernel::variants(), |isa| {
            let mut found = $start;
            {
                let $out = &mut found;
                $level::$kernel::with(isa, $($argument),*).unwrap();
            }
            let what = format!("{} {isa:?} {}", stringify!($level), stringify!($kernel));
            super::assert_near(&found, &expected, TOLERANCE, &what);
        });
    };
}

/// The tests of a type.
macro_rules! extremes {
    ($module:ident, $t:ident, $tolerance:expr) => {
        mod $module {
            use super::each_variant;

            under!(written, $t: level = 0);
            under!(one, $t: level = 1);
            under!(two, $t: level = 2);
            under!(three, $t: level = 3);

            const TOLERANCE: f64 = $tolerance;
            const SMALL: [$t; 4] = [
                $t::from_bits(1),
                $t::from_bits(977),
                $t::MIN_POSITIVE / 3.7,
                $t::MIN_POSITIVE / 16.0,
            ];
            const OTHERS: [$t; 5] = [$t::MIN_POSITIVE, 1e-30, 0.7, 1e30, $t::MAX];

            /// Divisors of all sizes and both signs.
            fn divisors() -> Vec<$t> {
                let all = SMALL.iter().chain(&OTHERS);
                all.flat_map(|d| [*d, -*d]).collect()
            }

            /// Dividends of a divisor, whose quotients are near one.
            fn dividends<const N: usize>(d: $t) -> [$t; N] {
                std::array::from_fn(|k| d * [0.5, -0.9, 0.25, 0.125, 0.75, -0.5, 0.6][k % 7])
            }

            #[test]
            fn quotients_stay_finite() {
                for d in divisors() {
                    let x = dividends::<21>(d);
                    compare!(quotients, [0.0; 21], |y| (d, &x, y));
                    let x = x.map(|x| x.abs() / 16.0);
                    compare!(normalised, x, |x| (x));
                }
                let d = divisors();
                let x: Vec<[$t; 9]> = d.iter().map(|d| dividends(*d)).collect();
                compare!(cells, vec![[0.0; 10]; d.len()], |y| (&d, &x, y));
                let x: Vec<[$t; 4]> = d.iter().map(|d| dividends(*d)).collect();
                let pairs: Vec<[$t; 2]> = d.iter().map(|d| [*d, 0.0]).collect();
                compare!(inverse, vec![[0.0; 4]; d.len()], |y| (&pairs, &x, y));
                let x: Vec<[$t; 6]> = d.iter().map(|d| dividends(*d)).collect();
                compare!(reciprocals, vec![[0.0; 6]; d.len()], |y| (&d, &x, y));
                for a in [0.75, -2.0, 1e-3] {
                    compare!(chains, vec![[0.0; 6]; d.len()], |y| (a, &d, &x, y));
                }
            }
        }
    };
}

extremes!(double, f64, 1e-13);
extremes!(single, f32, 2e-6);
