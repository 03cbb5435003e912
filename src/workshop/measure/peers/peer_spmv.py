# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Products of a matrix and a vector, one class a library: load, multiply, result."""

import time

import numpy as np

from peer_libraries import Eigen, Graphblas, Mkl, Scipy, pointer


class Spmv:
    """What the protocol asks of a peer, over multiply and result."""

    def product(self, path):
        self.multiply()
        self.result().tofile(path)
        return ""

    def run(self, times):
        begin = time.perf_counter()
        for _ in range(times):
            self.multiply()
        return (time.perf_counter() - begin) / times

    def result(self):
        return self.y


class ScipySpmv(Scipy, Spmv):
    def load(self, m):
        self.a, self.x = self.matrix(m), m.x
        return "csr"

    def multiply(self):
        self.y = self.a @ self.x


class MklSpmv(Mkl, Spmv):
    def load(self, m):
        self.use_integers(m.index_type())
        self.use_numbers(m.dtype)
        one, zero = self.one_and_zero()
        handle = self.matrix(m)
        plain = self.Description(self.GENERAL, 0, 0)
        self.check("set_mv_hint", self.library.mkl_sparse_set_mv_hint(
            handle, self.NON_TRANSPOSE, plain, self.integer(self.EXPECTED_CALLS)))
        self.check("optimize", self.library.mkl_sparse_optimize(handle))
        self.x, self.y = m.x, np.zeros(m.rows, m.dtype)
        product = self.function("mv")
        arguments = (self.NON_TRANSPOSE, one, handle, plain, pointer(self.x), zero, pointer(self.y))
        self.call = lambda: product(*arguments)
        return "csr"

    def multiply(self):
        self.check("mv", self.call())


class EigenSpmv(Eigen, Spmv):
    def load(self, m):
        self.use_types(m, m.index_type())
        self.x, self.y = m.x, np.zeros(m.rows, m.dtype)
        product = self.function("multiply")
        arguments = (self.matrix(m), pointer(self.x), pointer(self.y))
        self.call = lambda: product(*arguments)
        return "csr"

    def multiply(self):
        self.call()


class GraphblasSpmv(Graphblas, Spmv):
    def load(self, m):
        ffi, lib = self.ffi, self.lib
        self.use_numbers(m.dtype)
        self.rows = m.rows
        self.extract = self.function("Vector_extractTuples")
        x, self.y = ffi.new("GrB_Vector*"), ffi.new("GrB_Vector*")
        self.check(lib.GrB_Vector_new(x, self.type, m.cols))
        self.check(lib.GrB_Vector_new(self.y, self.type, m.rows))
        every = np.arange(m.cols, dtype=np.uint64)
        self.check(self.function("Vector_build")(x[0], self.indices(every), self.numbers(m.x), m.cols, self.first))
        self.check(lib.GrB_Vector_wait(x[0], lib.GrB_MATERIALIZE))
        matrix = self.matrix(m)
        # A matrix of ones need not be multiplied with.
        ones = m.iso and m.values[0] == 1
        semiring = getattr(lib, f"GxB_PLUS_SECOND_{self.kind}") if ones else self.plus_times()
        self.arguments = (self.y[0], ffi.NULL, ffi.NULL, semiring, matrix[0], x[0], ffi.NULL)
        self.owned = (x, matrix)
        return "iso" if m.iso else "csr"

    def multiply(self):
        self.check(self.lib.GrB_mxv(*self.arguments))
        self.check(self.lib.GrB_Vector_wait(self.y[0], self.lib.GrB_MATERIALIZE))

    def result(self):
        count = self.ffi.new("GrB_Index*", self.rows)
        places, numbers = np.zeros(self.rows, np.uint64), np.zeros(self.rows, self.dtype)
        self.check(self.extract(self.indices(places), self.numbers(numbers), count, self.y[0]))
        y = np.zeros(self.rows, self.dtype)
        y[places[: count[0]]] = numbers[: count[0]]
        return y


PEERS = {"spmv": {"scipy": ScipySpmv, "mkl": MklSpmv, "eigen": EigenSpmv, "graphblas": GraphblasSpmv}}
