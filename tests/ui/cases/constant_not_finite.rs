use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn k(x: &[f64], y: &mut [f64]) {
        static T: [f64; 2] = [1.0 / 0.0, 2.0];
        y[0] = T[0] + x[0];
    }
}

fn main() {
    let _ = k::REPORT;
}
