use loopwright::kernel;

kernel! {
    #[opt(pure(super::f))]
    pub fn axpy(x: &[f64; 2], y: &mut [f64; 2]) {
        for i in 0..2 {
            y[i] += x[i];
        }
    }
}

fn main() {}
