//! Bits that are counted, of every type of integers: in lanes, one value after the other, and in sums.

#![allow(missing_docs, dead_code, reason = "kernels of tests")]

mod support;

use support::each_variant;

/// The kernels of each type, and the test that compares them with the methods of the standard library.
macro_rules! types {
    ($($ty:ident)*) => {$(
        mod $ty {
            loopwright::kernel! {
                pub fn counts(x: &[$ty], ones: &mut [u32], zeros: &mut [u32], above: &mut [u32], below: &mut [u32]) {
                    for i in 0..x.len() {
                        ones[i] = x[i].count_ones();
                        zeros[i] = x[i].count_zeros();
                        above[i] = x[i].leading_zeros();
                        below[i] = x[i].trailing_zeros();
                    }
                }

                pub fn of_ones(x: &[$ty], above: &mut [u8], below: &mut [u8]) {
                    for ((a, b), v) in above.iter_mut().zip(below.iter_mut()).zip(x) {
                        *a = v.leading_ones() as u8;
                        *b = v.trailing_ones() as u8;
                    }
                }

                pub fn total(x: &[$ty], y: &[$ty]) -> u32 {
                    x.iter().zip(y).map(|(x, y)| (x ^ y).count_ones()).sum()
                }
            }

            fn values() -> Vec<$ty> {
                let shifted = (0..$ty::BITS).map(|by| $ty::MAX >> by);
                let mixed = (0..40_u64).map(|at| (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (at % 50)) as $ty);
                shifted.chain(mixed).chain([0, 1, $ty::MIN, $ty::MAX]).collect()
            }

            #[test]
            fn are_those_of_the_standard_library() {
                let x = values();
                for n in [0, 1, 3, 7, 16, 17, x.len()] {
                    let x = &x[..n];
                    let y: Vec<$ty> = x.iter().rev().copied().collect();
                    let of = |count: fn($ty) -> u32| -> Vec<u32> { x.iter().map(|v| count(*v)).collect() };
                    super::each_variant(counts::variants(), |isa| {
                        let [mut ones, mut zeros, mut above, mut below] = [(); 4].map(|()| vec![9; n]);
                        counts::with(isa, x, &mut ones, &mut zeros, &mut above, &mut below).unwrap();
                        assert_eq!(ones, of($ty::count_ones), "{isa}");
                        assert_eq!(zeros, of($ty::count_zeros), "{isa}");
                        assert_eq!(above, of($ty::leading_zeros), "{isa}");
                        assert_eq!(below, of($ty::trailing_zeros), "{isa}");
                    });
                    super::each_variant(of_ones::variants(), |isa| {
                        let [mut above, mut below] = [(); 2].map(|()| vec![9_u8; n]);
                        of_ones::with(isa, x, &mut above, &mut below).unwrap();
                        assert!(above.iter().map(|a| u32::from(*a)).eq(of($ty::leading_ones)), "{isa}");
                        assert!(below.iter().map(|b| u32::from(*b)).eq(of($ty::trailing_ones)), "{isa}");
                    });
                    super::each_variant(total::variants(), |isa| {
                        let expected: u32 = x.iter().zip(&y).map(|(x, y)| (x ^ y).count_ones()).sum();
                        assert_eq!(total::with(isa, x, &y).unwrap(), expected, "{isa}");
                    });
                }
            }
        }
    )*};
}

types! { u8 u16 u32 u64 usize i8 i16 i32 i64 isize }
