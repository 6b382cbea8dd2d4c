trait Measured {
    fn len(&self) -> usize {
        1
    }
}

impl<T> Measured for &mut [T] {}
impl<T, const N: usize> Measured for [T; N] {}

loopwright::kernel! {
    pub fn double(a: &[[f64; 3]], y: &mut [f64]) {
        for i in 0..y.len() {
            for k in 0..a[0].len() {
                y[i] += a[i][k];
            }
        }
    }
}

fn main() {}
