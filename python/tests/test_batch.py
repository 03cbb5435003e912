# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Batches have the bits of single calls, and one bad system leaves the others alone."""

import doctest
import threading
import warnings

import numpy as np
import pytest
import scipy.sparse
from conftest import poisson, random_matrix, vector
from test_interrupt import are_prompt, interrupted_after

import lacis
import lacis._batch
from lacis import linalg

TYPES = [np.float32, np.float64, np.complex64, np.complex128]


def definite(systems, n=6, dtype=np.float64, seed=0):
    """The pattern of a grid, and values and right-hand sides of symmetric, positive definite systems on it."""
    a = poisson(n)
    a.sort_indices()
    rng = np.random.default_rng(seed)
    values = np.empty((systems, a.nnz))
    for s in range(systems):
        shift = scipy.sparse.diags_array(rng.random(n * n) + 0.01)
        values[s] = scipy.sparse.csr_array(a + shift).data
    return a.astype(dtype), values.astype(dtype), vector(n * n, seed=seed, columns=systems).T.astype(dtype)


def system(a, values, s):
    return scipy.sparse.csr_array((values[s], a.indices, a.indptr), shape=a.shape)


def same_bits(x, y):
    return x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("method", ["cg", "bicgstab"])
@pytest.mark.parametrize("precond", [None, "jacobi"])
@pytest.mark.parametrize("threads", [1, 2])
def test_solutions_have_the_bits_of_single_ones(dtype, method, precond, threads):
    a, values, b = definite(21, dtype=dtype)
    tol = 1e-5
    start = np.ascontiguousarray(vector(36, seed=5, columns=21).T.astype(dtype))
    r = lacis.solve_batch(a, values, b, tol=tol, method=method, precond=precond, x0=start, threads=threads)
    assert r.converged and r.unsolved == 0 and r.reason == "" and r.method == method
    assert r.x.dtype == dtype and r.x.shape == (21, 36)
    for s in range(21):
        one = linalg.solve_with(method, system(a, values, s), b[s], x0=start[s], M=precond, tolerance=tol)
        assert same_bits(r.x[s], one.x)
        assert r.iterations[s] == one.iterations and r.residual[s] == one.residual and r.status[s] == 0
    assert same_bits(start, np.ascontiguousarray(vector(36, seed=5, columns=21).T.astype(dtype))), "x0 is not written"


@pytest.mark.parametrize("method", ["band-lu", "band-cholesky"])
def test_factors_have_the_bits_of_batches_of_one(method):
    a, values, b = definite(19)
    r = lacis.solve_batch(a, values, b, method=method)
    assert r.converged
    for s in range(19):
        one = lacis.solve_batch(a, values[s : s + 1], b[s : s + 1], method=method)
        assert same_bits(r.x[s], one.x[0]) and r.residual[s] == one.residual[0]


def test_parts_of_a_batch_do_not_show():
    """Large batches are solved a part at a time."""
    a, values, b = definite(40, n=2)
    many = 100
    whole = lacis.solve_batch(a, np.tile(values, (many, 1)), np.tile(b, (many, 1)))
    part = lacis.solve_batch(a, values, b)
    assert same_bits(whole.x, np.tile(part.x, (many, 1)))
    assert np.array_equal(whole.iterations, np.tile(part.iterations, many))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_products_have_the_bits_of_single_ones(dtype, index):
    a = random_matrix(40, 30, dtype=dtype)
    a.indptr, a.indices = a.indptr.astype(index), a.indices.astype(index)
    values = vector(a.nnz, dtype, columns=11).T
    x = vector(30, dtype, columns=11).T
    y = lacis.multiply_batch(a, values, x)
    assert y.dtype == dtype and y.shape == (11, 40)
    for s in range(11):
        assert same_bits(y[s], lacis.csr_array((values[s], a.indices, a.indptr), shape=a.shape) @ x[s])
    out = np.full_like(y, 7)
    assert lacis.multiply_batch(a, values, x, out=out, threads=1) is out
    assert same_bits(out, y)


def test_types_are_joined_exactly():
    a, values, b = definite(3)
    narrow = lacis.solve_batch(a, values.astype(np.float32), b.astype(np.float32), tol=1e-5)
    assert narrow.x.dtype == np.float32
    assert lacis.solve_batch(a, values.astype(np.float32), b).x.dtype == np.float64
    whole = lacis.multiply_batch(a, np.ones((2, a.nnz), np.int64), np.ones((2, 36), bool))
    assert same_bits(whole, np.tile(np.diff(a.indptr).astype(np.float64), (2, 1)))


