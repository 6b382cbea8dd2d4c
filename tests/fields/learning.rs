everyday! {
    n
    layer_norm_affine {
        pub fn kernel(width: usize, x: &[f32], gamma: &[f32], beta: &[f32], out: &mut [f32]) {
            for (row, out) in x.chunks_exact(width).zip(out.chunks_exact_mut(width)) {
                let mean = row.iter().sum::<f32>() / width as f32;
                let var = row.iter().map(|v| (v - mean).powi(2)).sum::<f32>() / width as f32;
                let scale = (var + 1e-5).sqrt().recip();
                for (((o, v), g), b) in out.iter_mut().zip(row).zip(gamma).zip(beta) {
                    *o = (v - mean) * scale * g + b;
                }
            }
        }
    } with {
        let rows = n.div_ceil(64);
        let x: Vec<f32> = numbers(rows * 64, 1);
        let gamma: Vec<f32> = numbers(64, 2);
        let beta: Vec<f32> = numbers(64, 3);
        let mut out: Vec<f32> = numbers(rows * 64, 4);
    } (64, &x, &gamma, &beta, &mut out) => (out)
    rms_norm {
        pub fn kernel(x: &mut [f32], weight: &[f32]) {
            let mut sum = 0.0;
            for v in x.iter() {
                sum += v * v;
            }
            let scale = 1.0 / (sum / x.len() as f32 + 1e-6).sqrt();
            for (v, w) in x.iter_mut().zip(weight.iter()) {
                *v = *v * scale * *w;
            }
        }
    } with {
        let mut x: Vec<f32> = numbers(n, 1);
        let weight: Vec<f32> = numbers(n, 2);
    } (&mut x, &weight) => (x)
    gelu_tanh {
        pub fn kernel(x: &[f32], y: &mut [f32]) {
            let c = (2.0 / std::f32::consts::PI).sqrt();
            for i in 0..x.len() {
                let v = x[i];
                y[i] = 0.5 * v * (1.0 + (c * (v + 0.044715 * v * v * v)).tanh());
            }
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
        let mut y: Vec<f32> = numbers(n, 2);
    } (&x, &mut y) => (y)
    swiglu {
        pub fn kernel(gate: &[f32], up: &[f32], out: &mut [f32]) {
            for ((o, &g), &u) in out.iter_mut().zip(gate).zip(up) {
                *o = g / (1.0 + (-g).exp()) * u;
            }
        }
    } with {
        let gate: Vec<f32> = numbers(n, 1);
        let up: Vec<f32> = numbers(n, 2);
        let mut out: Vec<f32> = numbers(n, 3);
    } (&gate, &up, &mut out) => (out)
    rotary_embedding {
        pub fn kernel(position: usize, q: &mut [f32]) {
            let half = q.len() / 2;
            for i in 0..half {
                let theta = position as f32 * 10000_f32.powf(-(i as f32) / half as f32);
                let (sin, cos) = theta.sin_cos();
                let (a, b) = (q[i], q[i + half]);
                q[i] = a * cos - b * sin;
                q[i + half] = a * sin + b * cos;
            }
        }
    } with {
        let mut q: Vec<f32> = numbers(n, 1);
    } (17, &mut q) => (q)
    attention_row {
        pub fn kernel(d: usize, q: &[f32], keys: &[f32], values: &[f32], weights: &mut [f32], out: &mut [f32]) {
            let scale = 1.0 / (d as f32).sqrt();
            let mut max = f32::NEG_INFINITY;
            for (w, k) in weights.iter_mut().zip(keys.chunks_exact(d)) {
                *w = scale * q.iter().zip(k).map(|(a, b)| a * b).sum::<f32>();
                max = max.max(*w);
            }
            let mut total = 0.0;
            for w in weights.iter_mut() {
                *w = (*w - max).exp();
                total += *w;
            }
            out.fill(0.0);
            for (w, v) in weights.iter().zip(values.chunks_exact(d)) {
                for (o, x) in out.iter_mut().zip(v) {
                    *o += w / total * x;
                }
            }
        }
    } with {
        let m = n.div_ceil(32);
        let q: Vec<f32> = numbers(32, 1);
        let keys: Vec<f32> = numbers(m * 32, 2);
        let values: Vec<f32> = numbers(m * 32, 3);
        let mut weights: Vec<f32> = numbers(m, 4);
        let mut out: Vec<f32> = numbers(32, 5);
    } (32, &q, &keys, &values, &mut weights, &mut out) => (weights, out)
    conv2d_nchw {
        use ndarray::{ArrayView3, ArrayViewMut3};
        pub fn kernel(input: ArrayView3<f32>, weights: &[[[[f32; 3]; 3]; 4]], bias: &[f32], mut output: ArrayViewMut3<f32>) {
            let (channels, height, width) = output.dim();
            for co in 0..channels {
                for y in 0..height {
                    for x in 0..width {
                        let mut sum = bias[co];
                        for ci in 0..4 {
                            for dy in 0..3 {
                                for dx in 0..3 {
                                    sum += input[[ci, y + dy, x + dx]] * weights[co][ci][dy][dx];
                                }
                            }
                        }
                        output[[co, y, x]] = sum.max(0.0);
                    }
                }
            }
        }
    } with {
        let m = order(n).min(40);
        let input = Array3::from_shape_vec((4, m + 2, m + 2), numbers(4 * (m + 2) * (m + 2), 1)).unwrap();
        let weights: Vec<[[[f32; 3]; 3]; 4]> = numbers(2, 2);
        let bias: Vec<f32> = numbers(2, 3);
        let mut output = Array3::from_shape_vec((2, m, m), numbers(2 * m * m, 4)).unwrap();
    } (input.view(), &weights, &bias, output.view_mut()) => (output)
    depthwise_conv {
        pub fn kernel(channels: usize, width: usize, x: &[f32], taps: &[[f32; 5]], y: &mut [f32]) {
            for c in 0..channels {
                let input = &x[c * (width + 4)..(c + 1) * (width + 4)];
                let output = &mut y[c * width..(c + 1) * width];
                for (i, o) in output.iter_mut().enumerate() {
                    *o = taps[c].iter().zip(&input[i..i + 5]).map(|(t, v)| t * v).sum();
                }
            }
        }
    } with {
        let m = n.div_ceil(8);
        let x: Vec<f32> = numbers(8 * (m + 4), 1);
        let taps: Vec<[f32; 5]> = numbers(8, 2);
        let mut y: Vec<f32> = numbers(8 * m, 3);
    } (8, m, &x, &taps, &mut y) => (y)
    max_pool_nchw {
        pub fn kernel(channels: usize, height: usize, width: usize, x: &[f32], y: &mut [f32]) {
            let (oh, ow) = (height / 2, width / 2);
            for c in 0..channels {
                for i in 0..oh {
                    for j in 0..ow {
                        let mut m = f32::MIN;
                        for di in 0..2 {
                            for dj in 0..2 {
                                m = m.max(x[(c * height + 2 * i + di) * width + 2 * j + dj]);
                            }
                        }
                        y[(c * oh + i) * ow + j] = m;
                    }
                }
            }
        }
    } with {
        let m = 2 * (order(n) / 2);
        let x: Vec<f32> = numbers(3 * m * m, 1);
        let mut y: Vec<f32> = numbers(3 * m * m / 4, 2);
    } (3, m, m, &x, &mut y) => (y)
    batch_norm_inference {
        pub fn kernel(x: &mut [[f32; 16]], mean: &[f32; 16], var: &[f32; 16], gamma: &[f32; 16], beta: &[f32; 16]) {
            for sample in x.iter_mut() {
                for c in 0..16 {
                    sample[c] = (sample[c] - mean[c]) / (var[c] + 1e-5).sqrt() * gamma[c] + beta[c];
                }
            }
        }
    } with {
        let mut x: Vec<[f32; 16]> = numbers(n / 16, 1);
        let p: Vec<[f32; 16]> = numbers(4, 2);
        let var = p[1].map(|v| v + 1.5);
    } (&mut x, &p[0], &var, &p[2], &p[3]) => (x)
    cross_entropy_logits {
        pub fn kernel(logits: &[[f32; 10]], labels: &[u8]) -> f32 {
            let mut loss = 0.0;
            for (row, &label) in logits.iter().zip(labels) {
                let max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let sum: f32 = row.iter().map(|z| (z - max).exp()).sum();
                loss += sum.ln() + max - row[usize::from(label)];
            }
            loss / labels.len() as f32
        }
    } with {
        let logits: Vec<[f32; 10]> = numbers(n, 1);
        let labels: Vec<u8> = (0..n).map(|i| (i * 7 % 10) as u8).collect();
    } (&logits, &labels) => ()
    softmax_backward {
        pub fn kernel(p: &[[f64; 8]], grad: &[[f64; 8]], out: &mut [[f64; 8]]) {
            for i in 0..p.len() {
                let dot = (0..8).map(|k| p[i][k] * grad[i][k]).sum::<f64>();
                for k in 0..8 {
                    out[i][k] = p[i][k] * (grad[i][k] - dot);
                }
            }
        }
    } with {
        let p: Vec<[f64; 8]> = numbers(n, 1);
        let grad: Vec<[f64; 8]> = numbers(n, 2);
        let mut out: Vec<[f64; 8]> = numbers(n, 3);
    } (&p, &grad, &mut out) => (out)
    sgd_momentum {
        pub fn kernel(lr: f32, momentum: f32, decay: f32, grad: &[f32], velocity: &mut [f32], w: &mut [f32]) {
            assert!(grad.len() == w.len() && velocity.len() == w.len());
            for ((w, v), g) in w.iter_mut().zip(velocity).zip(grad) {
                *v = momentum * *v + g + decay * *w;
                *w -= lr * *v;
            }
        }
    } with {
        let grad: Vec<f32> = numbers(n, 1);
        let mut velocity: Vec<f32> = numbers(n, 2);
        let mut w: Vec<f32> = numbers(n, 3);
    } (0.01, 0.9, 1e-4, &grad, &mut velocity, &mut w) => (velocity, w)
    k_means_assign {
        pub fn kernel(points: &[[f32; 2]], centres: &[[f32; 2]; 5], label: &mut [u32]) {
            for (p, l) in points.iter().zip(label.iter_mut()) {
                let mut best = f32::MAX;
                let mut at = 0;
                for (k, c) in centres.iter().enumerate() {
                    let d = (p[0] - c[0]) * (p[0] - c[0]) + (p[1] - c[1]) * (p[1] - c[1]);
                    if d < best {
                        best = d;
                        at = k as u32;
                    }
                }
                *l = at;
            }
        }
    } with {
        let points: Vec<[f32; 2]> = numbers(n, 1);
        let centres: [[f32; 2]; 5] = numbers::<[[f32; 2]; 5]>(1, 2)[0];
        let mut label = vec![0_u32; n];
    } (&points, &centres, &mut label) => (label)
    cosine_similarities {
        pub fn kernel(query: &[f32; 64], rows: &[[f32; 64]], similarity: &mut [f32]) {
            let norm = |v: &[f32; 64]| v.iter().map(|x| x * x).sum::<f32>().sqrt();
            let q = norm(query);
            for (s, row) in similarity.iter_mut().zip(rows) {
                let dot: f32 = row.iter().zip(query.iter()).map(|(a, b)| a * b).sum();
                *s = dot / (q * norm(row)).max(1e-9);
            }
        }
    } with {
        let query: [f32; 64] = numbers::<[f32; 64]>(1, 1)[0];
        let rows: Vec<[f32; 64]> = numbers(n / 64, 2);
        let mut similarity: Vec<f32> = numbers(n / 64, 3);
    } (&query, &rows, &mut similarity) => (similarity)
    int8_matvec {
        pub fn kernel(scale: f32, w: &[[i8; 32]], x: &[i8; 32], y: &mut [f32]) {
            for (y, row) in y.iter_mut().zip(w) {
                let mut acc = 0_i32;
                for k in 0..32 {
                    acc += i32::from(row[k]) * i32::from(x[k]);
                }
                *y = scale * acc as f32;
            }
        }
    } with {
        let w: Vec<[i8; 32]> = numbers(n / 32, 1);
        let x: [i8; 32] = numbers::<[i8; 32]>(1, 2)[0];
        let mut y: Vec<f32> = numbers(n / 32, 3);
    } (0.01, &w, &x, &mut y) => (y)
}
