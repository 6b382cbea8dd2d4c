//! Short loops in vectors of half the width, with AVX-512, where those take no more cycles.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(clippy::needless_range_loop, reason = "the style of kernels")]

mod support;

use loopwright::{Report, kernel};
use support::{each_variant, near_to, noise};

kernel! {
    /// Each kind of instruction, over as many elements as fill vectors of half the width three times.
    pub fn instructions(x: &[f64; 12], m: &[i64; 12], y: &mut [f64; 12]) {
        for i in 0..12 {
            let a = x[i];
            let low = a.abs().sqrt().min(0.5).max(a.floor());
            let chosen = if a < 0.25 { a.ceil() - low } else { low / (2.0 + a) };
            y[i] += chosen.mul_add(a, -low) * m[i] as f64;
        }
    }

    /// Vectors that are not full.
    pub fn partial(x: &[f64; 11], y: &mut [f64; 11]) {
        for i in 0..11 {
            y[i] = 3.0 * x[i] * x[i] - y[i];
        }
    }

    pub fn outer(a: &[f64; 4], b: &[f64; 4], y: &mut [[f64; 4]; 4]) {
        for i in 0..4 {
            for j in 0..4 {
                y[i][j] += a[i] * b[j].abs();
            }
        }
    }

    /// Of sixteen lanes half would be idle.
    pub fn singles(x: &[u32; 8], d: &[f32; 8], y: &mut [f32; 8]) {
        for i in 0..8 {
            y[i] += (x[i] as f32 * d[i]).max(-d[i]);
        }
    }

    /// The lanes of one type are a part of a register.
    pub fn mixed(x: &[f32; 12], m: &[u8; 12], y: &mut [f64; 12]) {
        for i in 0..12 {
            let wide = if x[i] > 0.0 { x[i] as f64 } else { m[i] as f64 };
            y[i] += wide * (x[i] * x[i]) as f64;
        }
    }

    /// Over cells no lane is idle.
    pub fn cells(x: &[[[f64; 4]; 4]], y: &mut [[f64; 4]]) {
        for e in 0..x.len() {
            for i in 0..4 {
                y[e][i] += x[e][i][0] * x[e][3 - i][3];
            }
        }
    }
}

fn decided(report: &Report, what: &str) -> bool {
    let mut decisions = report.passes.iter().flat_map(|pass| pass.decisions);
    decisions.any(|decision| decision.contains(what))
}

#[test]
fn short_loops_take_vectors_of_half_the_width() {
    for report in [
        &instructions::REPORT,
        &partial::REPORT,
        &outer::REPORT,
        &mixed::REPORT,
    ] {
        let wide = decided(report, "; vectors of 8 lanes would take ");
        assert!(wide || decided(report, "width 8, lanes over `"), "{report}");
    }
    assert!(decided(&outer::REPORT, "; vectors of 8 lanes would take "));
    assert!(decided(
        &singles::REPORT,
        "; vectors of 16 lanes would take "
    ));
    assert!(decided(&cells::REPORT, "width 8, lanes over `e`"));
}

#[test]
fn results_are_those_of_the_text() {
    let x: [f64; 12] = std::array::from_fn(|i| 3.0 * noise(i));
    let m: [i64; 12] = std::array::from_fn(|i| (noise(i + 50) * 1e17) as i64);
    let short: [f64; 11] = std::array::from_fn(|i| noise(i + 9));
    let single: [f32; 12] = std::array::from_fn(|i| noise(i + 70) as f32);
    let bytes: [u8; 12] = std::array::from_fn(|i| (i * 37) as u8);
    let words: [u32; 8] = std::array::from_fn(|i| u32::MAX - 77 * i as u32);
    let eight: [f32; 8] = std::array::from_fn(|i| single[i]);
    let four: [f64; 4] = std::array::from_fn(|i| x[i]);
    macro_rules! same {
        ($kernel:ident($($input:expr),*), $start:expr, $flat:expr) => {{
            let mut expected = $start;
            $kernel::reference($($input,)* &mut expected);
            each_variant($kernel::variants(), |isa| {
                let mut found = $start;
                $kernel::with(isa, $($input,)* &mut found).unwrap();
                let flat: fn(&_) -> Vec<f64> = $flat;
                assert!(near_to(&flat(&found), &flat(&expected), 1e-6), "{isa}: {found:?}");
            });
        }};
    }
    same!(instructions(&x, &m), [0.5; 12], |y: &[f64; 12]| y.to_vec());
    same!(partial(&short), [0.5; 11], |y: &[f64; 11]| y.to_vec());
    same!(outer(&four, &four), [[0.5; 4]; 4], |y: &[[f64; 4]; 4]| y
        .as_flattened()
        .to_vec());
    same!(singles(&words, &eight), [0.5; 8], |y: &[f32; 8]| y
        .map(f64::from)
        .to_vec());
    same!(mixed(&single, &bytes), [0.5; 12], |y: &[f64; 12]| y
        .to_vec());
}
