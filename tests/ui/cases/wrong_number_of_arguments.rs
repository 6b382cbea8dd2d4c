use loopwright::kernel;

kernel! {
    pub fn k(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = f(x[i]);
        }
    }
    fn f(a: f64, b: f64) -> f64 {
        a * b
    }
}

fn main() {
    let _ = k::REPORT;
}
