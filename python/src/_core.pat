# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
# What the stub of lacis._core says about functions that have no signature in C++.

Plan.__matmul__$:
    def __matmul__(self, x: object, /) -> object: ...

Plan.__rmatmul__$:
    def __rmatmul__(self, x: object, /) -> object: ...
