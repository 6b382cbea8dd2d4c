use loopwright::kernel;

kernel! {
    pub fn axpy(alpha: f64, x: &[f64], y: &mut [f64]) {
        for t in 0.0..1.0 {
            y[0] += alpha * t;
        }
    }
}

fn main() {
    axpy(2.0, &[1.0; 8], &mut [0.0; 8]);
}
