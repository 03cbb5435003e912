#!/usr/bin/env python3
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Two rectangular matrices whose product is defined, as NPZ: bench/rectangular_pair.py A.npz B.npz

A is 400,000 x 300,000 with 8 entries per row, B 300,000 x 500,000 with 6; places and values are random, from fixed seeds.
Then: lacis bench spgemm A.npz --with B.npz --peers mkl,mkl-unsorted
"""
import sys

import numpy as np
import scipy.sparse


def random_rows(rows, cols, per_row, seed):
    draw = np.random.default_rng(seed)
    places = (np.repeat(np.arange(rows), per_row), draw.integers(0, cols, rows * per_row))
    matrix = scipy.sparse.csr_matrix((draw.uniform(-1, 1, rows * per_row), places), shape=(rows, cols))
    matrix.sum_duplicates()
    return matrix


if len(sys.argv) != 3:
    sys.exit(__doc__)
scipy.sparse.save_npz(sys.argv[1], random_rows(400_000, 300_000, 8, 1), compressed=False)
scipy.sparse.save_npz(sys.argv[2], random_rows(300_000, 500_000, 6, 2), compressed=False)
