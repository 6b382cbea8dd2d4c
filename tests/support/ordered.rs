//! Kernels whose additions keep their order, in every variant, with the bits of their reference: in modules `strict`, `zero`
//! and `one`, by what they ask for.

use crate::support::noise;

/// Numbers of all kinds that are added up: zeros of both signs, tiny ones and large ones among others.
pub fn number(seed: usize, at: usize) -> f64 {
    match (at + seed) % 13 {
        0 => 0.0,
        1 => -0.0,
        2 => 1.0e-310,
        3 => 300.0,
        _ => noise(seed * 1000 + at),
    }
}

/// Compares the results of each variant with the reference's.
macro_rules! compare {
    ($module:ident::$kernel:ident($($input:expr),*; $($name:ident = $start:expr),*) => $all:expr) => {{
        $(let mut $name = $start;)*
        $module::$kernel::reference($($input,)* $(&mut $name),*);
        let expected: Vec<f64> = $all;
        $crate::support::each_variant($module::$kernel::variants(), |isa| {
            $(let mut $name = $start;)*
            $module::$kernel::with(isa, $($input,)* $(&mut $name),*).unwrap();
            let found: Vec<f64> = $all;
            // Level 1 contracts products and sums where there are lanes.
            if stringify!($module) != "one" || isa == loopwright::Isa::Scalar {
                let bits = |all: &[f64]| all.iter().map(|v| v.to_bits()).collect::<Vec<u64>>();
                assert_eq!(bits(&found), bits(&expected), "{isa}: {} of {}", stringify!($kernel), stringify!($module));
            }
            assert!($crate::support::near_to(&found, &expected, 1.0e-3), "{isa}: {} of {}", stringify!($kernel), stringify!($module));
        });
    }};
}
pub(crate) use compare;
