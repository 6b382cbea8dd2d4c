use loopwright::kernel;

kernel! {
    const STEPS: [(usize, f64); 2] = [(1, 1.0), (2, 2.0)];

    #[opt(require_lanes)]
    pub fn axpy(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] += STEPS[0].1 * x[i];
        }
    }
}

fn main() {
    axpy(&[1.0; 8], &mut [0.0; 8]);
}
