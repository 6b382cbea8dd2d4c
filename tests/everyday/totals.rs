everyday! {
    n
    count_positive {
        pub fn kernel(x: &[f64]) -> usize {
            x.iter().filter(|v| **v > 0.0).count()
        }
    } with {
        let x = numbers(n, 1);
    } (&x) => ()
    sum_of_finite {
        pub fn kernel(x: &[f64]) -> f64 {
            x.iter().filter(|v| v.is_finite()).sum()
        }
    } with {
        let mut x: Vec<f64> = numbers(n, 1);
        x.iter_mut().step_by(3).for_each(|x| *x = f64::NAN);
    } (&x) => ()
    mean {
        pub fn kernel(x: &[f64]) -> f64 {
            if x.is_empty() {
                return 0.0;
            }
            x.iter().sum::<f64>() / x.len() as f64
        }
    } with {
        let x = numbers(n, 1);
    } (&x) => ()
    every_nth {
        pub fn kernel(stride: usize, x: &[f64]) -> f64 {
            let mut s = 0.0;
            for i in (0..x.len()).step_by(stride) {
                s += x[i];
            }
            s
        }
    } with {
        let x = numbers(n, 1);
    } (3, &x) => ()
    interior_sum {
        pub fn kernel(margin: usize, x: &[f64]) -> f64 {
            x.iter().skip(margin).take(x.len().saturating_sub(2 * margin)).sum()
        }
    } with {
        let x = numbers(n, 1);
    } (2, &x) => ()
    early_value {
        pub fn kernel(n: usize, x: &[f64]) -> f64 {
            if n == 0 || x.len() < n {
                return -1.0;
            }
            let mut s = 0.0;
            for v in &x[..n] {
                s += v;
            }
            s / n as f64
        }
    } with {
        let x = numbers(n, 1);
    } (n, &x) => ()
    checksum {
        pub fn kernel(x: &[u8]) -> u32 {
            let (mut a, mut b) = (1_u32, 0_u32);
            for &v in x {
                a = (a + u32::from(v)) % 65521;
                b = (b + a) % 65521;
            }
            (b << 16) | a
        }
    } with {
        let x: Vec<u8> = (0..n).map(|i| (i * 37 % 251) as u8).collect();
    } (&x) => ()
    count_bytes {
        pub fn kernel(needle: u8, x: &[u8]) -> usize {
            x.iter().filter(|&&b| b == needle).count()
        }
    } with {
        let x: Vec<u8> = (0..n).map(|i| (i * 37 % 7) as u8).collect();
    } (3, &x) => ()
    dot_of_integers {
        pub fn kernel(x: &[i32], y: &[i32]) -> i64 {
            x.iter().zip(y).map(|(&a, &b)| i64::from(a) * i64::from(b)).sum()
        }
    } with {
        let x: Vec<i32> = (0..n).map(|i| (i * 37 % 251) as i32 - 90).collect();
        let y: Vec<i32> = (0..n).map(|i| (i * 91 % 113) as i32 - 40).collect();
    } (&x, &y) => ()
    relu_count {
        pub fn kernel(x: &mut [f32]) -> usize {
            let mut zeroed = 0;
            for v in x.iter_mut() {
                if *v < 0.0 {
                    *v = 0.0;
                    zeroed += 1;
                }
            }
            zeroed
        }
    } with {
        let mut x: Vec<f32> = numbers(n, 1);
    } (&mut x) => (x)
    weighted_mean {
        pub fn kernel(w: &[f64], x: &[f64]) -> f64 {
            let total: f64 = w.iter().sum();
            let s: f64 = w.iter().zip(x.iter()).map(|(w, x)| w * x).sum();
            if total == 0.0 { 0.0 } else { s / total }
        }
    } with {
        let w: Vec<f64> = (0..n).map(|i| 1.0 + (i % 5) as f64).collect();
        let x = numbers(n, 1);
    } (&w, &x) => ()
    correlation {
        pub fn kernel(x: &[f64], y: &[f64]) -> f64 {
            let n = x.len() as f64;
            let mx = x.iter().sum::<f64>() / n;
            let my = y.iter().sum::<f64>() / n;
            let (mut sxy, mut sxx, mut syy) = (0.0, 0.0, 0.0);
            for (x, y) in x.iter().zip(y) {
                let (dx, dy) = (x - mx, y - my);
                sxy += dx * dy;
                sxx += dx * dx;
                syy += dy * dy;
            }
            sxy / (sxx * syy).sqrt()
        }
    } with {
        let x = numbers(n, 1);
        let y = numbers(n, 2);
    } (&x, &y) => ()
    norms_by_row {
        pub fn kernel(width: usize, a: &[f64], norms: &mut [f64]) {
            for (norm, row) in norms.iter_mut().zip(a.chunks_exact(width)) {
                *norm = row.iter().map(|v| v.abs()).fold(0.0, f64::max);
            }
        }
    } with {
        let a = numbers(8 * n, 1);
        let mut norms = numbers(n, 2);
    } (8, &a, &mut norms) => (norms)
    row_sums {
        use ndarray::{ArrayView2, ArrayViewMut1};
        pub fn kernel(a: ArrayView2<f64>, mut s: ArrayViewMut1<f64>) {
            for (row, s) in a.rows().into_iter().zip(s.iter_mut()) {
                *s = row.sum();
            }
        }
    } with {
        let a = Array2::from_shape_vec((n, 5), numbers(5 * n, 1)).unwrap();
        let mut s = Array1::from_vec(numbers(n, 2));
    } (a.view(), s.view_mut()) => (s)
    log_sum_exp {
        pub fn kernel(x: &[f64]) -> f64 {
            let m = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            m + x.iter().map(|v| (v - m).exp()).sum::<f64>().ln()
        }
    } with {
        let x = numbers(n, 1);
    } (&x) => ()
    within {
        pub fn kernel(centre: [f64; 2], radius: f64, p: &[[f64; 2]]) -> usize {
            p.iter().filter(|p| (p[0] - centre[0]).powi(2) + (p[1] - centre[1]).powi(2) <= radius * radius).count()
        }
    } with {
        let p: Vec<[f64; 2]> = numbers(n, 1);
    } ([0.1, 0.2], 0.7, &p) => ()
    moving_average {
        pub fn kernel(width: usize, x: &[f64], y: &mut [f64]) {
            for (y, w) in y.iter_mut().zip(x.windows(width)) {
                *y = w.iter().sum::<f64>() / width as f64;
            }
        }
    } with {
        let x = numbers(n, 1);
        let mut y = numbers(n, 2);
    } (4, &x, &mut y) => (y)
}
