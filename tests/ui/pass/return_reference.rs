use loopwright::kernel;

kernel! {
    pub fn k(x: &[f64]) -> &f64 {
        &x[0]
    }
}

fn main() {
    let _ = k::REPORT;
}
