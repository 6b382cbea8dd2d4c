use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn axpy<const N: usize>(x: &[f64; N], y: &mut [f64; N]) {
        for i in 0..N {
            y[i] += first(x);
        }
    }

    fn first<const N: usize>(x: &[f64; N]) -> f64 {
        x[0]
    }
}

fn main() {}
