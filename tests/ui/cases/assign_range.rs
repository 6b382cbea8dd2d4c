use loopwright::kernel;

kernel! {
    pub fn k(x: &[f64], y: &mut [f64]) {
        y[0..3] = x[0..3];
    }
}

fn main() {
    let _ = k::REPORT;
}
