#!/usr/bin/env python3
"""Coefficients of the polynomials in runtime/src/lanes, by interpolation at Chebyshev nodes.

Needs mpmath. `generate.py > runtime/src/lanes/coefficients.rs`; to stderr goes the largest error of
each polynomial with rounded coefficients, as a power of two, relative to the function that it is for.
"""

import sys

from mpmath import asin, atan, atanh, cos, exp, log, mp, mpf, pi, sin, sqrt, tan

mp.dps = 60


def interpolated(function, low, high, degree):
    """Coefficients, lowest first, in one variable, of the polynomial through Chebyshev nodes."""
    count = degree + 1
    nodes = [(low + high) / 2 + (high - low) / 2 * cos(pi * (2 * k + 1) / (2 * count)) for k in range(count)]
    # Divided differences, then Newton's form multiplied out.
    table = [function(x) for x in nodes]
    for level in range(1, count):
        for k in range(count - 1, level - 1, -1):
            table[k] = (table[k] - table[k - 1]) / (nodes[k] - nodes[k - level])
    result = [mpf(0)] * count
    for k in range(count - 1, -1, -1):
        shifted = [mpf(0)] + result[:-1]
        result = [s - nodes[k] * r for s, r in zip(shifted, result)]
        result[0] += table[k]
    return result


def value(coefficients, x):
    total = mpf(0)
    for c in reversed(coefficients):
        total = total * x + c
    return total


def emit(name, what, function, low, high, degree, weight):
    """One table: `weight` is the part that an error of the polynomial has in the result."""
    low, high = mpf(low), mpf(high)
    rounded = [float(c) for c in interpolated(function, low, high, degree)]
    points = [low + (high - low) * k / 1000 for k in range(1, 1000)]
    error = max(abs((value([mpf(c) for c in rounded], x) - function(x)) * weight(x)) for x in points)
    print(f"{name}: 2^{float(log(error, 2)):.1f}", file=sys.stderr)
    print(f"\n/// {what}\npub const {name}: [f64; {len(rounded)}] = [")
    for c in rounded:
        print(f"    {c!r},")
    print("];")


def split(name, what, number, bits):
    """A number in several doubles, of which all but the last have so many bits."""
    parts = []
    for index, count in enumerate(bits):
        if count >= 53:
            part = float(number)
        else:
            mantissa, exponent = mp.frexp(number)
            part = float(mp.ldexp(mp.floor(mp.ldexp(mantissa, count)), int(exponent) - count))
        parts.append(part)
        number -= mpf(part)
    print(f"\n/// {what}\npub const {name}: [f64; {len(parts)}] = {parts!r};")


print("//! Coefficients, lowest power first: printed by `tools/coefficients/generate.py`, which interpolates at")
print("//! Chebyshev nodes and rounds. Those for `f32` have few terms, and are for arithmetic in `f64` too.")
print("\n#![allow(clippy::excessive_precision, clippy::approx_constant, clippy::unreadable_literal)]")

split("LN_2", "ln 2; a multiple of the first part by 11 bits is exact.", log(2), [42, 53])
split("LN_2_TWO", "ln 2 in twice the digits.", log(2), [53, 53])
split("LOG2_E", "1 / ln 2 in twice the digits.", 1 / log(2), [53, 53])
split("LOG10_E", "1 / ln 10 in twice the digits.", 1 / log(10), [53, 53])
split("LOG10_2", "ln 2 / ln 10; a multiple of the first part by 11 bits is exact.", log(2) / log(10), [42, 53])
split("HALF_PI", "π / 2 in three times the digits.", pi / 2, [53, 53, 53])
split("QUARTER_PI", "π / 4 in twice the digits.", pi / 4, [53, 53])
split("TWO_THIRDS", "2 / 3 in twice the digits.", mpf(2) / 3, [53, 53])
roots = [float(mpf(2) ** (mpf(-k) / 3)) for k in range(3)]
print(f"\n/// The inverses of the cube roots of 1, 2 and 4.\npub const INVERSE_CUBE_ROOTS: [f64; 3] = {roots!r};")

half = log(2) / 2 * mpf("1.001")


def exponential(r):
    return (exp(r) - 1 - r) / r**2 if abs(r) > mpf(10) ** -15 else mpf(1) / 2 + r / 6


emit("EXP", "(eʳ - 1 - r) / r², for |r| ≤ ln 2 / 2.", exponential, -half, half, 10, lambda r: r**2)
emit("EXP_SINGLE", "The same for `f32`.", exponential, -half, half, 5, lambda r: r**2)


def logarithm(z):
    s = sqrt(z)
    return (2 * atanh(s) / s - 2) / z if z > mpf(10) ** -15 else mpf(2) / 3 + 2 * z / 5


most = (3 - 2 * sqrt(mpf(2))) ** 2 * mpf("1.001")
emit("LN", "(2 artanh s / s - 2) / z, for z = s² ≤ (3 - √8)².", logarithm, 0, most, 6, lambda z: z)
emit("LN_SINGLE", "The same for `f32`.", logarithm, 0, most, 3, lambda z: z)


def logarithm_tail(z):
    s = sqrt(z)
    return (2 * atanh(s) / s - 2 - 2 * z / 3) / z**2 if z > mpf(10) ** -12 else mpf(2) / 5 + 2 * z / 7


emit("LN_TAIL", "(2 artanh s / s - 2 - 2z/3) / z², for z = s² ≤ (3 - √8)².", logarithm_tail, 0, most, 7, lambda z: z**2)

quarter = (pi / 4 * mpf("1.001")) ** 2


def sine(z):
    x = sqrt(z)
    return (sin(x) / x - 1) / z if z > mpf(10) ** -15 else -mpf(1) / 6 + z / 120


def cosine(z):
    return (cos(sqrt(z)) - 1 + z / 2) / z**2 if z > mpf(10) ** -12 else mpf(1) / 24 - z / 720


emit("SIN", "(sin x / x - 1) / z, for z = x² ≤ (π/4)².", sine, 0, quarter, 6, lambda z: z)
emit("COS", "(cos x - 1 + z/2) / z², for z = x² ≤ (π/4)².", cosine, 0, quarter, 5, lambda z: z**2)
emit("SIN_SINGLE", "The same for `f32`.", sine, 0, quarter, 3, lambda z: z)
emit("COS_SINGLE", "The same for `f32`.", cosine, 0, quarter, 2, lambda z: z**2)


def arctangent(z):
    x = sqrt(z)
    return (atan(x) / x - 1) / z if z > mpf(10) ** -15 else -mpf(1) / 3 + z / 5


eighth = tan(pi / 8) ** 2 * mpf("1.001")
emit("ATAN", "(arctan x / x - 1) / z, for z = x² ≤ tan²(π/8).", arctangent, 0, eighth, 11, lambda z: z)
emit("ATAN_SINGLE", "The same for `f32`.", arctangent, 0, eighth, 5, lambda z: z)


def arcsine(z):
    x = sqrt(z)
    return (asin(x) / x - 1) / z if z > mpf(10) ** -15 else mpf(1) / 6 + 3 * z / 40


emit("ASIN", "(arcsin x / x - 1) / z, for z = x² ≤ 1/4.", arcsine, 0, mpf("0.25"), 13, lambda z: z)
emit("ASIN_SINGLE", "The same for `f32`.", arcsine, 0, mpf("0.25"), 5, lambda z: z)
emit("INVERSE_CUBE_ROOT", "The inverse of the cube root, from 1 to 2.", lambda x: x ** (mpf(-1) / 3), 1, 2, 5, lambda x: x ** (mpf(1) / 3))
