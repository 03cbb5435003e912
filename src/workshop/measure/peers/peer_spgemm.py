# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Products of two sparse matrices, one class a library: load, second, multiply, result, discard.

The time of a product includes making C; discarding it is not timed. What Python adds to a call counts, which shows in
products of microseconds.
"""

import ctypes
import time

import numpy as np

from peer_libraries import Eigen, Graphblas, Mkl, Scipy, Unusable


def borrowed(address, count, dtype):
    """An array in the memory of a library."""
    size = count * np.dtype(dtype).itemsize
    if size == 0:
        return np.zeros(0, dtype)
    return np.frombuffer((ctypes.c_char * size).from_address(address), dtype)


class Spgemm:
    """What the protocol asks of a peer: hold(m) makes a matrix, result() gives offsets, columns and values."""

    KEEPS_ISO = False

    def load(self, m):
        self.m = self.b_matrix = m
        self.prepare(m)
        self.a = self.b = self.hold(m)
        self.ready()
        return "iso" if m.iso and self.KEEPS_ISO else "csr"

    def second(self, m):
        self.b_matrix = m
        self.b = self.hold(m)
        self.ready()
        return ""

    def prepare(self, m):
        """Before the first matrix."""

    def ready(self):
        """Both are there."""

    def product(self, path):
        self.multiply()
        offsets, columns, values = self.result()
        with open(path, "wb") as file:
            offsets.astype(np.int64, copy=False).tofile(file)
            columns.astype(self.m.columns.dtype, copy=False).tofile(file)
            values.astype(self.m.dtype, copy=False).tofile(file)
        self.discard()
        return len(columns)

    def run(self, times):
        clock, multiply, discard = time.perf_counter, self.multiply, self.discard
        seconds = 0.0
        for _ in range(times):
            begin = clock()
            multiply()
            seconds += clock() - begin
            discard()
        return seconds / times


class ScipySpgemm(Scipy, Spgemm):
    def hold(self, m):
        return self.matrix(m)

    def multiply(self):
        self.c = self.a @ self.b

    def result(self):
        return self.c.indptr, self.c.indices, self.c.data

    def discard(self):
        self.c = None


class ScipySortedSpgemm(ScipySpgemm):
    def multiply(self):
        self.c = self.a @ self.b
        self.c.sort_indices()


class MklUnsortedSpgemm(Mkl, Spgemm):
    def prepare(self, m):
        self.use_integers(m.index_type())
        self.use_numbers(m.dtype)

    def hold(self, m):
        if m.index_type() != self.index:
            raise Unusable("one matrix needs 64-bit numbers, the other does not")
        return self.matrix(m)

    def ready(self):
        self.c = ctypes.c_void_p()
        self.arguments = (self.NON_TRANSPOSE, self.a, self.b, ctypes.byref(self.c))
        self.spmm, self.order = self.library.mkl_sparse_spmm, self.library.mkl_sparse_order

    def multiply(self):
        status = self.spmm(*self.arguments)
        if status:
            self.check("spmm", status)

    def result(self):
        rows, cols, indexing = self.integer(), self.integer(), ctypes.c_int()
        starts, ends, columns, values = (ctypes.c_void_p() for _ in range(4))
        self.check("export_csr", self.function("export_csr")(
            self.c, *map(ctypes.byref, (indexing, rows, cols, starts, ends, columns, values))))
        starts = borrowed(starts.value, rows.value, self.index)
        ends = borrowed(ends.value, rows.value, self.index)
        if rows.value and (starts[0] != 0 or (starts[1:] != ends[:-1]).any()):
            raise Unusable("the rows of its product do not follow each other")
        offsets = np.concatenate((np.zeros(1, np.int64), ends))
        count = int(offsets[-1])
        return offsets, borrowed(columns.value, count, self.index), borrowed(values.value, count, self.dtype)

    def discard(self):
        self.library.mkl_sparse_destroy(self.c)


class MklSpgemm(MklUnsortedSpgemm):
    def multiply(self):
        status = self.spmm(*self.arguments)
        if status:
            self.check("spmm", status)
        status = self.order(self.c)
        if status:
            self.check("order", status)


class EigenSpgemm(Eigen, Spgemm):
    """C = A * B, whose columns ascend."""

    def prepare(self, m):
        self.use_types(m, m.index_type())

    def hold(self, m):
        if m.index_type() != self.index:
            raise Unusable("one matrix needs 64-bit numbers, the other does not")
        return self.matrix(m)

    def ready(self):
        self.call, self.destroy = self.function("product", ctypes.c_void_p), self.function("destroy")

    def multiply(self):
        self.c = ctypes.c_void_p(self.call(self.a, self.b))
        if not self.c:
            raise Unusable("no memory for the product")

    def result(self):
        addresses = (ctypes.c_void_p * 3)()
        count = self.function("arrays", ctypes.c_int64)(self.c, addresses)
        return (borrowed(addresses[0], self.m.rows + 1, self.index), borrowed(addresses[1], count, self.index),
                borrowed(addresses[2], count, self.dtype))

    def discard(self):
        self.destroy(self.c)


class GraphblasSpgemm(Graphblas, Spgemm):
    """GrB_mxm, whose result is put in order lazily: waiting for it makes it rows in order, as every other peer's."""

    KEEPS_ISO = True

    def prepare(self, m):
        self.use_numbers(m.dtype)

    def hold(self, m):
        return self.matrix(m)

    def ready(self):
        lib = self.lib
        self.c = self.ffi.new("GrB_Matrix*")
        self.cols = self.b_matrix.cols
        self.rest = (self.ffi.NULL, self.ffi.NULL, self.plus_times(), self.a[0], self.b[0], self.ffi.NULL)
        self.new, self.mxm, self.wait, self.set = (
            lib.GrB_Matrix_new, lib.GrB_mxm, lib.GrB_Matrix_wait, lib.GxB_Matrix_Option_set_INT32)
        self.as_rows = (lib.GxB_SPARSITY_CONTROL, lib.GxB_SPARSE)
        self.materialize = lib.GrB_MATERIALIZE

    def multiply(self):
        # Each call returns 0 when it succeeds.
        c = self.c
        status = (self.new(c, self.type, self.m.rows, self.cols) or self.set(c[0], *self.as_rows)
                  or self.mxm(c[0], *self.rest) or self.wait(c[0], self.materialize))
        if status:
            self.check(status)

    def result(self):
        ffi, lib = self.ffi, self.lib
        offsets, columns, values = ffi.new("GrB_Index**"), ffi.new("GrB_Index**"), ffi.new("void**")
        sizes, iso, jumbled = ffi.new("GrB_Index[3]"), ffi.new("bool*"), ffi.new("bool*")
        self.check(lib.GxB_Matrix_unpack_CSR(
            self.c[0], offsets, columns, values, sizes, sizes + 1, sizes + 2, iso, jumbled, ffi.NULL))
        if jumbled[0]:
            raise Unusable("the rows of its product are not sorted after waiting for it")

        def taken(address, count, dtype):
            where = int(ffi.cast("uintptr_t", address[0]))
            copy = borrowed(where, count, dtype).copy()
            ctypes.CDLL(None).free(ctypes.c_void_p(where))
            return copy

        offsets = taken(offsets, self.m.rows + 1, np.uint64)
        count = int(offsets[-1])
        columns = taken(columns, count, np.uint64).astype(self.m.columns.dtype)
        values = taken(values, 1 if iso[0] else count, self.dtype)
        return offsets, columns, np.full(count, values[0]) if iso[0] and count else values[:count]

    def discard(self):
        self.lib.GrB_Matrix_free(self.c)


PEERS = {
    "spgemm": {
        "scipy": ScipySpgemm,
        "scipy-sorted": ScipySortedSpgemm,
        "mkl": MklSpgemm,
        "mkl-unsorted": MklUnsortedSpgemm,
        "eigen": EigenSpgemm,
        "graphblas": GraphblasSpgemm,
    }
}
