# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Triangular systems and incomplete factors, one class a library: load, work, result. trsv solves with the lower triangle
of the file's matrix and its vector; ilu0 gives the values of both factors in the places of the matrix; ic0's factors
are not compared, since libraries differ in what they keep."""

import ctypes
import time

import numpy as np

from peer_libraries import Eigen, Mkl, Scipy, Unusable, pointer


class Work:
    """What the protocol asks of a peer, over work and result."""

    def product(self, path):
        self.work()
        self.result().tofile(path)
        return ""

    def run(self, times):
        begin = time.perf_counter()
        for _ in range(times):
            self.work()
        return (time.perf_counter() - begin) / times

    def result(self):
        return self.x


class ScipyTrsv(Scipy, Work):
    def load(self, m):
        from scipy.sparse.linalg import spsolve_triangular

        self.call = spsolve_triangular
        self.a, self.b = self.sparse.csr_array(self.sparse.tril(self.matrix(m))), m.x
        return "csr"

    def work(self):
        self.x = self.call(self.a, self.b, lower=True)


class MklTrsv(Mkl, Work):
    TRIANGULAR, LOWER, NON_UNIT = 23, 40, 50

    def load(self, m):
        self.use_integers(m.index_type())
        self.use_numbers(m.dtype)
        if m.dtype != np.float64:
            raise Unusable("it is measured with double")
        handle = self.matrix(m)
        lower = self.Description(self.TRIANGULAR, self.LOWER, self.NON_UNIT)
        self.check("set_sv_hint", self.library.mkl_sparse_set_sv_hint(
            handle, self.NON_TRANSPOSE, lower, self.integer(self.EXPECTED_CALLS)))
        self.check("optimize", self.library.mkl_sparse_optimize(handle))
        self.b, self.x = m.x, np.zeros(m.rows)
        solve = self.function("trsv")
        arguments = (self.NON_TRANSPOSE, ctypes.c_double(1), handle, lower, pointer(self.b), pointer(self.x))
        self.call = lambda: solve(*arguments)
        return "csr"

    def work(self):
        self.check("trsv", self.call())


class MklIlu0(Mkl, Work):
    """dcsrilu0, which counts from one."""

    def load(self, m):
        if m.dtype != np.float64 or m.index_type() != np.int32:
            raise Unusable("dcsrilu0 is for double and 32-bit indices")
        self.use_integers(np.int32)
        self.offsets = (m.row_offsets + 1).astype(np.int32)
        self.columns = (m.columns + 1).astype(np.int32)
        self.values, self.x = m.all_values(), np.zeros(m.entries)
        self.integers, self.doubles = np.zeros(128, np.int32), np.zeros(128)
        self.doubles[30], self.doubles[31] = 1e-16, 1e-10
        self.rows, self.status = ctypes.c_int32(m.rows), ctypes.c_int32()
        return "csr"

    def work(self):
        self.library.dcsrilu0(
            ctypes.byref(self.rows), pointer(self.values), pointer(self.offsets), pointer(self.columns),
            pointer(self.x), pointer(self.integers), pointer(self.doubles), ctypes.byref(self.status))
        if self.status.value != 0:
            raise Unusable(f"dcsrilu0 returned {self.status.value}")


class EigenTrsv(Eigen, Work):
    def load(self, m):
        self.use_types(m, m.index_type())
        self.b, self.x = m.x, np.zeros(m.rows, m.dtype)
        self.arguments = (self.matrix(m), pointer(self.b), pointer(self.x))
        return "csr"

    def work(self):
        self.function("solve_lower")(*self.arguments)


class EigenIc0(Eigen, Work):
    def load(self, m):
        self.use_types(m, m.index_type())
        self.a = self.matrix(m)
        return "csr"

    def work(self):
        if self.function("incomplete_cholesky", ctypes.c_int)(self.a) != 0:
            raise Unusable("it found no factor")


PEERS = {
    "trsv": {"mkl": MklTrsv, "eigen": EigenTrsv, "scipy": ScipyTrsv},
    "ilu0": {"mkl": MklIlu0},
    "ic0": {"eigen": EigenIc0},
}
