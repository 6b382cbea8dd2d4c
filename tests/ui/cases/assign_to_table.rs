use loopwright::kernel;

kernel! {
    pub fn k(x: &[f64], y: &mut [f64]) {
        static T: [f64; 3] = [1.0; 3];
        for i in 0..3 {
            T[i] = x[i];
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
