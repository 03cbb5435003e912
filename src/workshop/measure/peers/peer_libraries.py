# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""The libraries that peer.py knows: each opened, with its version, and a matrix in its own form."""

import ctypes
import glob
import json
import os
import sys

import numpy as np


class Unusable(Exception):
    """The library is missing, or cannot take the matrix."""


class Matrix:
    """CSR arrays and a vector, copied out of the file."""

    def __init__(self, path):
        self.path = path
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

    def matrix(self, m):
        index = m.index_type()
        arrays = (m.all_values(), m.columns.astype(index), m.row_offsets.astype(index))
        return self.sparse.csr_array(arrays, shape=(m.rows, m.cols))


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
        self.arrays = []

    def use_integers(self, index):
        self.library.MKL_Set_Interface_Layer(0 if index == np.int32 else 1)
        self.index = index
        self.integer = ctypes.c_int32 if index == np.int32 else ctypes.c_int64

    def use_numbers(self, dtype):
        self.dtype = dtype
        self.letter = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}[dtype.name]

    def function(self, name):
        return getattr(self.library, f"mkl_sparse_{self.letter}_{name}")

    def one_and_zero(self):
        """alpha and beta of a product, in the type of the values."""
        return {
            "s": (ctypes.c_float(1), ctypes.c_float(0)),
            "d": (ctypes.c_double(1), ctypes.c_double(0)),
            "c": (self.Complex8(1, 0), self.Complex8(0, 0)),
            "z": (self.Complex16(1, 0), self.Complex16(0, 0)),
        }[self.letter]

    def matrix(self, m):
        """A handle; its arrays live as long as this object."""
        offsets, columns, values = m.row_offsets.astype(self.index), m.columns.astype(self.index), m.all_values()
        self.arrays += [offsets, columns, values]
        handle = ctypes.c_void_p()
        next_offsets = ctypes.c_void_p(offsets.ctypes.data + offsets.itemsize)
        self.check("create_csr", self.function("create_csr")(
            ctypes.byref(handle), 0, self.integer(m.rows), self.integer(m.cols), pointer(offsets), next_offsets,
            pointer(columns), pointer(values)))
        return handle

    @staticmethod
    def check(what, status):
        if status != 0:
            raise Unusable(f"mkl_sparse_{what} returned {status}")


class Eigen:
    def __init__(self):
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "liblacis_eigen_peer.so")
        if not os.path.exists(path):
            raise Unusable("not built (tools/install-peers, then configure and build again)")
        self.library = ctypes.CDLL(path)
        self.library.eigen_version.restype = ctypes.c_char_p
        self.version = self.library.eigen_version().decode()

    def use_types(self, m, index):
        self.dtype, self.index = m.dtype, index
        self.suffix = f"{m.dtype.name}_{np.dtype(index).name}"

    def function(self, name, result=None):
        found = getattr(self.library, f"eigen_{name}_{self.suffix}")
        found.restype = result
        return found

    def matrix(self, m):
        offsets, columns, values = m.row_offsets.astype(self.index), m.columns.astype(self.index), m.all_values()
        handle = ctypes.c_void_p(self.function("create", ctypes.c_void_p)(
            ctypes.c_int64(m.rows), ctypes.c_int64(m.cols), pointer(offsets), pointer(columns), pointer(values)))
        if not handle:
            raise Unusable("it could not copy the matrix")
        return handle


class Graphblas:
    def __init__(self):
        import suitesparse_graphblas

        suitesparse_graphblas.initialize(blocking=False, memory_manager="c")
        self.ffi, self.lib = suitesparse_graphblas.ffi, suitesparse_graphblas.lib
        self.version = suitesparse_graphblas.__version__

    def check(self, status):
        if status != self.lib.GrB_SUCCESS:
            raise Unusable(f"GraphBLAS returned {status}")

    def use_numbers(self, dtype):
        self.dtype = dtype
        self.kind, self.owner, self.cell = {
            "float32": ("FP32", "GrB", "float*"),
            "float64": ("FP64", "GrB", "double*"),
            "complex64": ("FC32", "GxB", "GxB_FC32_t*"),
            "complex128": ("FC64", "GxB", "GxB_FC64_t*"),
        }[dtype.name]
        self.type = getattr(self.lib, f"{self.owner}_{self.kind}")
        self.first = getattr(self.lib, f"{self.owner}_FIRST_{self.kind}")

    def function(self, name):
        return getattr(self.lib, f"{self.owner}_{name}_{self.kind}")

    def numbers(self, array):
        return self.ffi.cast(self.cell, array.ctypes.data)

    def indices(self, array):
        return self.ffi.cast("GrB_Index*", array.ctypes.data)

    def matrix(self, m):
        """As a pointer to its handle; one value for all entries stays one."""
        lib = self.lib
        matrix = self.ffi.new("GrB_Matrix*")
        self.check(lib.GrB_Matrix_new(matrix, self.type, m.rows, m.cols))
        rows = np.repeat(np.arange(m.rows, dtype=np.uint64), np.diff(m.row_offsets))
        columns = m.columns.astype(np.uint64)
        if m.iso:
            scalar = self.ffi.new("GrB_Scalar*")
            self.check(lib.GrB_Scalar_new(scalar, self.type))
            self.check(self.function("Scalar_setElement")(scalar[0], self.numbers(m.values)[0]))
            self.check(lib.GxB_Matrix_build_Scalar(
                matrix[0], self.indices(rows), self.indices(columns), scalar[0], m.entries))
        else:
            self.check(self.function("Matrix_build")(
                matrix[0], self.indices(rows), self.indices(columns), self.numbers(m.values), m.entries, self.first))
        self.check(lib.GrB_Matrix_wait(matrix[0], lib.GrB_MATERIALIZE))
        return matrix

    def plus_times(self):
        name = f"GrB_PLUS_TIMES_SEMIRING_{self.kind}" if self.owner == "GrB" else f"GxB_PLUS_TIMES_{self.kind}"
        return getattr(self.lib, name)
