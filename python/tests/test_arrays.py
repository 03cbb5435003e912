# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""csr_array and csc_array: SciPy's arrays, shared and multiplied by lacis."""

import warnings

import numpy as np
import pytest
import scipy.sparse
from conftest import bound, random_matrix, reached, vector

import lacis
from lacis import _core
from lacis._arrays import parts_of

TYPES = [np.float32, np.float64, np.complex64, np.complex128]


def address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", TYPES)
def test_columns_and_values_are_shared(index, dtype):
    s = random_matrix(50, 40, dtype=dtype)
    s.indices, s.indptr = s.indices.astype(index), s.indptr.astype(index)
    for a in (lacis.csr_array(s), lacis.csr_array((s.data, s.indices, s.indptr), shape=s.shape)):
        assert address(a.indices) == address(s.indices) and address(a.data) == address(s.data) and address(a.indptr) == address(s.indptr)
        assert a.why == ""
    t = lacis.csr_array(s).T
    assert isinstance(t, lacis.csc_array) and address(t.data) == address(s.data) and t.shape == (40, 50)
    assert isinstance(t.T, lacis.csr_array) and address(t.T.indices) == address(s.indices)


@pytest.mark.parametrize("offset", [np.int32, np.int64])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_a_plan_reads_offsets_and_columns_as_they_are(offset, index):
    s = random_matrix(50, 40)
    indptr, indices = s.indptr.astype(offset), s.indices.astype(index)
    parts = parts_of((s.data, indices, indptr), shape=s.shape)
    assert address(parts[3]) == address(indptr) and address(parts[4]) == address(indices) and address(parts[5]) == address(s.data)
    x = vector(40)
    y = _core.multiply(parts, x)
    assert np.all(abs(y - s @ x) <= bound(s, x))
    assert np.array_equal(lacis.plan((s.data, indices, indptr)) @ x[: int(indices.max()) + 1], y)


def test_wide_offsets_are_narrowed_and_columns_stay():
    s = random_matrix(50, 40)
    a = lacis.csr_array((s.data, s.indices, s.indptr.astype(np.int64)), shape=s.shape)
    assert a.indptr.dtype == np.int32 and address(a.indices) == address(s.indices)
    a.indptr = a.indptr.astype(np.int64)
    plain = a.to_scipy()
    assert type(plain) is scipy.sparse.csr_array and plain.indptr.dtype == np.int32 and address(plain.indices) == address(s.indices)
    plain.tocoo()


@pytest.mark.parametrize("fmt", ["csr", "csc"])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("x_dtype", TYPES)
def test_products_with_vectors_and_columns(fmt, dtype, x_dtype):
    s = random_matrix(60, 45, dtype=dtype, fmt=fmt)
    a = (lacis.csr_array if fmt == "csr" else lacis.csc_array)(s)
    x, left = vector(45, x_dtype), vector(60, x_dtype)
    many, rows = vector(45, x_dtype, columns=5), np.ascontiguousarray(vector(60, x_dtype, columns=3).T)
    before = reached()
    for y, expected, error in (
        (a @ x, s @ x, bound(s, x)),
        (a.dot(x), s @ x, bound(s, x)),
        (a @ many, s @ many, bound(s, many)),
        (a @ np.asfortranarray(many), s @ many, bound(s, many)),
        (a @ many[:, :1], s @ many[:, :1], bound(s, many[:, :1])),
        (a.T @ left, s.T @ left, bound(s.T, left)),
        (left @ a, left @ s, bound(s.T, left)),
        (rows @ a, rows @ s, bound(s.T, rows.T).T),
    ):
        assert y.dtype == expected.dtype and y.shape == expected.shape
        assert np.all(abs(y - expected) <= error)
    assert reached() == before + 8


def test_strided_operands_are_converted():
    a = lacis.csr_array(random_matrix(30, 20))
    x = vector(40)[::2]
    assert np.array_equal(a @ x, a @ x.copy())
    many = vector(20, columns=8)[:, ::3]
    assert np.array_equal(a @ many, a @ many.copy())
    assert np.array_equal(a @ x.astype(">f8"), a @ x.copy())
    many = vector(40, columns=4)[::-2]
    assert np.array_equal(a @ many, a @ many.copy())


