use loopwright::kernel;

kernel! {
    pub fn k(c: f64, y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] = c[i];
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
