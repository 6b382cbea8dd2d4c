everyday! {
    n
    vowels {
        pub fn kernel(text: &[u8]) -> usize {
            text.iter().filter(|b| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u')).count()
        }
    } with {
        let text: Vec<u8> = (0..n).map(|i| b'a' + (i % 26) as u8).collect();
    } (&text) => ()
    changes {
        pub fn kernel(x: &[u8]) -> u32 {
            x.windows(2).map(|w| u32::from(w[0] != w[1])).sum()
        }
    } with {
        let x: Vec<u8> = (0..n).map(|i| (i * i / 5 % 7) as u8).collect();
    } (&x) => ()
    checksum {
        pub fn kernel(bytes: &[u8]) -> u16 {
            bytes.iter().fold(0u16, |sum, &b| sum.wrapping_add(u16::from(b)))
        }
    } with {
        let bytes: Vec<u8> = numbers(n, 1);
    } (&bytes) => ()
    peak_level {
        pub fn kernel(samples: &[i16]) -> f32 {
            let peak = samples.iter().map(|s| s.unsigned_abs()).max().unwrap_or(0);
            f32::from(peak) / 32_768.0
        }
    } with {
        let samples: Vec<i16> = numbers(n, 1);
    } (&samples) => ()
    fade_in {
        pub fn kernel(samples: &mut [i16]) {
            let step = 1.0 / samples.len().max(1) as f32;
            for (i, s) in samples.iter_mut().enumerate() {
                *s = (f32::from(*s) * (i as f32 * step)) as i16;
            }
        }
    } with {
        let mut samples: Vec<i16> = numbers(n, 1);
    } (&mut samples) => (samples)
    zero_crossings {
        pub fn kernel(x: &[f32]) -> usize {
            x.windows(2).filter(|w| (w[0] < 0.0) != (w[1] < 0.0)).count()
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
    } (&x) => ()
    rgb_to_yuv {
        pub fn kernel(rgb: &[[u8; 3]], yuv: &mut [[u8; 3]]) {
            for (p, q) in rgb.iter().zip(yuv) {
                let [r, g, b] = p.map(i32::from);
                q[0] = (((66 * r + 129 * g + 25 * b + 128) >> 8) + 16) as u8;
                q[1] = (((-38 * r - 74 * g + 112 * b + 128) >> 8) + 128) as u8;
                q[2] = (((112 * r - 94 * g - 18 * b + 128) >> 8) + 128) as u8;
            }
        }
    } with {
        let rgb: Vec<[u8; 3]> = numbers(n, 1);
        let mut yuv = vec![[0_u8; 3]; n];
    } (&rgb, &mut yuv) => (yuv)
    look_up {
        pub fn kernel(table: &[u8; 256], x: &mut [u8]) {
            for v in x {
                *v = table[*v as usize];
            }
        }
    } with {
        let table: [u8; 256] = std::array::from_fn(|i| (i * 7 % 256) as u8);
        let mut x: Vec<u8> = numbers(n, 1);
    } (&table, &mut x) => (x)
    box_blur {
        pub fn kernel(width: usize, image: &[u8], out: &mut [u8]) {
            for (row, o) in image.chunks_exact(width).zip(out.chunks_exact_mut(width)) {
                for x in 1..width - 1 {
                    let sum = u16::from(row[x - 1]) + u16::from(row[x]) + u16::from(row[x + 1]);
                    o[x] = (sum / 3) as u8;
                }
            }
        }
    } with {
        let width = order(n).max(3);
        let image: Vec<u8> = numbers(n, 1);
        let mut out = vec![0_u8; n];
    } (width, &image, &mut out) => (out)
    bright_in_rows {
        pub fn kernel(width: usize, image: &[u8], counts: &mut [u32]) {
            for (row, count) in image.chunks_exact(width).zip(counts) {
                *count = row.iter().filter(|&&p| p > 127).count() as u32;
            }
        }
    } with {
        let width = order(n).max(1);
        let image: Vec<u8> = numbers(n, 1);
        let mut counts = vec![0_u32; n / width];
    } (width, &image, &mut counts) => (counts)
    drawdown {
        pub fn kernel(prices: &[f64]) -> f64 {
            let mut peak = f64::NEG_INFINITY;
            let mut worst = 0.0_f64;
            for &p in prices {
                peak = peak.max(p);
                worst = worst.max((peak - p) / peak);
            }
            worst
        }
    } with {
        let prices: Vec<f64> = numbers::<f64>(n, 1).into_iter().map(|x| x + 2.0).collect();
    } (&prices) => ()
    log_returns {
        pub fn kernel(prices: &[f64], out: &mut [f64]) {
            for (o, w) in out.iter_mut().zip(prices.windows(2)) {
                *o = (w[1] / w[0]).ln();
            }
        }
    } with {
        let prices: Vec<f64> = numbers::<f64>(n, 1).into_iter().map(|x| x + 2.0).collect();
        let mut out = vec![0.0; n.saturating_sub(1)];
    } (&prices, &mut out) => (out)
    kinetic_energy {
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Body {
            pub mass: f64,
            pub velocity: [f64; 3],
        }
        pub fn kernel(bodies: &[Body]) -> f64 {
            bodies.iter().map(|b| 0.5 * b.mass * b.velocity.iter().map(|v| v * v).sum::<f64>()).sum()
        }
    } with {
        let all: Vec<[f64; 4]> = numbers(n, 1);
        let bodies: Vec<Body> = all.iter().map(|a| Body { mass: a[0], velocity: [a[1], a[2], a[3]] }).collect();
    } (&bodies) => ()
    coulomb {
        pub fn kernel(charges: &[f64], positions: &[[f64; 3]], potential: &mut [f64]) {
            for (i, (p, out)) in positions.iter().zip(potential.iter_mut()).enumerate() {
                let mut sum = 0.0;
                for (j, (q, charge)) in positions.iter().zip(charges).enumerate() {
                    if i != j {
                        let r2 = (0..3).map(|c| (p[c] - q[c]).powi(2)).sum::<f64>();
                        sum += charge / r2.sqrt();
                    }
                }
                *out = sum;
            }
        }
    } with {
        let m = order(n);
        let charges: Vec<f64> = numbers(m, 1);
        let positions: Vec<[f64; 3]> = numbers(m, 2);
        let mut potential = vec![0.0; m];
    } (&charges, &positions, &mut potential) => (potential)
    covariance {
        pub fn kernel(x: &[f64], y: &[f64]) -> f64 {
            let n = x.len() as f64;
            let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
            x.iter().zip(y).map(|(a, b)| (a - mx) * (b - my)).sum::<f64>() / n
        }
    } with {
        let x: Vec<f64> = numbers(n, 1);
        let y: Vec<f64> = numbers(n, 2);
    } (&x, &y) => ()
    quaternions {
        pub fn kernel(a: &[[f32; 4]], b: &[[f32; 4]], out: &mut [[f32; 4]]) {
            for ((a, b), o) in a.iter().zip(b).zip(out) {
                *o = [
                    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
                ];
            }
        }
    } with {
        let a: Vec<[f32; 4]> = numbers(n, 1);
        let b: Vec<[f32; 4]> = numbers(n, 2);
        let mut out = vec![[0.0_f32; 4]; n];
    } (&a, &b, &mut out) => (out)
    rotated {
        pub fn kernel(matrix: &[[f64; 3]; 3], points: &mut [[f64; 3]]) {
            for p in points {
                let old = *p;
                for (new, row) in p.iter_mut().zip(matrix) {
                    *new = row.iter().zip(&old).map(|(m, x)| m * x).sum();
                }
            }
        }
    } with {
        let matrix = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        let mut points: Vec<[f64; 3]> = numbers(n, 1);
    } (&matrix, &mut points) => (points)
    common_bits {
        pub fn kernel(a: &[u64], b: &[u64]) -> u32 {
            a.iter().zip(b).map(|(x, y)| (x & y).count_ones()).sum()
        }
    } with {
        let a: Vec<u64> = (0..n as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let b: Vec<u64> = (0..n as u64).map(|i| i.wrapping_mul(0xbf58_476d_1ce4_e5b9)).collect();
    } (&a, &b) => ()
    integer_dot {
        pub fn kernel(a: &[i16], b: &[i16]) -> i64 {
            a.iter().zip(b).map(|(&x, &y)| i64::from(x) * i64::from(y)).sum()
        }
    } with {
        let a: Vec<i16> = numbers(n, 1);
        let b: Vec<i16> = numbers(n, 2);
    } (&a, &b) => ()
    column_maxima {
        use ndarray::{ArrayView2, ArrayViewMut1};
        pub fn kernel(a: ArrayView2<f64>, mut out: ArrayViewMut1<f64>) {
            for j in 0..a.ncols() {
                let mut largest = f64::NEG_INFINITY;
                for i in 0..a.nrows() {
                    largest = largest.max(a[[i, j]]);
                }
                out[j] = largest;
            }
        }
    } with {
        let m = order(n);
        let a = Array2::from_shape_vec((m, m), numbers(m * m, 1)).expect("a square");
        let mut out = Array1::zeros(m);
    } (a.view(), out.view_mut()) => (out)
}
