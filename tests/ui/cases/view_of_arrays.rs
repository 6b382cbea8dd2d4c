use loopwright::kernel;

// A stand-in: the macro knows the type by its name.
struct ArrayView2<T>(T);

kernel! {
    #[opt(require_lanes)]
    pub fn axpy(x: ArrayView2<[f64; 2]>, y: &mut [f64]) {
        for i in 0..x.nrows() {
            y[i] += x[[i, 0]][1];
        }
    }
}

fn main() {}
