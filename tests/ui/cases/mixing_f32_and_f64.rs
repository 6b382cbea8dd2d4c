use loopwright::kernel;

kernel! {
    pub fn k(x: &[f32], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = x[i] * 2.0;
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
