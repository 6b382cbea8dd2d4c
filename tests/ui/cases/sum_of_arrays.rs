use loopwright::kernel;

kernel! {
    pub fn k(x: &[[f64; 2]]) -> f64 {
        x.iter().sum::<f64>()
    }
}

fn main() {
    let _ = k::REPORT;
}
