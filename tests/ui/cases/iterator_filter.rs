use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn k(x: &[f64]) -> f64 {
        x.iter().filter(|x| **x > 0.0).zip(x).map(|(x, y)| x * y).sum::<f64>()
    }
}

fn main() {
    let _ = k::REPORT;
}
