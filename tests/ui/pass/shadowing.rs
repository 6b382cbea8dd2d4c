//! Names may be used again: for loops, for what is computed from a parameter of the same name.
use loopwright::kernel;

kernel! {
    pub fn axpy<'a>(alpha: f64, x: &'a [f64], y: &'a mut [f64]) {
        for i in 1..x.len() {
            let alpha = alpha * x[i];
            let alpha = alpha + 1.0;
            for i in 0..1 {
                y[i] += alpha * x[i + 1];
            }
            let i = i - 1;
            y[i] += alpha;
        }
    }
}

fn main() {
    let (mut y, mut expected) = ([1.0; 4], [1.0; 4]);
    axpy(2.0, &[3.0; 4], &mut y);
    axpy::reference(2.0, &[3.0; 4], &mut expected);
    assert_eq!(y, expected);
}
