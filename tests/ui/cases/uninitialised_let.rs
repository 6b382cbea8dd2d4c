use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn k(x: &[f64], y: &mut [f64]) {
        let s;
        s = x[0];
        y[0] = s;
    }
}

fn main() {
    let _ = k::REPORT;
}
