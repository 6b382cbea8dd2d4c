#!/usr/bin/env python3
"""Writes compiler/src/elements/rules/{triangle,tetrahedron}.txt from Basix's quadrature tables.

For every degree that Basix has a table for (Xiao-Gimbutas and its low-degree relatives; triangles
to 30, tetrahedra to 15), this takes the points and weights in double precision, groups them into
orbits of the cell's symmetries where the rule has these, polishes them to more digits than a
double-double holds by Newton's iteration on the moment equations (minimum-norm steps, residuals
in 256-bit arithmetic, so that extra freedom in a rule stays where Basix's digits put it), and
prints them. A parameter that is a simple quotient such as 0, 1/2 or
1/11 in Basix is kept there. The format is described in
compiler/src/elements/quadrature.rs.

    pip install fenics-basix==0.11.0 numpy gmpy2
    python3 compiler/scripts/quadrature_rules.py        # from the root of the workspace
"""

import itertools
import math
import pathlib
import sys
from fractions import Fraction

import basix
import gmpy2
import numpy as np
from gmpy2 import mpfr

gmpy2.get_context().precision = 256
OUT = pathlib.Path(__file__).resolve().parent.parent / "src" / "elements" / "rules"
VERBOSE = "-v" in sys.argv
CELLS = {
    "triangle": (basix.CellType.triangle, 2, 30),
    "tetrahedron": (basix.CellType.tetrahedron, 3, 15),
}


def pattern_points(pattern, values):
    """The distinct permutations of the letters, in lexicographic order, as barycentric points."""
    return [[values[c] for c in p] for p in sorted(set(itertools.permutations(pattern)))]


def expand(pattern, params, one=1.0):
    """The barycentric points of an orbit; `one` says in which arithmetic."""
    if pattern == "p":
        return [[one - sum(params), *params]]
    letters = sorted(set(pattern))
    values = dict(zip(letters, params))
    rest = one - sum(pattern.count(c) * values[c] for c in letters[:-1])
    values[letters[-1]] = rest / pattern.count(letters[-1])
    return pattern_points(pattern, values)


def orbits_of(points, weights):
    """Basix's points as [(pattern, weight, params)], and the place of each in the expansion."""
    bary = np.hstack([1 - points.sum(1, keepdims=True), points])
    left, orbits, members = list(range(len(weights))), [], []
    while left:
        first = left[0]
        key = np.sort(bary[first])
        orbit = [
            j for j in left
            if abs(np.sort(bary[j]) - key).max() < 1e-11 and abs(weights[j] - weights[first]) < 1e-11
        ]
        groups = []
        for x in key:
            if groups and abs(groups[-1][0] - x) < 1e-9:
                groups[-1][1] += 1
            else:
                groups.append([x, 1])
        groups.sort(key=lambda g: (-g[1], g[0]))
        pattern = "".join(c * g[1] for c, g in zip("abcd", groups))
        if len(orbit) != len(set(itertools.permutations(pattern))):
            # The rule has no symmetry: every point for itself.
            return [("p", w, list(p)) for p, w in zip(points, weights)], list(range(len(weights)))
        orbits.append((pattern, weights[first], [g[0] for g in groups[:-1]]))
        members.append(orbit)
        left = [j for j in left if j not in orbit]
    expanded = [p for pattern, _, params in orbits for p in expand(pattern, params)]
    order = [int(np.argmin(abs(np.array(expanded) - b).max(1))) for b in bary]
    assert sorted(order) == list(range(len(weights)))
    return orbits, order


def legendre(x, degree, one):
    """Shifted Legendre polynomials on [0, 1] and their derivatives."""
    t = 2 * x - 1
    value, slope = [one, t], [0 * one, 2 * one]
    for n in range(1, degree):
        value.append(((2 * n + 1) * t * value[n] - n * value[n - 1]) / (n + 1))
        slope.append(slope[n - 1] + 2 * (2 * n + 1) * value[n])
    return value[: degree + 1], slope[: degree + 1]


def moments(indices, dim):
    """The exact integrals over the cell of products of shifted Legendre polynomials."""
    coefficients = lambda n: [
        (-1) ** (n + k) * math.comb(n, k) * math.comb(n + k, k) for k in range(n + 1)
    ]
    cache, result = {}, []
    for index in indices:
        key = tuple(sorted(index))
        if key not in cache:
            total = Fraction(0)
            for powers in itertools.product(*(range(n + 1) for n in key)):
                term = math.prod(coefficients(n)[k] for n, k in zip(key, powers))
                term *= math.prod(math.factorial(k) for k in powers)
                total += Fraction(term, math.factorial(sum(powers) + dim))
            cache[key] = total
        result.append(mpfr(cache[key].numerator) / mpfr(cache[key].denominator))
    return result