@pytest.mark.parametrize("fmt", ["csr", "csc"])
@pytest.mark.parametrize("other", ["csr", "csc", "coo", "bsr", "dia"])
def test_sparse_products(fmt, other):
    a = (lacis.csr_array if fmt == "csr" else lacis.csc_array)(random_matrix(30, 40, fmt=fmt))
    b = random_matrix(40, 25, seed=3).asformat(other)
    before = reached()
    c = a @ b
    assert reached() == before + 1
    assert type(c) is type(a) and c.shape == (30, 25) and c.has_sorted_indices
    assert np.allclose(c.toarray(), a.toarray() @ b.toarray(), rtol=1e-13, atol=1e-13)
    left = random_matrix(7, 30, seed=5).asformat(other)
    assert np.allclose((left @ a).toarray(), left.toarray() @ a.toarray(), rtol=1e-13, atol=1e-13)


def test_sparse_products_of_different_types_and_widths():
    a = lacis.csr_array(random_matrix(30, 40, dtype=np.float32))
    b = random_matrix(40, 25, dtype=np.complex64, seed=3)
    b.indices, b.indptr = b.indices.astype(np.int64), b.indptr.astype(np.int64)
    c = a @ b
    assert c.dtype == np.complex64
    assert np.allclose(c.toarray(), a.toarray() @ b.toarray(), rtol=1e-5, atol=1e-5)


def test_unsorted_rows_are_copied_once_and_it_says_so():
    s = scipy.sparse.csr_array((np.array([1.0, 2, 3, 4]), np.array([2, 0, 1, 1]), np.array([0, 2, 4])), shape=(2, 3))
    a = lacis.csr_array(s)
    assert "sorted copy" in a.why and "1 duplicate" in a.why
    assert list(s.indices) == [2, 0, 1, 1], "SciPy's arrays stay as they were"
    assert np.array_equal(a @ np.array([1.0, 10, 100]), [102, 70])
    assert np.array_equal(lacis.csc_array(s.T).toarray(), s.toarray().T)


def test_a_sparse_product_with_a_limit_of_memory():
    a, b = random_matrix(300, 200, dtype=np.float32), random_matrix(200, 100, seed=2, fmt="csc")
    c = lacis.spgemm(a, b, memory=10**8, threads=1)
    assert type(c) is lacis.csr_array and c.dtype == np.float64 and np.array_equal(c.toarray(), (lacis.csr_array(a) @ b).toarray())
    with pytest.raises(lacis.OutOfMemory):
        lacis.spgemm(a, b, memory=1000)
    with pytest.raises(ValueError, match="200 columns and B has 300 rows"):
        lacis.spgemm(a, a)
    with pytest.raises(ValueError, match="memory"):
        lacis.spgemm(a, b, memory=0)


def test_duplicates_in_sorted_rows_are_called_duplicates():
    a = lacis.csr_array((np.array([1.0, 2, 3]), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 2))
    assert "more than once" in a.why and "1 duplicate entry" in a.why and "not sorted" not in a.why
    assert np.array_equal(a.toarray(), [[3, 0], [0, 3]])


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("offset", [np.int32, np.int64])
def test_the_order_of_indices(index, offset):
    def order(indptr, indices, width=9):
        return _core.order(len(indptr) - 1, width, np.array(indptr, offset), np.array(indices, index))

    assert order([0], []) == order([0, 0, 0], []) == order([0, 2, 2, 4], [0, 8, 0, 8]) == 0
    assert order([0, 0, 2, 2, 2, 4, 4], [7, 8, 0, 1]) == order([0, 1, 2, 3], [8, 8, 0]) == 0
    assert order([0, 2], [3, 3]) == order([0, 0, 1, 3], [5, 3, 3]) == 1
    assert order([0, 2], [4, 3]) == order([0, 3], [3, 3, 1]) == order([0, 1, 3, 3], [5, 4, 3]) == 2
    assert order([0, 1], [9]) == order([0, 1], [-1]) == order([0, 2, 1], [0, 1]) == order([0, 3], [0, 1]) == order([1, 2], [0, 1]) == 3
    rng = np.random.default_rng(0)
    for _ in range(200):
        lengths = rng.integers(0, 4, 60) * rng.integers(0, 9000, 60) ** rng.integers(0, 2, 60)
        indptr = np.concatenate([[0], np.cumsum(lengths)])
        indices = np.concatenate([[]] + [np.sort(rng.choice(40000, n, replace=False)) for n in lengths])
        assert order(indptr, indices, 40000) == 0
        long = np.flatnonzero(lengths > 1)
        if len(long):
            at = indptr[rng.choice(long)]
            indices[[at, at + 1]] = indices[[at + 1, at]]
            assert order(indptr, indices, 40000) == 2
            indices[at] = indices[at + 1]
            assert order(indptr, indices, 40000) in (1, 2)


