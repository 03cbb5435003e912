# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Eigenvalues and singular values with SciPy's signatures. What lacis does not do (eigenvalues inside the spectrum, constraints) is SciPy's over
lacis's products."""

from __future__ import annotations

import inspect
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse.linalg as _scipy

from . import _core
from ._arrays import aligned
from ._errors import InvalidArgument, LacisWarning
from ._operators import dtype_of, operator_of, over_products, preconditioner_of, shape_of
from ._solve import common_type

if TYPE_CHECKING:
    from ._types import Array, Dense, Operator

_CONVERGED, _STAGNATED = 0, 3
# 0 stands for the default in lacis.h; the smallest number that is not.
_LEAST = np.finfo(np.float64).tiny
_PARTS = {"LM": "magnitude", "LA": "largest", "SA": "smallest", "BE": "both"}


@dataclass
class EigenReport:
    """How a search went. A Hermitian matrix has an eigenvalue within residuals[j] of values[j], rounding errors apart; so it is with singular values."""

    values: Array
    residuals: Array
    is_converged: Array = field(repr=False)
    converged: bool
    iterations: int
    products: int
    method: str
    reason: str
    history: Array = field(repr=False)
    hash: int = field(repr=False)
    seconds: float

    def plot(self, ax: Any = None) -> Any:
        """The largest relative residual after every iteration, as far as it is known, on matplotlib axes, which it gives back."""
        if ax is None:
            import matplotlib.pyplot as plt

            ax = plt.subplots()[1]
        known = np.flatnonzero(np.isfinite(self.history))
        ax.semilogy(known + 1, self.history[known], label=self.method)
        ax.set_xlabel("iteration")
        ax.set_ylabel("largest |A x - w x| / |w|")
        ax.legend()
        return ax


class NoConvergence(_scipy.ArpackNoConvergence):
    """Not all eigenvalues converged. eigenvalues and eigenvectors hold those that did; report tells about all."""

    def __init__(self, report: EigenReport, eigenvalues: Array, eigenvectors: Array) -> None:
        RuntimeError.__init__(self, report.reason)
        self.report: EigenReport = report
        self.eigenvalues: Array = eigenvalues
        self.eigenvectors: Array = eigenvectors


def _report_of(found, order):
    return EigenReport(
        values=found["values"][order],
        residuals=found["residuals"][order],
        is_converged=found["is_converged"][order] == 1,
        converged=found["outcome"] == _CONVERGED,
        iterations=found["iterations"],
        products=found["products"],
        method=found["method"],
        reason=found["reason"],
        history=found["history"],
        hash=found["hash"],
        seconds=found["seconds"],
    )


def _options(part="", method="", tolerance=_LEAST, absolute=0.0, max_iterations=None, vectors=None, preconditioner=None, b=None, start=None):
    return {
        "part": part,
        "method": method,
        "tolerance": max(float(tolerance), _LEAST),
        "absolute_tolerance": float(absolute),
        "max_iterations": 0 if max_iterations is None else int(max_iterations),
        "vectors": 0 if vectors is None else int(vectors),
        "preconditioner": preconditioner,
        "b": b,
        "start": start,
    }


def _square(A):
    rows, cols = shape_of(A)
    if rows != cols:
        raise InvalidArgument(f"eigenvalues need a square matrix, not one of {rows} x {cols}; svds takes any")
    return rows


def _start(v0, rng, size, dtype):
    """Start vectors as columns, or None: then lacis has its own, the same in every run."""
    if v0 is None and rng is not None:
        v0 = np.random.default_rng(rng).uniform(-1, 1, size)
    if v0 is None:
        return None
    v0 = np.asarray(v0, dtype)
    if v0.shape not in ((size,), (size, 1)):
        raise InvalidArgument(f"v0 needs {size} elements, not shape {v0.shape}")
    return aligned(v0.reshape(-1, 1))


def _limits(k, ncv, maxiter, size):
    """Vectors of the basis, and products for SciPy's number of restarts; a step of lanczos is two of them."""
    if maxiter is not None and maxiter <= 0:
        raise ValueError(f"maxiter must be positive, maxiter={maxiter}")
    vectors = None if ncv is None else min(max(int(ncv), k + 2), size)
    steps = None if maxiter is None else int(maxiter) * (int(ncv) if ncv is not None else max(2 * k + 1, 20))
    return vectors, steps


def _is_whole(found, tol):
    """Whether all that was asked for is there: with tol=0 that is the attainable accuracy."""
    return found["outcome"] == _CONVERGED or (tol == 0 and found["outcome"] == _STAGNATED)


