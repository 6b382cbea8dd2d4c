use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn k(n: usize, y: &mut [f64]) {
        let mut t = [0.0; n];
        y[0] = t[0];
    }
}

fn main() {
    let _ = k::REPORT;
}
