# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""lacis.solve: the method and the preconditioner are chosen from the matrix."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._arrays import VALUES, exact_values, in_order, parts_of
from ._errors import InvalidArgument, LacisWarning
from ._plan import Plan
from ._progress import progress_of
from ._threads import count_of

if TYPE_CHECKING:
    from ._types import Array, Dense, Monitor, Operator, Path


@dataclass
class Result:
    """What solve() found. residual is |b - A x| / |b|, computed from x at the end."""

    x: Array = field(repr=False)
    converged: bool
    residual: float
    iterations: int
    reason: str
    method: str
    history: Array = field(repr=False)
    seconds: float

    def plot(self, ax: Any = None) -> Any:
        """The residual after every iteration, on matplotlib axes, which it gives back."""
        if ax is None:
            import matplotlib.pyplot as plt

            ax = plt.subplots()[1]
        ax.semilogy(np.arange(1, len(self.history) + 1), self.history, label=self.method)
        ax.set_xlabel("iteration")
        ax.set_ylabel("|b - A x| / |b|")
        ax.legend()
        return ax


def result_from(x, report):
    """The Result of a report of the compiled part."""
    return Result(
        x=x,
        converged=report["outcome"] == 0,
        residual=report["residual"],
        iterations=report["iterations"],
        reason=report["reason"],
        method=report["method"],
        history=report["history"],
        seconds=report["seconds"],
    )


def right_hand_side(b, rows):
    """b as a vector of one of the four types."""
    b = exact_values(b)
    if b.shape not in ((rows,), (rows, 1)):
        raise InvalidArgument(f"the matrix has {rows} rows, b has shape {b.shape}; solve for several right-hand sides one after the other")
    return np.ascontiguousarray(b.reshape(-1))


def common_type(*types):
    """The one of the four types that holds all of them."""
    dtype = np.result_type(*types)
    if dtype not in VALUES:
        raise TypeError(f"a system of {dtype} is not possible; convert it to float64 or complex128")
    return dtype


def goal_of(tol, dtype):
    """The residual to reach: 1e-8 without tol, in single precision 1e-4."""
    if tol is None:
        return 1e-4 if np.dtype(dtype).char in "fF" else 1e-8
    if not tol >= 0:
        raise InvalidArgument(f"tol must not be negative, but is {tol}")
    # 0 stands for the default in lacis.h: in its place the smallest number that is not.
    return max(float(tol), float(np.finfo(np.float64).tiny))


def start_vector(x0, size, dtype):
    """A copy of x0, or zeros."""
    if x0 is None:
        return np.zeros(size, dtype)
    x = np.array(x0, dtype=dtype).reshape(-1)
    if x.shape != (size,):
        raise InvalidArgument(f"x0 needs {size} elements, not {x.size}")
    return x


def length(x):
    """The Euclidean length, also where squares of the elements leave the range of their type."""
    x = np.abs(np.asarray(x).ravel()).astype(np.float64)
    largest = x.max(initial=0.0)
    return float(largest * np.linalg.norm(x / largest)) if 0 < largest < np.inf else float(largest)


def most_iterations(maxiter):
    """A limit for lacis.h, where 0 stands for the default."""
    if maxiter is None:
        return 0
    if maxiter < 1:
        raise InvalidArgument(f"maxiter must be at least 1, not {maxiter}; None leaves it to lacis")
    return int(maxiter)


def progress_bar(progress, tolerance):
    """progress_of() for iterations."""

    def make(tqdm):
        bar = tqdm(desc="solve", unit=" iterations", leave=False)

        def report(iteration, residual):
            bar.set_postfix_str(f"residual {residual:.2e}, goal {tolerance:.0e}", refresh=False)
            bar.update(max(0, iteration - bar.n))

        return bar, report

    return progress_of(progress, make)


def solve(
    A: Operator,
    b: Dense,
    tol: float | None = None,
    method: str | None = None,
    precond: Operator | None = None,
    progress: Monitor = False,
    checkpoint: Path | None = None,
    threads: int | None = None,
    x0: Dense | None = None,
    maxiter: int | None = None,
    restart: int | None = None,
    device: str | None = "cpu",
    cycle: str | None = None,
    smoother: str | None = None,
) -> Result:
    """Solves A x = b. Method and preconditioner are chosen from the matrix unless they are named; others take over when one fails.

    tol: of |b - A x| / |b|; without it 1e-8, in single precision 1e-4.
    method: 'cg', 'minres', 'bicgstab', 'gmres' or another one of the guide *Solving systems*, 'direct'. precond: 'none', 'jacobi', 'ilu0',
    'ic0', 'amg' or another one of the guide; a name that there is not is an error that lists all. progress=True shows a bar if tqdm is installed; a function is called with (iteration, residual).
    checkpoint: a directory where the state is kept, and from which an interrupted solution goes on with the same bits.
    device: 'cpu', 'simt' (the host executor), 'cuda:0': where A is copied to and solved. A may also be a plan or an operator; then the method
    has to be named, and the device is that of the plan.
    cycle, smoother: of precond='amg', as in lacis.aspreconditioner(); with a plan give precond=lacis.aspreconditioner(A, cycle=...) instead.

    Gives a Result; one that did not converge is a LacisWarning, not an exception."""
    if isinstance(A, Plan) or (hasattr(A, "matvec") and not hasattr(A, "tocsr")):
        if device not in (None, "cpu"):
            raise InvalidArgument(f"A is a plan or an operator, which solves where its products run; make the plan with device={device!r}")
        if method is None:
            raise InvalidArgument("an operator has no entries to choose a method from: name one, such as method='cg'")
        if cycle or smoother:
            raise InvalidArgument("A is a plan or an operator: give cycle and smoother to lacis.aspreconditioner(), and that as precond")
        from .linalg import goal_for, solve_with

        tol = goal_for(A, b, tol)
        result = solve_with(method, A, b, x0=x0, M=precond, tolerance=tol, maxiter=maxiter, restart=restart, checkpoint=checkpoint)
    else:
        parts = in_order(parts_of(A))
        rows, cols = parts[1], parts[2]
        b = right_hand_side(b, rows)
        dtype = common_type(parts[5].dtype, b.dtype)
        parts = parts[:5] + (parts[5].astype(dtype, copy=False),)
        x = start_vector(x0, cols, dtype)
        tol = goal_of(tol, dtype)
        report, done = progress_bar(progress, tol)
        try:
            found = _core.solve_matrix(
                parts,
                method or "",
                b.astype(dtype, copy=False),
                x,
                tol,
                most_iterations(maxiter),
                0 if restart is None else int(restart),
                count_of(threads),
                precond or "",
                report,
                "" if checkpoint is None else os.fspath(checkpoint),
                "" if device in (None, "cpu") else device,
                cycle or "",
                smoother or "",
            )
        finally:
            done()
        result = result_from(x, found)
    if not result.converged:
        warnings.warn(f"no solution to {tol:.0e}: {result.reason} (residual {result.residual:.2e})", LacisWarning, stacklevel=2)
    return result
