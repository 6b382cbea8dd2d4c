use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn axpy(alpha: f64, x: &[f64], y: &mut [f64]) {
        let mut i = 0;
        while i < 8 {
            y[i] += alpha * x[i];
            i += 1 + i;
        }
    }
}

fn main() {
    axpy(2.0, &[1.0; 8], &mut [0.0; 8]);
}
