# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""scipy.sparse.linalg with lacis underneath.

cg, minres, gmres, bicgstab, lsqr, eigsh, svds and lobpcg are lacis's behind SciPy's signatures. eigs and expm_multiply are SciPy's over
lacis's products; every other name is SciPy's own.

Solvers stop by the true residual: |b - A x| <= max(rtol * |b|, atol) holds for the x that is given back."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse.linalg as _scipy

from . import _core
from ._eigen import EigenReport, NoConvergence, eigsh, lobpcg, svds
from ._errors import InvalidArgument
from ._operators import dtype_of, operator_of, over_products, preconditioner_of, shape_of
from ._plan import Plan
from ._solve import Result, common_type, goal_of, length, result_from, right_hand_side, start_vector
from ._sparse import csr_array

if TYPE_CHECKING:
    from ._types import Array, Dense, Operator, Path

__all__ = [
    "EigenReport", "NoConvergence", "bicgstab", "cg", "eigs", "eigsh", "expm_multiply", "gmres", "lobpcg", "lsqr", "minres", "svds",
]


def goal_for(A: Operator, b: Dense, tol: float | None) -> float:
    """The residual to reach with an operator and b."""
    return goal_of(tol, common_type(dtype_of(A), right_hand_side(b, shape_of(A)[0]).dtype))


def solve_with(
    method: str,
    A: Operator,
    b: Dense,
    x0: Dense | str | None = None,
    M: Operator | None = None,
    tolerance: float | None = None,
    maxiter: int | None = None,
    restart: int | None = None,
    monitor: Callable[[int, float], object] | None = None,
    checkpoint: Path | None = None,
    adjoint: bool = False,
) -> Result:
    """One method on an operator; gives a Result."""
    rows, cols = shape_of(A)
    b = right_hand_side(b, rows)
    dtype = common_type(dtype_of(A), b.dtype)
    if M is not None and not isinstance(M, str):
        dtype = common_type(dtype, dtype_of(M))
    a = operator_of(A, dtype, adjoint or method == "lsqr")
    m = preconditioner_of(M, A, dtype)
    if isinstance(x0, str):
        if x0 != "Mb" or M is None or isinstance(M, str):
            raise InvalidArgument("x0 must be a vector, or 'Mb' with a preconditioner M")
        x0 = _scipy.aslinearoperator(M).matvec(b)
    x = start_vector(x0, cols, dtype)
    if maxiter is not None and maxiter < 1:
        return _without_steps(method, A, b, x, goal_of(tolerance, dtype))
    report = _core.solve_operator(
        a,
        method,
        b.astype(dtype, copy=False),
        x,
        m,
        goal_of(tolerance, dtype),
        0 if maxiter is None else int(maxiter),
        0 if restart is None else int(restart),
        monitor,
        monitor is not None,
        "" if checkpoint is None else str(checkpoint),
    )
    result = result_from(x, report)
    result.outcome = report["outcome"]
    return result


def _without_steps(method, A, b, x, tolerance):
    """What maxiter=0 leaves: x as it is given, as SciPy gives it back."""
    size, rest = length(b), length(b - _products(A).matvec(x))
    residual = rest / size if size else rest
    done = residual <= tolerance
    result = Result(x, done, residual, 0, "the given x solves the system" if done else "maxiter allows no iteration", method, np.zeros(0), 0.0)
    result.outcome = 0 if done else 1
    return result


def _products(A):
    """A's products as a LinearOperator."""
    return _scipy.aslinearoperator(over_products(A) if not isinstance(A, tuple) else csr_array(A))


def _tolerance(b, rtol, atol):
    """SciPy stops at |r| <= max(rtol * |b|, atol); ours is relative to |b|."""
    if rtol < 0 or atol < 0:
        raise ValueError("rtol and atol must not be negative")
    size = length(b)
    return goal_of(max(float(rtol), float(atol) / size if size else 0.0), np.float64)


def _finish(result, report):
    """(x, info) as SciPy gives them: 0 converged, > 0 iterations without, < 0 breakdown."""
    info = 0 if result.outcome == 0 else -1 if result.outcome in (4, 5) else max(1, result.iterations)
    return (result.x, info, result) if report else (result.x, info)


def cg(
    A: Operator,
    b: Dense,
    x0: Dense | None = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Operator | None = None,
    callback: Callable[[Array], object] | None = None,
    report: bool = False,
) -> tuple[Any, ...]:
    """scipy.sparse.linalg.cg: conjugate gradients for Hermitian positive definite A.

    M may also be the name of a preconditioner: 'jacobi', 'ic0', 'amg', ...; lacis.aspreconditioner(A, cycle='w') chooses more of it. report=True
    adds a Result. With callback(xk), which needs the iterate in every step, SciPy's own loop runs over lacis's products."""
    if callback is not None:
        return _with_callback(_scipy.cg, A, b, report, x0=x0, rtol=rtol, atol=atol, maxiter=maxiter, M=M, callback=callback)
    return _finish(solve_with("cg", A, b, x0, M, _tolerance(b, rtol, atol), maxiter), report)


def bicgstab(
    A: Operator,
    b: Dense,
    x0: Dense | None = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Operator | None = None,
    callback: Callable[[Array], object] | None = None,
    report: bool = False,
) -> tuple[Any, ...]:
    """scipy.sparse.linalg.bicgstab; see cg."""
    if callback is not None:
        return _with_callback(_scipy.bicgstab, A, b, report, x0=x0, rtol=rtol, atol=atol, maxiter=maxiter, M=M, callback=callback)
    return _finish(solve_with("bicgstab", A, b, x0, M, _tolerance(b, rtol, atol), maxiter), report)


