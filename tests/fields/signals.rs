everyday! {
    n
    biquad {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Biquad {
            pub b: [f32; 3],
            pub a: [f32; 2],
            pub z: [f32; 2],
        }
        impl Biquad {
            fn process(&mut self, x: f32) -> f32 {
                let y = self.b[0] * x + self.z[0];
                self.z[0] = self.b[1] * x - self.a[0] * y + self.z[1];
                self.z[1] = self.b[2] * x - self.a[1] * y;
                y
            }
        }
        pub fn kernel(filter: &mut Biquad, samples: &mut [f32]) {
            for s in samples.iter_mut() {
                *s = filter.process(*s);
            }
        }
    } with {
        let mut filter = Biquad { b: [0.2, 0.4, 0.2], a: [-0.5, 0.2], z: [0.0; 2] };
        let mut samples: Vec<f32> = numbers(n, 1);
    } (&mut filter, &mut samples) => (samples, filter)
    fir {
        pub fn kernel(taps: &[f32], x: &[f32], y: &mut [f32]) {
            for (y, window) in y.iter_mut().zip(x.windows(taps.len())) {
                *y = window.iter().zip(taps.iter().rev()).map(|(x, t)| x * t).sum();
            }
        }
    } with {
        let taps: Vec<f32> = numbers(9, 1);
        let x: Vec<f32> = numbers(n, 2);
        let mut y: Vec<f32> = numbers(n, 3);
    } (&taps, &x, &mut y) => (y)
    soft_clip {
        pub fn kernel(drive: f32, samples: &mut [f32]) {
            samples.iter_mut().for_each(|s| {
                let x = (*s * drive).clamp(-1.5, 1.5);
                *s = x - x.powi(3) * (4.0 / 27.0);
            });
        }
    } with {
        let mut samples: Vec<f32> = numbers(n, 1);
    } (3.0, &mut samples) => (samples)
    pcm_to_float {
        pub fn kernel(pcm: &[i16], out: &mut [f32]) {
            const SCALE: f32 = 1.0 / 32768.0;
            for (o, &s) in out.iter_mut().zip(pcm) {
                *o = f32::from(s) * SCALE;
            }
        }
    } with {
        let pcm: Vec<i16> = numbers(n, 1);
        let mut out: Vec<f32> = numbers(n, 2);
    } (&pcm, &mut out) => (out)
    float_to_pcm {
        pub fn kernel(x: &[f32], pcm: &mut [i16]) {
            for (o, s) in pcm.iter_mut().zip(x) {
                *o = (s.clamp(-1.0, 1.0) * 32767.0).round() as i16;
            }
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
        let mut pcm: Vec<i16> = numbers(n, 2);
    } (&x, &mut pcm) => (pcm)
    peak {
        pub fn kernel(pcm: &[i16]) -> i32 {
            pcm.iter().map(|&s| i32::from(s).abs()).max().unwrap_or_default()
        }
    } with {
        let pcm: Vec<i16> = numbers(n, 1);
    } (&pcm) => ()
    mix_saturating {
        pub fn kernel(a: &[i16], b: &[i16], out: &mut [i16]) {
            for i in 0..out.len().min(a.len()).min(b.len()) {
                out[i] = a[i].saturating_add(b[i]);
            }
        }
    } with {
        let a: Vec<i16> = numbers(n, 1);
        let b: Vec<i16> = numbers(n, 2);
        let mut out: Vec<i16> = numbers(n, 3);
    } (&a, &b, &mut out) => (out)
    rms_by_block {
        pub fn kernel<const N: usize>(x: &[[f32; N]], rms: &mut [f32]) {
            for (r, block) in rms.iter_mut().zip(x) {
                *r = (block.iter().map(|v| v * v).sum::<f32>() / N as f32).sqrt();
            }
        }
    } with {
        let x: Vec<[f32; 16]> = numbers(n, 1);
        let mut rms: Vec<f32> = numbers(n, 2);
    } (&x, &mut rms) => (rms)
    zero_crossings {
        pub fn kernel(x: &[f32]) -> usize {
            x.windows(2).filter(|w| (w[0] < 0.0) != (w[1] < 0.0)).count()
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
    } (&x) => ()
    envelope {
        pub fn kernel(attack: f32, release: f32, x: &[f32], y: &mut [f32]) -> f32 {
            let mut level = 0.0_f32;
            for (y, x) in y.iter_mut().zip(x) {
                let rectified = x.abs();
                let rate = if rectified > level { attack } else { release };
                level += rate * (rectified - level);
                *y = level;
            }
            level
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
        let mut y: Vec<f32> = numbers(n, 2);
    } (0.3, 0.01, &x, &mut y) => (y)
    stereo_pan {
        pub fn kernel(pan: f32, mono: &[f32], stereo: &mut [(f32, f32)]) {
            let angle = (pan + 1.0) * std::f32::consts::FRAC_PI_4;
            let (right, left) = angle.sin_cos();
            for (out, &s) in stereo.iter_mut().zip(mono) {
                *out = (left * s, right * s);
            }
        }
    } with {
        let mono: Vec<f32> = numbers(n, 1);
        let mut stereo: Vec<(f32, f32)> = numbers::<[f32; 2]>(n, 2).iter().map(|p| (p[0], p[1])).collect();
    } (0.25, &mono, &mut stereo) => (stereo)
    hann_window {
        use std::f64::consts::TAU;
        pub fn kernel(x: &mut [f64]) {
            let n = x.len() as f64;
            for (i, v) in x.iter_mut().enumerate() {
                *v *= 0.5 * (1.0 - (TAU * i as f64 / n).cos());
            }
        }
    } with {
        let mut x: Vec<f64> = numbers(n, 1);
    } (&mut x) => (x)
    goertzel {
        use num_complex::Complex;
        pub fn kernel(frequency: f64, x: &[f64]) -> Complex<f64> {
            let w = std::f64::consts::TAU * frequency;
            let coefficient = 2.0 * w.cos();
            let (mut s1, mut s2) = (0.0, 0.0);
            for &v in x {
                let s = v + coefficient * s1 - s2;
                s2 = s1;
                s1 = s;
            }
            Complex::new(s1 - s2 * w.cos(), s2 * w.sin())
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
    } (0.05, &x) => ()
    spectrum_product {
        use num_complex::Complex32;
        pub fn kernel(a: &[Complex32], b: &[Complex32], out: &mut [Complex32]) {
            for (o, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
                *o = a * b.conj();
            }
        }
    } with {
        let a: Vec<Complex<f32>> = numbers(n, 1);
        let b: Vec<Complex<f32>> = numbers(n, 2);
        let mut out: Vec<Complex<f32>> = numbers(n, 3);
    } (&a, &b, &mut out) => (out)
    autocorrelation {
        pub fn kernel(x: &[f64], r: &mut [f64]) {
            for (lag, r) in r.iter_mut().enumerate() {
                *r = x.iter().zip(x.iter().skip(lag)).map(|(a, b)| a * b).sum();
            }
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let mut r: Vec<f64> = numbers(12, 2);
    } (&x, &mut r) => (r)
    linear_resample {
        pub fn kernel(ratio: f64, x: &[f64], y: &mut [f64]) {
            for (i, y) in y.iter_mut().enumerate() {
                let t = i as f64 * ratio;
                let k = (t as usize).min(x.len() - 2);
                let f = t - k as f64;
                *y = x[k] + f * (x[k + 1] - x[k]);
            }
        }
    } with {
        let x: Vec<f64> = numbers(n + 2, 1);
        let mut y: Vec<f64> = numbers(n, 2);
    } (0.7, &x, &mut y) => (y)
    overlap_add {
        pub fn kernel(hop: usize, frames: &[[f32; 8]], out: &mut [f32]) {
            for (i, frame) in frames.iter().enumerate() {
                for (o, s) in out[i * hop..][..8].iter_mut().zip(frame) {
                    *o += s;
                }
            }
        }
    } with {
        let frames: Vec<[f32; 8]> = numbers(n, 1);
        let mut out: Vec<f32> = numbers(4 * n + 8, 2);
    } (4, &frames, &mut out) => (out)
    mulaw {
        pub fn kernel(x: &[f32], y: &mut [f32]) {
            const MU: f32 = 255.0;
            for (y, &x) in y.iter_mut().zip(x) {
                *y = x.signum() * (MU * x.abs()).ln_1p() / MU.ln_1p();
            }
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
        let mut y: Vec<f32> = numbers(n, 2);
    } (&x, &mut y) => (y)
    channels_of_samples {
        pub fn kernel(frames: &[[i16; 2]], left: &mut [f32], right: &mut [f64]) {
            for ((&[a, b], l), r) in frames.iter().zip(left.iter_mut()).zip(right.iter_mut()) {
                *l = f32::from(a) / 32768.0;
                *r = f64::from(b) / 32768.0;
            }
        }
    } with {
        let frames: Vec<[i16; 2]> = numbers(n, 1);
        let mut left: Vec<f32> = numbers(n, 2);
        let mut right: Vec<f64> = numbers(n, 3);
    } (&frames, &mut left, &mut right) => (left, right)
    fields_of_words {
        pub fn kernel(words: &[[u16; 2]], bytes: &[[i8; 4]], grey: &[[u8; 4]], y: &mut [f32]) {
            for (i, y) in y.iter_mut().enumerate() {
                let [r, g, b, _] = grey[i].map(f32::from);
                *y = f32::from(words[i][0]) - f32::from(words[i][1]) + f32::from(bytes[i][3])
                    + 0.3 * r + 0.6 * g + 0.1 * b;
            }
        }
    } with {
        let words: Vec<[u16; 2]> = numbers(n, 1);
        let bytes: Vec<[i8; 4]> = numbers(n, 2);
        let grey: Vec<[u8; 4]> = numbers(n, 3);
        let mut y: Vec<f32> = numbers(n, 4);
    } (&words, &bytes, &grey, &mut y) => (y)
}
