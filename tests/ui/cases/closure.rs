use loopwright::kernel;

kernel! {
    pub fn k(x: &[f64], y: &mut [f64]) {
        let f = |a: f64| a * 2.0;
        for i in 0..x.len() {
            y[i] = f(x[i]);
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
