# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""What eight ranks of a cluster exchange before a product: elements of x that a rank needs from each other one, with the points of a
mesh in any order and after reverse Cuthill-McKee."""

import numpy as np
from matplotlib.colors import LogNorm
from pictures import save
from scipy.sparse.csgraph import reverse_cuthill_mckee

import lacis

PARTS = 8


def exchanged(a):
    """(i, j): how many elements of part j the rows of part i read."""
    rows, owner = a.shape[0], np.arange(a.shape[0]) * PARTS // a.shape[0]
    part = np.repeat(owner, np.diff(a.indptr))
    needed = np.unique(part * rows + a.indices)
    counts = np.zeros((PARTS, PARTS), dtype=int)
    np.add.at(counts, (needed // rows, owner[needed % rows]), 1)
    np.fill_diagonal(counts, 0)
    return counts


A = lacis.read("@mesh3d:24,shuffled")
order = reverse_cuthill_mckee(A, symmetric_mode=True)
pictures = {"shuffled": exchanged(A), "reverse Cuthill-McKee": exchanged(A[order][:, order])}


def draw(figure):
    panels = figure.subplots(1, 2, sharey=True)
    most = max(counts.max() for counts in pictures.values())
    for axes, (name, counts) in zip(panels, pictures.items()):
        cells = axes.imshow(np.ma.masked_equal(counts, 0), norm=LogNorm(1, most))
        axes.set(title=f"{name}\n{counts.sum():,} elements", xlabel="from rank")
    panels[0].set_ylabel("to rank")
    figure.colorbar(cells, ax=panels, label="elements of x")


save(draw, 7.2, 3.6)
