everyday! {
    n
    rayleigh_quotient {
        pub fn kernel<const N: usize>(a: &[[f64; N]; N], x: &[f64; N]) -> f64 {
            let mut top = 0.0;
            let mut bottom = 0.0;
            for i in 0..N {
                let mut row = 0.0;
                for j in 0..N {
                    row += a[i][j] * x[j];
                }
                top += x[i] * row;
                bottom += x[i] * x[i];
            }
            top / bottom
        }
    } with {
        let a: [[f64; 8]; 8] = numbers::<[[f64; 8]; 8]>(1, 1)[0];
        let x: [f64; 8] = numbers::<[f64; 8]>(1, 2)[0];
    } (&a, &x) => ()
    const_points_centroid {
        pub fn kernel<const D: usize>(points: &[[f64; D]], centre: &mut [f64; D]) {
            for p in points {
                for d in 0..D {
                    centre[d] += p[d];
                }
            }
            for d in 0..D {
                centre[d] /= points.len() as f64;
            }
        }
    } with {
        let points: Vec<[f64; 3]> = numbers(n.max(1), 1);
        let mut centre = [0.0; 3];
    } (&points, &mut centre) => (centre)
    const_norm {
        pub fn kernel<const N: usize>(x: &[f64; N]) -> f64 {
            x.iter().map(|v| v * v).sum::<f64>().sqrt()
        }
    } with {
        let x: [f64; 4] = numbers::<[f64; 4]>(1, 2)[0];
    } (&x) => ()
    const_distances {
        pub fn kernel<const D: usize>(a: &[[f32; D]], b: &[f32; D], out: &mut [f32]) {
            for (o, p) in out.iter_mut().zip(a) {
                let mut s = 0.0;
                for d in 0..D {
                    let e = p[d] - b[d];
                    s += e * e;
                }
                *o = s.sqrt();
            }
        }
    } with {
        let a: Vec<[f32; 3]> = numbers(n, 1);
        let b: [f32; 3] = numbers::<[f32; 3]>(1, 2)[0];
        let mut out: Vec<f32> = numbers(n, 2);
    } (&a, &b, &mut out) => (out)
    const_fir {
        pub fn kernel<const N: usize>(h: &[f64; N], x: &[f64], y: &mut [f64]) {
            for (o, w) in y.iter_mut().zip(x.windows(N)) {
                *o = w.iter().zip(h).map(|(a, b)| a * b).sum();
            }
        }
    } with {
        let h: [f64; 5] = numbers::<[f64; 5]>(1, 2)[0];
        let x: Vec<f64> = numbers(n, 1);
        let mut y: Vec<f64> = numbers(n, 2);
    } (&h, &x, &mut y) => (y)
    const_poly {
        pub fn kernel<const N: usize>(coefficients: &[f64; N], x: &[f64], y: &mut [f64]) {
            for (y, &x) in y.iter_mut().zip(x) {
                *y = coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c);
            }
        }
    } with {
        let coefficients: [f64; 6] = numbers::<[f64; 6]>(1, 2)[0];
        let x: Vec<f64> = numbers(n, 1);
        let mut y: Vec<f64> = numbers(n, 2);
    } (&coefficients, &x, &mut y) => (y)
    const_transpose {
        pub fn kernel<const R: usize, const C: usize>(a: &[[f32; C]; R], t: &mut [[f32; R]; C]) {
            for (i, row) in a.iter().enumerate() {
                for (j, &v) in row.iter().enumerate() {
                    t[j][i] = v;
                }
            }
        }
    } with {
        let a: [[f32; 6]; 4] = numbers::<[[f32; 6]; 4]>(1, 2)[0];
        let mut t: [[f32; 4]; 6] = numbers::<[[f32; 4]; 6]>(1, 2)[0];
    } (&a, &mut t) => (t)
    const_cholesky_solve {
        pub fn kernel<const N: usize>(l: &[[f64; N]; N], b: &mut [f64; N]) {
            for i in 0..N {
                for j in 0..i {
                    b[i] -= l[i][j] * b[j];
                }
                b[i] /= l[i][i];
            }
            for i in (0..N).rev() {
                for j in i + 1..N {
                    b[i] -= l[j][i] * b[j];
                }
                b[i] /= l[i][i];
            }
        }
    } with {
        let mut l: [[f64; 6]; 6] = numbers::<[[f64; 6]; 6]>(1, 2)[0];
        for i in 0..6 { l[i][i] = 3.0 + l[i][i]; }
        let mut b: [f64; 6] = numbers::<[f64; 6]>(1, 3)[0];
    } (&l, &mut b) => (b)
    rotation_from_axis {
        pub fn kernel(axis: [f64; 3], angle: f64) -> [[f64; 3]; 3] {
            let length = (axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]).sqrt();
            let (x, y, z) = (axis[0] / length, axis[1] / length, axis[2] / length);
            let (s, c) = angle.sin_cos();
            let t = 1.0 - c;
            [
                [t * x * x + c, t * x * y - s * z, t * x * z + s * y],
                [t * x * y + s * z, t * y * y + c, t * y * z - s * x],
                [t * x * z - s * y, t * y * z + s * x, t * z * z + c],
            ]
        }
    } with {
        let axis: [f64; 3] = numbers::<[f64; 3]>(1, 2)[0];
    } (axis, 0.7) => ()
    generic_axpby {
        use loopwright::Real;
        pub fn kernel<T: Real>(a: T, x: &[T], b: T, y: &mut [T]) {
            for (y, &x) in y.iter_mut().zip(x) {
                *y = a * x + b * *y;
            }
        }
    } with {
        let x: Vec<f32> = numbers(n, 1);
        let mut y: Vec<f32> = numbers(n, 2);
    } (0.5_f32, &x, 0.25_f32, &mut y) => (y)
}
