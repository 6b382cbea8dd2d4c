use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn k(name: &str, y: &mut [f64]) {
        y[0] = 1.0;
    }
}

fn main() {
    let _ = k::REPORT;
}
