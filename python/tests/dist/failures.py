# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Run by mpirun: what goes wrong on the last rank is an exception on all of them, and the matrix can be used again."""

import sys

import numpy as np
from mpi4py import MPI

import lacis
from lacis import dist

comm = MPI.COMM_WORLD
last = comm.size - 1
is_last = comm.rank == last


def fails(work, own, words, others=None, named=True):
    """Raises `own` on the last rank; `others`, or `own`, with these words on all others. They name the last rank, unless all ranks find the same."""
    try:
        work()
    except own if is_last or others is None else others as problem:
        text = str(problem)
        assert words in text or (is_last and others), text
        assert is_last or (f"rank {last}: " in text) == named, text
    else:
        raise AssertionError(f"{own.__name__} was expected: {words}")


def main(file):
    A = dist.generate("@poisson2d:130")
    P = dist.plan(A, adjoint=True)
    x = np.random.default_rng(1).standard_normal(A.shape[1])
    y = P @ x[A.own_cols]
    rows, cols = A.local_shape

    def again():
        assert (P @ x[A.own_cols]).tobytes() == y.tobytes()
        assert dist.solve(P, np.ones(rows), tol=1e-3).converged

    fails(lambda: P @ np.ones(cols + is_last), lacis.InvalidArgument, "this rank's part")
    again()
    fails(lambda: P @ np.ones(cols, complex if is_last else float), TypeError, "astype", lacis.InvalidArgument)
    again()
    fails(lambda: P.matvec(np.ones(cols), out=np.ones(rows, np.float32 if is_last else float)), lacis.InvalidArgument, "float64")
    again()
    fails(lambda: dist.solve(P, np.full(rows, np.nan if is_last else 1.0)), lacis.InvalidArgument, "finite", named=False)  # the norm is that of all ranks
    again()
    fails(lambda: dist.solve(P, np.ones(rows), x0=np.ones(cols + is_last)), lacis.InvalidArgument, "x0")
    again()
    fails(lambda: dist.plan(A, threads=0 if is_last else 1), lacis.InvalidArgument, "threads")
    fails(lambda: dist.pagerank(A, personalization=np.ones(rows + is_last)), lacis.InvalidArgument, "personalization")
    fails(lambda: dist.solve(P, np.ones(rows), tol="small" if is_last else 1e-3), ValueError, "small", lacis.InvalidArgument)
    fails(lambda: dist.solve(P, np.ones(rows), maxiter=[] if is_last else 9), TypeError, "TypeError", lacis.InvalidArgument)
    again()
    fails(lambda: dist.plan(A, exchange="pigeon" if is_last else None), lacis.InvalidArgument, "pigeon")
    fails(lambda: dist.generate("@rmat:5", values="odd" if is_last else "ones"), lacis.InvalidArgument, "odd")
    fails(lambda: dist.generate("@rmat:5", dtype=int if is_last else float), TypeError, "dtype", lacis.InvalidArgument)
    fails(lambda: dist.read(3 if is_last else file), TypeError, "TypeError", lacis.InvalidArgument)
    again()
    if comm.rank == 0:
        lacis.write(file, lacis.generate("@poisson2d:9"))
    comm.Barrier()
    fails(lambda: dist.read(file + (".none" if is_last else "")), lacis.IoError, ".none")
    assert dist.read(file).shape == (81, 81)
    fails(lambda: dist.csr_array(object() if is_last else np.ones((0, 3))), TypeError, "is not a matrix", lacis.InvalidArgument)
    mine = dist.even_rows(10000)
    fails(lambda: dist.csr_array(np.ones((mine.stop - mine.start + is_last, 1)), shape=(10000, 1)), lacis.InvalidArgument, "even_rows")
    fails(lambda: dist.together(lambda: 1 // (not is_last)), ZeroDivisionError, "ZeroDivisionError", lacis.InvalidArgument)
    assert dist.together(lambda: comm.rank) == comm.rank

    def until_ten(iteration, residual):
        raise KeyError("enough")

    fails(lambda: dist.solve(P, np.ones(rows), tol=1e-300, maxiter=10**9, progress=until_ten if is_last else None), KeyError, "enough", lacis.Stopped)
    again()

    def uses_the_matrix(iteration, residual):
        P @ x[A.own_cols]

    fails(lambda: dist.solve(P, np.ones(rows), tol=1e-300, maxiter=10**9, progress=uses_the_matrix if is_last else None), lacis.InvalidArgument, "progress", lacis.Stopped)
    again()

    # What is wrong on all ranks.
    for work, kind in (
        (lambda: dist.solve(P, np.ones(rows), method="magic"), lacis.InvalidArgument),
        (lambda: dist.solve(P, np.ones(rows), precond="ssor"), lacis.Unsupported),
        (lambda: dist.solve(dist.plan(A), np.ones(rows), method="lsqr"), lacis.InvalidArgument),
        (lambda: dist.plan(A).rmatvec(np.ones(rows)), lacis.InvalidArgument),
        (lambda: dist.generate("@nothing:3"), lacis.InvalidArgument),
        (lambda: dist.generate("@rmat:5", dtype=int), TypeError),
        (lambda: dist.generate("@rmat:5", comm=1), TypeError),
        (lambda: dist.generate("@rmat:5", comm=MPI.COMM_NULL), lacis.InvalidArgument),
        (lambda: A @ np.ones(3), TypeError),
    ):
        try:
            work()
        except kind:
            continue
        raise AssertionError(kind)
    again()

    # The communicator may go, the matrix stays.
    own = comm.Dup()
    B = dist.generate("@poisson2d:130", comm=own)
    Q = dist.plan(B)
    own.Free()
    assert (Q @ x[B.own_cols]).tobytes() == y.tobytes() and B.T.nnz == A.nnz
    half = comm.Split(comm.rank % 2)
    H = dist.generate("@poisson2d:130", comm=half)
    assert (dist.plan(H) @ x[H.own_cols]).tobytes() == (lacis.plan(A.collect()) @ x)[H.own_rows].tobytes()

    # Ranks need not delete matrices in the same order: Open MPI frees a communicator without the others.
    several = [dist.plan(dist.generate("@poisson2d:20")) for _ in range(4)]
    for _ in range(4):
        several.pop(0 if is_last else -1)
        again()

    print(f"rank {comm.rank}: ok", flush=True)
    MPI.Finalize()
    for work in (lambda: P @ x[A.own_cols], lambda: A.T, lambda: dist.generate("@rmat:5")):
        try:
            work()
        except lacis.InvalidArgument as problem:
            assert "finalised" in str(problem)
        else:
            raise AssertionError("MPI is finalised")
    # The objects go after MPI.


main(sys.argv[1])
