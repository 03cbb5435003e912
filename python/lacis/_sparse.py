# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""csr_array, csc_array, csr_matrix and csc_matrix: SciPy's classes with lacis's products.

SciPy's arrays may change at any time, so a product looks at them as they are. Repeated transposed products keep a plan and
compare the content of the arrays with it before they use it (_memory). Rows that
do not ascend (someone changed the indices) are found by the product itself: a product with a vector is then SciPy's, a
sparse product takes sorted copies."""

from __future__ import annotations

import os
import sys
import threading
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sparse

from . import _core
from ._anndata import tell_anndata
from ._arrays import CSC, CSR, VALUES, aligned, as_csr, expanded, index_array, is_torch, parts_of, product_dtype, sorted_arrays, torch_parts
from ._errors import InvalidArgument, LacisWarning
from ._threads import count_of

if TYPE_CHECKING:
    from ._types import Dense, Matrix

_multiply = _core.multiply
_ndarray = np.ndarray
_fallbacks = {"products": 0, "sparse products": 0}
_lock = threading.Lock()


def product_counts() -> dict[str, int]:
    """How often products were computed: by lacis, and by SciPy where lacis does not compute them (integers, unsorted rows).

    Products whose left operand is a sparse matrix of SciPy in another class (csc_array @ A, csr_matrix @ A) never reach lacis and
    are not counted."""
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
        return sparse.csr_array((data, indices, _narrow(indptr, indices)), shape=(rows, cols)), shape
    if is_torch(arg):
        fmt, rows, cols, indptr, indices, data = torch_parts(arg)
        kind = sparse.csr_array if fmt == CSR else sparse.csc_array
        return kind((data, indices, _narrow(indptr, indices)), shape=(rows, cols)), shape
    if isinstance(arg, tuple) and len(arg) == 3:
        data, indices, indptr = arg
        indptr, indices = np.asarray(indptr), np.asarray(indices)
        if indptr.dtype == np.int64 and indices.dtype == np.int32:
            arg = (data, indices, _narrow(indptr, indices))
    return arg, shape


def _called_by_scipy():
    """Whether SciPy's own code makes the object: A + M makes one of the class of A from M."""
    return sys._getframe(2).f_globals.get("__name__", "").partition(".")[0] == "scipy"


