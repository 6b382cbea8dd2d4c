use loopwright::kernel;

kernel! {
    pub fn k(x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] = x[1.0];
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
