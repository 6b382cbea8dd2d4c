use loopwright::kernel;

kernel! {
    #[opt(pure(crate::norm))]
    pub fn axpy(x: &[f64; 2], y: &mut [f64; 2]) {
        for i in 0..2 {
            y[i] += crate::norm(x) + crate::norm(&x[i]);
        }
    }
}

fn main() {}
