//! Components of streams, read and stored in lanes of each variant, with the bits of the text: all numbers here
//! are small integers, on which no operation rounds.

#![allow(missing_docs, reason = "kernels of tests")]
#![allow(
    dead_code,
    reason = "each variant is called, not the functions that choose one"
)]
#![allow(clippy::needless_range_loop, reason = "texts of kernels")]

#[macro_use]
#[path = "support/compared.rs"]
mod compared;
mod support;

/// Steps of no whole vector, of some, and of what they leave.
const SIZES: [usize; 12] = [0, 1, 2, 3, 4, 7, 8, 15, 16, 17, 33, 70];

macro_rules! kernels_of {
    ($module:ident, $number:ident) => {
        mod $module {
            loopwright::kernel! {
                pub fn grey(x: &[[$number; 3]], y: &mut [$number]) {
                    for i in 0..y.len() {
                        y[i] = 2.0 * x[i][0] + 3.0 * x[i][1] - x[i][2];
                    }
                }

                pub fn first_and_last(n: usize, x: &[$number], y: &mut [$number]) {
                    for i in 0..n {
                        y[i] = x[3 * i + 2] - x[3 * i];
                    }
                }

                pub fn shifted(n: usize, x: &[$number], y: &mut [$number]) {
                    for i in 1..n {
                        y[i] = x[3 * i - 1] + x[3 * i] + x[3 * i + 1] + 2.0 * x[3 * i + 2];
                    }
                }

                pub fn swizzled(x: &[[$number; 4]], z: &mut [[$number; 4]]) {
                    for i in 0..z.len() {
                        z[i] = [x[i][3], x[i][2], x[i][1], x[i][0]];
                    }
                }

                pub fn cross(x: &[[$number; 3]], y: &[[$number; 3]], z: &mut [[$number; 3]]) {
                    for i in 0..z.len() {
                        z[i][0] = x[i][1] * y[i][2] - x[i][2] * y[i][1];
                        z[i][1] = x[i][2] * y[i][0] - x[i][0] * y[i][2];
                        z[i][2] = x[i][0] * y[i][1] - x[i][1] * y[i][0];
                    }
                }

                pub fn added(a: $number, x: &[[$number; 3]], z: &mut [[$number; 3]]) {
                    for i in 0..z.len() {
                        for c in 0..3 {
                            z[i][c] += a * x[i][c];
                        }
                    }
                }

                pub fn flat(n: usize, x: &[$number], z: &mut [$number]) {
                    for i in 0..n {
                        for c in 0..3 {
                            z[3 * i + c] -= 2.0 * x[3 * i + c];
                        }
                    }
                }

                pub fn five(n: usize, x: &[[$number; 5]], z: &mut [$number]) {
                    for i in 0..n {
                        z[5 * i + 1] = x[i][0];
                        z[5 * i + 4] = x[i][1] + x[i][4];
                        z[5 * i] = x[i][2] * x[i][3];
                        z[5 * i + 2] = x[i][4];
                        z[5 * i + 3] = 1.0;
                    }
                }

                pub fn six(x: &[[$number; 6]], z: &mut [[$number; 6]]) {
                    for i in 0..z.len() {
                        for c in 0..6 {
                            z[i][c] = x[i][5 - c] + x[i][c];
                        }
                    }
                }

                pub fn some_of(n: usize, x: &[$number], z: &mut [$number]) {
                    for i in 0..n {
                        z[3 * i] = x[i];
                        z[3 * i + 1] = 2.0 * x[i];
                    }
                }

                pub fn doubled(x: &[$number], z: &mut [$number]) {
                    for i in 0..x.len() - 1 {
                        z[2 * i] = x[i];
                        z[2 * i + 1] = x[i] + x[i + 1];
                    }
                }

                pub fn downwards(n: usize, x: &[$number], z: &mut [$number]) {
                    for i in 0..n {
                        for c in 0..3 {
                            z[3 * (n - 1 - i) + c] = x[3 * (n - 1 - i) + 2 - c];
                        }
                    }
                }

                #[opt(strict)]
                pub fn exactly(x: &[[$number; 3]], z: &mut [[$number; 3]]) {
                    for i in 0..z.len() {
                        let norm = x[i][0] * x[i][0] + x[i][1] * x[i][1] + x[i][2] * x[i][2];
                        for c in 0..3 {
                            z[i][c] = norm * x[i][c];
                        }
                    }
                }

                pub fn in_place(z: &mut [[$number; 3]]) {
                    for i in 0..z.len() {
                        let all = z[i][0] + z[i][1] + z[i][2];
                        for c in 0..3 {
                            z[i][c] = all - z[i][c];
                        }
                    }
                }

                pub fn known(x: &[[$number; 3]; 37], z: &mut [[$number; 3]; 37]) {
                    for i in 0..37 {
                        z[i][0] = x[i][2];
                        z[i][1] = x[i][0] + x[i][1];
                        z[i][2] = x[i][1];
                    }
                }
            }
        }
    };
}
kernels_of!(double, f64);
kernels_of!(single, f32);

loopwright::kernel! {
    pub fn widened(x: &[[f32; 3]], a: &[[f64; 3]], z: &mut [[f64; 3]]) {
        for i in 0..z.len() {
            for c in 0..3 {
                z[i][c] = x[i][c] as f64 * a[i][2 - c];
            }
        }
    }

    pub fn narrowed(a: &[[f64; 3]], x: &mut [[f32; 3]]) {
        for i in 0..x.len() {
            for c in 0..3 {
                x[i][c] = (a[i][c] + 1.0) as f32;
            }
        }
    }
}