def minres(
    A: Operator,
    b: Dense,
    x0: Dense | None = None,
    *,
    rtol: float = 1e-5,
    shift: float = 0.0,
    maxiter: int | None = None,
    M: Operator | None = None,
    callback: Callable[[Array], object] | None = None,
    show: bool = False,
    check: bool = False,
    report: bool = False,
) -> tuple[Any, ...]:
    """scipy.sparse.linalg.minres for Hermitian A; see cg. With a shift, show or check it is SciPy's own over lacis's products."""
    if callback is not None or shift != 0 or show or check:
        return _with_callback(
            _scipy.minres, A, b, report, x0=x0, rtol=rtol, shift=shift, maxiter=maxiter, M=M, callback=callback, show=show, check=check
        )
    return _finish(solve_with("minres", A, b, x0, M, _tolerance(b, rtol, 0.0), maxiter), report)


def gmres(
    A: Operator,
    b: Dense,
    x0: Dense | None = None,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    restart: int | None = None,
    maxiter: int | None = None,
    M: Operator | None = None,
    callback: Callable[[Any], object] | None = None,
    callback_type: str | None = None,
    report: bool = False,
) -> tuple[Any, ...]:
    """scipy.sparse.linalg.gmres; see cg. As there, restart is 20 by default and maxiter counts restarts.

    callback_type 'pr_norm' (SciPy's default) calls with the relative residual; 'x' is SciPy's own loop over lacis's products."""
    if callback is not None and callback_type == "x":
        return _with_callback(
            _scipy.gmres, A, b, report, x0=x0, rtol=rtol, atol=atol, restart=restart, maxiter=maxiter, M=M, callback=callback, callback_type="x"
        )
    if callback_type not in (None, "x", "pr_norm", "legacy"):
        raise ValueError(f"unknown callback_type {callback_type!r}: 'x', 'pr_norm' or 'legacy'")
    rows = shape_of(A)[0]
    cycle = min(20 if restart is None else int(restart), max(rows, 1))
    steps = None if maxiter is None else int(maxiter) if callback_type == "legacy" else int(maxiter) * cycle
    monitor = None if callback is None else lambda iteration, residual: callback(residual)
    return _finish(solve_with("gmres", A, b, x0, M, _tolerance(b, rtol, atol), steps, cycle, monitor), report)


def lsqr(
    A: Operator,
    b: Dense,
    damp: float = 0.0,
    atol: float = 1e-6,
    btol: float = 1e-6,
    conlim: float = 1e8,
    iter_lim: int | None = None,
    show: bool = False,
    calc_var: bool = False,
    x0: Dense | None = None,
    *,
    report: bool = False,
) -> tuple[Any, ...]:
    """scipy.sparse.linalg.lsqr: least squares for any A. Gives SciPy's ten values; anorm, acond and var are not computed and are NaN or zeros.

    With damp, show or calc_var it is SciPy's own over lacis's products."""
    if damp != 0 or show or calc_var:
        found = _scipy.lsqr(over_products(A), b, damp, atol, btol, conlim, iter_lim, show, calc_var, x0)
        return found + (None,) if report else found
    tolerance = max(min(atol, btol), np.finfo(np.float64).eps)
    result = solve_with("lsqr", A, b, x0, None, tolerance, iter_lim, adjoint=True)
    b = np.asarray(b).ravel()
    operator = _products(A)
    r = b - operator.matvec(result.x)
    r1norm, size = length(r), length(b)
    arnorm = float("nan") if isinstance(A, Plan) and not A.holds_transpose else length(operator.rmatvec(r))
    istop = 0 if size == 0 else (1 if r1norm <= 2 * tolerance * size else 2) if result.converged else 7
    nan = float("nan")
    values = (result.x, istop, result.iterations, r1norm, r1norm, nan, nan, arnorm, length(result.x), np.zeros(result.x.size))
    return values + (result,) if report else values


def _with_callback(solver, A, b, report, **options):
    """SciPy's solver over our products."""
    M = options.get("M")
    if isinstance(M, str):
        raise InvalidArgument(f"M={M!r} cannot be used with a callback that takes the iterate; give an operator")
    options["M"] = over_products(M) if M is not None else None
    if "rtol" not in inspect.signature(solver).parameters:  # SciPy 1.11 has the same under another name
        options["tol"] = options.pop("rtol")
    x, info = solver(over_products(A), b, **options)
    return (x, info, None) if report else (x, info)


def _forwarded(name: str) -> Callable[..., Any]:
    function = getattr(_scipy, name)

    def forwarded(A, *args, **options):
        return function(over_products(A), *args, **options)

    forwarded.__name__ = forwarded.__qualname__ = name
    forwarded.__doc__ = f"scipy.sparse.linalg.{name} over lacis's products.\n\n{function.__doc__}"
    forwarded.__wrapped__ = function
    return forwarded


eigs: Callable[..., Any] = _forwarded("eigs")
expm_multiply: Callable[..., Any] = _forwarded("expm_multiply")


def __getattr__(name: str) -> Any:
    # spsolve, splu, norm, LinearOperator, ...: SciPy's own.
    try:
        return getattr(_scipy, name)
    except AttributeError:
        raise AttributeError(f"neither lacis.linalg nor scipy.sparse.linalg has {name!r}") from None


def __dir__() -> list[str]:
    return sorted(set(__all__) | {name for name in dir(_scipy) if not name.startswith("_")})
