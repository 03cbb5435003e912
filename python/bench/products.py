# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Times of SciPy over those of lacis for products without a plan, and of plans with several columns.

    python python/bench/products.py [--rounds 9] [--threads 1,2] [--types float64,float32] [--only rmat,grid2d] [--plans]

Everything is measured in one process, interleaved: each round runs both once (small ones several times in a row). A ratio is the median of the
rounds' ratios, with its quartiles; above 1 lacis is faster. With --plans: the time of A @ X, and of the fastest fixed layout, over that of P @ X with a
default plan."""

import argparse
import sys

import numpy as np
import scipy.sparse
from ratios import ratios

import lacis


def tfidf(rng):
    """11,000 documents: words by Zipf's law, weights as those of scikit-learn's TfidfVectorizer."""
    documents, words = 11_000, 100_000
    share = 1 / np.arange(1, words + 1) ** 1.05
    lengths = rng.poisson(180, documents)
    rows = np.repeat(np.arange(documents), lengths)
    columns = rng.permutation(words)[rng.choice(words, size=lengths.sum(), p=share / share.sum())]
    counts = scipy.sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=(documents, words)).tocsr()
    weight = np.log((1 + documents) / (1 + np.bincount(counts.indices, minlength=words))) + 1
    counts.data *= weight[counts.indices]
    counts.data /= np.repeat(np.sqrt(counts.multiply(counts).sum(axis=1)), np.diff(counts.indptr))
    return counts


def counts(rng):
    """6,000 cells and 20,000 genes: small integers, a few genes in nearly every cell."""
    cells, genes = 6_000, 20_000
    share = np.minimum(1, rng.lognormal(-3.4, 1.4, genes))
    rows = [np.flatnonzero(rng.random(genes) < share * rng.uniform(0.5, 1.2)) for _ in range(cells)]
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    return scipy.sparse.csr_array((1.0 + rng.poisson(0.7, indptr[-1]), np.concatenate(rows), indptr), shape=(cells, genes))


def narrow(make):
    """With 32-bit indices, as the programs that make such matrices have them."""

    def made(rng):
        s = make(rng)
        s.indices, s.indptr = s.indices.astype(np.int32), s.indptr.astype(np.int32)
        return s

    return made


def generated(spec):
    return lambda rng: lacis.generate(spec, values="random").to_scipy()


MATRICES = {
    "grid2d": generated("@poisson2d:700"),
    "grid3d": generated("@poisson3d:64"),
    "rmat": generated("@rmat:17"),
    "kmer": generated("@kmer:1000000"),
    "banded": generated("@banded:200000,10"),
    "uniform": generated("@uniform:20000,200"),
    "tf-idf": narrow(tfidf),
    "counts": narrow(counts),
}
EXPRESSIONS = {
    "A.T @ x": lambda a, csc, v: a.T @ v["left"],
    "x @ A": lambda a, csc, v: v["left"] @ a,
    "csc @ x": lambda a, csc, v: csc @ v["x"],
    "A.T @ X": lambda a, csc, v: a.T @ v["left16"],
    "A @ x": lambda a, csc, v: a @ v["x"],
    "A @ X": lambda a, csc, v: a @ v["x16"],
    "A.sum(0)": lambda a, csc, v: a.sum(axis=0),
}
COLUMNS = (2, 8, 16, 64)
LAYOUTS = ("csr", "sell", "stencil", "symmetric", "staged", "bsr")


def vectors(shape, dtype, rng):
    rows, cols = shape
    all = {"x": rng.random(cols), "left": rng.random(rows), "x16": rng.random((cols, 16)), "left16": rng.random((rows, 16))}
    return {name: v.astype(dtype) for name, v in all.items()}


def text(found):
    return f"{found[0]:.2f} ({found[1]:.2f}-{found[2]:.2f})"


def measure_expressions(matrices, types, threads, rounds, expressions=EXPRESSIONS):
    """(matrix, type, threads, expression, quartiles) of each."""
    for name in matrices:
        double = MATRICES[name](np.random.default_rng(1))
        for dtype in types:
            s = double.astype(dtype)
            s_csc = s.tocsc()
            a, a_csc = lacis.csr_array(s), lacis.csc_array(s_csc)
            v = vectors(s.shape, dtype, np.random.default_rng(2))
            for count in threads:
                lacis.set_num_threads(count)
                for label in expressions:
                    f = EXPRESSIONS[label]
                    f(a, a_csc, v), f(a, a_csc, v)  # what repeated products remember is made by the second
                    yield name, dtype, count, label, ratios(lambda: f(s, s_csc, v), lambda: f(a, a_csc, v), rounds)


def measure_plans(matrices, types, threads, rounds):
    for name in matrices:
        double = MATRICES[name](np.random.default_rng(1))
        for dtype in types:
            a = lacis.csr_array(double.astype(dtype))
            for count in threads:
                lacis.set_num_threads(count)
                plan = lacis.plan(a)
                fixed = {}
                for layout in LAYOUTS:
                    try:
                        fixed[layout] = lacis.plan(a, layout=layout)
                    except lacis.Error:
                        pass  # not for this matrix
                for columns in COLUMNS:
                    x = np.random.default_rng(3).random((a.shape[1], columns)).astype(dtype)
                    found = {"A @ X": ratios(lambda: a @ x, lambda: plan @ x, rounds)}
                    for layout, other in fixed.items():
                        found[layout] = ratios(lambda other=other: other @ x, lambda: plan @ x, rounds)
                    yield name, dtype, count, columns, plan.layout, found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--types", default="float64,float32")
    parser.add_argument("--only", default=",".join(MATRICES))
    parser.add_argument("--plans", action="store_true")
    o = parser.parse_args()
    threads, types, matrices = [int(t) for t in o.threads.split(",")], o.types.split(","), o.only.split(",")
    print(f"SciPy {scipy.__version__}, lacis {lacis.__version__}: median (quartiles) of {o.rounds} rounds", flush=True)
    if o.plans:
        for name, dtype, count, columns, layout, found in measure_plans(matrices, types, threads, o.rounds):
            fixed = min((f for f in found if f != "A @ X"), key=lambda f: found[f][0])
            line = f"{name:<8} {dtype} {count} threads {columns:>3} columns, {layout:<24}: A @ X {text(found['A @ X'])}, best fixed ({fixed}) {text(found[fixed])}"
            print(line, flush=True)
        return 0
    row, cells = None, []
    print(" " * 26 + " ".join(f"{label:<18}" for label in EXPRESSIONS))
    for name, dtype, count, _, found in measure_expressions(matrices, types, threads, o.rounds):
        if row != (name, dtype, count):
            row, cells = (name, dtype, count), []
            print(f"{'' if row is None else ''}{name:<8} {dtype} {count} threads", end=" ")
        cells.append(found)
        print(f"{text(found):<18}", end="\n" if len(cells) == len(EXPRESSIONS) else " ", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
