# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""PETSc's conjugate gradients on all ranks of an MPI job, for peer_cg.py: rank 0 speaks the protocol of peer.py."""

import sys
import time

import petsc4py

petsc4py.init([])
from mpi4py import MPI  # noqa: E402
from petsc4py import PETSc  # noqa: E402

from peer_libraries import Matrix, Unusable  # noqa: E402

world = MPI.COMM_WORLD


class Solver:
    def load(self, path):
        m = Matrix(path)
        if m.dtype != PETSc.ScalarType or m.index_type() != PETSc.IntType:
            raise Unusable("this build is for double and 32-bit indices")
        first, last = m.rows * world.rank // world.size, m.rows * (world.rank + 1) // world.size
        begin, end = m.row_offsets[first], m.row_offsets[last]
        offsets = (m.row_offsets[first : last + 1] - begin).astype(PETSc.IntType)
        columns, values = m.columns[begin:end].astype(PETSc.IntType), m.all_values()[begin:end]
        rows = (last - first, m.rows)
        self.a = PETSc.Mat().createAIJ((rows, rows), csr=(offsets, columns, values), comm=PETSc.COMM_WORLD)
        self.b, self.x = self.a.createVecLeft(), self.a.createVecRight()
        self.b.setArray(m.x[first:last])
        self.ksp = PETSc.KSP().create(PETSc.COMM_WORLD)
        self.ksp.setOperators(self.a)
        self.ksp.setType("cg")
        self.ksp.getPC().setType("none")
        return "csr"

    def steps(self, count):
        self.count = int(count)
        self.ksp.setTolerances(rtol=1e-300, atol=1e-300, divtol=1e300, max_it=self.count)
        return ""

    def solve(self):
        self.ksp.solve(self.b, self.x)

    def product(self, path):
        self.solve()
        parts = world.gather(self.x.getArray())
        if world.rank == 0:
            with open(path, "wb") as file:
                for part in parts:
                    part.tofile(file)
        return ""

    def run(self, times):
        world.Barrier()
        begin = time.perf_counter()
        for _ in range(int(times)):
            self.solve()
        world.Barrier()
        return repr((time.perf_counter() - begin) / (int(times) * self.count))


def say(word, text):
    if world.rank == 0:
        print(word, " ".join(str(text).split()), flush=True)


def next_line():
    """What rank 0 is told; the others sleep until then, where a broadcast would keep their processors busy."""
    if world.rank == 0:
        line = sys.stdin.readline()
        for rank in range(1, world.size):
            world.send(line, rank)
        return line
    while not world.iprobe(source=0):
        time.sleep(1e-3)
    return world.recv(source=0)


solver = Solver()
say("ok", ".".join(map(str, PETSc.Sys.getVersion())))
while True:
    line = next_line().rstrip("\n")
    if line in ("", "quit"):
        break
    command, _, rest = line.partition(" ")
    try:
        say("ok", getattr(solver, command)(*([rest] if rest else [])))
    except Exception as problem:  # as in peer.py
        say("error", problem)
