# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Plans."""

import gc
import inspect

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg
from conftest import bound, poisson, random_matrix, vector

import lacis

TYPES = [np.float32, np.float64, np.complex64, np.complex128]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("x_dtype", TYPES)
@pytest.mark.parametrize("fmt", ["csr", "csc"])
def test_products(dtype, x_dtype, fmt):
    s = random_matrix(60, 45, dtype=dtype, fmt=fmt)
    p = lacis.plan(s, transpose=True)
    x, left, many, rows = vector(45, x_dtype), vector(60, x_dtype), vector(45, x_dtype, columns=4), vector(60, x_dtype, columns=3).T
    for y, expected, error in (
        (p @ x, s @ x, bound(s, x)),
        (p.dot(x), s @ x, bound(s, x)),
        (p.matvec(x), s @ x, bound(s, x)),
        (p @ many, s @ many, bound(s, many)),
        (p @ np.asfortranarray(many), s @ many, bound(s, many)),
        (p.T @ left, s.T @ left, bound(s.T, left)),
        (p.H @ left, s.conj().T @ left, bound(s.T, left)),
        (p.rmatvec(left), s.conj().T @ left, bound(s.T, left)),
        (left @ p, left @ s, bound(s.T, left)),
        (rows @ p, rows @ s, bound(s.T, rows.T).T),
        (x @ p.T, s @ x, bound(s, x)),
        (p.T @ rows.T, s.T @ rows.T, bound(s.T, rows.T)),
    ):
        assert y.dtype == expected.dtype and y.shape == expected.shape
        assert np.all(abs(y - expected) <= error)


def test_a_plan_has_the_bits_of_a_product_without():
    for seed in range(5):
        a = lacis.csr_array(random_matrix(300, 200, seed=seed))
        x = vector(200, seed=seed)
        assert np.array_equal(lacis.plan(a) @ x, a @ x)
        assert np.array_equal(lacis.plan(a, layout="csr") @ x, a @ x)
        many = vector(200, seed=seed, columns=3)
        y = lacis.plan(a) @ many
        for k in range(3):
            assert np.array_equal(y[:, k], a @ np.ascontiguousarray(many[:, k]))


def test_products_keep_the_layout_of_the_operand_without_a_copy():
    p = lacis.plan(random_matrix(60, 45))
    assert (p @ vector(45, columns=3)).flags.c_contiguous
    assert (p @ np.asfortranarray(vector(45, columns=3))).flags.f_contiguous


def test_out():
    s = random_matrix(60, 45)
    p = lacis.plan(s, transpose=True)
    x, y = vector(45), np.full(60, np.nan)
    assert p.matvec(x, out=y) is y and np.array_equal(y, p @ x)
    z = np.full(45, np.nan)
    assert p.rmatvec(y, out=z) is z and np.array_equal(z, p.T @ y)
    for wrong in (np.empty(59), np.empty(60, np.float32), np.empty(120)[::2], np.empty((60, 1))):
        with pytest.raises(ValueError):
            p.matvec(x, out=wrong)
    y.flags.writeable = False
    with pytest.raises(ValueError):
        p.matvec(x, out=y)
    square = lacis.plan(random_matrix(45, 45))
    with pytest.raises(ValueError):
        square.matvec(x, out=x)


def test_a_plan_is_a_snapshot():
    a = random_matrix(60, 45)
    p = lacis.plan(a)
    y = p @ vector(45)
    a.data[:] = 0
    a.indices[:] = 0
    assert np.array_equal(p @ vector(45), y)


def test_update():
    a = random_matrix(60, 45)
    p = lacis.plan(a, transpose=True)
    b = a.copy()
    b.data = np.arange(1.0, b.nnz + 1)
    p.update(b.data)
    assert np.all(abs(p @ vector(45) - b @ vector(45)) <= bound(b, vector(45)))
    assert np.all(abs(p.T @ vector(60) - b.T @ vector(60)) <= bound(b.T, vector(60)))
    p.update(np.arange(b.nnz, dtype=np.int16))
    with pytest.raises(lacis.InvalidArgument):
        p.update(b.data[:-1])
    with pytest.raises(lacis.InvalidArgument):
        p.update(b.data + 1j)


def test_update_of_a_plan_from_columns_says_what_to_do():
    a = random_matrix(60, 45, fmt="csc")
    with pytest.raises(ValueError, match="tocsr"):
        lacis.plan(a).update(a.data)


def test_update_of_unsorted_rows_takes_the_order_of_the_matrix():
    s = scipy.sparse.csr_array((np.array([1.0, 2, 3]), np.array([2, 0, 1]), np.array([0, 2, 3])), shape=(2, 3))
    p = lacis.plan(s)
    p.update(np.array([10.0, 20, 30]))
    assert np.array_equal(p @ np.array([1.0, 1, 0]), [20, 30])


