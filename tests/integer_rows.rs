//! Rows of integers that each lane adds up, loaded together and taken apart: of all short lengths and types, widened,
//! wrapping around and folded, in each variant, with the bits of the text.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    dead_code,
    reason = "each variant is called, not the functions that choose one"
)]

mod support;

use support::each_variant;

/// Kernels over rows of a length, and their test.
macro_rules! rows {
    ($($module:ident $narrow:ident $wide:ident $n:literal)*) => {$(
        mod $module {
            loopwright::kernel! {
                pub fn widened(a: &[[$narrow; $n]], y: &mut [$wide]) {
                    for (a, y) in a.iter().zip(y.iter_mut()) {
                        *y = a.iter().map(|&v| $wide::from(v)).sum();
                    }
                }

                pub fn weighted(a: &[[$narrow; $n]], w: &[$narrow; $n], y: &mut [$wide]) {
                    for (a, y) in a.iter().zip(y.iter_mut()) {
                        *y = a.iter().zip(w).map(|(&a, &w)| $wide::from(a).wrapping_mul($wide::from(w)))
                            .fold(0, |s: $wide, v| s.wrapping_add(v));
                    }
                }

                pub fn wrapping(a: &[[$wide; $n]], y: &mut [$wide]) {
                    for (a, y) in a.iter().zip(y.iter_mut()) {
                        *y = a.iter().fold(3, |s: $wide, v| s.wrapping_add(*v));
                    }
                }

                pub fn cut(a: &[[$wide; $n]], y: &mut [u16]) {
                    for (a, y) in a.iter().zip(y.iter_mut()) {
                        *y = a.iter().fold(5, |s: u16, v| s.wrapping_mul(31).wrapping_add(*v as u16));
                    }
                }

                pub fn every_other(a: &[$wide], y: &mut [u16]) {
                    for i in 0..y.len() {
                        y[i] = y[i].wrapping_add((a[2 * i] as u16).wrapping_mul(a[2 * i] as u16));
                    }
                }

                pub fn odd(a: &[$wide], y: &mut [u8]) {
                    for i in 0..y.len() {
                        y[i] = y[i].max(a[2 * i + 1] as u8);
                    }
                }

                pub fn mixed(a: &[[$narrow; $n]], y: &mut [$narrow], z: &mut [$wide]) {
                    for i in 0..a.len() {
                        y[i] = a[i].iter().fold(17, |s: $narrow, v| s.wrapping_mul(31) ^ *v);
                        z[i] = $wide::from(a[i][$n - 1]) + $wide::from(a[i][0]);
                    }
                }

                pub fn largest(a: &[[$narrow; $n]], y: &mut [$narrow]) {
                    for (a, y) in a.iter().zip(y.iter_mut()) {
                        *y = a.iter().fold($narrow::MIN, |s, v| s.max(*v));
                    }
                }

                pub fn numbers(a: &[[$narrow; $n]], y: &mut [f64]) {
                    for (a, y) in a.iter().zip(y.iter_mut()) {
                        let mut s = 0.5;
                        for v in a {
                            s += f64::from(*v);
                        }
                        *y = s;
                    }
                }
            }

            #[test]
            fn results_are_those_of_the_text() {
                for n in 0..70 {
                    // The ends are those of the allocations: a sanitiser sees what is read behind them.
                    let row = |at: usize| -> [u64; $n] {
                        std::array::from_fn(|k| (($n * at + k) as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
                    };
                    let a: Box<[[$narrow; $n]]> = (0..n).map(|at| row(at).map(|v| v as $narrow)).collect();
                    let wide: Box<[[$wide; $n]]> = (0..n).map(|at| row(at).map(|v| v as $wide)).collect();
                    let w: [$narrow; $n] = row(99).map(|v| v as $narrow);
                    super::compare!(widened(&a), vec![7; n]);
                    super::compare!(weighted(&a, &w), vec![7; n]);
                    super::compare!(wrapping(&wide), vec![7; n]);
                    super::compare!(cut(&wide), vec![7; n]);
                    let flat: Vec<$wide> = wide.iter().flatten().copied().collect();
                    super::compare!(every_other(&flat), vec![7; flat.len() / 2]);
                    super::compare!(odd(&flat), vec![7; flat.len() / 2]);
                    super::compare!(largest(&a), vec![7; n]);
                    super::compare!(numbers(&a), vec![0.0; n]);
                    let (mut y, mut z) = (vec![0; n], vec![0; n]);
                    mixed::reference(&a, &mut y, &mut z);
                    super::each_variant(mixed::variants(), |isa| {
                        let (mut own, mut other) = (vec![0; n], vec![0; n]);
                        mixed::with(isa, &a, &mut own, &mut other).unwrap();
                        assert_eq!((own, other), (y.clone(), z.clone()), "{isa}");
                    });
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
            assert_eq!(found, expected, "{isa} {}", expected.len());
        });
    }};
}
use compare;

rows! {
    signed_2 i32 i64 2 signed_3 i32 i64 3 signed_4 i32 i64 4 signed_5 i32 i64 5 signed_6 i32 i64 6
    signed_7 i32 i64 7 signed_8 i32 i64 8 signed_12 i32 i64 12 signed_16 i32 i64 16
    natural_3 u32 u64 3 natural_4 u32 u64 4 natural_6 u32 u64 6 natural_8 u32 u64 8 natural_9 u32 u64 9
    short_3 i16 i32 3 short_4 i16 i32 4 bytes_3 u8 u32 3 bytes_8 u8 u32 8
}
