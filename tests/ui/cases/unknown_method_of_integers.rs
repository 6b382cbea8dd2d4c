use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn axpy(x: &[f64; 8], y: &mut [f64; 8]) {
        for i in 0..8 {
            y[i] += x[i.isqrt()] + x[i.min()];
        }
    }
}

fn main() {}
