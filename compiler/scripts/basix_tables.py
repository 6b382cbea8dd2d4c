#!/usr/bin/env python3
"""Writes compiler/src/elements/tests/basix_derivatives.txt: what Basix computes at a few points.

Values, gradients and hessians of Lagrange elements on every cell, and the points of rules on
quadrilateral and hexahedron. The format is in the first lines of the file.

    pip install fenics-basix==0.11.0 numpy
    python3 compiler/scripts/basix_tables.py            # from the root of the workspace
"""

import pathlib

import basix
import numpy as np

OUT = pathlib.Path(__file__).resolve().parent.parent / "src" / "elements" / "tests"
DEGREES = {
    "interval": (2, 5, 8),
    "triangle": (2, 4, 7),
    "tetrahedron": (1, 2, 3, 5),
    "quadrilateral": (0, 1, 2, 3, 5),
    "hexahedron": (0, 1, 2, 3, 4),
}
RULES = {"quadrilateral": (1, 2, 4, 7), "hexahedron": (0, 3, 4)}


def derivatives(element, point):
    """Values, then the gradient, then the hessian, each by axes and function."""
    dim = len(point)
    table = element.tabulate(2, np.array([point]))[:, 0, :, 0]
    unit = np.eye(dim, dtype=int)
    at = lambda orders: table[basix.index(*map(int, orders))]
    rows = [at(0 * unit[0])]
    rows += [at(a) for a in unit]
    rows += [at(a + b) for a in unit for b in unit]
    return rows


def show(numbers):
    return " ".join(f"{x:.15g}" for x in numbers)


lines = [
    "# Made by compiler/scripts/basix_tables.py; do not edit. Basix " + basix.__version__ + ".",
    "# basis <cell> <degree> | point | functions | d/dx_a ... | d2/dx_a dx_b, a outermost ...",
    "# rule <cell> <degree> | points, one after another | weights",
]
random = np.random.default_rng(1)
for name, degrees in DEGREES.items():
    cell = getattr(basix.CellType, name)
    dim = len(basix.geometry(cell)[0])
    for degree in degrees:
        variant = basix.LagrangeVariant.gll_warped
        element = basix.create_element(
            basix.ElementFamily.P, cell, degree, variant, discontinuous=degree == 0
        )
        # Multiples of 1/16, so that both sides read the same point, inside simplices too.
        point = random.integers(1, 6, dim) / 16
        rows = [point, *derivatives(element, point)]
        lines.append(f"basis {name} {degree} | " + " | ".join(map(show, rows)))
for name, degrees in RULES.items():
    for degree in degrees:
        points, weights = basix.make_quadrature(getattr(basix.CellType, name), degree)
        lines.append(f"rule {name} {degree} | {show(points.flatten())} | {show(weights)}")
(OUT / "basix_derivatives.txt").write_text("\n".join(lines) + "\n")
