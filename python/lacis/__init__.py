# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Sparse linear algebra with the same bits on any number of threads.

    A = lacis.csr_array(A)      # a scipy.sparse.csr_array whose products lacis computes
    P = lacis.plan(A)           # prepared for many products: P @ x
    r = lacis.solve(A, b)       # method and preconditioner chosen from the matrix: r.x, r.reason
    r = lacis.solve_batch(A, values, b)     # thousands of small systems of one pattern: r.x, r.status

What needs scipy.sparse (csr_array, csc_array, aspreconditioner, linalg, accelerated) is imported when it is first used."""

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

__version__ = _core.__version__

# name -> module that has it; these import scipy.sparse, which takes three times as long as NumPy.
_LATER = {
    "csr_array": "_sparse",
    "csc_array": "_sparse",
    "product_counts": "_sparse",
    "aspreconditioner": "_operators",
    "accelerated": "accelerate",
    "accelerated_calls": "accelerate",
}
_MODULES = ("linalg", "accelerate")

__all__ = [
    "BadInput", "BatchResult", "Error", "InvalidArgument", "InvalidMatrix", "IoError", "LacisWarning", "NoDevice",
    "OutOfMemory", "Overflow", "Plan", "Result", "Stopped", "Unsupported", "accelerate", "accelerated", "accelerated_calls", "aspreconditioner",
    "csc_array", "csr_array", "doctor", "generate", "generators", "get_num_threads", "info", "linalg", "multiply_batch",
    "pagerank", "plan", "product_counts", "read", "set_num_threads", "solve", "solve_batch", "spy", "write",
]


def __getattr__(name):
    import importlib

    if name in _LATER:
        value = getattr(importlib.import_module("." + _LATER[name], __name__), name)
        globals()[name] = value
        return value
    if name in _MODULES:
        return importlib.import_module("." + name, __name__)
    raise AttributeError(f"module 'lacis' has no attribute {name!r}")


def __dir__():
    return sorted(set(globals()) | set(__all__))
