use loopwright::kernel;

kernel! {
    pub fn axpy(alpha: f64, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] += alpha * if (x[i] > 0.0) & (x[i] < 1.0) { x[i] } else { 0.0 };
        }
    }
}

fn main() {
    axpy(2.0, &[1.0; 8], &mut [0.0; 8]);
}
