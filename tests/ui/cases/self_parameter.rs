use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn axpy(&self, y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] += 1.0;
        }
    }
}

fn main() {
    axpy(&mut [0.0; 8]);
}
