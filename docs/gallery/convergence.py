# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""What a preconditioner saves: the residual of conjugate gradients after every iteration."""

import numpy as np
from pictures import save

import lacis

A = lacis.read("@poisson2d:200")
b = np.ones(A.shape[0])
results = {name: lacis.solve(A, b, method="cg", precond=name) for name in ("none", "ssor", "ic0", "chebyshev")}


def draw(figure):
    axes = figure.subplots()
    for (name, result), style in zip(results.items(), ("-", "--", "-.", ":")):
        axes.semilogy(np.arange(1, len(result.history) + 1), result.history, style, label=f"{name}: {result.iterations} iterations")
    axes.set(xlabel="iteration", ylabel="|b - A x| / |b|", title="cg on @poisson2d:200")
    axes.grid()
    axes.legend(title="preconditioner")


save(draw)
