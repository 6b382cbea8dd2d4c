//! Powers and roots.

use super::coefficients::{INVERSE_CUBE_ROOT, INVERSE_CUBE_ROOTS};
use super::exponential::{exp, exp_of_two};
use super::logarithm::{ln, ln_in_two};
use super::polynomial;
use super::vector::Lanes;

/// x to the power of y: e to the power of y ln x, with ln x in two parts.
#[inline(always)]
pub fn powf<V: Lanes, const N: usize>(x: V, y: V, q: &[f64; N]) -> V {
    let (high, low) = ln_in_two(x.abs());
    // Further out every power but of 1 is zero or infinite, as it is here.
    let bounded = y.at_least(y.splat(-1e20)).at_most(y.splat(1e20));
    let product = high * bounded;
    let error = low.mul_add(bounded, high.mul_sub(bounded, product));
    let beyond = x.splat(800.0).below(product.abs());
    let error = error.or(beyond, x.splat(0.0));
    let product = product.at_least(x.splat(-800.0)).at_most(x.splat(800.0));
    ends(x, y, exp_of_two(product, error, q))
}

/// The same in one part, for what is rounded to `f32`.
#[inline(always)]
pub fn powf_single<V: Lanes, const Q: usize, const L: usize>(
    x: V,
    y: V,
    (q, l): (&[f64; Q], &[f64; L]),
) -> V {
    let bounded = y.at_least(y.splat(-1e20)).at_most(y.splat(1e20));
    ends(x, y, exp(ln(x.abs(), l) * bounded, q))
}

/// A power of |x| made that of x: signs, zeros, infinities and what is not a number.
#[inline(always)]
fn ends<V: Lanes>(x: V, y: V, power: V) -> V {
    let (zero, one) = (x.splat(0.0), x.splat(1.0));
    let (infinity, nan) = (x.splat(f64::INFINITY), x.splat(f64::NAN));
    let (a, half) = (x.abs(), y * y.splat(0.5));
    // Of zero and infinity.
    let (is_zero, is_infinite) = (a.equals(zero), a.equals(infinity));
    let falls = y.below(zero);
    let of_zero = zero.or(falls, infinity);
    let of_infinity = infinity.or(falls, zero);
    let power = power.or(is_zero, of_zero).or(is_infinite, of_infinity);
    // Of negative numbers.
    let whole = y.floor().equals(y);
    let even = half.floor().equals(half);
    let left = x.bit::<63>();
    let odd = V::both(whole, V::not(even));
    let power = power.or(V::both(left, odd), -power);
    let finite = V::both(x.below(zero), V::not(is_infinite));
    let power = power.or(V::both(finite, V::not(whole)), nan);
    let power = power.or(x.unordered(y), nan);
    let trivial = V::either(y.equals(zero), x.equals(one));
    power.or(trivial, one)
}

/// The cube root: |x| = 8ʲ m with 1 ≤ m < 8, a polynomial for the inverse of the root of m, a step of
/// the third order, and one of Newton's for the root with its error known in two parts.
#[inline(always)]
pub fn cbrt<V: Lanes>(x: V) -> V {
    let (a, third) = (x.abs(), x.splat(1.0 / 3.0));
    let (k, m) = a.parts();
    let j = ((k + k.splat(0.5)) * third).floor();
    let rest = k - j * k.splat(3.0);
    let [_, one, two] = INVERSE_CUBE_ROOTS;
    let factor = x.splat(1.0).or(rest.equals(x.splat(1.0)), x.splat(one));
    let factor = factor.or(rest.equals(x.splat(2.0)), x.splat(two));
    let y = polynomial(m, &INVERSE_CUBE_ROOT) * factor;
    let m = m * V::power_of_two(rest);
    let error = (m * y).neg_mul_add(y * y, x.splat(1.0));
    let step = error.mul_add(x.splat(2.0 / 9.0), third);
    let y = (y * error).mul_add(step, y);
    let square = y * y;
    let root = m * square;
    let power = root * root;
    let power_low = root.mul_sub(root, power);
    let error = power_low.neg_mul_add(root, power.neg_mul_add(root, m));
    let root = (error * third).mul_add(square, root);
    let result = (root * V::power_of_two(j)).turned(x.sign());
    let ends = V::either(
        a.equals(x.splat(0.0)),
        V::not(a.below(x.splat(f64::INFINITY))),
    );
    result.or(ends, x)
}

/// The length of (x, y), scaled where squares would overflow or vanish.
#[inline(always)]
pub fn hypot<V: Lanes>(x: V, y: V) -> V {
    const UP: f64 = f64::from_bits((1023 + 600) << 52);
    const DOWN: f64 = f64::from_bits((1023 - 600) << 52);
    let (a, b) = (x.abs(), y.abs());
    let steep = a.below(b);
    let (more, less) = (a.or(steep, b), b.or(steep, a));
    let one = x.splat(1.0);
    let large = x.splat(f64::from_bits((1023 + 500) << 52)).below(more);
    let small = more.below(x.splat(f64::from_bits((1023 - 400) << 52)));
    let (up, down) = (x.splat(UP), x.splat(DOWN));
    let (scale, back) = (one.or(large, down), one.or(large, up));
    let (scale, back) = (scale.or(small, up), back.or(small, down));
    let (p, q) = (more * scale, less * scale);
    let result = p.mul_add(p, q * q).sqrt() * back;
    ends_of_length(x, y, result)
}

/// The same for what is rounded to `f32`, whose squares are `f64`.
#[inline(always)]
pub fn hypot_single<V: Lanes>(x: V, y: V) -> V {
    ends_of_length(x, y, x.mul_add(x, y * y).sqrt())
}

/// An infinity makes the length infinite, whatever the other number is.
#[inline(always)]
fn ends_of_length<V: Lanes>(x: V, y: V, length: V) -> V {
    let infinity = x.splat(f64::INFINITY);
    let length = length.or(x.unordered(y), x.splat(f64::NAN));
    let infinite = V::either(x.abs().equals(infinity), y.abs().equals(infinity));
    length.or(infinite, infinity)
}
