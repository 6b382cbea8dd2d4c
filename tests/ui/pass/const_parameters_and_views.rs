//! Extents that are known when the kernel runs.
use loopwright::kernel;

const LONG: usize = 12;

kernel! {
    const TWO: usize = 2;

    pub fn axpy<const N: usize>(alpha: f64, x: &[[f64; N]; TWO], y: &mut [[f64; N]; TWO]) {
        for k in 0..TWO {
            for i in 0..x[k].len() {
                y[k][i] += alpha * if i > 2 { x[k][i] } else { 0.0 };
            }
        }
    }

    fn total(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i];
        }
        sum
    }

    pub fn totals<const N: usize>(x: &[[f64; N]], y: &mut [f64]) {
        for e in 0..x.len() {
            y[e] = total(&x[e]);
        }
    }
}

fn main() {
    let (mut y, mut expected) = ([[1.0; LONG]; 2], [[1.0; LONG]; 2]);
    axpy(2.0, &[[3.0; LONG]; 2], &mut y);
    axpy::reference(2.0, &[[3.0; LONG]; 2], &mut expected);
    assert_eq!(y, expected);
    let mut sums = [0.0; 2];
    totals(&[[1.0; 5]; 2], &mut sums);
    assert_eq!(sums, [5.0; 2]);
}
