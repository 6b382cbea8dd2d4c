use loopwright::kernel;

kernel! {
    const STEPS: [(f64, f64); 2] = [(0.5, 1.0), (0.25, 2.0)];

    #[opt(require_lanes)]
    pub fn axpy(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] += STEPS[0].0 * x[i];
        }
    }
}

fn main() {
    axpy(&[1.0; 8], &mut [0.0; 8]);
}
