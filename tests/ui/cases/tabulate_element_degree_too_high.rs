use loopwright::kernel;

kernel! {
    pub fn k(x: &[f64], y: &mut [f64]) {
        static W: [[f64; 4]; 4] = tabulate!(quadrilateral, quadrature(2), vector(lagrange(9)));
        y[0] = W[0][0] * x[0];
    }
}

fn main() {
    let _ = k::REPORT;
}
