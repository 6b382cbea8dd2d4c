//! Integers that are shifted by each number of places, in lanes that have fewer bits than the type of the text: the bits
//! are those of the text.

#![allow(
    dead_code,
    reason = "each variant is called, not the functions that choose one"
)]
#![allow(missing_docs, reason = "kernels of tests")]
#![allow(clippy::too_many_arguments, reason = "an output for each count")]

mod support;

use support::each_variant;

/// A kernel that shifts a value by eight numbers of places.
macro_rules! kernel_of {
    ($name:ident $from:ident $to:ident |$a:ident, $b:ident, $by:ident| $value:expr; $($count:literal $v:ident)*) => {
        loopwright::kernel! {
            #[opt(lanes(i))]
            pub fn $name(x: &[$from], y: &[$from], $($v: &mut [$to]),*) {
                for i in 0..x.len() {
                    let ($a, $b) = (x[i], y[i]);
                    $({
                        let $by = $count;
                        $v[i] = $value;
                    })*
                }
            }
        }
    };
}

/// Kernels for all numbers of places that 32 bits have, and the lanes of registers of 512 bits.
macro_rules! forms {
    ($($name:ident $from:ident $to:ident $lanes:literal: |$a:ident, $b:ident, $by:ident| $value:expr;)*) => {$(
        mod $name {
            kernel_of!(few $from $to |$a, $b, $by| $value; 0 s 1 t 2 u 3 v 4 w 5 p 6 q 7 r);
            kernel_of!(more $from $to |$a, $b, $by| $value; 8 s 9 t 10 u 11 v 12 w 13 p 14 q 15 r);
            kernel_of!(beyond $from $to |$a, $b, $by| $value; 16 s 17 t 18 u 19 v 20 w 21 p 22 q 23 r);
            kernel_of!(far $from $to |$a, $b, $by| $value; 24 s 25 t 26 u 27 v 28 w 29 p 30 q 31 r);

            #[test]
            fn bits_are_those_of_the_text() {
                let (x, y) = super::pairs();
                let narrow = |values: &[i32]| values.iter().map(|value| *value as $from).collect();
                let (x, y): (Vec<$from>, Vec<$from>) = (narrow(&x), narrow(&y));
                super::compare!(few $to $lanes, x, y);
                super::compare!(more $to $lanes, x, y);
                super::compare!(beyond $to $lanes, x, y);
                super::compare!(far $to $lanes, x, y);
            }
        }
    )*};
}

macro_rules! compare {
    ($kernel:ident $to:ident $lanes:literal, $x:ident, $y:ident) => {{
        let report = $kernel::REPORT;
        assert_eq!(report.lanes[0].width, $lanes, "{report}");
        for n in super::SIZES.into_iter().chain([$x.len()]) {
            let (x, y) = (&$x[$x.len() - n..], &$y[$y.len() - n..]);
            let run = |run: &dyn Fn(&mut [Vec<$to>; 8])| {
                let mut all: [Vec<$to>; 8] = std::array::from_fn(|_| vec![3; n]);
                run(&mut all);
                all
            };
            let expected = run(&|[a, b, c, d, e, f, g, h]| {
                $kernel::reference(x, y, a, b, c, d, e, f, g, h);
            });
            super::each_variant($kernel::variants(), |isa| {
                let found = run(&|[a, b, c, d, e, f, g, h]| {
                    $kernel::with(isa, x, y, a, b, c, d, e, f, g, h).unwrap();
                });
                assert_eq!(found, expected, "{isa}, {n} elements");
            });
        }
    }};
}
use compare;

/// Lengths below, at and above those of vectors.
const SIZES: [usize; 9] = [1, 3, 8, 15, 16, 17, 31, 33, 65];

/// Numbers around the ends of types of 8 and 16 bits, each with each.
fn pairs() -> (Vec<i32>, Vec<i32>) {
    let ends = [0, 1, 7, 8, 15, 16].map(|power| 1 << power);
    let ends = ends
        .into_iter()
        .flat_map(|end: i32| [end - 1, end, end + 1, -end, 3 * end / 4]);
    let all: Vec<i32> = ends.collect();
    let pairs = all.iter().flat_map(|x| all.iter().map(|y| (*x, *y)));
    pairs.unzip()
}

forms! {
    differences u8 i16 32: |a, b, by| ((i32::from(a) - i32::from(b)) >> by) as i16;
    signed i8 i16 32: |a, b, by| ((i32::from(a) + i32::from(b)) >> by) as i16;
    sums u8 u16 32: |a, b, by| ((u32::from(a) + u32::from(b)) >> by) as u16;
    products u8 u16 32: |a, b, by| ((u32::from(a) * u32::from(b)) >> by) as u16;
    whole i16 i16 32: |a, b, by| ((i32::from(a) >> by) as i16).min(b);
    natural u16 u16 32: |a, b, by| ((u32::from(a) >> by) as u16).max(b);
    raised i16 i16 32: |a, b, by| (i32::from(a) << by) as i16 ^ b;
    quotients u8 i16 32: |a, b, by| ((i32::from(a) - i32::from(b)) / (1 << (by % 9))) as i16;
    remainders i8 i16 32: |a, b, by| ((i32::from(a) + i32::from(b)) % (1 << (by % 9))) as i16;
}
