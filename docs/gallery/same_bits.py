# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Rows of a product on one to eight threads that differ from those on one thread: none with lacis. A product whose sums are cut into as many pieces as there are
threads, as a parallel reduction cuts them, changes with each number."""

import numpy as np
from pictures import save

import lacis

A = lacis.generate("@density:4000,0.05", values="random")
x = np.random.default_rng(1).standard_normal(A.shape[1])
threads = np.arange(1, 9)


def in_pieces(pieces):
    """A x with the columns cut into pieces, whose sums are then added."""
    bounds = np.linspace(0, A.shape[1], pieces + 1).astype(int)
    return sum(A[:, low:high] @ x[low:high] for low, high in zip(bounds, bounds[1:]))


ours = [np.count_nonzero(lacis.plan(A, threads=int(n)) @ x != lacis.plan(A, threads=1) @ x) for n in threads]
cut = [np.count_nonzero(in_pieces(n) != in_pieces(1)) for n in threads]
assert not any(ours)


def draw(figure):
    axes = figure.subplots()
    axes.plot(threads, cut, "s--", label="sums cut into one piece per thread")
    axes.plot(threads, ours, "o-", label="lacis.plan(A, threads=n) @ x")
    axes.set(xlabel="threads", ylabel=f"rows with other bits, of {A.shape[0]:,}", ylim=(-150, A.shape[0] * 1.05))
    axes.grid()
    axes.legend(loc="center right")


save(draw)
