use loopwright::kernel;

kernel! {
    pub fn axpy<const N: usize>(alpha: f64, x: &[f64; N], y: &mut [f64; N]) {
        for i in 0..x.len() {
            y[i] += alpha * x[i];
        }
    }
}

fn main() {
    axpy(2.0, &[1.0; 8], &mut [0.0; 8]);
}
