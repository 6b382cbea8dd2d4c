use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn axpy(x: &[f64; 2], y: &mut [f64; 2]) {
        for i in 0..2 {
            y[i] += super::WEIGHTS[i] * x[i];
        }
    }
}

fn main() {}
