everyday! {
    n
    compound_interest {
        pub fn kernel(principal: &[f64], rate: &[f64], years: &[i32], out: &mut [f64]) {
            for i in 0..out.len() {
                out[i] = principal[i] * (1.0 + rate[i]).powi(years[i]);
            }
        }
    } with {
        let principal: Vec<f64> = numbers(n, 1);
        let rate: Vec<f64> = numbers::<f64>(n, 2).iter().map(|x| 0.05 + 0.04 * x).collect();
        let years: Vec<i32> = (0..n as i32).map(|i| i % 30).collect();
        let mut out: Vec<f64> = numbers(n, 3);
    } (&principal, &rate, &years, &mut out) => (out)
    sharpe_ratio {
        pub fn kernel(prices: &[f64], risk_free: f64) -> f64 {
            let n = (prices.len() - 1) as f64;
            let excess = |w: &[f64]| w[1] / w[0] - 1.0 - risk_free;
            let mean = prices.windows(2).map(excess).sum::<f64>() / n;
            let variance = prices.windows(2).map(|w| (excess(w) - mean).powi(2)).sum::<f64>() / (n - 1.0);
            mean / variance.sqrt()
        }
    } with {
        let prices: Vec<f64> = numbers::<f64>(n.max(3), 1).iter().map(|x| 100.0 + 5.0 * x).collect();
    } (&prices, 0.0001) => ()
    binomial_option {
        pub fn kernel(steps: usize, spot: f64, strike: f64, up: f64, p: f64, discount: f64) -> f64 {
            let mut values = vec![0.0; steps + 1];
            for (i, v) in values.iter_mut().enumerate() {
                let s = spot * up.powi(2 * i as i32 - steps as i32);
                *v = (s - strike).max(0.0);
            }
            for step in (0..steps).rev() {
                for i in 0..=step {
                    values[i] = discount * (p * values[i + 1] + (1.0 - p) * values[i]);
                }
            }
            values[0]
        }
    } with {
        let steps = n.min(200);
    } (steps, 100.0, 95.0, 1.01, 0.51, 0.9999) => ()
    npv {
        pub fn kernel(rate: f64, cash_flows: &[f64]) -> f64 {
            cash_flows.iter().enumerate().map(|(t, c)| c / (1.0 + rate).powi(t as i32)).sum()
        }
    } with {
        let flows: Vec<f64> = numbers(n, 1);
    } (0.001, &flows) => ()
    ewma_volatility {
        pub fn kernel(lambda: f64, returns: &[f64]) -> f64 {
            returns.iter().fold(0.0, |v, r| lambda * v + (1.0 - lambda) * r * r).sqrt()
        }
    } with {
        let returns: Vec<f64> = numbers(n, 1);
    } (0.94, &returns) => ()
    moving_sum_skip {
        pub fn kernel(x: &[f64], k: usize, out: &mut [f64]) {
            for (o, (a, b)) in out.iter_mut().zip(x.iter().zip(x.iter().skip(k))) {
                *o = b - a;
            }
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let mut out: Vec<f64> = numbers(n, 2);
    } (&x, 3, &mut out) => (out)
    every_third {
        pub fn kernel(x: &[f32], out: &mut [f32]) {
            for (o, v) in out.iter_mut().zip(x.iter().step_by(3)) {
                *o = 2.0 * v;
            }
        }
    } with {
        let x: Vec<f32> = numbers(3 * n, 1);
        let mut out: Vec<f32> = numbers(n, 2);
    } (&x, &mut out) => (out)
    take_while_sum {
        pub fn kernel(x: &[f64], count: usize) -> f64 {
            x.iter().take(count).map(|v| v.sqrt()).sum()
        }
    } with {
        let x: Vec<f64> = numbers::<f64>(n, 1).iter().map(|x| x * x).collect();
    } (&x, n / 2) => ()
    reversed_difference {
        pub fn kernel(x: &[f64], out: &mut [f64]) {
            for (o, (a, b)) in out.iter_mut().zip(x.iter().zip(x.iter().rev())) {
                *o = a - b;
            }
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let mut out: Vec<f64> = numbers(n, 2);
    } (&x, &mut out) => (out)
    first_above {
        pub fn kernel(x: &[f64], limit: f64) -> Option<usize> {
            x.iter().position(|&v| v > limit)
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
    } (&x, 2.0) => ()
    has_nan {
        pub fn kernel(x: &[f64]) -> bool {
            x.iter().any(|v| v.is_nan())
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
    } (&x) => ()
    sort_fours {
        pub fn kernel(quads: &mut [[f32; 4]]) {
            for q in quads {
                for (i, j) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
                    let (low, high) = (q[i].min(q[j]), q[i].max(q[j]));
                    q[i] = low;
                    q[j] = high;
                }
            }
        }
    } with {
        let mut quads: Vec<[f32; 4]> = numbers(n, 1);
    } (&mut quads) => (quads)
}
