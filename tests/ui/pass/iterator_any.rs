use loopwright::kernel;

kernel! {
    pub fn k(x: &[f64], y: &mut [f64]) {
        let any = x.iter().any(|x| *x > 0.0);
        y[0] = x[0];
    }
}

fn main() {
    let _ = k::REPORT;
}
