use loopwright::kernel;

// A stand-in: the macro knows the type by its name.
struct Array2<T>(T);

kernel! {
    #[opt(require_lanes)]
    pub fn axpy(x: Array2<f64>, y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] += x[[i, 0]];
        }
    }
}

fn main() {}
