use loopwright::kernel;

kernel! {
    pub fn k(x: &[f64], y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] = total(&x[i..i + 3]);
        }
    }

    fn total(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            s += x[i];
        }
        s
    }
}

fn main() {
    let _ = k::REPORT;
}
