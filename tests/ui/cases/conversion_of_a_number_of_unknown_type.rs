use loopwright::kernel;

kernel! {
    pub fn scale(x: &[f32], y: &mut [f32]) {
        let third = 1.0 / 3.0;
        for i in 0..x.len() {
            y[i] = (x[i] as f64 * third as f64) as f32;
        }
    }
}

fn main() {
    scale(&[1.0; 8], &mut [0.0; 8]);
}
