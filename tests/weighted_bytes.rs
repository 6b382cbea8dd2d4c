//! Weighted sums of bytes in types that hold them by a narrow margin: the entries of tables say how large these become.
#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

mod support;
use support::each_variant;

kernel! {
    /// A product of two entries is a number, since no subscript can follow it.
    #[opt(require_lanes)]
    pub fn gauss(w: usize, h: usize, x: &[u8], y: &mut [u8]) {
        const W: [u16; 5] = [1, 4, 6, 4, 1];
        for i in 2..h - 2 {
            for j in 2..w - 2 {
                let mut s = 0u16;
                for a in 0..5 {
                    for b in 0..5 {
                        s += W[a] * W[b] * x[(i + a - 2) * w + j + b - 2] as u16;
                    }
                }
                y[i * w + j] = (s >> 8) as u8;
            }
        }
    }

    #[opt(require_lanes)]
    pub fn binomial(x: &[u8], y: &mut [u8]) {
        const W: [u16; 7] = [1, 6, 15, 20, 15, 6, 1];
        for i in 0..y.len() {
            let mut s = 32;
            for k in 0..7 {
                s += W[k] * x[i + k] as u16;
            }
            y[i] = (s / 64) as u8;
        }
    }

    /// Weights of both signs, of which neither the positive nor the negative ones leave the type.
    #[opt(require_lanes)]
    pub fn slope(x: &[u8], y: &mut [i16]) {
        const W: [i16; 6] = [-28, -60, -40, 40, 60, 28];
        for i in 0..y.len() {
            let mut s = 0i16;
            for k in 0..6 {
                s += W[k] * x[i + k] as i16;
            }
            y[i] = s;
        }
    }

    /// 257 times the largest byte is the largest sum.
    #[opt(require_lanes)]
    pub fn just_fits(x: &[u8], y: &mut [u16]) {
        const W: [u16; 4] = [1, 100, 150, 6];
        for i in 0..y.len() {
            let mut s = 0u16;
            for k in 0..4 {
                s += W[k] * x[i + k] as u16;
            }
            y[i] = s;
        }
    }

    pub fn may_overflow(x: &[u8], y: &mut [u16]) {
        const W: [u16; 4] = [1, 100, 150, 7];
        for i in 0..y.len() {
            let mut s = 0u16;
            for k in 0..4 {
                s += W[k] * x[i + k] as u16;
            }
            y[i] = s;
        }
    }

    /// The sum fits, but not what it is meanwhile.
    pub fn leaves_meanwhile(x: &[u8], y: &mut [i16]) {
        const W: [i16; 4] = [100, 100, -100, -100];
        for i in 0..y.len() {
            let mut s = 0i16;
            for k in 0..4 {
                s += W[k] * x[i + k] as i16;
            }
            y[i] = s;
        }
    }

    /// As many sums as there are rows.
    #[opt(require_lanes)]
    pub fn rows(x: &[[u8; 3]]) -> u32 {
        const W: [u32; 3] = [77, 150, 29];
        let mut s = 0;
        for i in 0..x.len() {
            for k in 0..3 {
                s += W[k] * x[i][k] as u32;
            }
        }
        s
    }
}

/// Bytes, the largest ones among them.
fn bytes(n: usize) -> Vec<u8> {
    let byte = |i: usize| if i % 7 < 4 { 255 } else { (i * 37 % 256) as u8 };
    (0..n).map(byte).collect()
}

const LENGTHS: [usize; 8] = [0, 1, 7, 8, 31, 33, 64, 129];

macro_rules! agree {
    ($($kernel:ident: $reach:literal, $zero:expr;)*) => {$(
        for n in LENGTHS {
            for x in [bytes(n + $reach), vec![255; n + $reach]] {
                let mut expected = vec![$zero; n];
                $kernel::reference(&x, &mut expected);
                each_variant($kernel::variants(), |isa| {
                    let mut found = vec![$zero; n];
                    $kernel::with(isa, &x, &mut found).unwrap();
                    assert_eq!(found, expected, "{} {isa:?} {n}", stringify!($kernel));
                });
            }
        }
    )*};
}

#[test]
fn sums_are_those_of_the_text() {
    agree! {
        binomial: 6, 0u8;
        slope: 5, 0i16;
        just_fits: 3, 0u16;
    }
    for (w, h) in [(4, 4), (5, 5), (9, 6), (36, 7), (37, 12), (70, 5)] {
        for x in [bytes(w * h), vec![255; w * h]] {
            let mut expected = vec![0; w * h];
            gauss::reference(w, h, &x, &mut expected);
            each_variant(gauss::variants(), |isa| {
                let mut found = vec![0; w * h];
                gauss::with(isa, w, h, &x, &mut found).unwrap();
                assert_eq!(found, expected, "{isa:?} {w} {h}");
            });
        }
    }
    for n in LENGTHS {
        let x: Vec<[u8; 3]> = bytes(3 * n).as_chunks().0.to_vec();
        let expected = rows::reference(&x);
        each_variant(rows::variants(), |isa| {
            assert_eq!(rows::with(isa, &x).unwrap(), expected, "{isa:?} {n}");
        });
    }
}

/// What a call leaves, or nothing where it panics.
fn outcome<T: Clone + Default>(n: usize, call: impl FnOnce(&mut [T])) -> Option<Vec<T>> {
    let mut y = vec![T::default(); n];
    let call = std::panic::AssertUnwindSafe(|| call(&mut y));
    std::panic::catch_unwind(call).ok().map(|()| y)
}

#[test]
fn what_may_leave_its_type_does_what_the_text_does() {
    let limited = |report: &loopwright::Report| {
        let mut notes = report.notes.iter();
        notes.any(|note| note.contains("the text runs as written"))
    };
    assert!(limited(&may_overflow::REPORT) && limited(&leaves_meanwhile::REPORT));
    for report in [
        &gauss::REPORT,
        &binomial::REPORT,
        &slope::REPORT,
        &just_fits::REPORT,
    ] {
        assert!(!limited(report), "{report}");
    }
    for n in LENGTHS {
        for x in [bytes(n + 3), vec![255; n + 3], vec![63; n + 3]] {
            macro_rules! same {
                ($kernel:ident) => {
                    let expected = outcome(n, |y| $kernel::reference(&x, y));
                    each_variant($kernel::variants(), |isa| {
                        let found = outcome(n, |y| $kernel::with(isa, &x, y).unwrap());
                        assert_eq!(found, expected, "{} {isa:?} {n}", stringify!($kernel));
                    });
                };
            }
            same!(may_overflow);
            same!(leaves_meanwhile);
        }
    }
}
