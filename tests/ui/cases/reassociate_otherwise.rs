//! Sums are reassociated within a bound, or in full.

use loopwright::kernel;

kernel! {
    #[opt(reassociate = most)]
    pub fn squares(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = x[i] * x[i];
        }
    }
}

fn main() {}
