everyday! {
    n
    crc32_bitwise {
        pub fn kernel(bytes: &[u8]) -> u32 {
            let mut crc = !0_u32;
            for &b in bytes {
                crc ^= u32::from(b);
                for _ in 0..8 {
                    crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
                }
            }
            !crc
        }
    } with {
        let bytes: Vec<u8> = numbers(n, 1);
    } (&bytes) => ()
    fletcher {
        pub fn kernel(bytes: &[u8]) -> u32 {
            let (mut a, mut b) = (0_u32, 0_u32);
            for &byte in bytes {
                a = (a + u32::from(byte)) % 255;
                b = (b + a) % 255;
            }
            (b << 8) | a
        }
    } with {
        let bytes: Vec<u8> = numbers(n, 1);
    } (&bytes) => ()
    base64_encode {
        const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        pub fn kernel(bytes: &[[u8; 3]], text: &mut [[u8; 4]]) {
            for (out, &[a, b, c]) in text.iter_mut().zip(bytes) {
                let word = u32::from(a) << 16 | u32::from(b) << 8 | u32::from(c);
                for (k, o) in out.iter_mut().enumerate() {
                    *o = ALPHABET[(word >> (18 - 6 * k) & 63) as usize];
                }
            }
        }
    } with {
        let bytes: Vec<[u8; 3]> = numbers(n / 3, 1);
        let mut text = vec![[0_u8; 4]; n / 3];
    } (&bytes, &mut text) => (text)
    parse_digits {
        pub fn kernel(fields: &[[u8; 4]], values: &mut [u32]) {
            for (v, field) in values.iter_mut().zip(fields) {
                *v = field.iter().fold(0, |n, &d| 10 * n + u32::from(d - b'0'));
            }
        }
    } with {
        let fields: Vec<[u8; 4]> = (0..n).map(|i| std::array::from_fn(|k| b'0' + ((i * 7 + k * 3) % 10) as u8)).collect();
        let mut values = vec![0_u32; n];
    } (&fields, &mut values) => (values)
    utf8_characters {
        pub fn kernel(text: &[u8]) -> usize {
            text.iter().filter(|&&b| (b as i8) >= -0x40).count()
        }
    } with {
        let text: Vec<u8> = numbers(n, 1);
    } (&text) => ()
    bit_reverse {
        pub fn kernel(x: &mut [u32]) {
            for v in x.iter_mut() {
                let mut w = *v;
                w = (w >> 1) & 0x5555_5555 | (w & 0x5555_5555) << 1;
                w = (w >> 2) & 0x3333_3333 | (w & 0x3333_3333) << 2;
                w = (w >> 4) & 0x0f0f_0f0f | (w & 0x0f0f_0f0f) << 4;
                *v = w.swap_bytes();
            }
        }
    } with {
        let mut x: Vec<u32> = numbers(n, 1);
    } (&mut x) => (x)
    gray_code {
        pub fn kernel(out: &mut [u32]) {
            for (i, g) in out.iter_mut().enumerate() {
                let i = i as u32;
                *g = i ^ (i >> 1);
            }
        }
    } with {
        let mut out: Vec<u32> = numbers(n, 1);
    } (&mut out) => (out)
    morton {
        fn spread(x: u32) -> u32 {
            let x = x & 0xffff;
            let x = (x | x << 8) & 0x00ff_00ff;
            let x = (x | x << 4) & 0x0f0f_0f0f;
            let x = (x | x << 2) & 0x3333_3333;
            (x | x << 1) & 0x5555_5555
        }
        pub fn kernel(x: &[u16], y: &[u16], code: &mut [u32]) {
            for ((c, &x), &y) in code.iter_mut().zip(x).zip(y) {
                *c = spread(u32::from(x)) | spread(u32::from(y)) << 1;
            }
        }
    } with {
        let x: Vec<u16> = numbers(n, 1);
        let y: Vec<u16> = numbers(n, 2);
        let mut code = vec![0_u32; n];
    } (&x, &y, &mut code) => (code)
    pcg_streams {
        pub fn kernel(states: &mut [u64], out: &mut [f32]) {
            for (state, out) in states.iter_mut().zip(out.iter_mut()) {
                *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let bits = (*state >> 40) as u32;
                *out = bits as f32 * (1.0 / (1 << 24) as f32);
            }
        }
    } with {
        let mut states: Vec<u64> = (0..n as u64).map(|i| i * i + 7).collect();
        let mut out: Vec<f32> = numbers(n, 1);
    } (&mut states, &mut out) => (out)
    box_muller {
        pub fn kernel(u: &[[f64; 2]], normal: &mut [[f64; 2]]) {
            for (z, &[a, b]) in normal.iter_mut().zip(u) {
                let r = (-2.0 * a.ln()).sqrt();
                let (s, c) = (std::f64::consts::TAU * b).sin_cos();
                *z = [r * c, r * s];
            }
        }
    } with {
        let u: Vec<[f64; 2]> = numbers::<[f64; 2]>(n, 1).iter().map(|u| u.map(|u| 0.5 + 0.499 * u)).collect();
        let mut normal: Vec<[f64; 2]> = numbers(n, 2);
    } (&u, &mut normal) => (normal)
    julia {
        pub fn kernel(width: usize, c: (f64, f64), image: &mut [u8]) {
            for (y, row) in image.chunks_mut(width).enumerate() {
                for (x, pixel) in row.iter_mut().enumerate() {
                    let mut re = x as f64 * 3.0 / width as f64 - 1.5;
                    let mut im = y as f64 * 3.0 / width as f64 - 1.5;
                    let mut steps = 0;
                    while steps < 50 && re * re + im * im < 4.0 {
                        (re, im) = (re * re - im * im + c.0, 2.0 * re * im + c.1);
                        steps += 1;
                    }
                    *pixel = steps;
                }
            }
        }
    } with {
        let m = order(n).max(1);
        let mut image = vec![0_u8; m * m];
    } (m, (-0.8, 0.156), &mut image) => (image)
    american_put {
        pub fn kernel(steps: usize, spot: f64, strike: f64, up: f64, p: f64, discount: f64, values: &mut [f64]) -> f64 {
            for (i, v) in values.iter_mut().enumerate() {
                *v = (strike - spot * up.powi(2 * i as i32 - steps as i32)).max(0.0);
            }
            for t in (0..steps).rev() {
                for i in 0..=t {
                    let hold = discount * (p * values[i + 1] + (1.0 - p) * values[i]);
                    let exercise = strike - spot * up.powi(2 * i as i32 - t as i32);
                    values[i] = hold.max(exercise);
                }
            }
            values[0]
        }
    } with {
        let m = order(n);
        let mut values: Vec<f64> = numbers(m + 1, 1);
    } (m, 100.0, 105.0, 1.01, 0.51, 0.9999, &mut values) => (values)
    greeks {
        pub fn kernel(rate: f64, spot: &[f64], strike: &[f64], vol: &[f64], years: &[f64], delta: &mut [f64], vega: &mut [f64]) {
            const INV_SQRT_TAU: f64 = 0.3989422804014327;
            for i in 0..spot.len() {
                let sqrt_t = years[i].sqrt();
                let d1 = ((spot[i] / strike[i]).ln() + (rate + vol[i] * vol[i] / 2.0) * years[i]) / (vol[i] * sqrt_t);
                let density = INV_SQRT_TAU * (-d1 * d1 / 2.0).exp();
                delta[i] = 1.0 / (1.0 + (-1.702 * d1).exp());
                vega[i] = spot[i] * density * sqrt_t;
            }
        }
    } with {
        let near = |at: f64, seed| numbers::<f64>(n, seed).iter().map(|v| at * (1.0 + 0.2 * v)).collect::<Vec<f64>>();
        let (spot, strike, vol, years) = (near(100.0, 1), near(95.0, 2), near(0.3, 3), near(1.0, 4));
        let (mut delta, mut vega) = (vec![0.0; n], vec![0.0; n]);
    } (0.02, &spot, &strike, &vol, &years, &mut delta, &mut vega) => (delta, vega)
    share_below {
        pub fn kernel(limit: f64, samples: &[f64]) -> f64 {
            let mut below = 0_u32;
            for s in samples {
                if *s <= limit {
                    below += 1;
                }
            }
            f64::from(below) / samples.len() as f64
        }
    } with {
        let samples: Vec<f64> = numbers(n, 1);
    } (0.25, &samples) => ()
    resample_cubic {
        pub fn kernel(ratio: f32, x: &[f32], y: &mut [f32]) {
            for (i, out) in y.iter_mut().enumerate() {
                let t = i as f32 * ratio + 1.0;
                let k = t.floor() as usize;
                let f = t - k as f32;
                let (a, b, c, d) = (x[k - 1], x[k], x[k + 1], x[k + 2]);
                *out = b + 0.5 * f * (c - a + f * (2.0 * a - 5.0 * b + 4.0 * c - d + f * (3.0 * (b - c) + d - a)));
            }
        }
    } with {
        let x: Vec<f32> = numbers(n + 8, 1);
        let mut y: Vec<f32> = numbers(n, 2);
    } (0.99, &x, &mut y) => (y)
    filter_bank {
        pub fn kernel(coefficients: &[[f32; 5]; 8], state: &mut [[f32; 2]; 8], input: &[f32], output: &mut [[f32; 8]]) {
            for (x, out) in input.iter().zip(output.iter_mut()) {
                for k in 0..8 {
                    let [b0, b1, b2, a1, a2] = coefficients[k];
                    let y = b0 * x + state[k][0];
                    state[k][0] = b1 * x - a1 * y + state[k][1];
                    state[k][1] = b2 * x - a2 * y;
                    out[k] = y;
                }
            }
        }
    } with {
        let coefficients: [[f32; 5]; 8] = numbers::<[[f32; 5]; 8]>(1, 1)[0].map(|c| c.map(|v| 0.4 * v));
        let mut state = [[0.0_f32; 2]; 8];
        let input: Vec<f32> = numbers(n, 2);
        let mut output: Vec<[f32; 8]> = numbers(n, 3);
    } (&coefficients, &mut state, &input, &mut output) => (state, output)
    decibels {
        pub fn kernel(samples: &[f32], out: &mut [f32]) {
            let floor = 1e-5_f32;
            for (d, s) in out.iter_mut().zip(samples) {
                *d = 20.0 * s.abs().max(floor).log10();
            }
        }
    } with {
        let samples: Vec<f32> = numbers(n, 1);
        let mut out: Vec<f32> = numbers(n, 2);
    } (&samples, &mut out) => (out)
    weighted_covariance {
        pub fn kernel(x: &[f64], y: &[f64], w: &[f64]) -> (f64, f64, f64) {
            let total: f64 = w.iter().sum();
            let mx = x.iter().zip(w).map(|(x, w)| x * w).sum::<f64>() / total;
            let my = y.iter().zip(w).map(|(y, w)| y * w).sum::<f64>() / total;
            let mut c = (0.0, 0.0, 0.0);
            for i in 0..x.len() {
                let (dx, dy) = (x[i] - mx, y[i] - my);
                c.0 += w[i] * dx * dx;
                c.1 += w[i] * dx * dy;
                c.2 += w[i] * dy * dy;
            }
            (c.0 / total, c.1 / total, c.2 / total)
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let y: Vec<f64> = numbers(n, 2);
        let w: Vec<f64> = numbers::<f64>(n, 3).iter().map(|w| 1.5 + w).collect();
    } (&x, &y, &w) => ()
    apply_phase {
        use num_complex::Complex;
        pub fn kernel(phase: &[f32], signal: &mut [Complex<f32>]) {
            for (s, p) in signal.iter_mut().zip(phase) {
                *s *= Complex::from_polar(1.0, *p);
            }
        }
    } with {
        let phase: Vec<f32> = numbers(n, 1);
        let mut signal: Vec<Complex<f32>> = numbers(n, 2);
    } (&phase, &mut signal) => (signal)
    cross_spectrum {
        use num_complex::Complex;
        pub fn kernel(a: &[Complex<f64>], b: &[Complex<f64>]) -> Complex<f64> {
            let mut sum = Complex::new(0.0, 0.0);
            for (x, y) in a.iter().zip(b) {
                sum += x * y.conj();
            }
            sum
        }
    } with {
        let a: Vec<Complex<f64>> = numbers(n, 1);
        let b: Vec<Complex<f64>> = numbers(n, 2);
    } (&a, &b) => ()
    constant_taps {
        const TAPS: &[f32] = &[0.1, 0.25, 0.3, 0.25, 0.1];
        pub fn kernel(x: &[f32], y: &mut [f32]) {
            assert_eq!(x.len(), y.len() + TAPS.len() - 1);
            for (i, out) in y.iter_mut().enumerate() {
                *out = TAPS.iter().enumerate().map(|(k, t)| t * x[i + k]).sum();
            }
        }
    } with {
        let x: Vec<f32> = numbers(n + 4, 1);
        let mut y: Vec<f32> = numbers(n, 2);
    } (&x, &mut y) => (y)
    running_pair {
        pub fn kernel(x: &[f64]) -> (f64, f64) {
            let mut best = (f64::MAX, f64::MIN);
            for &v in x {
                best.0 = best.0.min(v);
                best.1 = best.1.max(v);
            }
            best
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
    } (&x) => ()
    euler_pairs {
        pub fn kernel(dt: f64, states: &mut [[f64; 2]]) {
            for s in states.iter_mut() {
                let mut state = (s[0], s[1]);
                for _ in 0..3 {
                    state = (state.0 + dt * state.1, state.1 - dt * state.0);
                }
                state.1 *= 0.99;
                *s = [state.0, state.1];
            }
        }
    } with {
        let mut states: Vec<[f64; 2]> = numbers(n, 1);
    } (0.05, &mut states) => (states)
}
