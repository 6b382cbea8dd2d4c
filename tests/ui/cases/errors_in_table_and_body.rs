use loopwright::kernel;

kernel! {
    const N: usize = 8;
    static W: [f64; 3] = tabulate!(triangle, quadrature(4), weights);

    #[opt(level = 9, strict)]
    pub fn axpy(alpha: f64, x: &[f64; N], y: &mut [f64; N]) {
        let scale = alpha * missing;
        for i in 0..N {
            for q in 0..3 {
                y[i] += scale * W[q] * x[i];
            }
        }
    }
}

fn main() {
    axpy(2.0, &[1.0; 8], &mut [0.0; 8]);
}
