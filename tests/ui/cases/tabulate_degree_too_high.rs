use loopwright::kernel;

kernel! {
    static W: [f64; 4] = tabulate!(triangle, quadrature(101), weights);
    static PHI: [[f64; 3]; 3] = tabulate!(triangle, quadrature(2), lagrange(12));

    pub fn axpy(alpha: f64, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] += alpha * W[0] * x[i];
        }
    }
}

fn main() {
    axpy(2.0, &[1.0; 8], &mut [0.0; 8]);
}
