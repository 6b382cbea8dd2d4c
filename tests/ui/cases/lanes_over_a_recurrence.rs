use loopwright::kernel;

kernel! {
    #[opt(require_lanes)]
    pub fn k(x: &[u8], y: &mut [u8]) {
        for i in 1..x.len() {
            y[i] = y[i - 1] ^ x[i];
        }
    }
}

fn main() {
    let _ = k::REPORT;
}
