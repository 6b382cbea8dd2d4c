everyday! {
    n
    rank_by_counting {
        pub fn kernel(x: &[f64], rank: &mut [usize]) {
            for (i, r) in rank.iter_mut().enumerate() {
                *r = x.iter().filter(|&&v| v < x[i]).count();
            }
        }
    } with {
        let m = order(n);
        let x: Vec<f64> = numbers(m, 1);
        let mut rank = vec![0_usize; m];
    } (&x, &mut rank) => (rank)
    odd_even_sort {
        pub fn kernel(x: &mut [i32]) {
            let n = x.len();
            for round in 0..n {
                let mut i = round % 2;
                while i + 1 < n {
                    if x[i] > x[i + 1] {
                        x.swap(i, i + 1);
                    }
                    i += 2;
                }
            }
        }
    } with {
        let mut x: Vec<i32> = numbers(order(n), 1);
    } (&mut x) => (x)
    merge_sorted {
        pub fn kernel(a: &[f32], b: &[f32], out: &mut [f32]) {
            let (mut i, mut j) = (0, 0);
            for slot in out.iter_mut() {
                if j >= b.len() || (i < a.len() && a[i] <= b[j]) {
                    *slot = a[i];
                    i += 1;
                } else {
                    *slot = b[j];
                    j += 1;
                }
            }
        }
    } with {
        let a: Vec<f32> = (0..n).map(|k| 2.0 * k as f32).collect();
        let b: Vec<f32> = (0..n).map(|k| (k * k) as f32 * 0.01).collect();
        let mut out: Vec<f32> = numbers(2 * n, 1);
    } (&a, &b, &mut out) => (out)
    edit_distance_rows {
        pub fn kernel(a: &[u8], b: &[u8], previous: &mut [u32], current: &mut [u32]) -> u32 {
            for (j, p) in previous.iter_mut().enumerate() {
                *p = j as u32;
            }
            for (i, &ca) in a.iter().enumerate() {
                current[0] = i as u32 + 1;
                for (j, &cb) in b.iter().enumerate() {
                    let replace = previous[j] + u32::from(ca != cb);
                    current[j + 1] = replace.min(previous[j + 1] + 1).min(current[j] + 1);
                }
                previous.copy_from_slice(current);
            }
            previous[b.len()]
        }
    } with {
        let m = order(n);
        let a: Vec<u8> = (0..m).map(|i| (i * i % 5) as u8).collect();
        let b: Vec<u8> = (0..m).map(|i| (i * 3 % 5) as u8).collect();
        let (mut previous, mut current) = (vec![0_u32; m + 1], vec![0_u32; m + 1]);
    } (&a, &b, &mut previous, &mut current) => (previous)
    coin_change {
        pub fn kernel(coins: &[usize], ways: &mut [u64]) {
            ways.fill(0);
            ways[0] = 1;
            for &coin in coins {
                for amount in coin..ways.len() {
                    ways[amount] = ways[amount].wrapping_add(ways[amount - coin]);
                }
            }
        }
    } with {
        let coins = [1_usize, 2, 5, 10, 20, 50];
        let mut ways = vec![0_u64; n + 1];
    } (&coins, &mut ways) => ()
    knapsack_copies {
        pub fn kernel(weights: &[usize], profits: &[u32], best: &mut [u32]) {
            let mut next = vec![0; best.len()];
            for (&w, &p) in weights.iter().zip(profits) {
                for c in 0..best.len() {
                    next[c] = if c >= w { best[c].max(best[c - w] + p) } else { best[c] };
                }
                best.copy_from_slice(&next);
            }
        }
    } with {
        let weights: Vec<usize> = (0..12).map(|i| 3 + i * 5 % 17).collect();
        let profits: Vec<u32> = (0..12).map(|i| 10 + i * 7 % 23).collect();
        let mut best = vec![0_u32; n];
    } (&weights, &profits, &mut best) => (best)
    fixed_bins {
        pub fn kernel(low: f64, high: f64, data: &[f64], bins: &mut [u32; 32]) {
            let scale = bins.len() as f64 / (high - low);
            for &v in data {
                if v >= low && v < high {
                    bins[((v - low) * scale) as usize] += 1;
                }
            }
        }
    } with {
        let data: Vec<f64> = numbers(n, 1);
        let mut bins = [0_u32; 32];
    } (-0.9, 0.8, &data, &mut bins) => (bins)
}
