//! Inverse trigonometric functions.
//!
//! Arguments of the arc tangent above tan(π/8) and tan(3π/8) are turned by π/4 and π/2, as in Cephes
//! (`atan.c`); those of the arc sine above 1/2 go through sin(x/2), as in FreeBSD's msun (`e_asin.c`).

use super::coefficients::{HALF_PI, QUARTER_PI};
use super::polynomial;
use super::vector::Lanes;

/// tan(π/8).
const EIGHTH: f64 = 0.414_213_562_373_095_05;

/// q + q³ c(q²) + low.
#[inline(always)]
fn odd<V: Lanes, const N: usize>(q: V, low: V, c: &[f64; N]) -> V {
    let z = q * q;
    q + (q * z).mul_add(polynomial(z, c), low)
}

/// The arc tangent.
#[inline(always)]
pub fn atan<V: Lanes, const N: usize>(x: V, c: &[f64; N]) -> V {
    let (a, one, zero) = (x.abs(), x.splat(1.0), x.splat(0.0));
    let middle = x.splat(EIGHTH).below(a);
    let high = x.splat(EIGHTH + 2.0).below(a);
    let above = a.or(middle, a - one).or(high, -one);
    let below = one.or(middle, a + one).or(high, a);
    let angle = |part: usize| {
        let quarter = x.splat(QUARTER_PI[part]);
        zero.or(middle, quarter).or(high, quarter + quarter)
    };
    let result = angle(0) + odd(above / below, angle(1), c);
    result.turned(x.sign())
}

/// The angle of the point (x, y).
#[inline(always)]
pub fn atan2<V: Lanes, const N: usize>(y: V, x: V, c: &[f64; N]) -> V {
    let (zero, one) = (x.splat(0.0), x.splat(1.0));
    let (a, b) = (y.abs(), x.abs());
    let steep = b.below(a);
    let (less, more) = (a.or(steep, b), b.or(steep, a));
    let infinite = less.equals(x.splat(f64::INFINITY));
    let middle = V::either((more * x.splat(EIGHTH)).below(less), infinite);
    // Halves of large numbers, so that the sum is finite.
    let factor = one.or(one.below(more), x.splat(0.5));
    let (part, whole) = (less * factor, more * factor);
    let above = less.or(middle, part - whole);
    let above = above.or(less.equals(more), zero);
    let below = more.or(middle, part + whole);
    let below = below.or(more.equals(zero), one);
    let q = above / below;
    // The angle is count π/4 ± arctan q.
    let left = x.bit::<63>();
    let count = zero.or(middle, one);
    let count = count.or(steep, x.splat(2.0) - count);
    let count = count.or(left, x.splat(4.0) - count);
    let q = q.or(steep, -q);
    let q = q.or(left, -q);
    let (quarter, rest) = (x.splat(QUARTER_PI[0]), x.splat(QUARTER_PI[1]));
    let angle = count * quarter;
    let low = count.mul_add(rest, count.mul_sub(quarter, angle));
    let result = (angle + odd(q, low, c)).abs().turned(y.sign());
    result.or(x.unordered(y), x + y)
}

/// Where |x| > 1/2; then the arc sine of √((1 - |x|) / 2), otherwise that of |x|.
#[inline(always)]
fn folded<V: Lanes, const N: usize>(a: V, c: &[f64; N]) -> (V::Mask, V) {
    let (half, one) = (a.splat(0.5), a.splat(1.0));
    let large = half.below(a);
    let z = (a * a).or(large, (one - a) * half);
    let s = a.or(large, z.sqrt());
    (large, (s * z).mul_add(polynomial(z, c), s))
}

/// The arc sine.
#[inline(always)]
pub fn asin<V: Lanes, const N: usize>(x: V, c: &[f64; N]) -> V {
    let (large, angle) = folded(x.abs(), c);
    let twice = angle + angle;
    let other = x.splat(HALF_PI[0]) - (twice - x.splat(HALF_PI[1]));
    angle.or(large, other).turned(x.sign())
}

/// The arc cosine.
#[inline(always)]
pub fn acos<V: Lanes, const N: usize>(x: V, c: &[f64; N]) -> V {
    let (large, angle) = folded(x.abs(), c);
    let [first, second, _] = HALF_PI.map(|part| x.splat(part));
    let twice = angle + angle;
    let left = (first + first) - (twice - (second + second));
    let far = twice.or(x.bit::<63>(), left);
    let near = first - (angle.turned(x.sign()) - second);
    near.or(large, far)
}
