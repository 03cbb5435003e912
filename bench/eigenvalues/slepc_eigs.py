# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""SLEPc on one matrix: mpirun -n RANKS python3 slepc_eigs.py PATH COUNT smallest|largest TOLERANCE [SLEPc's options]. Prints a line of JSON."""

import glob
import json
import sys
import time
from pathlib import Path

sys.path += glob.glob("/usr/lib/petscdir/*/*-real/lib/python3/dist-packages") + glob.glob("/usr/lib/slepcdir/*/*-real/lib/python3/dist-packages")
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "multigrid"))
import slepc4py

slepc4py.init([sys.argv[0]] + sys.argv[5:])
import numpy as np
from files import read_rows
from petsc4py import PETSc
from slepc4py import SLEPc

path, count, which, tolerance = sys.argv[1], int(sys.argv[2]), sys.argv[3], float(sys.argv[4])
comm = PETSc.COMM_WORLD
rows = json.loads(Path(f"{path}.json").read_text())["rows"]
first, last = rows * comm.rank // comm.size, rows * (comm.rank + 1) // comm.size
a = PETSc.Mat().createAIJ(((last - first, rows), (last - first, rows)), csr=read_rows(path, rows, first, last), comm=comm)
a.setOption(PETSc.Mat.Option.SYMMETRIC, True)
comm.barrier()
begin = time.perf_counter()
solver = SLEPc.EPS().create(comm)
solver.setOperators(a)
solver.setProblemType(SLEPc.EPS.ProblemType.HEP)
solver.setDimensions(nev=count)
solver.setWhichEigenpairs(SLEPc.EPS.Which.SMALLEST_REAL if which == "smallest" else SLEPc.EPS.Which.LARGEST_REAL)
solver.setTolerances(tol=tolerance, max_it=100000)
solver.setFromOptions()
solver.solve()
comm.barrier()
seconds = time.perf_counter() - begin
values = [solver.getEigenvalue(k).real for k in range(min(count, solver.getConverged()))]
worst = max((solver.computeError(k, SLEPc.EPS.ErrorType.RELATIVE) for k in range(len(values))), default=np.inf)
if comm.rank == 0:
    print(json.dumps({"seconds": seconds, "values": values, "residual": worst, "iterations": solver.getIterationNumber()}))
