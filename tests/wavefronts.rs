//! Recurrences along both loops of a nest: rows run side by side, each some columns behind the one before it.
#![allow(missing_docs, reason = "kernels of tests")]

mod support;

use loopwright::{Report, kernel};

kernel! {
    #[opt(strict)]
    pub fn seidel(n: usize, m: usize, u: &mut [f64]) {
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                let around = u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1];
                u[i * m + j] = 0.25 * around;
            }
        }
    }

    /// Over-relaxed, with a right-hand side, in numbers of 32 bits.
    #[opt(strict)]
    pub fn relaxed(n: usize, m: usize, omega: f32, f: &[f32], u: &mut [f32]) {
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                let around = u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1];
                u[i * m + j] = (1.0 - omega) * u[i * m + j] + omega * 0.25 * (around - f[i * m + j]);
            }
        }
    }

    /// Values go from rows and columns before, and nothing that is still to be written is read.
    #[opt(strict)]
    pub fn upwind(n: usize, m: usize, a: f64, b: f64, q: &[f64], p: &mut [f64]) {
        for i in 1..n {
            for j in 1..m {
                p[i * m + j] = (q[i * m + j] + a * p[(i - 1) * m + j] + b * p[i * m + j - 1]) / (1.0 + a + b);
            }
        }
    }

    /// Rows that have nothing to do with each other, of a length that is known.
    #[opt(strict)]
    pub fn smoothed(a: f64, x: &[[f64; 13]], y: &mut [[f64; 13]]) {
        for i in 0..x.len() {
            for j in 1..13 {
                y[i][j] = a * y[i][j - 1] + x[i][j];
            }
        }
    }

    /// In three dimensions, side by side are lines of a plane.
    #[opt(strict)]
    pub fn solid(n: usize, m: usize, l: usize, u: &mut [f64]) {
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                for k in 1..l - 1 {
                    let at = (i * m + j) * l + k;
                    u[at] = (u[at - m * l] + u[at + m * l] + u[at - l] + u[at + l] + u[at - 1] + u[at + 1]) / 6.0;
                }
            }
        }
    }

    /// Backwards, from the last row and column.
    #[opt(strict)]
    pub fn backwards(n: usize, m: usize, x: &[f64], u: &mut [f64]) {
        for i in (0..n - 1).rev() {
            for j in (0..m - 1).rev() {
                u[i * m + j] = x[i * m + j] + 0.5 * u[(i + 1) * m + j] - 0.25 * u[i * m + j + 1];
            }
        }
    }

    /// The least costly way along two sequences: from the row before, the column before, or both.
    #[opt(strict)]
    pub fn warped(n: usize, m: usize, a: &[f64], b: &[f64], d: &mut [f64]) {
        for i in 1..n {
            for j in 1..m {
                let cost = (a[i] - b[j]).abs();
                d[i * m + j] = cost + d[(i - 1) * m + j].min(d[i * m + j - 1]).min(d[(i - 1) * m + j - 1]);
            }
        }
    }

    /// Sums over all that is above and to the left.
    #[opt(strict)]
    pub fn integral(x: &[[f64; 11]], s: &mut [[f64; 11]]) {
        for i in 1..s.len() {
            for j in 1..11 {
                s[i][j] = x[i][j] + s[i - 1][j] + s[i][j - 1] - s[i - 1][j - 1];
            }
        }
    }

    /// From two rows and two columns before, and from between them.
    #[opt(strict)]
    pub fn far(n: usize, m: usize, x: &[f64], u: &mut [f64]) {
        for i in 2..n {
            for j in 2..m {
                let before = 0.25 * u[(i - 2) * m + j] - 0.5 * u[i * m + j - 2];
                let between = 0.125 * u[(i - 1) * m + j - 2] + 0.5 * u[(i - 2) * m + j - 1] - u[(i - 2) * m + j - 2];
                u[i * m + j] = x[i * m + j] + before + 0.25 * between;
            }
        }
    }

    /// Two arrays in one nest, one of which goes along rows alone.
    #[opt(strict)]
    pub fn paired(n: usize, m: usize, x: &[f64], u: &mut [f64], v: &mut [f64]) {
        for i in 1..n {
            for j in 1..m {
                u[i * m + j] = 0.5 * u[(i - 1) * m + j] + 0.25 * u[i * m + j - 1] + x[i * m + j];
                v[i * m + j] = u[i * m + j] + v[i * m + j - 1];
            }
        }
    }
}

