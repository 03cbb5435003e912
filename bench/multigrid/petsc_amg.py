# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""PETSc's GAMG or hypre's BoomerAMG on one system: mpirun -n RANKS python3 petsc_amg.py PATH [PETSc's options]. Prints a line of JSON."""

import glob
import json
import sys
import time
from pathlib import Path

sys.path += glob.glob("/usr/lib/petscdir/*/*-real/lib/python3/dist-packages")  # where Debian has it
import petsc4py

petsc4py.init([sys.argv[0]] + sys.argv[2:])
import numpy as np
from files import read_rows, right_side
from petsc4py import PETSc

path = sys.argv[1]
facts = json.loads(Path(f"{path}.json").read_text())
comm = PETSc.COMM_WORLD
rows, block = facts["rows"], facts["block"]
nodes = rows // block
first, last = (nodes * rank // comm.size * block for rank in (comm.rank, comm.rank + 1))
a = PETSc.Mat().createAIJ(((last - first, rows), (last - first, rows)), csr=read_rows(path, rows, first, last), comm=comm)
a.setBlockSize(block)
if facts["vectors"]:
    space = np.fromfile(f"{path}.space").reshape(rows, -1)[first:last]
    basis = []
    for column in space.T:
        v = a.createVecRight()
        v.setBlockSize(block)
        v.setArray(column)
        for other in basis:
            v.axpy(-v.dot(other), other)
        v.normalize()
        basis.append(v)
    a.setNearNullSpace(PETSc.NullSpace().create(vectors=basis, comm=comm))
if facts["symmetric"]:
    a.setOption(PETSc.Mat.Option.SYMMETRIC, True)

x, b = a.createVecs()
b.setArray(right_side(first, last))
solver = PETSc.KSP().create(comm)
solver.setOperators(a)
solver.setType("cg" if facts["symmetric"] else "bcgs")
if facts["symmetric"]:
    solver.setNormType(PETSc.KSP.NormType.UNPRECONDITIONED)
else:
    solver.setPCSide(PETSc.PC.Side.RIGHT)
solver.setTolerances(rtol=1e-8, atol=0, max_it=2000)
solver.setFromOptions()
comm.barrier()
begin = time.perf_counter()
solver.setUp()
comm.barrier()
middle = time.perf_counter()
solver.solve(b, x)
comm.barrier()
end = time.perf_counter()
r = b.duplicate()
a.mult(x, r)
r.aypx(-1, b)
found = {"setup": middle - begin, "solve": end - middle, "iterations": solver.getIterationNumber(), "residual": r.norm() / b.norm()}
if comm.rank == 0:
    print(json.dumps(found))
