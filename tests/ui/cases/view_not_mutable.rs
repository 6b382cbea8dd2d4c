use loopwright::kernel;

// A stand-in: the macro knows the type by its name.
struct ArrayView1<T>(T);

kernel! {
    pub fn axpy(x: &[f64], y: ArrayView1<f64>) {
        for i in 0..x.len() {
            y[i] += x[i];
        }
    }
}

fn main() {}
