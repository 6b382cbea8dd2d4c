use loopwright::kernel;

kernel! {
    pub fn scale(alpha: f64, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = alpha * x[i - 1];
        }
    }

    pub fn shift(n: usize, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = x[i + 1];
        }
    }

    pub fn copy(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = x[i];
        }
    }
}

fn main() {
    scale(2.0, &[1.0; 8], &mut [0.0; 8]);
    shift(1, &[1.0; 8], &mut [0.0; 8]);
    copy(&[1.0; 8], &mut [0.0; 8]);
    copy::reference(&[1.0; 8], &mut [0.0; 8]);
    assert!(copy::variants().is_empty());
    let _ = (copy::REPORT, copy::with(loopwright::Isa::Scalar, &[1.0; 8], &mut [0.0; 8]));
}
