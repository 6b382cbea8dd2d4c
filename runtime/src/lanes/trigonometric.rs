//! Sine, cosine, tangent.
//!
//! x = n π/2 + r with π/2 in three parts (Cody and Waite), which with fused multiply-adds leaves r
//! right to more than its own digits for |x| up to 2⁴⁰. Lanes beyond are left to the standard library.
//! The polynomials are used as in FreeBSD's msun (`k_sin.c`, `k_cos.c`).

use super::coefficients::HALF_PI;
use super::polynomial;
use super::vector::{Lanes, MAGIC};

/// Up to where arguments are reduced here.
pub const LIMIT: f64 = 1_099_511_627_776.0;

/// Below it sine and tangent are their argument; signs of zeros stay.
const TINY: f64 = 7e-9;

/// r with what is too small for it, and a number whose lowest bits are those of n.
#[inline(always)]
fn reduced<V: Lanes>(x: V, single: bool) -> (V, Option<V>, V) {
    let [first, second, third] = HALF_PI.map(|part| x.splat(part));
    let magic = x.splat(MAGIC);
    let quadrant = x.mul_add(x.splat(core::f64::consts::FRAC_2_PI), magic);
    let n = quadrant - magic;
    // Exact: a multiple of the last bit of π/2, and of that of x, below 1.
    let a = n.neg_mul_add(first, x);
    if single {
        return (n.neg_mul_add(second, a), None, quadrant);
    }
    let h = n * second;
    let l = n.mul_sub(second, h);
    let r = a - h;
    let part = r - a;
    let error = (a - (r - part)) - (h + part);
    (r, Some(n.neg_mul_add(third, error - l)), quadrant)
}

/// Sine and cosine of a reduced argument.
#[inline(always)]
fn kernels<V: Lanes, const S: usize, const C: usize>(
    r: V,
    tail: Option<V>,
    (s, c): (&[f64; S], &[f64; C]),
) -> (V, V) {
    let (one, z) = (r.splat(1.0), r * r);
    let half = z * r.splat(0.5);
    let w = one - half;
    let (sine, cosine) = (polynomial(z, s), polynomial(z, c));
    let (cube, square) = (r * z, z * z);
    let lost = (one - w) - half;
    match tail {
        None => (cube.mul_add(sine, r), w + square.mul_add(cosine, lost)),
        Some(tail) => (
            r + cube.mul_add(sine, tail * w),
            w + square.mul_add(cosine, r.neg_mul_add(tail, lost)),
        ),
    }
}

/// Replaces lanes whose argument is too large.
#[inline(always)]
fn large<V: Lanes>(x: V, result: V, by: fn(f64) -> f64) -> V {
    let beyond = x.splat(LIMIT).below(x.abs());
    if V::any(beyond) {
        return x.patched(result, beyond, by);
    }
    result
}

#[inline(always)]
fn tiny<V: Lanes>(x: V, result: V) -> V {
    result.or(x.abs().below(x.splat(TINY)), x)
}

/// Both, but for large arguments.
#[inline(always)]
fn both<V: Lanes, const S: usize, const C: usize>(
    x: V,
    tables: (&[f64; S], &[f64; C]),
    single: bool,
) -> (V, V) {
    let (r, tail, quadrant) = reduced(x, single);
    let (sine, cosine) = kernels(r, tail, tables);
    let odd = quadrant.bit::<0>();
    let (first, second) = (quadrant.bit_as_sign::<63>(), quadrant.bit_as_sign::<62>());
    let s = sine.or(odd, cosine).turned(second);
    let c = cosine.or(odd, sine).turned(second).turned(first);
    (tiny(x, s), c)
}

/// The sine; `single` for what is rounded to `f32`.
#[inline(always)]
pub fn sin<V: Lanes, const S: usize, const C: usize>(
    x: V,
    tables: (&[f64; S], &[f64; C]),
    single: bool,
) -> V {
    large(x, both(x, tables, single).0, f64::sin)
}

/// The cosine.
#[inline(always)]
pub fn cos<V: Lanes, const S: usize, const C: usize>(
    x: V,
    tables: (&[f64; S], &[f64; C]),
    single: bool,
) -> V {
    large(x, both(x, tables, single).1, f64::cos)
}

/// The sine and the cosine.
#[inline(always)]
pub fn sin_cos<V: Lanes, const S: usize, const C: usize>(
    x: V,
    tables: (&[f64; S], &[f64; C]),
    single: bool,
) -> (V, V) {
    let (s, c) = both(x, tables, single);
    (large(x, s, f64::sin), large(x, c, f64::cos))
}

/// The tangent.
#[inline(always)]
pub fn tan<V: Lanes, const S: usize, const C: usize>(
    x: V,
    tables: (&[f64; S], &[f64; C]),
    single: bool,
) -> V {
    let (r, tail, quadrant) = reduced(x, single);
    let (sine, cosine) = kernels(r, tail, tables);
    let odd = quadrant.bit::<0>();
    let quotient = sine.or(odd, cosine) / cosine.or(odd, sine);
    let result = quotient.turned(quadrant.bit_as_sign::<63>());
    large(x, tiny(x, result), f64::tan)
}
