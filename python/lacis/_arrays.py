# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Matrices of any origin as the six parts that lacis._core reads: (format, rows, cols, indptr, indices, data).

Arrays are shared wherever lacis reads them as they are. What has to be converted is converted exactly, or an exception
says why not."""

import os

import numpy as np

from ._errors import InvalidArgument, InvalidMatrix, Overflow, Unsupported

CSR, CSC = 0, 1
VALUES = (np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.complex64), np.dtype(np.complex128))
TYPE_NUMBERS = {dtype: number for number, dtype in enumerate(VALUES)}
# The largest integers of which a double holds every one.
EXACT = 2**53


def is_sparse(a):
    """Whether a is a SciPy matrix or array, without importing SciPy."""
    return hasattr(a, "tocsr") and hasattr(a, "format")


def is_torch(a):
    return hasattr(a, "crow_indices") and hasattr(a, "col_indices") and hasattr(a, "values")


def tensor_array(tensor):
    """The NumPy array of a dense torch tensor, which shares its memory where NumPy has its type; bfloat16 becomes float32, which is exact."""
    if getattr(getattr(tensor, "device", None), "type", "cpu") != "cpu":
        raise Unsupported("the tensor is on a device; bring it to the processor with tensor.cpu()")
    for resolved in ("detach", "resolve_conj", "resolve_neg"):
        tensor = getattr(tensor, resolved)() if hasattr(tensor, resolved) else tensor
    return (tensor.float() if str(getattr(tensor, "dtype", "")) == "torch.bfloat16" else tensor).numpy()


def dense_array(x):
    """x as an array of NumPy."""
    if not is_torch(x):
        return np.asarray(x)
    import torch

    if x.layout != torch.strided:
        raise TypeError("a dense tensor is needed, not one with layout " + str(x.layout).removeprefix("torch."))
    if x.requires_grad and torch.is_grad_enabled():
        raise TypeError("lacis computes no gradients; give tensor.detach()")
    return tensor_array(x)


def like_operand(x, result):
    """The result of a product as the kind of its operand: a tensor where x is one. Called by the compiled part."""
    if not is_torch(x):
        return result
    import torch

    return torch.from_numpy(result)


def output_array(out):
    """The array in which the compiled part computes what out, a tensor, shares. Called by the compiled part."""
    if not is_torch(out):
        raise TypeError(f"out must be an array or a tensor, not {type(out).__name__}")
    if str(out.dtype) == "torch.bfloat16":
        raise TypeError("out must have the type of the product, which bfloat16 is not")
    return tensor_array(out)


def exact_values(data):
    """data as one of the four types of lacis: itself, or converted without losing anything."""
    data = dense_array(data)
    if not data.dtype.isnative:
        data = data.astype(data.dtype.newbyteorder("="))
    dtype = data.dtype
    if dtype in VALUES:
        return aligned(data)
    kind = dtype.kind
    if kind == "b" or (kind in "iu" and dtype.itemsize <= 4):
        return data.astype(np.float64)
    if kind in "iu":
        if data.size and (int(data.max()) > EXACT or int(data.min()) < -EXACT):
            raise Overflow(
                f"{dtype.name} values beyond 2^53 are not exact as float64; convert with A.astype(float) if rounding is intended"
            )
        return data.astype(np.float64)
    if kind == "f" and dtype.itemsize == 2:
        return data.astype(np.float32)
    if kind in "fc":
        wide = data.astype(np.complex128 if kind == "c" else np.float64)
        if not np.array_equal(wide.astype(dtype), data, equal_nan=True):
            raise Overflow(f"{dtype.name} values are not exact in double precision; convert with A.astype(...) if rounding is intended")
        return wide
    raise TypeError(f"values of type {dtype} are not numbers that lacis computes with")


def aligned(array):
    """One element after the other, in order and aligned: itself, or a copy."""
    if array.flags.c_contiguous and array.flags.aligned:
        return array
    return np.array(array, order="C", copy=True)


def index_array(array, name):
    """Offsets or indices as int32 or int64: itself, or converted."""
    array = np.asarray(array)
    if array.ndim != 1:
        raise InvalidMatrix(f"{name} must have one dimension, not {array.ndim}")
    dtype = array.dtype
    if dtype.kind not in "iu":
        if array.size == 0:
            return np.zeros(0, np.int32)
        raise TypeError(f"{name} must be integers, not {dtype}")
    if dtype.kind == "i" and dtype.itemsize in (4, 8):
        return aligned(array if dtype.isnative else array.astype(dtype.newbyteorder("=")))
    if dtype.itemsize == 8 and array.size and int(array.max()) > np.iinfo(np.int64).max:
        raise Overflow(f"{name} holds numbers beyond 2^63")
    return array.astype(np.int64)


def compressed(fmt, shape, indptr, indices, data):
    """The parts of a matrix in CSR or CSC arrays."""
    rows, cols = shape
    return (fmt, int(rows), int(cols), index_array(indptr, "indptr"), index_array(indices, "indices"), exact_values(data))


def with_narrow_indices(parts):
    """The parts with 32-bit indices where all of them fit: kernels read those twice as fast."""
    fmt, rows, cols, indptr, indices, data = parts
    if indices.dtype != np.int64 or max(rows, cols) >= 2**31:
        return parts
    narrow = indices.astype(np.int32)
    return (fmt, rows, cols, indptr, narrow, data) if np.array_equal(narrow, indices) else parts


def parts_of(a, shape=None):
    """The parts of anything that is a matrix: SciPy, torch, (data, indices, indptr), dense, a path, '@rmat:16'."""
    if is_sparse(a):
        if len(a.shape) != 2:
            raise InvalidMatrix(f"a matrix with two dimensions is needed, not {len(a.shape)}")
        if a.format not in ("csr", "csc"):
            a = a.tocsr()
        return compressed(CSR if a.format == "csr" else CSC, a.shape, a.indptr, a.indices, a.data)
    if is_torch(a):
        return torch_parts(a)
    if isinstance(a, tuple) and len(a) == 3:
        data, indices, indptr = a
        indptr = index_array(indptr, "indptr")
        indices = index_array(indices, "indices")
        if shape is None:
            shape = (len(indptr) - 1, int(indices.max()) + 1 if len(indices) else 0)
        return compressed(CSR, shape, indptr, indices, data)
    if isinstance(a, (str, os.PathLike)):
        from ._files import read_arrays

        rows, cols, indptr, indices, data = read_arrays(a)
        return (CSR, rows, cols, indptr, indices, exact_values(data))
    import scipy.sparse

    if isinstance(a, tuple):
        return parts_of(scipy.sparse.csr_array(a, shape=shape))
    dense = np.asarray(a)
    if dense.ndim != 2 or dense.dtype == object:
        raise TypeError(
            f"{type(a).__name__} is not a matrix: give a SciPy or torch sparse matrix, (data, indices, indptr), a dense array, "
            "a file or a description such as '@rmat:16'"
        )
    return parts_of(scipy.sparse.csr_array(dense))


def torch_parts(a):
    """The parts of a torch tensor of any layout; the arrays of sparse_csr and sparse_csc are torch's own."""
    if len(a.shape) != 2:
        raise InvalidMatrix(f"a matrix with two dimensions is needed, not {len(a.shape)}; of a batch take one matrix")
    layout = str(getattr(a, "layout", "torch.sparse_csr")).removeprefix("torch.")
    if layout == "strided":
        return parts_of(tensor_array(a))
    if layout == "sparse_coo":
        import scipy.sparse

        a = a.coalesce()
        return parts_of(scipy.sparse.csr_array((tensor_array(a.values()), tuple(tensor_array(a.indices()))), shape=tuple(a.shape)))
    if layout == "sparse_csc":
        arrays = (a.ccol_indices(), a.row_indices(), a.values())
    elif layout == "sparse_csr":
        arrays = (a.crow_indices(), a.col_indices(), a.values())
    else:
        raise Unsupported(f"tensors with layout {layout} are not read; convert it with tensor.to_sparse_csr()")
    return compressed(CSC if layout == "sparse_csc" else CSR, tuple(a.shape), *map(tensor_array, arrays))


