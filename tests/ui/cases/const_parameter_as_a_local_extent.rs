use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn axpy<const N: usize>(x: &[f64; N], y: &mut [f64; N]) {
        let mut sum = [0.0; N];
        for i in 0..N {
            sum[i] += x[i];
            y[i] = sum[i];
        }
    }
}

fn main() {}
