use loopwright::kernel;

kernel! {
    pub fn first(v: &[f64; 3], x: &mut [f64]) {
        let mut w = v;
        w[0] += 1.0;
        x[0] = w[0];
    }
}

fn main() {}
