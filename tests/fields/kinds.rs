everyday! {
    n
    rows_of_slices {
        pub fn kernel(rows: &[&[f64]], sums: &mut [f64]) {
            for (s, row) in sums.iter_mut().zip(rows) {
                *s = row.iter().sum();
            }
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let rows: Vec<&[f64]> = x.chunks(5).collect();
        let mut sums: Vec<f64> = numbers(n.div_ceil(5), 2);
    } (&rows, &mut sums) => (sums)
    applied {
        pub fn kernel<F: Fn(f64) -> f64>(f: F, y: &mut [f64]) {
            for v in y {
                *v = f(*v);
            }
        }
    } with {
        let mut y: Vec<f64> = numbers(n, 1);
    } (|v: f64| 0.5 * v * v, &mut y) => (y)
    added {
        use std::ops::Add;
        pub fn kernel<T>(a: &[T], b: &[T], sum: &mut [T])
        where
            T: Copy + Add<Output = T>,
        {
            for ((s, &a), &b) in sum.iter_mut().zip(a).zip(b) {
                *s = a + b;
            }
        }
    } with {
        let a: Vec<f32> = numbers(n, 1);
        let b: Vec<f32> = numbers(n, 2);
        let mut sum: Vec<f32> = numbers(n, 3);
    } (&a, &b, &mut sum) => (sum)
    const_function {
        const fn factorial(n: u32) -> f64 {
            if n == 0 { 1.0 } else { n as f64 * factorial(n - 1) }
        }
        const LAST: f64 = 1.0 / factorial(4);
        pub fn kernel(x: &[f64], y: &mut [f64]) {
            for (y, x) in y.iter_mut().zip(x) {
                *y = 1.0 + x * (1.0 + x * (0.5 + x * (1.0 / 6.0 + x * LAST)));
            }
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let mut y: Vec<f64> = numbers(n, 2);
    } (&x, &mut y) => (y)
    doubled_length {
        pub fn kernel(x: &[f64], y: &mut [f64]) {
            for (y, pair) in y.iter_mut().zip(x.windows(2)) {
                *y = 0.5 * (pair[0] + pair[1]);
            }
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let mut y: Vec<f64> = numbers(2 * n, 2);
    } (&x, &mut y) => (y)
    summed_by_chunks {
        pub fn kernel(x: &[f32], sums: &mut [f32]) {
            for (s, chunk) in sums.iter_mut().zip(x.chunks_exact(4)) {
                *s = chunk.iter().sum();
            }
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
        let mut sums: Vec<f32> = numbers(n, 2);
    } (&x, &mut sums) => (sums)
    longer_input {
        pub fn kernel(a: f64, x: &[f64], w: &[f64], y: &mut [f64]) {
            for ((x, y), w) in x.iter().zip(y.iter_mut()).zip(w) {
                *y += a * x * w;
            }
        }
    } with {
        let x: Vec<f64> = numbers(3 * n, 1);
        let w: Vec<f64> = numbers(n, 2);
        let mut y: Vec<f64> = numbers(2 * n, 3);
    } (0.5, &x, &w, &mut y) => (y)
    typed_by_branches {
        pub fn kernel(x: &[u32], y: &mut [u32], z: &mut [i64]) {
            for ((x, y), z) in x.iter().zip(y.iter_mut()).zip(z.iter_mut()) {
                let (a, b) = if *x < 1000 { (0, 1) } else { (*x, 2) };
                let step = if *x > 5000 { 3 } else if *x > 100 { -2 } else { 0 };
                let least = match *x % 3 {
                    0 => 7,
                    1 => *y,
                    _ => 9,
                };
                *y = a.wrapping_add(b).min(least);
                *z += step;
            }
        }
    } with {
        let x: Vec<u32> = numbers::<u32>(n, 1).iter().map(|x| x >> 16).collect();
        let mut y: Vec<u32> = numbers(n, 2);
        let mut z: Vec<i64> = numbers::<i32>(n, 3).iter().map(|z| i64::from(*z)).collect();
    } (&x, &mut y, &mut z) => (y, z)
    literals_of_arguments {
        fn scaled(x: i32, by: i32) -> i32 {
            x.wrapping_mul(by)
        }
        pub fn kernel(x: &[i32], y: &mut [i32]) -> i32 {
            let (low, high) = (-500, 500);
            let shift = 3;
            let mut balance = 0;
            for (y, &x) in y.iter_mut().zip(x) {
                let part = x.clamp(low, high);
                balance += if part > 0 { 1 } else { -1 };
                *y = scaled(part, shift);
            }
            balance
        }
    } with {
        let x: Vec<i32> = numbers::<i32>(n, 1).iter().map(|x| x >> 20).collect();
        let mut y: Vec<i32> = numbers(n, 2);
    } (&x, &mut y) => (y)
    grid_paths {
        pub fn kernel(w: usize, cost: &[u32], best: &mut [u32]) {
            for y in 0..cost.len() / w {
                for x in 0..w {
                    let up = if y > 0 { best[(y - 1) * w + x] } else { u32::MAX };
                    let left = if x > 0 { best[y * w + x - 1] } else { u32::MAX };
                    let from = if x == 0 && y == 0 { 0 } else { up.min(left) };
                    best[y * w + x] = from + cost[y * w + x];
                }
            }
        }
    } with {
        let w = order(n).max(1);
        let cost: Vec<u32> = numbers::<u8>(w * w, 1).iter().map(|c| u32::from(*c)).collect();
        let mut best = vec![0_u32; w * w];
    } (w, &cost, &mut best) => (best)
    operators_of_views {
        use ndarray::{ArrayView1, ArrayView2, ArrayViewMut2};
        pub fn kernel(a: ArrayView2<f64>, x: ArrayView1<f64>, mut b: ArrayViewMut2<f64>) -> f64 {
            let mut total = 0.0;
            for row in a.rows() {
                total += row.dot(&x);
            }
            b *= 0.5;
            b += &a;
            for mut row in b.rows_mut() {
                row -= &x;
                row /= 1.0 + total * total;
                row[0] = total;
            }
            total
        }
    } with {
        let m = order(n).max(1);
        let a = Array2::from_shape_vec((m, m), numbers::<f64>(m * m, 1)).unwrap();
        let x = Array1::from_vec(numbers::<f64>(m, 2));
        let mut b = Array2::from_shape_vec((m, m), numbers::<f64>(m * m, 3)).unwrap();
    } (a.view(), x.view(), b.view_mut()) => (b)
    tuples_in_slices {
        fn unit(p: (f64, f64)) -> (f64, f64) {
            let length = p.0.hypot(p.1) + 1e-3;
            (p.0 / length, p.1 / length)
        }

        pub fn kernel(points: &[(f64, f64)], colours: &mut [(f32, f32, f32)], units: &mut [(f64, f64)]) -> (f64, f64) {
            for (p, u) in points.iter().zip(units.iter_mut()) {
                *u = unit(*p);
            }
            for (r, _, b) in colours.iter_mut() {
                *r *= 0.5;
                *b += *r;
            }
            let mut area = 0.0;
            for pair in points.windows(2) {
                let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
                area += x0 * y1 - x1 * y0;
            }
            let reach: f64 = points.iter().map(|&(x, y)| x * x + y * y).sum();
            (0.5 * area, reach)
        }
    } with {
        let raw: Vec<[f64; 2]> = numbers(n, 1);
        let points: Vec<(f64, f64)> = raw.iter().map(|p| (p[0], p[1])).collect();
        let raw: Vec<[f32; 3]> = numbers(n / 2, 2);
        let mut colours: Vec<(f32, f32, f32)> = raw.iter().map(|c| (c[0], c[1], c[2])).collect();
        let mut units = points.clone();
    } (&points, &mut colours, &mut units) => (colours, units)
    tuples_at_subscripts {
        pub fn kernel(edges: &[(u32, u32)], at: &[(f32, f32)], lengths: &mut [f32], moved: &mut [(f32, f32)], origin: &(f32, f32)) {
            for (e, l) in edges.iter().zip(lengths.iter_mut()) {
                let (a, b) = (at[e.0 as usize], at[e.1 as usize]);
                *l = ((a.0 - b.0).powi(2) + (a.1 - b.1).powi(2)).sqrt();
            }
            for i in 0..at.len() {
                let (x, y) = at[i];
                moved[i].0 = x - origin.0;
                moved[i].1 = y - origin.1;
            }
        }
    } with {
        let raw: Vec<[f32; 2]> = numbers(n, 1);
        let at: Vec<(f32, f32)> = raw.iter().map(|p| (p[0], p[1])).collect();
        let m = n.max(1) as u32;
        let edges: Vec<(u32, u32)> = (0..n as u32).map(|i| (i * 7 % m, i * 5 % m)).collect();
        let mut lengths: Vec<f32> = numbers(n, 2);
        let mut moved = at.clone();
        let origin = (0.5, 0.25);
    } (&edges, &at, &mut lengths, &mut moved, &origin) => (lengths, moved)
}
