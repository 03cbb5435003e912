# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Sparse linear algebra with the same bits on any number of threads.

    A = lacis.asarray(A)        # a matrix of SciPy whose products lacis computes
    P = lacis.plan(A)           # prepared for many products: P @ x
    r = lacis.solve(A, b)       # method and preconditioner chosen from the matrix: r.x, r.reason
    r = lacis.solve_batch(A, values, b)     # thousands of small systems of one pattern: r.x, r.status

What needs scipy.sparse (csr_array, asarray, aspreconditioner, linalg, accelerated, ...) is imported when it is first used."""

from typing import TYPE_CHECKING

import numpy as _numpy

from ._waiting import short_spins as _short_spins

with _short_spins():
    from . import _core

_core.use_numpy(_numpy)

from ._batch import BatchResult, multiply_batch, solve_batch
from ._errors import (
    BadInput,
    Error,
    InvalidArgument,
    InvalidMatrix,
    IoError,
    LacisWarning,
    NoDevice,
    OutOfMemory,
    Overflow,
    Stopped,
    Unsupported,
)
from ._facts import doctor, info, spy
from ._files import generate, generators, read, write
from ._graph import pagerank
from ._plan import Plan, plan
from ._solve import Result, solve
from ._threads import get_num_threads, set_num_threads

if TYPE_CHECKING:
    from . import accelerate, linalg
    from ._operators import aspreconditioner
    from ._sparse import asarray, csc_array, csc_matrix, csr_array, csr_matrix, product_counts, spgemm
    from .accelerate import accelerated, accelerated_calls

__version__: str = _core.__version__

# name -> module that has it; these import scipy.sparse, which takes three times as long as NumPy.
_LATER = {
    "asarray": "_sparse",
    "csc_array": "_sparse",
    "csc_matrix": "_sparse",
    "csr_array": "_sparse",
    "csr_matrix": "_sparse",
    "product_counts": "_sparse",
    "spgemm": "_sparse",
    "aspreconditioner": "_operators",
    "accelerated": "accelerate",
    "accelerated_calls": "accelerate",
}
_MODULES = ("linalg", "accelerate")

__all__ = [
    "BadInput", "BatchResult", "Error", "InvalidArgument", "InvalidMatrix", "IoError", "LacisWarning", "NoDevice",
    "OutOfMemory", "Overflow", "Plan", "Result", "Stopped", "Unsupported", "accelerate", "accelerated", "accelerated_calls", "asarray",
    "aspreconditioner", "csc_array", "csc_matrix", "csr_array", "csr_matrix", "doctor", "generate", "generators", "get_num_threads", "info", "linalg", "multiply_batch",
    "pagerank", "plan", "product_counts", "read", "set_num_threads", "solve", "solve_batch", "spgemm", "spy", "write",
]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        import importlib

        if name in _LATER:
            value = getattr(importlib.import_module("." + _LATER[name], __name__), name)
            globals()[name] = value
            return value
        if name in _MODULES:
            return importlib.import_module("." + name, __name__)
        raise AttributeError(f"module 'lacis' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted((set(globals()) | set(__all__)) - {"TYPE_CHECKING"})
