# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Operators of solvers from everything that multiplies: matrices, plans, LinearOperators, functions; and preconditioners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse.linalg as _scipy

from . import _core
from ._arrays import TYPE_NUMBERS, VALUES, in_order, is_sparse, is_torch, parts_of
from ._errors import InvalidArgument
from ._plan import Plan, Side, plan
from ._sparse import asarray
from ._threads import count_of

if TYPE_CHECKING:
    from ._types import Matrix

# Products that a plan of a solver is made for: enough to pay for a layout, not for the slowest to make.
_USES = 200


def dtype_of(a):
    """The one of lacis's types in which A's products are computed."""
    if isinstance(a, tuple) or is_torch(a):
        return parts_of(a)[5].dtype
    dtype = np.dtype(getattr(a, "dtype", None) or np.float64)
    return dtype if dtype in VALUES else np.result_type(dtype, np.float64)


def operator_of(a, dtype, adjoint=False, tune=False):
    """The operator of a solver. tune: products will take most of the time, so the layout is chosen by measuring."""
    if isinstance(a, (Plan, Side)) or (hasattr(a, "matvec") and not is_sparse(a)):
        if adjoint and isinstance(a, Plan) and not a.holds_transpose:
            raise InvalidArgument("this needs products with the transpose, which the plan does not hold; make it with lacis.plan(A, transpose=True)")
        if isinstance(a, Plan) and a.dtype == dtype:
            return _core.Operator.from_plan(a)
        apply, backward = a.matvec, getattr(a, "rmatvec", None)
        return _core.Operator.from_function(*a.shape, TYPE_NUMBERS[dtype], apply, backward if adjoint else None)
    if isinstance(a, np.ndarray) and a.ndim == 2:
        return _core.Operator.from_function(*a.shape, TYPE_NUMBERS[dtype], a.dot, (lambda x: a.conj().T.dot(x)) if adjoint else None)
    parts = parts_of(a)
    parts = parts[:5] + (parts[5].astype(dtype, copy=False),)
    return _core.Operator.from_plan(plan(None, uses=_USES, transpose=adjoint, tune=tune, _parts=parts))


def shape_of(a):
    """(rows, columns)."""
    if hasattr(a, "shape"):
        return tuple(a.shape)
    parts = parts_of(a)
    return parts[1], parts[2]


class Preconditioner(_scipy.LinearOperator):
    """Nearly the inverse of a matrix; lacis.aspreconditioner() makes it. P @ r is one step with it.

    A snapshot: later changes of the matrix do not reach it. lacis's solvers use it without a detour over Python."""

    def __init__(self, A: Matrix, method: str, threads: int | None, cycle: str | None = None, smoother: str | None = None) -> None:
        parts = in_order(parts_of(A))
        self.operator: Any = _core.Operator.preconditioner(parts, method, count_of(threads), cycle or "", smoother or "")
        self.method: str = method
        super().__init__(parts[5].dtype, (parts[1], parts[2]))

    def _matvec(self, x):
        x = np.asarray(x).reshape(-1)
        dtype = np.result_type(x.dtype, self.dtype)
        if dtype.kind == "c" and self.dtype.kind != "c":
            return self._matvec(x.real) + 1j * self._matvec(x.imag)
        return self.operator.apply(np.ascontiguousarray(x, self.dtype)).astype(dtype, copy=False)

    def __repr__(self) -> str:
        return f"<lacis.aspreconditioner {self.shape[0]} x {self.shape[1]}, {self.method}, {self.dtype}>"


def aspreconditioner(
    A: Matrix, method: str = "amg", threads: int | None = None, cycle: str | None = None, smoother: str | None = None
) -> Preconditioner:
    """A preconditioner of A as a LinearOperator, for lacis's solvers, SciPy's and PyAMG's: M=lacis.aspreconditioner(A).

    method: 'amg' (algebraic multigrid), 'jacobi', 'ilu0', 'ic0' or another one of the guide *Solving systems*; a name that there is not
    is an error that lists all. threads: of its products; None: lacis.get_num_threads(). Made once and used many times; its bits do not depend on the number of threads.

    Of 'amg': cycle is 'v' (default), 'w' or 'k'. A K-cycle is no linear map: it is for cg and bicgstab of lacis and for flexible
    methods. smoother: 'chebyshev' (default where A is Hermitian) or 'l1-jacobi'."""
    return Preconditioner(A, method, threads, cycle, smoother)


def preconditioner_of(m, a, dtype):
    """The operator of M: None, an operator, or the name of a preconditioner that is made from a."""
    if m is None:
        return None
    if isinstance(m, Preconditioner) and m.dtype == dtype:
        return m.operator
    if isinstance(m, str):
        if not (is_sparse(a) or is_torch(a) or isinstance(a, (tuple, np.ndarray))):
            raise InvalidArgument(f"M={m!r} is made from the entries of A, which an operator does not show")
        parts = in_order(parts_of(a))
        return _core.Operator.preconditioner(parts[:5] + (parts[5].astype(dtype, copy=False),), m)
    return operator_of(m, dtype)


def over_products(A):
    """A for SciPy's own solvers, so that they multiply with lacis."""
    if is_sparse(A) or is_torch(A):
        return asarray(A)
    if isinstance(A, (Plan, Side)):
        return _scipy.aslinearoperator(A)
    return A
