use loopwright::kernel;

kernel! {
    pub fn axpy(alpha: f64, x: &[f64; 1_000_000_000_000], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] += alpha * x[i];
        }
    }
}

fn main() {
    let _ = axpy::REPORT;
}
