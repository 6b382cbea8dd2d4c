use loopwright::kernel;

kernel! {
    pub struct Grid {
        pub data: [f64; 9],
    }

    impl Grid {
        pub fn halve(&mut self) {
            for i in 0..9 {
                self.data[i] *= 0.5;
            }
        }
    }
}

fn main() {}