def test_facts():
    a = poisson(50)
    p = lacis.plan(a, tune=False)
    assert p.shape == (2500, 2500) and p.dtype == np.float64 and p.nnz == a.nnz and p.nbytes > 0 and p.ndim == 2
    assert repr(p).startswith("<lacis.plan 2500 x 2500, 12,300 entries, ") and "\n" not in repr(p)
    assert p.layout.split("-")[0] in p.explain()
    assert "<table>" in p._repr_html_() or not p.candidates
    candidates = p.candidates
    assert len(candidates) >= 2 and sum(c["chosen"] for c in candidates) == 1
    assert {"layout", "values", "storage_bytes", "moved_bytes", "seconds", "conversion_seconds", "measured_seconds", "fits", "chosen", "limit"} <= set(candidates[0])
    assert next(c for c in candidates if c["chosen"])["layout"] == p.layout


def test_options():
    a = poisson(50)
    x = vector(2500)
    y = lacis.plan(a) @ x
    for options in ({"uses": 1}, {"uses": 1e6}, {"threads": 1}, {"threads": 2}, {"tune": True}, {"layout": "csr"}, {"layout": "sell"}, {"memory": 10**8}):
        assert np.array_equal(lacis.plan(a, **options) @ x, y)
    with pytest.raises(MemoryError):
        lacis.plan(a, memory=100)
    with pytest.raises(ValueError):
        lacis.plan(a, layout="no such layout")
    with pytest.raises(ValueError):
        lacis.plan(a, uses=-1)
    with pytest.raises(ValueError):
        lacis.plan(a, threads=0)


def test_without_the_transpose_it_says_what_to_do():
    p = lacis.plan(random_matrix(5, 5))
    for product in (lambda: p.T @ np.ones(5), lambda: p.rmatvec(np.ones(5)), lambda: np.ones(5) @ p):
        with pytest.raises(ValueError, match="transpose=True"):
            product()


def test_operands():
    s = random_matrix(30, 20)
    p = lacis.plan(s)
    x = np.arange(20)
    y = p @ x.astype(float)
    assert np.array_equal(p @ x, y) and np.array_equal(p @ list(x), y) and np.array_equal(p @ x.astype(">f8"), y)
    assert np.array_equal(p @ np.repeat(x, 2)[::2], y)
    assert (lacis.plan(s.astype(np.float32)) @ x.astype(np.int8)).dtype == np.float32
    for wrong in (np.ones(19), np.ones((2, 20)), np.ones((20, 2, 2)), np.float64(3)):
        with pytest.raises(ValueError):
            p @ wrong
    with pytest.raises(TypeError):
        p @ np.ones(20, dtype=np.longdouble)
    with pytest.raises(TypeError):
        p @ s.T


def test_as_a_linear_operator():
    a = poisson(20)
    b = vector(400)
    p = lacis.plan(a, transpose=True)
    operator = scipy.sparse.linalg.aslinearoperator(p)
    assert operator.dtype == np.float64
    x, info = scipy.sparse.linalg.cg(p, b, atol=1e-9, **{"rtol" if "rtol" in inspect.signature(scipy.sparse.linalg.cg).parameters else "tol": 1e-10})
    assert info == 0 and np.linalg.norm(a @ x - b) <= 1e-8
    assert np.allclose(scipy.sparse.linalg.lsqr(p, b, atol=1e-12, btol=1e-12)[0], x, atol=1e-5)
    assert np.allclose(scipy.sparse.linalg.svds(p, k=2, return_singular_vectors=False), scipy.sparse.linalg.svds(a, k=2, return_singular_vectors=False))


def test_exact_values():
    small = scipy.sparse.csr_array(np.array([[1, 0], [0, -(2**53)]], dtype=np.int64))
    assert np.array_equal(lacis.plan(small) @ np.ones(2), [1, -(2.0**53)])
    large = scipy.sparse.csr_array(np.array([[1, 0], [0, 2**53 + 1]], dtype=np.int64))
    with pytest.raises(OverflowError, match="2\\^53"):
        lacis.plan(large)
    boolean = scipy.sparse.csr_array(np.array([[True, False], [True, True]]))
    assert np.array_equal(lacis.plan(boolean) @ np.ones(2), [1, 2])
    swapped = (small.data.astype(">i8"), small.indices.astype(">i4"), small.indptr.astype(np.uint16))
    assert np.array_equal(lacis.plan(swapped) @ np.ones(2), [1, -(2.0**53)])
    strided = (np.repeat(small.data, 2)[::2], np.repeat(small.indices, 2)[::2], small.indptr)
    assert np.array_equal(lacis.plan(strided) @ np.ones(2), [1, -(2.0**53)])
    with pytest.raises(TypeError):
        lacis.plan(object())


def test_borrowed_arrays_stay_and_are_not_copied():
    rng = np.random.default_rng(5)
    a = scipy.sparse.random(400, 300, density=0.05, format="csr", random_state=rng)
    x = rng.standard_normal(300)
    expected = lacis.plan(a, layout="csr") @ x
    p = lacis.plan(a, layout="csr", borrow=True)
    assert p.nbytes == 8 * 401
    assert "caller's arrays" in p.explain()
    del a
    gc.collect()
    np.testing.assert_array_equal(p @ x, expected)
