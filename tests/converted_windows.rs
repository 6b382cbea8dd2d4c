//! Windows of elements that are converted as they are read: what they have in common is shared along the lanes.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    dead_code,
    reason = "each variant is called, not the functions that choose one"
)]

use loopwright::kernel;

mod support;

use support::each_variant;

kernel! {
    pub fn bytes(x: &[u8], y: &mut [i32]) {
        for i in 0..y.len() {
            let mut s = 0;
            for k in 0..16 {
                s += x[i + k] as i32;
            }
            y[i] = s;
        }
    }

    pub fn halves(x: &[i16], y: &mut [i32]) {
        for i in 0..y.len() {
            y[i] = 3 * (x[i] as i32 + x[i + 1] as i32 + x[i + 2] as i32 + x[i + 3] as i32) - x[i + 4] as i32;
        }
    }

    pub fn words(x: &[u8], y: &mut [u16]) {
        for i in 0..y.len() {
            let mut s = 0u16;
            for k in 0..9 {
                s += x[i + k] as u16;
            }
            y[i] = s;
        }
    }

    pub fn wide(x: &[i32], y: &mut [i64]) {
        for i in 0..y.len() {
            let mut s = 0;
            for k in 0..12 {
                s += x[i + k] as i64;
            }
            y[i] = s;
        }
    }

    pub fn wrapped(x: &[i32], y: &mut [i32]) {
        for i in 0..y.len() {
            let mut s = 0i32;
            for k in 0..8 {
                s = s.wrapping_add(x[i + k]);
            }
            y[i] = s;
        }
    }

    pub fn narrowed(x: &[u8], y: &mut [u8]) {
        for i in 0..y.len() {
            let mut s = 0u32;
            for k in 0..8 {
                s += x[i + k] as u32;
            }
            y[i] = (s / 8) as u8;
        }
    }

    pub fn least(x: &[u8], y: &mut [u8]) {
        for i in 0..y.len() {
            y[i] = x[i].min(x[i + 1]).min(x[i + 2]).min(x[i + 3]).min(x[i + 4]);
        }
    }

    pub fn doubles(x: &[f32], y: &mut [f64]) {
        for i in 0..y.len() {
            let mut s = 0.0;
            for k in 0..8 {
                s += x[i + k] as f64;
            }
            y[i] = s;
        }
    }

    pub fn singles(x: &[f64], y: &mut [f32]) {
        for i in 0..y.len() {
            y[i] = (x[i] + x[i + 1] + x[i + 2] + x[i + 3] + x[i + 4] + x[i + 5]) as f32;
        }
    }

    pub fn numbers(x: &[u8], y: &mut [f32]) {
        for i in 0..y.len() {
            let mut s = 0.0;
            for k in 0..8 {
                s += x[i + k] as f32;
            }
            y[i] = s;
        }
    }

    pub fn grid(n: usize, m: usize, x: &[u8], y: &mut [i32]) {
        for j in 1..n - 1 {
            for i in 2..m - 2 {
                let mut s = 0;
                for a in 0..3 {
                    for b in 0..5 {
                        s += x[(j + a - 1) * m + i + b - 2] as i32;
                    }
                }
                y[j * m + i] = s;
            }
        }
    }
}

fn byte(k: usize) -> u8 {
    ((k * 7919) % 1013 % 256) as u8
}

/// Compares all variants with the text, bit by bit: sums of these numbers are exact.
macro_rules! lines {
    ($name:ident, $halo:expr, $from:ty, $to:ty) => {
        for n in 0..290 {
            let count = if n == 0 { 0 } else { n + $halo };
            let x: Vec<$from> = (0..count).map(|k| byte(k) as $from).collect();
            let mut expected = vec![<$to>::default(); n];
            $name::reference(&x, &mut expected);
            each_variant($name::variants(), |isa| {
                let mut y = vec![<$to>::default(); n];
                $name::with(isa, &x, &mut y).unwrap();
                assert_eq!(y, expected, "{isa}, {} of {n}", stringify!($name));
            });
        }
    };
}

#[test]
fn lines_of_any_length() {
    lines!(bytes, 15, u8, i32);
    lines!(halves, 4, i16, i32);
    lines!(words, 8, u8, u16);
    lines!(wide, 11, i32, i64);
    lines!(wrapped, 7, i32, i32);
    lines!(narrowed, 7, u8, u8);
    lines!(least, 4, u8, u8);
    lines!(doubles, 7, f32, f64);
    lines!(singles, 5, f64, f32);
    lines!(numbers, 7, u8, f32);
}

#[test]
fn grids_of_any_width() {
    for m in 4..150 {
        let n = 3 + m % 5;
        let x: Vec<u8> = (0..n * m).map(byte).collect();
        let mut expected = vec![0; n * m];
        grid::reference(n, m, &x, &mut expected);
        each_variant(grid::variants(), |isa| {
            let mut y = vec![0; n * m];
            grid::with(isa, n, m, &x, &mut y).unwrap();
            assert_eq!(y, expected, "{isa}, {n} by {m}");
        });
    }
}
