use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn k(x: &[f64], y: &mut [f64]) {
        let p = Point { x: 1.0 };
        y[0] = p.x;
    }
}

fn main() {
    let _ = k::REPORT;
}
