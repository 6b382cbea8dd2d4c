use loopwright::kernel;

kernel! {
    pub fn k(x: &[f64], y: &mut [f64]) {
        for v in x.iter() {
            y[0] += *v;
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
