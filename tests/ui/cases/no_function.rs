use loopwright::kernel;

kernel! {
    static T: [f64; 2] = [1.0, 2.0];
}

fn main() {
}
