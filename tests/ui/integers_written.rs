use loopwright::kernel;

kernel! {
    pub fn count(x: &[f64], y: &mut [usize]) {
        for i in 0..x.len() {
            y[i] += 1;
        }
    }
}

fn main() {
    count(&[1.0; 8], &mut [0; 8]);
}
