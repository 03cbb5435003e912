# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Products against the roofline of memory: what memory allows at a number of operations per byte. Points above the line are
matrices that stay in the cache."""

import numpy as np
from pictures import save, seconds

import lacis

SPECS = ["@poisson2d:1500", "@poisson3d:130", "@banded:600000,10", "@kmer:2000000", "@rmat:19", "@poisson2d:200"]
points = {}
for spec in SPECS:
    plan = lacis.plan(spec)
    x, y = np.ones(plan.shape[1]), np.empty(plan.shape[0])
    time = seconds(lambda: plan.matvec(x, out=y))
    moved = next(c["moved_bytes"] for c in plan.candidates if c["chosen"])
    points[spec] = (2 * plan.nnz / moved, 2 * plan.nnz / time / 1e9)
# The fastest of the large ones on memory alone: a band has little but its values to read.
bandwidth = max(rate / intensity for intensity, rate in list(points.values())[:3])


def draw(figure):
    axes = figure.subplots()
    intensity = np.array([0.03, 4])
    axes.loglog(intensity, bandwidth * intensity, "--", label=f"{bandwidth:.0f} GB/s, reached by the best large matrix")
    for (spec, (x, y)), marker in zip(points.items(), "osD^vP"):
        axes.loglog(x, y, marker, label=spec)
    axes.set(xlabel="operations per byte moved", ylabel="Gflop/s", title=f"y = A x, {lacis.get_num_threads()} threads")
    axes.grid(which="both", linewidth=0.4)
    axes.legend(fontsize=8)


save(draw)
