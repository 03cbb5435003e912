# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Times of programs that call SciPy over those of the same programs under lacis.accelerated(): scanpy's and scikit-learn's.

    pip install scanpy threadpoolctl
    python python/bench/programs.py [--rounds 9] [--threads 1,2] [--only pca,nmf]

Everything is measured in one process, interleaved: each round runs both once. A ratio is the median of the rounds' ratios, with its quartiles; above 1
accelerated() is faster. BLAS and OpenMP have the same threads in both. One thread is measured by the processor's time, which other work on the machine disturbs less. SciPy's calls that lacis computed, and those that it left to SciPy, are of one run."""

import argparse
import sys
import time
import warnings

import numpy as np
import scipy.sparse
from threadpoolctl import threadpool_limits

import lacis


def documents(rows=20_000, words=20_000, length=100):
    """Words by Zipf's law, with weights and norms as those of TfidfVectorizer; labels that depend on some words."""
    from sklearn.feature_extraction.text import TfidfTransformer

    rng = np.random.default_rng(1)
    share = 1 / np.arange(1, words + 1) ** 0.8
    columns = rng.permutation(words)[rng.choice(words, size=rows * length, p=share / share.sum())]
    counts = scipy.sparse.coo_array((np.ones(len(columns)), (np.repeat(np.arange(rows), length), columns)), shape=(rows, words)).tocsr()
    a = scipy.sparse.csr_matrix(TfidfTransformer().fit_transform(counts))
    a.indices, a.indptr = a.indices.astype(np.int32), a.indptr.astype(np.int32)  # as TfidfVectorizer makes them
    return a, (a @ rng.standard_normal(words) > 0).astype(int)


def cells(rows=20_000, genes=2_000):
    """Counts of a tenth of the genes, logarithms as scanpy makes them."""
    import anndata

    a = scipy.sparse.random(rows, genes, 0.1, format="csr", dtype=np.float32, rng=np.random.default_rng(2))
    a.data = np.log1p(np.ceil(8 * a.data**4))
    return anndata.AnnData(scipy.sparse.csr_matrix(a))


def programs():
    """{name: what makes a function}."""

    def pca():
        import scanpy

        data = cells()
        return lambda: scanpy.pp.pca(data, n_comps=30)

    def logistic():
        from sklearn.linear_model import LogisticRegression

        a, labels = documents()
        return lambda: LogisticRegression(solver="lbfgs", C=100, max_iter=60, tol=1e-10).fit(a, labels)

    def svd():
        from sklearn.decomposition import TruncatedSVD

        a, _ = documents()
        return lambda: TruncatedSVD(n_components=40, random_state=0).fit(a)

    def kmeans():
        from sklearn.cluster import KMeans

        a, _ = documents()
        return lambda: KMeans(n_clusters=8, n_init=1, max_iter=10, random_state=0).fit(a)

    def nmf():
        from sklearn.decomposition import NMF

        a, _ = documents()
        return lambda: NMF(n_components=10, max_iter=10, random_state=0).fit(a)

    return {"pca": pca, "logistic": logistic, "svd": svd, "kmeans": kmeans, "nmf": nmf}


def measure(run, rounds, clock):
    """Quartiles of plain / accelerated, the median seconds of plain, calls of one run."""

    def plain():
        begin = clock()
        run()
        return clock() - begin

    def ours():
        with lacis.accelerated():
            return plain()

    plain()
    before = lacis.accelerated_calls()
    ours()
    calls = {name: tuple(np.subtract(counts, before.get(name, (0, 0)))) for name, counts in lacis.accelerated_calls().items()}
    times = []
    for k in range(rounds):
        times.append((plain(), ours()) if k % 2 else (ours(), plain())[::-1])
    theirs, mine = np.array(times).T
    return np.percentile(theirs / mine, [50, 25, 75]), np.median(theirs), {name: counts for name, counts in calls.items() if any(counts)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--only", default=",".join(programs()))
    o = parser.parse_args()
    warnings.simplefilter("ignore")  # of methods that were stopped early
    print(f"SciPy {scipy.__version__}, lacis {lacis.__version__}: median (quartiles) of {o.rounds} rounds", flush=True)
    for name in o.only.split(","):
        run = programs()[name]()
        for threads in (int(t) for t in o.threads.split(",")):
            lacis.set_num_threads(threads)
            with threadpool_limits(threads):
                found, seconds, calls = measure(run, o.rounds, time.process_time if threads == 1 else time.perf_counter)
            said = ", ".join(f"{call} {ours}+{theirs}" for call, (ours, theirs) in calls.items())
            print(f"{name:<9} {threads} threads {seconds:6.2f} s  {found[0]:.2f} ({found[1]:.2f}-{found[2]:.2f})  {said}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
