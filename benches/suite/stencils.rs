//! The stencils of `cargo bench --bench stencils`, as kernels and as plain Rust: convolutions, filters, edges and
//! differential operators as in Ernst 1995, appendix B, others of their kind, and loops that are updated in place.
//! `peers/stencils.c` has the same ones in C.

/// The stencils, as kernels and as functions, for a type of numbers.
macro_rules! stencils {
    ($number:ident: $($dimensions:literal $name:ident($x:ident, $y:ident, $n:ident, $m:ident) $body:block)*) => {
        pub mod $number {
            pub mod kernels {
                loopwright::kernel! {
                    $(
                        pub fn $name($x: &[$number], $y: &mut [$number], $n: usize, $m: usize) $body
                    )*
                }
            }

            pub mod texts {
                $(
                    #[cfg_attr(
                        target_arch = "x86_64",
                        target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")
                    )]
                    #[inline(never)]
                    #[allow(unused_variables, reason = "lines have no rows")]
                    pub unsafe fn $name($x: &[$number], $y: &mut [$number], $n: usize, $m: usize) $body
                )*
            }

            pub type Run = fn(&[$number], &mut [$number], usize, usize);

            /// Dimensions, names, kernels and texts.
            pub const ALL: &[(usize, &str, Run, Run)] = &[$((
                $dimensions,
                stringify!($name),
                kernels::$name,
                // SAFETY: texts run only where the processor has AVX-512.
                |x, y, n, m| unsafe { texts::$name(x, y, n, m) },
            )),*];

            pub fn values(count: usize) -> Vec<$number> {
                (0..count).map(|k| ((k * 7919) % 1013) as $number / 1013.0 - 0.3).collect()
            }
        }
    };
}

macro_rules! both {
    ($($all:tt)*) => {
        stencils! { f64: $($all)* }
        stencils! { f32: $($all)* }
    };
}

