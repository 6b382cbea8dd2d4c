everyday! {
    n
    biquad_state {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Section {
            pub b0: f32,
            pub b1: f32,
            pub b2: f32,
            pub a1: f32,
            pub a2: f32,
        }
        pub fn kernel(section: &Section, z: &mut [f32; 2], x: &mut [f32]) {
            for v in x.iter_mut() {
                let y = section.b0 * *v + z[0];
                z[0] = section.b1 * *v - section.a1 * y + z[1];
                z[1] = section.b2 * *v - section.a2 * y;
                *v = y;
            }
        }
    } with {
        let section = Section { b0: 0.2, b1: 0.4, b2: 0.2, a1: -0.3, a2: 0.1 };
        let mut z = [0.0_f32; 2];
        let mut x: Vec<f32> = numbers(n, 1);
    } (&section, &mut z, &mut x) => (x)
    fir_direct {
        pub fn kernel(taps: &[f32; 16], x: &[f32], y: &mut [f32]) {
            for (y, window) in y.iter_mut().zip(x.windows(16)) {
                *y = taps.iter().zip(window).map(|(t, v)| t * v).sum();
            }
        }
    } with {
        let taps: [f32; 16] = numbers::<[f32; 16]>(1, 3)[0];
        let x: Vec<f32> = numbers(n, 1);
        let mut y: Vec<f32> = numbers(n, 2);
    } (&taps, &x, &mut y) => (y)
    decimate {
        pub fn kernel(x: &[f32], y: &mut [f32]) {
            for (y, v) in y.iter_mut().zip(x.iter().step_by(4)) {
                *y = *v;
            }
        }
    } with {
        let x: Vec<f32> = numbers(4 * n, 1);
        let mut y: Vec<f32> = numbers(n, 2);
    } (&x, &mut y) => (y)
    zero_stuff {
        pub fn kernel(x: &[f32], y: &mut [f32]) {
            y.fill(0.0);
            for (y, v) in y.iter_mut().step_by(2).zip(x) {
                *y = 2.0 * v;
            }
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
        let mut y: Vec<f32> = numbers(2 * n, 2);
    } (&x, &mut y) => (y)
    leaky_integrator {
        pub fn kernel(leak: f64, x: &[f64], y: &mut [f64]) {
            let states = x.iter().scan(0.0, |state, &v| {
                *state = leak * *state + v;
                Some(*state)
            });
            for (y, s) in y.iter_mut().zip(states) {
                *y = s;
            }
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let mut y: Vec<f64> = numbers(n, 2);
    } (0.9, &x, &mut y) => (y)
    running_maximum {
        pub fn kernel(x: &mut [f64]) {
            let mut top = f64::NEG_INFINITY;
            for v in x.iter_mut() {
                top = top.max(*v);
                *v = top;
            }
        }
    } with {
        let mut x: Vec<f64> = numbers(n, 1);
    } (&mut x) => (x)
    hann_window {
        use std::f64::consts::PI;
        pub fn kernel(x: &mut [f64]) {
            let n = x.len() as f64;
            for (i, v) in x.iter_mut().enumerate() {
                *v *= 0.5 - 0.5 * (2.0 * PI * i as f64 / n).cos();
            }
        }
    } with {
        let mut x: Vec<f64> = numbers(n, 1);
    } (&mut x) => (x)
    fft_stage {
        pub fn kernel(half: usize, re: &mut [f64], im: &mut [f64], wr: &[f64], wi: &[f64]) {
            for (re, im) in re.chunks_exact_mut(2 * half).zip(im.chunks_exact_mut(2 * half)) {
                let (re0, re1) = re.split_at_mut(half);
                let (im0, im1) = im.split_at_mut(half);
                for k in 0..half {
                    let tr = wr[k] * re1[k] - wi[k] * im1[k];
                    let ti = wr[k] * im1[k] + wi[k] * re1[k];
                    (re0[k], re1[k]) = (re0[k] + tr, re0[k] - tr);
                    (im0[k], im1[k]) = (im0[k] + ti, im0[k] - ti);
                }
            }
        }
    } with {
        let mut re: Vec<f64> = numbers(16 * n, 1);
        let mut im: Vec<f64> = numbers(16 * n, 2);
        let wr: Vec<f64> = numbers(8, 3);
        let wi: Vec<f64> = numbers(8, 4);
    } (8, &mut re, &mut im, &wr, &wi) => (re, im)
    complex_power {
        use num_complex::Complex;
        pub fn kernel(x: &[Complex<f64>]) -> Complex<f64> {
            x.iter().sum()
        }
    } with {
        let x: Vec<Complex<f64>> = numbers(n, 1);
    } (&x) => ()
    complex_energy {
        use num_complex::Complex;
        pub fn kernel(x: &[Complex<f64>]) -> f64 {
            x.iter().map(|z| z.norm_sqr()).sum::<f64>().sqrt()
        }
    } with {
        let x: Vec<Complex<f64>> = numbers(n, 1);
    } (&x) => ()
    goertzel {
        pub fn kernel(omega: f64, x: &[f64]) -> f64 {
            let coefficient = 2.0 * omega.cos();
            let (s1, s2) = x.iter().fold((0.0, 0.0), |(s1, s2), v| (v + coefficient * s1 - s2, s1));
            s1 * s1 + s2 * s2 - coefficient * s1 * s2
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
    } (0.7, &x) => ()
    zero_crossings {
        pub fn kernel(x: &[f32]) -> usize {
            x.windows(2).filter(|w| (w[0] < 0.0) != (w[1] < 0.0)).count()
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
    } (&x) => ()
    soft_clip {
        pub fn kernel(gain: f32, x: &mut [f32]) {
            x.iter_mut().for_each(|v| {
                let y = (gain * *v).clamp(-1.0, 1.0);
                *v = 1.5 * y - 0.5 * y.powi(3);
            });
        }
    } with {
        let mut x: Vec<f32> = numbers(n, 1);
    } (1.7, &mut x) => (x)
    to_pcm {
        pub fn kernel(x: &[f32], out: &mut [i16]) {
            for (o, &v) in out.iter_mut().zip(x) {
                *o = (v.clamp(-1.0, 1.0) * f32::from(i16::MAX)).round() as i16;
            }
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
        let mut out: Vec<i16> = numbers(n, 2);
    } (&x, &mut out) => (out)
    from_pcm {
        pub fn kernel(samples: &[i16], out: &mut [f32]) {
            for (o, &s) in out.iter_mut().zip(samples) {
                *o = f32::from(s) / 32768.0;
            }
        }
    } with {
        let samples: Vec<i16> = numbers(n, 1);
        let mut out: Vec<f32> = numbers(n, 2);
    } (&samples, &mut out) => (out)
    stereo_to_mono {
        pub fn kernel(stereo: &[[f32; 2]], mono: &mut [f32]) {
            for (m, [l, r]) in mono.iter_mut().zip(stereo) {
                *m = 0.5 * (l + r);
            }
        }
    } with {
        let stereo: Vec<[f32; 2]> = numbers(n, 1);
        let mut mono: Vec<f32> = numbers(n, 2);
    } (&stereo, &mut mono) => (mono)
    mixed_peak {
        pub fn kernel(x: &[i16]) -> u16 {
            x.iter().map(|v| v.unsigned_abs()).max().unwrap_or_default()
        }
    } with {
        let x: Vec<i16> = numbers(n, 1);
    } (&x) => ()
    block_rms {
        pub fn kernel(x: &[f32], rms: &mut [f32]) {
            for (r, block) in rms.iter_mut().zip(x.chunks(64)) {
                let power: f32 = block.iter().map(|v| v * v).sum();
                *r = (power / block.len() as f32).sqrt();
            }
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
        let mut rms: Vec<f32> = numbers(n / 64 + 1, 2);
    } (&x, &mut rms) => (rms)
    pre_emphasis {
        pub fn kernel(a: f32, x: &mut [f32]) {
            for i in (1..x.len()).rev() {
                x[i] -= a * x[i - 1];
            }
        }
    } with {
        let mut x: Vec<f32> = numbers(n, 1);
    } (0.97, &mut x) => (x)
    autocorrelation {
        pub fn kernel(x: &[f64], r: &mut [f64; 8]) {
            for (lag, r) in r.iter_mut().enumerate() {
                *r = x.iter().zip(x.iter().skip(lag)).map(|(a, b)| a * b).sum();
            }
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let mut r = [0.0; 8];
    } (&x, &mut r) => (r)
}
