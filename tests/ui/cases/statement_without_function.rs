use loopwright::kernel;

kernel! {
    for i in 0..8 {
        y[i] += x[i];
    }
}

fn main() {}