def test_results_with_the_pattern_of_an_array_are_not_checked_again(monkeypatch):
    a = lacis.csr_array(random_matrix(20, 20))
    canonical = scipy.sparse.csr_array(random_matrix(20, 20))
    canonical.has_canonical_format  # SciPy remembers it

    def order(*_):
        raise AssertionError("the indices were looked at again")

    monkeypatch.setattr(_core, "order", order)
    for b in (2 * a, a.copy(), abs(a), -a, a.astype(np.float32), a.T, a @ a, a / 2, a.conj(), lacis.csr_array(a), lacis.csr_array(canonical)):
        assert b.has_sorted_indices


def test_arrays_changed_in_place_by_scipy_are_multiplied_as_they_are():
    x = vector(20)
    for change in (
        lambda m: m.__setitem__((3, 4), 5.0),
        lambda m: m.__setitem__(([1, 2], [0, 0]), 7.0),
        lambda m: m.resize(20, 20),
        lambda m: m.eliminate_zeros(),
        lambda m: m.sum_duplicates(),
        lambda m: m.sort_indices(),
        lambda m: m.prune(),
        lambda m: m.setdiag(4.0),
    ):
        a, s = lacis.csr_array(random_matrix(20, 20)), random_matrix(20, 20)
        a @ x
        a.data[3] = s.data[3] = 0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            change(a), change(s)
        assert np.allclose(a @ x, s @ x) and np.allclose((a @ a).toarray(), (s @ s).toarray()) and np.allclose((2 * a) @ x, 2 * (s @ x))


def operands_of_other_kinds():
    x = vector(20)
    yield list(x)
    yield np.ma.masked_array(x, mask=x > 0)
    yield x.view(type("mine", (np.ndarray,), {}))
    yield np.matrix(vector(20, columns=3))
    yield np.matrix(vector(20, columns=1))
    try:
        import pandas
    except ImportError:
        return
    yield pandas.Series(x)
    yield pandas.DataFrame(vector(20, columns=3))


def test_operands_of_other_kinds_are_computed_by_us_with_scipys_meaning(tmp_path):
    file = np.memmap(tmp_path / "x", dtype=np.float64, mode="w+", shape=(20,))
    file[:] = vector(20)
    for kind in ("csr_array", "csc_array", "csr_matrix"):
        s = getattr(scipy.sparse, kind)(random_matrix(30, 20))
        a = lacis.asarray(s)
        for x in (file, *operands_of_other_kinds()):
            before, counted = reached(), lacis.product_counts()["products by SciPy"]
            y, expected = a @ x, s @ x
            assert reached() == before + 1 and lacis.product_counts()["products by SciPy"] == counted
            assert type(y) is type(expected) and y.shape == expected.shape and np.allclose(y, expected), type(x)
        assert np.allclose([1.0] * 30 @ a, [1.0] * 30 @ s) and reached() == before + 2
    counted = lacis.product_counts()["products by SciPy"]
    lacis.csr_array(np.arange(20.0)) @ vector(20)
    assert lacis.product_counts()["products by SciPy"] == counted + 1


