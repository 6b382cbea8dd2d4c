everyday! {
    n
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
    } with {
        let n = order(n);
        let a = numbers(n * n, 1);
        let b = numbers(n * n, 2);
        let mut c = numbers(n * n, 3);
    } (n, &a, &b, &mut c) => (c)
    matmul_views {
        use ndarray::{ArrayView2, ArrayViewMut2};
        pub fn kernel(a: ArrayView2<f64>, b: ArrayView2<f64>, mut c: ArrayViewMut2<f64>) {
            for i in 0..c.nrows() {
                for j in 0..c.ncols() {
                    c[[i, j]] = (0..a.ncols()).map(|k| a[[i, k]] * b[[k, j]]).sum();
                }
            }
        }
    } with {
        let n = order(n);
        let v = |k, m, s| Array2::from_shape_vec((k, m), numbers(k * m, s)).unwrap();
        let a = v(n, n + 1, 1);
        let b = v(n + 1, 5, 2);
        let mut c = v(n, 5, 3);
    } (a.view(), b.view(), c.view_mut()) => (c)
    matvec {
        pub fn kernel(a: &[f64], x: &[f64], y: &mut [f64]) {
            for (y, row) in y.iter_mut().zip(a.chunks_exact(x.len())) {
                *y = row.iter().zip(x).map(|(a, x)| a * x).sum();
            }
        }
    } with {
        let a = numbers(7 * n, 1);
        let x = numbers(7, 2);
        let mut y = numbers(n, 3);
    } (&a, &x, &mut y) => (y)
    transpose {
        pub fn kernel(n: usize, m: usize, a: &[f64], b: &mut [f64]) {
            for i in 0..n {
                for j in 0..m {
                    b[j * n + i] = a[i * m + j];
                }
            }
        }
    } with {
        let a = numbers(9 * n, 1);
        let mut b = numbers(9 * n, 2);
    } (n, 9, &a, &mut b) => (b)
    outer_product {
        pub fn kernel(alpha: f64, x: &[f64], y: &[f64], a: &mut [f64]) {
            let m = y.len();
            for (i, x) in x.iter().enumerate() {
                for (j, y) in y.iter().enumerate() {
                    a[i * m + j] += alpha * x * y;
                }
            }
        }
    } with {
        let x = numbers(9, 1);
        let y = numbers(n, 2);
        let mut a = numbers(9 * n, 3);
    } (0.5, &x, &y, &mut a) => (a)
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
    } with {
        let n = order(n);
        let mut a: Vec<f64> = numbers(n * n, 1);
        (0..n).for_each(|i| a[i * n + i] = 50.0 + i as f64);
    } (n, &mut a) => (a)
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
    } with {
        let n = order(n);
        let mut l: Vec<f64> = numbers(n * n, 1);
        (0..n).for_each(|i| l[i * n + i] = 50.0);
        let mut b = numbers(n, 2);
    } (n, &l, &mut b) => (b)
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
    } with {
        let n = order(n);
        let mut a: Vec<f64> = numbers(n * n, 1);
        (0..n).for_each(|i| a[i * n + i] = 50.0);
    } (n, &mut a) => (a)
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
    } with {
        let a = numbers(n, 1);
        let b: Vec<f64> = (0..n).map(|i| 4.0 + i as f64 * 0.001).collect();
        let c = numbers(n, 2);
        let mut d = numbers(n, 3);
        let mut w = numbers(n, 4);
    } (&a, &b, &c, &mut d, &mut w) => (d, w)
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
    } with {
        let rows: Vec<usize> = (0..=n).map(|i| 2 * i).collect();
        let columns: Vec<usize> = (0..2 * n).map(|k| k * 7 % n).collect();
        let values = numbers(2 * n, 1);
        let x = numbers(n, 2);
        let mut y = numbers(n, 3);
    } (&rows, &columns, &values, &x, &mut y) => (y)
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
    } with {
        let gain = numbers(8, 1);
        let bias = numbers(8, 2);
        let mut x = numbers(8 * n, 3);
    } (8, &gain, &bias, &mut x) => (x)
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
    } with {
        let n = order(n);
        let p: Vec<[f64; 3]> = (0..n).map(|i| [i as f64, (i * i % 17) as f64, 0.5]).collect();
        let mut d = numbers(n * n, 1);
    } (&p, &mut d) => (d)
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
    } with {
        let x = numbers(n * 3, 1);
        let mean = numbers(3, 2);
        let mut c = numbers(9, 3);
    } (n, 3, &x, &mean, &mut c) => (c)
    trace {
        pub fn kernel(n: usize, a: &[f64]) -> f64 {
            (0..n).map(|i| a[i * n + i]).sum()
        }
    } with {
        let n = order(n);
        let a = numbers(n * n, 1);
    } (n, &a) => ()
}
