//! Iterators and values that kernels do not have: each error says what to write.

use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn from_the_end(x: &[f64], y: &mut [f64]) {
        for (y, c) in y.iter_mut().zip(x.rchunks(2)) {
            *y = c[0];
        }
    }

    #[opt(require_lanes)]
    pub fn found(x: &[f64], y: &mut [f64]) {
        let at = x.iter().position(|v| *v > 0.0);
        y[0] = 1.0;
    }

    #[opt(require_lanes)]
    pub fn flattened(x: &[[f64; 2]], y: &mut [f64]) {
        for (y, v) in y.iter_mut().zip(x.iter().flat_map(|p| p)) {
            *y = *v;
        }
    }

    #[opt(require_lanes)]
    pub fn first(x: &[f64], y: &mut [f64]) {
        y[0] = *x.first().unwrap();
    }

    #[opt(require_lanes)]
    pub fn powers(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = 2 * x[i].pow(2);
        }
    }

    #[opt(require_lanes)]
    pub fn both(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = if x[i] && i > 0 { 1.0 } else { 0.0 };
        }
    }
}

fn main() {}
