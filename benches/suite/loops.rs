//! Small loops, with their texts or what one would write by hand compiled for each instruction set.

#![allow(missing_docs, reason = "kernels of a benchmark")]
#![allow(dead_code, reason = "each is called by instruction set")]

/// Loops over vectors, for a type of numbers.
macro_rules! vectors {
    ($kind:ident, $number:ident) => {
        pub mod $kind {
            with_plain! { axpy: {
                pub fn assemble(a: $number, x: &[$number], y: &mut [$number]) {
                    for i in 0..y.len() {
                        y[i] += a * x[i];
                    }
                }
            } {
                pub fn assemble(a: $number, x: &[$number], y: &mut [$number]) {
                    for (y, x) in y.iter_mut().zip(x) {
                        *y += a * x;
                    }
                }
            } }

            with_plain! { triad: {
                pub fn assemble(a: $number, x: &[$number], y: &[$number], z: &mut [$number]) {
                    for i in 0..z.len() {
                        z[i] = x[i] + a * y[i];
                    }
                }
            } {
                pub fn assemble(a: $number, x: &[$number], y: &[$number], z: &mut [$number]) {
                    for ((z, x), y) in z.iter_mut().zip(x).zip(y) {
                        *z = x + a * y;
                    }
                }
            } }

            with_plain! { scale: {
                pub fn assemble(a: $number, x: &[$number], y: &mut [$number]) {
                    for i in 0..y.len() {
                        y[i] = a * x[i];
                    }
                }
            } {
                pub fn assemble(a: $number, x: &[$number], y: &mut [$number]) {
                    for (y, x) in y.iter_mut().zip(x) {
                        *y = a * x;
                    }
                }
            } }

            with_plain! { scale_in_place: {
                pub fn assemble(a: $number, x: &mut [$number]) {
                    for i in 0..x.len() {
                        x[i] *= a;
                    }
                }
            } {
                pub fn assemble(a: $number, x: &mut [$number]) {
                    for x in x.iter_mut() {
                        *x *= a;
                    }
                }
            } }

            with_plain! { dot: {
                pub fn assemble(x: &[$number], y: &[$number], s: &mut [$number; 1]) {
                    for i in 0..x.len() {
                        s[0] += x[i] * y[i];
                    }
                }
            } {
                pub fn assemble(x: &[$number], y: &[$number], s: &mut [$number; 1]) {
                    // Four registers of sums, as an order that may change allows.
                    let mut sums = [0.0; 32];
                    let (mut xs, mut ys) = (x.chunks_exact(32), y.chunks_exact(32));
                    for (x, y) in (&mut xs).zip(&mut ys) {
                        for k in 0..32 {
                            sums[k] += x[k] * y[k];
                        }
                    }
                    for (x, y) in xs.remainder().iter().zip(ys.remainder()) {
                        sums[0] += x * y;
                    }
                    s[0] += sums.iter().sum::<$number>();
                }
            } }

            with_plain! { sum: {
                pub fn assemble(x: &[$number], s: &mut [$number; 1]) {
                    for i in 0..x.len() {
                        s[0] += x[i];
                    }
                }
            } {
                pub fn assemble(x: &[$number], s: &mut [$number; 1]) {
                    let mut sums = [0.0; 32];
                    let mut xs = x.chunks_exact(32);
                    for x in &mut xs {
                        for k in 0..32 {
                            sums[k] += x[k];
                        }
                    }
                    s[0] += sums.iter().sum::<$number>() + xs.remainder().iter().sum::<$number>();
                }
            } }

            with_plain! { reversed: {
                pub fn assemble(x: &[$number], y: &mut [$number]) {
                    let n = y.len();
                    for i in 0..n {
                        y[i] = 0.5 * x[n - 1 - i];
                    }
                }
            } {
                pub fn assemble(x: &[$number], y: &mut [$number]) {
                    for (y, x) in y.iter_mut().zip(x.iter().rev()) {
                        *y = 0.5 * x;
                    }
                }
            } }

            with_plain! { reversed_store: {
                pub fn assemble(x: &[$number], y: &mut [$number]) {
                    let n = x.len();
                    for i in 0..n {
                        y[n - 1 - i] = x[i] + 0.5;
                    }
                }
            } {
                pub fn assemble(x: &[$number], y: &mut [$number]) {
                    for (y, x) in y.iter_mut().rev().zip(x) {
                        *y = x + 0.5;
                    }
                }
            } }

            with_plain! { reversed_loop: {
                pub fn assemble(x: &[$number], y: &mut [$number]) {
                    for i in (0..y.len()).rev() {
                        y[i] = 0.5 * x[i];
                    }
                }
            } {
                pub fn assemble(x: &[$number], y: &mut [$number]) {
                    for (y, x) in y.iter_mut().zip(x) {
                        *y = 0.5 * x;
                    }
                }
            } }

            with_plain! { symmetric: {
                pub fn assemble(x: &[$number], y: &mut [$number]) {
                    let n = y.len();
                    for i in 0..n {
                        y[i] = 0.5 * (x[i] + x[n - 1 - i]);
                    }
                }
            } {
                pub fn assemble(x: &[$number], y: &mut [$number]) {
                    for ((y, a), b) in y.iter_mut().zip(x).zip(x.iter().rev()) {
                        *y = 0.5 * (a + b);
                    }
                }
            } }

            with_plain! { even: {
                pub fn assemble(x: &[$number], y: &mut [$number]) {
                    for i in 0..y.len() {
                        y[i] = 0.5 * x[2 * i];
                    }
                }
            } {
                pub fn assemble(x: &[$number], y: &mut [$number]) {
                    for (y, x) in y.iter_mut().zip(x.chunks_exact(2)) {
                        *y = 0.5 * x[0];
                    }
                }
            } }

            with_plain! { pooled: {
                pub fn assemble(x: &[$number], y: &mut [$number]) {
                    for i in 0..y.len() {
                        y[i] = x[2 * i].max(x[2 * i + 1]);
                    }
                }
            } {
                pub fn assemble(x: &[$number], y: &mut [$number]) {
                    for (y, x) in y.iter_mut().zip(x.chunks_exact(2)) {
                        *y = x[0].max(x[1]);
                    }
                }
            } }

            with_plain! { complex: {
                pub fn assemble(x: &[[$number; 2]], y: &mut [$number]) {
                    for i in 0..y.len() {
                        y[i] = x[i][0] * x[i][0] + x[i][1] * x[i][1];
                    }
                }
            } {
                pub fn assemble(x: &[[$number; 2]], y: &mut [$number]) {
                    for (y, x) in y.iter_mut().zip(x) {
                        *y = x[0] * x[0] + x[1] * x[1];
                    }
                }
            } }

            with_plain! { complex_product: {
                pub fn assemble(x: &[$number], y: &[$number], z: &mut [$number]) {
                    for i in 0..z.len() / 2 {
                        z[2 * i] = x[2 * i] * y[2 * i] - x[2 * i + 1] * y[2 * i + 1];
                        z[2 * i + 1] = x[2 * i] * y[2 * i + 1] + x[2 * i + 1] * y[2 * i];
                    }
                }
            } {
                pub fn assemble(x: &[$number], y: &[$number], z: &mut [$number]) {
                    let both = x.chunks_exact(2).zip(y.chunks_exact(2));
                    for (z, (x, y)) in z.chunks_exact_mut(2).zip(both) {
                        z[0] = x[0] * y[0] - x[1] * y[1];
                        z[1] = x[0] * y[1] + x[1] * y[0];
                    }
                }
            } }

            rows! { $number, rows_2 2 rows_3 3 rows_4 4 rows_5 5 rows_6 6 rows_8 8 rows_12 12 }
            dots! { $number, dots_3 3 dots_4 4 dots_6 6 dots_8 8 }
        }
    };
}

