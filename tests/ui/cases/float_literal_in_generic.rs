use loopwright::kernel;

kernel! {
    pub fn k<T: loopwright::Real>(x: &[T], y: &mut [T]) {
        for i in 0..x.len() {
            y[i] = 2.0 * x[i];
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
