#!/usr/bin/env python3
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""What a product sends between ranks when a square matrix lies in ranges of rows (1D) or on a grid of ranks (2D).

    lacis generate @rmat:17 -o rmat17.csr
    build/venv/bin/python bench/layout_volume.py rmat17.csr

Volumes are elements over rows. The vectors lie in the same ranges in every layout: of the same rows + entries, at any row. 2D
is Cartesian (Boman, Devine, Rajamanickam 2013): entry (i, j) is at (range of i mod side, range of j div side), so elements of x travel along
columns of the grid and sums along its rows; sparse sends what is needed, dense everything. The second table takes the volumes
of this matrix for one of other size: --rows, --entries; times are a model, of mean and of busiest rank.
"""
import argparse
import math

import numpy as np


def count_by(owners, ranks):
    return np.bincount(owners, minlength=ranks)


def received(ranks, needing, elements, home, size):
    """How many distinct elements each rank needs that live elsewhere."""
    pairs = np.unique(needing.astype(np.int64) * size + elements)
    rank, element = pairs // size, pairs % size
    return count_by(rank[home[element] != rank], ranks)


def layouts(offsets, columns, ranks):
    rows = len(offsets) - 1
    side = math.isqrt(ranks)
    lengths = np.diff(offsets)
    weight = np.cumsum(lengths + 1)
    home = np.minimum(((weight - 1) * ranks) // weight[-1], ranks - 1)
    i = np.repeat(np.arange(rows), lengths)
    hi, hj = home[i], home[columns]
    one = received(ranks, hi, columns, home, rows)
    yield "1D", one, count_by(hi, ranks)
    if side * side == ranks:
        at = hj // side * side + hi % side
        yield "sparse 2D", received(ranks, at, columns, home, rows) + received(ranks, at, i, home, rows), count_by(at, ranks)
        everything = np.full(ranks, rows / ranks * (2 * side - 2))
        yield "dense 2D", everything, count_by(at, ranks)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("matrix", help="a directory that lacis wrote (.csr)")
    options.add_argument("--ranks", default="64,256,1024", help="squares, separated by commas (64,256,1024)")
    options.add_argument("--rows", type=float, default=3.56e9, help="of the matrix to plan for (WDC 2012: 3.56e9)")
    options.add_argument("--entries", type=float, default=128.7e9, help="its entries (128.7e9)")
    options.add_argument("--rate", type=float, default=1, help="10^9 entries per second and rank (default: 1)")
    options.add_argument("--link", type=float, default=12.5, help="GB/s of a rank's link (12.5)")
    given = options.parse_args()
    offsets = np.load(f"{given.matrix}/row_offsets.npy")
    columns = np.load(f"{given.matrix}/columns.npy").astype(np.int64)
    rows, entries = len(offsets) - 1, int(offsets[-1])
    print(f"{given.matrix}: {rows} rows, {entries} entries\n")
    print(f"{'ranks':>6}  {'layout':9}  {'volume / rows':>13}  {'busiest / mean':>14}  {'entries, most / mean':>20}")
    found = []
    for ranks in map(int, given.ranks.split(",")):
        for name, volume, held in layouts(offsets, columns, ranks):
            busiest = volume.max() / volume.mean()
            uneven = held.max() / held.mean()
            found.append((ranks, name, volume.sum() / rows, busiest, uneven))
            print(f"{ranks:6}  {name:9}  {volume.sum() / rows:13.1f}  {busiest:14.2f}  {uneven:20.2f}")
    bytes_per_rank = lambda ranks: (given.entries * 4 + given.rows * (8 + 2 * 8)) / ranks
    print(f"\nmodel: {given.rows:.3g} rows, {given.entries:.4g} entries, volumes as above; {given.rate:g} G entries/s and {given.link:g} GB/s per rank")
    print(f"{'ranks':>6}  {'layout':9}  {'GB per rank':>11}  {'compute, s':>16}  {'exchange, s':>16}")
    for ranks, name, volume, busiest, uneven in found:
        compute = given.entries / ranks / (given.rate * 1e9)
        exchange = volume * given.rows * 8 / ranks / (given.link * 1e9)
        print(f"{ranks:6}  {name:9}  {bytes_per_rank(ranks) / 1e9:11.2f}  {compute:6.3f} to {compute * uneven:6.3f}  {exchange:6.3f} to {exchange * busiest:6.3f}")


if __name__ == "__main__":
    main()
