use loopwright::kernel;

kernel! {
    pub fn axpy(alpha: f64, x: &[f64], y: &[f64]) {
        let s = alpha * x[0] * y[0];
    }
}

fn main() {
    axpy(2.0, &[1.0; 8], &[0.0; 8]);
}
