"""Write the element matrices that `tests/element_matrices.rs` compares with.

    python make.py ORACLE_DIRECTORY TIGHT_LIBRARY

`ORACLE_DIRECTORY` holds <form>_q<q>_nf<nf>.json files with, for two cells,
`coordinate_dofs` (four vertices, xyz each), `w` (the coefficient's degrees of
freedom) and `A_tight`, the element matrix computed by FFCx without clamping.
`TIGHT_LIBRARY` is what `benches/peers/ffcx.sh --tight` builds; it fills in
elasticity of degree 4, which the directory lacks. Needs numpy.

Each <form>_q<q>_nf<nf>.f64 is, for two cells one after the other, vertices,
coefficient and matrix (row-major [test][trial]) as little-endian doubles. The
second cell is left-handed: its Jacobian has a negative determinant.
"""

import ctypes
import json
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent


def pointer(array: np.ndarray):
    """Return the array's data as C sees it."""
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_double))


def tight(library: ctypes.CDLL, name: str, cells: list[dict], nf: int) -> list[np.ndarray]:
    """Compute elasticity of degree 4 on the cells of another instance."""
    random = np.random.default_rng(4)
    parts = []
    for cell in cells:
        x = np.array(cell["coordinate_dofs"])
        w = np.round(random.uniform(0.5, 1.5, 35 * nf), 6)
        matrix = np.zeros(105 * 105)
        getattr(library, f"ffcx_{name}")(pointer(matrix), pointer(w), None, pointer(x))
        parts += [x, w, matrix]
    return parts


def main() -> None:
    """Write every instance."""
    oracle, library = Path(sys.argv[1]), ctypes.CDLL(str(Path(sys.argv[2]).resolve()))
    for form in "mass", "helmholtz", "elasticity":
        for q in 1, 2, 3, 4:
            for nf in 0, 1:
                name = f"{form}_q{q}_nf{nf}"
                if form == "elasticity" and q == 4:
                    like = json.loads((oracle / f"{form}_q3_nf{nf}.json").read_text())
                    parts = tight(library, name, like["elements"], nf)
                else:
                    cells = json.loads((oracle / f"{name}.json").read_text())["elements"]
                    keys = "coordinate_dofs", "w", "A_tight"
                    parts = [np.array(cell[key], float) for cell in cells for key in keys]
                (HERE / f"{name}.f64").write_bytes(np.concatenate(parts).astype("<f8").tobytes())


if __name__ == "__main__":
    main()
