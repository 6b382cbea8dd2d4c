mod own {
    macro_rules! filled {
        ($value:expr; $count:expr) => {
            ::std::iter::repeat($value).take($count / 2).collect::<Vec<_>>()
        };
    }
    pub(crate) use filled as vec;
}

loopwright::kernel! {
    #[opt(require_lanes)]
    pub fn double(x: &[f64], y: &mut [f64]) {
        let mut t = own::vec![0.0; x.len()];
        for i in 0..x.len() {
            t[i] = x[i] + x[i];
        }
        for i in 0..x.len() {
            y[i] = t[i];
        }
    }
}

fn main() {}
