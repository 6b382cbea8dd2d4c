everyday! {
    n
    simple_moving_average {
        pub fn kernel(period: usize, x: &[f64], out: &mut [f64]) {
            for (o, w) in out.iter_mut().zip(x.windows(period)) {
                *o = w.iter().sum::<f64>() / period as f64;
            }
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let mut out: Vec<f64> = numbers(n, 2);
    } (5, &x, &mut out) => (out)
    bollinger {
        pub fn kernel(x: &[f64], low: &mut [f64], high: &mut [f64]) {
            const PERIOD: usize = 20;
            for ((l, h), w) in low.iter_mut().zip(high.iter_mut()).zip(x.windows(PERIOD)) {
                let mean = w.iter().sum::<f64>() / PERIOD as f64;
                let variance = w.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / PERIOD as f64;
                let deviation = variance.sqrt();
                *l = mean - 2.0 * deviation;
                *h = mean + 2.0 * deviation;
            }
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let mut low: Vec<f64> = numbers(n, 2);
        let mut high: Vec<f64> = numbers(n, 3);
    } (&x, &mut low, &mut high) => (low, high)
    net_present_value {
        pub fn kernel(rate: f64, cash: &[f64]) -> f64 {
            cash.iter().enumerate().map(|(t, c)| c / (1.0 + rate).powi(t as i32)).sum()
        }
    } with {
        let cash: Vec<f64> = numbers(n, 1);
    } (0.05, &cash) => ()
    compound {
        pub fn kernel(returns: &[f64]) -> f64 {
            returns.iter().map(|r| 1.0 + 0.01 * r).product::<f64>() - 1.0
        }
    } with {
        let returns: Vec<f64> = numbers(n, 1);
    } (&returns) => ()
    relative_strength {
        pub fn kernel(prices: &[f64]) -> f64 {
            let (gain, loss) = prices.windows(2).fold((0.0, 0.0), |(gain, loss), w| {
                let change = w[1] - w[0];
                if change > 0.0 { (gain + change, loss) } else { (gain, loss - change) }
            });
            100.0 * gain / (gain + loss + 1e-12)
        }
    } with {
        let prices: Vec<f64> = numbers(n, 1);
    } (&prices) => ()
    vwap {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Tick {
            pub price: f64,
            pub volume: f64,
        }
        pub fn kernel(ticks: &[Tick]) -> f64 {
            let volume: f64 = ticks.iter().map(|t| t.volume).sum();
            let value: f64 = ticks.iter().map(|t| t.price * t.volume).sum();
            if volume > 0.0 { value / volume } else { 0.0 }
        }
    } with {
        let ticks: Vec<Tick> = numbers::<[f64; 2]>(n, 1).iter().map(|c| Tick { price: 2.0 + c[0], volume: 1.0 + c[1] }).collect();
    } (&ticks) => ()
    candle {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Candle {
            pub open: f64,
            pub high: f64,
            pub low: f64,
            pub close: f64,
        }
        pub fn kernel(prices: &[f64], candles: &mut [Candle]) {
            for (candle, chunk) in candles.iter_mut().zip(prices.chunks_exact(10)) {
                *candle = Candle {
                    open: chunk[0],
                    high: chunk.iter().copied().fold(f64::MIN, f64::max),
                    low: chunk.iter().copied().fold(f64::MAX, f64::min),
                    close: chunk[9],
                };
            }
        }
    } with {
        let prices: Vec<f64> = numbers(10 * n, 1);
        let mut candles = vec![Candle::default(); n];
    } (&prices, &mut candles) => (candles)
    binomial_tree {
        pub fn kernel(up: f64, p: f64, discount: f64, values: &mut [f64]) -> f64 {
            let n = values.len();
            for step in (1..n).rev() {
                for i in 0..step {
                    values[i] = discount * (p * values[i + 1] + (1.0 - p) * values[i]) * up;
                }
            }
            values.first().copied().unwrap_or(0.0)
        }
    } with {
        let mut values: Vec<f64> = numbers(order(n), 1);
    } (1.0, 0.5, 0.99, &mut values) => (values)
    percent_change {
        pub fn kernel(x: &[f64], out: &mut [f64]) {
            out[0] = f64::NAN;
            for i in 1..x.len() {
                out[i] = if x[i - 1].abs() > f64::EPSILON { x[i] / x[i - 1] - 1.0 } else { 0.0 };
            }
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let mut out: Vec<f64> = numbers(n.max(1), 2);
    } (&x, &mut out) => (out)
    median_of_window {
        fn median(a: f64, b: f64, c: f64) -> f64 {
            a.max(b).min(a.min(b).max(c))
        }
        pub fn kernel(x: &[f64], out: &mut [f64]) {
            for (o, w) in out.iter_mut().zip(x.windows(3)) {
                if let [a, b, c] = *w {
                    *o = median(a, b, c);
                }
            }
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let mut out: Vec<f64> = numbers(n, 2);
    } (&x, &mut out) => (out)
    z_scores {
        pub fn kernel(x: &mut [f64]) {
            let n = x.len() as f64;
            let mean = x.iter().sum::<f64>() / n;
            let deviation = (x.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n).sqrt();
            x.iter_mut().for_each(|v| *v = (*v - mean) / deviation);
        }
    } with {
        let mut x: Vec<f64> = numbers(n + 2, 1);
    } (&mut x) => (x)
    trapezoid {
        pub fn kernel(x: &[f64], y: &[f64]) -> f64 {
            x.windows(2).zip(y.windows(2)).map(|(x, y)| 0.5 * (x[1] - x[0]) * (y[0] + y[1])).sum()
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let y: Vec<f64> = numbers(n, 2);
    } (&x, &y) => ()
    simpson {
        pub fn kernel(h: f64, y: &[f64]) -> f64 {
            let Some(panels) = y.len().checked_sub(1) else { return 0.0 };
            let mut sum = 0.0;
            for i in (0..panels.saturating_sub(1)).step_by(2) {
                sum += y[i] + 4.0 * y[i + 1] + y[i + 2];
            }
            h / 3.0 * sum
        }
    } with {
        let y: Vec<f64> = numbers(n, 1);
    } (0.1, &y) => ()
    table_lookup {
        pub fn kernel(table: &[f64], x: &mut [f64]) {
            let last = table.len() - 1;
            for v in x.iter_mut() {
                let t = (*v * 0.5 + 0.5) * last as f64;
                let i = (t as usize).min(last - 1);
                let f = t - i as f64;
                *v = table[i] + f * (table[i + 1] - table[i]);
            }
        }
    } with {
        let table: Vec<f64> = numbers(65, 1);
        let mut x: Vec<f64> = numbers(n, 2);
    } (&table, &mut x) => (x)
    flattened {
        pub fn kernel(rows: &[[f64; 4]]) -> f64 {
            rows.iter().flatten().map(|v| v * v).sum()
        }
    } with {
        let rows: Vec<[f64; 4]> = numbers(n, 1);
    } (&rows) => ()
    flat_mapped {
        pub fn kernel(n: usize, a: &[f64]) -> f64 {
            (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i * n + j]).sum()
        }
    } with {
        let m = order(n);
        let a: Vec<f64> = numbers(m * m, 1);
    } (m, &a) => ()
    partitioned {
        pub fn kernel(x: &[f64]) -> (f64, usize) {
            let mut sum = 0.0;
            let mut count = 0;
            for &v in x {
                if v.is_nan() {
                    continue;
                }
                sum += v;
                count += 1;
            }
            (sum, count)
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
    } (&x) => ()
    weighted_average_grid {
        use ndarray::{Array2, ArrayView2, Axis};
        pub fn kernel(a: ArrayView2<f64>, out: &mut Array2<f64>) {
            for ((i, j), o) in out.indexed_iter_mut() {
                *o = 0.5 * (a[[i, j]] + a[[i, a.ncols() - 1 - j]]);
            }
        }
    } with {
        let m = order(n);
        let a = Array2::from_shape_vec((m, m), numbers(m * m, 1)).unwrap();
        let mut out = Array2::from_shape_vec((m, m), numbers(m * m, 2)).unwrap();
    } (a.view(), &mut out) => (out)
}
