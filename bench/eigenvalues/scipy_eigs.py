# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""ARPACK through SciPy on one matrix: python3 scipy_eigs.py PATH COUNT smallest|largest TOLERANCE. Prints a line of JSON."""

import json
import sys
import time
from pathlib import Path

import numpy as np
from scipy.sparse.linalg import eigsh

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "multigrid"))
from files import read

a = read(sys.argv[1])[0]
begin = time.perf_counter()
values, vectors = eigsh(a, k=int(sys.argv[2]), which="SA" if sys.argv[3] == "smallest" else "LA", tol=float(sys.argv[4]))
seconds = time.perf_counter() - begin
residual = max(np.linalg.norm(a @ vectors - vectors * values, axis=0) / abs(values))
print(json.dumps({"seconds": seconds, "values": sorted(map(float, values), reverse=sys.argv[3] == "largest"), "residual": float(residual)}))