def test_a_bad_system_leaves_the_others_alone():
    a, values, b = definite(20)
    good = lacis.solve_batch(a, values, b)
    values[4] = -values[4]
    values[9, 3] = np.nan
    with pytest.warns(lacis.LacisWarning, match="2 of 20 systems have no solution to 1e-08; system 4: "):
        r = lacis.solve_batch(a, values, b)
    assert not r.converged and r.unsolved == 2
    assert list(np.flatnonzero(r.status)) == [4, 9]
    assert r.status.dtype == np.int32 and r.status_name(4) == "broke down" and r.status_name(5) == "converged"
    assert np.isfinite(r.x).all()
    rest = np.delete(np.arange(20), [4, 9])
    assert same_bits(r.x[rest], good.x[rest])
    with pytest.warns(lacis.LacisWarning, match="20 of 20"):
        few = lacis.solve_batch(a, -values, b, maxiter=2, method="bicgstab")
    assert few.status[0] == 1 and few.status_name(0) == "max iterations" and few.iterations[0] == 2


def test_nothing_is_solved_at_once():
    a, values, b = definite(0)
    r = lacis.solve_batch(a, values, b.reshape(0, 36))
    assert r.converged and r.x.shape == (0, 36) and r.status.shape == (0,)
    assert lacis.multiply_batch(a, values, np.empty((0, 36))).shape == (0, 36)
    with pytest.raises(lacis.InvalidArgument, match="band-lu"):
        lacis.solve_batch(a, values, b.reshape(0, 36), method="gmres")


def test_mistakes_are_explained():
    a, values, b = definite(3)

    def refused(kind, match, *arguments, **named):
        with pytest.raises(kind, match=match):
            lacis.solve_batch(*arguments, **named)

    refused(lacis.InvalidArgument, r"\(systems, 156\), not \(3, 155\)", a, values[:, 1:], b)
    refused(lacis.InvalidArgument, "batch of one", a, values[0], b)
    refused(lacis.InvalidArgument, "broadcast_to", a, values, b[0])
    refused(lacis.InvalidArgument, r"give b\.T", a, values, b.T)
    refused(lacis.InvalidArgument, "x0 must have", a, values, b, x0=b[:2])
    refused(lacis.InvalidArgument, "tocsr", a.tocsc(), values, b)
    refused(lacis.InvalidArgument, "cg, bicgstab, band-lu, band-cholesky", a, values, b, method="gmres")
    refused(lacis.InvalidArgument, "none, jacobi", a, values, b, precond="ilu0")
    refused(lacis.InvalidArgument, "takes no preconditioner", a, values, b, method="band-lu", precond="jacobi")
    refused(lacis.InvalidArgument, "threads", a, values, b, threads=0)
    refused(lacis.Unsupported, "one by one", a, values.astype(complex), b)
    refused(lacis.InvalidMatrix, "square", a[:, :20], values[:, : a[:, :20].nnz], b)
    twice = a.copy()
    twice.indices[1] = twice.indices[0]
    refused(lacis.InvalidMatrix, r"sum_duplicates\(\)", twice, values, b)
    with pytest.raises(lacis.InvalidArgument, match="out must be"):
        lacis.multiply_batch(a, values, b, out=np.empty((3, 35)))
    with pytest.raises(lacis.InvalidArgument, match="overlap"):
        x = np.ascontiguousarray(b)
        lacis.multiply_batch(a, values, x, out=x)


def test_the_compiled_part_checks_sizes_itself():
    a, values, b = definite(3)
    parts = (0, 36, 36, a.indptr, a.indices, a.data)
    b = np.ascontiguousarray(b)
    y = np.empty((3, 36))
    for wrong in [(values[:2], b, y), (values, b[:2], y), (values, b, y[:2]), (values[:, 1:].copy(), b, y), (values, b[:, 1:].copy(), y)]:
        with pytest.raises(ValueError):
            lacis._core.multiply_batch(parts, *wrong, 1)
    for wrong in [(values.astype(np.float32), b, y), (values.T, b, y), (values[0], b, y), (values, b, None)]:
        with pytest.raises(TypeError):
            lacis._core.multiply_batch(parts, *wrong, 1)
    y.flags.writeable = False
    with pytest.raises(TypeError):
        lacis._core.multiply_batch(parts, values, b, y, 1)


def endless():
    """A batch that would take minutes."""
    a, values, b = definite(16, n=20)
    values, b = np.tile(values, (2000, 1)), np.tile(b, (2000, 1))
    return lambda: lacis.solve_batch(a, values, b, tol=1e-300, maxiter=2000)


def test_an_interrupt_ends_a_batch():
    work = endless()
    assert are_prompt([interrupted_after(0.3, work) for _ in range(4)])


def test_the_gil_is_released():
    a, values, b = definite(16, n=20)
    values, b = np.tile(values, (100, 1)), np.tile(b, (100, 1))
    counted = [0]
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before = counted[0]
        lacis.solve_batch(a, values, b)
        assert counted[0] > before + 100
    finally:
        stop.set()
        thread.join()


def test_examples_run():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = doctest.testmod(lacis._batch)
    assert found.attempted >= 9 and found.failed == 0
