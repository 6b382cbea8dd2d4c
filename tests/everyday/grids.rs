everyday! {
    n
    heat_1d {
        pub fn kernel(a: f64, u: &[f64], v: &mut [f64]) {
            let n = u.len();
            for i in 0..n {
                if i == 0 || i == n - 1 {
                    v[i] = 0.0;
                } else {
                    v[i] = u[i] + a * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
                }
            }
        }
    } with {
        let u = numbers(n, 1);
        let mut v = numbers(n, 2);
    } (0.1, &u, &mut v) => (v)
    seven_points {
        use ndarray::{ArrayView3, ArrayViewMut3};
        pub fn kernel(u: ArrayView3<f64>, mut v: ArrayViewMut3<f64>) {
            let (nx, ny, nz) = u.dim();
            for i in 1..nx - 1 {
                for j in 1..ny - 1 {
                    for k in 1..nz - 1 {
                        v[[i, j, k]] = u[[i - 1, j, k]]
                            + u[[i + 1, j, k]]
                            + u[[i, j - 1, k]]
                            + u[[i, j + 1, k]]
                            + u[[i, j, k - 1]]
                            + u[[i, j, k + 1]]
                            - 6.0 * u[[i, j, k]];
                    }
                }
            }
        }
    } with {
        let m = cube(n) + 2;
        let u = Array3::from_shape_vec((m, 4, m), numbers(m * 4 * m, 1)).unwrap();
        let mut v = u.clone();
    } (u.view(), v.view_mut()) => (v)
    jacobi {
        pub fn kernel(n: usize, f: &[f64], u: &[f64], v: &mut [f64]) {
            let h = 1.0 / (n as f64 + 1.0);
            for i in 1..n - 1 {
                for j in 1..n - 1 {
                    let around = u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1];
                    v[i * n + j] = 0.25 * (around + h * h * f[i * n + j]);
                }
            }
        }
    } with {
        let n = order(n);
        let f = numbers(n * n, 1);
        let u = numbers(n * n, 2);
        let mut v = numbers(n * n, 3);
    } (n, &f, &u, &mut v) => (v)
    gauss_seidel {
        pub fn kernel(n: usize, u: &mut [f64]) {
            for i in 1..n - 1 {
                for j in 1..n - 1 {
                    u[i * n + j] = 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]);
                }
            }
        }
    } with {
        let n = order(n);
        let mut u = numbers(n * n, 2);
    } (n, &mut u) => (u)
    life {
        pub fn kernel(n: usize, old: &[u8], new: &mut [u8]) {
            for i in 0..n {
                for j in 0..n {
                    let mut alive = 0;
                    for di in [n - 1, 0, 1] {
                        for dj in [n - 1, 0, 1] {
                            if di != 0 || dj != 0 {
                                alive += old[(i + di) % n * n + (j + dj) % n];
                            }
                        }
                    }
                    new[i * n + j] = u8::from(alive == 3 || (alive == 2 && old[i * n + j] == 1));
                }
            }
        }
    } with {
        let n = order(n);
        let old: Vec<u8> = (0..n * n).map(|i| (i * i % 7 < 3) as u8).collect();
        let mut new = vec![0_u8; n * n];
    } (n, &old, &mut new) => (new)
    convolve_bytes {
        pub fn kernel(x: &[u8], y: &mut [u8]) {
            for i in 1..x.len() - 1 {
                let s = u16::from(x[i - 1]) + 2 * u16::from(x[i]) + u16::from(x[i + 1]);
                y[i] = ((s + 2) / 4) as u8;
            }
        }
    } with {
        let x: Vec<u8> = (0..n).map(|i| (i * 37 % 251) as u8).collect();
        let mut y = vec![0_u8; n];
    } (&x, &mut y) => (y)
    fir {
        pub fn kernel(h: &[f32], x: &[f32], y: &mut [f32]) {
            for (y, w) in y.iter_mut().zip(x.windows(h.len())) {
                *y = w.iter().zip(h).map(|(x, h)| x * h).sum();
            }
        }
    } with {
        let h = numbers(5, 1);
        let x = numbers(n + 4, 2);
        let mut y = numbers(n, 3);
    } (&h, &x, &mut y) => (y)
    biquad {
        pub fn kernel(b: [f64; 3], a: [f64; 2], x: &[f64], y: &mut [f64]) {
            let [mut x1, mut x2, mut y1, mut y2] = [0.0; 4];
            for (y, &x) in y.iter_mut().zip(x) {
                *y = b[0] * x + b[1] * x1 + b[2] * x2 - a[0] * y1 - a[1] * y2;
                (x2, x1) = (x1, x);
                (y2, y1) = (y1, *y);
            }
        }
    } with {
        let x = numbers(n, 2);
        let mut y = numbers(n, 3);
    } ([0.2, 0.4, 0.2], [-0.5, 0.1], &x, &mut y) => (y)
    rgb_to_grey {
        pub fn kernel(rgb: &[[u8; 3]], grey: &mut [u8]) {
            for (g, &[r, gr, b]) in grey.iter_mut().zip(rgb) {
                *g = (0.299 * f32::from(r) + 0.587 * f32::from(gr) + 0.114 * f32::from(b)) as u8;
            }
        }
    } with {
        let rgb: Vec<[u8; 3]> = (0..n).map(|i| [(i * 37 % 256) as u8, (i * 91 % 256) as u8, (i % 256) as u8]).collect();
        let mut grey = vec![0_u8; n];
    } (&rgb, &mut grey) => (grey)
    rgb_to_grey_integers {
        pub fn kernel(rgb: &[u8], grey: &mut [u8]) {
            for (g, p) in grey.iter_mut().zip(rgb.chunks_exact(3)) {
                *g = ((77 * u32::from(p[0]) + 150 * u32::from(p[1]) + 29 * u32::from(p[2])) >> 8) as u8;
            }
        }
    } with {
        let rgb: Vec<u8> = (0..3 * n).map(|i| (i * 37 % 256) as u8).collect();
        let mut grey = vec![0_u8; n];
    } (&rgb, &mut grey) => (grey)
    alpha_blend {
        pub fn kernel(over: &[[f32; 4]], under: &mut [[f32; 4]]) {
            for (u, o) in under.iter_mut().zip(over) {
                let a = o[3];
                for c in 0..3 {
                    u[c] = a * o[c] + (1.0 - a) * u[c];
                }
                u[3] = a + (1.0 - a) * u[3];
            }
        }
    } with {
        let over: Vec<[f32; 4]> = (0..n).map(|i| [0.1, 0.9, i as f32 * 0.01, 0.3]).collect();
        let mut under = over.clone();
    } (&over, &mut under) => (under)
    gamma {
        pub fn kernel(x: &mut [f32]) {
            for v in x.iter_mut() {
                *v = if *v <= 0.0031308 { 12.92 * *v } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 };
            }
        }
    } with {
        let mut x: Vec<f32> = (0..n).map(|i| i as f32 / 1000.0).collect();
    } (&mut x) => (x)
    sobel {
        pub fn kernel(w: usize, h: usize, x: &[f32], y: &mut [f32]) {
            for i in 1..h - 1 {
                for j in 1..w - 1 {
                    let at = |di: usize, dj: usize| x[(i + di - 1) * w + j + dj - 1];
                    let gx = at(0, 2) + 2.0 * at(1, 2) + at(2, 2) - at(0, 0) - 2.0 * at(1, 0) - at(2, 0);
                    let gy = at(2, 0) + 2.0 * at(2, 1) + at(2, 2) - at(0, 0) - 2.0 * at(0, 1) - at(0, 2);
                    y[i * w + j] = gx.hypot(gy);
                }
            }
        }
    } with {
        let m = order(n);
        let x = numbers(m * m, 1);
        let mut y = numbers(m * m, 2);
    } (m, m, &x, &mut y) => (y)
    bilinear {
        pub fn kernel(w: usize, image: &[f64], px: &[f64], py: &[f64], out: &mut [f64]) {
            for i in 0..out.len() {
                let (x, y) = (px[i].floor(), py[i].floor());
                let (fx, fy) = (px[i] - x, py[i] - y);
                let at = y as usize * w + x as usize;
                let top = image[at] * (1.0 - fx) + image[at + 1] * fx;
                let bottom = image[at + w] * (1.0 - fx) + image[at + w + 1] * fx;
                out[i] = top * (1.0 - fy) + bottom * fy;
            }
        }
    } with {
        let image = numbers(40 * 40, 1);
        let px: Vec<f64> = (0..n).map(|i| i as f64 * 1.37 % 38.0).collect();
        let py: Vec<f64> = (0..n).map(|i| i as f64 * 2.71 % 38.0).collect();
        let mut out = numbers(n, 2);
    } (40, &image, &px, &py, &mut out) => (out)
    histogram {
        pub fn kernel(low: f64, width: f64, x: &[f64], bins: &mut [u32]) {
            let last = bins.len() - 1;
            for &v in x {
                let b = ((v - low) / width) as usize;
                bins[b.min(last)] += 1;
            }
        }
    } with {
        let x = numbers(n, 1);
        let mut bins = vec![0_u32; 10];
    } (-1.0, 0.2, &x, &mut bins) => (bins)
    mandelbrot {
        pub fn kernel(cx: &[f64], cy: &[f64], steps: &mut [u32]) {
            for i in 0..steps.len() {
                let (mut x, mut y) = (0.0, 0.0);
                let mut n = 0;
                while n < 50 && x * x + y * y < 4.0 {
                    let t = x * x - y * y + cx[i];
                    y = 2.0 * x * y + cy[i];
                    x = t;
                    n += 1;
                }
                steps[i] = n;
            }
        }
    } with {
        let cx = numbers(n, 1);
        let cy = numbers(n, 2);
        let mut steps = vec![0_u32; n];
    } (&cx, &cy, &mut steps) => (steps)
    wave {
        pub fn kernel(c: f64, old: &[f64], u: &[f64], new: &mut [f64]) {
            let n = u.len();
            let last = n - 1;
            new[0] = 0.0;
            new[last] = 0.0;
            for i in 1..last {
                new[i] = 2.0 * u[i] - old[i] + c * c * (u[i + 1] - 2.0 * u[i] + u[i - 1]);
            }
        }
    } with {
        let old = numbers(n, 1);
        let u = numbers(n, 2);
        let mut new = numbers(n, 3);
    } (0.4, &old, &u, &mut new) => (new)
    trapezoid {
        pub fn kernel(x: &[f64], y: &[f64]) -> f64 {
            let mut s = 0.0;
            for i in 1..x.len() {
                s += 0.5 * (x[i] - x[i - 1]) * (y[i] + y[i - 1]);
            }
            s
        }
    } with {
        let x = numbers(n, 1);
        let y = numbers(n, 2);
    } (&x, &y) => ()
    midpoint_rule {
        const N: usize = 100;
        const H: f64 = 1.0 / N as f64;
        pub fn kernel(a: &[f64], out: &mut [f64]) {
            for (out, &a) in out.iter_mut().zip(a) {
                *out = (0..N).map(|k| (a * (k as f64 + 0.5) * H).cos()).sum::<f64>() * H;
            }
        }
    } with {
        let a = numbers(n, 1);
        let mut out = numbers(n, 2);
    } (&a, &mut out) => (out)
    dft {
        use std::f64::consts::TAU;
        pub fn kernel(x: &[f64], re: &mut [f64], im: &mut [f64]) {
            let n = x.len();
            for k in 0..n {
                let (mut a, mut b) = (0.0, 0.0);
                for (j, &v) in x.iter().enumerate() {
                    let (s, c) = (TAU * (j * k) as f64 / n as f64).sin_cos();
                    a += v * c;
                    b -= v * s;
                }
                re[k] = a;
                im[k] = b;
            }
        }
    } with {
        let n = order(n);
        let x = numbers(n, 1);
        let mut re = numbers(n, 2);
        let mut im = numbers(n, 3);
    } (&x, &mut re, &mut im) => (re, im)
    haar {
        pub fn kernel(x: &[f64], low: &mut [f64], high: &mut [f64]) {
            let s = 0.5_f64.sqrt();
            for (i, p) in x.chunks_exact(2).enumerate() {
                low[i] = s * (p[0] + p[1]);
                high[i] = s * (p[0] - p[1]);
            }
        }
    } with {
        let x = numbers(n, 1);
        let mut low = numbers(n / 2, 2);
        let mut high = numbers(n / 2, 3);
    } (&x, &mut low, &mut high) => (low, high)
}
