# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Run by mpirun: products, matrices and what is made from them, with the bits of one process."""

import sys

import numpy as np
import scipy.sparse
from mpi4py import MPI

import lacis
from lacis import dist

comm = MPI.COMM_WORLD


def vector(size, dtype, seed):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(size)
    return (x + 1j * rng.standard_normal(size) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def same(left, right):
    return left.dtype == right.dtype and left.tobytes() == right.tobytes()


def same_matrix(left, right):
    return left.shape == right.shape and np.array_equal(left.indptr, right.indptr) and np.array_equal(left.indices, right.indices) and same(left.data, right.data)


def check_products(A):
    """With A and A^H, in new arrays and in given ones."""
    whole = A.collect()
    alone = lacis.plan(whole, transpose=True)
    P = dist.plan(A, adjoint=True)
    x, z = vector(A.shape[1], A.dtype, 1), vector(A.shape[0], A.dtype, 2)
    y = P @ x[A.own_cols]
    assert same(y, (alone @ x)[A.own_rows]), A
    assert same(P.rmatvec(z[A.own_rows]), alone.rmatvec(z)[A.own_cols]), A
    out = np.full(A.local_shape[0], 7, A.dtype)
    assert P.matvec(x[A.own_cols], out=out) is out and same(out, y)
    for kind in ("point-to-point", "neighbourhood", "all-to-all"):
        assert same(dist.plan(A, exchange=kind) @ x[A.own_cols], y), kind
    assert P.exchange["received_elements"] >= 0 and P.explain() and "on this rank" in repr(P)
    return whole


def main(file):
    for dtype in (np.float32, np.float64, np.complex64, np.complex128):
        A = dist.generate("@uniform:20000,8", values="random", dtype=dtype)
        assert A.shape == (20000, 20000) and A.dtype == dtype and A.comm == comm
        whole = check_products(A)
        assert A.nnz == whole.nnz
        assert same_matrix(A.T.collect(), lacis.csr_array(whole.T.tocsr()))
        assert same_matrix(A.H.collect(), lacis.csr_array(whole.conj().T.tocsr()))
        C = A @ A
        assert same_matrix(C.collect(), whole @ whole)
        check_products(dist.generate("@uniform:5,2", values="random", dtype=dtype))  # fewer rows than a rank takes
    assert same_matrix(dist.generate("@rmat:13").collect(), lacis.generate("@rmat:13"))

    # Rows that each rank brings: rectangular, not sorted, of different types.
    places = (np.repeat(np.arange(17000), 6), np.random.default_rng(3).integers(6000, size=6 * 17000))
    full = scipy.sparse.csr_array((vector(6 * 17000, np.float64, 4), places), shape=(17000, 6000))
    mine = full[dist.even_rows(17000)]
    if comm.rank % 2:
        mine.indices = mine.indices.astype(np.int64)
        mine.indptr = mine.indptr.astype(np.int64)
        mine.data = mine.data.astype(np.complex128)
    mine = scipy.sparse.csr_array((mine.data[::-1], mine.indices[::-1], mine.indptr[-1] - mine.indptr[::-1]), shape=mine.shape)[::-1]
    full = full.astype(np.complex128) if comm.size > 1 else full
    for balance in (True, False):
        A = dist.csr_array(mine, shape=full.shape, balance=balance)
        full.sort_indices()
        assert same_matrix(check_products(A), full)
        assert balance or A.own_rows == dist.even_rows(17000)
    assert dist.csr_array(mine).shape[0] == 17000
    assert same_matrix((dist.csr_array(mine, shape=full.shape, balance=False).H @ A).collect(), lacis.csr_array(full.conj().T.tocsr()) @ lacis.csr_array(full))

    if comm.rank == 0:
        lacis.write(file, lacis.generate("@uniform:9000,6", values="random"))
        lacis.write(file + ".npz", lacis.generate("@rmat:10"))
    comm.Barrier()
    assert same_matrix(check_products(dist.read(file)), lacis.read(file))
    assert same_matrix(dist.read(file + ".npz").collect(), lacis.read(file + ".npz"))

    links = dist.generate("@rmat:13")
    assert same(dist.pagerank(links), lacis.pagerank(lacis.generate("@rmat:13"))[links.own_rows])
    print(f"rank {comm.rank}: ok", flush=True)


main(sys.argv[1])
