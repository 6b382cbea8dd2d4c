use loopwright::{BlockSparseTable, kernel};

kernel! {
    pub fn k(t: &mut BlockSparseTable<f64, 3, 4>, y: &mut [f64]) {
        y[0] = t[0][0];
    }
}

fn main() {
    let _ = k::REPORT;
}
