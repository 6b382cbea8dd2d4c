use loopwright::kernel;

kernel! {
    pub fn axpy(alpha: f64, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            let s = x[i];
            let c = if s < 1.0 { s < alpha } else { s > alpha };
            y[i] += if c { 1.0 } else { 2.0 };
        }
    }
}

fn main() {
    axpy(2.0, &[1.0; 8], &mut [0.0; 8]);
}
