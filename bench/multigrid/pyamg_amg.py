# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""PyAMG's smoothed aggregation on one system: python3 pyamg_amg.py PATH [THETA]. Prints a line of JSON."""

import json
import sys
import time

import numpy as np
import pyamg
import scipy.sparse as sp
from files import read, right_side

a, facts, space = read(sys.argv[1])
options = {"strength": ("symmetric", {"theta": float(sys.argv[2])})} if len(sys.argv) > 2 else {}
if facts["block"] > 1:
    a = sp.bsr_array(a, blocksize=(facts["block"],) * 2)
if space is not None:
    options["B"] = space
if not facts["symmetric"]:
    options["symmetry"] = "nonsymmetric"
b = right_side(0, facts["rows"])
begin = time.perf_counter()
levels = pyamg.smoothed_aggregation_solver(a, max_coarse=500, **options)
middle = time.perf_counter()
residuals = []
x = levels.solve(b, tol=1e-8, accel="cg" if facts["symmetric"] else "bicgstab", residuals=residuals, maxiter=500)
end = time.perf_counter()
print(json.dumps({"setup": middle - begin, "solve": end - middle, "iterations": len(residuals) - 1,
                  "residual": float(np.linalg.norm(b - a @ x) / np.linalg.norm(b)), "complexity": float(levels.operator_complexity())}))
