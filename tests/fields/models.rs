everyday! {
    n
    black_scholes {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Contract {
            pub spot: f64,
            pub strike: f64,
            pub years: f64,
        }
        impl Contract {
            fn call(&self, rate: f64, sigma: f64) -> f64 {
                let root = sigma * self.years.sqrt();
                let d1 = ((self.spot / self.strike).ln() + (rate + 0.5 * sigma * sigma) * self.years) / root;
                let d2 = d1 - root;
                self.spot * normal(d1) - self.strike * (-rate * self.years).exp() * normal(d2)
            }
        }
        fn normal(x: f64) -> f64 {
            let k = 1.0 / (1.0 + 0.2316419 * x.abs());
            let poly = k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
            let tail = 0.3989422804014327 * (-0.5 * x * x).exp() * poly;
            if x >= 0.0 { 1.0 - tail } else { tail }
        }
        pub fn kernel(rate: f64, sigma: f64, contracts: &[Contract], price: &mut [f64]) {
            for (p, c) in price.iter_mut().zip(contracts) {
                *p = c.call(rate, sigma);
            }
        }
    } with {
        let c: Vec<[f64; 3]> = numbers(n, 1);
        let contracts: Vec<Contract> = c.iter().map(|c| Contract { spot: 100.0 + 20.0 * c[0], strike: 100.0 + 20.0 * c[1], years: 1.5 + c[2] }).collect();
        let mut price: Vec<f64> = numbers(n, 2);
    } (0.02, 0.3, &contracts, &mut price) => (price)
    positions_value {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Position {
            pub quantity: i32,
            pub price: f64,
        }
        pub fn kernel(positions: &[Position]) -> f64 {
            positions.iter().map(|p| f64::from(p.quantity) * p.price).sum()
        }
    } with {
        let c: Vec<[f64; 2]> = numbers(n, 1);
        let positions: Vec<Position> = c.iter().map(|c| Position { quantity: (c[0] * 100.0) as i32, price: c[1] }).collect();
    } (&positions) => ()
    mark_to_market {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Trade {
            pub quantity: i64,
            pub entry: f64,
            pub fee: f32,
        }
        pub fn kernel(price: f64, trades: &[Trade], profit: &mut [f64]) {
            for (out, t) in profit.iter_mut().zip(trades) {
                *out = t.quantity as f64 * (price - t.entry) - f64::from(t.fee);
            }
        }
    } with {
        let c: Vec<[f64; 3]> = numbers(n, 1);
        let trades: Vec<Trade> = c.iter().map(|c| Trade { quantity: (c[0] * 1e6) as i64, entry: c[1], fee: c[2] as f32 }).collect();
        let mut profit: Vec<f64> = numbers(n, 2);
    } (0.5, &trades, &mut profit) => (profit)
    drawdown {
        pub fn kernel(prices: &[f64]) -> f64 {
            let mut peak = f64::NEG_INFINITY;
            let mut worst = 0.0_f64;
            for &p in prices {
                peak = peak.max(p);
                worst = worst.max(peak - p);
            }
            worst
        }
    } with {
        let prices: Vec<f64> = numbers(n, 1);
    } (&prices) => ()
    returns {
        pub fn kernel(prices: &[f64], out: &mut [f64]) {
            for (r, pair) in out.iter_mut().zip(prices.windows(2)) {
                *r = (pair[1] / pair[0]).ln();
            }
        }
    } with {
        let prices: Vec<f64> = numbers(n, 1).iter().map(|x: &f64| 2.0 + x).collect();
        let mut out: Vec<f64> = numbers(n, 2);
    } (&prices, &mut out) => (out)
    dense_layer {
        use ndarray::{Array1, Array2, ArrayView1, ArrayViewMut1};
        pub fn kernel(w: &Array2<f32>, b: &Array1<f32>, x: ArrayView1<f32>, mut y: ArrayViewMut1<f32>) {
            for ((y, row), b) in y.iter_mut().zip(w.rows()).zip(b) {
                let z = row.iter().zip(x.iter()).map(|(w, x)| w * x).sum::<f32>() + b;
                *y = z.max(0.0);
            }
        }
    } with {
        let m = order(n);
        let w = Array2::from_shape_vec((m, m), numbers::<f32>(m * m, 1)).unwrap();
        let b = Array1::from_vec(numbers::<f32>(m, 2));
        let x = Array1::from_vec(numbers::<f32>(m, 3));
        let mut y = Array1::from_vec(numbers::<f32>(m, 4));
    } (&w, &b, x.view(), y.view_mut()) => (y)
    layer_norm {
        pub fn kernel(width: usize, gain: &[f32], x: &mut [f32]) {
            for row in x.chunks_exact_mut(width) {
                let mean = row.iter().sum::<f32>() / width as f32;
                let variance = row.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>() / width as f32;
                let inverse = (variance + 1e-5).sqrt().recip();
                for (v, g) in row.iter_mut().zip(gain) {
                    *v = (*v - mean) * inverse * g;
                }
            }
        }
    } with {
        let gain: Vec<f32> = numbers(16, 1);
        let mut x: Vec<f32> = numbers(16 * n, 2);
    } (16, &gain, &mut x) => (x)
    adam {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Adam {
            pub rate: f32,
            pub beta1: f32,
            pub beta2: f32,
        }
        impl Adam {
            fn step(&self, g: f32, m: &mut f32, v: &mut f32, w: &mut f32) {
                *m = self.beta1 * *m + (1.0 - self.beta1) * g;
                *v = self.beta2 * *v + (1.0 - self.beta2) * g * g;
                *w -= self.rate * *m / (v.sqrt() + 1e-8);
            }
        }
        pub fn kernel(adam: &Adam, g: &[f32], m: &mut [f32], v: &mut [f32], w: &mut [f32]) {
            for i in 0..w.len() {
                adam.step(g[i], &mut m[i], &mut v[i], &mut w[i]);
            }
        }
    } with {
        let adam = Adam { rate: 1e-3, beta1: 0.9, beta2: 0.999 };
        let g: Vec<f32> = numbers(n, 1);
        let mut m: Vec<f32> = numbers(n, 2);
        let mut v: Vec<f32> = numbers::<f32>(n, 3).iter().map(|v| v.abs()).collect();
        let mut w: Vec<f32> = numbers(n, 4);
    } (&adam, &g, &mut m, &mut v, &mut w) => (m, v, w)
    embedding_bag {
        pub fn kernel(table: &[[f32; 8]], tokens: &[u32], out: &mut [f32; 8]) {
            out.fill(0.0);
            for &t in tokens {
                for (o, e) in out.iter_mut().zip(&table[t as usize]) {
                    *o += e;
                }
            }
        }
    } with {
        let table: Vec<[f32; 8]> = numbers(50, 1);
        let tokens: Vec<u32> = (0..n).map(|i| (i * 37 % 50) as u32).collect();
        let mut out = [1.0_f32; 8];
    } (&table, &tokens, &mut out) => (out)
    quantise {
        pub fn kernel(scale: f32, zero: i32, x: &[f32], q: &mut [i8]) {
            for (q, x) in q.iter_mut().zip(x) {
                *q = ((x / scale).round() as i32 + zero).clamp(-128, 127) as i8;
            }
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
        let mut q: Vec<i8> = numbers(n, 2);
    } (0.01, 3, &x, &mut q) => (q)
    quantised_dot {
        pub fn kernel(a: &[i8], b: &[i8], scale: f32) -> f32 {
            let total: i32 = a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum();
            total as f32 * scale
        }
    } with {
        let a: Vec<i8> = numbers(n, 1);
        let b: Vec<i8> = numbers(n, 2);
    } (&a, &b, 0.01) => ()
    cross_entropy {
        pub fn kernel(logits: &[[f32; 10]], labels: &[u8]) -> f32 {
            let mut loss = 0.0;
            for (row, &label) in logits.iter().zip(labels) {
                let largest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let total: f32 = row.iter().map(|v| (v - largest).exp()).sum();
                loss += total.ln() + largest - row[usize::from(label)];
            }
            loss / logits.len() as f32
        }
    } with {
        let logits: Vec<[f32; 10]> = numbers(n, 1);
        let labels: Vec<u8> = (0..n).map(|i| (i * 7 % 10) as u8).collect();
    } (&logits, &labels) => ()
    max_pool {
        use ndarray::{ArrayView2, ArrayViewMut2};
        pub fn kernel(x: ArrayView2<'_, f32>, mut y: ArrayViewMut2<'_, f32>) {
            for i in 0..y.nrows() {
                for j in 0..y.ncols() {
                    let mut best = f32::NEG_INFINITY;
                    for di in 0..2 {
                        for dj in 0..2 {
                            best = best.max(x[[2 * i + di, 2 * j + dj]]);
                        }
                    }
                    y[[i, j]] = best;
                }
            }
        }
    } with {
        let m = order(n);
        let x = Array2::from_shape_vec((2 * m, 2 * m), numbers::<f32>(4 * m * m, 1)).unwrap();
        let mut y = Array2::from_shape_vec((m, m), numbers::<f32>(m * m, 2)).unwrap();
    } (x.view(), y.view_mut()) => (y)
    dropout {
        pub fn kernel(keep: f32, mask: &[bool], x: &mut [f32]) {
            let scale = 1.0 / keep;
            for (v, &m) in x.iter_mut().zip(mask) {
                *v = if m { *v * scale } else { 0.0 };
            }
        }
    } with {
        let mask: Vec<bool> = (0..n).map(|i| i % 3 != 0).collect();
        let mut x: Vec<f32> = numbers(n, 1);
    } (0.8, &mask, &mut x) => (x)
    elu {
        pub fn kernel(x: &[f64], y: &mut [f64]) {
            for (y, &x) in y.iter_mut().zip(x) {
                *y = match x {
                    x if x >= 0.0 => x,
                    _ => x.exp_m1(),
                };
            }
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let mut y: Vec<f64> = numbers(n, 2);
    } (&x, &mut y) => (y)
}
