use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn axpy<T: Copy>(alpha: T, x: &[T], y: &mut [T]) {
        for i in 0..x.len() {
            y[i] += alpha * x[i];
        }
    }
}

fn main() {
    axpy(2.0, &[1.0; 8], &mut [0.0; 8]);
}
