everyday! {
    n
    relu {
        pub fn kernel(x: &mut [f32]) {
            x.iter_mut().for_each(|v| *v = v.max(0.0));
        }
    } with {
        let mut x: Vec<f32> = numbers(n, 1);
    } (&mut x) => (x)
    gelu {
        pub fn kernel(x: &[f32], y: &mut [f32]) {
            for (y, &v) in y.iter_mut().zip(x) {
                *y = 0.5 * v * (1.0 + (0.797_884_6 * (v + 0.044_715 * v.powi(3))).tanh());
            }
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
        let mut y: Vec<f32> = numbers(n, 2);
    } (&x, &mut y) => (y)
    softmax_rows {
        use ndarray::ArrayViewMut2;
        pub fn kernel(mut x: ArrayViewMut2<f32>) {
            for mut row in x.rows_mut() {
                let top = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                row.mapv_inplace(|v| (v - top).exp());
                let sum: f32 = row.iter().sum();
                row.mapv_inplace(|v| v / sum);
            }
        }
    } with {
        let m = order(n);
        let mut x = Array2::from_shape_vec((m, m), numbers::<f32>(m * m, 1)).unwrap();
    } (x.view_mut()) => (x)
    cross_entropy {
        pub fn kernel(logits: &[[f32; 10]], labels: &[u8]) -> f32 {
            let mut loss = 0.0;
            for (row, &label) in logits.iter().zip(labels) {
                let top = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let sum: f32 = row.iter().map(|v| (v - top).exp()).sum();
                loss += sum.ln() + top - row[usize::from(label)];
            }
            loss / labels.len() as f32
        }
    } with {
        let logits: Vec<[f32; 10]> = numbers(n + 1, 1);
        let labels: Vec<u8> = (0..n + 1).map(|i| (i % 10) as u8).collect();
    } (&logits, &labels) => ()
    batch_norm {
        pub fn kernel(mean: &[f32; 8], scale: &[f32; 8], shift: &[f32; 8], x: &mut [[f32; 8]]) {
            for row in x {
                for (((v, m), s), b) in row.iter_mut().zip(mean).zip(scale).zip(shift) {
                    *v = (*v - m).mul_add(*s, *b);
                }
            }
        }
    } with {
        let p: Vec<[f32; 8]> = numbers(3, 1);
        let mut x: Vec<[f32; 8]> = numbers(n, 2);
    } (&p[0], &p[1], &p[2], &mut x) => (x)
    argmax_rows {
        pub fn kernel(scores: &[[f32; 10]], classes: &mut [u8]) {
            for (class, row) in classes.iter_mut().zip(scores) {
                let mut best = 0;
                for i in 1..10 {
                    if row[i] > row[best] {
                        best = i;
                    }
                }
                *class = best as u8;
            }
        }
    } with {
        let scores: Vec<[f32; 10]> = numbers(n, 1);
        let mut classes: Vec<u8> = numbers(n, 2);
    } (&scores, &mut classes) => (classes)
    quantised_dot {
        pub fn kernel(a: &[i8], b: &[i8]) -> i32 {
            a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
        }
    } with {
        let a: Vec<i8> = numbers(n, 1);
        let b: Vec<i8> = numbers(n, 2);
    } (&a, &b) => ()
    quantise {
        pub fn kernel(scale: f32, x: &[f32], q: &mut [i8]) {
            let inverse = scale.recip();
            for (q, v) in q.iter_mut().zip(x) {
                *q = (v * inverse).round().clamp(-128.0, 127.0) as i8;
            }
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
        let mut q: Vec<i8> = numbers(n, 2);
    } (0.01, &x, &mut q) => (q)
    conv2d {
        use ndarray::{Array2, Array4, ArrayView3, ArrayViewMut3};
        pub fn kernel(x: ArrayView3<f32>, w: &Array4<f32>, mut y: ArrayViewMut3<f32>) {
            let (outs, h, wd) = y.dim();
            let ins = x.shape()[0];
            for o in 0..outs {
                for i in 0..h {
                    for j in 0..wd {
                        let mut sum = 0.0;
                        for c in 0..ins {
                            for di in 0..3 {
                                for dj in 0..3 {
                                    sum += w[[o, c, di, dj]] * x[[c, i + di, j + dj]];
                                }
                            }
                        }
                        y[[o, i, j]] = sum;
                    }
                }
            }
        }
    } with {
        let m = order(n);
        let x = ndarray::Array3::from_shape_vec((3, m + 2, m + 2), numbers::<f32>(3 * (m + 2) * (m + 2), 1)).unwrap();
        let w = ndarray::Array4::from_shape_vec((4, 3, 3, 3), numbers::<f32>(108, 2)).unwrap();
        let mut y = Array3::from_shape_vec((4, m, m), numbers::<f32>(4 * m * m, 3)).unwrap();
    } (x.view(), &w, y.view_mut()) => (y)
    attention_scores {
        pub fn kernel<const D: usize>(q: &[[f32; D]], k: &[[f32; D]], scores: &mut [f32]) {
            let scale = (D as f32).sqrt().recip();
            let n = k.len();
            for (i, q) in q.iter().enumerate() {
                for (j, k) in k.iter().enumerate() {
                    scores[i * n + j] = q.iter().zip(k).map(|(a, b)| a * b).sum::<f32>() * scale;
                }
            }
        }
    } with {
        let m = order(n);
        let q: Vec<[f32; 16]> = numbers(m, 1);
        let k: Vec<[f32; 16]> = numbers(m, 2);
        let mut scores: Vec<f32> = numbers(m * m, 3);
    } (&q, &k, &mut scores) => (scores)
    const_matmul {
        pub fn kernel<const N: usize, const M: usize, const K: usize>(
            a: &[[f64; K]; N],
            b: &[[f64; M]; K],
            c: &mut [[f64; M]; N],
        ) {
            for i in 0..N {
                for j in 0..M {
                    c[i][j] = (0..K).map(|k| a[i][k] * b[k][j]).sum();
                }
            }
        }
    } with {
        let a: [[f64; 6]; 4] = numbers::<[[f64; 6]; 4]>(1, 1)[0];
        let b: [[f64; 5]; 6] = numbers::<[[f64; 5]; 6]>(1, 2)[0];
        let mut c: [[f64; 5]; 4] = numbers::<[[f64; 5]; 4]>(1, 3)[0];
    } (&a, &b, &mut c) => (c)
    run_time_power {
        pub fn kernel(n: i32, x: &mut [f64]) {
            for v in x.iter_mut() {
                *v = v.powi(n);
            }
        }
    } with {
        let mut x: Vec<f64> = numbers(n, 1);
    } (5, &mut x) => (x)
    horner_slice {
        pub fn kernel(coefficients: &[f64], x: &[f64], y: &mut [f64]) {
            for (y, &x) in y.iter_mut().zip(x) {
                *y = coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c);
            }
        }
    } with {
        let coefficients: Vec<f64> = numbers(7, 3);
        let x: Vec<f64> = numbers(n, 1);
        let mut y: Vec<f64> = numbers(n, 2);
    } (&coefficients, &x, &mut y) => (y)
    chebyshev {
        pub fn kernel<const N: usize>(c: &[f64; N], x: &[f64], y: &mut [f64]) {
            for (y, &x) in y.iter_mut().zip(x) {
                let (mut b1, mut b2) = (0.0, 0.0);
                for &c in c.iter().skip(1).rev() {
                    (b1, b2) = (2.0 * x * b1 - b2 + c, b1);
                }
                *y = x * b1 - b2 + c[0];
            }
        }
    } with {
        let c: [f64; 6] = numbers::<[f64; 6]>(1, 3)[0];
        let x: Vec<f64> = numbers(n, 1);
        let mut y: Vec<f64> = numbers(n, 2);
    } (&c, &x, &mut y) => (y)
    edit_distance {
        pub fn kernel(a: &[u8], b: &[u8], row: &mut [u32]) -> u32 {
            for (j, r) in row.iter_mut().enumerate() {
                *r = j as u32;
            }
            for (i, &ca) in a.iter().enumerate() {
                let mut diagonal = row[0];
                row[0] = i as u32 + 1;
                for (j, &cb) in b.iter().enumerate() {
                    let cost = u32::from(ca != cb);
                    let best = (row[j] + 1).min(row[j + 1] + 1).min(diagonal + cost);
                    diagonal = row[j + 1];
                    row[j + 1] = best;
                }
            }
            row[b.len()]
        }
    } with {
        let m = order(n);
        let a: Vec<u8> = (0..m).map(|i| (i * 7 % 5) as u8).collect();
        let b: Vec<u8> = (0..m).map(|i| (i * 3 % 5) as u8).collect();
        let mut row: Vec<u32> = vec![0; m + 1];
    } (&a, &b, &mut row) => (row)
    knapsack {
        pub fn kernel(items: &[(usize, u32)], best: &mut [u32]) -> u32 {
            best.fill(0);
            for &(weight, value) in items {
                for w in (weight..best.len()).rev() {
                    best[w] = best[w].max(best[w - weight] + value);
                }
            }
            *best.last().unwrap_or(&0)
        }
    } with {
        let items: Vec<(usize, u32)> = (0..12).map(|i| (i % 5 + 1, (i * 7 % 11) as u32)).collect();
        let mut best: Vec<u32> = vec![1; n];
    } (&items, &mut best) => (best)
    longest_common_subsequence {
        pub fn kernel(a: &[u8], b: &[u8]) -> usize {
            let mut previous = vec![0_usize; b.len() + 1];
            let mut current = vec![0_usize; b.len() + 1];
            for &x in a {
                for (j, &y) in b.iter().enumerate() {
                    current[j + 1] = if x == y { previous[j] + 1 } else { current[j].max(previous[j + 1]) };
                }
                std::mem::swap(&mut previous, &mut current);
            }
            previous[b.len()]
        }
    } with {
        let m = order(n);
        let a: Vec<u8> = (0..m).map(|i| (i * 7 % 5) as u8).collect();
        let b: Vec<u8> = (0..m).map(|i| (i * 3 % 5) as u8).collect();
    } (&a, &b) => ()
    max_subarray {
        pub fn kernel(x: &[i64]) -> i64 {
            let mut best = i64::MIN;
            let mut current = 0_i64;
            for &v in x {
                current = v.max(current + v);
                best = best.max(current);
            }
            best
        }
    } with {
        let x: Vec<i64> = (0..n as i64).map(|i| i * 37 % 21 - 10).collect();
    } (&x) => ()
}
