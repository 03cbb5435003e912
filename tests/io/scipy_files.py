# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""The SciPy side of scipy_test.cpp: `save DIRECTORY` writes matrices in many forms, `check DIRECTORY` compares what lacis wrote."""
import gzip
import pathlib
import sys

import numpy as np
import scipy.sparse as sp

REAL = ["float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool"]
COMPLEX = ["complex64", "complex128"]


def base(dtype):
    """30 x 24, integers that every type but bool holds, blocks and a band among them."""
    i, j = np.indices((30, 24))
    values = (7 * i + 3 * j) % 11 + 1
    keep = ((i * 5 + j * 3) % 7 == 0) | (np.abs(i - j) <= 1)
    dense = np.where(keep, values, 0).astype(dtype)
    if np.dtype(dtype).kind == "c":
        dense = dense + (1j * np.where(keep, values - 4, 0)).astype(dtype)
    return dense


def raw(path, csr):
    """Sizes, offsets, columns and values as plain bytes: what both sides can read without a format."""
    kind = np.complex128 if csr.dtype.kind == "c" else np.float64
    head = np.array([csr.shape[0], csr.shape[1], csr.nnz], dtype=np.int64)
    parts = [head, csr.indptr.astype(np.int64), csr.indices.astype(np.int64), csr.data.astype(kind)]
    path.write_bytes(b"".join(part.tobytes() for part in parts))


def save(directory):
    for dtype in REAL + COMPLEX:
        dense = base(dtype)
        for name in ["csr", "csc", "coo", "bsr", "dia"]:
            for kind in [f"{name}_matrix", f"{name}_array"]:
                matrix = getattr(sp, kind)(dense)
                if name == "bsr":
                    matrix = sp.bsr_matrix(dense, blocksize=(3, 4))
                if name == "dia":  # every place of the band is an entry, so the band is dense here
                    ones = np.ones((3, 24), dtype=dtype)
                    matrix = getattr(sp, kind)((ones, [-1, 0, 2]), shape=(30, 24))
                for compressed in [False, True]:
                    stem = f"{kind}-{dtype}-{'deflated' if compressed else 'stored'}"
                    sp.save_npz(directory / f"{stem}.npz", matrix, compressed=compressed)
                    csr = sp.csr_matrix(matrix.tocsr())
                    csr.sort_indices()
                    raw(directory / f"{stem}.raw", csr)
    long = sp.csr_matrix(base("float64"))
    long.indices = long.indices.astype(np.int64)
    long.indptr = long.indptr.astype(np.int64)
    sp.save_npz(directory / "long.npz", long)
    raw(directory / "long.raw", long)
    fortran = sp.bsr_matrix(base("float64"), blocksize=(3, 4))
    fortran.data = np.asfortranarray(fortran.data)
    sp.save_npz(directory / "fortran.npz", fortran)
    rows = fortran.tocsr()
    rows.sort_indices()
    raw(directory / "fortran.raw", rows)
    empty = sp.csr_matrix((4, 5))
    sp.save_npz(directory / "empty.npz", empty)
    raw(directory / "empty.raw", empty)
    edges = sp.coo_matrix(np.abs(base("float64")[:24, :24]))
    lines = "".join(f"{i}\t{j}\t{v}\n" for i, j, v in zip(edges.row, edges.col, edges.data))
    with gzip.open(directory / "edges.wel.gz", "wt") as out:
        out.write("# Nodes: 24 Edges: %d\n" % edges.nnz + lines)
    (directory / "edges.wel.gz").rename(directory / "edges.npz")  # the content tells, not the name
    raw(directory / "edges.raw", edges.tocsr())


def check(directory):
    count = 0
    for path in sorted(directory.glob("*.npz")):
        loaded = sp.load_npz(path)
        bytes_ = path.with_suffix(".raw").read_bytes()
        rows, cols, nnz = np.frombuffer(bytes_, np.int64, 3)
        offsets = np.frombuffer(bytes_, np.int64, rows + 1, 24)
        columns = np.frombuffer(bytes_, np.int64, nnz, 24 + 8 * (rows + 1))
        values = bytes_[24 + 8 * (rows + 1) + 8 * nnz :]
        assert loaded.format == "csr" and loaded.shape == (rows, cols), path
        assert np.array_equal(loaded.indptr, offsets) and np.array_equal(loaded.indices, columns), path
        assert loaded.data.tobytes() == values, path
        assert loaded.has_canonical_format or nnz == 0, path
        count += 1
    print(count)


{"save": save, "check": check}[sys.argv[1]](pathlib.Path(sys.argv[2]))
