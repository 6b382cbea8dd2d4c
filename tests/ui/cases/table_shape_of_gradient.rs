use loopwright::kernel;

kernel! {
    static DPHI: [[[f64; 3]; 4]; 4] = tabulate!(tetrahedron, quadrature(2), lagrange(1), gradient);

    pub fn axpy(alpha: f64, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] += alpha * DPHI[0][0][0] * x[i];
        }
    }
}

fn main() {
    axpy(2.0, &[1.0; 8], &mut [0.0; 8]);
}
