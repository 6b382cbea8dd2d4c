everyday! {
    matmul_flat {
        pub fn kernel(n: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
            for i in 0..n {
                for j in 0..n {
                    let mut s = 0.0;
                    for k in 0..n {
                        s += a[i * n + k] * b[k * n + j];
                    }
                    c[i * n + j] = s;
                }
            }
        }
    }
    matmul_views {
        use ndarray::{ArrayView2, ArrayViewMut2};
        pub fn kernel(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
            for i in 0..c.nrows() {
                for j in 0..c.ncols() {
                    c[[i, j]] = (0..a.ncols()).map(|k| a[[i, k]] * b[[k, j]]).sum();
                }
            }
        }
    }
    matvec {
        pub fn kernel(a: &[f64], x: &[f64], y: &mut [f64]) {
            for (y, row) in y.iter_mut().zip(a.chunks_exact(x.len())) {
                *y = row.iter().zip(x).map(|(a, x)| a * x).sum();
            }
        }
    }
    transpose {
        pub fn kernel(n: usize, m: usize, a: &[f64], b: &mut [f64]) {
            for i in 0..n {
                for j in 0..m {
                    b[j * n + i] = a[i * m + j];
                }
            }
        }
    }
    outer_product {
        pub fn kernel(alpha: f64, x: &[f64], y: &[f64], a: &mut [f64]) {
            let m = y.len();
            for (i, x) in x.iter().enumerate() {
                for (j, y) in y.iter().enumerate() {
                    a[i * m + j] += alpha * x * y;
                }
            }
        }
    }
    cholesky {
        pub fn kernel(n: usize, a: &mut [f64]) {
            for j in 0..n {
                for k in 0..j {
                    for i in j..n {
                        a[i * n + j] -= a[i * n + k] * a[j * n + k];
                    }
                }
                let d = a[j * n + j].sqrt();
                for i in j..n {
                    a[i * n + j] /= d;
                }
            }
        }
    }
    forward_substitution {
        pub fn kernel(n: usize, l: &[f64], b: &mut [f64]) {
            for i in 0..n {
                let mut s = b[i];
                for j in 0..i {
                    s -= l[i * n + j] * b[j];
                }
                b[i] = s / l[i * n + i];
            }
        }
    }
    lu {
        pub fn kernel(n: usize, a: &mut [f64]) {
            for k in 0..n {
                for i in k + 1..n {
                    let f = a[i * n + k] / a[k * n + k];
                    a[i * n + k] = f;
                    for j in k + 1..n {
                        a[i * n + j] -= f * a[k * n + j];
                    }
                }
            }
        }
    }
    thomas {
        pub fn kernel(a: &[f64], b: &[f64], c: &[f64], d: &mut [f64], w: &mut [f64]) {
            let n = d.len();
            if n == 0 {
                return;
            }
            w[0] = c[0] / b[0];
            d[0] /= b[0];
            for i in 1..n {
                let m = 1.0 / (b[i] - a[i] * w[i - 1]);
                w[i] = c[i] * m;
                d[i] = (d[i] - a[i] * d[i - 1]) * m;
            }
            for i in (0..n - 1).rev() {
                d[i] -= w[i] * d[i + 1];
            }
        }
    }
    spmv {
        pub fn kernel(rows: &[usize], columns: &[usize], values: &[f64], x: &[f64], y: &mut [f64]) {
            for i in 0..y.len() {
                let mut s = 0.0;
                for k in rows[i]..rows[i + 1] {
                    s += values[k] * x[columns[k]];
                }
                y[i] = s;
            }
        }
    }
    layer_norm {
        const EPSILON: f32 = 1e-5;
        pub fn kernel(width: usize, gain: &[f32], bias: &[f32], x: &mut [f32]) {
            for row in x.chunks_exact_mut(width) {
                let mean = row.iter().sum::<f32>() / width as f32;
                let variance = row.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>() / width as f32;
                let scale = 1.0 / (variance + EPSILON).sqrt();
                for ((v, g), b) in row.iter_mut().zip(gain).zip(bias) {
                    *v = (*v - mean) * scale * g + b;
                }
            }
        }
    }
    distances {
        pub fn kernel(p: &[[f64; 3]], d: &mut [f64]) {
            let n = p.len();
            for i in 0..n {
                for j in 0..n {
                    let mut s = 0.0;
                    for c in 0..3 {
                        let e = p[i][c] - p[j][c];
                        s += e * e;
                    }
                    d[i * n + j] = s.sqrt();
                }
            }
        }
    }
    covariance {
        pub fn kernel(n: usize, d: usize, x: &[f64], mean: &[f64], c: &mut [f64]) {
            for i in 0..d {
                for j in 0..d {
                    let mut s = 0.0;
                    for k in 0..n {
                        s += (x[k * d + i] - mean[i]) * (x[k * d + j] - mean[j]);
                    }
                    c[i * d + j] = s / (n as f64 - 1.0);
                }
            }
        }
    }
    trace {
        pub fn kernel(n: usize, a: &[f64]) -> f64 {
            (0..n).map(|i| a[i * n + i]).sum()
        }
    }
}
