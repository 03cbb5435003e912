# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Run by mpirun: SIGINT to all ranks, or to the last, ends a solver that would run for ever. Prints the longest delay."""

import os
import signal
import sys
import threading
import time

import numpy as np
import scipy.sparse
from mpi4py import MPI

import lacis
from lacis import dist

signal.signal(signal.SIGINT, signal.default_int_handler)
comm = MPI.COMM_WORLD


def main(whom):
    # A rotation, on which gmres with a short restart makes no progress.
    n = 20000
    own = dist.even_rows(n)
    count = own.stop - own.start
    columns = (np.arange(own.start, own.stop) + 1) % n
    A = dist.csr_array(scipy.sparse.csr_array((np.ones(count), columns, np.arange(count + 1)), shape=(count, n)), shape=(n, n))
    P = dist.plan(A)
    b = np.zeros(A.local_shape[0])
    if A.own_rows.start == 0 and len(b):
        b[0] = 1
    receivers = comm.allgather(os.getpid())
    receivers = receivers if whom == "all" else receivers[-1:]
    for _ in range(3):
        comm.Barrier()
        sent = time.time() + 0.5

        def send():
            time.sleep(max(0, sent - time.time()))
            for process in receivers:
                os.kill(process, signal.SIGINT)

        if comm.rank == 0:
            threading.Thread(target=send).start()
        sent = comm.bcast(sent)
        expected = (KeyboardInterrupt,) if os.getpid() in receivers else (lacis.Stopped,)
        try:
            dist.solve(P, b, method="gmres", precond="none", restart=5, tol=1e-300, maxiter=10**9)
        except expected:
            delay = time.time() - sent
        else:
            raise AssertionError("the solver ended by itself")
        delay = comm.allreduce(delay, MPI.MAX)
        if comm.rank == 0:
            print(f"delay {delay:.3f}", flush=True)
    S = dist.generate("@poisson2d:50")
    assert dist.solve(S, np.ones(S.local_shape[0])).converged
    print(f"rank {comm.rank}: ok", flush=True)


main(sys.argv[1])
