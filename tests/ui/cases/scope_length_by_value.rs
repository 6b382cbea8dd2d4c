trait Measured {
    fn len(self) -> usize;
}

impl Measured for &mut [f64] {
    fn len(self) -> usize {
        1
    }
}

loopwright::kernel! {
    pub fn double(y: &mut [f64]) {
        for i in 0..y.len() {
            y[i] = y[i] + y[i];
        }
    }
}

fn main() {}
