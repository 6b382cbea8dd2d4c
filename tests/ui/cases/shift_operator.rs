use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn k(x: &[f64], y: &mut [f64]) {
        for i in 0..4 {
            y[i] = x[i] << 1;
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
