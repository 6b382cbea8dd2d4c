use loopwright::kernel;

// A stand-in: the macro knows the type by its name.
struct ArrayView<T, D = T>(T, D);
struct Ix2;

kernel! {
    pub fn axpy(x: ArrayView<f64, Ix2>, y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] += x[[i, 0]];
        }
    }
}

fn main() {}
