//! Statements that plain Rust has and kernels do not: each error says what to write.

use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn printed(x: &mut [f64]) {
        for v in x.iter_mut() {
            println!("{v}");
            *v = 0.0;
        }
    }

    #[opt(require_lanes)]
    pub fn sorted(x: &mut [f64]) {
        x.sort_by(|a, b| a.total_cmp(b));
    }

    #[opt(require_lanes)]
    pub fn unchecked(x: &[f64], y: &mut [f64]) {
        unsafe { *y.get_unchecked_mut(0) = x[0] };
    }

    #[opt(require_lanes)]
    pub fn filled(x: &[f64], y: &mut [f64]) {
        y.fill(x);
    }

    #[opt(require_lanes)]
    pub fn swapped(y: &mut [f64]) {
        y.swap(0.0, 1);
    }

    #[opt(require_lanes)]
    pub fn copied(x: &[f64], y: &mut [f64]) {
        let t = x.to_vec();
        for i in 0..x.len() {
            y[i] = t[i];
        }
    }
}

fn main() {}
