#![allow(non_camel_case_types, dead_code)]

type f64 = f32;

loopwright::kernel! {
    pub fn double(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = x[i] + x[i];
        }
    }
}

fn main() {}
