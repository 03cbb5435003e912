# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Products in the child of a fork, a hundred times."""

import multiprocessing
import os
import signal
import warnings

import numpy as np
import pytest
from conftest import poisson, random_matrix, vector

import lacis
from lacis import linalg

A = lacis.csr_array(random_matrix(1500, 1500, density=0.02))
X = vector(1500)
P = lacis.plan(A, transpose=True)


def in_child(work):
    """The child's exit status; a child that hangs is killed after a minute."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            os._exit(0 if work() else 1)
        except BaseException:
            os._exit(2)
    return os.waitpid(child, 0)[1]


def test_products_in_a_child():
    y, z = A @ X, P.T @ X
    c = (A @ A).data

    def work():
        return (
            np.array_equal(A @ X, y)
            and np.array_equal(P @ X, y)
            and np.array_equal(P.T @ X, z)
            and np.array_equal(lacis.plan(A) @ X, y)
            and np.array_equal((A @ A).data, c)
        )

    for _ in range(100):
        assert in_child(work) == 0
        assert np.array_equal(A @ X, y), "the parent goes on"


def test_products_with_a_given_number_of_threads_in_a_child():
    a = poisson(300)
    x = vector(90_000)
    p = lacis.plan(a, threads=2)
    y = p @ x
    before = lacis.get_num_threads()
    lacis.set_num_threads(2)
    try:
        q = lacis.plan(a)
        for _ in range(5):
            assert in_child(lambda: np.array_equal(p @ x, y) and np.array_equal(q @ x, y) and np.array_equal(lacis.csr_array(a) @ x, y)) == 0
    finally:
        lacis.set_num_threads(before)


def test_arrays_made_in_a_child():
    a = poisson(300)  # large enough for threads, which the child has none of
    lacis.csr_array(a) @ vector(90_000)
    for _ in range(5):
        assert in_child(lambda: lacis.csr_array(a).nnz == a.nnz and lacis.csc_array(a).nnz == a.nnz and lacis.info(a).entries == a.nnz) == 0


def test_a_solver_in_a_child():
    a, b = poisson(30), vector(900)
    x = linalg.cg(a, b, rtol=1e-8)[0]
    for _ in range(100):
        assert in_child(lambda: np.array_equal(linalg.cg(a, b, rtol=1e-8)[0], x)) == 0


def product(k):
    return float((A @ X)[k])


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_multiprocessing(method):
    y = A @ X
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        with multiprocessing.get_context(method).Pool(2) as pool:
            assert pool.map_async(product, range(20)).get(timeout=60) == [float(v) for v in y[:20]]
