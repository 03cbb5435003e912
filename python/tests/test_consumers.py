# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""The 27 programs that take a lacis.csr_array in place of SciPy's: all have to run, and 19 to reach lacis's product."""

import warnings

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph
import scipy.sparse.linalg as sla
from conftest import poisson, random_matrix, reached, vector

import lacis

N = 400
P = poisson(20)
T = random_matrix(200, 60, density=0.2, seed=7)
T.data = np.abs(T.data)
LABELS = np.arange(200) % 2


def sklearn(path):
    import importlib

    module, name = path.rsplit(".", 1)
    pytest.importorskip("sklearn")
    return getattr(importlib.import_module("sklearn." + module), name)


def pyamg_solve(a):
    pyamg = pytest.importorskip("pyamg")
    return pyamg.ruge_stuben_solver(scipy.sparse.csr_matrix(a) if not hasattr(pyamg, "__version__") else a).solve(vector(N), tol=1e-8)


def tfidf(a):
    return sklearn("feature_extraction.text.TfidfTransformer")().fit_transform(a)


def spd(f):
    return f, P


def table(f):
    return f, T


# name -> function of a matrix, and the matrix. The result is an array or a sparse matrix that SciPy's own input gives too.
PROGRAMS = {
    "cg": spd(lambda a: sla.cg(a, vector(N), rtol=1e-10)[0]),
    "gmres": spd(lambda a: sla.gmres(a, vector(N), rtol=1e-10, maxiter=200)[0]),
    "minres": spd(lambda a: sla.minres(a, vector(N), rtol=1e-12)[0]),
    "lsqr": table(lambda a: sla.lsqr(a, vector(200), atol=1e-12, btol=1e-12)[0]),
    "eigsh": spd(lambda a: sla.eigsh(a, k=3, return_eigenvectors=False, v0=np.ones(N))),
    "svds": table(lambda a: np.sort(sla.svds(a, k=3, return_singular_vectors=False, v0=np.ones(60)))),
    "lobpcg": spd(lambda a: sla.lobpcg(a, vector(N, columns=3), tol=1e-8, maxiter=500, largest=True)[0]),
    "expm_multiply": spd(lambda a: sla.expm_multiply(-0.1 * a, vector(N))),
    "spsolve": spd(lambda a: sla.spsolve(a, vector(N))),
    "norm": spd(lambda a: sla.norm(a)),
    "csgraph": spd(lambda a: scipy.sparse.csgraph.connected_components(a)[1]),
    "A.T @ x": table(lambda a: a.T @ vector(200)),
    "x @ A": table(lambda a: vector(200) @ a),
    "A @ A": spd(lambda a: a @ a),
    "A + A": spd(lambda a: a + a),
    "TruncatedSVD randomized": table(
        lambda a: sklearn("decomposition.TruncatedSVD")(3, algorithm="randomized", random_state=0).fit(a).singular_values_
    ),
    "TruncatedSVD arpack": table(lambda a: sklearn("decomposition.TruncatedSVD")(3, algorithm="arpack", random_state=0).fit(a).singular_values_),
    "PCA": table(lambda a: sklearn("decomposition.PCA")(3, svd_solver="arpack", random_state=0).fit(a).singular_values_),
    "NMF": table(lambda a: sklearn("decomposition.NMF")(3, random_state=0, max_iter=50, init="nndsvda").fit_transform(a)),
    "LogisticRegression": table(lambda a: sklearn("linear_model.LogisticRegression")(max_iter=200).fit(a, LABELS).coef_),
    "Ridge sparse_cg": table(lambda a: sklearn("linear_model.Ridge")(solver="sparse_cg", tol=1e-10).fit(a, vector(200)).coef_),
    "Ridge lsqr": table(lambda a: sklearn("linear_model.Ridge")(solver="lsqr", tol=1e-10).fit(a, vector(200)).coef_),
    "KMeans": table(lambda a: sklearn("cluster.KMeans")(3, random_state=0, n_init=1).fit(a).labels_),
    "Tfidf": table(tfidf),
    "NearestNeighbors": table(lambda a: sklearn("neighbors.NearestNeighbors")(n_neighbors=3, algorithm="brute").fit(a).kneighbors(a)[0]),
    "SpectralEmbedding": spd(
        lambda a: np.abs(sklearn("manifold.SpectralEmbedding")(2, affinity="precomputed", random_state=0, eigen_solver="lobpcg").fit_transform(abs(a)))
    ),
    "PyAMG": spd(pyamg_solve),
}
REACHED = {}


def dense(result):
    return result.toarray() if scipy.sparse.issparse(result) else np.asarray(result)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name):
    run, matrix = PROGRAMS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = dense(run(matrix.copy()))
        a = lacis.csr_array(matrix)
        before = reached()
        result = dense(run(a))
    REACHED[name] = reached() - before
    assert result.shape == expected.shape
    assert np.allclose(result, expected, rtol=1e-4, atol=1e-4)


def test_at_least_19_reach_our_product():
    if len(REACHED) < len(PROGRAMS):
        pytest.skip("needs the results of all programs")
    hit = sorted(name for name, count in REACHED.items() if count)
    print(f"{len(hit)} of {len(PROGRAMS)} programs reach lacis: {', '.join(hit)}; not: {', '.join(sorted(set(PROGRAMS) - set(hit)))}")
    assert len(PROGRAMS) == 27 and len(hit) >= 19
