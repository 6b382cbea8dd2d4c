everyday! {
    n
    triangle_wave {
        pub fn kernel(frequency: f32, rate: f32, out: &mut [f32]) {
            for (i, o) in out.iter_mut().enumerate() {
                let phase = (i as f32 * frequency / rate).fract();
                *o = 4.0 * (phase - 0.5).abs() - 1.0;
            }
        }
    } with {
        let mut out: Vec<f32> = numbers(n, 2);
    } (40.0, 48000.0, &mut out) => (out)
    triangle_wave_phase {
        pub fn kernel(step: f32, phase: &mut f32, out: &mut [f32]) {
            for o in out.iter_mut() {
                *o = 1.0 - 4.0 * (*phase - 0.5).abs();
                *phase += step;
                if *phase >= 1.0 {
                    *phase -= 1.0;
                }
            }
        }
    } with {
        let mut phase = 0.25_f32;
        let mut out: Vec<f32> = numbers(n, 2);
    } (0.013, &mut phase, &mut out) => (phase, out)
    ring_mod {
        pub fn kernel(samples: &mut [f32], carrier: f32, rate: f32) {
            let step = std::f32::consts::TAU * carrier / rate;
            for (i, sample) in samples.iter_mut().enumerate() {
                *sample *= (step * i as f32).sin();
            }
        }
    } with {
        let mut samples: Vec<f32> = numbers(n, 1);
    } (&mut samples, 40.0, 48000.0) => (samples)
    crossfade {
        pub fn kernel(a: &[f32], b: &[f32], out: &mut [f32]) {
            let len = out.len() as f32;
            for (i, ((o, &x), &y)) in out.iter_mut().zip(a).zip(b).enumerate() {
                let t = i as f32 / len;
                *o = (1.0 - t) * x + t * y;
            }
        }
    } with {
        let a: Vec<f32> = numbers(n, 1);
        let b: Vec<f32> = numbers(n, 2);
        let mut out: Vec<f32> = numbers(n, 3);
    } (&a, &b, &mut out) => (out)
    peak_and_rms {
        pub fn kernel(samples: &[f32]) -> (f32, f32) {
            let peak = samples.iter().fold(0.0_f32, |m, s| m.max(s.abs()));
            let energy: f32 = samples.iter().map(|s| s * s).sum();
            (peak, (energy / samples.len() as f32).sqrt())
        }
    } with {
        let samples: Vec<f32> = numbers(n, 1);
    } (&samples) => ()
    interleave_stereo {
        pub fn kernel(left: &[i16], right: &[i16], out: &mut [i16]) {
            for ((frame, &l), &r) in out.chunks_exact_mut(2).zip(left).zip(right) {
                frame[0] = l;
                frame[1] = r;
            }
        }
    } with {
        let left: Vec<i16> = numbers(n, 1);
        let right: Vec<i16> = numbers(n, 2);
        let mut out: Vec<i16> = numbers(2 * n, 3);
    } (&left, &right, &mut out) => (out)
    scan_levels {
        pub fn kernel(gain: f32, x: &[f32], out: &mut [f32]) {
            let levels = x.iter().scan(0.0_f32, |level, &v| {
                *level = level.max(v.abs()) * gain;
                Some(*level)
            });
            for (o, level) in out.iter_mut().zip(levels) {
                *o = level;
            }
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
        let mut out: Vec<f32> = numbers(n, 2);
    } (0.99, &x, &mut out) => (out)
    impulse_response {
        use num_complex::Complex;
        pub fn kernel(h: &[Complex<f64>], x: &[Complex<f64>], y: &mut [Complex<f64>]) {
            for (y, (h, x)) in y.iter_mut().zip(h.iter().zip(x)) {
                *y += h * x.conj();
            }
        }
    } with {
        let h: Vec<Complex<f64>> = numbers(n, 1);
        let x: Vec<Complex<f64>> = numbers(n, 2);
        let mut y: Vec<Complex<f64>> = numbers(n, 3);
    } (&h, &x, &mut y) => (y)
}
