use loopwright::kernel;

kernel! {
    pub fn k<T: loopwright::Real, U: loopwright::Real>(x: &[T], y: &mut [U]) {
        for i in 0..x.len() {
            y[i] = U::zero();
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
