"""Generate C kernels with FFCx for the forms that `benches/assembly.rs` times.

    python ffcx_forms.py OUTPUT_DIRECTORY [--tight]

Writes one C file per form, degree and number of coefficients. Each file is
what FFCx generates, followed by one exported function

    void ffcx_<form>_q<q>_nf<nf>(double *A, const double *w, const double *c,
                                 const double *coordinate_dofs);

that calls the generated kernel. As FFCx kernels do, it adds to A. `w` holds
the coefficient's degrees of freedom and `c` no constants (it may be null).

FFCx runs with its default options, as its users run it. These snap table
entries that are nearly 0, 1 or -1, which costs up to 1e-8 of accuracy.
`--tight` switches that off: such kernels are exact enough to be an oracle.
"""

import argparse
import re
from pathlib import Path

import basix.ufl
import ufl
from ffcx.compiler import compile_ufl_objects
from ffcx.options import get_options
from ufl import TestFunction, TrialFunction, dx, grad, inner

TIGHT = {"table_rtol": 1e-16, "table_atol": 1e-16, "epsilon": 1e-16}


def mass(u, v):
    """The mass form, u v."""
    return u * v


def helmholtz(u, v):
    """Stiffness and mass together."""
    return inner(grad(u), grad(v)) + u * v


def elasticity(u, v):
    """Symmetric gradients, ε(u) : ε(v)."""
    return inner(0.5 * (grad(u) + grad(u).T), 0.5 * (grad(v) + grad(v).T))


FORMS = {"mass": (mass, ()), "helmholtz": (helmholtz, ()), "elasticity": (elasticity, (3,))}

WRAPPER = """
void ffcx_{name}(double *A, const double *w, const double *c, const double *coordinate_dofs)
{{
  {kernel}(A, w, c, coordinate_dofs, 0, 0, 0);
}}
"""


def generate(form: str, degree: int, coefficients: int, options: dict) -> tuple[str, str]:
    """Return the name of an instance and its C source."""
    integrand, shape = FORMS[form]
    mesh = ufl.Mesh(basix.ufl.element("Lagrange", "tetrahedron", 1, shape=(3,)))
    scalar = ufl.FunctionSpace(mesh, basix.ufl.element("Lagrange", "tetrahedron", degree))
    space = ufl.FunctionSpace(
        mesh, basix.ufl.element("Lagrange", "tetrahedron", degree, shape=shape or None)
    )
    integral = integrand(TrialFunction(space), TestFunction(space))
    for _ in range(coefficients):
        integral = ufl.Coefficient(scalar) * integral
    name = f"{form}_q{degree}_nf{coefficients}"
    instance = integral * dx
    code, _ = compile_ufl_objects([instance], options, {id(instance): "a"}, name)
    # FFCx returns a header and a source that includes it.
    source = "".join(code).replace(f'#include "{name}.h"', "").replace("#pragma once", "")
    (kernel,) = re.findall(r"^void (tabulate_tensor_\w+)\(", source, re.MULTILINE)
    return name, source + WRAPPER.format(name=name, kernel=kernel)


def main() -> None:
    """Write every instance below the directory on the command line."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("output", type=Path)
    arguments.add_argument("--tight", action="store_true", help="do not snap table entries")
    chosen = arguments.parse_args()
    options = get_options(TIGHT if chosen.tight else {})
    chosen.output.mkdir(parents=True, exist_ok=True)
    for form in FORMS:
        for degree in 1, 2, 3, 4:
            for coefficients in 0, 1:
                name, source = generate(form, degree, coefficients, options)
                (chosen.output / f"{name}.c").write_text(source)
                print(f"{name}.c", flush=True)


if __name__ == "__main__":
    main()
