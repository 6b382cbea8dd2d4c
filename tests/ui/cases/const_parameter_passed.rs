use loopwright::kernel;

kernel! {
    pub fn axpy<const N: usize>(x: [f64; N], y: &mut [f64; N]) {
        for i in 0..N {
            y[i] += x[i];
        }
    }
}

fn main() {}
