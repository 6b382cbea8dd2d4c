use loopwright::kernel;

kernel! {
    pub fn dot(x: &[f64], y: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            s += x[i] * y[i];
        }
        s
    }
}

fn main() {
    let _: f64 = dot(&[1.0; 8], &[1.0; 8]);
}
