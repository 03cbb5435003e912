# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""The four classes: arrays and matrices of SciPy keep their kind and their meaning."""

import copy
import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse
from conftest import poisson, random_matrix, reached, vector

import lacis

KINDS = ("csr_array", "csc_array", "csr_matrix", "csc_matrix")


def scipys(kind, rows=20, cols=20, **more):
    return getattr(scipy.sparse, kind)(random_matrix(rows, cols, **more))


def same(a, b):
    return type(a) is type(b) and np.array_equal(a.toarray(), b.toarray())


@pytest.fixture(autouse=True)
def no_warnings():
    """asarray() and everything that SciPy does with its result are quiet."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", lacis.LacisWarning)
        yield


@pytest.mark.parametrize("kind", KINDS)
def test_asarray_keeps_the_kind_and_the_arrays(kind):
    s = scipys(kind)
    a = lacis.asarray(s)
    assert type(a) is getattr(lacis, kind) and isinstance(a, type(s)) and scipy.sparse.isspmatrix(a) == kind.endswith("matrix")
    assert np.shares_memory(a.data, s.data) and np.shares_memory(a.indices, s.indices)
    assert lacis.asarray(a) is a
    assert type(a.to_scipy()) is type(s) and np.shares_memory(a.to_scipy().data, s.data)
    assert repr(a).startswith(f"<lacis.{kind} of dtype 'float64'") and "shape (20, 20)" in repr(a) and str(a).startswith(repr(a))


@pytest.mark.parametrize("suffix", ["array", "matrix"])
@pytest.mark.parametrize("fmt", ["coo", "bsr", "dia", "lil", "dok"])
def test_asarray_of_another_format_is_csr_of_that_kind(fmt, suffix):
    a = lacis.asarray(getattr(scipy.sparse, f"{fmt}_{suffix}")(random_matrix(20, 30)))
    assert type(a) is getattr(lacis, f"csr_{suffix}") and np.array_equal(a.toarray(), random_matrix(20, 30).toarray())


def test_asarray_of_what_is_no_sparse_matrix_is_a_csr_array():
    s = random_matrix(20, 30)
    for given in (s.toarray(), (s.data, s.indices, s.indptr), "@poisson2d:5"):
        assert type(lacis.asarray(given)) is lacis.csr_array


@pytest.mark.parametrize("kind", KINDS)
def test_meaning_is_that_of_scipy(kind):
    s = scipys(kind)
    a, x, many = lacis.asarray(s), vector(20), vector(20, columns=3)
    operations = [
        lambda m: m * 2, lambda m: 2 * m, lambda m: m * np.float64(3), lambda m: m @ x, lambda m: x @ m, lambda m: m @ many, lambda m: m @ m,
        lambda m: m * m, lambda m: m**2, lambda m: m.dot(x), lambda m: m.dot(m), lambda m: m[0], lambda m: m[:, [0]], lambda m: m.sum(axis=0),
        lambda m: m.multiply(m), lambda m: m.T @ x, lambda m: m @ s, lambda m: s @ m, lambda m: s + m, lambda m: s - m, lambda m: m - s,
        lambda m: m / 2, lambda m: abs(m), lambda m: m.T * m,
    ]  # fmt: skip
    if kind.endswith("matrix"):
        operations += [lambda m: m * x, lambda m: x * m, lambda m: m * many, lambda m: m * np.matrix(many), lambda m: s * m, lambda m: m.getH() * x]
    for number, operation in enumerate(operations):
        expected, found = operation(s), operation(a)
        assert type(found) is type(expected) or isinstance(found, type(expected)), number
        assert found.shape == expected.shape, number
        if scipy.sparse.issparse(expected):
            expected, found = expected.toarray(), found.toarray()
        assert np.allclose(found, expected, rtol=1e-12, atol=1e-12), number


def test_products_of_matrices_are_ours():
    m, x = lacis.asarray(scipys("csr_matrix")), vector(20)
    before = reached()
    m * x, x * m, m @ x, m * m, m**2, m.T * x, m * vector(20, columns=3), m.dot(x)
    assert reached() == before + 8
    assert type(m * m) is lacis.csr_matrix and type(m**2) is lacis.csr_matrix and type(m.T) is lacis.csc_matrix


@pytest.mark.parametrize("kind", KINDS)
def test_copies_transposes_and_conversions_keep_the_kind(kind):
    a = lacis.asarray(scipys(kind))
    for b in (a.copy(), copy.copy(a), copy.deepcopy(a), pickle.loads(pickle.dumps(a)), a.T.T, 1 * a, abs(a), -a, a.astype(np.float32), a + a, a @ a,
              a.to_scipy() + a, a.to_scipy() - a, a.asformat(a.format), a.conj()):  # fmt: skip
        assert type(b) is type(a)
    other = getattr(lacis, ("csc_" if a.format == "csr" else "csr_") + kind[4:])
    for b in (a.T, a.tocsc() if a.format == "csr" else a.tocsr(), a.asformat("csc" if a.format == "csr" else "csr"), a.conj().T):
        assert type(b) is other
    assert same(a.tocsc().tocsr().asformat(a.format), a)


def test_an_array_of_a_matrix_says_that_its_meaning_changes():
    m = scipys("csr_matrix")
    with pytest.warns(lacis.LacisWarning, match=r"lacis\.asarray"):
        a = lacis.csr_array(m)
    assert type(a) is lacis.csr_array and np.array_equal(a.toarray(), m.toarray())
    lacis.csr_array(scipy.sparse.csr_array(m)), lacis.csr_matrix(scipys("csr_array")), lacis.csr_matrix(m)
    a + m, a @ m, a.multiply(m), a - m, lacis.plan(m), lacis.solve(scipy.sparse.csr_matrix(poisson(4)), np.ones(16))
    lacis.linalg.eigs(scipy.sparse.csr_matrix(poisson(6)), k=1)


def test_programs_that_give_matrices_are_quiet():
    text = pytest.importorskip("sklearn.feature_extraction.text")
    found = text.TfidfVectorizer().fit_transform(["one two three", "two three four", "one four"] * 5)
    a = lacis.asarray(found)
    assert isinstance(a, scipy.sparse.spmatrix) == isinstance(found, scipy.sparse.spmatrix)
    from sklearn.decomposition import TruncatedSVD

    TruncatedSVD(2, random_state=0).fit_transform(a)
    with lacis.accelerated():
        TruncatedSVD(2, random_state=0).fit_transform(found)


def test_subclasses_of_ours_stay_what_they_are():
    class mine(lacis.csr_array):
        pass

    a = mine(random_matrix(5, 5))
    assert type(2 * a) is mine and type(a.copy()) is mine
