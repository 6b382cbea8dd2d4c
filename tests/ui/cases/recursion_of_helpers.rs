use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn axpy(alpha: f64, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] += even(alpha * x[i]);
        }
    }

    fn even(a: f64) -> f64 {
        odd(a - 1.0)
    }

    fn odd(a: f64) -> f64 {
        even(a - 1.0)
    }
}

fn main() {
    axpy(2.0, &[1.0; 8], &mut [0.0; 8]);
}
