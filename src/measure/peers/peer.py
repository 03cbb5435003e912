# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Another library multiplies, for lacis bench: `peer.py NAME` speaks a line protocol on standard input and output.

On start it says "ok VERSION" or "error REASON". Then, one answer for each line, "ok ..." or "error REASON":
  load FILE     takes a matrix and a vector (the file is described in src/measure/matrix_file.hpp); answers how it holds it
  product FILE  multiplies and writes y to the file, as raw numbers
  run N         multiplies N times; answers the seconds of one product
  quit          ends; so does the end of the input
The number of threads comes from the environment. Arrays are copied to memory of this process, untimed.
"""

import ctypes
import glob
import json
import os
import sys
import time


class Unusable(Exception):
    """The library is missing, or cannot take the matrix."""


class Matrix:
    """CSR arrays and a vector, copied out of the file."""

    def __init__(self, path):
        with open(path, "rb") as file:
            header = json.loads(file.read(4096))
        self.rows, self.cols, self.entries = header["rows"], header["cols"], header["entries"]
        self.dtype = np.dtype(header["value"])
        self.iso = header["iso"] and self.entries > 0

        def array(name, dtype, size):
            return np.fromfile(path, dtype=dtype, count=size, offset=header[name])

        self.row_offsets = array("row_offsets", np.int64, self.rows + 1)
        self.columns = array("columns", np.dtype(header["index"]), self.entries)
        self.values = array("values", self.dtype, 1 if header["iso"] else self.entries)
        self.x = array("x", self.dtype, self.cols)

    def index_type(self):
        """32 bits where they suffice: what the libraries are fastest with."""
        largest = max(self.rows, self.cols, self.entries)
        return np.int32 if largest < 2**31 else np.int64

    def all_values(self):
        return np.full(self.entries, self.values[0]) if self.iso else self.values


def pointer(array):
    return ctypes.c_void_p(array.ctypes.data)


class Scipy:
    def __init__(self):
        import scipy.sparse

        self.sparse = scipy.sparse
        self.version = scipy.__version__

    def load(self, m):
        index = m.index_type()
        arrays = (m.all_values(), m.columns.astype(index), m.row_offsets.astype(index))
        self.matrix = self.sparse.csr_array(arrays, shape=(m.rows, m.cols))
        self.x = m.x
        return "csr"

    def multiply(self):
        self.y = self.matrix @ self.x

    def result(self):
        return self.y


class Mkl:
    NON_TRANSPOSE = 10
    GENERAL = 20
    EXPECTED_CALLS = 1000

    class Description(ctypes.Structure):
        _fields_ = [("type", ctypes.c_int), ("mode", ctypes.c_int), ("diagonal", ctypes.c_int)]

    class Complex8(ctypes.Structure):
        _fields_ = [("real", ctypes.c_float), ("imaginary", ctypes.c_float)]

    class Complex16(ctypes.Structure):
        _fields_ = [("real", ctypes.c_double), ("imaginary", ctypes.c_double)]

    def __init__(self):
        names = sorted(glob.glob(os.path.join(sys.prefix, "lib", "libmkl_rt.so*"))) or ["libmkl_rt.so"]
        try:
            self.library = ctypes.CDLL(names[-1])
        except OSError:
            raise Unusable("not installed (tools/install-peers)") from None
        text = ctypes.create_string_buffer(256)
        self.library.MKL_Get_Version_String(text, 256)
        self.version = next((w for w in text.value.decode().split() if w[:1].isdigit()), "of unknown version")

    def load(self, m):
        index = m.index_type()
        self.library.MKL_Set_Interface_Layer(0 if index == np.int32 else 1)
        integer = ctypes.c_int32 if index == np.int32 else ctypes.c_int64
        letter, one, zero = {
            "float32": ("s", ctypes.c_float(1), ctypes.c_float(0)),
            "float64": ("d", ctypes.c_double(1), ctypes.c_double(0)),
            "complex64": ("c", self.Complex8(1, 0), self.Complex8(0, 0)),
            "complex128": ("z", self.Complex16(1, 0), self.Complex16(0, 0)),
        }[m.dtype.name]
        self.arrays = (m.row_offsets.astype(index), m.columns.astype(index), m.all_values())
        offsets, columns, values = self.arrays
        self.handle = ctypes.c_void_p()
        next_offsets = ctypes.c_void_p(offsets.ctypes.data + offsets.itemsize)
        self.check("create_csr", getattr(self.library, f"mkl_sparse_{letter}_create_csr")(
            ctypes.byref(self.handle), 0, integer(m.rows), integer(m.cols), pointer(offsets), next_offsets,
            pointer(columns), pointer(values)))
        plain = self.Description(self.GENERAL, 0, 0)
        self.check("set_mv_hint", self.library.mkl_sparse_set_mv_hint(
            self.handle, self.NON_TRANSPOSE, plain, integer(self.EXPECTED_CALLS)))
        self.check("optimize", self.library.mkl_sparse_optimize(self.handle))
        self.x, self.y = m.x, np.zeros(m.rows, m.dtype)
        product = getattr(self.library, f"mkl_sparse_{letter}_mv")
        arguments = (self.NON_TRANSPOSE, one, self.handle, plain, pointer(self.x), zero, pointer(self.y))
        self.call = lambda: product(*arguments)
        return "csr"

    @staticmethod
    def check(what, status):
        if status != 0:
            raise Unusable(f"mkl_sparse_{what} returned {status}")

    def multiply(self):
        self.check("mv", self.call())

    def result(self):
        return self.y


class Eigen:
    def __init__(self):
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "liblacis_eigen_peer.so")
        if not os.path.exists(path):
            raise Unusable("not built (tools/install-peers, then configure and build again)")
        self.library = ctypes.CDLL(path)
        self.library.eigen_version.restype = ctypes.c_char_p
        self.version = self.library.eigen_version().decode()

    def load(self, m):
        index = m.index_type()
        suffix = f"{m.dtype.name}_{np.dtype(index).name}"
        create = getattr(self.library, f"eigen_create_{suffix}")
        create.restype = ctypes.c_void_p
        offsets, columns, values = m.row_offsets.astype(index), m.columns.astype(index), m.all_values()
        handle = ctypes.c_void_p(create(
            ctypes.c_int64(m.rows), ctypes.c_int64(m.cols), pointer(offsets), pointer(columns), pointer(values)))
        if not handle:
            raise Unusable("it could not copy the matrix")
        self.x, self.y = m.x, np.zeros(m.rows, m.dtype)
        product = getattr(self.library, f"eigen_multiply_{suffix}")
        arguments = (handle, pointer(self.x), pointer(self.y))
        self.call = lambda: product(*arguments)
        return "csr"

    def multiply(self):
        self.call()

    def result(self):
        return self.y


class Graphblas:
    def __init__(self):
        import suitesparse_graphblas

        suitesparse_graphblas.initialize(blocking=False, memory_manager="c")
        self.ffi, self.lib = suitesparse_graphblas.ffi, suitesparse_graphblas.lib
        self.version = suitesparse_graphblas.__version__

    def check(self, status):
        if status != self.lib.GrB_SUCCESS:
            raise Unusable(f"GraphBLAS returned {status}")

    def load(self, m):
        ffi, lib = self.ffi, self.lib
        kind, owner, cell = {
            "float32": ("FP32", "GrB", "float*"),
            "float64": ("FP64", "GrB", "double*"),
            "complex64": ("FC32", "GxB", "GxB_FC32_t*"),
            "complex128": ("FC64", "GxB", "GxB_FC64_t*"),
        }[m.dtype.name]
        self.dtype, self.rows, self.cell = m.dtype, m.rows, cell
        self.extract = getattr(lib, f"{owner}_Vector_extractTuples_{kind}")
        build = getattr(lib, f"{owner}_Vector_build_{kind}")
        first = getattr(lib, f"{owner}_FIRST_{kind}")
        kind_object = getattr(lib, f"{owner}_{kind}")

        def numbers(array):
            return ffi.cast(cell, array.ctypes.data)

        def indices(array):
            return ffi.cast("GrB_Index*", array.ctypes.data)

        x, self.y, matrix = ffi.new("GrB_Vector*"), ffi.new("GrB_Vector*"), ffi.new("GrB_Matrix*")
        self.check(lib.GrB_Vector_new(x, kind_object, m.cols))
        self.check(lib.GrB_Vector_new(self.y, kind_object, m.rows))
        every = np.arange(m.cols, dtype=np.uint64)
        self.check(build(x[0], indices(every), numbers(m.x), m.cols, first))
        self.check(lib.GrB_Matrix_new(matrix, kind_object, m.rows, m.cols))
        rows = np.repeat(np.arange(m.rows, dtype=np.uint64), np.diff(m.row_offsets))
        columns = m.columns.astype(np.uint64)
        if m.iso:
            scalar = ffi.new("GrB_Scalar*")
            self.check(lib.GrB_Scalar_new(scalar, kind_object))
            self.check(getattr(lib, f"{owner}_Scalar_setElement_{kind}")(scalar[0], numbers(m.values)[0]))
            self.check(lib.GxB_Matrix_build_Scalar(matrix[0], indices(rows), indices(columns), scalar[0], m.entries))
        else:
            build_matrix = getattr(lib, f"{owner}_Matrix_build_{kind}")
            self.check(build_matrix(matrix[0], indices(rows), indices(columns), numbers(m.values), m.entries, first))
        self.check(lib.GrB_Matrix_wait(matrix[0], lib.GrB_MATERIALIZE))
        self.check(lib.GrB_Vector_wait(x[0], lib.GrB_MATERIALIZE))
        # A matrix of ones need not be multiplied with.
        if m.iso and m.values[0] == 1:
            semiring = getattr(lib, f"GxB_PLUS_SECOND_{kind}")
        else:
            semiring = getattr(lib, f"GrB_PLUS_TIMES_SEMIRING_{kind}" if owner == "GrB" else f"GxB_PLUS_TIMES_{kind}")
        self.arguments = (self.y[0], ffi.NULL, ffi.NULL, semiring, matrix[0], x[0], ffi.NULL)
        self.owned = (x, matrix)
        return "iso" if m.iso else "csr"

    def multiply(self):
        self.check(self.lib.GrB_mxv(*self.arguments))
        self.check(self.lib.GrB_Vector_wait(self.y[0], self.lib.GrB_MATERIALIZE))

    def result(self):
        count = self.ffi.new("GrB_Index*", self.rows)
        places, numbers = np.zeros(self.rows, np.uint64), np.zeros(self.rows, self.dtype)
        self.check(self.extract(
            self.ffi.cast("GrB_Index*", places.ctypes.data), self.ffi.cast(self.cell, numbers.ctypes.data), count,
            self.y[0]))
        y = np.zeros(self.rows, self.dtype)
        y[places[: count[0]]] = numbers[: count[0]]
        return y


PEERS = {"scipy": Scipy, "mkl": Mkl, "eigen": Eigen, "graphblas": Graphblas}


def seconds_of_one(peer, times):
    begin = time.perf_counter()
    for _ in range(times):
        peer.multiply()
    return (time.perf_counter() - begin) / times


def answer(peer, line):
    command, _, rest = line.partition(" ")
    if command == "load":
        return peer.load(Matrix(rest))
    if command == "product":
        peer.multiply()
        peer.result().tofile(rest)
        return ""
    if command == "run":
        return repr(seconds_of_one(peer, int(rest)))
    raise Unusable(f"no command '{command}'")


def say(word, text):
    print(word, " ".join(str(text).split()), flush=True)


def main():
    try:
        global np
        import numpy as np

        peer = PEERS[sys.argv[1]]()
    except (ImportError, KeyError):
        say("error", "not installed (tools/install-peers)")
        return
    except Unusable as problem:
        say("error", problem)
        return
    say("ok", peer.version)
    for line in sys.stdin:
        if line.strip() == "quit":
            return
        try:
            say("ok", answer(peer, line.rstrip("\n")))
        except Exception as problem:  # whatever a library throws is an answer, not an end
            say("error", f"{type(problem).__name__}: {problem}" if not isinstance(problem, Unusable) else problem)


if __name__ == "__main__":
    main()
