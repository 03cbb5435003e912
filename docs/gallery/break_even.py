# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""When a plan pays: the time of n products without one and with one, inspection included."""

import numpy as np
from pictures import save, seconds

import lacis

A = lacis.read("@kmer:1000000")
x, y = np.ones(A.shape[1]), np.empty(A.shape[0])
plain = seconds(lambda: A @ x)
inspection = seconds(lambda: lacis.plan(A), repeat=3)
plan = lacis.plan(A)
planned = seconds(lambda: plan.matvec(x, out=y))
products = np.arange(0, 101)


def draw(figure):
    axes = figure.subplots()
    axes.plot(products, 1e3 * plain * products, label="A @ x")
    axes.plot(products, 1e3 * (inspection + planned * products), "--", label="lacis.plan(A), then P @ x")
    if plain > planned:
        even = inspection / (plain - planned)
        axes.axvline(even, linestyle=":", color="C2", label=f"from {np.ceil(even):.0f} products on")
    axes.set(xlabel="products", ylabel="ms, in all", title=f"@kmer:1000000, {A.nnz:,} entries", ylim=(0, None), xlim=(0, 100))
    axes.grid()
    axes.legend()


save(draw)
