use loopwright::kernel;

kernel! {
    pub fn k(x: &[f64], y: &mut [f64]) {
        let a = &mut y;
        for i in 0..x.len() {
            a[i] = x[i];
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
