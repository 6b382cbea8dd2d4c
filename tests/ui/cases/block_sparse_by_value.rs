use loopwright::{BlockSparseTable, kernel};

kernel! {
    #[opt(require_lanes)]
    pub fn k(t: BlockSparseTable<f64, 3, 4>, y: &mut [f64]) {
        y[0] = t[0][0];
    }
}

fn main() {
    let _ = k::REPORT;
}
