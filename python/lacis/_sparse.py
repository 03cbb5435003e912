# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""csr_array and csc_array: SciPy's classes with lacis's products.

SciPy's arrays may change at any time, so a product looks at them as they are. Repeated transposed products keep a plan and
compare the content of the arrays with it before they use it (_memory). Rows that
do not ascend (someone changed the indices) are found by the product itself: a product with a vector is then SciPy's, a
sparse product takes sorted copies."""

import os
import threading

import numpy as np
import scipy.sparse

from . import _core
from ._arrays import CSC, CSR, VALUES, aligned, expanded, index_array, is_torch, product_dtype, torch_parts

_multiply = _core.multiply
_ndarray = np.ndarray
_fallbacks = {"products": 0, "sparse products": 0}
_lock = threading.Lock()


def product_counts():
    """How often products were computed: by lacis, and by SciPy where lacis does not compute them (integers, unsorted rows)."""
    dense, sparse = _core.product_counts()
    return {
        "products": dense,
        "sparse products": sparse,
        "products by SciPy": _fallbacks["products"],
        "sparse products by SciPy": _fallbacks["sparse products"],
    }


def _left_to_scipy(kind):
    with _lock:
        _fallbacks[kind] += 1


def _narrow(indptr, indices):
    """indptr in the type of indices where it fits: SciPy, given 64-bit offsets, would copy 32-bit columns to 64 bits."""
    if indptr.dtype == np.int64 and indices.dtype == np.int32 and (len(indptr) == 0 or indptr[-1] < 2**31):
        return indptr.astype(np.int32)
    return indptr


def _source(arg, shape):
    """What SciPy's constructor takes, for what it does not know: files, descriptions, torch tensors."""
    if isinstance(arg, (str, os.PathLike)):
        from ._files import read_arrays

        rows, cols, indptr, indices, data = read_arrays(arg)
        return scipy.sparse.csr_array((data, indices, _narrow(indptr, indices)), shape=(rows, cols)), shape
    if is_torch(arg):
        _, rows, cols, indptr, indices, data = torch_parts(arg)
        return scipy.sparse.csr_array((data, indices, _narrow(indptr, indices)), shape=(rows, cols)), shape
    if isinstance(arg, tuple) and len(arg) == 3:
        data, indices, indptr = arg
        indptr, indices = np.asarray(indptr), np.asarray(indices)
        if indptr.dtype == np.int64 and indices.dtype == np.int32:
            arg = (data, indices, _narrow(indptr, indices))
    return arg, shape


class _Products:
    """What both classes override: products, transposes and conversions between the two."""

    # Why the arrays are not those that were given; empty if they are.
    why = ""
    # What transposed products remember of the arrays: shared with transposes, which have the same arrays.
    _memory = None

    def __init__(self, arg1, shape=None, dtype=None, copy=False, **more):
        arg1, shape = _source(arg1, shape)
        super().__init__(arg1, shape=shape, dtype=dtype, copy=copy, **more)
        if not isinstance(arg1, _Products):
            self._sort_once()

    def _sort_once(self):
        """A product needs ascending indices: a sorted copy where they are not, and SciPy's arrays stay as they were."""
        if self.data.dtype not in VALUES or len(self.shape) != 2:
            return
        rows, cols = self.shape
        ranges, width = (rows, cols) if self._lacis_format == CSR else (cols, rows)
        if _core.order(ranges, width, self.indptr, self.indices) not in (1, 2):
            return
        before = int(self.indptr[-1])
        # The rows of the transpose in CSR are the columns in CSC.
        made = _core.copy((CSR, ranges, width, aligned(self.indptr), aligned(self.indices), aligned(self.data)))
        _, _, indptr, indices, data = expanded(made)
        self.indptr, self.indices, self.data = _narrow(indptr, indices), indices, data
        if self.indices.dtype != self.indptr.dtype:
            self.indices = self.indices.astype(self.indptr.dtype)
        self.has_canonical_format = True
        merged = before - len(indices)
        self.why = "indices were not sorted: this is a sorted copy" + (f", with {merged:,} duplicate entries summed" if merged else "")

    def _parts(self):
        rows, cols = self.shape
        return (self._lacis_format, rows, cols, self.indptr, self.indices, self.data)

    def _clean_parts(self, dtype=None):
        """The parts with whatever SciPy allows and lacis does not converted: strides, byte order."""
        rows, cols = self.shape
        data = self.data if dtype is None else self.data.astype(dtype, copy=False)
        return (self._lacis_format, rows, cols, index_array(self.indptr, "indptr"), index_array(self.indices, "indices"), aligned(data))

    def _remembered(self):
        memory = self._memory
        if memory is None:
            memory = self._memory = _core.ProductMemory()
        return memory

    def _dense_product(self, x, exchanged):
        """self @ x or x @ self; None: SciPy does it."""
        if len(self.shape) != 2:
            return None
        # Rows of CSR and columns of CSC are sums in place; the others are products with the transpose of the arrays.
        memory = self._remembered() if (self._lacis_format == CSC) != exchanged else None
        y = _multiply(self._parts(), x, exchanged, memory)
        if y is not None:
            return y
        # Something has to be converted, or it is not for lacis at all.
        own = self.data.dtype.newbyteorder("=")
        wanted = product_dtype(own, x.dtype) if own in VALUES else None
        if wanted is not None and x.ndim in (1, 2) and x.shape[-1 if exchanged else 0] == self.shape[0 if exchanged else 1]:
            y = _multiply(self._clean_parts(own), np.ascontiguousarray(x, dtype=wanted), exchanged, memory)
        if y is None:
            _left_to_scipy("products")
        return y

    def _sparse_product(self, other, exchanged):
        """self @ other or other @ self for a sparse matrix; None: SciPy does it."""
        if len(self.shape) != 2 or len(other.shape) != 2:
            return None
        if (other.shape[1] != self.shape[0]) if exchanged else (self.shape[1] != other.shape[0]):
            return None
        made = None
        dtype = np.result_type(self.data.dtype, other.dtype)
        if dtype in VALUES and self.data.dtype.kind in "fc" and other.dtype.kind in "fc":
            if other.format != self.format:
                other = other.asformat(self.format)
            a = self._clean_parts(dtype)
            rows, cols = other.shape
            b = (self._lacis_format, rows, cols, index_array(other.indptr, "indptr"), index_array(other.indices, "indices"), aligned(other.data.astype(dtype, copy=False)))
            left, right = _same_width(*((b, a) if exchanged else (a, b)))
            if self._lacis_format == CSC:
                # (A B)^T = B^T A^T, and the arrays of a CSC matrix are its transpose in CSR.
                left, right = _as_transpose(right), _as_transpose(left)
            made = _core.spgemm(left, right)
            if made is None:
                # Rows that are not sorted: a sparse product is worth a sorted copy of both.
                made = _core.spgemm(_sorted_copy(left), _sorted_copy(right))
        if made is None:
            _left_to_scipy("sparse products")
            return None
        rows, cols, indptr, indices, data = expanded(made)
        if self._lacis_format == CSC:
            rows, cols = cols, rows
        return _from_arrays(type(self), rows, cols, indptr, indices, data)

    def __matmul__(self, other):
        if other.__class__ is _ndarray:
            y = self._dense_product(other, False)
            if y is not None:
                return y
        elif scipy.sparse.issparse(other):
            c = self._sparse_product(other, False)
            if c is not None:
                return c
        return super().__matmul__(other)

    def __rmatmul__(self, other):
        if other.__class__ is _ndarray:
            y = self._dense_product(other, True)
            if y is not None:
                return y
        elif scipy.sparse.issparse(other):
            c = self._sparse_product(other, True)
            # Python asks a subclass first; SciPy's own product is that of the left operand.
            return c if c is not None else other.__matmul__(_plain(self))
        return super().__rmatmul__(other)

    def dot(self, other):
        if np.isscalar(other):
            return self * other
        return self @ other

    def transpose(self, axes=None, copy=False):
        made = _ours(super().transpose(axes=axes, copy=copy))
        if isinstance(made, _Products):
            made._memory = self._remembered()
        return made

    def tocsr(self, copy=False):
        return _ours(super().tocsr(copy=copy))

    def tocsc(self, copy=False):
        return _ours(super().tocsc(copy=copy))

    def to_scipy(self):
        """The same arrays as a plain SciPy array."""
        return _plain(self)


