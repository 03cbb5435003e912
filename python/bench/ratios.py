# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Times of SciPy over those of lacis: A @ x, P @ x, A @ A and cg on five matrices, interleaved.

    python python/bench/ratios.py [--rounds 15]

Each round runs every contestant once (small ones several times in a row); a ratio is the median of the rounds' ratios, with its quartiles."""

import argparse
import time

import numpy as np
import scipy.sparse
import scipy.sparse.linalg

import lacis
from lacis import linalg

MATRICES = ("@poisson2d:600", "@poisson3d:60", "@rmat:17", "@banded:200000,10", "@kmer:1000000")


def seconds(f, least=0.02):
    """Of one call; as many as fill `least` seconds."""
    begin = time.perf_counter()
    f()
    once = time.perf_counter() - begin
    count = max(1, int(least / max(once, 1e-7)))
    begin = time.perf_counter()
    for _ in range(count):
        f()
    return (time.perf_counter() - begin) / count


def ratios(theirs, ours, rounds):
    theirs(), ours()
    found = []
    for k in range(rounds):
        if k % 2:
            t, o = seconds(theirs), seconds(ours)
        else:
            o, t = seconds(ours), seconds(theirs)
        found.append(t / o)
    return np.percentile(found, [50, 25, 75])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    print(f"SciPy {scipy.__version__} / lacis {lacis.__version__} on {lacis.get_num_threads()} threads: median (quartiles) of {rounds} rounds")
    print(f"{'matrix':<18} {'entries':>11}   {'A @ x':<18} {'P @ x':<18} {'A @ A':<18} {'cg, 50 steps':<18}")
    for spec in MATRICES:
        a = lacis.generate(spec, values="natural")
        s = a.to_scipy()
        p = lacis.plan(a)
        x = np.random.default_rng(0).standard_normal(a.shape[1])
        cells = [ratios(lambda: s @ x, lambda: a @ x, rounds), ratios(lambda: s @ x, lambda: p @ x, rounds)]
        products = int((np.diff(s.indptr)[s.indices]).sum())
        cells.append(ratios(lambda: s @ s, lambda: a @ a, 5) if products < 3e8 else None)
        definite = spec.startswith(("@poisson", "@banded"))
        b = s @ np.ones(a.shape[1])
        options = {"rtol": 1e-30, "maxiter": 50}
        cells.append(ratios(lambda: scipy.sparse.linalg.cg(s, b, **options), lambda: linalg.cg(a, b, **options), 5) if definite else None)
        texts = ["-" if c is None else f"{c[0]:.2f} ({c[1]:.2f}-{c[2]:.2f})" for c in cells]
        print(f"{spec:<18} {a.nnz:>11,}   " + " ".join(f"{t:<18}" for t in texts), flush=True)


if __name__ == "__main__":
    main()
