//! Integers next to each other become numbers in vectors: from each type, by way of each type, to `f64`
//! and `f32`, also where `f32` takes a part of the register, with the bits of the text.

#![allow(
    dead_code,
    reason = "each variant is called, not the functions that choose one"
)]
#![allow(missing_docs, reason = "kernels of tests")]
#![allow(clippy::unnecessary_cast, reason = "of each type to each type")]
#![allow(clippy::too_many_arguments, reason = "an output for each type")]

mod support;

use support::each_variant;

/// A kernel with an output for each type by way of which integers are converted.
macro_rules! kernel_of {
    ($name:ident, $from:ident, $to:ident $(, $more:ident)?) => {
        loopwright::kernel! {
            pub fn $name(
                m: &[$from],
                u8s: &mut [$to], i8s: &mut [$to], u16s: &mut [$to], i16s: &mut [$to],
                u32s: &mut [$to], i32s: &mut [$to], u64s: &mut [$to], i64s: &mut [$to],
                usizes: &mut [$to], isizes: &mut [$to], $($more: &mut [f64],)?
            ) {
                for i in 0..m.len() {
                    u8s[i] = m[i] as u8 as $to;
                    i8s[i] = m[i] as i8 as $to;
                    u16s[i] = m[i] as u16 as $to;
                    i16s[i] = m[i] as i16 as $to;
                    u32s[i] = m[i] as u32 as $to;
                    i32s[i] = m[i] as i32 as $to;
                    u64s[i] = m[i] as u64 as $to;
                    i64s[i] = m[i] as i64 as $to;
                    usizes[i] = m[i] as i16 as usize as $to;
                    isizes[i] = m[i] as u32 as i8 as isize as $to;
                    $($more[i] = m[i] as f64;)?
                }
            }
        }
    };
}

/// The kernels of each type, and the test that runs them.
macro_rules! types {
    ($($from:ident)*) => {$(
        mod $from {
            kernel_of!(doubles, $from, f64);
            kernel_of!(singles, $from, f32);
            // As many lanes as the result in `f64` has.
            kernel_of!(halves, $from, f32, more);

            #[test]
            fn numbers_have_the_bits_of_the_text() {
                for report in [&doubles::REPORT, &singles::REPORT, &halves::REPORT] {
                    assert!(report.notes.is_empty(), "{report}");
                    let mut decisions = report.passes.iter().flat_map(|pass| pass.decisions);
                    assert!(decisions.any(|d| d.contains("lanes over `i`")), "{report}");
                }
                let all: Vec<$from> = super::values().map(|value| value as $from).collect();
                for n in super::SIZES.into_iter().chain([all.len()]) {
                    // The end is that of the allocation: a sanitiser sees what is read behind it.
                    let m: Box<[$from]> = all[all.len() - n..].into();
                    super::compare!(doubles, m, f64);
                    super::compare!(singles, m, f32);
                    super::compare!(halves, m, f32, more);
                }
            }
        }
    )*};
}

/// Compares all variants of a kernel with the text, bit by bit.
macro_rules! compare {
    ($kernel:ident, $m:ident, $to:ident $(, $more:ident)?) => {{
        let run = |run: &dyn Fn(&mut [Vec<$to>; 10], &mut Vec<f64>)| {
            let mut outputs: [Vec<$to>; 10] = std::array::from_fn(|_| vec![0.5; $m.len()]);
            let mut wide = vec![0.5; $m.len()];
            run(&mut outputs, &mut wide);
            let bits = outputs.map(|output| output.iter().map(|x| x.to_bits()).collect::<Vec<_>>());
            (bits, wide.iter().map(|x| x.to_bits()).collect::<Vec<_>>())
        };
        let expected = run(&|[a, b, c, d, e, f, g, h, i, j], _wide| {
            $(let $more = _wide;)?
            $kernel::reference(&$m, a, b, c, d, e, f, g, h, i, j, $($more)?);
        });
        super::each_variant($kernel::variants(), |isa| {
            let found = run(&|[a, b, c, d, e, f, g, h, i, j], _wide| {
                $(let $more = _wide;)?
                $kernel::with(isa, &$m, a, b, c, d, e, f, g, h, i, j, $($more)?).unwrap();
            });
            assert_eq!(found, expected, "{isa}, {} elements", $m.len());
        });
    }};
}
use compare;

/// Lengths below, at and above those of vectors.
const SIZES: [usize; 12] = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17];

/// Values at and around powers of two, half way between two numbers of either type, just beside that,
/// and some that look random.
fn values() -> impl Iterator<Item = i64> {
    let powers = (0..64).flat_map(|k| {
        let power = 1_i64 << k;
        let units = [24_i64, 53].into_iter().flat_map(move |bits| {
            let half = (k >= bits).then(|| 1_i64 << (k - bits));
            half.into_iter().flat_map(move |half| {
                [1, 2, 3].into_iter().flat_map(move |halves| {
                    let middle = power.wrapping_add(half * halves);
                    [-1, 0, 1].map(move |by| middle.wrapping_add(by))
                })
            })
        });
        let around = [-2, -1, 0, 1, 2].map(move |by| power.wrapping_add(by));
        around.into_iter().chain(units)
    });
    let random = (1..200_i64).map(|k| {
        let mixed = k.wrapping_mul(0x5DEE_CE66_D5DE_ECE5);
        (mixed ^ mixed >> 29) >> (k % 61)
    });
    let all = powers.chain(random);
    all.flat_map(|value| [value, value.wrapping_neg(), !value])
}

types! { u8 i8 u16 i16 u32 i32 u64 i64 usize isize }
