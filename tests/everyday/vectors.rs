everyday! {
    n
    axpy {
        pub fn kernel(a: f64, x: &[f64], y: &mut [f64]) {
            for (y, x) in y.iter_mut().zip(x) {
                *y += a * x;
            }
        }
    } with {
        let x = numbers(n, 1);
        let mut y = numbers(n, 2);
    } (0.75, &x, &mut y) => (y)
    dot {
        pub fn kernel(x: &[f64], y: &[f64]) -> f64 {
            x.iter().zip(y).map(|(a, b)| a * b).sum()
        }
    } with {
        let x = numbers(n, 1);
        let y = numbers(n, 2);
    } (&x, &y) => ()
    norm {
        pub fn kernel(x: &[f64]) -> f64 {
            x.iter().map(|v| v * v).sum::<f64>().sqrt()
        }
    } with {
        let x = numbers(n, 1);
    } (&x) => ()
    largest {
        pub fn kernel(x: &[f64]) -> f64 {
            x.iter().fold(0.0, |m: f64, v| m.max(v.abs()))
        }
    } with {
        let x = numbers(n, 1);
    } (&x) => ()
    minimum {
        pub fn kernel(x: &[f64]) -> f64 {
            x.iter().copied().fold(f64::INFINITY, f64::min)
        }
    } with {
        let x = numbers(n, 1);
    } (&x) => ()
    mean_and_variance {
        pub fn kernel(x: &[f64], out: &mut [f64; 2]) {
            let n = x.len() as f64;
            let mean = x.iter().sum::<f64>() / n;
            let variance = x.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n;
            out[0] = mean;
            out[1] = variance;
        }
    } with {
        let x = numbers(n, 1);
        let mut out = [0.0; 2];
    } (&x, &mut out) => (out)
    normalise {
        pub fn kernel(x: &mut [f64]) {
            let norm = x.iter().map(|v| v * v).sum::<f64>().sqrt();
            if norm > 0.0 {
                for v in x.iter_mut() {
                    *v /= norm;
                }
            }
        }
    } with {
        let mut x = numbers(n, 1);
    } (&mut x) => (x)
    prefix_sum {
        pub fn kernel(x: &[f64], y: &mut [f64]) {
            let mut total = 0.0;
            for (y, &x) in y.iter_mut().zip(x) {
                total += x;
                *y = total;
            }
        }
    } with {
        let x = numbers(n, 1);
        let mut y = numbers(n, 2);
    } (&x, &mut y) => (y)
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
    } with {
        let mut x = numbers(n, 1);
    } (&mut x) => (x)
    leaky_relu {
        pub fn kernel(x: &[f32], y: &mut [f32]) {
            for (y, &x) in y.iter_mut().zip(x) {
                *y = if x > 0.0 { x } else { 0.01 * x };
            }
        }
    } with {
        let x = numbers(n, 1);
        let mut y = numbers(n, 2);
    } (&x, &mut y) => (y)
    sigmoid {
        pub fn kernel(x: &[f64], y: &mut [f64]) {
            for (y, x) in y.iter_mut().zip(x) {
                *y = 1.0 / (1.0 + (-x).exp());
            }
        }
    } with {
        let x = numbers(n, 1);
        let mut y = numbers(n, 2);
    } (&x, &mut y) => (y)
    gelu {
        const SQRT_2_OVER_PI: f64 = 0.797_884_560_802_865_4;
        pub fn kernel(x: &[f64], y: &mut [f64]) {
            for (y, &x) in y.iter_mut().zip(x) {
                *y = 0.5 * x * (1.0 + (SQRT_2_OVER_PI * (x + 0.044715 * x.powi(3))).tanh());
            }
        }
    } with {
        let x = numbers(n, 1);
        let mut y = numbers(n, 2);
    } (&x, &mut y) => (y)
    horner {
        pub fn kernel(c: &[f64], x: &[f64], y: &mut [f64]) {
            for (y, &x) in y.iter_mut().zip(x) {
                *y = c.iter().rev().fold(0.0, |s, &c| s * x + c);
            }
        }
    } with {
        let c = numbers(9, 3);
        let x = numbers(n, 1);
        let mut y = numbers(n, 2);
    } (&c, &x, &mut y) => (y)
    clamp_all {
        pub fn kernel(low: f64, high: f64, x: &mut [f64]) {
            for v in x.iter_mut() {
                *v = v.clamp(low, high);
            }
        }
    } with {
        let mut x = numbers(n, 1);
    } (-0.5, 0.25, &mut x) => (x)
    quantise {
        pub fn kernel(scale: f32, x: &[f32], q: &mut [i8]) {
            for (q, &x) in q.iter_mut().zip(x) {
                *q = (x / scale).round().clamp(-127.0, 127.0) as i8;
            }
        }
    } with {
        let x = numbers(n, 1);
        let mut q = vec![0_i8; n];
    } (0.01, &x, &mut q) => (q)
    dequantise {
        pub fn kernel(scale: f32, q: &[i8], x: &mut [f32]) {
            for (x, &q) in x.iter_mut().zip(q) {
                *x = scale * f32::from(q);
            }
        }
    } with {
        let q: Vec<i8> = (0..n).map(|i| (i * 37 % 251) as i8).collect();
        let mut x = numbers(n, 1);
    } (0.01, &q, &mut x) => (x)
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
    } with {
        let mut x = numbers(n, 1);
    } (-1.0, 2.0, &mut x) => (x)
    lerp {
        pub fn kernel(t: f64, a: &[f64], b: &[f64], y: &mut [f64]) {
            for ((y, a), b) in y.iter_mut().zip(a).zip(b) {
                *y = (1.0 - t) * a + t * b;
            }
        }
    } with {
        let a = numbers(n, 1);
        let b = numbers(n, 2);
        let mut y = numbers(n, 3);
    } (0.3, &a, &b, &mut y) => (y)
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
    } with {
        let x = numbers(n, 1);
        let mut out = [0; 1];
    } (&x, &mut out) => (out)
    logistic {
        const STEPS: usize = 10;
        pub fn kernel(r: &[f64], x: &mut [f64]) {
            for (x, &r) in x.iter_mut().zip(r) {
                for _ in 0..STEPS {
                    *x = r * *x * (1.0 - *x);
                }
            }
        }
    } with {
        let r: Vec<f64> = numbers(n, 1);
        let mut x = numbers(n, 2);
    } (&r, &mut x) => (x)
    wrap_angles {
        use std::f64::consts::PI;
        pub fn kernel(x: &mut [f64]) {
            for v in x.iter_mut() {
                *v = (*v + PI).rem_euclid(2.0 * PI) - PI;
            }
        }
    } with {
        let mut x: Vec<f64> = numbers(n, 1);
        x.iter_mut().for_each(|x| *x *= 30.0);
    } (&mut x) => (x)
    replace_nan {
        pub fn kernel(x: &mut [f64]) {
            for v in x.iter_mut() {
                if v.is_nan() {
                    *v = 0.0;
                }
            }
        }
    } with {
        let mut x: Vec<f64> = numbers(n, 1);
        x.iter_mut().step_by(3).for_each(|x| *x = f64::NAN);
    } (&mut x) => (x)
    polar {
        pub fn kernel(x: &[f64], y: &[f64], r: &mut [f64], phi: &mut [f64]) {
            for i in 0..x.len() {
                r[i] = x[i].hypot(y[i]);
                phi[i] = y[i].atan2(x[i]);
            }
        }
    } with {
        let x = numbers(n, 1);
        let y = numbers(n, 2);
        let mut r = numbers(n, 3);
        let mut phi = numbers(n, 4);
    } (&x, &y, &mut r, &mut phi) => (r, phi)
    degrees {
        pub fn kernel(x: &[f64], y: &mut [f64]) {
            for (y, x) in y.iter_mut().zip(x) {
                *y = x.to_radians().sin();
            }
        }
    } with {
        let x = numbers(n, 1);
        let mut y = numbers(n, 2);
    } (&x, &mut y) => (y)
    soft_threshold {
        pub fn kernel(t: f64, x: &mut [f64]) {
            for v in x.iter_mut() {
                *v = v.signum() * (v.abs() - t).max(0.0);
            }
        }
    } with {
        let mut x = numbers(n, 1);
    } (0.25, &mut x) => (x)
    differences {
        pub fn kernel(x: &[f64], y: &mut [f64]) {
            for (y, w) in y.iter_mut().zip(x.windows(2)) {
                *y = w[1] - w[0];
            }
        }
    } with {
        let x = numbers(n + 1, 1);
        let mut y = numbers(n, 2);
    } (&x, &mut y) => (y)
}
