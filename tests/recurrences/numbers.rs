//! Local numbers that iterations hand on: lanes run over the loop around.

use loopwright::{Isa, kernel};

use super::{F32, F64, Pairs, narrow, noise};

kernel! {
    pub fn horner(c: &[f64], x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            let mut s = 0.0;
            for k in 0..c.len() {
                s = s * x[i] + c[k];
            }
            y[i] = s;
        }
    }

    #[opt(strict)]
    pub fn horner_strict(c: &[f64], x: &[f64], y: &mut [f64]) {
        for (x, y) in x.iter().zip(y.iter_mut()) {
            let mut s = 0.0;
            for c in c {
                s = s * x + c;
            }
            *y = s;
        }
    }

    /// The derivative reads what the value was before.
    pub fn derivative(c: &[f64], x: &[f64], y: &mut [f64], d: &mut [f64]) {
        for i in 0..x.len() {
            let (mut value, mut slope) = (0.0, 0.0);
            for k in 0..c.len() {
                slope = slope * x[i] + value;
                value = value * x[i] + c[k];
            }
            y[i] = value;
            d[i] = slope;
        }
    }

    pub fn exchanged(n: usize, x: &mut [f64], y: &mut [f64]) {
        for i in 0..x.len() {
            let mut a = x[i];
            let mut b = y[i];
            for _ in 0..n {
                let t = a;
                a = b;
                b = 0.5 * (t + b);
            }
            x[i] = a;
            y[i] = b;
        }
    }

    /// The state is an array, whose elements follow from each other.
    pub fn lorenz(n: usize, h: f64, s: &mut [[f64; 3]]) {
        for i in 0..s.len() {
            let mut u = s[i];
            for _ in 0..n {
                let d = [
                    10.0 * (u[1] - u[0]),
                    u[0] * (28.0 - u[2]) - u[1],
                    u[0] * u[1] - 8.0 / 3.0 * u[2],
                ];
                for c in 0..3 {
                    u[c] += h * d[c];
                }
            }
            s[i] = u;
        }
    }

    /// What is added up is read, and is all that is written.
    pub fn running(n: usize, m: usize, x: &[f32], y: &mut [f32]) {
        for j in 0..n {
            let mut s = 0.0;
            for i in 0..m {
                s += x[j * m + i];
                y[j * m + i] = s;
            }
        }
    }

    /// Along columns, from what is there, to where it was.
    pub fn last(n: usize, m: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..m {
            let mut s = y[i];
            for j in 0..n {
                s = if x[j * m + i] > s { 0.75 * s + 0.25 * x[j * m + i] } else { 0.5 * s };
            }
            y[i] = s;
        }
    }

    /// A loop of constant length, and what comes after it.
    pub fn rooted(x: &[f64], y: &mut [f64], residual: &mut [f64]) {
        for i in 0..x.len() {
            let mut r = 1.0;
            for _ in 0..50 {
                r = 0.5 * (r + x[i] / r);
            }
            y[i] = r;
            residual[i] = r * r - x[i];
        }
    }

    /// One loop hands on to the next one.
    pub fn twice(n: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            let mut s = x[i];
            for _ in 0..n {
                s = s * s - 0.5;
            }
            for k in 0..n {
                s = 0.5 * s + k as f64;
            }
            y[i] = s;
        }
    }

    /// The state is in arrays, elements of which are held.
    pub fn springs(steps: usize, w: &[f64], y: &mut [f64], z: &mut [f64]) {
        for ((w, y), z) in w.iter().zip(y.iter_mut()).zip(z.iter_mut()) {
            for _ in 0..steps {
                *y -= 0.01 * w * *z;
                *z += 0.01 * *y;
            }
        }
    }

    /// Rows of numbers are held.
    pub fn stirred(steps: usize, w: &[f64], s: &mut [[f64; 3]]) {
        for i in 0..w.len() {
            for _ in 0..steps {
                let mean = (s[i][0] + s[i][1]) * 0.5;
                for k in 0..3 {
                    s[i][k] += w[i] * (mean - s[i][k]);
                }
                s[i][2] = s[i][2] * 0.5;
            }
        }
    }

    /// What is only added to stands beside what steps read.
    pub fn infected(steps: usize, s: &mut [f64], i: &mut [f64], r: &mut [f64]) {
        for k in 0..s.len() {
            for _ in 0..steps {
                let new = 0.03 * s[k] * i[k];
                let out = 0.01 * i[k];
                s[k] -= new;
                i[k] += new - out;
                r[k] += out;
            }
        }
    }

    /// A sum inside needs what is handed on: that is a loop that stays as it is.
    pub fn inside(x: &[[f64; 20]], y: &mut [f64], n: usize) {
        for i in 0..x.len() {
            let mut s = 1.0;
            for _ in 0..n {
                let mut t = 0.0;
                for k in 0..20 {
                    t += s * x[i][k];
                }
                s = 0.01 * t;
            }
            y[i] = s;
        }
    }

    /// A sum of what each of so many iterations finds handed on.
    pub fn escaped(x: &[f64], y: &[f64], n: usize, count: &mut [f64], visits: &mut [f64]) {
        for i in 0..x.len() {
            let (mut re, mut im) = (x[i], y[i]);
            let mut inside = 0.0;
            for _ in 0..20 {
                if re * re + im * im < 4.0 {
                    inside += 1.0;
                }
                let next = re * re - im * im - 0.8;
                im = 2.0 * re * im + 0.156;
                re = next;
            }
            count[i] = inside;
            let mut s = x[i];
            let mut below = 0.0;
            for _ in 0..n {
                if s < 0.4 {
                    below += s;
                }
                s = 3.7 * s * (1.0 - s);
            }
            visits[i] = below;
        }
    }

    pub fn escaped_whole(x: &[f32], y: &[f32], count: &mut [u32]) {
        for i in 0..x.len() {
            let (mut re, mut im) = (x[i], y[i]);
            let mut inside = 0;
            for _ in 0..20 {
                if re * re + im * im < 4.0 {
                    inside += 1;
                }
                let next = re * re - im * im - 0.8;
                im = 2.0 * re * im + 0.156;
                re = next;
            }
            count[i] = inside;
        }
    }
}

