//! Extents in a signature may be constants of the block, which nobody outside sees.
use loopwright::kernel;

kernel! {
    const M: usize = 2;
    const N: usize = 2 * M;

    pub fn axpy(alpha: f64, x: &[[f64; N - 1]; N], y: &mut [f64; N]) {
        for i in 0..N {
            y[i] += alpha * x[i][M];
        }
    }
}

fn main() {
    let mut y = [1.0; 4];
    axpy(2.0, &[[3.0; 3]; 4], &mut y);
    assert_eq!(y, [7.0; 4]);
}