def as_csr(parts):
    """The parts as CSR with sorted rows and no duplicates: themselves, or those of a copy."""
    return parts if parts[0] == CSR and order_of(parts) == 0 else sorted_arrays(parts)


def in_order(parts):
    """The parts of CSR or CSC with ascending indices and no duplicates: themselves, or as CSR those of a copy."""
    return parts if order_of(parts) not in (1, 2) else sorted_arrays(parts)


def order_of(parts):
    """0: indices ascend, 1: some stand twice, 2: they do not ascend, 3: the arrays are no matrix."""
    from . import _core

    fmt, rows, cols, indptr, indices, _ = parts
    return _core.order(*((rows, cols) if fmt == CSR else (cols, rows)), indptr, indices)


def sorted_arrays(parts):
    """The parts of a copy as CSR, with ascending columns and duplicate entries summed."""
    from . import _core

    return (CSR, *expanded(_core.copy(parts)))


def expanded(made):
    """(rows, cols, indptr, indices, data) of a matrix that lacis made; one value for all entries becomes one per entry."""
    rows, cols, indptr, indices, data, iso = made
    if iso:
        data = np.full(len(indices), data[0] if len(data) else 1)
    return rows, cols, indptr, indices, data


def product_dtype(matrix, operand):
    """The type to which an operand with this dtype is converted before a product; None: no type of lacis holds it."""
    operand = operand.newbyteorder("=")
    if operand in VALUES:
        return operand
    if operand.kind in "biu" or operand == np.float16:
        result = np.result_type(matrix, operand)
        return np.dtype(np.float32) if result in (VALUES[0], VALUES[2]) else np.dtype(np.float64)
    return None


def operand(x, dtype, length, exchanged=False):
    """x as an array that lacis multiplies with; called by the compiled part when it cannot take x as it is."""
    if is_sparse(x) or hasattr(x, "matvec"):
        raise TypeError("a plan multiplies dense operands; for a sparse product use lacis.csr_array(A) @ B")
    array = dense_array(x)
    wanted = product_dtype(dtype, array.dtype)
    if wanted is None:
        raise TypeError(f"a product with {array.dtype} is not possible; convert it to float64 or complex128 first")
    if array.ndim not in (1, 2) or array.shape[-1 if exchanged else 0] != length:
        raise InvalidArgument(f"the matrix needs an operand of length {length}, this one has shape {array.shape}")
    return aligned(np.asarray(array, dtype=wanted))


def vector(x, dtype):
    """x as a contiguous vector of this type; a loss of the imaginary part is an exception."""
    array = dense_array(x)
    if array.dtype.kind == "c" and np.dtype(dtype).kind != "c":
        raise TypeError("a complex vector does not fit a real system")
    return aligned(np.asarray(array, dtype=dtype)).reshape(-1)
