use loopwright::kernel;

kernel! {
    pub fn axpy(y: &mut [f64]) {
        let n = y.len();
        let t = Array2::<f64>::zeros(n);
        for i in 0..n {
            y[i] += t[[i, 0]];
        }
    }
}

fn main() {}
