//! Constants of structs, and constants from outside of a block, which have the types that `rustc` knows.

#![allow(missing_docs, dead_code, reason = "kernels of tests")]
#![allow(clippy::needless_range_loop, reason = "loops as the kernels have them")]

use loopwright::kernel;

mod support;
use support::{each_variant, near_to, reals};

pub const COUNT: usize = 3;
pub const SINGLE: f32 = 1.7;
pub const BYTE: u8 = 7;
pub const GAIN: f64 = 1.3;
pub const ROW: [f64; 3] = [1.0, 2.0, 4.0];

kernel! {
    #[derive(Clone, Copy)]
    pub struct Filter {
        pub gain: f64,
        pub bias: f64,
    }
    impl Filter {
        pub const TAPS: usize = 3;
        pub const HALF: usize = Self::TAPS / 2;
        pub const WEIGHTS: [f64; Self::TAPS] = [0.25, 0.5, 0.25];
        pub const PLAIN: Filter = Filter { gain: 1.0, bias: Self::SMALL };
        const SMALL: f64 = 0.125;
        pub const OUTSIDE: f64 = 2.0 * crate::GAIN;
        pub const LARGEST: f64 = f64::INFINITY;
        pub const TABLE: [f64; 3] = crate::ROW;
        fn at(&self, x: &[f64], i: usize) -> f64 {
            let mut sum = 0.0;
            for k in 0..Self::TAPS {
                sum += Self::WEIGHTS[k] * x[i + k];
            }
            sum * self.gain + self.bias
        }
    }
    const Filter_WEIGHTS: f64 = 7.0;

    pub fn of_structs(f: &Filter, x: &[f64], y: &mut [f64]) {
        let plain = Filter::PLAIN;
        for i in 0..y.len() {
            y[i] = f.at(x, i) + plain.at(x, i) + Filter::PLAIN.bias * Filter::OUTSIDE;
            y[i] += (Filter::WEIGHTS[1] * x[i + Filter::HALF]).min(Filter::LARGEST);
            y[i] += Filter_WEIGHTS * Filter::TAPS as f64;
        }
    }

    pub fn opaque(f: &Filter, x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] = f.gain * x[i] + Filter::TABLE[2];
        }
    }

    /// What uses say.
    pub fn told(x: &[f64], small: &[f32], bytes: &[u8], y: &mut [f64]) {
        let (g, s) = (crate::GAIN, crate::SINGLE);
        let b = crate::BYTE;
        for i in 0..y.len() {
            y[i] = 2.0 * crate::GAIN * x[i] * g + (s * small[i]) as f64 + (if bytes[i] > b { 1.0 } else { 0.5 });
            y[i] += f64::from(crate::SINGLE) * f64::from(crate::BYTE);
        }
    }

    /// What no use says: these are not taken for `f64`.
    pub fn untold(x: &[f64], y: &mut [f64]) -> usize {
        let count = crate::COUNT;
        let s = crate::SINGLE * 3.1;
        let mut sum = 0;
        for i in 0..y.len() {
            y[i] = s as f64 * x[i] + (crate::BYTE >> 1) as f64;
            for k in 0..count {
                y[i] += k as f64;
            }
            sum += count;
        }
        sum
    }

    pub fn lengths(x: &[[f64; crate::COUNT]], y: &mut [f64]) {
        for i in 0..y.len() {
            let mut t = [0.0; crate::COUNT];
            for k in 0..crate::COUNT {
                t[k] = x[i][k] * crate::ROW[k];
            }
            y[i] = t.iter().sum();
        }
    }
}

#[test]
fn constants_are_those_of_the_text() {
    for n in [0, 1, 7, 33] {
        let x = reals(n + 2, 1);
        let small: Vec<f32> = reals(n, 2).into_iter().map(|v| v as f32).collect();
        let bytes: Vec<u8> = reals(n, 3).into_iter().map(|v| v as u8).collect();
        let rows: Vec<[f64; 3]> = reals(n, 4).into_iter().map(|v| [v, 2.0 * v, 1.0]).collect();
        let f = Filter {
            gain: 0.3,
            bias: 0.1,
        };
        macro_rules! same {
            ($kernel:ident($($argument:expr),*)) => {
                let mut expected = vec![0.0; n];
                let value = $kernel::reference($($argument,)* &mut expected);
                each_variant($kernel::variants(), |isa| {
                    let mut found = vec![0.0; n];
                    let result = $kernel::with(isa, $($argument,)* &mut found).unwrap();
                    assert_eq!(format!("{value:?}"), format!("{result:?}"));
                    assert!(near_to(&found, &expected, 1e-12), "{}, {n}", stringify!($kernel));
                });
            };
        }
        same!(of_structs(&f, &x));
        same!(opaque(&f, &x));
        same!(told(&x, &small, &bytes));
        same!(untold(&x));
        same!(lengths(&rows));
    }
    assert!(!of_structs::REPORT.to_string().contains("as written"));
    assert!(
        !told::REPORT.to_string().contains("as written"),
        "{}",
        told::REPORT
    );
}
