use loopwright::kernel;

kernel! {
    pub fn k(x: &[[f64; 3]], y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] = x[i] * 2.0;
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