/// Sums of rows.
macro_rules! rows {
    ($number:ident, $($module:ident $row:literal)*) => {$(
        with_plain! { $module: {
            pub fn assemble(a: &[[$number; $row]], y: &mut [$number]) {
                for i in 0..y.len() {
                    let mut s = 0.0;
                    for k in 0..$row {
                        s += a[i][k];
                    }
                    y[i] = s;
                }
            }
        } {
            pub fn assemble(a: &[[$number; $row]], y: &mut [$number]) {
                for (y, a) in y.iter_mut().zip(a) {
                    *y = a.iter().sum();
                }
            }
        } }
    )*};
}

/// Products of rows.
macro_rules! dots {
    ($number:ident, $($module:ident $row:literal)*) => {$(
        with_plain! { $module: {
            pub fn assemble(a: &[[$number; $row]], b: &[[$number; $row]], y: &mut [$number]) {
                for i in 0..y.len() {
                    let mut s = 0.0;
                    for k in 0..$row {
                        s += a[i][k] * b[i][k];
                    }
                    y[i] = s;
                }
            }
        } {
            pub fn assemble(a: &[[$number; $row]], b: &[[$number; $row]], y: &mut [$number]) {
                for ((y, a), b) in y.iter_mut().zip(a).zip(b) {
                    *y = a.iter().zip(b).map(|(a, b)| a * b).sum();
                }
            }
        } }
    )*};
}

vectors!(double, f64);
vectors!(single, f32);

with_plain! { grey: {
    pub fn assemble(x: &[[u8; 3]], y: &mut [f32]) {
        for i in 0..y.len() {
            y[i] = 0.3 * x[i][0] as f32 + 0.6 * x[i][1] as f32 + 0.1 * x[i][2] as f32;
        }
    }
} {
    pub fn assemble(x: &[[u8; 3]], y: &mut [f32]) {
        for (y, x) in y.iter_mut().zip(x) {
            *y = 0.3 * f32::from(x[0]) + 0.6 * f32::from(x[1]) + 0.1 * f32::from(x[2]);
        }
    }
} }

/// Integers from the last one on.
macro_rules! backwards {
    ($($module:ident $from:ident $to:ident)*) => {$(
        with_plain! { $module: {
            pub fn assemble(x: &[$from], y: &mut [$to]) {
                let n = y.len();
                for i in 0..n {
                    y[i] = 0.5 * x[n - 1 - i] as $to;
                }
            }
        } {
            pub fn assemble(x: &[$from], y: &mut [$to]) {
                for (y, x) in y.iter_mut().zip(x.iter().rev()) {
                    *y = 0.5 * *x as $to;
                }
            }
        } }
    )*};
}
backwards! { reversed_bytes u8 f32 reversed_integers i32 f64 reversed_words u64 f64 }

with_texts! { sparse:
    pub fn assemble(
        starts: &[usize], columns: &[usize], values: &[f64], x: &[f64], y: &mut [f64],
    ) {
        for i in 0..y.len() {
            let mut s = 0.0;
            for k in starts[i]..starts[i + 1] {
                s += values[k] * x[columns[k]];
            }
            y[i] = s;
        }
    }
}
