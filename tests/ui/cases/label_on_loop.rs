use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn k(x: &[f64], y: &mut [f64]) {
        'outer: for i in 0..x.len() {
            y[i] = x[i];
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
