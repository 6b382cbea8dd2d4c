//! Types of parameters and results that kernels do not have: each error says what to write.

use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn pairs(x: &[(f64, f64)], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = x[i].0;
        }
    }

    #[opt(require_lanes)]
    pub fn pair(x: &(f64, f64), y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] = x.0;
        }
    }

    #[opt(require_lanes)]
    pub fn maybe(x: Option<f64>, y: &mut [f64]) {
        y[0] = 1.0;
    }

    #[opt(require_lanes)]
    pub fn called(f: &dyn Fn(f64) -> f64, y: &mut [f64]) {
        y[0] = f(y[0]);
    }

    #[opt(require_lanes)]
    pub fn collected(x: &[f64]) -> Vec<f64> {
        x.iter().map(|v| 2.0 * v).collect()
    }

    #[opt(require_lanes)]
    pub fn sized(n: usize, x: &[f64], y: &mut [f64]) {
        let mut t = [0.0; n];
        for i in 0..n {
            t[i] = x[i];
            y[i] = t[i];
        }
    }

    #[opt(require_lanes)]
    pub fn doubled(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = twice(x[i]);
        }
    }

    fn twice<T: Into<f64>>(x: T) -> f64 {
        2.0 * x.into()
    }
}

fn main() {}
