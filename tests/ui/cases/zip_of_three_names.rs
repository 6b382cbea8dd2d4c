use loopwright::kernel;

kernel! {
    pub fn k(x: &[f64], y: &mut [f64]) {
        for (y, x, z) in y.iter_mut().zip(x).zip(x) {
            *y = x * z;
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
