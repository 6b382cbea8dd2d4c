use loopwright::kernel;

pub const TABLE: [f64; 2] = [1.0, 2.0];

kernel! {
    pub fn k(x: &[f64], y: &mut [f64]) {
        static T: [f64; 2] = crate::TABLE;
        y[0] = T[0] + x[0];
    }
}

fn main() {
    let _ = k::REPORT;
}
