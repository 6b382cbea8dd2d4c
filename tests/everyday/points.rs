everyday! {
    n
    cross_products {
        pub fn kernel(a: &[[f64; 3]], b: &[[f64; 3]], c: &mut [[f64; 3]]) {
            for i in 0..c.len() {
                c[i] = cross(&a[i], &b[i]);
            }
        }
        fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        }
    } with {
        let a: Vec<[f64; 3]> = numbers(n, 1);
        let b: Vec<[f64; 3]> = numbers(n, 2);
        let mut c: Vec<[f64; 3]> = numbers(n, 3);
    } (&a, &b, &mut c) => (c)
    rotate {
        pub fn kernel(r: &[[f64; 3]; 3], p: &mut [[f64; 3]]) {
            for p in p.iter_mut() {
                let old = *p;
                for (c, row) in r.iter().enumerate() {
                    p[c] = row.iter().zip(&old).map(|(a, b)| a * b).sum();
                }
            }
        }
    } with {
        let r: Vec<[f64; 3]> = numbers(3, 1);
        let r = [r[0], r[1], r[2]];
        let mut p: Vec<[f64; 3]> = numbers(n, 2);
    } (&r, &mut p) => (p)
    lennard_jones {
        pub fn kernel(epsilon: f64, sigma: f64, r2: &[f64], v: &mut [f64], f: &mut [f64]) {
            for i in 0..r2.len() {
                let s2 = sigma * sigma / r2[i];
                let s6 = s2 * s2 * s2;
                v[i] = 4.0 * epsilon * s6 * (s6 - 1.0);
                f[i] = 24.0 * epsilon * s6 * (2.0 * s6 - 1.0) / r2[i];
            }
        }
    } with {
        let r2: Vec<f64> = (0..n).map(|i| 1.0 + i as f64 * 0.01).collect();
        let mut v = numbers(n, 1);
        let mut f = numbers(n, 2);
    } (0.7, 1.1, &r2, &mut v, &mut f) => (v, f)
    black_scholes {
        pub fn kernel(rate: f64, sigma: f64, s: &[f64], k: &[f64], t: &[f64], call: &mut [f64]) {
            for i in 0..s.len() {
                let d1 = ((s[i] / k[i]).ln() + (rate + 0.5 * sigma * sigma) * t[i]) / (sigma * t[i].sqrt());
                let d2 = d1 - sigma * t[i].sqrt();
                call[i] = s[i] * normal(d1) - k[i] * (-rate * t[i]).exp() * normal(d2);
            }
        }
        fn normal(x: f64) -> f64 {
            1.0 / (1.0 + (-1.702 * x).exp())
        }
    } with {
        let s: Vec<f64> = (0..n).map(|i| 80.0 + i as f64 * 0.04).collect();
        let k = vec![100.0; n];
        let t = vec![0.5; n];
        let mut call = numbers(n, 1);
    } (0.03, 0.2, &s, &k, &t, &mut call) => (call)
    runge_kutta {
        pub fn kernel(h: f64, steps: usize, y: &mut [f64]) {
            for y in y.iter_mut() {
                for _ in 0..steps {
                    let k1 = slope(*y);
                    let k2 = slope(*y + 0.5 * h * k1);
                    let k3 = slope(*y + 0.5 * h * k2);
                    let k4 = slope(*y + h * k3);
                    *y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
                }
            }
        }
        fn slope(y: f64) -> f64 {
            y * (1.0 - y)
        }
    } with {
        let mut y: Vec<f64> = (0..n).map(|i| 0.1 + 0.0005 * i as f64).collect();
    } (0.1, 5, &mut y) => (y)
    p1_assembly {
        pub fn kernel(
            points: &[[f64; 2]],
            triangles: &[[usize; 3]],
            entries: &[[[usize; 3]; 3]],
            values: &mut [f64],
        ) {
            for (triangle, places) in triangles.iter().zip(entries) {
                let [a, b, c] = *triangle;
                let (p, q, r) = (points[a], points[b], points[c]);
                let det = (q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1]);
                let g = [
                    [(q[1] - r[1]) / det, (r[0] - q[0]) / det],
                    [(r[1] - p[1]) / det, (p[0] - r[0]) / det],
                    [(p[1] - q[1]) / det, (q[0] - p[0]) / det],
                ];
                for i in 0..3 {
                    for j in 0..3 {
                        values[places[i][j]] += 0.5 * det.abs() * (g[i][0] * g[j][0] + g[i][1] * g[j][1]);
                    }
                }
            }
        }
    } with {
        let points: Vec<[f64; 2]> = (0..n + 2).map(|i| [i as f64, (i * i % 5) as f64 + 0.1 * i as f64]).collect();
        let triangles: Vec<[usize; 3]> = (0..n).map(|i| [i, i + 1, i + 2]).collect();
        let entries: Vec<[[usize; 3]; 3]> = (0..n).map(|i| [[i, i + 1, i + 2], [i + 1, i, i + 1], [i + 2, i + 1, i]]).collect();
        let mut values = numbers(n + 3, 1);
    } (&points, &triangles, &entries, &mut values) => (values)
    gather {
        pub fn kernel(map: &[u32], x: &[f64], y: &mut [f64]) {
            for (y, &m) in y.iter_mut().zip(map) {
                *y = x[m as usize];
            }
        }
    } with {
        let map: Vec<u32> = (0..n).map(|i| (i * 7 % n) as u32).collect();
        let x = numbers(n, 1);
        let mut y = numbers(n, 2);
    } (&map, &x, &mut y) => (y)
    scatter_add {
        pub fn kernel(map: &[usize], x: &[f64], y: &mut [f64]) {
            for (&m, x) in map.iter().zip(x) {
                y[m] += x;
            }
        }
    } with {
        let map: Vec<usize> = (0..n).map(|i| i * 7 % 11).collect();
        let x = numbers(n, 1);
        let mut y = numbers(11, 2);
    } (&map, &x, &mut y) => (y)
    nearest_centre {
        pub fn kernel(centres: &[[f64; 2]], p: &[[f64; 2]], label: &mut [usize]) {
            for (label, p) in label.iter_mut().zip(p) {
                let mut best = f64::INFINITY;
                for (k, c) in centres.iter().enumerate() {
                    let d = (p[0] - c[0]).powi(2) + (p[1] - c[1]).powi(2);
                    if d < best {
                        best = d;
                        *label = k;
                    }
                }
            }
        }
    } with {
        let centres: Vec<[f64; 2]> = numbers(5, 1);
        let p: Vec<[f64; 2]> = numbers(n, 2);
        let mut label = vec![9; n];
    } (&centres, &p, &mut label) => (label)
    random {
        pub fn kernel(seeds: &mut [u64], x: &mut [f64]) {
            for (s, x) in seeds.iter_mut().zip(x) {
                *s ^= *s << 13;
                *s ^= *s >> 7;
                *s ^= *s << 17;
                *x = (*s >> 11) as f64 / (1u64 << 53) as f64;
            }
        }
    } with {
        let mut seeds: Vec<u64> = (1..=n as u64).collect();
        let mut x = numbers(n, 1);
    } (&mut seeds, &mut x) => (seeds, x)
    insertion_sort {
        pub fn kernel(x: &mut [f64]) {
            for i in 1..x.len() {
                let mut j = i;
                while j > 0 && x[j - 1] > x[j] {
                    x.swap(j - 1, j);
                    j -= 1;
                }
            }
        }
    } with {
        let mut x = numbers(n, 1);
    } (&mut x) => (x)
    bounding_box {
        pub fn kernel(p: &[[f32; 2]], out: &mut [[f32; 2]; 2]) {
            let mut low = [f32::INFINITY; 2];
            let mut high = [f32::NEG_INFINITY; 2];
            for p in p {
                for c in 0..2 {
                    low[c] = low[c].min(p[c]);
                    high[c] = high[c].max(p[c]);
                }
            }
            *out = [low, high];
        }
    } with {
        let p: Vec<[f32; 2]> = numbers(n, 1);
        let mut out = [[0.0; 2]; 2];
    } (&p, &mut out) => (out)
}
