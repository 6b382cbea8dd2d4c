use loopwright::kernel;

kernel! {
    pub fn k((a, b): (f64, f64), y: &mut [f64]) {
        y[0] = a;
    }
}

fn main() {
    let _ = k::REPORT;
}
