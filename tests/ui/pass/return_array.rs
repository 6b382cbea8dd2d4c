use loopwright::kernel;

kernel! {
    pub fn k(x: &[f64]) -> [f64; 3] {
        [x[0]; 3]
    }
}

fn main() {
    let _ = k::REPORT;
}
