//! Values to 160 bits, and distances from them.

use astro_float_num::{BigFloat, Consts, RoundingMode};

const BITS: usize = 192;
const ROUNDING: RoundingMode = RoundingMode::ToEven;

/// Computes values.
pub struct Exact {
    constants: Consts,
}

impl Exact {
    /// With constants that are kept.
    pub fn new() -> Self {
        Exact {
            constants: Consts::new().expect("memory"),
        }
    }

    fn value(&mut self, name: &str, [x, y]: [f64; 2]) -> BigFloat {
        let (a, b) = (BigFloat::from_f64(x, BITS), BigFloat::from_f64(y, BITS));
        let (one, cc) = (BigFloat::from_i32(1, BITS), &mut self.constants);
        // Where digits cancel: small arguments have more of them.
        let long = BITS + 1100;
        match name {
            "exp" => a.exp(BITS, ROUNDING, cc),
            "exp2" => BigFloat::from_i32(2, BITS).pow(&a, BITS, ROUNDING, cc),
            "exp_m1" => {
                let power = a.exp(long, ROUNDING, cc);
                power.sub(&one, long, ROUNDING)
            }
            "sinh" => a.sinh(BITS, ROUNDING, cc),
            "cosh" => a.cosh(BITS, ROUNDING, cc),
            "tanh" => a.tanh(BITS, ROUNDING, cc),
            "ln" => a.ln(BITS, ROUNDING, cc),
            "ln_1p" => one.add(&a, 2 * long, ROUNDING).ln(BITS, ROUNDING, cc),
            "log2" => a.log2(BITS, ROUNDING, cc),
            "log10" => a.log10(BITS, ROUNDING, cc),
            "sin" => a.sin(BITS, ROUNDING, cc),
            "cos" => a.cos(BITS, ROUNDING, cc),
            "tan" => a.tan(BITS, ROUNDING, cc),
            "atan" => a.atan(BITS, ROUNDING, cc),
            "asin" => a.asin(BITS, ROUNDING, cc),
            "acos" => a.acos(BITS, ROUNDING, cc),
            "cbrt" => a.cbrt(BITS, ROUNDING),
            "powf" => a.pow(&b, BITS, ROUNDING, cc),
            "hypot" => {
                let square = |v: &BigFloat| v.mul(v, BITS, ROUNDING);
                let sum = square(&a).add(&square(&b), BITS, ROUNDING);
                sum.sqrt(BITS, ROUNDING)
            }
            "atan2" => {
                let angle = a.div(&b, BITS, ROUNDING).atan(BITS, ROUNDING, cc);
                let half_turn = cc.pi(BITS, ROUNDING);
                match (b.is_negative(), a.is_negative()) {
                    (false, _) => angle,
                    (true, false) => angle.add(&half_turn, BITS, ROUNDING),
                    (true, true) => angle.sub(&half_turn, BITS, ROUNDING),
                }
            }
            other => panic!("{other}"),
        }
    }

    /// How far a result is from the value, in units of its last place. What the standard library says is
    /// zero, infinite or no number has to be that.
    pub fn error(&mut self, name: &str, point: [f64; 2], result: f64) -> f64 {
        let function = crate::FUNCTIONS
            .iter()
            .find(|f| f.name == name)
            .expect("known");
        let standard = (function.standard)(point);
        // Where the 192 bits do not reach: odd functions are their argument.
        let odd = [
            "exp_m1", "ln_1p", "sinh", "tanh", "sin", "tan", "asin", "atan",
        ];
        let tiny = point[0].abs() < 1e-290 && odd.contains(&name);
        // Left to the standard library.
        let large = point[0].abs() > 2_f64.powi(40) && ["sin", "cos", "tan"].contains(&name);
        if standard.is_nan() || standard == 0.0 || standard.is_infinite() || tiny || large {
            return if is_near(result, standard, 0.0) {
                0.0
            } else {
                distance(result, standard)
            };
        }
        let exact = self.value(name, point);
        let Some((high, low, exponent)) = in_two(&exact) else {
            return f64::NAN;
        };
        let unit = 2_f64.powi((exponent - 53).max(-1074) - exponent);
        let half = -exponent / 2;
        let result = result * 2_f64.powi(half) * 2_f64.powi(-exponent - half);
        ((result - high) - low).abs() / unit
    }
}

/// A number as the sum of two, of 53 bits each, times 2 to the power of the third; nothing where it has no
/// finite value.
fn in_two(number: &BigFloat) -> Option<(f64, f64, i32)> {
    let (words, _, sign, exponent, _) = number.as_raw_parts()?;
    let mut parts = words.iter().rev();
    let (first, second) = (*parts.next()?, parts.next().copied().unwrap_or(0));
    let high = (first & !0x7ff) as f64 * 2_f64.powi(-64);
    let low = (first & 0x7ff) as f64 + (second >> 11) as f64 * 2_f64.powi(-53);
    let low = low * 2_f64.powi(-64);
    let negative = sign == astro_float_num::Sign::Neg;
    let sign = if negative { -1.0 } else { 1.0 };
    Some((sign * high, sign * low, exponent))
}

/// How many numbers lie between two.
fn distance(a: f64, b: f64) -> f64 {
    let place = |x: f64| {
        let bits = x.to_bits() as i64;
        if bits < 0 { i64::MIN - bits } else { bits }
    };
    if a.is_nan() != b.is_nan() {
        f64::NAN
    } else {
        (i128::from(place(a)) - i128::from(place(b))).abs() as f64
    }
}

/// Equal up to so many units, with the same sign.
pub fn is_near(a: f64, b: f64, ulps: f64) -> bool {
    match (a.is_nan(), b.is_nan()) {
        (true, true) => true,
        (false, false) => a.is_sign_negative() == b.is_sign_negative() && distance(a, b) <= ulps,
        _ => false,
    }
}

/// The same for `f32`: one unit for that of the standard library.
pub fn is_near_single(a: f32, b: f32) -> bool {
    match (a.is_nan(), b.is_nan()) {
        (true, true) => true,
        (false, false) => {
            let same = a.is_sign_negative() == b.is_sign_negative();
            same && a.to_bits().abs_diff(b.to_bits()) <= 1
        }
        _ => false,
    }
}

/// How far a result is from a value, in units of its last place.
pub fn error_single(result: f32, expected: f64) -> f64 {
    let rounded = expected as f32;
    if rounded.is_nan() || rounded.is_infinite() || rounded == 0.0 {
        let same = result.is_nan() && rounded.is_nan() || result.to_bits() == rounded.to_bits();
        // Next to where values overflow or vanish, rounding goes either way.
        let near = !rounded.is_nan() && result.to_bits().abs_diff(rounded.to_bits()) <= 1;
        return if same {
            0.0
        } else if near {
            0.5
        } else {
            f64::NAN
        };
    }
    let up = f32::from_bits(rounded.abs().to_bits() + 1);
    let unit = if up.is_finite() {
        f64::from(up) - f64::from(rounded.abs())
    } else {
        2_f64.powi(104)
    };
    let error = (f64::from(result) - expected).abs() / unit;
    if result.is_infinite() { 0.5 } else { error }
}
