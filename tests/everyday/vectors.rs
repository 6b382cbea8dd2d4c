everyday! {
    axpy {
        pub fn kernel(a: f64, x: &[f64], y: &mut [f64]) {
            for (y, x) in y.iter_mut().zip(x) {
                *y += a * x;
            }
        }
    }
    dot {
        pub fn kernel(x: &[f64], y: &[f64]) -> f64 {
            x.iter().zip(y).map(|(a, b)| a * b).sum()
        }
    }
    norm {
        pub fn kernel(x: &[f64]) -> f64 {
            x.iter().map(|v| v * v).sum::<f64>().sqrt()
        }
    }
    largest {
        pub fn kernel(x: &[f64]) -> f64 {
            x.iter().fold(0.0, |m: f64, v| m.max(v.abs()))
        }
    }
    minimum {
        pub fn kernel(x: &[f64]) -> f64 {
            x.iter().copied().fold(f64::INFINITY, f64::min)
        }
    }
    mean_and_variance {
        pub fn kernel(x: &[f64], out: &mut [f64; 2]) {
            let n = x.len() as f64;
            let mean = x.iter().sum::<f64>() / n;
            let variance = x.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n;
            out[0] = mean;
            out[1] = variance;
        }
    }
    normalise {
        pub fn kernel(x: &mut [f64]) {
            let norm = x.iter().map(|v| v * v).sum::<f64>().sqrt();
            if norm > 0.0 {
                for v in x.iter_mut() {
                    *v /= norm;
                }
            }
        }
    }
    prefix_sum {
        pub fn kernel(x: &[f64], y: &mut [f64]) {
            let mut total = 0.0;
            for (y, &x) in y.iter_mut().zip(x) {
                total += x;
                *y = total;
            }
        }
    }
    softmax {
        pub fn kernel(x: &mut [f64]) {
            let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let mut total = 0.0;
            for v in x.iter_mut() {
                *v = (*v - largest).exp();
                total += *v;
            }
            for v in x.iter_mut() {
                *v /= total;
            }
        }
    }
    leaky_relu {
        pub fn kernel(x: &[f32], y: &mut [f32]) {
            for (y, &x) in y.iter_mut().zip(x) {
                *y = if x > 0.0 { x } else { 0.01 * x };
            }
        }
    }
    sigmoid {
        pub fn kernel(x: &[f64], y: &mut [f64]) {
            for (y, x) in y.iter_mut().zip(x) {
                *y = 1.0 / (1.0 + (-x).exp());
            }
        }
    }
    gelu {
        const SQRT_2_OVER_PI: f64 = 0.797_884_560_802_865_4;
        pub fn kernel(x: &[f64], y: &mut [f64]) {
            for (y, &x) in y.iter_mut().zip(x) {
                *y = 0.5 * x * (1.0 + (SQRT_2_OVER_PI * (x + 0.044715 * x.powi(3))).tanh());
            }
        }
    }
    horner {
        pub fn kernel(c: &[f64], x: &[f64], y: &mut [f64]) {
            for (y, &x) in y.iter_mut().zip(x) {
                *y = c.iter().rev().fold(0.0, |s, &c| s * x + c);
            }
        }
    }
    clamp_all {
        pub fn kernel(low: f64, high: f64, x: &mut [f64]) {
            for v in x.iter_mut() {
                *v = v.clamp(low, high);
            }
        }
    }
    quantise {
        pub fn kernel(scale: f32, x: &[f32], q: &mut [i8]) {
            for (q, &x) in q.iter_mut().zip(x) {
                *q = (x / scale).round().clamp(-127.0, 127.0) as i8;
            }
        }
    }
    dequantise {
        pub fn kernel(scale: f32, q: &[i8], x: &mut [f32]) {
            for (x, &q) in x.iter_mut().zip(q) {
                *x = scale * f32::from(q);
            }
        }
    }
    linspace {
        pub fn kernel(a: f64, b: f64, x: &mut [f64]) {
            let n = x.len();
            if n < 2 {
                return;
            }
            let h = (b - a) / (n - 1) as f64;
            for (i, v) in x.iter_mut().enumerate() {
                *v = a + h * i as f64;
            }
        }
    }
    lerp {
        pub fn kernel(t: f64, a: &[f64], b: &[f64], y: &mut [f64]) {
            for ((y, a), b) in y.iter_mut().zip(a).zip(b) {
                *y = (1.0 - t) * a + t * b;
            }
        }
    }
    argmax {
        pub fn kernel(x: &[f64], out: &mut [usize; 1]) {
            let mut best = 0;
            for i in 1..x.len() {
                if x[i] > x[best] {
                    best = i;
                }
            }
            out[0] = best;
        }
    }
    logistic {
        const STEPS: usize = 10;
        pub fn kernel(r: &[f64], x: &mut [f64]) {
            for (x, &r) in x.iter_mut().zip(r) {
                for _ in 0..STEPS {
                    *x = r * *x * (1.0 - *x);
                }
            }
        }
    }
    wrap_angles {
        use std::f64::consts::PI;
        pub fn kernel(x: &mut [f64]) {
            for v in x.iter_mut() {
                *v = (*v + PI).rem_euclid(2.0 * PI) - PI;
            }
        }
    }
    replace_nan {
        pub fn kernel(x: &mut [f64]) {
            for v in x.iter_mut() {
                if v.is_nan() {
                    *v = 0.0;
                }
            }
        }
    }
    polar {
        pub fn kernel(x: &[f64], y: &[f64], r: &mut [f64], phi: &mut [f64]) {
            for i in 0..x.len() {
                r[i] = x[i].hypot(y[i]);
                phi[i] = y[i].atan2(x[i]);
            }
        }
    }
    degrees {
        pub fn kernel(x: &[f64], y: &mut [f64]) {
            for (y, x) in y.iter_mut().zip(x) {
                *y = x.to_radians().sin();
            }
        }
    }
    soft_threshold {
        pub fn kernel(t: f64, x: &mut [f64]) {
            for v in x.iter_mut() {
                *v = v.signum() * (v.abs() - t).max(0.0);
            }
        }
    }
    differences {
        pub fn kernel(x: &[f64], y: &mut [f64]) {
            for (y, w) in y.iter_mut().zip(x.windows(2)) {
                *y = w[1] - w[0];
            }
        }
    }
}
