# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Pages with many links have a high rank, but not only they: the rank of every page of a graph against the number of links to it."""

import numpy as np
from matplotlib.colors import LogNorm
from pictures import save

import lacis

A = lacis.generate("@rmat:15")
rank = lacis.pagerank(A)
links = np.bincount(A.indices, minlength=A.shape[1])


def draw(figure):
    axes = figure.subplots()
    cells = axes.hexbin(links + 1, rank * A.shape[0], xscale="log", yscale="log", gridsize=45, mincnt=1, norm=LogNorm())
    figure.colorbar(cells, label="pages")
    axes.set(xlabel="links to the page + 1", ylabel="rank, 1 is the mean", title="@rmat:15")


save(draw)
