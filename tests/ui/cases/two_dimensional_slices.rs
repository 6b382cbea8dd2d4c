use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn k(x: &[&[f64]], y: &mut [f64]) {
        y[0] = x[0][0];
    }
}

fn main() {
    let _ = k::REPORT;
}
