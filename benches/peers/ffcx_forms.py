"""Generate C kernels with FFCx for the forms that `benches/assembly.rs` and `benches/forms.rs` time.

    python ffcx_forms.py OUTPUT_DIRECTORY [--tight]

Writes one C file per form, degree and number of coefficients. Each file is
what FFCx generates, followed by one exported function

    void ffcx_<form>_q<q>_nf<nf>(double *A, const double *w, const double *c,
                                 const double *coordinate_dofs);

that calls the generated kernel. As FFCx kernels do, it adds to A. `w` holds
the coefficients' degrees of freedom, one coefficient after the other, and `c`
no constants (it may be null). Hyperelasticity is that of a St Venant-Kirchhoff
material: its first coefficient is the displacement, the others are vectors of
which the divergence multiplies the form, and `c` holds mu and lambda.

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
from ufl import (
    Coefficient,
    Constant,
    Identity,
    TestFunction,
    TrialFunction,
    derivative,
    diff,
    div,
    dx,
    grad,
    inner,
    tr,
    variable,
)

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


def hyperelasticity(displacement, u, v, mu, lame):
    """St Venant-Kirchhoff: the derivative of the residual in direction u."""
    deformation = Identity(3) + grad(displacement)
    strain = variable(0.5 * (deformation.T * deformation - Identity(3)))
    energy = lame / 2 * tr(strain) ** 2 + mu * tr(strain * strain)
    residual = inner(deformation * diff(energy, strain), grad(v))
    return derivative(residual, displacement, u)


VECTORS = "elasticity", "hyperelasticity"
INTEGRANDS = {"mass": mass, "helmholtz": helmholtz, "elasticity": elasticity}
FORMS = *INTEGRANDS, "hyperelasticity"
# Too large for FFCx or the C compiler, or with rules of thousands of points.
LEFT_OUT = ("elasticity", 4, 3), ("hyperelasticity", 4, 2), ("hyperelasticity", 4, 3)

WRAPPER = """
void ffcx_{name}(double *A, const double *w, const double *c, const double *coordinate_dofs)
{{
  {kernel}(A, w, c, coordinate_dofs, 0, 0, 0);
}}
"""


def generate(form: str, degree: int, coefficients: int, options: dict) -> tuple[str, str]:
    """Return the name of an instance and its C source."""
    mesh = ufl.Mesh(basix.ufl.element("Lagrange", "tetrahedron", 1, shape=(3,)))
    scalar = ufl.FunctionSpace(mesh, basix.ufl.element("Lagrange", "tetrahedron", degree))
    vector = ufl.FunctionSpace(
        mesh, basix.ufl.element("Lagrange", "tetrahedron", degree, shape=(3,))
    )
    space = vector if form in VECTORS else scalar
    u, v = TrialFunction(space), TestFunction(space)
    if form == "hyperelasticity":
        integral = hyperelasticity(Coefficient(vector), u, v, Constant(mesh), Constant(mesh))
        for _ in range(coefficients):
            integral = div(Coefficient(vector)) * integral
    else:
        integral = INTEGRANDS[form](u, v)
        for _ in range(coefficients):
            integral = Coefficient(scalar) * integral
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
            for coefficients in 0, 1, 2, 3:
                if (form, degree, coefficients) in LEFT_OUT:
                    continue
                name, source = generate(form, degree, coefficients, options)
                (chosen.output / f"{name}.c").write_text(source)
                print(f"{name}.c", flush=True)


if __name__ == "__main__":
    main()
