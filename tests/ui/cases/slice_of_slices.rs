use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn axpy(alpha: f64, x: &[&[f64]], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] += alpha * x[i][0];
        }
    }
}

fn main() {
    axpy(2.0, &[&[1.0; 8]], &mut [0.0; 8]);
}
