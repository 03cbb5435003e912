# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Conjugate gradients from x = 0 without a preconditioner, one class a library: load, solve, x. The vector of the file
is the right-hand side; a solve takes a fixed number of iterations, and what it does before the first one counts."""

import ctypes
import glob
import os
import subprocess
import time

import numpy as np

from peer_libraries import Eigen, Mkl, Scipy, Unusable, pointer


class Cg:
    """What the protocol asks of a peer, over solve and x."""

    def steps(self, count):
        self.count = count
        return ""

    def product(self, path):
        self.solve()
        self.x.tofile(path)
        return ""

    def run(self, times):
        begin = time.perf_counter()
        for _ in range(times):
            self.solve()
        return (time.perf_counter() - begin) / (times * self.count)


class ScipyCg(Scipy, Cg):
    def load(self, m):
        from scipy.sparse.linalg import cg

        self.a, self.b, self.call = self.matrix(m), m.x, cg
        return "csr"

    def solve(self):
        self.x, _ = self.call(self.a, self.b, rtol=0, atol=0, maxiter=self.count)


class MklCg(Mkl, Cg):
    """A loop written by hand (loop_peer.cpp) over MKL's product, both on the threads of one runtime."""

    def __init__(self):
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "liblacis_loop_peer.so")
        if not os.path.exists(path):
            raise Unusable("not built (configure and build again)")
        os.environ["MKL_THREADING_LAYER"] = "GNU"
        self.loop = ctypes.CDLL(path)
        super().__init__()

    def load(self, m):
        if m.dtype != np.float64:
            raise Unusable("its loop is for double")
        self.use_integers(m.index_type())
        self.use_numbers(m.dtype)
        handle, plain = self.matrix(m), self.Description(self.GENERAL, 0, 0)
        self.check("set_mv_hint", self.library.mkl_sparse_set_mv_hint(
            handle, self.NON_TRANSPOSE, plain, self.integer(self.EXPECTED_CALLS)))
        self.check("optimize", self.library.mkl_sparse_optimize(handle))
        self.b = m.x
        self.x, self.r, self.p, self.q = (np.zeros(m.rows) for _ in range(4))
        product = ctypes.cast(self.function("mv"), ctypes.c_void_p)
        self.arguments = (product, handle, ctypes.c_int64(m.rows), pointer(self.b), pointer(self.x), pointer(self.r),
                          pointer(self.p), pointer(self.q))
        return "csr"

    def solve(self):
        self.check("d_mv", self.loop.conjugate_gradients(*self.arguments, ctypes.c_int64(self.count)))


class EigenCg(Eigen, Cg):
    def load(self, m):
        self.use_types(m, m.index_type())
        self.b, self.x = m.x, np.zeros(m.rows, m.dtype)
        self.arguments = (self.matrix(m), pointer(self.b), pointer(self.x))
        return "csr"

    def solve(self):
        self.function("conjugate_gradients")(*self.arguments, ctypes.c_int64(self.count))


class PetscCg:
    """One process per thread: the lines go on to petsc_ranks.py, which MPI starts under the Python of the system."""

    def __init__(self):
        folders = sorted(glob.glob("/usr/lib/petscdir/petsc3*/*-real"))
        if not folders:
            raise Unusable("not installed (tools/install-peers)")
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "petsc_ranks.py")
        environment = {**os.environ, "PETSC_DIR": folders[-1],
                       "PYTHONPATH": os.path.join(folders[-1], "lib/python3/dist-packages"),
                       "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        ranks = os.environ.get("OMP_NUM_THREADS", "1")
        environment["OMP_NUM_THREADS"] = "1"
        try:
            self.job = subprocess.Popen(["mpirun", "-n", ranks, "/usr/bin/python3", script], text=True, bufsize=1,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        except FileNotFoundError:
            raise Unusable("not installed (tools/install-peers)") from None
        self.version = self.answer()

    def answer(self):
        line = self.job.stdout.readline()
        word, _, rest = line.rstrip("\n").partition(" ")
        if word != "ok":
            raise Unusable(rest or "its processes ended")
        return rest

    def ask(self, line):
        self.job.stdin.write(line + "\n")
        return self.answer()

    def steps(self, count):
        return self.ask(f"steps {count}")

    def load(self, m):
        return self.ask(f"load {m.path}")

    def product(self, path):
        return self.ask(f"product {path}")

    def run(self, times):
        return float(self.ask(f"run {times}"))


PEERS = {"cg": {"mkl-loop": MklCg, "petsc": PetscCg, "eigen": EigenCg, "scipy": ScipyCg}}
