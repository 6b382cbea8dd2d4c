use loopwright::kernel;

kernel! {
    pub fn k(x: &[f64], y: &mut [f64]) {
        for i in (0..x.len()).zip(0..3) {
            y[0] = x[0];
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
