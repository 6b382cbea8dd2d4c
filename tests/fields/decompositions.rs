everyday! {
    n
    lu_pivoted {
        pub fn kernel(n: usize, a: &mut [f64], pivots: &mut [usize]) -> bool {
            for k in 0..n {
                let mut p = k;
                for i in k + 1..n {
                    if a[i * n + k].abs() > a[p * n + k].abs() {
                        p = i;
                    }
                }
                if a[p * n + k] == 0.0 {
                    return false;
                }
                pivots[k] = p;
                if p != k {
                    for j in 0..n {
                        a.swap(k * n + j, p * n + j);
                    }
                }
                for i in k + 1..n {
                    let factor = a[i * n + k] / a[k * n + k];
                    a[i * n + k] = factor;
                    for j in k + 1..n {
                        a[i * n + j] -= factor * a[k * n + j];
                    }
                }
            }
            true
        }
    } with {
        let m = order(n).min(60);
        let mut a: Vec<f64> = numbers(m * m, 1);
        let mut pivots = vec![0_usize; m];
    } (m, &mut a, &mut pivots) => (a, pivots)
    householder {
        use ndarray::ArrayViewMut2;
        pub fn kernel(mut a: ArrayViewMut2<f64>, beta: &mut [f64]) {
            let (m, n) = a.dim();
            for k in 0..n.min(m) {
                let mut norm2 = 0.0;
                for i in k..m {
                    norm2 += a[[i, k]] * a[[i, k]];
                }
                let alpha = -a[[k, k]].signum() * norm2.sqrt();
                let v0 = a[[k, k]] - alpha;
                beta[k] = -v0 / alpha;
                for i in k + 1..m {
                    a[[i, k]] /= v0;
                }
                for j in k + 1..n {
                    let mut s = a[[k, j]];
                    for i in k + 1..m {
                        s += a[[i, k]] * a[[i, j]];
                    }
                    s *= beta[k];
                    a[[k, j]] -= s;
                    for i in k + 1..m {
                        a[[i, j]] -= s * a[[i, k]];
                    }
                }
                a[[k, k]] = alpha;
            }
        }
    } with {
        let m = order(n).min(50);
        let mut a = Array2::from_shape_vec((m, m / 2), numbers(m * (m / 2), 1)).unwrap();
        let mut beta = vec![0.0; m / 2];
    } (a.view_mut(), &mut beta) => (a, beta)
    givens_rotate_rows {
        pub fn kernel(c: f64, s: f64, x: &mut [f64], y: &mut [f64]) {
            for (x, y) in x.iter_mut().zip(y.iter_mut()) {
                let t = c * *x + s * *y;
                *y = c * *y - s * *x;
                *x = t;
            }
        }
    } with {
        let mut x: Vec<f64> = numbers(n, 1);
        let mut y: Vec<f64> = numbers(n, 2);
    } (0.8, 0.6, &mut x, &mut y) => (x, y)
    jacobi_eigenvalues {
        pub fn kernel(a: &mut [[f64; 3]; 3], sweeps: usize) {
            for _ in 0..sweeps {
                for p in 0..2 {
                    for q in p + 1..3 {
                        if a[p][q].abs() < 1e-14 {
                            continue;
                        }
                        let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                        let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                        let c = 1.0 / (t * t + 1.0).sqrt();
                        let s = t * c;
                        for k in 0..3 {
                            let (x, y) = (a[k][p], a[k][q]);
                            a[k][p] = c * x - s * y;
                            a[k][q] = s * x + c * y;
                        }
                        for k in 0..3 {
                            let (x, y) = (a[p][k], a[q][k]);
                            a[p][k] = c * x - s * y;
                            a[q][k] = s * x + c * y;
                        }
                    }
                }
            }
        }
    } with {
        let mut a = [[2.0, 0.3, 0.1 + n as f64 * 1e-3], [0.3, 1.0, 0.4], [0.1 + n as f64 * 1e-3, 0.4, 3.0]];
    } (&mut a, 4) => (a)
    tridiagonal_columns {
        pub fn kernel(n: usize, m: usize, lower: &[f64], diagonal: &[f64], upper: &[f64], rhs: &mut [f64]) {
            let mut ratio = vec![0.0; n];
            if n == 0 {
                return;
            }
            ratio[0] = upper[0] / diagonal[0];
            for j in 0..m {
                rhs[j] /= diagonal[0];
            }
            for i in 1..n {
                let inverse = 1.0 / (diagonal[i] - lower[i] * ratio[i - 1]);
                ratio[i] = upper[i] * inverse;
                for j in 0..m {
                    rhs[i * m + j] = (rhs[i * m + j] - lower[i] * rhs[(i - 1) * m + j]) * inverse;
                }
            }
            for i in (0..n - 1).rev() {
                for j in 0..m {
                    rhs[i * m + j] -= ratio[i] * rhs[(i + 1) * m + j];
                }
            }
        }
    } with {
        let m = order(n);
        let lower: Vec<f64> = numbers(m, 1);
        let diagonal: Vec<f64> = numbers(m, 2).iter().map(|d: &f64| 4.0 + d).collect();
        let upper: Vec<f64> = numbers(m, 3);
        let mut rhs: Vec<f64> = numbers(m * 24, 4);
    } (m, 24, &lower, &diagonal, &upper, &mut rhs) => (rhs)
    cholesky_rows {
        pub fn kernel(a: &mut [f64], n: usize) {
            for i in 0..n {
                for j in 0..i {
                    let dot: f64 = (0..j).map(|k| a[i * n + k] * a[j * n + k]).sum();
                    a[i * n + j] = (a[i * n + j] - dot) / a[j * n + j];
                }
                let dot: f64 = (0..i).map(|k| a[i * n + k] * a[i * n + k]).sum();
                a[i * n + i] = (a[i * n + i] - dot).sqrt();
            }
        }
    } with {
        let m = order(n).min(80);
        let mut a: Vec<f64> = numbers(m * m, 1);
        (0..m).for_each(|i| a[i * m + i] += 100.0);
    } (&mut a, m) => (a)
    back_substitution {
        pub fn kernel(n: usize, u: &[f64], x: &mut [f64]) {
            for i in (0..n).rev() {
                let mut s = x[i];
                for j in i + 1..n {
                    s -= u[i * n + j] * x[j];
                }
                x[i] = s / u[i * n + i];
            }
        }
    } with {
        let m = order(n);
        let mut u: Vec<f64> = numbers::<f64>(m * m, 1).iter().map(|v| 0.1 * v).collect();
        (0..m).for_each(|i| u[i * m + i] += 2.0);
        let mut x: Vec<f64> = numbers(m, 2);
    } (m, &u, &mut x) => (x)
    column_substitution {
        pub fn kernel(n: usize, l: &[f64], x: &mut [f64]) {
            for j in 0..n {
                x[j] /= l[j * n + j];
                let xj = x[j];
                for i in j + 1..n {
                    x[i] -= l[i * n + j] * xj;
                }
            }
        }
    } with {
        let m = order(n);
        let mut l: Vec<f64> = numbers::<f64>(m * m, 1).iter().map(|v| 0.1 * v).collect();
        (0..m).for_each(|i| l[i * m + i] += 2.0);
        let mut x: Vec<f64> = numbers(m, 2);
    } (m, &l, &mut x) => (x)
    gram_schmidt {
        pub fn kernel(vectors: &mut [[f64; 8]; 4]) {
            for i in 0..4 {
                for j in 0..i {
                    let mut d = 0.0;
                    for k in 0..8 {
                        d += vectors[i][k] * vectors[j][k];
                    }
                    for k in 0..8 {
                        vectors[i][k] -= d * vectors[j][k];
                    }
                }
                let norm = vectors[i].iter().map(|v| v * v).sum::<f64>().sqrt();
                for v in &mut vectors[i] {
                    *v /= norm;
                }
            }
        }
    } with {
        let mut vectors: [[f64; 8]; 4] = numbers::<[[f64; 8]; 4]>(1, 1)[0];
    } (&mut vectors) => (vectors)
    power_iteration {
        pub fn kernel(n: usize, a: &[f64], x: &mut [f64], steps: usize) -> f64 {
            let mut y = vec![0.0; n];
            let mut lambda = 0.0;
            for _ in 0..steps {
                for i in 0..n {
                    y[i] = 0.0;
                    for j in 0..n {
                        y[i] += a[i * n + j] * x[j];
                    }
                }
                lambda = y.iter().map(|v| v * v).sum::<f64>().sqrt();
                for i in 0..n {
                    x[i] = y[i] / lambda;
                }
            }
            lambda
        }
    } with {
        let m = order(n);
        let a: Vec<f64> = numbers::<f64>(m * m, 1).iter().map(|v| 2.0 + v).collect();
        let mut x: Vec<f64> = vec![1.0; m];
    } (m, &a, &mut x, 3) => (x)
    inverses_3x3 {
        pub fn kernel(matrices: &[[[f64; 3]; 3]], inverses: &mut [[[f64; 3]; 3]]) {
            for (m, inv) in matrices.iter().zip(inverses.iter_mut()) {
                let cofactor = |i: usize, j: usize| {
                    m[(i + 1) % 3][(j + 1) % 3] * m[(i + 2) % 3][(j + 2) % 3] - m[(i + 1) % 3][(j + 2) % 3] * m[(i + 2) % 3][(j + 1) % 3]
                };
                let det = m[0][0] * cofactor(0, 0) + m[0][1] * cofactor(0, 1) + m[0][2] * cofactor(0, 2);
                for i in 0..3 {
                    for j in 0..3 {
                        inv[i][j] = cofactor(j, i) / det;
                    }
                }
            }
        }
    } with {
        let matrices: Vec<[[f64; 3]; 3]> = numbers::<[[f64; 3]; 3]>(n, 1).iter().map(|m| {
            let mut m = *m;
            (0..3).for_each(|i| m[i][i] += 4.0);
            m
        }).collect();
        let mut inverses: Vec<[[f64; 3]; 3]> = numbers(n, 2);
    } (&matrices, &mut inverses) => (inverses)
    transposed_product {
        use ndarray::{Array1, Array2};
        pub fn kernel(a: &Array2<f64>, x: &Array1<f64>, y: &mut Array1<f64>) {
            assert_eq!(a.nrows(), x.len());
            assert_eq!(a.ncols(), y.len());
            for j in 0..a.ncols() {
                let mut s = 0.0;
                for i in 0..a.nrows() {
                    s += a[[i, j]] * x[i];
                }
                y[j] = s;
            }
        }
    } with {
        let m = order(n);
        let a = Array2::from_shape_vec((m, m), numbers(m * m, 1)).unwrap();
        let x = Array1::from_vec(numbers(m, 2));
        let mut y = Array1::from_vec(numbers(m, 3));
    } (&a, &x, &mut y) => (y)
    symmetric_rank_k {
        pub fn kernel(n: usize, k: usize, a: &[f32], c: &mut [f32]) {
            for i in 0..n {
                for j in 0..=i {
                    let mut sum = 0.0;
                    for p in 0..k {
                        sum += a[i * k + p] * a[j * k + p];
                    }
                    c[i * n + j] = sum;
                    c[j * n + i] = sum;
                }
            }
        }
    } with {
        let m = order(n).min(100);
        let a: Vec<f32> = numbers(m * 32, 1);
        let mut c: Vec<f32> = numbers(m * m, 2);
    } (m, 32, &a, &mut c) => (c)
    frobenius {
        pub fn kernel<const R: usize, const C: usize>(a: &[[f64; C]; R], b: &[[f64; C]; R]) -> f64 {
            let mut sum = 0.0;
            for (ra, rb) in a.iter().zip(b) {
                for (x, y) in ra.iter().zip(rb) {
                    sum += (x - y).powi(2);
                }
            }
            sum.sqrt()
        }
    } with {
        let a: [[f64; 6]; 4] = numbers::<[[f64; 6]; 4]>(1, 1)[0];
        let b: [[f64; 6]; 4] = numbers::<[[f64; 6]; 4]>(1, 2)[0];
    } (&a, &b) => ()
    conjugate_gradient_step {
        pub fn kernel(n: usize, p: &[f64], ap: &mut [f64]) -> f64 {
            let mut pap = 0.0;
            for i in 0..n {
                let mut v = 2.0 * p[i];
                if i > 0 {
                    v -= p[i - 1];
                }
                if i < n - 1 {
                    v -= p[i + 1];
                }
                ap[i] = v;
                pap += p[i] * v;
            }
            pap
        }
    } with {
        let p: Vec<f64> = numbers(n, 1);
        let mut ap: Vec<f64> = numbers(n, 2);
    } (n, &p, &mut ap) => (ap)
}
