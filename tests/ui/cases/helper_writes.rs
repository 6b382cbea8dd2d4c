use loopwright::kernel;

kernel! {
    pub fn axpy(alpha: f64, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            let done = store(&y[0], alpha * x[i]);
        }
    }

    fn store(target: &mut f64, value: f64) -> f64 {
        *target += value;
        value
    }
}

fn main() {
    axpy(2.0, &[1.0; 8], &mut [0.0; 8]);
}
