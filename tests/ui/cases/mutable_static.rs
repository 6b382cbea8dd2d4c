use loopwright::kernel;

kernel! {
    pub fn k(x: &[f64], y: &mut [f64]) {
        static mut T: [f64; 2] = [1.0, 2.0];
        y[0] = T[0] + x[0];
    }
}

fn main() {
    let _ = k::REPORT;
}
