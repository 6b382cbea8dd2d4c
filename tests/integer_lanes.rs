//! Integers next to each other become numbers in vectors: from each type, by way of each type, to `f64`
//! and `f32`, also where `f32` takes a part of the register, with the bits of the text. Where 8 or 16 bits suffice, integers
//! are computed with in lanes of these.

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

/// Kernels of grids whose integers need few bits, from one type to another, and the lanes that registers of 512 bits have.
macro_rules! few_bits {
    ($($name:ident $from:ident $to:ident $lanes:literal: |$at:ident, $a:ident, $m:ident, $v:ident| $value:expr;)*) => {$(
        mod $name {
            loopwright::kernel! {
                pub fn $name(n: usize, $m: usize, $a: &[$from], $v: &mut [$to]) {
                    for i in 1..n - 1 {
                        for j in 1..$m - 1 {
                            let $at = i * $m + j;
                            $v[$at] = $value;
                        }
                    }
                }
            }

            #[test]
            fn values_are_those_of_the_text() {
                let report = $name::REPORT;
                assert_eq!(report.lanes[0].width, $lanes, "{report}");
                assert_eq!(report.lanes[1].width, $lanes / 2, "{report}");
                let all: Vec<$from> = super::values().map(|value| value as $from).collect();
                for m in super::WIDTHS {
                    let n = 5;
                    // The end is that of the allocation: a sanitiser sees what is read behind it.
                    let a: Box<[$from]> = all.iter().copied().cycle().skip(m).step_by(7).take(n * m).collect();
                    let mut expected: Box<[$to]> = vec![3; n * m].into();
                    $name::reference(n, m, &a, &mut expected);
                    super::each_variant($name::variants(), |isa| {
                        let mut v: Box<[$to]> = vec![3; n * m].into();
                        $name::with(isa, n, m, &a, &mut v).unwrap();
                        assert_eq!(v, expected, "{isa}, rows of {m}");
                    });
                }
            }
        }
    )*};
}

/// Rows that leave parts of vectors of all sizes.
const WIDTHS: [usize; 10] = [2, 3, 5, 18, 34, 35, 66, 67, 130, 165];

few_bits! {
    eroded u8 u8 64: |at, a, m, v| a[at].min(a[at - 1]).min(a[at + 1]).min(a[at - m]).min(a[at + m]);
    widest i8 i8 64: |at, a, m, v| a[at - m - 1].max(a[at - m]).max(a[at - m + 1]).max(a[at + 1]);
    wrapped u8 u8 64: |at, a, m, v| a[at].wrapping_add(a[at - 1]).wrapping_sub(a[at + m]).wrapping_add(7);
    marked u8 u8 64: |at, a, m, v| {
        let (x, y, z) = (a[at], a[at - m], a[at + 1]);
        let other = z & 0x5a | x ^ y;
        if x > y { x } else if x == 3 { y } else { other }
    };
    signs i8 i8 64: |at, a, m, v| {
        let (x, y, z) = (a[at], a[at - m], a[at + m]);
        if x < 3 && y > -7 { z } else { -1 }
    };
    embossed u8 u8 32: |at, a, m, v| {
        let s = 2 * a[at - m - 1] as i32 - 3 * a[at] as i32 + a[at + 1] as i32 + a[at + m] as i32;
        s.clamp(0, 255) as u8
    };
    smoothed u8 u8 32: |at, a, m, v| {
        let s = a[at - 1] as u32 + 2 * a[at] as u32 + a[at + 1] as u32 + 4 * a[at - m] as u32;
        ((s + 4) >> 3) as u8
    };
    weighed u8 u16 32: |at, a, m, v| 77 * a[at - m] as u16 + 150 * a[at] as u16 + 29 * a[at + m] as u16;
    steep i8 i16 32: |at, a, m, v| (a[at + 1] as i16 - a[at - 1] as i16) * (a[at + m] as i16 >> 1);
    apart u8 u8 32: |at, a, m, v| a[at].abs_diff(a[at - 1]).max(a[at + m].abs_diff(a[at - m]));
    depths u16 u16 32: |at, a, m, v| a[at].min(a[at - 1]).max(a[at - m]).wrapping_add(a[at + m]);
    blended u8 u8 32: |at, a, m, v| ((3 * a[at] as u32 + v[at] as u32 + 2) >> 2) as u8;
    kept i16 i16 32: |at, a, m, v| v[at].max(a[at - m]).min(a[at + 1]);
    turned i16 u8 32: |at, a, m, v| (a[at].wrapping_mul(a[at - m]) >> 4) as u8;
}

