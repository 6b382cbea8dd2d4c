"""Compare a library of FFCx kernels with the test data in `tests/data/elements`.

    python ffcx_check.py LIBRARY [TOLERANCE]

Prints the worst difference relative to the largest entry per instance, and
fails where it exceeds the tolerance (default 1e-7: FFCx snaps table entries).
"""

import ctypes
import sys
from pathlib import Path

import numpy as np

DATA = Path(__file__).resolve().parents[2] / "tests/data/elements"


def pointer(array: np.ndarray):
    """Return the array's data as C sees it."""
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_double))


def difference(library: ctypes.CDLL, path: Path) -> float:
    """Return the worst relative difference over the two cells of a data file."""
    form, q, nf = path.stem.split("_")
    degree = int(q[1:])
    nodes = (degree + 1) * (degree + 2) * (degree + 3) // 6
    dofs = nodes * (3 if form == "elasticity" else 1)
    coefficients = nodes * int(nf[2:])
    worst = 0.0
    for cell in np.fromfile(path, "<f8").reshape(2, 12 + coefficients + dofs * dofs):
        x, w, expected = np.split(cell, [12, 12 + coefficients])
        x, w, result = x.copy(), w.copy(), np.zeros(dofs * dofs)
        kernel = getattr(library, f"ffcx_{path.stem}")
        kernel(pointer(result), pointer(w), None, pointer(x))
        worst = max(worst, np.abs(result - expected).max() / np.abs(expected).max())
    return worst


def main() -> None:
    """Check every data file."""
    library = ctypes.CDLL(str(Path(sys.argv[1]).resolve()))
    tolerance = float(sys.argv[2]) if len(sys.argv) > 2 else 1e-7
    differences = {path.stem: difference(library, path) for path in sorted(DATA.glob("*.f64"))}
    for name, worst in differences.items():
        print(f"{name:20} {worst:.1e}")
    if not differences or max(differences.values()) > tolerance:
        sys.exit("FFCx's kernels and the test data differ")


if __name__ == "__main__":
    main()
