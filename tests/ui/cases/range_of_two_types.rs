use loopwright::kernel;

kernel! {
    pub fn axpy(n: u32, x: &[f64], y: &mut [f64]) {
        let first = 0usize;
        for i in first..n {
            y[i as usize] += x[i as usize];
        }
    }
}

fn main() {
    axpy(2, &[1.0; 8], &mut [0.0; 8]);
}
