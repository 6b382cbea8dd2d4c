use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn axpy<const SIGN: bool>(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] += x[i];
        }
    }
}

fn main() {}
