use loopwright::kernel;

kernel! {
    static EMPTY: [f64; 3] = tabulate!(triangle, quadrature(2), mixed());
    static UNKNOWN: [f64; 3] = tabulate!(triangle, quadrature(2), mixed(lagrange(1), hermite(3)));
    static NUMBER: [f64; 3] = tabulate!(triangle, quadrature(2), mixed(lagrange(2), 2));
    static NESTED: [f64; 3] = tabulate!(triangle, quadrature(2), mixed(mixed(lagrange(2))));
    static HIGH: [f64; 3] = tabulate!(triangle, quadrature(2), mixed(lagrange(1), vector(lagrange(9))));
    static MANY: [f64; 3] = tabulate!(triangle, quadrature(2), mixed(vector(lagrange(1), 10)));
    static LATER: [f64; 3] = tabulate!(triangle, quadrature(2), mixed(lagrange(1)), divergence);
    static SHAPE: [[f64; 9]; 3] =
        tabulate!(triangle, quadrature(2), mixed(vector(lagrange(1)), lagrange(1)));

    pub fn axpy(alpha: f64, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] += alpha * x[i];
        }
    }
}

fn main() {
    axpy(2.0, &[1.0; 8], &mut [0.0; 8]);
}