loopwright::kernel! {
    /// Values that are read after their places were written.
    pub fn exchanged(p: &mut [(i16, i16)]) {
        for (a, b) in p.iter_mut() {
            let t = a.wrapping_sub(*b);
            *b = a.saturating_add(*b);
            *a = t;
        }
    }

    /// What was written is read back.
    pub fn read_back(x: &[u8], y: &[u8], z: &mut [u8]) {
        for i in 0..z.len() {
            z[i] = ((x[i] as u16 + y[i] as u16 + 1) >> 1) as u8;
            z[i] = z[i].max(x[i] & y[i]).min(x[i] | y[i]);
        }
    }

    /// Iterations hand on what they have written.
    pub fn handed_on(w: usize, x: &[i8], y: &mut [i8]) {
        for i in 1..x.len() / w {
            for j in 0..w {
                y[i * w + j] = y[(i - 1) * w + j].saturating_add(x[i * w + j]);
            }
        }
    }
}

#[test]
fn temporaries_of_narrow_integers() {
    let report = handed_on::REPORT;
    assert_eq!(report.lanes[0].width, 32, "{report}");
    let bytes: Vec<u8> = values().map(|value| value as u8).collect();
    let signed: Vec<i8> = bytes.iter().map(|byte| *byte as i8).collect();
    let pairs: Vec<(i16, i16)> = values().map(|v| (v as i16, (v >> 3) as i16)).collect();
    for n in WIDTHS {
        let (x, y) = (&bytes[..n], &bytes[n..2 * n]);
        let (mut p, mut z, mut s) = (pairs[..n].to_vec(), x.to_vec(), signed[..5 * n].to_vec());
        exchanged::reference(&mut p);
        read_back::reference(x, y, &mut z);
        handed_on::reference(n, &signed[n..6 * n], &mut s);
        each_variant(exchanged::variants(), |isa| {
            let mut own = pairs[..n].to_vec();
            exchanged::with(isa, &mut own).unwrap();
            assert_eq!(own, p, "{isa}, {n}");
            let mut own = x.to_vec();
            read_back::with(isa, x, y, &mut own).unwrap();
            assert_eq!(own, z, "{isa}, {n}");
            let mut own = signed[..5 * n].to_vec();
            handed_on::with(isa, n, &signed[n..6 * n], &mut own).unwrap();
            assert_eq!(own, s, "{isa}, {n}");
        });
    }
}

loopwright::kernel! {
    /// One branch assigns, the other one adds.
    pub fn stepped(t: i16, x: &mut [i16], y: &[i16]) {
        for i in 0..x.len() {
            if y[i] > t {
                x[i] -= y[i];
            } else {
                x[i] = y[i].wrapping_mul(3);
            }
        }
    }

    /// What a branch has written is combined with another value, and compared.
    pub fn combined(x: &mut [i8], y: &[i8], z: &mut [i8]) {
        for i in 0..x.len() {
            if y[i] > 7 {
                x[i] = y[i];
                x[i] += y[i];
                z[i] = if x[i] < 0 { 1 } else { 2 };
            }
        }
    }

    /// What stands there is added to, with the bits of the text.
    #[opt(strict)]
    pub fn raised(x: &mut [u32], y: &[u32]) {
        for i in 0..x.len() {
            if y[i] > 7 {
                x[i] += y[i];
            }
        }
    }
}

/// What a call leaves, or that it panics: for integers that stay in their types, and for some that do not.
#[test]
fn branches_that_combine_integers_with_what_is_there() {
    fn left<T: Clone>(start: &[T], run: impl FnOnce(&mut [T])) -> Option<Vec<T>> {
        let mut own = start.to_vec();
        let run = std::panic::AssertUnwindSafe(|| run(&mut own));
        std::panic::catch_unwind(run).is_ok().then_some(own)
    }
    for largest in [60, 130, 40_000, 1 << 32] {
        let part = |seed: i64| values().skip(9).map(move |v| (v ^ seed) % largest);
        for n in WIDTHS {
            let x16: Vec<i16> = part(5).map(|v| v as i16).take(n).collect();
            let y16: Vec<i16> = part(3).map(|v| v as i16).take(n).collect();
            let x8: Vec<i8> = x16.iter().map(|v| *v as i8).collect();
            let y8: Vec<i8> = y16.iter().map(|v| *v as i8).collect();
            let x32: Vec<u32> = part(5).map(|v| v as u32).take(n).collect();
            let y32: Vec<u32> = part(3).map(|v| v as u32).take(n).collect();
            let a = left(&x16, |x| stepped::reference(9, x, &y16));
            let mut marks = vec![0; n];
            let b = left(&x8, |x| combined::reference(x, &y8, &mut marks));
            let c = left(&x32, |x| raised::reference(x, &y32));
            each_variant(stepped::variants(), |isa| {
                let own = left(&x16, |x| stepped::with(isa, 9, x, &y16).unwrap());
                assert_eq!(own, a, "{isa}, {n}, {largest}");
                let mut own_marks = vec![0; n];
                let own = left(&x8, |x| {
                    combined::with(isa, x, &y8, &mut own_marks).unwrap();
                });
                assert_eq!(own, b, "{isa}, {n}, {largest}");
                assert!(b.is_none() || own_marks == marks, "{isa}, {n}, {largest}");
                let own = left(&x32, |x| raised::with(isa, x, &y32).unwrap());
                assert_eq!(own, c, "{isa}, {n}, {largest}");
            });
        }
    }
}

