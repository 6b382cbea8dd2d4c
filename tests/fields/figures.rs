everyday! {
    n
    covariance_matrix {
        pub fn kernel(samples: &[[f64; 4]], cov: &mut [[f64; 4]; 4]) {
            assert!(!samples.is_empty(), "no samples");
            let n = samples.len() as f64;
            let mut mean = [0.0; 4];
            for s in samples {
                for (m, v) in mean.iter_mut().zip(s) {
                    *m += v / n;
                }
            }
            for row in cov.iter_mut() {
                row.fill(0.0);
            }
            for s in samples {
                for i in 0..4 {
                    for j in 0..4 {
                        cov[i][j] += (s[i] - mean[i]) * (s[j] - mean[j]) / n;
                    }
                }
            }
        }
    } with {
        let samples: Vec<[f64; 4]> = numbers(n, 1);
        let mut cov = [[0.0; 4]; 4];
    } (&samples, &mut cov) => (cov)
    argmin_f32 {
        pub fn kernel(x: &[f32]) -> Option<usize> {
            x.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)).map(|(i, _)| i)
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
    } (&x) => ()
    trimmed_range {
        pub fn kernel(x: &[f64], low: f64, high: f64) -> (f64, usize) {
            let mut sum = 0.0;
            let mut count = 0;
            for &v in x {
                if (low..=high).contains(&v) {
                    sum += v;
                    count += 1;
                }
            }
            (sum, count)
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
    } (&x, -0.5, 0.6) => ()
    pearson {
        pub fn kernel(x: &[f64], y: &[f64]) -> f64 {
            let n = x.len() as f64;
            let mean_x = x.iter().sum::<f64>() / n;
            let mean_y = y.iter().sum::<f64>() / n;
            let mut xy = 0.0;
            let mut xx = 0.0;
            let mut yy = 0.0;
            for (a, b) in x.iter().zip(y) {
                let (a, b) = (a - mean_x, b - mean_y);
                xy += a * b;
                xx += a * a;
                yy += b * b;
            }
            xy / (xx * yy).sqrt()
        }
    } with {
        let x: Vec<f64> = numbers(n.max(2), 1);
        let y: Vec<f64> = numbers(n.max(2), 2);
    } (&x, &y) => ()
    least_squares_line {
        pub fn kernel(x: &[f64], y: &[f64]) -> (f64, f64) {
            assert_eq!(x.len(), y.len());
            let n = x.len() as f64;
            let (sx, sy) = (x.iter().sum::<f64>(), y.iter().sum::<f64>());
            let sxy: f64 = x.iter().zip(y).map(|(a, b)| a * b).sum();
            let sxx: f64 = x.iter().map(|a| a * a).sum();
            let slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
            (slope, (sy - slope * sx) / n)
        }
    } with {
        let x: Vec<f64> = numbers(n.max(2), 1);
        let y: Vec<f64> = numbers(n.max(2), 2);
    } (&x, &y) => ()
    layer_norm_rows {
        pub fn kernel(width: usize, gamma: &[f32], beta: &[f32], x: &mut [f32]) {
            for row in x.chunks_exact_mut(width) {
                let n = width as f32;
                let mean = row.iter().sum::<f32>() / n;
                let variance = row.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>() / n;
                let inverse = (variance + 1e-5).sqrt().recip();
                for ((v, g), b) in row.iter_mut().zip(gamma).zip(beta) {
                    *v = (*v - mean) * inverse * g + b;
                }
            }
        }
    } with {
        let width = 32;
        let gamma: Vec<f32> = numbers(width, 1);
        let beta: Vec<f32> = numbers(width, 2);
        let mut x: Vec<f32> = numbers(width * (n / width), 3);
    } (width, &gamma, &beta, &mut x) => (x)
    entropy_counts {
        pub fn kernel(counts: &[u32]) -> f64 {
            let total: u32 = counts.iter().sum();
            let total = f64::from(total);
            -counts
                .iter()
                .filter(|&&c| c > 0)
                .map(|&c| {
                    let p = f64::from(c) / total;
                    p * p.ln()
                })
                .sum::<f64>()
        }
    } with {
        let counts: Vec<u32> = numbers::<u8>(n, 1).iter().map(|x| u32::from(*x)).collect();
    } (&counts) => ()
    softmax_cross_entropy {
        pub fn kernel(classes: usize, logits: &[f32], labels: &[usize]) -> f32 {
            let mut loss = 0.0;
            for (row, &label) in logits.chunks_exact(classes).zip(labels) {
                let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let total: f32 = row.iter().map(|v| (v - most).exp()).sum();
                loss += total.ln() + most - row[label];
            }
            loss / labels.len() as f32
        }
    } with {
        let classes = 10;
        let logits: Vec<f32> = numbers(classes * (n / 10), 1);
        let labels: Vec<usize> = (0..n / 10).map(|i| i % 10).collect();
    } (classes, &logits, &labels) => ()
    trapezoid_integral {
        pub fn kernel(x: &[f64], y: &[f64]) -> f64 {
            x.windows(2).zip(y.windows(2)).map(|(x, y)| (x[1] - x[0]) * (y[0] + y[1]) / 2.0).sum()
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let y: Vec<f64> = numbers(n, 2);
    } (&x, &y) => ()
    kahan_sum {
        pub fn kernel(x: &[f64]) -> f64 {
            let mut sum = 0.0;
            let mut lost = 0.0;
            for v in x {
                let y = v - lost;
                let t = sum + y;
                lost = (t - sum) - y;
                sum = t;
            }
            sum
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
    } (&x) => ()
}
