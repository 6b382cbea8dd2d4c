//! Arguments: everywhere, more of them where functions are not zero, infinite or one, and next to where
//! algorithms change.

use crate::registers::Function;

/// Numbers that look random, from splitmix64.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 to 1.
    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
}

/// Where a function is looked at closely.
fn ranges(name: &str) -> &'static [(f64, f64)] {
    match name {
        "exp" | "exp_m1" | "sinh" | "cosh" => &[(-1.0, 1.0), (-745.2, 710.5), (-745.2, -700.0)],
        "exp2" => &[(-1.0, 1.0), (-1075.0, 1024.0), (-1075.0, -1020.0)],
        "tanh" => &[(-1.0, 1.0), (-20.0, 20.0)],
        "ln" | "log2" | "log10" => &[(0.5, 2.0), (0.99, 1.01), (0.0, 1000.0)],
        "ln_1p" => &[(-1.0, 1.0), (-0.01, 0.01), (-1.0, 1000.0)],
        "sin" | "cos" | "tan" => &[
            (-1.6, 1.6),
            (-100.0, 100.0),
            (-1e6, 1e6),
            (-1.0995e12, 1.0995e12),
        ],
        "asin" | "acos" => &[(-1.0, 1.0), (0.49, 0.51), (-1.0, -0.99), (0.99, 1.0)],
        "powf" => &[(0.0, 10.0), (0.9, 1.1), (1.0, 1e3)],
        _ => &[(-1.0, 1.0), (-10.0, 10.0), (0.4, 0.43), (2.4, 2.42)],
    }
}

/// Points for a function.
pub fn doubles(function: &Function, count: usize) -> Vec<[f64; 2]> {
    let mut random = Random(7);
    let mut points = Vec::new();
    let ranges = ranges(function.name);
    for number in 0..count {
        // A third from all representations.
        let one = |random: &mut Random| {
            if number % 3 == 0 {
                return f64::from_bits(random.bits());
            }
            let (low, high) = ranges[number % ranges.len()];
            random.within(low, high)
        };
        let (x, mut y) = (one(&mut random), one(&mut random));
        if function.name == "powf" && number % 3 > 0 {
            // So that the power is a number, and any one.
            let most = 750.0 / x.ln().abs();
            y = random.within(-most, most);
        }
        points.push([x, y]);
    }
    if ["sin", "cos", "tan"].contains(&function.name) {
        // Next to multiples of π/2, where digits cancel; the last one loses most of all doubles.
        let multiple = |n: f64| n * core::f64::consts::FRAC_PI_2;
        points.extend((1..200).map(|n| [multiple(f64::from(n)), 0.0]));
        points.extend((10..40).map(|n| [multiple(f64::from(n).exp2() + 1.0), 0.0]));
        points.push([6_381_956_970_095_103.0 * 2_f64.powi(797), 0.0]);
    }
    points
}

/// All representations with so many between one and the next, in pieces.
pub fn singles(function: &Function, step: usize) -> impl Iterator<Item = Vec<[f32; 2]>> {
    const PIECE: u64 = 1 << 16;
    let two = function.operands > 1;
    let total = (1_u64 << 32).div_ceil(step as u64);
    (0..total.div_ceil(PIECE)).map(move |piece| {
        let mut random = Random(piece);
        let numbers = piece * PIECE..((piece + 1) * PIECE).min(total);
        let point = |number: u64| {
            let x = f32::from_bits((number * step as u64) as u32);
            let y = match number % 3 {
                _ if !two => 0.0,
                0 => f32::from_bits(random.bits() as u32),
                1 => random.within(-10.0, 10.0) as f32,
                _ => x * random.within(-4.0, 4.0) as f32,
            };
            [x, y]
        };
        numbers.map(point).collect()
    })
}

/// Values at which functions have a meaning of their own.
pub fn special() -> Vec<f64> {
    let positive = [
        0.0,
        5e-324,
        1e-310,
        f64::MIN_POSITIVE,
        1e-45,
        1e-40,
        1e-20,
        0.1,
        0.25,
        0.5,
        1.0 - f64::EPSILON / 2.0,
        1.0,
        1.0 + f64::EPSILON,
        1.5,
        2.0,
        3.0,
        4.0,
        8.0,
        100.0,
        709.0,
        710.0,
        745.0,
        746.0,
        1023.0,
        1024.0,
        4_503_599_627_370_497.0,
        9_007_199_254_740_991.0,
        9_007_199_254_740_993.0,
        1e22,
        3e38,
        1e300,
        f64::MAX,
        f64::INFINITY,
    ];
    let both = positive.iter().flat_map(|x| [*x, -*x]);
    both.chain([f64::NAN]).collect()
}
