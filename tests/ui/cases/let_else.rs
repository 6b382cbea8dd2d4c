use loopwright::kernel;

kernel! {
    pub fn k(x: &[f64], y: &mut [f64]) {
        let Some(a) = x.first() else { return };
        y[0] = a;
    }
}

fn main() {
    let _ = k::REPORT;
}
