use loopwright::kernel;

kernel! {
    pub fn axpy(alpha: f64, x: &[f64; 8], y: &mut [f64; 8]) {
        for i in 0..9 {
            y[i] += alpha * x[i];
        }
    }
}

fn main() {
    axpy(2.0, &[1.0; 8], &mut [0.0; 8]);
}
