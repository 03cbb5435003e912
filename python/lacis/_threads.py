# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""How many threads products and solvers use where threads=None."""

import operator

from . import _core
from ._errors import InvalidArgument


def _whole(threads):
    """A number of threads as an int; of NumPy's integers too, but no text and no fraction."""
    try:
        return operator.index(threads)
    except TypeError:
        raise TypeError(f"threads must be an integer or None, not {threads!r}") from None


def set_num_threads(threads: int | None) -> None:
    """The number of threads of everything that is not given its own; None or 0: as many as OpenMP gives.

    OMP_NUM_THREADS and threadpoolctl set what OpenMP gives. Results have the same bits on any number of threads."""
    count = 0 if threads is None else _whole(threads)
    if count < 0:
        raise InvalidArgument(f"threads must not be negative: {count}; None uses as many as OpenMP gives")
    _core.set_num_threads(count)


def get_num_threads() -> int:
    """The number of threads where threads=None."""
    return _core.get_num_threads()


def count_of(threads):
    """The compiled part's number for an argument threads=."""
    if threads is None:
        return -1
    count = _whole(threads)
    if count < 1:
        raise InvalidArgument(f"threads must be at least 1, not {count}; None uses lacis.get_num_threads() = {get_num_threads()}")
    return count
