use loopwright::kernel;

kernel! {
    pub fn k(x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] = *x.get(i).unwrap();
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