both! {
    1 box5(x, y, n, m) {
        for i in 2..y.len() - 2 {
            y[i] = (x[i - 2] + x[i - 1] + x[i] + x[i + 1] + x[i + 2]) / 5.0;
        }
    }
    1 box17(x, y, n, m) {
        for i in 0..y.len() {
            let mut s = 0.0;
            for k in 0..17 {
                s += x[i + k];
            }
            y[i] = s;
        }
    }
    1 weighted5(x, y, n, m) {
        for i in 2..y.len() - 2 {
            y[i] = x[i - 2] + 2.0 * x[i - 1] + 3.0 * x[i] + 2.0 * x[i + 1] + x[i + 2];
        }
    }
    1 second_order(x, y, n, m) {
        for i in 1..y.len() - 1 {
            y[i] = x[i - 1] - 2.0 * x[i] + x[i + 1];
        }
    }
    1 differences(x, y, n, m) {
        for i in 2..y.len() - 2 {
            y[i] = (x[i - 2] - 8.0 * x[i - 1] + 8.0 * x[i + 1] - x[i + 2]) / 12.0;
        }
    }
    2 gauss3(x, y, n, m) {
        for j in 1..n - 1 {
            for i in 1..m - 1 {
                y[j * m + i] = (x[(j - 1) * m + i - 1] + 2.0 * x[(j - 1) * m + i] + x[(j - 1) * m + i + 1]
                    + 2.0 * x[j * m + i - 1] + 4.0 * x[j * m + i] + 2.0 * x[j * m + i + 1]
                    + x[(j + 1) * m + i - 1] + 2.0 * x[(j + 1) * m + i] + x[(j + 1) * m + i + 1]) / 16.0;
            }
        }
    }
    2 gauss5(x, y, n, m) {
        for j in 2..n - 2 {
            for i in 2..m - 2 {
                let mut s = 0.0;
                for k in 0..5 {
                    let row = (j + k - 2) * m + i;
                    let w = [1.0, 4.0, 6.0, 4.0, 1.0];
                    s += w[k] * (x[row - 2] + 4.0 * x[row - 1] + 6.0 * x[row] + 4.0 * x[row + 1] + x[row + 2]);
                }
                y[j * m + i] = s / 256.0;
            }
        }
    }
    2 laplace5(x, y, n, m) {
        for j in 1..n - 1 {
            for i in 1..m - 1 {
                y[j * m + i] = x[(j - 1) * m + i] + x[(j + 1) * m + i] + x[j * m + i - 1] + x[j * m + i + 1]
                    - 4.0 * x[j * m + i];
            }
        }
    }
    2 laplace9(x, y, n, m) {
        for j in 1..n - 1 {
            for i in 1..m - 1 {
                y[j * m + i] = (x[(j - 1) * m + i - 1] + x[(j - 1) * m + i + 1] + x[(j + 1) * m + i - 1]
                    + x[(j + 1) * m + i + 1]
                    + 4.0 * (x[(j - 1) * m + i] + x[(j + 1) * m + i] + x[j * m + i - 1] + x[j * m + i + 1])
                    - 20.0 * x[j * m + i]) / 6.0;
            }
        }
    }
    2 biharmonic(x, y, n, m) {
        for j in 2..n - 2 {
            for i in 2..m - 2 {
                y[j * m + i] = 20.0 * x[j * m + i]
                    - 8.0 * (x[(j - 1) * m + i] + x[(j + 1) * m + i] + x[j * m + i - 1] + x[j * m + i + 1])
                    + 2.0 * (x[(j - 1) * m + i - 1] + x[(j - 1) * m + i + 1] + x[(j + 1) * m + i - 1]
                        + x[(j + 1) * m + i + 1])
                    + x[(j - 2) * m + i] + x[(j + 2) * m + i] + x[j * m + i - 2] + x[j * m + i + 2];
            }
        }
    }
    2 sobel(x, y, n, m) {
        for j in 1..n - 1 {
            for i in 1..m - 1 {
                let gx = x[(j - 1) * m + i + 1] + 2.0 * x[j * m + i + 1] + x[(j + 1) * m + i + 1]
                    - x[(j - 1) * m + i - 1] - 2.0 * x[j * m + i - 1] - x[(j + 1) * m + i - 1];
                let gy = x[(j + 1) * m + i - 1] + 2.0 * x[(j + 1) * m + i] + x[(j + 1) * m + i + 1]
                    - x[(j - 1) * m + i - 1] - 2.0 * x[(j - 1) * m + i] - x[(j - 1) * m + i + 1];
                y[j * m + i] = (gx * gx + gy * gy).sqrt();
            }
        }
    }
    2 maximum3(x, y, n, m) {
        for j in 1..n - 1 {
            for i in 1..m - 1 {
                y[j * m + i] = x[(j - 1) * m + i - 1].max(x[(j - 1) * m + i]).max(x[(j - 1) * m + i + 1])
                    .max(x[j * m + i - 1]).max(x[j * m + i]).max(x[j * m + i + 1])
                    .max(x[(j + 1) * m + i - 1]).max(x[(j + 1) * m + i]).max(x[(j + 1) * m + i + 1]);
            }
        }
    }
    3 laplace7(x, y, n, m) {
        for k in 1..m - 1 {
            for j in 1..n - 1 {
                for i in 1..m - 1 {
                    y[(k * n + j) * m + i] = x[(k * n + j) * m + i - 1] + x[(k * n + j) * m + i + 1]
                        + x[(k * n + j - 1) * m + i] + x[(k * n + j + 1) * m + i]
                        + x[((k - 1) * n + j) * m + i] + x[((k + 1) * n + j) * m + i]
                        - 6.0 * x[(k * n + j) * m + i];
                }
            }
        }
    }
    1 minimum17(x, y, n, m) {
        for i in 0..y.len() {
            let mut s = x[i];
            for k in 1..17 {
                s = s.min(x[i + k]);
            }
            y[i] = s;
        }
    }
    1 cubes(x, y, n, m) {
        for i in 1..y.len() - 2 {
            y[i] = (x[i - 1] * x[i - 1] * x[i - 1] - 0.5 * x[i - 1]) * (x[i + 2] * x[i + 2] * x[i + 2] - 0.5 * x[i + 2]);
        }
    }
    1 recurrence(x, y, n, m) {
        for i in 1..y.len() {
            y[i] = 0.5 * y[i - 1] + x[i];
        }
    }
    2 seismic(x, y, n, m) {
        for j in 2..n - 2 {
            for i in 2..m - 2 {
                y[j * m + i] = 16.0 * (x[(j - 1) * m + i] + x[(j + 1) * m + i] + x[j * m + i - 1] + x[j * m + i + 1])
                    - x[(j - 2) * m + i] - x[(j + 2) * m + i] - x[j * m + i - 2] - x[j * m + i + 2]
                    - 60.0 * x[j * m + i];
            }
        }
    }
    2 biharmonic25(x, y, n, m) {
        for j in 2..n - 2 {
            for i in 2..m - 2 {
                let w = [
                    [1.0, 8.0, 18.0, 8.0, 1.0],
                    [8.0, -8.0, -144.0, -8.0, 8.0],
                    [18.0, -144.0, 468.0, -144.0, 18.0],
                    [8.0, -8.0, -144.0, -8.0, 8.0],
                    [1.0, 8.0, 18.0, 8.0, 1.0],
                ];
                let mut s = 0.0;
                for k in 0..5 {
                    for l in 0..5 {
                        s += w[k][l] * x[(j + k - 2) * m + i + l - 2];
                    }
                }
                y[j * m + i] = s;
            }
        }
    }
    2 terrain(x, y, n, m) {
        for j in 2..n - 2 {
            for i in 2..m - 2 {
                let w = [
                    [-1.0, -1.0, -4.0, -1.0, -1.0],
                    [-1.0, 8.0, 18.0, 8.0, -1.0],
                    [-4.0, 18.0, -76.0, 18.0, -4.0],
                    [-1.0, 8.0, 18.0, 8.0, -1.0],
                    [-1.0, -1.0, -4.0, -1.0, -1.0],
                ];
                let mut s = 0.0;
                for k in 0..5 {
                    for l in 0..5 {
                        s += w[k][l] * x[(j + k - 2) * m + i + l - 2];
                    }
                }
                y[j * m + i] = s;
            }
        }
    }
    2 dense5(x, y, n, m) {
        for j in 2..n - 2 {
            for i in 2..m - 2 {
                let w = [
                    [2.0, 15.0, 28.0, 4.0, 17.0],
                    [9.0, 25.0, 5.0, 21.0, 38.0],
                    [16.0, 35.0, 19.0, 1.0, 20.0],
                    [23.0, 8.0, 33.0, 18.0, 3.0],
                    [30.0, 14.0, 10.0, 36.0, 22.0],
                ];
                let mut s = 0.0;
                for k in 0..5 {
                    for l in 0..5 {
                        s += w[k][l] * x[(j + k - 2) * m + i + l - 2];
                    }
                }
                y[j * m + i] = s;
            }
        }
    }
    2 gauss7(x, y, n, m) {
        for j in 3..n - 3 {
            for i in 3..m - 3 {
                let w = [1.0, 6.0, 15.0, 20.0, 15.0, 6.0, 1.0];
                let mut s = 0.0;
                for k in 0..7 {
                    for l in 0..7 {
                        s += w[k] * w[l] * x[(j + k - 3) * m + i + l - 3];
                    }
                }
                y[j * m + i] = s / 4096.0;
            }
        }
    }
    2 box9(x, y, n, m) {
        for j in 4..n - 4 {
            for i in 4..m - 4 {
                let mut s = 0.0;
                for k in 0..9 {
                    for l in 0..9 {
                        s += x[(j + k - 4) * m + i + l - 4];
                    }
                }
                y[j * m + i] = s / 81.0;
            }
        }
    }
    2 scharr(x, y, n, m) {
        for j in 1..n - 1 {
            for i in 1..m - 1 {
                let gx = 3.0 * (x[(j - 1) * m + i + 1] - x[(j - 1) * m + i - 1])
                    + 10.0 * (x[j * m + i + 1] - x[j * m + i - 1])
                    + 3.0 * (x[(j + 1) * m + i + 1] - x[(j + 1) * m + i - 1]);
                let gy = 3.0 * (x[(j + 1) * m + i - 1] - x[(j - 1) * m + i - 1])
                    + 10.0 * (x[(j + 1) * m + i] - x[(j - 1) * m + i])
                    + 3.0 * (x[(j + 1) * m + i + 1] - x[(j - 1) * m + i + 1]);
                y[j * m + i] = (gx * gx + gy * gy).sqrt();
            }
        }
    }
    2 periodic5(x, y, n, m) {
        for j in 0..n {
            for i in 0..m {
                let mut s = 0.0;
                for k in 0..5 {
                    for l in 0..5 {
                        s += x[(j + n - 2 + k) % n * m + (i + m - 2 + l) % m];
                    }
                }
                y[j * m + i] = s / 25.0;
            }
        }
    }
    2 clamped5(x, y, n, m) {
        for j in 0..n {
            for i in 0..m {
                let w = [1.0, 4.0, 6.0, 4.0, 1.0];
                let mut s = 0.0;
                for k in 0..5 {
                    for l in 0..5 {
                        let row = (j + k).max(2).min(n + 1) - 2;
                        let column = (i + l).max(2).min(m + 1) - 2;
                        s += w[k] * w[l] * x[row * m + column];
                    }
                }
                y[j * m + i] = s / 256.0;
            }
        }
    }
    2 seidel(x, y, n, m) {
        for j in 1..n - 1 {
            for i in 1..m - 1 {
                y[j * m + i] = 0.25 * (y[(j - 1) * m + i] + y[(j + 1) * m + i] + y[j * m + i - 1] + y[j * m + i + 1]
                    - x[j * m + i]);
            }
        }
    }
    3 classes27(x, y, n, m) {
        for k in 1..m - 1 {
            for j in 1..n - 1 {
                for i in 1..m - 1 {
                    let w = [
                        [[0.0625, 0.1875, 0.0625], [0.1875, -0.375, 0.1875], [0.0625, 0.1875, 0.0625]],
                        [[0.1875, -0.375, 0.1875], [-0.375, 2.5, -0.375], [0.1875, -0.375, 0.1875]],
                        [[0.0625, 0.1875, 0.0625], [0.1875, -0.375, 0.1875], [0.0625, 0.1875, 0.0625]],
                    ];
                    let mut s = 0.0;
                    for c in 0..3 {
                        for a in 0..3 {
                            for b in 0..3 {
                                s += w[c][a][b] * x[((k + c - 1) * n + j + a - 1) * m + i + b - 1];
                            }
                        }
                    }
                    y[(k * n + j) * m + i] = s;
                }
            }
        }
    }
    3 star25(x, y, n, m) {
        for k in 4..m - 4 {
            for j in 4..n - 4 {
                for i in 4..m - 4 {
                    let at = (k * n + j) * m + i;
                    let w = [1.6, -0.2, 0.025, -0.0018];
                    let mut s = -8.5 * x[at];
                    for r in 1..5 {
                        s += w[r - 1] * (x[at - r] + x[at + r] + x[at - r * m] + x[at + r * m]
                            + x[at - r * n * m] + x[at + r * n * m]);
                    }
                    y[at] = s;
                }
            }
        }
    }
}
