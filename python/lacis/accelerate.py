# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""lacis's products under SciPy's own types, for programs that cannot be edited. Experimental, and off unless asked for.

    with lacis.accelerated():
        ...                                   # A @ x of SciPy's matrices is computed by lacis

    python -m lacis.accelerate script.py arguments

Replaces functions of SciPy's private module scipy.sparse._sparsetools: csr_matvec, csr_matvecs, csc_matvec, csc_matvecs and csr_matmat. SciPy
versions whose private module is not known are refused. Products that SciPy computes faster are left to it: one or a few vectors with short rows, products
with a transpose on few threads and the first ones with each matrix, and small matrices."""

import contextlib
import sys
import threading
from collections.abc import Iterator

from . import _core
from ._errors import Unsupported

# How these versions import _sparsetools was read: products are looked up in the module by name at each call, but for csr_matmat since 1.16,
# which _compressed imports.
KNOWN = tuple((1, minor) for minor in range(11, 18))
MATVECS = (("csr_matvec", 0, False), ("csr_matvecs", 0, True), ("csc_matvec", 1, False), ("csc_matvecs", 1, True))

# Where lacis is not slower than SciPy, which adds row after row on one thread. Rules of sizes alone, measured with python/bench/programs.py and products.py:
# a time would make bits depend on what else the machine does.
LEAST_WORK = 1 << 14  # entries times columns that outweigh a call
SEVERAL_COLUMNS = 4  # share what is read of the matrix
LONG_ROWS = 128  # entries per row from which lanes pay for one vector
ENOUGH_THREADS, SHARED_ENTRIES = 4, 1 << 18  # outweigh everything else: lanes, the hash of a remembered transpose, the arrays of a sparse product

always = False  # also where SciPy is faster; for tests

_lock = threading.RLock()
_depth = 0
_originals = []
_calls = {}


def accelerated_calls() -> dict[str, tuple[int, ...]]:
    """Calls since the first accelerated(): {function: (by lacis, by SciPy)}."""
    with _lock:
        return {name: tuple(counts) for name, counts in _calls.items()}


def _require_known(version):
    try:
        found = tuple(int(part) for part in version.split(".")[:2])
    except ValueError:
        found = None
    if found not in KNOWN:
        first, last = KNOWN[0], KNOWN[-1]
        raise Unsupported(
            f"accelerated() knows SciPy {first[0]}.{first[1]} to {last[0]}.{last[1]}, not {version}: its private functions may differ. "
            "lacis.csr_array(A) works with every version"
        )


def _counter(name):
    counts = _calls.setdefault(name, [0, 0])

    def count(which):
        with _lock:
            counts[which] += 1

    return count


def _shared(entries):
    """Whether threads make it faster."""
    return entries >= SHARED_ENTRIES and _core.get_num_threads() >= ENOUGH_THREADS


def _worthwhile(transposed, rows, columns, entries):
    if always:
        return True
    if entries * columns < LEAST_WORK:
        return False
    if not transposed and (columns >= SEVERAL_COLUMNS or entries >= LONG_ROWS * rows):
        return True
    return _shared(entries)


def _matvec(name, fmt, several, original):
    accumulate, count = _core.accumulate, _counter(name)

    def vector(rows, cols, indptr, indices, data, x, y):
        if _worthwhile(fmt, rows, 1, len(indices)) and accumulate(fmt, rows, cols, -1, indptr, indices, data, x, y, always):
            count(0)
        else:
            count(1)
            original(rows, cols, indptr, indices, data, x, y)

    def vectors(rows, cols, columns, indptr, indices, data, x, y):
        if _worthwhile(fmt, rows, columns, len(indices)) and accumulate(fmt, rows, cols, columns, indptr, indices, data, x, y, always):
            count(0)
        else:
            count(1)
            original(rows, cols, columns, indptr, indices, data, x, y)

    made = vectors if several else vector
    made.__name__ = name
    made.lacis = True
    return made


def _matmat(original):
    """csr_matmat(rows, cols, Ap, Aj, Ax, Bp, Bj, Bx, Cp, Cj, Cx) fills C, whose arrays have room for every entry."""
    count = _counter("csr_matmat")

    def csr_matmat(rows, cols, ap, aj, ax, bp, bj, bx, cp, cj, cx):
        made = None
        # The arrays of B have one offset per row of B and no number of columns of their own: the argument is that of C.
        if (always or _shared(len(aj))) and ax.dtype == bx.dtype == cx.dtype and aj.dtype == bj.dtype:
            made = _core.spgemm((0, rows, len(bp) - 1, ap, aj, ax), (0, len(bp) - 1, cols, bp, bj, bx))
        if made is None or made[5] or len(made[3]) > len(cj):
            count(1)
            return original(rows, cols, ap, aj, ax, bp, bj, bx, cp, cj, cx)
        _, _, indptr, indices, data, _ = made
        cp[:] = indptr
        cj[: len(indices)] = indices
        cx[: len(data)] = data
        count(0)

    csr_matmat.lacis = True
    return csr_matmat


def _replace(module, name, function):
    _originals.append((module, name, getattr(module, name)))
    setattr(module, name, function)


def _install():
    import scipy
    import scipy.sparse._compressed as compressed
    import scipy.sparse._sparsetools as tools

    _require_known(scipy.__version__)
    missing = [name for name in [entry[0] for entry in MATVECS] + ["csr_matmat"] if not hasattr(tools, name)]
    if missing:
        raise Unsupported(f"SciPy {scipy.__version__} has no {', '.join(missing)} in scipy.sparse._sparsetools")
    for name, fmt, several in MATVECS:
        _replace(tools, name, _matvec(name, fmt, several, getattr(tools, name)))
    matmat = _matmat(tools.csr_matmat)
    _replace(tools, "csr_matmat", matmat)
    if hasattr(compressed, "csr_matmat"):
        _replace(compressed, "csr_matmat", matmat)


def _remove():
    while _originals:
        module, name, original = _originals.pop()
        setattr(module, name, original)
    _core.forget_matrices()


@contextlib.contextmanager
def accelerated() -> Iterator[None]:
    """Products of SciPy's own matrices are computed by lacis inside this block, in every thread. Blocks may be nested."""
    global _depth
    with _lock:
        if _depth == 0:
            try:
                _install()
            except BaseException:
                _remove()
                raise
        _depth += 1
    try:
        yield
    finally:
        with _lock:
            _depth -= 1
            if _depth == 0:
                _remove()


