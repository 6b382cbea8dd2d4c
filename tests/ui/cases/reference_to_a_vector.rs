use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn axpy(alpha: f64, x: &Vec<[f64; 3]>, y: &mut Vec<f64>) {
        for i in 0..x.len() {
            y[i] += alpha * x[i][0];
        }
    }
}

fn main() {
    axpy(2.0, &vec![[1.0; 3]; 8], &mut vec![0.0; 8]);
}