loopwright::kernel! {
    /// Numbers of 32 bits as integers.
    pub fn singles(x: &[f32], a: &mut [i32], b: &mut [u8], c: &mut [i16]) {
        for i in 0..x.len() {
            a[i] = x[i] as i32;
            b[i] = x[i] as u8;
            c[i] = x[i] as i16;
        }
    }

    /// The same of 64 bits.
    pub fn doubles(x: &[f64], a: &mut [i32], b: &mut [i8], c: &mut [u16]) {
        for i in 0..x.len() {
            a[i] = x[i] as i32;
            b[i] = x[i] as i8;
            c[i] = x[i] as u16;
        }
    }

    /// What is rounded otherwise may be another integer.
    pub fn scaled(x: &[f32], by: f32, y: &mut [i16], z: &mut [f32]) {
        for i in 0..x.len() {
            y[i] = (x[i] * by + 0.5) as i16;
            z[i] = steps(x[i], by) as f32 * by;
        }
    }

    fn steps(x: f32, by: f32) -> i32 {
        (x / by - x * by).round() as i32
    }

    /// Sums keep their order.
    pub fn beside_a_sum(x: &[f32], y: &mut [i8]) {
        let sum: f32 = x.iter().sum();
        for i in 0..x.len() {
            y[i] = (x[i] - sum) as i8;
        }
    }
}

#[test]
fn numbers_become_integers() {
    let ends = [
        0.0, -0.0, 0.99, -0.99, 127.5, -128.9, 255.9, 256.0, -1.0, 32767.5, -32769.0,
    ];
    let beyond = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        65535.5,
        1e300,
        -1e300,
        1e-310,
    ];
    let wide = [
        2_147_483_520.0,
        2_147_483_647.9,
        2_147_483_648.0,
        -2_147_483_648.0,
        -2_147_483_904.0,
    ];
    let all = ends.iter().chain(&beyond).chain(&wide).copied();
    let grown = values().map(|value| value as f64 / 1e9);
    let x: Vec<f64> = all.chain(grown).take(200).collect();
    let singles_of: Vec<f32> = x.iter().map(|x| *x as f32).collect();
    for report in [singles::REPORT, doubles::REPORT, scaled::REPORT] {
        assert!(report.lanes[0].width > 1, "{report}");
    }
    assert!(
        beside_a_sum::REPORT.notes[0].contains("a sum beside"),
        "{}",
        beside_a_sum::REPORT
    );
    for n in [1, 7, 30, 200] {
        let (x, y) = (&x[..n], &singles_of[..n]);
        each_variant(singles::variants(), |isa| {
            let (mut a, mut b, mut c) = (vec![0; n], vec![0; n], vec![0; n]);
            singles::with(isa, y, &mut a, &mut b, &mut c).unwrap();
            assert!(y.iter().zip(&a).all(|(y, a)| *y as i32 == *a), "{isa}");
            assert!(y.iter().zip(&b).all(|(y, b)| *y as u8 == *b), "{isa}");
            assert!(y.iter().zip(&c).all(|(y, c)| *y as i16 == *c), "{isa}");
            let (mut a, mut b, mut c) = (vec![0; n], vec![0; n], vec![0; n]);
            doubles::with(isa, x, &mut a, &mut b, &mut c).unwrap();
            assert!(x.iter().zip(&a).all(|(x, a)| *x as i32 == *a), "{isa}");
            assert!(x.iter().zip(&b).all(|(x, b)| *x as i8 == *b), "{isa}");
            assert!(x.iter().zip(&c).all(|(x, c)| *x as u16 == *c), "{isa}");
            let (mut own, mut other) = ((vec![0; n], vec![0.0; n]), (vec![0; n], vec![0.0; n]));
            scaled::with(isa, y, 254.7, &mut own.0, &mut own.1).unwrap();
            scaled::reference(y, 254.7, &mut other.0, &mut other.1);
            assert_eq!(own, other, "{isa}");
        });
    }
}
