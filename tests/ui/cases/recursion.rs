use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn k(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = f(x[i]);
        }
    }
    fn f(a: f64) -> f64 {
        f(a) * 2.0
    }
}

fn main() {
    let _ = k::REPORT;
}