def main(arguments: list[str] | None = None) -> int:
    """Runs a script, or a module with -m, inside accelerated()."""
    import runpy

    arguments = list(sys.argv[1:] if arguments is None else arguments)
    report = "--report" in arguments[:1]
    if report:
        del arguments[0]
    if not arguments or arguments[0] in ("-h", "--help") or (arguments[0] == "-m" and len(arguments) < 2):
        print("usage: python -m lacis.accelerate [--report] script.py [arguments]\n       python -m lacis.accelerate [--report] -m module [arguments]")
        return 0 if arguments and arguments[0] in ("-h", "--help") else 2
    module = arguments[0] == "-m"
    if module:
        del arguments[0]
    with accelerated():
        names = ", ".join(sorted({name for _, name, _ in _originals}))
        print(f"lacis: replaced {names} of SciPy", file=sys.stderr)
        sys.argv[:] = arguments
        try:
            if module:
                runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
            else:
                import os

                sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
                runpy.run_path(arguments[0], run_name="__main__")
        finally:
            if report:
                for name, (ours, theirs) in accelerated_calls().items():
                    print(f"lacis: {name}: {ours} by lacis, {theirs} by SciPy", file=sys.stderr)
    return 0


if __name__ == "__main__":
    # Under -m this file is __main__ and not lacis.accelerate: the counters of the latter are those that programs see.
    from lacis.accelerate import main as run

    sys.exit(run())
