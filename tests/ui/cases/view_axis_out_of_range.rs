use loopwright::kernel;

// A stand-in: the macro knows the type by its name.
struct ArrayView2<T>(T);

kernel! {
    pub fn axpy(x: ArrayView2<f64>, y: &mut [f64]) {
        for i in 0..x.shape()[2] {
            y[i] += x[[i, 0]];
        }
        for i in 0..x.len_of(Axis(3)) {
            y[i] += x[[i, 0]];
        }
    }
}

fn main() {}
