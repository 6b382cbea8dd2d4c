use loopwright::kernel;

kernel! {
    pub fn k(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = if 0.0 < x[i] && x[i] { 1.0 } else { 2.0 };
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
