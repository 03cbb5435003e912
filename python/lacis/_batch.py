# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""lacis.solve_batch and lacis.multiply_batch: thousands of small matrices of one pattern."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from . import _core
from ._arrays import CSR, exact_values, order_of, parts_of, sorted_arrays
from ._errors import InvalidArgument, InvalidMatrix, LacisWarning
from ._solve import common_type, goal_of, most_iterations
from ._threads import count_of

if TYPE_CHECKING:
    from ._types import Array, Dense, Matrix

# By the numbers of lacis_solve_outcome in lacis.h.
OUTCOMES = ("converged", "max iterations", "stopped", "stagnated", "broke down", "out of range")


@dataclass
class BatchResult:
    """What solve_batch() found. x has one row per system; the arrays status, iterations and residual have one element per system.

    status is 0 where a system converged, 1: after maxiter iterations it had not, 3: it stagnated, 4: it broke down, 5: its solution is
    too large or too small for the type; status_name(s) is that in words. residual is |b - A x| / |b|, computed from x at the end."""

    x: Array = field(repr=False)
    status: Array = field(repr=False)
    iterations: Array = field(repr=False)
    residual: Array = field(repr=False)
    unsolved: int  #: systems that did not converge
    reason: str  #: why the first of them did not, with advice; empty where all did
    method: str
    alone: int  #: systems that were solved one at a time, as their numbers needed scaling
    seconds: float

    @property
    def converged(self) -> bool:
        """Whether every system converged."""
        return self.unsolved == 0

    def status_name(self, system: int) -> str:
        """The status of one system in words: 'converged', 'broke down', ..."""
        return OUTCOMES[self.status[system]]


def _vectors(name, array, systems, size, dtype):
    """One vector per system as a contiguous array of this type."""
    if array.shape != (systems, size):
        advice = ""
        if array.shape == (size,):
            advice = f"; np.broadcast_to({name}, ({systems}, {size})) gives every system the same"
        elif array.shape == (size, systems):
            advice = f"; give {name}.T"
        raise InvalidArgument(f"{name} must have one row per system, the shape ({systems}, {size}), not {array.shape}{advice}")
    return np.ascontiguousarray(array, dtype=dtype)


def _pattern(A, values):
    """The parts of A, and the values of all systems as one of the four types."""
    parts = parts_of(A)
    if parts[0] != CSR:
        raise InvalidArgument(
            "A is stored by columns, and the values of a batch stand in the order of rows: give A.tocsr(), and values in the order of its data"
        )
    values = exact_values(values)
    entries = int(parts[3][-1]) if len(parts[3]) else 0
    if values.ndim != 2 or values.shape[1] != entries:
        advice = "; values[np.newaxis] is a batch of one" if values.shape == (entries,) else ""
        raise InvalidArgument(
            f"values must have one row per system and one column per entry of A, the shape (systems, {entries}), not {values.shape}{advice}"
        )
    if order_of(parts) in (1, 2):
        # A copy with sorted rows, whose values are the places at which those of A stand: the values of all systems take that order.
        copy = sorted_arrays(parts[:5] + (np.arange(entries, dtype=np.float64),))
        if len(copy[5]) != entries:
            raise InvalidMatrix("the pattern has entries twice, whose values a batch does not sum: call A.sum_duplicates() and give values in the order of A.data")
        places = copy[5].astype(np.int64)
        parts, values = copy[:5] + (parts[5][places],), np.take(values, places, axis=1)
    return parts, values