macro_rules! tests_of {
    ($module:ident, $number:ident) => {
        #[test]
        fn $module() {
            for n in SIZES {
                let (x, y) = (numbers!($number, 1, 3 * n), numbers!($number, 2, n));
                let (u, v) = (numbers!($number, 3, 3 * n), numbers!($number, 4, 3 * n));
                let [x3, u3] = [&x, &u].map(|x| x.as_chunks::<3>().0);
                let v3 = v.as_chunks::<3>().0.to_vec();
                compare!($module::grey, (x3), y);
                compare!($module::first_and_last, (n, &x), y);
                compare!($module::shifted, (n, &x), y);
                compare!($module::cross, (x3, u3), v3);
                compare!($module::added, (2.0, x3), v3);
                compare!($module::flat, (n, &x), v);
                compare!($module::some_of, (n, &x), v);
                compare!($module::downwards, (n, &x), v);
                compare!($module::exactly, (x3), v3);
                compare!($module::in_place, (), v3);
                let (x, z) = (numbers!($number, 5, 4 * n), numbers!($number, 6, 4 * n));
                let z = z.as_chunks::<4>().0.to_vec();
                compare!($module::swizzled, (x.as_chunks::<4>().0), z);
                let (x, z) = (numbers!($number, 7, 5 * n), numbers!($number, 8, 5 * n));
                compare!($module::five, (n, x.as_chunks::<5>().0), z);
                let (x, z) = (numbers!($number, 9, 6 * n), numbers!($number, 10, 6 * n));
                let z = z.as_chunks::<6>().0.to_vec();
                compare!($module::six, (x.as_chunks::<6>().0), z);
                let (x, z) = (numbers!($number, 11, n + 1), numbers!($number, 12, 2 * n));
                compare!($module::doubled, (&x), z);
            }
            let (x, z) = (numbers!($number, 13, 111), numbers!($number, 14, 111));
            let x: &[[$number; 3]; 37] = x.as_chunks::<3>().0.try_into().unwrap();
            let z: [[$number; 3]; 37] = z.as_chunks::<3>().0.try_into().unwrap();
            compare!($module::known, (x), z);
        }
    };
}
tests_of!(double, f64);
tests_of!(single, f32);

#[test]
fn numbers_of_two_types() {
    for n in SIZES {
        let (x, a) = (numbers!(f32, 1, 3 * n), numbers!(f64, 2, 3 * n));
        let (x, a) = (x.as_chunks::<3>().0, a.as_chunks::<3>().0);
        let z = numbers!(f64, 3, 3 * n).as_chunks::<3>().0.to_vec();
        compare!(widened, (x, a), z);
        compare!(narrowed, (a), x.to_vec());
    }
}

loopwright::kernel! {
    pub fn polar(x: &[f64], y: &[f64], r: &mut [f64], a: &mut [f64]) {
        for i in 0..r.len() {
            r[i] = (x[i] * x[i] + y[i] * y[i]).sqrt();
            a[i] = x[i].atan2(y[i]);
        }
    }

    pub fn planes(n: usize, m: usize, x: &[f32], y: &mut [f32], z: &mut [f32]) {
        for i in 0..n {
            for j in 1..m {
                y[i * m + j] = x[i * m + j] - x[i * m + j - 1];
                z[i * m + j] = 0.5 * x[i * m + j];
            }
        }
    }

    /// Sums are added in one order wherever arrays are.
    pub fn total(x: &[f64], y: &mut [f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..y.len() {
            y[i] = 2.0 * x[i];
            s += x[i] * x[i];
        }
        s
    }
}

#[test]
fn arrays_may_begin_anywhere() {
    let at = |number: usize| ((number * 7919) % 1009) as f64 / 97.0 - 5.0;
    let numbers: Vec<f64> = (0..1400).map(at).collect();
    let singles: Vec<f32> = numbers.iter().map(|x| *x as f32).collect();
    support::each_variant(polar::variants(), |isa| {
        let totals = |from: usize| {
            let mut y = vec![0.0; 700 + from];
            let x = [vec![0.0; from], numbers[..700].to_vec()].concat();
            total::with(isa, &x[from..], &mut y[from..]).unwrap()
        };
        for from in 0..9 {
            assert_eq!(totals(from).to_bits(), totals(0).to_bits());
            for n in [0, 1, 63, 64, 127, 128, 129, 150, 257, 300, 331] {
                let (mut r, mut a) = (vec![9.0; 400], vec![9.0; 400]);
                let (mut s, mut b) = (r.clone(), a.clone());
                let (x, y) = (&numbers[from..][..n], &numbers[2 * from..][..n]);
                polar::with(isa, x, y, &mut r[from..][..n], &mut a[1..][..n]).unwrap();
                polar::reference(x, y, &mut s[from..][..n], &mut b[1..][..n]);
                let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-14 * (1.0 + b.abs());
                assert!(
                    r.iter().zip(&s).all(near) && a.iter().zip(&b).all(near),
                    "{n} {from}"
                );
                let (rows, z) = (4, &singles[from..][..4 * n]);
                let (mut c, mut d) = (vec![9.0f32; 1400], vec![9.0f32; 1400]);
                let (mut e, mut f) = (c.clone(), d.clone());
                let whole = from..from + 4 * n;
                planes::with(
                    isa,
                    rows,
                    n,
                    z,
                    &mut c[whole.clone()],
                    &mut d[whole.clone()],
                )
                .unwrap();
                planes::reference(rows, n, z, &mut e[whole.clone()], &mut f[whole]);
                assert!(c == e && d == f, "{n} {from}");
            }
        }
    });
}
