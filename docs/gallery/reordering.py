# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""What reverse Cuthill-McKee does to a mesh whose points come in any order: neighbours come close to the diagonal, and so does what a product reads of x."""

import numpy as np
from matplotlib.colors import LogNorm
from pictures import save
from scipy.sparse.csgraph import reverse_cuthill_mckee

import lacis

A = lacis.read("@mesh3d:20,shuffled")
order = reverse_cuthill_mckee(A, symmetric_mode=True)
pictures = {"shuffled": A, "reverse Cuthill-McKee": lacis.csr_array(A[order][:, order])}


def draw(figure):
    panels = figure.subplots(1, 2, sharey=True)
    for axes, (name, matrix) in zip(panels, pictures.items()):
        picture, facts = lacis.spy(matrix, 200, 200), lacis.info(matrix)
        rows, cols = picture.shape
        cells = axes.imshow(np.ma.masked_equal(picture.counts, 0), norm=LogNorm(1, 1000), extent=(0, cols, rows, 0), interpolation="nearest")
        axes.set(title=f"{name}\nbandwidth {facts.upper_bandwidth:,}", xlabel="column")
        axes.tick_params(axis="x", rotation=30)
    panels[0].set_ylabel("row")
    figure.colorbar(cells, ax=panels, label="entries per cell")


save(draw, 7.2, 3.8)