def test_products_with_many_columns_have_scipys_order():
    s = random_matrix(30, 20)
    a = lacis.csr_array(s)
    for x in (vector(20, columns=4), np.asfortranarray(vector(20, columns=4))):
        assert (a @ x).flags.c_contiguous == (s @ x).flags.c_contiguous and np.array_equal(a @ x, lacis.plan(a) @ x)
        left = np.ascontiguousarray(vector(30, columns=4).T) if x.flags.c_contiguous else vector(30, columns=4).T
        assert (left @ a).flags.c_contiguous == (left @ s).flags.c_contiguous and np.allclose(left @ a, left @ s)


def test_indices_changed_behind_the_array_are_noticed():
    a = lacis.csr_array(random_matrix(20, 20, density=0.5))
    x = vector(20)
    expected = a @ x
    for i in range(20):
        row = slice(a.indptr[i], a.indptr[i + 1])
        a.indices[row] = a.indices[row][::-1].copy()
        a.data[row] = a.data[row][::-1].copy()
    before = lacis.product_counts()["products by SciPy"]
    assert np.allclose(a @ x, expected)
    assert lacis.product_counts()["products by SciPy"] == before + 1
    a.data *= 2
    assert np.allclose(a @ x, 2 * expected)


def test_changed_values_are_seen():
    a = lacis.csr_array(random_matrix(20, 20))
    x = vector(20)
    y = a @ x
    a.data *= 3
    assert np.allclose(a @ x, 3 * y)


def test_invalid_arrays_raise_instead_of_crashing():
    a = lacis.csr_array(random_matrix(20, 20))
    a.indices[0] = 10**6
    with pytest.raises(lacis.InvalidMatrix):
        a @ vector(20)
    b = lacis.csr_array(random_matrix(20, 20))
    b.indptr[-1] = 10**6
    with pytest.raises(lacis.InvalidMatrix):
        b @ vector(20)


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.uint64, bool, np.longdouble])
def test_other_types_are_scipys_and_counted(dtype):
    s = scipy.sparse.csr_array(np.array([[1, 0, 1], [0, 1, 0]], dtype=dtype))
    a = lacis.csr_array(s)
    assert a.dtype == s.dtype
    x = np.array([1, 2, 3], dtype=np.int64)
    before = lacis.product_counts()["products by SciPy"]
    y = a @ x
    assert y.dtype == (s @ x).dtype and np.array_equal(y, s @ x)
    assert lacis.product_counts()["products by SciPy"] == before + 1


@pytest.mark.parametrize("x_dtype", [bool, np.int8, np.int32, np.int64, np.uint8, np.float16])
@pytest.mark.parametrize("dtype", TYPES)
def test_integer_operands_have_scipys_result_type(dtype, x_dtype):
    s = random_matrix(30, 20, dtype=dtype)
    x = np.arange(20).astype(x_dtype)
    y = lacis.csr_array(s) @ x
    expected = s.astype(y.dtype) @ x.astype(y.dtype)
    if x_dtype is not np.float16:
        assert y.dtype == (s @ x).dtype
    assert np.allclose(y, expected, rtol=1e-4, atol=1e-4)


def test_everything_else_is_scipys():
    s = random_matrix(20, 20)
    a = lacis.csr_array(s)
    for made in (a + a, a - s, 2 * a, a * a, a.copy(), abs(a), a.conj(), a[:5], a[:, 3:9], a.multiply(2), -a, a.astype(np.float32), a > 0):
        assert isinstance(made, scipy.sparse.csr_array)
    assert isinstance(a + a, lacis.csr_array) and isinstance(a[:5], lacis.csr_array) and isinstance(a.tocsc(), lacis.csc_array)
    assert np.array_equal((a + a).toarray(), 2 * s.toarray())
    assert np.array_equal(a[[3]].toarray(), s[[3]].toarray())
    assert np.allclose(a @ ([1.0] * 20), s @ np.ones(20))
    with pytest.raises(ValueError):
        a @ vector(7)
    with pytest.raises(ValueError):
        a @ 3.0


