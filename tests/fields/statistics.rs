everyday! {
    n
    min_and_max {
        pub fn kernel(x: &[f64]) -> (f64, f64) {
            let mut low = f64::INFINITY;
            let mut high = f64::NEG_INFINITY;
            for &v in x {
                low = low.min(v);
                high = high.max(v);
            }
            (low, high)
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
    } (&x) => ()
    all_finite {
        pub fn kernel(x: &[f64]) -> bool {
            x.iter().all(|v| v.is_finite())
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
    } (&x) => ()
    any_above {
        pub fn kernel(limit: f32, x: &[f32]) -> bool {
            x.iter().any(|&v| v > limit)
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
    } (0.995, &x) => ()
    is_sorted {
        pub fn kernel(x: &[i32]) -> bool {
            x.windows(2).all(|w| w[0] <= w[1])
        }
    } with {
        let x: Vec<i32> = (0..n as i32).map(|i| i / 3).collect();
    } (&x) => ()
    argmax {
        pub fn kernel(x: &[f32]) -> usize {
            let mut best = 0;
            for (i, v) in x.iter().enumerate() {
                if *v > x[best] {
                    best = i;
                }
            }
            best
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
    } (&x) => ()
    smallest_value {
        pub fn kernel(x: &[f64]) -> f64 {
            x.iter().copied().min_by(|a, b| a.total_cmp(b)).unwrap_or(f64::NAN)
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
    } (&x) => ()
    integer_fold {
        pub fn kernel(x: &[i32]) -> i32 {
            x.iter().copied().fold(i32::MIN, i32::max)
        }
    } with {
        let x: Vec<i32> = numbers(n, 1);
    } (&x) => ()
    span_of_integers {
        pub fn kernel(x: &[i32]) -> u32 {
            let low = x.iter().min().copied().unwrap_or(0);
            let high = x.iter().max().copied().unwrap_or(0);
            high.abs_diff(low)
        }
    } with {
        let x: Vec<i32> = numbers(n, 1);
    } (&x) => ()
    welford {
        pub fn kernel(x: &[f64]) -> (f64, f64) {
            let (mut mean, mut m2) = (0.0, 0.0);
            for (i, &v) in x.iter().enumerate() {
                let delta = v - mean;
                mean += delta / (i + 1) as f64;
                m2 += delta * (v - mean);
            }
            (mean, m2)
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
    } (&x) => ()
    covariance {
        use ndarray::{Array2, ArrayBase, Data, Ix2};
        pub fn kernel<S: Data<Elem = f64>>(x: &ArrayBase<S, Ix2>, cov: &mut Array2<f64>) {
            let (n, d) = x.dim();
            for i in 0..d {
                for j in 0..d {
                    let mut s = 0.0;
                    for k in 0..n {
                        s += x[[k, i]] * x[[k, j]];
                    }
                    cov[[i, j]] = s / n as f64;
                }
            }
        }
    } with {
        let x = Array2::from_shape_vec((n, 4), numbers(4 * n, 1)).unwrap();
        let mut cov = Array2::from_elem((4, 4), 1.0);
    } (&x, &mut cov) => (cov)
    weighted_histogram {
        pub fn kernel(bins: usize, x: &[f64], w: &[f64], counts: &mut [f64]) {
            for (x, w) in x.iter().zip(w) {
                let bin = ((x * 0.5 + 0.5) * bins as f64) as usize;
                if bin < bins {
                    counts[bin] += w;
                }
            }
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let w: Vec<f64> = numbers(n, 2);
        let mut counts = vec![0.0; 10];
    } (10, &x, &w, &mut counts) => (counts)
    exponential_average {
        pub fn kernel(alpha: f64, x: &[f64], y: &mut [f64]) {
            let mut state = x.first().copied().unwrap_or(0.0);
            for (y, x) in y.iter_mut().zip(x) {
                state = alpha * x + (1.0 - alpha) * state;
                *y = state;
            }
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let mut y: Vec<f64> = numbers(n, 2);
    } (0.2, &x, &mut y) => (y)
    kahan {
        pub fn kernel(x: &[f32]) -> f32 {
            let (mut sum, mut carry) = (0.0_f32, 0.0_f32);
            for &v in x {
                let y = v - carry;
                let t = sum + y;
                carry = (t - sum) - y;
                sum = t;
            }
            sum
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
    } (&x) => ()
    entropy {
        pub fn kernel(p: &[f64]) -> f64 {
            -p.iter().filter(|&&p| p > 0.0).map(|p| p * p.ln()).sum::<f64>()
        }
    } with {
        let p: Vec<f64> = numbers(n, 1);
    } (&p) => ()
    manhattan {
        pub fn kernel(x: &[i32], y: &[i32]) -> u64 {
            x.iter().zip(y).map(|(a, b)| u64::from(a.abs_diff(*b))).sum()
        }
    } with {
        let x: Vec<i32> = numbers(n, 1);
        let y: Vec<i32> = numbers(n, 2);
    } (&x, &y) => ()
    linear_regression {
        pub fn kernel(x: &[f64], y: &[f64]) -> [f64; 2] {
            let n = x.len() as f64;
            let (sx, sy, sxx, sxy) = x.iter().zip(y).fold((0.0, 0.0, 0.0, 0.0), |(sx, sy, sxx, sxy), (x, y)| {
                (sx + x, sy + y, sxx + x * x, sxy + x * y)
            });
            let slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
            [slope, (sy - slope * sx) / n]
        }
    } with {
        let x: Vec<f64> = numbers(n + 3, 1);
        let y: Vec<f64> = numbers(n + 3, 2);
    } (&x, &y) => ()
}
