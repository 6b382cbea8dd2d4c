use loopwright::kernel;

pub const WEIGHTS: [f64; 2] = [1.0, 2.0];

kernel! {
    static W: [f64; 2] = crate::WEIGHTS;

    pub fn axpy(alpha: f64, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] += alpha * W[0] * x[i];
        }
    }
}

fn main() {
    axpy(2.0, &[1.0; 8], &mut [0.0; 8]);
}
