use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn k<T: Clone>(x: &[T], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = 1.0;
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
