use loopwright::kernel;

kernel! {
    pub fn k(x: &[f64], y: &mut [f64]) {
        static T: [f64; 3] = [1.0, 2.0];
        for i in 0..x.len() {
            y[i] = T[0] * x[i];
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
