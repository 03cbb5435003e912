# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Where the entries of a graph are, with its hubs first: entries per cell, on a logarithmic scale, since a few cells hold most of them."""

import numpy as np
from matplotlib.colors import LogNorm
from pictures import save

import lacis

A = lacis.read("@rmat:17")
hubs_first = np.argsort(-np.diff(A.indptr), kind="stable")
picture = lacis.spy(lacis.csr_array(A[hubs_first][:, hubs_first]), width=180, height=180)


def draw(figure):
    axes = figure.subplots()
    rows, cols = picture.shape
    cells = axes.imshow(np.ma.masked_equal(picture.counts, 0), norm=LogNorm(), extent=(0, cols, rows, 0), interpolation="nearest")
    figure.colorbar(cells, label="entries per cell")
    axes.set(xlabel="column", ylabel="row", title=f"@rmat:17 by length of rows, {A.nnz:,} entries")


save(draw, 6.0, 4.8)
