trait Measured {
    fn len(&mut self) -> usize {
        1
    }
}

impl Measured for &mut [f64] {}

loopwright::kernel! {
    pub fn double(y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] = y[i] + y[i];
        }
    }
}

fn main() {}
