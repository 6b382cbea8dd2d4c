use loopwright::kernel;

kernel! {
    static W: [f64; 2] = include!("missing.rs");

    pub fn axpy(x: &[f64; 2], y: &mut [f64; 2]) {
        for i in 0..2 {
            y[i] += W[i] * x[i];
        }
    }
}

fn main() {}