class _Products:
    """What all classes override: products, transposes and conversions between them."""

    data: Any
    indices: Any
    indptr: Any
    # Why the arrays are not those that were given; empty if they are.
    why: str = ""
    # What transposed products remember of the arrays: shared with transposes, which have the same arrays.
    _memory: Any = None

    def __init__(self, arg1: Matrix, shape: tuple[int, ...] | None = None, dtype: Any = None, copy: bool = False, **more: Any) -> None:
        if isinstance(arg1, sparse.spmatrix) and isinstance(self, sparse.sparray) and not _called_by_scipy():
            warnings.warn(
                f"a {type(arg1).__name__} becomes an array, of which * and ** are element-wise and A[0] is a vector; lacis.asarray(A) keeps the "
                f"kind, and lacis.{type(self).__name__}(scipy.sparse.{self.format}_array(A)) says that the array is intended",
                LacisWarning,
                stacklevel=2,
            )
        arg1, shape = _source(arg1, shape)
        super().__init__(arg1, shape=shape, dtype=dtype, copy=copy, **more)
        # SciPy may know that indices ascend; a product checks them again before it reads memory by them.
        if not isinstance(arg1, _Products) and not getattr(arg1, "_has_canonical_format", False):
            self._sort_once()

    def _sort_once(self):
        """A product needs ascending indices: a sorted copy where they are not, and SciPy's arrays stay as they were."""
        if self.data.dtype not in VALUES or len(self.shape) != 2:
            return
        rows, cols = self.shape
        # The rows of the transpose in CSR are the columns in CSC.
        ranges, width = (rows, cols) if self._lacis_format == CSR else (cols, rows)
        found = _core.order(ranges, width, self.indptr, self.indices)
        if found not in (1, 2):
            return
        before = int(self.indptr[-1])
        _, _, _, indptr, indices, data = sorted_arrays((CSR, ranges, width, aligned(self.indptr), aligned(self.indices), aligned(self.data)))
        self.indptr, self.indices, self.data = _narrow(indptr, indices), indices, data
        if self.indices.dtype != self.indptr.dtype:
            self.indices = self.indices.astype(self.indptr.dtype)
        self.has_canonical_format = True
        merged = before - len(indices)
        duplicates = f"{merged:,} duplicate {'entry' if merged == 1 else 'entries'} summed"
        if found == 1:
            self.why = f"some entries were stored more than once: this is a copy with {duplicates}"
        else:
            self.why = "indices were not sorted: this is a sorted copy" + (f", with {duplicates}" if merged else "")

    def _with_data(self, data, copy=True):
        # SciPy makes 2 * A, abs(A) and A.copy() here: the order of the indices is that of A, and is not looked at again.
        if type(self) is not _OWN[self._lacis_plain]:
            return super()._with_data(data, copy)
        return _ours(_plain_view(self)._with_data(data, copy))

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
            _left_to_scipy("products")
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
            _left_to_scipy("sparse products")
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
                made = _core.spgemm(sorted_arrays(left), sorted_arrays(right))
        if made is None:
            _left_to_scipy("sparse products")
            return None
        rows, cols, indptr, indices, data = expanded(made)
        if self._lacis_format == CSC:
            rows, cols = cols, rows
        return _from_arrays(_OWN[self._lacis_plain], rows, cols, indptr, indices, data)

    def _other_product(self, other, exchanged):
        """The product with what is no plain ndarray: sparse, or what NumPy makes an array of, as SciPy does it. None: SciPy does it."""
        if sparse.issparse(other):
            return self._sparse_product(other, exchanged)
        x = np.asarray(other)
        if x.ndim == 0:  # a number, which SciPy refuses, or an operator, which multiplies itself
            return None
        y = self._dense_product(x, exchanged)
        return np.asmatrix(y) if y is not None and isinstance(other, np.matrix) and isinstance(self, sparse.spmatrix) else y

    def __matmul__(self, other: Any) -> Any:
        y = self._dense_product(other, False) if other.__class__ is _ndarray else self._other_product(other, False)
        return super().__matmul__(other) if y is None else y

    def __rmatmul__(self, other: Any) -> Any:
        y = self._dense_product(other, True) if other.__class__ is _ndarray else self._other_product(other, True)
        if y is not None:
            return y
        # Python asks a subclass first; SciPy's own product of sparse matrices is that of the left operand.
        return other.__matmul__(_plain(self)) if sparse.issparse(other) else super().__rmatmul__(other)

    # For S + A and S - A Python asks A first where the class of S is the one that A's is derived from.
    def __radd__(self, other: Any) -> Any:
        return _ours(other + _plain(self)) if sparse.issparse(other) else super().__radd__(other)

    def __rsub__(self, other: Any) -> Any:
        return _ours(other - _plain(self)) if sparse.issparse(other) else super().__rsub__(other)

    def dot(self, other: Dense) -> Any:
        if np.isscalar(other):
            return self * other
        return self @ other

    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        # SciPy adds by a product with ones. A sum is taken once, and the transpose that repeated products keep does not pay for it.
        return _plain_view(self).sum(axis=axis, dtype=dtype, out=out)

    def transpose(self, axes: Any = None, copy: bool = False) -> Any:
        made = _ours(super().transpose(axes=axes, copy=copy))
        if isinstance(made, _Products):
            made._memory = self._remembered()
        return made

    def tocsr(self, copy: bool = False) -> Any:
        return _ours(super().tocsr(copy=copy))

    def tocsc(self, copy: bool = False) -> Any:
        return _ours(super().tocsc(copy=copy))

    def to_scipy(self) -> Any:
        """The same arrays in SciPy's own class."""
        return _plain(self)

    def __repr__(self) -> str:
        kind = type(self)
        return f"<{kind.__module__}.{kind.__qualname__} of dtype '{self.dtype}'\n\twith {self.nnz} stored elements and shape {self.shape}>"


class _MatrixProducts(_Products):
    """What SciPy's matrices, which are older than its arrays, mean by * and **."""

    def __mul__(self, other: Any) -> Any:
        return super().__mul__(other) if np.ndim(other) == 0 and not sparse.issparse(other) else self.__matmul__(other)

    def __rmul__(self, other: Any) -> Any:
        return super().__rmul__(other) if np.ndim(other) == 0 and not sparse.issparse(other) else self.__rmatmul__(other)


class csr_array(_Products, sparse.csr_array):
    """A scipy.sparse.csr_array whose products are computed by lacis: A @ x, A @ X, A @ B, x @ A, A.T @ x.

    From a SciPy array, (data, indices, indptr), (data, (rows, columns)), a dense array, a torch tensor, a file or a description such as
    '@rmat:16'. Columns and values are shared, not copied; where rows are not sorted it is a sorted copy, and A.why says so. Products with
    integers are SciPy's, exact as they were. SciPy's older csr_matrix, of which * is the product, stays one with lacis.asarray()."""

    _lacis_format = CSR
    _lacis_plain = sparse.csr_array


