use loopwright::kernel;

kernel! {
    pub fn k(x: &[f64], y: &mut [f64]) {
        let mut i = 0;
        while i < 3 {
            i += 1;
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
