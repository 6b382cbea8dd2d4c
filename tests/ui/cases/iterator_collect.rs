use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn k(x: &[f64], y: &mut [f64]) {
        let all = x.iter().map(|x| x * x).collect::<Vec<f64>>();
        for (y, x) in y.iter_mut().zip(x) {
            *y = *x;
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
