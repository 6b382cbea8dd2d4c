use loopwright::kernel;

kernel! {
    pub fn k(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            let s = x[i];
            s += 1.0;
            y[i] = s;
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
