everyday! {
    n
    bellman_ford_round {
        pub fn kernel(edges: &[(usize, usize, f64)], dist: &mut [f64]) -> bool {
            let mut changed = false;
            for &(u, v, w) in edges {
                let through = dist[u] + w;
                if through < dist[v] {
                    dist[v] = through;
                    changed = true;
                }
            }
            changed
        }
    } with {
        let edges: Vec<(usize, usize, f64)> = (0..3 * n).map(|k| (k % n.max(1), (k * 7 + 3) % n.max(1), 0.1 + (k % 5) as f64)).collect();
        let mut dist: Vec<f64> = (0..n).map(|k| if k == 0 { 0.0 } else { 1e9 }).collect();
    } (&edges, &mut dist) => (dist)
    bellman_ford_arrays {
        pub fn kernel(from: &[u32], to: &[u32], weight: &[f32], dist: &mut [f32]) {
            for ((&u, &v), &w) in from.iter().zip(to).zip(weight) {
                let through = dist[u as usize] + w;
                if through < dist[v as usize] {
                    dist[v as usize] = through;
                }
            }
        }
    } with {
        let from: Vec<u32> = (0..3 * n).map(|k| (k % n.max(1)) as u32).collect();
        let to: Vec<u32> = (0..3 * n).map(|k| ((k * 7 + 3) % n.max(1)) as u32).collect();
        let weight: Vec<f32> = (0..3 * n).map(|k| 0.1 + (k % 5) as f32).collect();
        let mut dist: Vec<f32> = (0..n).map(|k| if k == 0 { 0.0 } else { 1e9 }).collect();
    } (&from, &to, &weight, &mut dist) => (dist)
    out_degrees {
        pub fn kernel(offsets: &[u32], degrees: &mut [u32]) {
            for (d, w) in degrees.iter_mut().zip(offsets.windows(2)) {
                *d = w[1] - w[0];
            }
        }
    } with {
        let offsets: Vec<u32> = (0..=n as u32).map(|i| 3 * i).collect();
        let mut degrees: Vec<u32> = vec![0; n];
    } (&offsets, &mut degrees) => (degrees)
    label_propagation {
        pub fn kernel(offsets: &[usize], targets: &[u32], labels: &[u32], next: &mut [u32]) {
            for (v, label) in next.iter_mut().enumerate() {
                *label = targets[offsets[v]..offsets[v + 1]]
                    .iter()
                    .map(|&t| labels[t as usize])
                    .min()
                    .unwrap_or(labels[v])
                    .min(labels[v]);
            }
        }
    } with {
        let offsets: Vec<usize> = (0..=n).map(|i| 4 * i).collect();
        let targets: Vec<u32> = (0..4 * n).map(|i| (i * 7 % n.max(1)) as u32).collect();
        let labels: Vec<u32> = numbers(n, 1);
        let mut next: Vec<u32> = vec![0; n];
    } (&offsets, &targets, &labels, &mut next) => (next)
    pagerank_step {
        pub fn kernel(offsets: &[usize], sources: &[usize], degree: &[u32], rank: &[f64], next: &mut [f64]) {
            const DAMPING: f64 = 0.85;
            let base = (1.0 - DAMPING) / rank.len() as f64;
            for (v, next) in next.iter_mut().enumerate() {
                let mut sum = 0.0;
                for &u in &sources[offsets[v]..offsets[v + 1]] {
                    sum += rank[u] / f64::from(degree[u]);
                }
                *next = base + DAMPING * sum;
            }
        }
    } with {
        let offsets: Vec<usize> = (0..=n).map(|i| 5 * i).collect();
        let sources: Vec<usize> = (0..5 * n).map(|i| (i * 7 + 3) % n.max(1)).collect();
        let degree: Vec<u32> = (0..n).map(|i| 1 + (i % 7) as u32).collect();
        let rank: Vec<f64> = numbers(n, 1);
        let mut next: Vec<f64> = vec![0.0; n];
    } (&offsets, &sources, &degree, &rank, &mut next) => (next)
    count_triangles_sorted {
        pub fn kernel(offsets: &[usize], targets: &[u32]) -> u64 {
            let mut count = 0;
            for v in 0..offsets.len() - 1 {
                for &u in &targets[offsets[v]..offsets[v + 1]] {
                    let (mut i, mut j) = (offsets[v], offsets[u as usize]);
                    while i < offsets[v + 1] && j < offsets[u as usize + 1] {
                        match targets[i].cmp(&targets[j]) {
                            std::cmp::Ordering::Less => i += 1,
                            std::cmp::Ordering::Greater => j += 1,
                            std::cmp::Ordering::Equal => {
                                count += 1;
                                i += 1;
                                j += 1;
                            }
                        }
                    }
                }
            }
            count
        }
    } with {
        let offsets: Vec<usize> = (0..=n).map(|i| 3 * i).collect();
        let targets: Vec<u32> = (0..3 * n).map(|i| ((i / 3 + 1 + i % 3) % n.max(1)) as u32).collect();
    } (&offsets, &targets) => ()
    degree_histogram {
        pub fn kernel(offsets: &[u32], histogram: &mut [u32; 8]) {
            for w in offsets.windows(2) {
                let degree = (w[1] - w[0]) as usize;
                histogram[degree.min(7)] += 1;
            }
        }
    } with {
        let offsets: Vec<u32> = (0..=n as u32).map(|i| i * i % 5 + 5 * i).collect();
        let mut histogram = [0_u32; 8];
    } (&offsets, &mut histogram) => (histogram)
    spring_energy {
        #[derive(Clone, Copy)]
        pub struct Bond {
            pub a: u32,
            pub b: u32,
        }

        pub fn kernel(positions: &[[f64; 3]], bonds: &[Bond], k: f64, rest: f64) -> f64 {
            let mut energy = 0.0;
            for bond in bonds {
                let p = &positions[bond.a as usize];
                let q = &positions[bond.b as usize];
                let d = distance(p, q) - rest;
                energy += 0.5 * k * d * d;
            }
            energy
        }

        fn distance(p: &[f64; 3], q: &[f64; 3]) -> f64 {
            p.iter().zip(q).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
        }
    } with {
        let positions: Vec<[f64; 3]> = numbers(n, 1);
        let bonds: Vec<Bond> = (0..2 * n).map(|e| Bond { a: (e % n.max(1)) as u32, b: (e * 5 % n.max(1)) as u32 }).collect();
    } (&positions, &bonds, 3.0, 0.5) => ()
    exclusive_scan {
        pub fn kernel(counts: &[u32], offsets: &mut [u32]) {
            let mut total = 0;
            for (o, &c) in offsets.iter_mut().zip(counts) {
                *o = total;
                total += c;
            }
        }
    } with {
        let counts: Vec<u32> = numbers::<u8>(n, 1).iter().map(|x| u32::from(*x)).collect();
        let mut offsets: Vec<u32> = vec![0; n];
    } (&counts, &mut offsets) => (offsets)
}
