//! Rows of each lane, loaded together and transposed: of all short lengths, in each variant, with the bits of the
//! text: all numbers here are small integers, on which no operation rounds.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    dead_code,
    reason = "each variant is called, not the functions that choose one"
)]
#![allow(clippy::needless_range_loop, reason = "texts of kernels")]

mod support;

use support::each_variant;

/// Kernels over rows of a length, and their test.
macro_rules! rows {
    ($($module:ident $number:ident $n:literal)*) => {$(
        mod $module {
            loopwright::kernel! {
                pub fn summed(a: &[[$number; $n]], y: &mut [$number]) {
                    for i in 0..a.len() {
                        let mut s = 0.0;
                        for k in 0..$n {
                            s += a[i][k];
                        }
                        y[i] = s;
                    }
                }

                #[opt(strict)]
                pub fn in_order(a: &[[$number; $n]], b: &[[$number; $n]], y: &mut [$number]) {
                    for i in 0..a.len() {
                        for k in 0..$n {
                            y[i] += a[i][k] * b[i][k];
                        }
                    }
                }

                pub fn ends(a: &[[$number; $n]], y: &mut [$number]) {
                    for i in 0..a.len() {
                        y[i] += a[i][0] * a[i][$n - 1] + a[i][1];
                    }
                }

                pub fn squares(a: &[[[$number; $n]; $n]], y: &mut [[$number; $n]]) {
                    for i in 0..a.len() {
                        for k in 0..$n {
                            for l in 0..$n {
                                y[i][k] += a[i][k][l] - a[i][l][k] * a[i][0][0];
                            }
                        }
                    }
                }
            }

            fn row(at: usize) -> [$number; $n] {
                std::array::from_fn(|k| (($n * at + k) * 29 % 31) as $number - 15.0)
            }

            #[test]
            fn results_are_those_of_the_text() {
                for n in 0..70 {
                    // The ends are those of the allocations: a sanitiser sees what is read behind them.
                    let a: Box<[_]> = (0..n).map(row).collect();
                    let b: Box<[_]> = (0..n).map(|at| row(at + 7)).collect();
                    let squares_of: Box<[[[$number; $n]; $n]]> =
                        (0..n).map(|i| std::array::from_fn(|k| row(3 * i + k))).collect();
                    super::compare!(summed(&a), vec![0.5; n]);
                    super::compare!(in_order(&a, &b), vec![0.5; n]);
                    super::compare!(ends(&a), vec![0.5; n]);
                    super::compare!(squares(&squares_of), vec![[0.5; $n]; n]);
                }
            }
        }
    )*};
}

/// Compares all variants of a kernel with the text.
macro_rules! compare {
    ($kernel:ident($($input:expr),*), $start:expr) => {{
        let mut expected = $start;
        $kernel::reference($($input,)* &mut expected);
        super::each_variant($kernel::variants(), |isa| {
            let mut found = $start;
            $kernel::with(isa, $($input,)* &mut found).unwrap();
            assert_eq!(found, expected, "{isa}");
        });
    }};
}
use compare;

rows! {
    doubles_2 f64 2 doubles_3 f64 3 doubles_4 f64 4 doubles_5 f64 5 doubles_6 f64 6 doubles_7 f64 7
    doubles_8 f64 8 doubles_12 f64 12
    singles_2 f32 2 singles_3 f32 3 singles_4 f32 4 singles_5 f32 5 singles_6 f32 6 singles_7 f32 7
    singles_8 f32 8 singles_12 f32 12
}
