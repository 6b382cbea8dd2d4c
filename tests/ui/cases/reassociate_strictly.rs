//! What keeps every bit reassociates nothing.

use loopwright::kernel;

kernel! {
    #[opt(strict, reassociate = full)]
    pub fn squares(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = x[i] * x[i];
        }
    }
}

fn main() {}
