//! Temporaries that several nests read, and nests whose results several others take up: results in every variant, and
//! the bytes and operations that are reported.

#![allow(missing_docs, clippy::too_many_arguments, reason = "kernels of tests")]

use loopwright::kernel;

/// A kernel twice: with a bound on the bytes of its temporaries, and without.
macro_rules! bounded {
    ($free:ident, $name:ident, $memory:literal, $parameters:tt $body:tt) => {
        kernel! { pub fn $free $parameters $body }
        kernel! { #[opt(memory = $memory)] pub fn $name $parameters $body }
    };
}

bounded!(free_readers, readers, "8 B", (
    a: &[[f64; 6]; 40], b: &[[f64; 30]; 6], x: &[f64; 30], y: &[f64; 30], u: &mut [f64; 40], v: &mut [f64; 40],
) {
    let mut t = [[0.0; 30]; 40];
    for i in 0..40 { for j in 0..30 { for k in 0..6 { t[i][j] += a[i][k] * b[k][j]; } } }
    for i in 0..40 { for j in 0..30 { u[i] += t[i][j] * x[j]; } }
    for i in 0..40 { for j in 0..30 { v[i] += t[i][j] * y[j] * t[i][j]; } }
});

bounded!(free_outputs, outputs, "8 B", (
    a: &[[f64; 6]; 40], b: &[[f64; 30]; 6], x: &[f64; 30], y: &[f64; 40],
    u: &mut [f64; 40], v: &mut [f64; 30], w: &mut [[f64; 30]; 40],
) {
    let mut t = [[0.0; 30]; 40];
    for i in 0..40 { for j in 0..30 { for k in 0..6 { t[i][j] += a[i][k] * b[k][j]; } } }
    for i in 0..40 { for j in 0..30 { u[i] += t[i][j] * x[j]; } }
    for j in 0..30 { for i in 0..40 { v[j] += t[i][j] * y[i]; } }
    for i in 0..40 { for j in 0..30 { w[i][j] = t[i][j] * t[i][j]; } }
});

// `f` reads `t` in each iteration of its sum, and both are read by three: two numbers.
bounded!(free_pair, pair, "16 B", (
    a: &[[f64; 6]; 40], b: &[[f64; 40]; 6], x: &[f64; 40],
    u: &mut [f64; 40], v: &mut [f64; 40], w: &mut [[f64; 40]; 40],
) {
    let mut t = [[0.0; 40]; 40];
    let mut f = [[0.0; 40]; 40];
    for i in 0..40 { for j in 0..40 { for k in 0..6 { t[i][j] += a[i][k] * b[k][j]; } } }
    for i in 0..40 { for j in 0..40 { for k in 0..6 { f[i][j] += (a[i][k] * t[i][j] - b[k][j]).abs(); } } }
    for i in 0..40 { for j in 0..40 { u[i] += f[i][j] * x[j]; } }
    for i in 0..40 { for j in 0..40 { v[j] += f[i][j] * t[i][j] * x[i]; } }
    for i in 0..40 { for j in 0..40 { w[i][j] += f[i][j] / (1.0 + t[i][j].abs()); } }
});

// A diamond: a row of `s`, which is shorter than those of what reads it, and two numbers.
bounded!(free_diamond, diamond, "256 B", (
    a: &[[f64; 6]; 40], b: &[[f64; 30]; 6], c: &[[f64; 25]; 30], d: &[[f64; 25]; 30], r: &mut [f64; 40],
) {
    let mut s = [[0.0; 30]; 40];
    let mut t = [[0.0; 25]; 40];
    let mut w = [[0.0; 25]; 40];
    for i in 0..40 { for j in 0..30 { for k in 0..6 { s[i][j] += a[i][k] * b[k][j]; } } }
    for i in 0..40 { for l in 0..25 { for j in 0..30 { t[i][l] += s[i][j] * c[j][l]; } } }
    for i in 0..40 { for l in 0..25 { for j in 0..30 { w[i][l] += s[i][j] * d[j][l]; } } }
    for i in 0..40 { for l in 0..25 { r[i] += t[i][l] * w[i][l]; } }
});

// The sum of a row is complete before the row is divided by it: one row of `e`, and numbers.
bounded!(free_rows, rows, "272 B", (x: &[[f64; 30]; 80], w: &mut [[f64; 30]; 80]) {
    let mut m = [f64::NEG_INFINITY; 80];
    let mut e = [[0.0; 30]; 80];
    let mut z = [0.0; 80];
    for i in 0..80 { for j in 0..30 { m[i] = m[i].max(x[i][j]); } }
    for i in 0..80 { for j in 0..30 { e[i][j] = (x[i][j] - m[i]).exp(); } }
    for i in 0..80 { for j in 0..30 { z[i] += e[i][j]; } }
    for i in 0..80 { for j in 0..30 { w[i][j] = e[i][j] / z[i]; } }
});

// The same of products of rows: a row of `s` and one of the result, which each element of `e` is added to.
bounded!(free_attention, attention, "360 B", (
    q: &[[f64; 6]; 40], k: &[[f64; 6]; 30], v: &[[f64; 10]; 30], o: &mut [[f64; 10]; 40],
) {
    let mut s = [[0.0; 30]; 40];
    let mut m = [f64::NEG_INFINITY; 40];
    let mut e = [[0.0; 30]; 40];
    let mut z = [0.0; 40];
    for i in 0..40 { for j in 0..30 { for h in 0..6 { s[i][j] += q[i][h] * k[j][h]; } } }
    for i in 0..40 { for j in 0..30 { m[i] = m[i].max(s[i][j]); } }
    for i in 0..40 { for j in 0..30 { e[i][j] = (s[i][j] - m[i]).exp(); } }
    for i in 0..40 { for j in 0..30 { z[i] += e[i][j]; } }
    for i in 0..40 { for l in 0..10 { for j in 0..30 { o[i][l] += e[i][j] / z[i] * v[j][l]; } } }
});

// Two readers whose own readers need other loops outermost: `t` is whole, of `w` there is a row, and `s` is a number. The
// other way round takes one number more, and fusing each of them with its own reader alone eleven.
bounded!(free_cross, cross, "1360 B", (
    a: &[[f64; 6]; 20], b: &[[f64; 18]; 6], c: &[[f64; 8]; 18], d: &[[f64; 9]; 20], p: &[[f64; 8]; 20],
    g: &[[f64; 9]; 18], u: &mut [f64; 20], v: &mut [f64; 18],
) {
    let mut s = [[0.0; 18]; 20];
    let mut t = [[0.0; 8]; 20];
    let mut w = [[0.0; 9]; 18];
    for i in 0..20 { for j in 0..18 { for k in 0..6 { s[i][j] += a[i][k] * b[k][j]; } } }
    for i in 0..20 { for l in 0..8 { for j in 0..18 { t[i][l] += s[i][j] * c[j][l]; } } }
    for j in 0..18 { for m in 0..9 { for i in 0..20 { w[j][m] += s[i][j] * d[i][m]; } } }
    for i in 0..20 { for l in 0..8 { u[i] += t[i][l] * p[i][l] * t[i][l]; } }
    for j in 0..18 { for m in 0..9 { v[j] += w[j][m] * g[j][m] * w[j][m]; } }
});

// An array of numbers that are computed for two readers.
bounded!(free_generated, generated, "8 B", (x: &[f64; 30], y: &[f64; 40], u: &mut [f64; 40], v: &mut [f64; 30]) {
    let mut t = [[0.0; 30]; 40];
    for i in 0..40 { for j in 0..30 { t[i][j] = (1.0 + i as f64 + 0.5 * j as f64).sqrt(); } }
    for i in 0..40 { for j in 0..30 { u[i] += t[i][j] * x[j]; } }
    for j in 0..30 { for i in 0..40 { v[j] += t[i][j] * y[i]; } }
});

/// Numbers between -1 and 1.
trait Numbers {
    fn fill(&mut self, next: &mut usize);
    fn flat(&self, to: &mut Vec<f64>);
}

impl Numbers for f64 {
    fn fill(&mut self, next: &mut usize) {
        *next += 1;
        *self = (*next * 7919 % 1009) as f64 / 504.5 - 1.0;
    }

    fn flat(&self, to: &mut Vec<f64>) {
        to.push(*self);
    }
}

impl<T: Numbers, const N: usize> Numbers for [T; N] {
    fn fill(&mut self, next: &mut usize) {
        self.iter_mut().for_each(|one| one.fill(next));
    }

    fn flat(&self, to: &mut Vec<f64>) {
        self.iter().for_each(|one| one.flat(to));
    }
}

/// An array of zeros.
macro_rules! zeros {
    ([$($inner:tt)+]) => { zeros!(@ $($inner)+) };
    (@ [$($inner:tt)+]; $n:literal) => { [zeros!(@ $($inner)+); $n] };
    (@ f64; $n:literal) => { [0.0; $n] };
}

/// Compares a kernel and the one with a bound with their text, in all variants, and what they report with each other: the
/// bound is kept, and nothing is computed again for it.
macro_rules! check {
    ($free:ident, $name:ident, $bytes:literal, $inputs:tt, $outputs:tt) => {
        #[test]
        fn $name() {
            results!($free, $inputs, $outputs);
            results!($name, $inputs, $outputs);
            let [free, bounded] =
                [super::$free::REPORT, super::$name::REPORT].map(|report| report.expansion);
            assert!(bounded.temporary_bytes <= $bytes, "{bounded}");
            // What is added up in memory is added to zero first.
            let others = |cost: Cost| Cost {
                add: 0,
                temporary_bytes: 0,
                ..cost
            };
            assert_eq!(others(bounded), others(free), "{bounded}");
        }
    };
}

macro_rules! results {
    ($kernel:ident, ($($input:ident: $in:tt),*), ($($output:ident: $out:tt),*)) => {
        let mut next = 0;
        $(let mut $input = zeros!($in); $input.fill(&mut next);)*
        $(let mut $output = zeros!($out); $output.fill(&mut next);)*
        let start = ($($output,)*);
        super::$kernel::reference($(&$input,)* $(&mut $output),*);
        let mut expected = Vec::new();
        $($output.flat(&mut expected);)*
        for isa in super::$kernel::variants().iter().copied() {
            let ($(mut $output,)*) = start;
            super::$kernel::with(isa, $(&$input,)* $(&mut $output),*).unwrap();
            let mut found = Vec::new();
            $($output.flat(&mut found);)*
            for (found, expected) in found.iter().zip(&expected) {
                let error = (found - expected).abs();
                assert!(error <= 1e-11 * (1.0 + expected.abs()), "{isa}: {found} {expected}");
            }
        }
    };
}

/// What is said of each kernel.
mod kernels {
    use super::Numbers;
    use loopwright::Cost;

    check!(free_readers, readers, 8, (a: [[f64; 6]; 40], b: [[f64; 30]; 6], x: [f64; 30], y: [f64; 30]), (u: [f64; 40], v: [f64; 40]));
    check!(free_outputs, outputs, 8, (a: [[f64; 6]; 40], b: [[f64; 30]; 6], x: [f64; 30], y: [f64; 40]), (u: [f64; 40], v: [f64; 30], w: [[f64; 30]; 40]));
    check!(free_pair, pair, 16, (a: [[f64; 6]; 40], b: [[f64; 40]; 6], x: [f64; 40]), (u: [f64; 40], v: [f64; 40], w: [[f64; 40]; 40]));
    check!(free_diamond, diamond, 256, (a: [[f64; 6]; 40], b: [[f64; 30]; 6], c: [[f64; 25]; 30], d: [[f64; 25]; 30]), (r: [f64; 40]));
    check!(free_rows, rows, 272, (x: [[f64; 30]; 80]), (w: [[f64; 30]; 80]));
    check!(free_attention, attention, 360, (q: [[f64; 6]; 40], k: [[f64; 6]; 30], v: [[f64; 10]; 30]), (o: [[f64; 10]; 40]));
    check!(free_cross, cross, 1360, (a: [[f64; 6]; 20], b: [[f64; 18]; 6], c: [[f64; 8]; 18], d: [[f64; 9]; 20], p: [[f64; 8]; 20], g: [[f64; 9]; 18]), (u: [f64; 20], v: [f64; 18]));
    check!(free_generated, generated, 8, (x: [f64; 30], y: [f64; 40]), (u: [f64; 40], v: [f64; 30]));
}
