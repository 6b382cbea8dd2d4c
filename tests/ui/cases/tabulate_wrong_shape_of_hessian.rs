use loopwright::kernel;

kernel! {
    pub fn k(x: &[f64], y: &mut [f64]) {
        static W: [[[f64; 8]; 8]; 3] = tabulate!(hexahedron, quadrature(3), lagrange(1), hessian);
        y[0] = W[0][0][0] * x[0];
    }
}

fn main() {
    let _ = k::REPORT;
}
