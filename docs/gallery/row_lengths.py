# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""How long the rows are: what decides between formats. A grid has one length, a k-mer graph a few, a social graph all of them."""

import numpy as np
from pictures import save

import lacis

SPECS = {"@poisson3d:60": "o", "@kmer:300000": "s", "@rmat:17": "."}
lengths = {spec: np.diff(lacis.read(spec).indptr) for spec in SPECS}


def draw(figure):
    axes = figure.subplots()
    for spec, marker in SPECS.items():
        counts = np.bincount(lengths[spec])
        length = np.flatnonzero(counts)
        axes.loglog(length + 1, counts[length], marker, label=spec)  # + 1, since empty rows have no place on a logarithmic scale
    axes.set(xlabel="entries in a row + 1", ylabel="rows")
    axes.grid()
    axes.legend()


save(draw)