class csc_array(_Products, sparse.csc_array):
    """A scipy.sparse.csc_array whose products are computed by lacis; see csr_array."""

    _lacis_format = CSC
    _lacis_plain = sparse.csc_array


class csr_matrix(_MatrixProducts, sparse.csr_matrix):
    """A scipy.sparse.csr_matrix whose products are computed by lacis: M * x, M @ x, M * B, M ** 2; M[0] has two dimensions. See csr_array."""

    _lacis_format = CSR
    _lacis_plain = sparse.csr_matrix


class csc_matrix(_MatrixProducts, sparse.csc_matrix):
    """A scipy.sparse.csc_matrix whose products are computed by lacis; see csr_matrix."""

    _lacis_format = CSC
    _lacis_plain = sparse.csc_matrix


_OWN = {own._lacis_plain: own for own in (csr_array, csc_array, csr_matrix, csc_matrix)}
for _own in _OWN.values():
    _own.__module__ = "lacis"  # where pickle and documents find it
tell_anndata(_OWN)


def _own_class(a):
    """The class of lacis for a SciPy matrix of this format and kind; None: there is none."""
    if a.format not in ("csr", "csc"):
        return None
    return _OWN[getattr(sparse, f"{a.format}_{'matrix' if isinstance(a, sparse.spmatrix) else 'array'}")]


def asarray(a: Matrix) -> Any:
    """A with lacis's products, of the same kind: lacis.csr_array, csc_array, csr_matrix or csc_matrix, whichever SciPy's A is.

    Other sparse formats become csr, arrays or matrices as they are; whatever else lacis.csr_array() takes becomes one. An object of lacis is
    given back as it is. Arrays are shared, not copied, where rows are sorted."""
    if isinstance(a, _Products):
        return a
    if not sparse.issparse(a):
        return csr_array(a)
    if a.format not in ("csr", "csc"):
        a = a.tocsr()
    return _own_class(a)(a)


def spgemm(A: Matrix, B: Matrix, memory: int | None = None, threads: int | None = None) -> csr_array:
    """A @ B as a csr_array, for whatever csr_array() takes.

    memory: bytes that the result and the workspace may take together; a product that needs more is lacis.OutOfMemory, before it takes them.
    threads: None: lacis.get_num_threads(). Integers are computed as float64."""
    left, right = as_csr(parts_of(A)), as_csr(parts_of(B))
    if left[2] != right[1]:
        raise InvalidArgument(f"A has {left[2]} columns and B has {right[1]} rows: A @ B needs as many")
    if memory is not None and memory <= 0:
        raise InvalidArgument(f"memory must be positive, not {memory}; None sets no limit")
    dtype = np.result_type(left[5], right[5])
    left, right = _same_width(*(p[:5] + (p[5].astype(dtype, copy=False),) for p in (left, right)))
    return from_arrays(*expanded(_core.spgemm(left, right, count_of(threads), 0 if memory is None else int(memory))))


def _ours(a):
    """A SciPy matrix with the same arrays, of our class. Other formats, and what is no matrix, stay as they are."""
    own = _own_class(a) if sparse.issparse(a) and not isinstance(a, _Products) else None
    if own is None:
        return a
    made = own.__new__(own)
    made.__dict__.update(a.__dict__)
    return made


def _plain_view(a):
    """The same arrays in SciPy's class."""
    made = a._lacis_plain.__new__(a._lacis_plain)
    made.__dict__.update(a.__dict__)
    for own in ("why", "_memory"):
        made.__dict__.pop(own, None)
    return made


def _plain(a):
    made = _plain_view(a)
    made.indptr = _narrow(a.indptr, a.indices)
    return made


def _same_width(a, b):
    """Both with indices of the same width: SpGEMM needs it."""
    if a[4].dtype == b[4].dtype:
        return a, b
    return tuple(p if p[4].dtype == np.int64 else p[:4] + (p[4].astype(np.int64), p[5]) for p in (a, b))


def _as_transpose(parts):
    fmt, rows, cols, indptr, indices, data = parts
    return (CSR if fmt == CSC else CSC, cols, rows, indptr, indices, data)


def _from_arrays(own, rows, cols, indptr, indices, data):
    """An object of our class over arrays that lacis made: sorted, without duplicates."""
    indptr = _narrow(indptr, indices)
    if indptr.dtype != indices.dtype:
        indices = indices.astype(indptr.dtype)
    made = _ours(own._lacis_plain((data, indices, indptr), shape=(rows, cols)))
    made.has_canonical_format = True
    return made


def from_arrays(rows, cols, indptr, indices, data):
    """A csr_array over arrays that lacis made."""
    return _from_arrays(csr_array, rows, cols, indptr, indices, data)