def _scipys(function, A, options):
    """SciPy's function over lacis's products; arguments at their defaults are left out, since versions differ in them."""
    known = inspect.signature(function).parameters
    given = {name: value for name, value in options.items() if name not in known or value is not known[name].default}
    return function(over_products(A), **given)


def eigsh(
    A: Operator,
    k: int = 6,
    M: Operator | None = None,
    sigma: float | None = None,
    which: str = "LM",
    v0: Dense | None = None,
    ncv: int | None = None,
    maxiter: int | None = None,
    tol: float = 0,
    return_eigenvectors: bool = True,
    Minv: Operator | None = None,
    OPinv: Operator | None = None,
    mode: str = "normal",
    rng: Any = None,
    *,
    report: bool = False,
) -> Any:
    """scipy.sparse.linalg.eigsh: k eigenvalues, ascending, and eigenvectors of a Hermitian A, by Lanczos with thick restarts.

    which: 'LM' (farthest from zero), 'LA' (largest), 'SA' (smallest), 'BE' (from both ends). With M, which must be positive definite, and 'LA' or
    'SA', A x = w M x by LOBPCG. A pair has converged when |A x - w x| <= tol |w|, with the true residual; tol=0 stands for the attainable accuracy.
    Where not all have, it raises NoConvergence, an ArpackNoConvergence. The bits do not depend on the number of threads. report=True adds an
    EigenReport, with a bound of every error.

    With sigma, 'SM', OPinv, or M and another part of the spectrum it is SciPy's own over lacis's products."""
    if sigma is not None or which == "SM" or OPinv is not None or mode != "normal" or (M is not None and which not in ("LA", "SA")):
        found = _scipys(_scipy.eigsh, A, dict(k=k, M=M, sigma=sigma, which=which, v0=v0, ncv=ncv, maxiter=maxiter, tol=tol, Minv=Minv, OPinv=OPinv,
                                              return_eigenvectors=return_eigenvectors, mode=mode, rng=rng))
        if not report:
            return found
        return found + (None,) if return_eigenvectors else (found, None)
    if which not in _PARTS:
        raise ValueError(f"which must be one of {', '.join([*_PARTS, 'SM'])}; not {which!r}")
    if tol < 0:
        raise ValueError("tol must not be negative")
    size = _square(A)
    dtype = common_type(dtype_of(A), dtype_of(A if M is None else M))
    if v0 is not None:
        dtype = common_type(dtype, np.float32, np.asarray(v0).dtype) if np.iscomplexobj(v0) else dtype
    vectors, steps = _limits(k, ncv, maxiter, size)
    how = _options(_PARTS[which], tolerance=tol, max_iterations=steps and (steps + 1) // 2, vectors=vectors if M is None else None, start=_start(v0, rng, size, dtype))
    if M is not None:
        how["b"] = operator_of(M, dtype)
        how["max_iterations"] = maxiter or max(1000, 10 * size)
    found = _core.eigs(operator_of(A, dtype, tune=M is None), int(k), how, None, False)
    about = _report_of(found, slice(None))
    values, vectors = found["values"].astype(dtype.type(0).real.dtype), found["vectors"]
    if not _is_whole(found, tol):
        raise NoConvergence(about, values[about.is_converged], vectors[:, about.is_converged])
    results = (values, vectors) if return_eigenvectors else (values,)
    results += (about,) if report else ()
    return results if len(results) > 1 else values


def svds(
    A: Operator,
    k: int = 6,
    ncv: int | None = None,
    tol: float = 0,
    which: str = "LM",
    v0: Dense | None = None,
    maxiter: int | None = None,
    return_singular_vectors: bool | str = True,
    solver: str = "arpack",
    rng: Any = None,
    options: dict[str, Any] | None = None,
    *,
    random_state: Any = None,
    report: bool = False,
) -> Any:
    """scipy.sparse.linalg.svds: the k largest ('LM') or smallest ('SM') singular values of any A, ascending. The largest by Lanczos iterations
    with A^H A or A A^H, the smallest by Golub-Kahan bidiagonalisation, which squares nothing.

    Gives u, s, vh; with return_singular_vectors False s alone, with 'u' or 'vh' None in the place of the other. A triplet has converged when
    the true residual is at most tol times the value; where not all have, it raises NoConvergence. report=True adds an EigenReport.

    With another solver or options it is SciPy's own over lacis's products."""
    rng = random_state if rng is None else rng
    if solver != "arpack" or options is not None:
        found = _scipys(_scipy.svds, A, dict(k=k, ncv=ncv, tol=tol, which=which, v0=v0, maxiter=maxiter, solver=solver, rng=rng, options=options,
                                             return_singular_vectors=return_singular_vectors))
        if not report:
            return found
        return found + (None,) if return_singular_vectors is not False else (found, None)
    if which not in ("LM", "SM"):
        raise ValueError(f"which must be 'LM' or 'SM', not {which!r}")
    if return_singular_vectors not in (True, False, "u", "vh"):
        raise ValueError(f"return_singular_vectors must be True, False, 'u' or 'vh', not {return_singular_vectors!r}")
    if tol < 0:
        raise ValueError("tol must not be negative")
    dtype = dtype_of(A)
    size = min(shape_of(A))
    vectors, steps = _limits(k, ncv, maxiter, size)
    how = _options("largest" if which == "LM" else "smallest", tolerance=tol, max_iterations=steps, vectors=vectors, start=_start(v0, rng, size, dtype))
    found = _core.svds(operator_of(A, dtype, adjoint=True), int(k), how, None, False)
    about = _report_of(found, slice(None, None, -1))
    s, u, v = found["values"][::-1].astype(dtype.type(0).real.dtype), found["left"][:, ::-1], found["right"][:, ::-1]
    if not _is_whole(found, tol):
        raise NoConvergence(about, s[about.is_converged], u[:, about.is_converged])
    if return_singular_vectors is False:
        return (s, about) if report else s
    results = (None if return_singular_vectors == "vh" else u, s, None if return_singular_vectors == "u" else v.conj().T)
    return results + (about,) if report else results


def lobpcg(
    A: Operator,
    X: Dense,
    B: Operator | None = None,
    M: Operator | None = None,
    Y: Dense | None = None,
    tol: float | None = None,
    maxiter: int | None = None,
    largest: bool = True,
    verbosityLevel: int = 0,
    retLambdaHistory: bool = False,
    retResidualNormsHistory: bool = False,
    restartControl: int = 20,
    *,
    report: bool = False,
) -> Any:
    """scipy.sparse.linalg.lobpcg: as many eigenvalues as X has columns, with their vectors; the largest first, or with largest=False the smallest.

    X: vectors to begin with. B: of A x = w B x, Hermitian and positive definite. M: nearly the inverse of A, or the name of a preconditioner, such
    as 'amg'; it helps the smallest. A pair has converged when the true residual |A x - w B x| is at most tol (n sqrt(eps) without it, as in SciPy);
    what has not converged after maxiter steps (20) is a LacisWarning. report=True adds an EigenReport.

    With constraints Y, histories, verbosityLevel, or functions in the place of matrices it is SciPy's own over lacis's products."""
    functions = any(callable(one) and not hasattr(one, "matvec") and not hasattr(one, "shape") for one in (A, B, M))
    if Y is not None or retLambdaHistory or retResidualNormsHistory or verbosityLevel or functions:
        if isinstance(M, str):
            raise InvalidArgument(f"M={M!r} cannot be combined with what SciPy's own function does; give lacis.aspreconditioner(A, {M!r})")
        found = _scipys(_scipy.lobpcg, A, dict(X=X, B=None if B is None else over_products(B), M=None if M is None else over_products(M), Y=Y, tol=tol,
                                               maxiter=maxiter, largest=largest, verbosityLevel=verbosityLevel, retLambdaHistory=retLambdaHistory,
                                               retResidualNormsHistory=retResidualNormsHistory, restartControl=restartControl))
        return found + (None,) if report else found
    size = _square(A)
    X = np.asarray(X)
    if X.ndim != 2 or X.shape[0] != size or not X.shape[1]:
        raise InvalidArgument(f"X needs {size} rows and at least one column, not shape {X.shape}")
    others = [dtype_of(one) for one in (B, M) if one is not None and not isinstance(one, str)]
    dtype = common_type(dtype_of(A), *others, *([X.dtype] if X.dtype.kind == "c" else []))
    absolute = size * np.sqrt(np.finfo(dtype).eps) if tol is None else tol
    if absolute < 0:
        raise ValueError("tol must not be negative")
    how = _options("largest" if largest else "smallest", "lobpcg", absolute=absolute, max_iterations=20 if maxiter is None else maxiter,
                   start=aligned(np.asarray(X, dtype)), preconditioner=preconditioner_of(M, A, dtype), b=None if B is None else operator_of(B, dtype))
    found = _core.eigs(operator_of(A, dtype), X.shape[1], how, None, False)
    order = slice(None, None, -1) if largest else slice(None)
    about = _report_of(found, order)
    if not _is_whole(found, absolute):
        warnings.warn(f"lobpcg: {about.reason} (largest residual {np.nanmax(about.residuals, initial=0):.2e})", LacisWarning, stacklevel=2)
    results = (about.values.astype(dtype.type(0).real.dtype), found["vectors"][:, order])
    return results + (about,) if report else results
