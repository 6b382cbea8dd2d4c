use loopwright::kernel;

kernel! {
    #[opt(pipeline = [normalise, code_motion, merge])]
    pub fn k(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = x[i];
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
