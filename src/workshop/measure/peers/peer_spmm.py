# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Products of a matrix and dense columns, Y = A X, one class per library: load, prepare, multiply.

X is not in the file. Element (i, c) is made of the word

    w(i, c) = (i * 0x9E3779B97F4A7C15 + c * 0xD1B54A32D192ED03) mod 2^64

and is the number (floor(w / 2^(64 - d)) - 2^(d - 1)) / 2^(d - 1), with d = 53 digits in double and 24 in single
precision: exact, in [-1, 1), and independent of how many columns there are. A complex element has w(i, 2 c) for its real
part and w(i, 2 c + 1) for its imaginary part.
"""

import ctypes

import numpy as np

from peer_libraries import Eigen, Mkl, Scipy, Unusable, pointer
from peer_spmv import Spmv


def dense_columns(rows, count, order, dtype):
    """X with `count` columns; `order` is NumPy's, "C" or "F"."""
    real = np.finfo(dtype).dtype
    digits = np.finfo(dtype).nmant + 1
    middle = 2 ** (digits - 1)
    row_words = np.arange(rows, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)

    def numbers(column):
        word = np.uint64(column * 0xD1B54A32D192ED03 % 2**64)
        return (((row_words + word) >> np.uint64(64 - digits)).astype(np.int64) - middle).astype(real) / real.type(middle)

    x = np.empty((rows, count), dtype, order)
    for c in range(count):
        if np.iscomplexobj(x):
            x[:, c].real, x[:, c].imag = numbers(2 * c), numbers(2 * c + 1)
        else:
            x[:, c] = numbers(c)
    return x


class Spmm(Spmv):
    """load keeps the matrix; columns makes X and Y and calls prepare(); multiply fills Y."""

    def load(self, m):
        self.m = m
        self.hold(m)
        return "csr"

    def columns(self, count, order):
        if order not in ("row", "column"):
            raise Unusable(f"no order '{order}'")
        self.by_rows, self.count = order == "row", count
        layout = "C" if self.by_rows else "F"
        self.x = dense_columns(self.m.cols, count, layout, self.m.dtype)
        self.y = np.zeros((self.m.rows, count), self.m.dtype, layout)
        self.prepare()
        return ""

    def prepare(self):
        """X and Y are there."""

    def result(self):
        return self.y if self.by_rows else self.y.T  # tofile writes row after row


class ScipySpmm(Scipy, Spmm):
    """A @ X; Y is row-major whatever X is."""

    def hold(self, m):
        self.a = self.matrix(m)

    def multiply(self):
        self.y = self.a @ self.x


class MklSpmm(Mkl, Spmm):
    ROW_MAJOR, COLUMN_MAJOR = 101, 102

    def hold(self, m):
        self.use_integers(m.index_type())
        self.use_numbers(m.dtype)
        self.handle = None

    def prepare(self):
        # Hints add up, so every number of columns has a handle of its own.
        if self.handle:
            self.check("destroy", self.library.mkl_sparse_destroy(self.handle))
            self.arrays.clear()
        self.handle = self.matrix(self.m)
        plain, integer = self.Description(self.GENERAL, 0, 0), self.integer
        layout = ctypes.c_int(self.ROW_MAJOR if self.by_rows else self.COLUMN_MAJOR)
        self.check("set_mm_hint", self.library.mkl_sparse_set_mm_hint(
            self.handle, self.NON_TRANSPOSE, plain, layout, integer(self.count), integer(self.EXPECTED_CALLS)))
        self.check("optimize", self.library.mkl_sparse_optimize(self.handle))
        one, zero = self.one_and_zero()
        leading_x, leading_y = (self.count, self.count) if self.by_rows else (self.m.cols, self.m.rows)
        product = self.function("mm")
        arguments = (self.NON_TRANSPOSE, one, self.handle, plain, layout, pointer(self.x), integer(self.count),
                     integer(leading_x), zero, pointer(self.y), integer(leading_y))
        self.call = lambda: product(*arguments)

    def multiply(self):
        self.check("mm", self.call())


class EigenSpmm(Eigen, Spmm):
    def hold(self, m):
        self.use_types(m, m.index_type())
        self.a = self.matrix(m)

    def prepare(self):
        product = self.function("multiply_columns")
        arguments = (self.a, ctypes.c_int64(self.count), ctypes.c_int(self.by_rows), pointer(self.x), pointer(self.y))
        self.call = lambda: product(*arguments)

    def multiply(self):
        self.call()


PEERS = {"spmm": {"scipy": ScipySpmm, "mkl": MklSpmm, "eigen": EigenSpmm}}