def polish(orbits, degree, dim):
    """Newton's iteration on the moment equations; returns the orbits in 256 bits."""
    indices = [i for i in itertools.product(range(degree + 1), repeat=dim) if sum(i) <= degree]
    exact = moments(indices, dim)
    # Unknowns: every weight, every parameter that is not fixed.
    def simple(x):
        near = Fraction(float(x)).limit_denominator(12)
        return near if abs(float(x) - near) < 1.5e-15 else None

    keep = lambda x: mpfr(x) if simple(x) is None else mpfr(simple(x).numerator) / simple(x).denominator
    orbits = [[pattern, mpfr(w), [keep(x) for x in params]] for pattern, w, params in orbits]
    unknowns = []
    for o, (_, _, params) in enumerate(orbits):
        unknowns.append((o, None))
        unknowns += [(o, k) for k, x in enumerate(params) if simple(x) is None]

    # The Jacobian in double precision, columns of parameters divided by the weight.
    jacobian = np.zeros((len(indices), len(unknowns)))
    idx = np.array(indices)
    for column, (o, k) in enumerate(unknowns):
        pattern, _, params = orbits[o]
        at = [float(x) for x in params]
        here = np.array(expand(pattern, at), dtype=float)
        if k is not None:
            step = [x + (j == k) for j, x in enumerate(at)]
            shift = np.array(expand(pattern, step), dtype=float) - here
        for p, point in enumerate(here):
            value, slope = zip(*(
                tuple(np.array(v, dtype=float) for v in legendre(x, degree, 1.0)) for x in point[1:]
            ))
            if k is None:
                jacobian[:, column] += np.prod([value[d][idx[:, d]] for d in range(dim)], axis=0)
                continue
            for axis in range(dim):
                jacobian[:, column] += shift[p][axis + 1] * np.prod(
                    [(slope if d == axis else value)[d][idx[:, d]] for d in range(dim)], axis=0
                )
    precondition, cut = np.eye(len(indices)), 1e-13
    if dim == 3:
        # The rules without symmetry need a better condition: that of orthonormal polynomials.
        fine, mass = basix.make_quadrature(
            basix.CellType.tetrahedron, 2 * degree,
            rule=basix.QuadratureType.gauss_jacobi,
        )
        value = [np.array(legendre(x, degree, 1 + 0 * x)[0]).T for x in fine.T]
        tall = np.prod([value[d][:, idx[:, d]] for d in range(dim)], axis=0)
        upper = np.linalg.qr(np.sqrt(mass)[:, None] * tall, mode="r")
        precondition, cut = np.linalg.inv(upper).T, 1e-9
        jacobian = precondition @ jacobian
    if VERBOSE:
        singular = np.linalg.svd(jacobian, compute_uv=False)
        print("singular values", singular[:3], singular[-6:])
    inverse = np.linalg.pinv(jacobian, rcond=cut) @ precondition

    for iteration in range(30):
        residual = [-x for x in exact]
        for pattern, w, params in orbits:
            for point in expand(pattern, params, mpfr(1)):
                value = [legendre(x, degree, mpfr(1))[0] for x in point[1:]]
                for m, index in enumerate(indices):
                    term = w * value[0][index[0]]
                    for d in range(1, dim):
                        term *= value[d][index[d]]
                    residual[m] += term
        size = max(abs(r) for r in residual)
        if iteration == 0:
            start = size
        if VERBOSE:
            print("residual", float(size))
        if size < mpfr("1e-50"):
            return orbits, float(start), float(size)
        scaled = np.array([float(r / size) for r in residual])
        delta = inverse @ scaled
        for (o, k), d in zip(unknowns, delta):
            if k is None:
                orbits[o][1] -= size * mpfr(d)
            else:
                orbits[o][2][k] -= size * mpfr(d) / orbits[o][1]
    return orbits, float(start), float(size)


def text(x, places):
    """A quotient of small integers where it is one, a decimal otherwise."""
    for q in range(1, 5041):
        p = int(gmpy2.rint(x * q))
        if abs(x - mpfr(p) / q) < mpfr("1e-40"):
            return f"{p}/{q}" if q > 1 else str(p)
    return f"{x:.{places}f}"


def main():
    OUT.mkdir(exist_ok=True)
    for name, (cell, dim, last) in CELLS.items():
        lines = ["# Made by compiler/scripts/quadrature_rules.py; do not edit."]
        for degree in range(1, last + 1):
            points, weights = basix.make_quadrature(cell, degree)
            rough, order = orbits_of(points, weights)
            orbits, start, end = polish(rough, degree, dim)
            moved = max(
                max([abs(float(w) - v), *(abs(float(x) - y) for x, y in zip(xs, ys))])
                for (_, w, xs), (_, v, ys) in zip(orbits, rough)
            )
            low = min(float(x) for o in orbits for p in expand(o[0], o[2]) for x in p)
            print(f"{name} {degree}: {len(weights)} points, {len(orbits)} orbits, residual "
                  f"{start:.1e} -> {end:.1e}, moved {moved:.1e}, least coordinate {low:.1e}", flush=True)
            assert end < 1e-33 and moved < 1e-12
            lines.append(f"rule {degree} {len(weights)}")
            for pattern, w, params in orbits:
                words = [pattern, text(w, 38), *(text(x, 35) for x in params)]
                lines.append(" ".join(words))
            if order != list(range(len(order))):
                lines.append("order " + " ".join(map(str, order)))
        (OUT / f"{name}.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
