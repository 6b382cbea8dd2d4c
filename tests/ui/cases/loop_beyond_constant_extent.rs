use loopwright::kernel;

kernel! {
    pub fn k(x: &[f64; 3], y: &mut [f64; 4]) {
        for i in 0..4 {
            y[i] = x[i];
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