@pytest.mark.parametrize("source", ["dense", "coo", "lil", "tuple", "pairs", "spec"])
def test_sources(source):
    s = random_matrix(20, 30)
    given = {
        "dense": s.toarray(),
        "coo": s.tocoo(),
        "lil": s.tolil(),
        "tuple": (s.data, s.indices, s.indptr),
        "pairs": (s.data, (s.tocoo().row, s.tocoo().col)),
        "spec": "@poisson2d:5",
    }[source]
    a = lacis.csr_array(given, shape=None if source == "spec" else s.shape)
    if source == "spec":
        assert a.shape == (25, 25)
    else:
        assert np.array_equal(a.toarray(), s.toarray())


class Tensor:
    """Looks like torch's sparse_csr tensor."""

    def __init__(self, s):
        self.s, self.shape = s, s.shape

    class Array:
        def __init__(self, array):
            self.array = array

        def detach(self):
            return self

        def numpy(self):
            return self.array

    def crow_indices(self):
        return Tensor.Array(self.s.indptr)

    def col_indices(self):
        return Tensor.Array(self.s.indices)

    def values(self):
        return Tensor.Array(self.s.data)


def test_tensors_share_their_arrays():
    s = random_matrix(20, 30)
    s.indices, s.indptr = s.indices.astype(np.int64), s.indptr.astype(np.int64)
    a = lacis.csr_array(Tensor(s))
    assert address(a.indices) == address(s.indices) and address(a.data) == address(s.data)
    assert np.array_equal(lacis.plan(Tensor(s)) @ vector(30), a @ vector(30))


def test_empty_and_degenerate_shapes():
    for shape in ((0, 0), (0, 5), (5, 0), (1, 1), (3, 4)):
        a = lacis.csr_array(shape, dtype=np.float64)
        assert (a @ np.ones(shape[1])).shape == (shape[0],)
        assert (a @ np.ones((shape[1], 3))).shape == (shape[0], 3)
        assert (np.ones(shape[0]) @ a).shape == (shape[1],)
        assert (a @ a.T).shape == (shape[0], shape[0])
        assert (lacis.plan(a) @ np.ones(shape[1])).shape == (shape[0],)
    assert (lacis.csr_array(random_matrix(4, 5)) @ np.ones((5, 0))).shape == (4, 0)


def test_arrays_longer_than_their_entries():
    s = random_matrix(20, 30)
    a = lacis.csr_array(s)
    a.data, a.indices = np.append(a.data, [9.0] * 5), np.append(a.indices, np.zeros(5, a.indices.dtype))
    assert np.array_equal(a @ vector(30), lacis.csr_array(s) @ vector(30))


def test_the_bits_do_not_depend_on_the_number_of_threads():
    a = lacis.csr_array(random_matrix(2000, 2000, density=0.02))
    x = vector(2000)
    try:
        lacis.set_num_threads(1)
        one = a @ x, (a @ a).data, lacis.plan(a) @ x
        lacis.set_num_threads(2)
        two = a @ x, (a @ a).data, lacis.plan(a) @ x
    finally:
        lacis.set_num_threads(None)
    for p, q in zip(one, two):
        assert np.array_equal(p, q)


@pytest.mark.parametrize("kind", ["csr_array", "csc_array", "csr_matrix", "csc_matrix"])
def test_sums_are_scipys_and_keep_no_transpose(kind):
    s = getattr(scipy.sparse, kind)(random_matrix(60, 40, density=0.3))
    a = lacis.asarray(s)
    for _ in range(3):
        for axis in (None, 0, 1, -1):
            ours, theirs = a.sum(axis=axis), s.sum(axis=axis)
            assert type(ours) is type(theirs) and np.array_equal(ours, theirs)
        assert np.array_equal(a.mean(axis=0), s.mean(axis=0))
    assert a._memory is None or a._memory.nbytes == 0


def test_plans_of_wide_indices_have_narrow_columns():
    s = random_matrix(300, 200, density=0.2)
    wide = scipy.sparse.csr_array((s.data, s.indices.astype(np.int64), s.indptr.astype(np.int64)), shape=s.shape)
    assert wide.indices.dtype == np.int64
    narrow, made, x = lacis.plan(s), lacis.plan(wide), vector(200)
    assert made.layout == narrow.layout and made.nbytes == narrow.nbytes
    assert (made @ x).tobytes() == (narrow @ x).tobytes() == (lacis.csr_array(wide) @ x).tobytes()
