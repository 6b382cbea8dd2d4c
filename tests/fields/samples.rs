everyday! {
    n
    sepia {
        #[derive(Clone, Copy)]
        pub struct Rgb { pub r: u8, pub g: u8, pub b: u8 }
        pub fn kernel(image: &mut [Rgb]) {
            for p in image {
                let (r, g, b) = (f32::from(p.r), f32::from(p.g), f32::from(p.b));
                p.r = (0.393 * r + 0.769 * g + 0.189 * b).min(255.0) as u8;
                p.g = (0.349 * r + 0.686 * g + 0.168 * b).min(255.0) as u8;
                p.b = (0.272 * r + 0.534 * g + 0.131 * b).min(255.0) as u8;
            }
        }
    } with {
        let a: Vec<[u8; 3]> = numbers(n, 1);
        let mut image: Vec<Rgb> = a.iter().map(|p| Rgb { r: p[0], g: p[1], b: p[2] }).collect();
    } (&mut image) => (image)
    luminance_struct {
        #[derive(Clone, Copy)]
        pub struct Rgb { pub r: u8, pub g: u8, pub b: u8 }
        impl Rgb {
            pub fn luminance(self) -> u8 {
                ((77 * u32::from(self.r) + 150 * u32::from(self.g) + 29 * u32::from(self.b)) >> 8) as u8
            }
        }
        pub fn kernel(image: &[Rgb], grey: &mut [u8]) {
            for (g, p) in grey.iter_mut().zip(image) {
                *g = p.luminance();
            }
        }
    } with {
        let a: Vec<[u8; 3]> = numbers(n, 1);
        let image: Vec<Rgb> = a.iter().map(|p| Rgb { r: p[0], g: p[1], b: p[2] }).collect();
        let mut grey: Vec<u8> = numbers(n, 2);
    } (&image, &mut grey) => (grey)
    sharpen {
        pub fn kernel(width: usize, src: &[u8], dst: &mut [u8]) {
            let height = src.len() / width;
            for y in 1..height.saturating_sub(1) {
                for x in 1..width - 1 {
                    let at = y * width + x;
                    let v = 5 * i32::from(src[at])
                        - i32::from(src[at - 1])
                        - i32::from(src[at + 1])
                        - i32::from(src[at - width])
                        - i32::from(src[at + width]);
                    dst[at] = v.clamp(0, 255) as u8;
                }
            }
        }
    } with {
        let w = order(n).max(2);
        let src: Vec<u8> = numbers(w * w, 1);
        let mut dst: Vec<u8> = numbers(w * w, 2);
    } (w, &src, &mut dst) => (dst)
    histogram_equalise {
        pub fn kernel(image: &mut [u8]) {
            let mut counts = [0_usize; 256];
            for &p in image.iter() {
                counts[usize::from(p)] += 1;
            }
            let total = image.len();
            let mut map = [0_u8; 256];
            let mut sum = 0;
            for (m, c) in map.iter_mut().zip(&counts) {
                sum += c;
                *m = (sum * 255 / total.max(1)) as u8;
            }
            for p in image.iter_mut() {
                *p = map[usize::from(*p)];
            }
        }
    } with {
        let mut image: Vec<u8> = numbers(n, 1);
    } (&mut image) => (image)
    sobel_magnitude_u8 {
        pub fn kernel(w: usize, h: usize, img: &[u8], out: &mut [f32]) {
            assert_eq!(img.len(), w * h);
            assert_eq!(out.len(), w * h);
            if w < 3 || h < 3 {
                return;
            }
            let px = |x: usize, y: usize| f32::from(img[y * w + x]);
            for y in 1..h - 1 {
                for x in 1..w - 1 {
                    let gx = px(x + 1, y - 1) + 2.0 * px(x + 1, y) + px(x + 1, y + 1)
                        - px(x - 1, y - 1) - 2.0 * px(x - 1, y) - px(x - 1, y + 1);
                    let gy = px(x - 1, y + 1) + 2.0 * px(x, y + 1) + px(x + 1, y + 1)
                        - px(x - 1, y - 1) - 2.0 * px(x, y - 1) - px(x + 1, y - 1);
                    out[y * w + x] = gx.hypot(gy);
                }
            }
        }
    } with {
        let w = order(n);
        let img: Vec<u8> = numbers(w * w, 1);
        let mut out: Vec<f32> = numbers(w * w, 2);
    } (w, w, &img, &mut out) => (out)
    box_sum_rows {
        pub fn kernel(r: usize, width: usize, src: &[u16], dst: &mut [u32]) {
            for (line, out) in src.chunks_exact(width).zip(dst.chunks_exact_mut(width)) {
                for x in r..width - r {
                    out[x] = line[x - r..=x + r].iter().map(|&v| u32::from(v)).sum();
                }
            }
        }
    } with {
        let w = order(n).max(9);
        let src: Vec<u16> = numbers(w * w, 1);
        let mut dst: Vec<u32> = numbers(w * w, 2);
    } (3, w, &src, &mut dst) => (dst)
    gaussian5_vertical {
        const TAPS: [u32; 5] = [1, 4, 6, 4, 1];
        pub fn kernel(width: usize, height: usize, src: &[u8], dst: &mut [u8]) {
            for y in 2..height.saturating_sub(2) {
                for x in 0..width {
                    let sum: u32 = TAPS
                        .iter()
                        .enumerate()
                        .map(|(k, t)| t * u32::from(src[(y + k - 2) * width + x]))
                        .sum();
                    dst[y * width + x] = ((sum + 8) / 16) as u8;
                }
            }
        }
    } with {
        let w = order(n);
        let src: Vec<u8> = numbers(w * w, 1);
        let mut dst: Vec<u8> = numbers(w * w, 2);
    } (w, w, &src, &mut dst) => (dst)
    median3 {
        pub fn kernel(x: &[f32], y: &mut [f32]) {
            for (o, w) in y.iter_mut().zip(x.windows(3)) {
                let [a, b, c] = [w[0], w[1], w[2]];
                *o = a.min(b).max(a.max(b).min(c));
            }
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
        let mut y: Vec<f32> = numbers(n, 2);
    } (&x, &mut y) => (y)
    argb_to_planes {
        pub fn kernel(argb: &[u32], r: &mut [f32], g: &mut [f32], b: &mut [f32]) {
            for (i, &p) in argb.iter().enumerate() {
                r[i] = ((p >> 16) & 0xff) as f32 / 255.0;
                g[i] = ((p >> 8) & 0xff) as f32 / 255.0;
                b[i] = (p & 0xff) as f32 / 255.0;
            }
        }
    } with {
        let argb: Vec<u32> = numbers(n, 1);
        let mut r: Vec<f32> = numbers(n, 2);
        let mut g: Vec<f32> = numbers(n, 3);
        let mut b: Vec<f32> = numbers(n, 4);
    } (&argb, &mut r, &mut g, &mut b) => (r, g, b)
    dither_ordered {
        const BAYER: [[u8; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
        pub fn kernel(w: usize, src: &[u8], dst: &mut [u8]) {
            for (y, (line, out)) in src.chunks_exact(w).zip(dst.chunks_exact_mut(w)).enumerate() {
                for (x, (&p, o)) in line.iter().zip(out.iter_mut()).enumerate() {
                    *o = if p / 16 > BAYER[y % 4][x % 4] { 255 } else { 0 };
                }
            }
        }
    } with {
        let w = order(n).max(1);
        let src: Vec<u8> = numbers(w * w, 1);
        let mut dst: Vec<u8> = numbers(w * w, 2);
    } (w, &src, &mut dst) => (dst)
    state_variable_filter {
        #[derive(Clone, Copy)]
        pub struct Svf { pub low: f32, pub band: f32 }
        pub fn kernel(f: f32, q: f32, state: &mut Svf, samples: &mut [f32]) {
            for s in samples.iter_mut() {
                state.low += f * state.band;
                let high = *s - state.low - q * state.band;
                state.band += f * high;
                *s = state.low;
            }
        }
    } with {
        let mut state = Svf { low: 0.0, band: 0.0 };
        let mut samples: Vec<f32> = numbers(n, 1);
    } (0.1, 0.7, &mut state, &mut samples) => (samples)
    comb_filter {
        pub fn kernel(delay: usize, feedback: f32, x: &[f32], y: &mut [f32]) {
            for i in 0..x.len() {
                let echo = if i >= delay { y[i - delay] } else { 0.0 };
                y[i] = x[i] + feedback * echo;
            }
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
        let mut y: Vec<f32> = numbers(n, 2);
    } (37, 0.5, &x, &mut y) => (y)
    compressor {
        pub fn kernel(threshold: f32, ratio: f32, x: &mut [f32]) {
            for s in x {
                let level = s.abs();
                if level > threshold {
                    let wanted = threshold + (level - threshold) / ratio;
                    *s *= wanted / level;
                }
            }
        }
    } with {
        let mut x: Vec<f32> = numbers(n, 1);
    } (0.5, 4.0, &mut x) => (x)
    ring_modulate {
        pub fn kernel(step: f64, x: &[f64], y: &mut [f64]) {
            let mut phase = 0.0_f64;
            for (a, b) in x.iter().zip(y.iter_mut()) {
                *b = a * phase.sin();
                phase += step;
            }
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let mut y: Vec<f64> = numbers(n, 2);
    } (0.01, &x, &mut y) => (y)
    deinterleave_i16 {
        pub fn kernel(stereo: &[i16], left: &mut [f32], right: &mut [f32]) {
            for ((frame, l), r) in stereo.chunks_exact(2).zip(left.iter_mut()).zip(right.iter_mut()) {
                *l = f32::from(frame[0]) / 32768.0;
                *r = f32::from(frame[1]) / 32768.0;
            }
        }
    } with {
        let stereo: Vec<i16> = numbers(2 * n, 1);
        let mut left: Vec<f32> = numbers(n, 2);
        let mut right: Vec<f32> = numbers(n, 3);
    } (&stereo, &mut left, &mut right) => (left, right)
    one_pole_stereo {
        pub fn kernel(a: f32, frames: &mut [[f32; 2]]) {
            let mut z = [0.0_f32; 2];
            for f in frames {
                for (s, z) in f.iter_mut().zip(z.iter_mut()) {
                    *z += a * (*s - *z);
                    *s = *z;
                }
            }
        }
    } with {
        let mut frames: Vec<[f32; 2]> = numbers(n, 1);
    } (0.2, &mut frames) => (frames)
    fir_symmetric {
        pub fn kernel(taps: &[f32; 8], x: &[f32], y: &mut [f32]) {
            for (out, w) in y.iter_mut().zip(x.windows(16)) {
                *out = (0..8).map(|k| taps[k] * (w[k] + w[15 - k])).sum();
            }
        }
    } with {
        let t: Vec<f32> = numbers(8, 3);
        let taps: [f32; 8] = std::array::from_fn(|i| t[i]);
        let x: Vec<f32> = numbers(n + 15, 1);
        let mut y: Vec<f32> = numbers(n, 2);
    } (&taps, &x, &mut y) => (y)
    goertzel_bank {
        pub fn kernel(coefficients: &[f64], x: &[f64], power: &mut [f64]) {
            for (c, p) in coefficients.iter().zip(power.iter_mut()) {
                let (mut s1, mut s2) = (0.0, 0.0);
                for v in x {
                    let s0 = v + c * s1 - s2;
                    s2 = s1;
                    s1 = s0;
                }
                *p = s1 * s1 + s2 * s2 - c * s1 * s2;
            }
        }
    } with {
        let c: Vec<f64> = numbers(order(n), 1);
        let x: Vec<f64> = numbers(order(n), 2);
        let mut power: Vec<f64> = numbers(order(n), 3);
    } (&c, &x, &mut power) => (power)
    dct8 {
        pub fn kernel(cosines: &[[f32; 8]; 8], blocks: &[[f32; 8]], out: &mut [[f32; 8]]) {
            for (o, b) in out.iter_mut().zip(blocks) {
                for (k, o) in o.iter_mut().enumerate() {
                    *o = b.iter().zip(&cosines[k]).map(|(x, c)| x * c).sum::<f32>() * 0.5;
                }
            }
        }
    } with {
        let c: Vec<[f32; 8]> = numbers(8, 3);
        let cosines: [[f32; 8]; 8] = std::array::from_fn(|i| c[i]);
        let blocks: Vec<[f32; 8]> = numbers(n, 1);
        let mut out: Vec<[f32; 8]> = numbers(n, 2);
    } (&cosines, &blocks, &mut out) => (out)
    dct_slow {
        use std::f64::consts::PI;
        pub fn kernel(x: &[f64], y: &mut [f64]) {
            let n = x.len();
            for (k, out) in y.iter_mut().enumerate() {
                *out = x
                    .iter()
                    .enumerate()
                    .map(|(i, v)| v * (PI / n as f64 * (i as f64 + 0.5) * k as f64).cos())
                    .sum();
            }
        }
    } with {
        let x: Vec<f64> = numbers(order(n), 1);
        let mut y: Vec<f64> = numbers(order(n), 2);
    } (&x, &mut y) => (y)
    walsh_hadamard {
        pub fn kernel(x: &mut [f64]) {
            let n = x.len();
            let mut h = 1;
            while h < n {
                for i in (0..n).step_by(2 * h) {
                    for j in i..i + h {
                        let (a, b) = (x[j], x[j + h]);
                        x[j] = a + b;
                        x[j + h] = a - b;
                    }
                }
                h *= 2;
            }
        }
    } with {
        let mut x: Vec<f64> = numbers(n.next_power_of_two(), 1);
    } (&mut x) => (x)
    cross_correlate {
        pub fn kernel(x: &[f32], y: &[f32], lags: &mut [f32]) {
            for (lag, r) in lags.iter_mut().enumerate() {
                *r = x.iter().zip(&y[lag..]).map(|(a, b)| a * b).sum::<f32>();
            }
        }
    } with {
        let m = order(n);
        let x: Vec<f32> = numbers(m, 1);
        let y: Vec<f32> = numbers(2 * m, 2);
        let mut lags: Vec<f32> = numbers(m, 3);
    } (&x, &y, &mut lags) => (lags)
    sample_variance {
        pub fn kernel(x: &[f64]) -> Option<f64> {
            if x.len() < 2 {
                return None;
            }
            let n = x.len() as f64;
            let mean = x.iter().sum::<f64>() / n;
            Some(x.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0))
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
    } (&x) => ()
    skewness {
        pub fn kernel(x: &[f64]) -> f64 {
            let n = x.len() as f64;
            let mean = x.iter().sum::<f64>() / n;
            let (m2, m3) = x.iter().fold((0.0, 0.0), |(m2, m3), v| {
                let d = v - mean;
                (m2 + d * d, m3 + d * d * d)
            });
            (m3 / n) / (m2 / n).powf(1.5)
        }
    } with {
        let x: Vec<f64> = numbers(n.max(2), 1);
    } (&x) => ()
    quantile_counting {
        pub fn kernel(q: f64, values: &[u8]) -> u8 {
            let mut counts = [0_usize; 256];
            for &v in values {
                counts[v as usize] += 1;
            }
            let wanted = (q * values.len() as f64) as usize;
            let mut seen = 0;
            for (value, &c) in counts.iter().enumerate() {
                seen += c;
                if seen > wanted {
                    return value as u8;
                }
            }
            255
        }
    } with {
        let values: Vec<u8> = numbers(n, 1);
    } (0.9, &values) => ()
    histogram_2d {
        pub fn kernel(bins: usize, x: &[f64], y: &[f64], counts: &mut [u32]) {
            for (&a, &b) in x.iter().zip(y) {
                let i = (((a + 1.0) * 0.5 * bins as f64) as usize).min(bins - 1);
                let j = (((b + 1.0) * 0.5 * bins as f64) as usize).min(bins - 1);
                counts[i * bins + j] += 1;
            }
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let y: Vec<f64> = numbers(n, 2);
        let mut counts = vec![0_u32; 16 * 16];
    } (16, &x, &y, &mut counts) => (counts)
    geometric_mean {
        pub fn kernel(x: &[f64]) -> f64 {
            (x.iter().map(|v| v.abs().ln()).sum::<f64>() / x.len() as f64).exp()
        }
    } with {
        let x: Vec<f64> = numbers(n.max(1), 1);
    } (&x) => ()
    autocovariance {
        pub fn kernel(x: &[f64], lag: usize) -> f64 {
            let mean = x.iter().sum::<f64>() / x.len() as f64;
            x.iter().zip(x.iter().skip(lag)).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>() / x.len() as f64
        }
    } with {
        let x: Vec<f64> = numbers(n.max(1), 1);
    } (&x, 3) => ()
    min_max_scale {
        pub fn kernel(x: &mut [f64]) {
            let min = x.iter().copied().fold(f64::INFINITY, f64::min);
            let max = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let scale = if max > min { 1.0 / (max - min) } else { 0.0 };
            x.iter_mut().for_each(|v| *v = (*v - min) * scale);
        }
    } with {
        let mut x: Vec<f64> = numbers(n, 1);
    } (&mut x) => (x)
}
