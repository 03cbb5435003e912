# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Names for type checkers; nothing of this is imported when a program runs."""

import os
from collections.abc import Callable
from typing import Any, TypeAlias

from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Path: TypeAlias = str | os.PathLike[str]
#: A SciPy matrix or array, a tensor, (data, indices, indptr), a dense array, a path or a description such as '@rmat:16'.
Matrix: TypeAlias = Any
#: A matrix, a plan, a LinearOperator.
Operator: TypeAlias = Any
#: Whatever NumPy makes an array of, tensors included.
Dense: TypeAlias = Any
#: False, True for a bar, or a function of (stage, share).
Progress: TypeAlias = bool | Callable[[str, float], object]
#: False, True for a bar, or a function of (iteration, residual).
Monitor: TypeAlias = bool | Callable[[int, float], object]
