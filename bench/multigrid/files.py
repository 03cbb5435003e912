# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""The files of a system, which every driver reads.

NAME.bin: rows and entries (int64), then row offsets and columns (int32) and values (double) of CSR. NAME.json: rows of a node, number of
near-null-space vectors, whether A is symmetric. NAME.space, where there are such vectors: row by row (double)."""

import json

import numpy as np


def write(path, a, block=1, space=None):
    a = a.tocsr()
    a.sum_duplicates()
    a.sort_indices()
    if a.nnz and (a.data == 0).any():
        a.eliminate_zeros()
    symmetric = bool(abs(a - a.T).nnz == 0)
    with open(f"{path}.bin", "wb") as file:
        np.array([a.shape[0], a.nnz], np.int64).tofile(file)
        a.indptr.astype(np.int32).tofile(file)
        a.indices.astype(np.int32).tofile(file)
        a.data.astype(np.float64).tofile(file)
    if space is not None:
        np.ascontiguousarray(space, np.float64).tofile(f"{path}.space")
    facts = {"rows": a.shape[0], "entries": a.nnz, "block": block, "vectors": 0 if space is None else space.shape[1], "symmetric": symmetric}
    with open(f"{path}.json", "w") as file:
        json.dump(facts, file)
    return facts


def read(path):
    import scipy.sparse as sp  # PETSc's Python may not have it

    with open(f"{path}.json") as file:
        facts = json.load(file)
    with open(f"{path}.bin", "rb") as file:
        rows, entries = np.fromfile(file, np.int64, 2)
        offsets, columns = np.fromfile(file, np.int32, rows + 1), np.fromfile(file, np.int32, entries)
        a = sp.csr_array((np.fromfile(file, np.float64, entries), columns, offsets), shape=(rows, rows))
    space = np.fromfile(f"{path}.space").reshape(rows, -1) if facts["vectors"] else None
    return a, facts, space


def read_rows(path, rows, first, last):
    """CSR arrays of some rows."""
    with open(f"{path}.bin", "rb") as file:
        entries = int(np.fromfile(file, np.int64, 2)[1])
        offsets = np.fromfile(file, np.int32, rows + 1)
        begin, end = int(offsets[first]), int(offsets[last])
        file.seek(16 + 4 * (rows + 1) + 4 * begin)
        columns = np.fromfile(file, np.int32, end - begin)
        file.seek(16 + 4 * (rows + 1) + 4 * entries + 8 * begin)
        return offsets[first:last + 1] - offsets[first], columns, np.fromfile(file, np.float64, end - begin)


def right_side(first, last):
    """Numbers between 0 and 1 that depend on the row alone."""
    z = np.arange(first + 1, last + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z ^= z >> np.uint64(31)
    z *= np.uint64(0xBF58476D1CE4E5B9)
    z ^= z >> np.uint64(27)
    return (z >> np.uint64(11)).astype(float) * 2.0**-53
