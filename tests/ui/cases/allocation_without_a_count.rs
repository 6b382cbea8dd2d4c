use loopwright::kernel;

kernel! {
    pub fn axpy(y: &mut [f64]) {
        let t = vec![1.0, 2.0];
        for i in 0..2 {
            y[i] += t[i];
        }
    }
}

fn main() {}
