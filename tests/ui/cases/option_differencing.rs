use loopwright::kernel;

kernel! {
    #[opt(differencing = always)]
    pub fn k(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = x[i];
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
