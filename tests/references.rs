//! Loops over references that are written through, and references to the smallest and the largest item.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

mod support;

kernel! {
    /// A colour that is multiplied by its opacity, in place.
    pub fn premultiply(pixels: &mut [[u8; 4]]) {
        for [r, g, b, a] in pixels.iter_mut() {
            let alpha = u16::from(*a);
            for c in [r, g, b] {
                let t = u16::from(*c) * alpha + 128;
                *c = ((t + (t >> 8)) >> 8) as u8;
            }
        }
    }

    pub fn weighted(x: &mut [f64], y: &mut [f64]) {
        for i in 0..x.len() {
            for (v, w) in [(&mut x[i], 2.0), (&mut y[i], 3.0)] {
                *v *= w;
            }
        }
    }

    pub fn both(x: &mut [f64], y: &mut [f64], floor: f64) {
        for values in [x, y] {
            for v in values.iter_mut() {
                if *v < floor {
                    continue;
                }
                *v = v.sqrt();
            }
        }
    }

    pub fn skipped(points: &mut [[f64; 2]]) {
        for [x, y] in points {
            for v in [x, y].into_iter() {
                static SCALE: [f64; 2] = [0.5, 4.0];
                if *v > 0.0 {
                    *v += SCALE[1];
                    continue;
                }
                *v *= SCALE[0];
            }
        }
    }

    /// References that are read alone are values.
    pub fn totals(x: &[f64], y: &[f64], sums: &mut [f64]) {
        for (values, sum) in [x, y].into_iter().zip(sums.iter_mut()) {
            *sum = values.iter().sum();
        }
    }

    pub fn held(points: &mut [[f64; 2]]) {
        for [x, y] in points {
            let both = [x, y];
            for v in both {
                *v += 1.0;
            }
        }
    }

    pub fn lowest(x: &[i32], y: &mut [i32]) {
        for (o, w) in y.iter_mut().zip(x.windows(9)) {
            *o = *w.iter().min().unwrap();
        }
    }

    pub fn spread(x: &[u16]) -> u16 {
        let high = x.iter().max().unwrap();
        let low = x.iter().min().unwrap_or(&7);
        *high - low
    }

    pub fn negated(x: &[i16]) -> i16 {
        let high = x.iter().map(|v| v & 0xff).max().unwrap_or(3);
        high.max(*x.iter().max().unwrap_or(&0))
    }
}

/// Lengths: nothing, less than a vector, vectors and a rest.
const LENGTHS: [usize; 8] = [0, 1, 2, 8, 9, 30, 67, 260];

/// Numbers of all signs.
fn numbers(count: usize) -> Vec<u64> {
    support::random(count, 0x9e37_79b9_7f4a_7c15)
}

fn reals(count: usize) -> Vec<f64> {
    let all = numbers(count);
    all.iter().map(|v| (v >> 11) as f64 / 2e15 - 2.0).collect()
}

fn points(count: usize) -> Vec<[f64; 2]> {
    let all = reals(2 * count);
    all.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// Runs a kernel of two arguments that it writes in each instruction set, and compares with its text.
macro_rules! agrees {
    ($kernel:ident, $first:expr, $second:expr $(, $more:expr)*) => {
        for n in LENGTHS {
            let (mut first, mut second) = ($first(n), $second(n));
            $kernel::reference(&mut first, &mut second $(, $more)*);
            for isa in $kernel::variants() {
                let (mut own, mut other) = ($first(n), $second(n));
                if $kernel::with(*isa, &mut own, &mut other $(, $more)*).is_ok() {
                    assert_eq!((&own, &other), (&first, &second), "{n} on {isa:?}");
                }
            }
        }
    };
    ($kernel:ident, $only:expr) => {
        for n in LENGTHS {
            let mut expected = $only(n);
            $kernel::reference(&mut expected);
            for isa in $kernel::variants() {
                let mut own = $only(n);
                if $kernel::with(*isa, &mut own).is_ok() {
                    assert_eq!(own, expected, "{n} on {isa:?}");
                }
            }
        }
    };
}

fn lanes(report: &loopwright::Report) -> bool {
    report.lanes.iter().any(|lanes| lanes.width > 1)
}

#[test]
fn references_are_written_through_one_after_the_other() {
    let pixels = |n| {
        let all = numbers(n).into_iter();
        all.map(|v| (v as u32).to_le_bytes()).collect::<Vec<_>>()
    };
    agrees!(premultiply, pixels);
    agrees!(weighted, reals, reals);
    agrees!(both, reals, reals, 0.5);
    agrees!(skipped, points);
    agrees!(held, points);
    agrees!(totals_of, reals, |_| vec![0.0; 2]);
    assert!(lanes(&premultiply::REPORT));
    assert!(lanes(&weighted::REPORT));
    assert!(lanes(&both::REPORT));
    let held = held::REPORT.notes.join(" ");
    assert!(held.contains("an array of references"), "{held}");
}

/// A total may be added up in another order.
mod totals_of {
    pub use super::totals::variants;

    fn rounded(sums: &mut [f64]) {
        sums.iter_mut().for_each(|v| *v = (*v * 1e9).round());
    }

    pub fn reference(x: &mut [f64], sums: &mut [f64]) {
        super::totals::reference(x, x, sums);
        rounded(sums);
    }

    pub fn with(
        isa: loopwright::Isa,
        x: &mut [f64],
        sums: &mut [f64],
    ) -> Result<(), loopwright::Unavailable> {
        super::totals::with(isa, x, x, sums)?;
        rounded(sums);
        Ok(())
    }
}

#[test]
fn the_smallest_item_of_all_is_lent() {
    for n in LENGTHS {
        let x: Vec<i32> = numbers(n).into_iter().map(|v| v as i32).collect();
        let (mut own, mut expected) = (vec![0; n], vec![0; n]);
        lowest(&x, &mut own);
        lowest::reference(&x, &mut expected);
        assert_eq!(own, expected, "{n}");
        let x: Vec<i16> = x.into_iter().map(|v| v as i16).collect();
        assert_eq!(negated(&x), negated::reference(&x), "{n}");
        let x: Vec<u16> = x.into_iter().map(|v| v as u16).collect();
        if n > 0 {
            assert_eq!(spread(&x), spread::reference(&x), "{n}");
        }
    }
    assert!(lanes(&lowest::REPORT));
    assert!(std::panic::catch_unwind(|| spread(&[])).is_err());
}