def multiply_batch(A: Matrix, values: Dense, x: Dense, out: Array | None = None, threads: int | None = None) -> Array:
    """A_s @ x_s for matrices A_s of one pattern, with the bits of lacis.csr_array(A_s) @ x_s.

    A: the pattern, anything that lacis.csr_array takes; its own values are not read.
    values: shape (systems, entries), the values of each system in the order of A.data.
    x: shape (systems, columns), one vector per system.
    out: an array for the result, of the shape (systems, rows).

    Any of float32, float64, complex64 and complex128; the result has the type that holds values and x.

    Example::

        >>> import numpy as np, lacis
        >>> A = lacis.csr_array(np.array([[2.0, 1.0], [0.0, 3.0]]))
        >>> values = np.array([[2.0, 1.0, 3.0], [4.0, 0.0, 5.0]])
        >>> lacis.multiply_batch(A, values, np.ones((2, 2)))
        array([[3., 3.],
               [4., 5.]])
    """
    parts, values = _pattern(A, values)
    rows, cols = parts[1:3]
    systems = len(values)
    x = exact_values(x)
    dtype = common_type(values.dtype, x.dtype)
    x = _vectors("x", x, systems, cols, dtype)
    if out is None:
        out = np.empty((systems, rows), dtype)
    elif not isinstance(out, np.ndarray) or out.shape != (systems, rows) or out.dtype != dtype or not out.flags.c_contiguous:
        raise InvalidArgument(f"out must be a contiguous {dtype} array of the shape ({systems}, {rows})")
    _core.multiply_batch(parts, values.astype(dtype, copy=False), x, out, count_of(threads))
    return out


def solve_batch(
    A: Matrix,
    values: Dense,
    b: Dense,
    tol: float | None = None,
    method: str = "cg",
    precond: str | None = None,
    threads: int | None = None,
    x0: Dense | None = None,
    maxiter: int | None = None,
) -> BatchResult:
    """Solves A_s x_s = b_s for thousands of small systems whose matrices have one pattern: one system per lane of a vector register.

    A: the pattern, anything that lacis.csr_array takes; its own values are not read.
    values: shape (systems, entries), the values of each system in the order of A.data. b, x0: shape (systems, rows).
    tol: of |b - A x| / |b|; without it 1e-8, in single precision 1e-4.
    method: 'cg' (symmetric, positive definite), 'bicgstab' (any), 'band-lu' (any, with a narrow band), 'band-cholesky' (symmetric, positive
    definite, with a narrow band). precond: 'jacobi', 'none'; of cg and bicgstab.

    float32 and float64. Gives a BatchResult. Solutions of cg and bicgstab have the bits of lacis.linalg.cg and bicgstab on each system alone,
    whatever the number of threads. A system that has no solution leaves the others alone; systems that did not converge are a LacisWarning,
    not an exception.

    Example::

        >>> import numpy as np, lacis
        >>> A = lacis.csr_array(np.array([[2.0, 1.0], [1.0, 3.0]]))
        >>> values = np.array([[2.0, 1.0, 1.0, 3.0], [4.0, 0.0, 0.0, 8.0]])
        >>> r = lacis.solve_batch(A, values, b=np.array([[3.0, 4.0], [4.0, 8.0]]))
        >>> r.converged, r.status
        (True, array([0, 0], dtype=int32))
        >>> r.x.round(6)
        array([[1., 1.],
               [1., 1.]])
    """
    parts, values = _pattern(A, values)
    rows, cols = parts[1:3]
    systems = len(values)
    if rows != cols:
        raise InvalidMatrix(f"the matrices are {rows} x {cols}; solve_batch is for square ones")
    b = exact_values(b)
    dtype = common_type(values.dtype, b.dtype)
    b = _vectors("b", b, systems, rows, dtype)
    x = np.zeros((systems, cols), dtype) if x0 is None else np.array(_vectors("x0", np.asarray(x0), systems, cols, dtype))
    tol = goal_of(tol, dtype)
    found = _core.solve_batch(
        parts,
        values.astype(dtype, copy=False),
        method,
        b,
        x,
        tol,
        most_iterations(maxiter),
        count_of(threads),
        precond or "none",
    )
    first = found["first_unsolved"]
    result = BatchResult(
        x=x,
        status=found["outcomes"],
        iterations=found["iterations"],
        residual=found["residuals"],
        unsolved=int(np.count_nonzero(found["outcomes"])),
        reason=found["reason"],
        method=method,
        alone=found["alone"],
        seconds=found["seconds"],
    )
    if first >= 0:
        warnings.warn(
            f"{result.unsolved} of {systems} systems have no solution to {tol:.0e}; system {first}: {result.reason} "
            f"(residual {result.residual[first]:.2e})",
            LacisWarning,
            stacklevel=2,
        )
    return result
