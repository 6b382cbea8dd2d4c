everyday! {
    n
    dot_of_three {
        pub fn kernel(a: &[f64; 3], b: &[f64; 3]) -> f64 {
            a.iter().zip(b).map(|(x, y)| x * y).sum()
        }
    } with {
        let a: [f64; 3] = numbers::<[f64; 3]>(1, 1)[0];
        let b: [f64; 3] = numbers::<[f64; 3]>(1, 2)[0];
    } (&a, &b) => ()
    axpy_of_sixteen {
        pub fn kernel(alpha: f64, x: &[f64; 16], y: &mut [f64; 16]) {
            for (y, x) in y.iter_mut().zip(x) {
                *y += alpha * x;
            }
        }
    } with {
        let x: [f64; 16] = numbers::<[f64; 16]>(1, 1)[0];
        let mut y: [f64; 16] = numbers::<[f64; 16]>(1, 2)[0];
    } (0.3, &x, &mut y) => (y)
    short_slice_axpy {
        pub fn kernel(alpha: f64, x: &[f64], y: &mut [f64]) {
            for (y, x) in y.iter_mut().zip(x) {
                *y += alpha * x;
            }
        }
    } with {
        let x: Vec<f64> = numbers(n.min(7), 1);
        let mut y: Vec<f64> = numbers(n.min(7), 2);
    } (0.3, &x, &mut y) => (y)
    short_slice_dot {
        pub fn kernel(x: &[f32], y: &[f32]) -> f32 {
            x.iter().zip(y).map(|(x, y)| x * y).sum()
        }
    } with {
        let x: Vec<f32> = numbers(n.min(12), 1);
        let y: Vec<f32> = numbers(n.min(12), 2);
    } (&x, &y) => ()
    matvec_4x4 {
        pub fn kernel(m: &[[f32; 4]; 4], v: &[f32; 4], out: &mut [f32; 4]) {
            for (o, row) in out.iter_mut().zip(m) {
                *o = row.iter().zip(v).map(|(a, b)| a * b).sum();
            }
        }
    } with {
        let m: [[f32; 4]; 4] = numbers::<[[f32; 4]; 4]>(1, 1)[0];
        let v: [f32; 4] = numbers::<[f32; 4]>(1, 2)[0];
        let mut out: [f32; 4] = numbers::<[f32; 4]>(1, 3)[0];
    } (&m, &v, &mut out) => (out)
    matmul_3x3 {
        pub fn kernel(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
            let mut c = [[0.0; 3]; 3];
            for i in 0..3 {
                for j in 0..3 {
                    for k in 0..3 {
                        c[i][j] += a[i][k] * b[k][j];
                    }
                }
            }
            c
        }
    } with {
        let a: [[f64; 3]; 3] = numbers::<[[f64; 3]; 3]>(1, 1)[0];
        let b: [[f64; 3]; 3] = numbers::<[[f64; 3]; 3]>(1, 2)[0];
    } (&a, &b) => ()
}
