use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn k(x: &[f64], y: &mut [f64]) {
        y[0..3] = x[0..3];
    }
}

fn main() {
    let _ = k::REPORT;
}
