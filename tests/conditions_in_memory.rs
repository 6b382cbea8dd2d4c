//! Conditions in memory, which are bytes to a program: what is read and written is what the text does, for slices that
//! are too short as well, and nothing else than 0 and 1 is ever written.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(clippy::all, clippy::pedantic, reason = "texts as people write them")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use loopwright::kernel;

mod support;
use support::{each_variant, naturals, reals};

kernel! {
    pub fn chosen(mask: &[bool], x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] = if mask[i] { x[i] } else { -1.0 };
        }
    }

    pub fn written(x: &[f64], limit: f64, mask: &mut [bool]) {
        for (m, &x) in mask.iter_mut().zip(x) {
            *m = x > limit;
        }
    }

    pub fn changed(a: &[bool], x: &[f64], mask: &mut [bool]) {
        for i in 0..a.len() {
            mask[i] = !mask[i];
        }
        for i in 0..a.len() {
            mask[i] = a[i] & (x[i] > 0.0) | (a[i] == (x[i] < 10.0)) | (a[i] < (x[i] > 20.0));
        }
    }

    pub fn accumulated(x: &[f64], mask: &mut [bool], found: &mut bool) {
        for i in 0..x.len() {
            mask[i] |= x[i] > 0.0;
            mask[i] ^= true;
            *found = *found || x[i] > 2000.0;
        }
    }

    pub fn counted(mask: &[bool], x: &[f64]) -> (f64, u32, usize) {
        let mut sum = 0.0;
        let mut count = 0;
        for i in 0..mask.len() {
            if mask[i] {
                sum += x[i];
            }
            count += mask[i] as u32;
        }
        (sum, count, mask.iter().filter(|&&m| m).count())
    }

    pub fn rows(a: &[[bool; 4]], on: &[bool; 4], b: &mut [[bool; 4]]) {
        for (b, a) in b.iter_mut().zip(a) {
            let mut turned = [false; 4];
            for k in 0..4 {
                turned[k] = a[(k + 1) % 4];
            }
            for k in 0..4 {
                b[k] = turned[k] ^ (on[k] && a[k]);
            }
        }
    }

    fn set(to: &mut bool, x: f64) {
        *to = x > 0.0;
    }
    fn signs(x: f64) -> [bool; 2] {
        [x > 0.0, x < 100.0]
    }
    fn both(of: &[bool; 2]) -> bool {
        of[0] && of[1]
    }
    pub fn helped(x: &[f64], mask: &mut [bool], n: &mut [u8]) {
        for i in 0..mask.len() {
            set(&mut mask[i], x[i] - 1.0);
            n[i] = u8::from(both(&signs(x[i])));
        }
    }

    pub fn allocated(x: &[f64], y: &mut [f64]) {
        let n = x.len();
        let mut on = vec![[false; 2]; n];
        for i in 0..n {
            on[i] = [x[i] > 0.0, x[i] < 100.0];
        }
        for i in 0..n {
            if on[i][0] && on[i][1] {
                y[i] += 1.0;
            }
        }
    }

    pub fn parts((mask, flags): (&[bool], [bool; 2]), x: &mut [f64]) {
        for (x, &m) in x.iter_mut().zip(mask) {
            if m && flags[0] || flags[1] {
                *x = 0.0;
            }
        }
    }
}

fn truths(count: usize, seed: u64) -> Vec<bool> {
    { naturals(count, seed).into_iter() }
        .map(|v| v % 2 == 1)
        .collect()
}

/// The bytes of conditions.
fn bytes<T>(of: &[T]) -> Vec<u8> {
    // SAFETY: numbers and conditions have no padding.
    unsafe { std::slice::from_raw_parts(of.as_ptr().cast::<u8>(), size_of_val(of)).to_vec() }
}

/// A kernel's variants against its text: values, outputs, bytes of conditions, panics.
macro_rules! same {
    ($n:ident, $kernel:ident { $($lets:tt)* } ($($argument:expr),*) => $($output:ident)*) => {
        let run = |isa: Option<loopwright::Isa>| {
            catch_unwind(AssertUnwindSafe(|| {
                $($lets)*
                let value = match isa {
                    None => $kernel::reference($($argument),*),
                    Some(isa) => $kernel::with(isa, $($argument),*).unwrap(),
                };
                (format!("{value:?}"), [$(bytes(&$output)),*])
            })).ok()
        };
        let expected = run(None);
        each_variant($kernel::variants(), |isa| {
            assert!(run(Some(isa)) == expected, "{} {isa:?}, {}", stringify!($kernel), $n);
        });
    };
}

#[test]
fn conditions_are_those_of_the_text() {
    for n in [0, 1, 3, 7, 8, 9, 16, 31, 64, 65, 200] {
        for short in [0, 1] {
            let m = n - short.min(n);
            let (x, a) = (reals(n, 1), truths(m, 2));
            same!(n, chosen { let mut y = vec![0.0; n]; } (&a, &x, &mut y) => y);
            same!(n, written { let mut mask = truths(m, 3); } (&x, 0.5, &mut mask) => mask);
            same!(n, changed { let mut mask = truths(m, 3); } (&a, &x, &mut mask) => mask);
            same!(n, accumulated { let mut mask = truths(m, 3); let mut found = [false]; }
                (&x, &mut mask, &mut found[0]) => mask found);
            same!(n, helped { let mut mask = truths(m, 3); let mut k = vec![0; n]; }
                (&x, &mut mask, &mut k) => mask k);
            same!(n, allocated { let mut y = vec![0.5; m]; } (&x, &mut y) => y);
            same!(n, parts { let mut y = vec![0.5; n]; } ((&a, [true, false]), &mut y) => y);
            let b = reals(m, 5).into_iter().map(f64::round).collect::<Vec<_>>();
            same!(n, counted {} (&truths(n, 2), &b) => a);
            let all: Vec<[bool; 4]> = truths(4 * n, 6)
                .chunks(4)
                .map(|c| [c[0], c[1], c[2], c[3]])
                .collect();
            same!(n, rows { let mut rows = vec![[true; 4]; m]; } (&all, &[true, false, true, true], &mut rows) => rows);
        }
    }
    for report in [
        chosen::REPORT,
        written::REPORT,
        counted::REPORT,
        rows::REPORT,
    ] {
        let verdict = report.to_string();
        let verdict = verdict.lines().next().unwrap_or_default();
        assert!(!verdict.contains("as written"), "{verdict}");
    }
}
