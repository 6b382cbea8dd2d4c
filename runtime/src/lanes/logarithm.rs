//! Logarithms.
//!
//! x = 2ᵏ m with √½ < m ≤ √2, f = m - 1, s = f / (2 + f), and ln m = 2 artanh s = f - f²/2 +
//! s (f²/2 + R(s²)), as in FreeBSD's msun (`e_log.c`). For powers, where ln x is multiplied by up to
//! 2⁶⁶, all of it in two parts.

use super::coefficients::{LN_2, LN_TAIL, LOG2_E, LOG10_2, LOG10_E, TWO_THIRDS};
use super::exponential::tiny;
use super::polynomial;
use super::vector::Lanes;

/// k and m, for positive finite numbers.
#[inline(always)]
fn parts<V: Lanes>(x: V) -> (V, V) {
    let (k, m) = x.parts();
    let upper = x.splat(core::f64::consts::SQRT_2).below(m);
    let m = m.or(upper, m * m.splat(0.5));
    (k.or(upper, k + k.splat(1.0)), m)
}

/// ln(1 + f) in two parts, of which the second is not only the error of the first.
#[inline(always)]
fn of_fraction<V: Lanes, const N: usize>(f: V, c: &[f64; N]) -> (V, V) {
    let s = f / (f + f.splat(2.0));
    let z = s * s;
    let half = f * f.splat(0.5);
    let rest = s * half.mul_add(f, z * polynomial(z, c));
    let high = half.neg_mul_add(f, f);
    (high, half.neg_mul_add(f, f - high) + rest)
}

/// Values at zero, infinity, NaN and, if `x` goes below zero, there.
#[inline(always)]
fn ends<V: Lanes>(x: V, result: V) -> V {
    let (zero, infinity) = (x.splat(0.0), x.splat(f64::INFINITY));
    let result = result.or(x.equals(infinity), infinity);
    let result = result.or(x.equals(zero), -infinity);
    result.or(x.not_at_least(zero), x.splat(f64::NAN))
}

/// The natural logarithm.
#[inline(always)]
pub fn ln<V: Lanes, const N: usize>(x: V, c: &[f64; N]) -> V {
    let (k, m) = parts(x);
    let (high, low) = of_fraction(m - m.splat(1.0), c);
    let low = k.mul_add(x.splat(LN_2[1]), low);
    let first = k * x.splat(LN_2[0]);
    let sum = first + high;
    ends(x, sum + (((first - sum) + high) + low))
}

/// The natural logarithm of 1 + x.
#[inline(always)]
pub fn ln_1p<V: Lanes, const N: usize>(x: V, c: &[f64; N]) -> V {
    let one = x.splat(1.0);
    let u = one + x;
    let part = u - one;
    let error = (one - (u - part)) + (x - part);
    let (k, m) = parts(u);
    // What is lost in u is below 2 where it is above 2⁵³.
    let down = V::power_of_two(-k.at_most(x.splat(1000.0)));
    let (high, low) = of_fraction(error.mul_add(down, m - one), c);
    let low = k.mul_add(x.splat(LN_2[1]), low);
    let first = k * x.splat(LN_2[0]);
    let sum = first + high;
    tiny(x, ends(u, sum + (((first - sum) + high) + low)))
}

/// The logarithm to another base: with the inverse of the base's logarithm, and that of 2, each in two
/// parts.
#[inline(always)]
fn of_base<V: Lanes, const N: usize>(
    x: V,
    (inverse, two): ([f64; 2], [f64; 2]),
    c: &[f64; N],
) -> V {
    let (k, m) = parts(x);
    let (high, low) = of_fraction(m - m.splat(1.0), c);
    let factor = x.splat(inverse[0]);
    let product = high * factor;
    let error = high.mul_sub(factor, product) + high.mul_add(x.splat(inverse[1]), low * factor);
    let error = k.mul_add(x.splat(two[1]), error);
    let first = k * x.splat(two[0]);
    let sum = first + product;
    ends(x, sum + (((first - sum) + product) + error))
}

/// The logarithm to base 2.
#[inline(always)]
pub fn log2<V: Lanes, const N: usize>(x: V, c: &[f64; N]) -> V {
    of_base(x, (LOG2_E, [1.0, 0.0]), c)
}

/// The logarithm to base 10.
#[inline(always)]
pub fn log10<V: Lanes, const N: usize>(x: V, c: &[f64; N]) -> V {
    of_base(x, (LOG10_E, LOG10_2), c)
}

/// The natural logarithm of a positive finite number in two parts, to about 65 bits.
#[inline(always)]
pub fn ln_in_two<V: Lanes>(x: V) -> (V, V) {
    let (k, m) = parts(x);
    let one = x.splat(1.0);
    let (above, below) = (m - one, m + one);
    let error = m - (below - one);
    let inverse = one / below;
    let s = above * inverse;
    let s_low = s.neg_mul_add(error, s.neg_mul_add(below, above)) * inverse;
    let z = s * s;
    let z_low = (s + s).mul_add(s_low, s.mul_sub(s, z));
    // 2/3 + 2/5 z + …
    let (thirds, rest) = (x.splat(TWO_THIRDS[0]), z * polynomial(z, &LN_TAIL));
    let w = thirds + rest;
    let w_low = ((thirds - w) + rest) + x.splat(TWO_THIRDS[1]);
    let v = z * w;
    let v_low = z_low.mul_add(w, z.mul_add(w_low, z.mul_sub(w, v)));
    let t = s * v;
    let t_low = s_low.mul_add(v, s.mul_add(v_low, s.mul_sub(v, t)));
    let (twice, twice_low) = (s + s, s_low + s_low);
    let sum = twice + t;
    let sum_low = ((twice - sum) + t) + (twice_low + t_low);
    let first = k * x.splat(LN_2[0]);
    let high = first + sum;
    let low = ((first - high) + sum) + k.mul_add(x.splat(LN_2[1]), sum_low);
    let total = high + low;
    (total, (high - total) + low)
}