class csr_array(_Products, scipy.sparse.csr_array):
    """A scipy.sparse.csr_array whose products are computed by lacis: A @ x, A @ X, A @ B, x @ A, A.T @ x.

    From a SciPy matrix, (data, indices, indptr), (data, (rows, columns)), a dense array, a torch sparse_csr tensor, a file or a
    description such as '@rmat:16'. Columns and values are shared, not copied; where rows are not sorted it is a sorted copy, and
    A.why says so. Products with integers are SciPy's, exact as they were."""

    _lacis_format = CSR


class csc_array(_Products, scipy.sparse.csc_array):
    """A scipy.sparse.csc_array whose products are computed by lacis; see csr_array."""

    _lacis_format = CSC


# Where pickle and documents find them.
csr_array.__module__ = csc_array.__module__ = "lacis"

_OWN = {"csr": csr_array, "csc": csc_array}
_PLAIN = {"csr": scipy.sparse.csr_array, "csc": scipy.sparse.csc_array}


def _ours(a):
    """A SciPy array with the same arrays, of our class. Other formats and vectors stay as they are."""
    own = _OWN.get(getattr(a, "format", None))
    if own is None or isinstance(a, _Products) or not isinstance(a, scipy.sparse.sparray):
        return a
    made = own.__new__(own)
    made.__dict__.update(a.__dict__)
    return made


def _plain(a):
    made = _PLAIN[a.format].__new__(_PLAIN[a.format])
    made.__dict__.update(a.__dict__)
    for own in ("why", "_memory"):
        made.__dict__.pop(own, None)
    made.indptr = _narrow(a.indptr, a.indices)
    return made


def _same_width(a, b):
    """Both with indices of the same width: SpGEMM needs it."""
    if a[4].dtype == b[4].dtype:
        return a, b
    return tuple(p if p[4].dtype == np.int64 else p[:4] + (p[4].astype(np.int64), p[5]) for p in (a, b))


def _sorted_copy(parts):
    rows, cols, indptr, indices, data = expanded(_core.copy(parts))
    return (CSR, rows, cols, indptr, indices, data)


def _as_transpose(parts):
    fmt, rows, cols, indptr, indices, data = parts
    return (CSR if fmt == CSC else CSC, cols, rows, indptr, indices, data)


def _from_arrays(kind, rows, cols, indptr, indices, data):
    """An array of our class over arrays that lacis made: sorted, without duplicates."""
    indptr = _narrow(indptr, indices)
    if indptr.dtype != indices.dtype:
        indices = indices.astype(indptr.dtype)
    made = _ours(_PLAIN["csr" if kind is csr_array else "csc"]((data, indices, indptr), shape=(rows, cols)))
    made.has_canonical_format = True
    return made


def from_arrays(rows, cols, indptr, indices, data):
    """A csr_array over arrays that lacis made."""
    return _from_arrays(csr_array, rows, cols, indptr, indices, data)
