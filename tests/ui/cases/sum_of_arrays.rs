use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn k(x: &[[f64; 2]]) -> f64 {
        x.iter().sum::<f64>()
    }
}

fn main() {
    let _ = k::REPORT;
}
