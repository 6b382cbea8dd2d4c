use loopwright::{Scalar, kernel};

kernel! {
    pub fn add<f64: Scalar>(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] += x[i];
        }
    }
}

fn main() {}
