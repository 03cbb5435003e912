# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Graphs as matrices."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

from . import _core
from ._arrays import CSR, as_csr, parts_of
from ._errors import InvalidArgument, LacisWarning
from ._threads import count_of

if TYPE_CHECKING:
    from ._types import Array, Dense, Matrix


def pagerank(
    a: Matrix, alpha: float = 0.85, personalization: Dense | None = None, tol: float = 1e-6, max_iter: int = 100, threads: int | None = None
) -> Array:
    """The PageRank of every page, as a vector that adds up to 1.

    Entry (i, j) of a square matrix is a link from page i to page j, whatever its value: weights are not used.
    alpha is the damping factor; personalization holds one weight per page for where a random surfer goes who follows no
    link; tol bounds the change in one iteration, summed over all pages. The result is within alpha / (1 - alpha) times tol of the exact one."""
    parts = parts_of(a)
    if parts[0] != CSR:
        parts = as_csr(parts)
    data = parts[5]
    if not np.all(np.isfinite(data)):
        raise InvalidArgument("the matrix has entries that are infinite or not numbers; every entry of pagerank's matrix is a link")
    if len(data) and not np.all(data == data[0]):
        warnings.warn("pagerank counts links and does not use their weights", LacisWarning, stacklevel=2)
    weights = None
    if personalization is not None:
        weights = np.ascontiguousarray(personalization, dtype=np.float64)
        if weights.shape != (parts[1],):
            raise InvalidArgument(f"personalization needs one number per page: {parts[1]}, not shape {weights.shape}")
    ranks, iterations, change, converged, _, _ = _core.pagerank(
        parts, float(alpha), float(tol), int(max_iter), weights, count_of(threads), None
    )
    if not converged:
        warnings.warn(
            f"pagerank did not converge in {iterations} iterations: the last one changed {change:.2g}; raise max_iter or tol",
            LacisWarning,
            stacklevel=2,
        )
    return ranks
