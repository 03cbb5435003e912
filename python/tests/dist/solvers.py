# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Run by mpirun: solutions with the bits of one process; rank 0 prints their hashes."""

import hashlib
import sys
import warnings

import numpy as np
import scipy.sparse
from mpi4py import MPI

import lacis
from lacis import dist, linalg

comm = MPI.COMM_WORLD


def whole_of(part):
    return np.concatenate(comm.allgather(part))


def check(name, found, alone):
    """x and iterations of all ranks are those of one process."""
    x = whole_of(found.x)
    assert found.converged and found.iterations > 30 and found.method == name.split()[0], (name, found)
    assert found.iterations == alone.iterations and found.residual == alone.residual, (name, found, alone)
    assert x.tobytes() == alone.x.tobytes(), name
    assert np.array_equal(found.history, alone.history), name
    if comm.rank == 0:
        print("hash", name, hashlib.sha256(x.tobytes()).hexdigest(), flush=True)


def main(folder):
    rng = np.random.default_rng(5)
    for dtype, tol in ((np.float64, 1e-8), (np.complex128, 1e-8), (np.float32, 1e-4), (np.complex64, 1e-4)):
        scales = scipy.sparse.diags_array(1 + 0.5 * rng.random(14400))  # a diagonal that jacobi has something to do with
        scaled = scipy.sparse.csr_array(scales @ lacis.generate("@poisson2d:120") @ scales).astype(dtype)
        A = dist.csr_array(scaled[dist.even_rows(14400)], shape=scaled.shape)
        whole = A.collect()
        b = rng.standard_normal(A.shape[0]).astype(dtype)
        P = dist.plan(A)
        name = np.dtype(dtype).name
        check(f"cg {name}", dist.solve(P, b[A.own_rows], precond="none", tol=tol), linalg.cg(whole, b, rtol=tol, report=True)[2])
        check(f"cg jacobi {name}", dist.solve(A, b[A.own_rows], tol=tol), linalg.cg(whole, b, rtol=tol, M="jacobi", report=True)[2])
        start = rng.standard_normal(A.shape[1]).astype(dtype)
        check(
            f"gmres x0 {name}",
            dist.solve(P, b[A.own_rows], method="gmres", precond="none", tol=1e-3, x0=start[A.own_cols], restart=30),
            linalg.gmres(whole, b, x0=start, rtol=1e-3, restart=30, report=True)[2],
        )

    A = dist.generate("@uniform:12000,5", values="random")
    whole = A.collect()
    b = whole @ np.ones(A.shape[1])
    seen = []
    options = {"tol": 1e-3, "maxiter": 4000}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = dist.solve(A, b[A.own_rows], method="lsqr", progress=(lambda *now: seen.append(now)) if comm.rank == 0 else None, **options)
        alone = lacis.solve(lacis.plan(whole, transpose=True), b, method="lsqr", **options)
    assert whole_of(found.x).tobytes() == alone.x.tobytes() and found.iterations == alone.iterations
    if comm.rank == 0:
        print("hash lsqr", hashlib.sha256(alone.x.tobytes()).hexdigest(), flush=True)

    # A solution that is interrupted goes on from its checkpoint.
    A = dist.generate("@poisson2d:100")
    b = np.ones(A.local_shape[0])
    found = dist.solve(A, b, precond="amg", cycle="k", smoother="l1-jacobi")
    alone = lacis.solve("@poisson2d:100", np.ones(10_000), method="cg", precond="amg", cycle="k", smoother="l1-jacobi")
    assert whole_of(found.x).tobytes() == alone.x.tobytes() and found.iterations == alone.iterations
    for wrong in ({"cycle": "w"}, {"precond": "amg", "cycle": "f"}, {"precond": "amg", "smoother": "magic"}):
        try:
            dist.solve(A, b, **wrong)
            raise AssertionError(wrong)
        except ValueError:
            pass
    through = dist.solve(A, b)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert not dist.solve(A, b, maxiter=150, checkpoint=folder).converged
    resumed = dist.solve(A, b, checkpoint=folder)
    assert resumed.x.tobytes() == through.x.tobytes() and resumed.iterations == through.iterations
    print(f"rank {comm.rank}: ok", flush=True)


main(sys.argv[1])
