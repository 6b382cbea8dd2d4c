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
}
