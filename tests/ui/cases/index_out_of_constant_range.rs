use loopwright::kernel;

kernel! {
    pub fn k(x: &[[f64; 3]], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = x[i][3];
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
