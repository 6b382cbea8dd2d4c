use loopwright::kernel;

kernel! {
    pub fn k(&self, y: &mut [f64]) {
        y[0] = 1.0;
    }
}

fn main() {
}
