//! e and 2 to powers, and hyperbolic functions.
//!
//! x = n ln 2 + r with |r| ≤ ln 2 / 2, and eʳ = 1 + r + r² q(r), as in Tang, "Table-Driven
//! Implementation of the Exponential Function" (1989), without the table.

use super::coefficients::{LN_2, LN_2_TWO, LOG2_E};
use super::polynomial;
use super::vector::Lanes;

/// n, and eʳ - 1; of `tail` a part of x that is too small for it.
#[inline(always)]
fn reduced<V: Lanes, const N: usize>(x: V, q: &[f64; N]) -> (V, V) {
    let n = (x * x.splat(LOG2_E[0])).round();
    let first = n.neg_mul_add(x.splat(LN_2[0]), x);
    let r = n.neg_mul_add(x.splat(LN_2[1]), first);
    let tail = n.neg_mul_add(x.splat(LN_2[1]), first - r);
    (n, r + (r * r).mul_add(polynomial(r, q), tail))
}

/// eˣ.
#[inline(always)]
pub fn exp<V: Lanes, const N: usize>(x: V, q: &[f64; N]) -> V {
    let x = x.at_least(x.splat(-746.0)).at_most(x.splat(710.0));
    let (n, t) = reduced(x, q);
    (t + x.splat(1.0)).scaled(n)
}

/// e to a power in two parts, of which the second is the error of the first.
#[inline(always)]
pub fn exp_of_two<V: Lanes, const N: usize>(high: V, low: V, q: &[f64; N]) -> V {
    let n = (high * high.splat(LOG2_E[0])).round();
    let first = n.neg_mul_add(high.splat(LN_2[0]), high);
    let second = n.neg_mul_add(high.splat(LN_2[1]), low);
    let r = first + second;
    let tail = (first - r) + second;
    let t = r + (r * r).mul_add(polynomial(r, q), tail);
    (t + high.splat(1.0)).scaled(n)
}

/// 2ˣ.
#[inline(always)]
pub fn exp2<V: Lanes, const N: usize>(x: V, q: &[f64; N]) -> V {
    let x = x.at_least(x.splat(-1076.0)).at_most(x.splat(1025.0));
    let n = x.round();
    let fraction = x - n;
    let (high, low) = (x.splat(LN_2_TWO[0]), x.splat(LN_2_TWO[1]));
    let r = fraction * high;
    let tail = fraction.mul_add(low, fraction.mul_sub(high, r));
    let t = r + (r * r).mul_add(polynomial(r, q), tail);
    (t + x.splat(1.0)).scaled(n)
}

/// eˣ - 1.
#[inline(always)]
pub fn exp_m1<V: Lanes, const N: usize>(x: V, q: &[f64; N]) -> V {
    let bounded = x.at_least(x.splat(-40.0)).at_most(x.splat(710.0));
    let (n, t) = reduced(bounded, q);
    // 2ⁿ t + (2ⁿ - 1), halved since 2¹⁰²⁴ is no number.
    let half = V::power_of_two(n - x.splat(1.0));
    let result = half.mul_add(t, half - x.splat(0.5));
    tiny(x, result + result)
}

/// Where x is its own value, rounded: signs of zeros and subnormal numbers stay.
#[inline(always)]
pub fn tiny<V: Lanes>(x: V, result: V) -> V {
    result.or(x.abs().below(x.splat(5e-17)), x)
}

/// A quarter of e^|x|, and of e^|x| - 1.
#[inline(always)]
fn quarters<V: Lanes, const N: usize>(magnitude: V, q: &[f64; N]) -> (V, V) {
    let (n, t) = reduced(magnitude, q);
    let quarter = V::power_of_two(n - n.splat(2.0));
    let less = quarter.mul_add(t, quarter - n.splat(0.25));
    (quarter.mul_add(t, quarter), less)
}

/// The hyperbolic sine: with E = e^|x| - 1, half of E + E / (E + 1).
#[inline(always)]
pub fn sinh<V: Lanes, const N: usize>(x: V, q: &[f64; N]) -> V {
    let magnitude = x.abs().at_most(x.splat(710.6));
    let (power, less) = quarters(magnitude, q);
    let half = less + less * x.splat(0.25) / power;
    tiny(x, (half + half).turned(x.sign()))
}

/// The hyperbolic cosine.
#[inline(always)]
pub fn cosh<V: Lanes, const N: usize>(x: V, q: &[f64; N]) -> V {
    let magnitude = x.abs().at_most(x.splat(710.6));
    let (power, _) = quarters(magnitude, q);
    let half = power + x.splat(0.0625) / power;
    half + half
}

/// The hyperbolic tangent: with E = e^|2x| - 1, E / (E + 2).
#[inline(always)]
pub fn tanh<V: Lanes, const N: usize>(x: V, q: &[f64; N]) -> V {
    let magnitude = x.abs().at_most(x.splat(20.0));
    let (power, less) = quarters(magnitude + magnitude, q);
    // A quarter of E + 2.
    let sum = power + x.splat(0.25);
    tiny(x, (less / sum).turned(x.sign()))
}
