use loopwright::kernel;

kernel! {
    pub fn axpy(alpha: bool, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] += x[i];
        }
    }
}

fn main() {
    axpy(true, &[1.0; 8], &mut [0.0; 8]);
}
