use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn axpy<'a>(alpha: f64, x: impl Iterator<Item = &'a f64>, y: &'a mut [f64]) {
        for i in 0..x.len() {
            y[i] += alpha * x[i];
        }
    }
}

fn main() {
    axpy(2.0, [1.0; 8].iter(), &mut [0.0; 8]);
}