fn noise<T: From<f32>>(seed: usize, n: usize) -> Vec<T> {
    let number = |i| ((i * 7919 + seed * 104_729) % 1013) as f32 / 1024.0 - 0.5;
    (0..n).map(|i| T::from(number(i))).collect()
}

/// Runs a kernel in each variant on copies of what it writes, and compares the bits with its text's.
macro_rules! check {
    ($kernel:ident($($read:expr),*; $($written:ident),+)) => {{
        $(let $written = noise::<_>(9, $written);)+
        let expected = {
            $(let mut $written = $written.clone();)+
            $kernel::reference($($read,)* $(&mut $written),+);
            ($($written,)+)
        };
        support::each_variant($kernel::variants(), |isa| {
            $(let mut $written = $written.clone();)+
            $kernel::with(isa, $($read,)* $(&mut $written),+).unwrap();
            assert!(($($written,)+) == expected, "{} {isa}", stringify!($kernel));
        });
    }};
}

const LENGTHS: [usize; 10] = [2, 3, 4, 5, 6, 7, 9, 12, 17, 34];

#[test]
fn rows_side_by_side_have_the_bits_of_the_text() {
    for n in LENGTHS {
        for m in LENGTHS {
            let size = n * m;
            let u = size;
            check!(seidel(n, m; u));
            let (u, f) = (size, noise::<f32>(1, size));
            check!(relaxed(n, m, 0.875, &f; u));
            let (p, q) = (size, noise::<f64>(2, size));
            check!(upwind(n, m, 0.5, 0.25, &q; p));
            let (u, v) = (size, size);
            check!(paired(n, m, &q; u, v));
            let u = size;
            check!(backwards(n, m, &q; u));
            check!(far(n, m, &q; u));
            let (a, b) = (noise::<f64>(3, n), noise::<f64>(4, m));
            let d = size;
            check!(warped(n, m, &a, &b; d));
        }
        let x: Vec<[f64; 11]> = (0..n)
            .map(|row| noise(row, 11).try_into().unwrap())
            .collect();
        let mut expected = x.clone();
        integral::reference(&x, &mut expected);
        support::each_variant(integral::variants(), |isa| {
            let mut s = x.clone();
            integral::with(isa, &x, &mut s).unwrap();
            assert_eq!(s, expected, "{isa}");
        });
        let x: Vec<[f64; 13]> = (0..n)
            .map(|row| noise(row, 13).try_into().unwrap())
            .collect();
        let mut expected = x.clone();
        smoothed::reference(0.75, &x, &mut expected);
        support::each_variant(smoothed::variants(), |isa| {
            let mut y = x.clone();
            smoothed::with(isa, 0.75, &x, &mut y).unwrap();
            assert_eq!(y, expected, "{isa}");
        });
    }
}

#[test]
fn lines_of_planes_have_the_bits_of_the_text() {
    for (n, m, l) in [(3, 3, 3), (4, 6, 5), (5, 7, 11), (3, 12, 4), (6, 5, 19)] {
        let u = n * m * l;
        check!(solid(n, m, l; u));
    }
}

#[test]
fn reports_say_that_rows_run_side_by_side() {
    let reports: [&Report; 8] = [
        &seidel::REPORT,
        &relaxed::REPORT,
        &upwind::REPORT,
        &solid::REPORT,
        &backwards::REPORT,
        &warped::REPORT,
        &integral::REPORT,
        &far::REPORT,
    ];
    for report in reports {
        let text = format!("{report:#}");
        assert!(text.contains("4 rows a step"), "{text}");
    }
}
