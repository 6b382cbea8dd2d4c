//! Integers divided by constants, of products that are larger than a reciprocal can be multiplied with.

#![allow(missing_docs, reason = "kernels of tests")]

use loopwright::kernel;

mod support;
use support::each_variant;

kernel! {
    pub fn blended(a: &[u8], b: &[u8], alpha: &[u8], out: &mut [u8]) {
        for i in 0..out.len() {
            let part = alpha[i] as u32;
            out[i] = ((a[i] as u32 * part + b[i] as u32 * (255 - part) + 127) / 255) as u8;
        }
    }

    pub fn scaled(x: &[u16], quotients: &mut [u32], rests: &mut [u32]) {
        for i in 0..x.len() {
            let product = x[i] as u32 * 100 + 77;
            quotients[i] = product / 641;
            rests[i] = product % 1000;
        }
    }

    pub fn signed(x: &[i16], quotients: &mut [i32], rests: &mut [i32]) {
        for i in 0..x.len() {
            let product = x[i] as i32 * 51 - 600;
            quotients[i] = product / 255;
            rests[i] = product % 1001;
        }
    }
}

#[test]
fn blends_are_those_of_the_text() {
    for alpha in [0_u8, 1, 2, 77, 127, 128, 129, 200, 253, 254, 255] {
        let a: Vec<u8> = (0..=255).flat_map(|a| [a; 256]).collect();
        let b: Vec<u8> = (0..=255).cycle().take(a.len()).collect();
        let alphas = vec![alpha; a.len()];
        let mut expected = vec![0; a.len()];
        blended::reference(&a, &b, &alphas, &mut expected);
        each_variant(blended::variants(), |isa| {
            let mut found = vec![1; a.len()];
            blended::with(isa, &a, &b, &alphas, &mut found).unwrap();
            assert_eq!(found, expected, "{isa}, {alpha}");
        });
    }
}

#[test]
fn quotients_of_all_values_are_those_of_the_text() {
    macro_rules! check {
        ($kernel:ident, $x:expr) => {{
            let x: Vec<_> = $x.collect();
            let mut expected = (vec![0; x.len()], vec![0; x.len()]);
            $kernel::reference(&x, &mut expected.0, &mut expected.1);
            each_variant($kernel::variants(), |isa| {
                let mut found = (vec![1; x.len()], vec![1; x.len()]);
                $kernel::with(isa, &x, &mut found.0, &mut found.1).unwrap();
                assert_eq!(found, expected, "{isa}");
            });
        }};
    }
    check!(scaled, 0..=u16::MAX);
    check!(signed, i16::MIN..=i16::MAX);
}

#[test]
fn all_values_have_lanes() {
    for report in [blended::REPORT, scaled::REPORT, signed::REPORT] {
        assert!(report.notes.is_empty(), "{report}");
        assert!(
            report.lanes.iter().any(|lanes| lanes.width > 1),
            "{report:#}"
        );
    }
}