fn close(own: &[f64], text: &[f64]) {
    for (own, text) in own.iter().zip(text) {
        assert!(
            (own - text).abs() <= F64 * text.abs().max(1.0),
            "{own} {text}"
        );
    }
}

#[test]
fn numbers_are_handed_on_as_in_the_text() {
    for n in [0, 1, 2, 3, 7, 8, 16, 33] {
        let (x, y, z) = (noise(0, n), noise(1, n), noise(2, n));
        for m in [0, 1, 2, 5, 20] {
            let c = noise(3, m);
            check!(horner(&c, &x; y), F64);
            check!(horner_strict(&c, &x; y), 0.0);
            check!(derivative(&c, &x; y, z), F64);
            check!(exchanged(m; y, z), F64);
            check!(twice(m, &x; y), F64);
            check!(springs(m, &x; y, z), F64);
            check!(infected(m; x, y, z), F64);
            let states: Vec<[f64; 3]> = x.iter().map(|x| [*x, 1.0, 2.0]).collect();
            let (mut own, mut text) = (states.clone(), states.clone());
            lorenz(m, 0.01, &mut own);
            lorenz::reference(m, 0.01, &mut text);
            close(own.as_flattened(), text.as_flattened());
            let (mut own, mut text) = (states.clone(), states);
            stirred(m, &x, &mut own);
            stirred::reference(m, &x, &mut text);
            close(own.as_flattened(), text.as_flattened());
            let (own_rows, text_rows) = (vec![[0.25; 20]; n], vec![[0.25; 20]; n]);
            let (mut own, mut text) = (y.clone(), y.clone());
            inside(&own_rows, &mut own, m);
            inside::reference(&text_rows, &mut text, m);
            close(&own, &text);
            let (x, y) = (noise(4, n * m), noise(5, n));
            check!(last(m, n, &x; y), F64);
            let (x, y) = (narrow(x), narrow(noise(6, n * m)));
            check!(running(n, m, &x; y), F32);
        }
        check!(rooted(&x; y, z), F64);
        let (a, b) = (noise(7, n), noise(8, n));
        check!(escaped(&a, &b, n; y, z), F64);
        let (a, b) = (narrow(a), narrow(b));
        let (mut own, mut text) = (vec![7; n], vec![9; n]);
        escaped_whole(&a, &b, &mut own);
        escaped_whole::reference(&a, &b, &mut text);
        assert_eq!(own, text);
    }
    // Nothing is touched in no steps.
    stirred(0, &[1.0; 9], &mut [[0.0; 3]; 2]);
}

#[test]
fn what_is_handed_on_has_lanes_around() {
    for report in [
        horner::REPORT,
        horner_strict::REPORT,
        derivative::REPORT,
        exchanged::REPORT,
        lorenz::REPORT,
        last::REPORT,
        rooted::REPORT,
        twice::REPORT,
        springs::REPORT,
        infected::REPORT,
        stirred::REPORT,
        escaped::REPORT,
        escaped_whole::REPORT,
    ] {
        let lanes = report.lanes.iter().any(|lanes| lanes.width > 1);
        assert!(lanes, "{report:#}");
    }
}
