use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn k(x: impl Fn(f64) -> f64, y: &mut [f64]) {
        y[0] = 1.0;
    }
}

fn main() {
    let _ = k::REPORT;
}
