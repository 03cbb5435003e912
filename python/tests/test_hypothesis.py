# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Random matrices against SciPy and exact arithmetic.

LACIS_HYPOTHESIS=full runs 2,000 matrices per test instead of 200."""

import numpy as np
import pytest
import scipy.sparse
from conftest import bound

import lacis

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

TYPES = [np.float32, np.float64, np.complex64, np.complex128]


@st.composite
def matrices(draw, integers, square=False, rows=None):
    """A SciPy array in any format, with any index type, often unsorted, with duplicates, empty rows or long rows."""
    m = draw(st.integers(0, 40)) if rows is None else rows
    n = m if square else draw(st.integers(0, 40))
    count = draw(st.integers(0, 3 * max(m, n))) if m and n else 0
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    dtype = np.dtype(draw(st.sampled_from(TYPES)))
    shape = draw(st.sampled_from(["uniform", "one row", "one column", "band"]))
    i, j = (rng.integers(0, m, count), rng.integers(0, n, count)) if count else (np.zeros(0, int), np.zeros(0, int))
    if shape == "one row" and count:
        i[: count // 2] = i[0]
    if shape == "one column" and count:
        j[: count // 2] = j[0]
    if shape == "band" and count:
        j = np.clip(i + rng.integers(-2, 3, count), 0, n - 1)
    values = numbers(rng, count, dtype, integers)
    fmt = draw(st.sampled_from(["csr", "csc", "coo", "bsr", "raw csr", "raw csc"]))
    index = draw(st.sampled_from([np.int32, np.int64]))
    if fmt.startswith("raw"):
        # Straight from the triplets: duplicates and unsorted rows stay.
        major, minor, ranges = (i, j, m) if fmt == "raw csr" else (j, i, n)
        order = np.argsort(major, kind="stable")
        indptr = np.zeros(ranges + 1, index)
        np.cumsum(np.bincount(major, minlength=ranges), out=indptr[1:])
        kind = scipy.sparse.csr_array if fmt == "raw csr" else scipy.sparse.csc_array
        return kind((values[order], minor[order].astype(index), indptr), shape=(m, n))
    made = scipy.sparse.coo_array((values, (i, j)), shape=(m, n))
    if fmt in ("coo", "bsr"):
        return made if fmt == "coo" or not m or not n else made.tobsr(blocksize=(1, 1))
    made = made.asformat(fmt)
    made.indices, made.indptr = made.indices.astype(index), made.indptr.astype(index)
    return made


def numbers(rng, shape, dtype, integers):
    """Integers so small that no sum of theirs rounds, or numbers with all their bits."""
    make = (lambda: rng.integers(-9, 10, shape).astype(float)) if integers else (lambda: rng.standard_normal(shape) * 10.0 ** rng.integers(-3, 4, shape))
    values = make()
    if np.dtype(dtype).kind == "c":
        values = values + 1j * make()
    return values.astype(dtype)


def exact(a):
    """The entries as integers of Python's precision, duplicates summed."""
    coo = a.tocoo()
    dense = np.zeros(a.shape, dtype=np.complex128)
    np.add.at(dense, coo.coords if hasattr(coo, "coords") else (coo.row, coo.col), coo.data)
    return dense


def same_bits(y, expected):
    # -0.0 and 0.0 are the same integer.
    return y.shape == expected.shape and np.array_equal(y, expected)


def products(a, x, left, many):
    """Every way to multiply, with the operands that give the same result."""
    own = lacis.csr_array(a) if a.format != "csc" else lacis.csc_array(a)
    plan = lacis.plan(a, transpose=True)
    yield own @ x, "A x"
    yield plan @ x, "A x"
    yield own @ many, "A X"
    yield own @ np.asfortranarray(many), "A X"
    yield plan @ many, "A X"
    yield plan @ np.asfortranarray(many), "A X"
    yield own.T @ left, "x A"
    yield left @ own, "x A"
    yield plan.T @ left, "x A"
    yield left @ plan, "x A"
    yield plan.H.matvec(left.conj()).conj(), "x A"


@given(st.data())
def test_integers_are_exact(data):
    a = data.draw(matrices(integers=True))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    dtype = data.draw(st.sampled_from(TYPES))
    x, left, many = (numbers(rng, shape, dtype, True) for shape in (a.shape[1], a.shape[0], (a.shape[1], 3)))
    dense = exact(a)
    expected = {"A x": dense @ x, "A X": dense @ many, "x A": left @ dense}
    result = np.result_type(a.dtype, dtype)
    for y, which in products(a, x, left, many):
        assert y.dtype == result
        assert same_bits(y, expected[which]), which


@given(st.data())
def test_reals_are_within_the_bound(data):
    a = data.draw(matrices(integers=False))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    dtype = data.draw(st.sampled_from(TYPES))
    x, left, many = (numbers(rng, shape, dtype, False) for shape in (a.shape[1], a.shape[0], (a.shape[1], 3)))
    wide = exact(a)
    summed = scipy.sparse.csr_array(scipy.sparse.coo_array(a.tocoo()))
    expected = {"A x": (wide @ x, bound(summed, x)), "A X": (wide @ many, bound(summed, many)), "x A": (left @ wide, bound(summed.T, left))}
    # Duplicates are summed in the type of A before the product: one more rounding of their size.
    slack = np.finfo(a.dtype).eps * 4
    magnitude = {"A x": exact(magnitudes(a)).real @ abs(x), "A X": exact(magnitudes(a)).real @ abs(many), "x A": abs(left) @ exact(magnitudes(a)).real}
    for y, which in products(a, x, left, many):
        value, error = expected[which]
        assert np.all(abs(y - value) <= error + slack * magnitude[which]), which


def magnitudes(a):
    coo = a.tocoo().copy()
    coo.data = abs(coo.data).astype(np.float64)
    return coo


@given(st.data())
def test_sparse_products_are_exact(data):
    a = data.draw(matrices(integers=True))
    b = data.draw(matrices(integers=True, rows=a.shape[1]))
    own = lacis.csr_array(a) if a.format != "csc" else lacis.csc_array(a)
    c = own @ b
    assert c.dtype == np.result_type(a.dtype, b.dtype)
    assert same_bits(exact(c), exact(a) @ exact(b))
    d = b.T @ own.T
    assert same_bits(exact(d), (exact(a) @ exact(b)).T)


@given(st.data())
def test_files_keep_every_bit(tmp_path_factory, data):
    a = data.draw(matrices(integers=False))
    path = tmp_path_factory.mktemp("matrices") / data.draw(st.sampled_from(["a.mtx", "a.csr"]))
    if 0 in a.shape:
        return
    lacis.write(path, a)
    b = lacis.read(path)
    assert np.array_equal(b.toarray().astype(a.dtype), lacis.csr_array(a).toarray() if a.format != "csc" else lacis.csc_array(a).toarray())
