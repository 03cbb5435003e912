# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""A gate by ratio: products that were once several times slower than SciPy's. Processor time of one thread, interleaved, so that other work on the
machine disturbs both. The limits are far below what python/bench/products.py measures: they catch a lost path, not a few percent."""

import time

import numpy as np
import pytest
import scipy.sparse

import lacis


def processor_seconds(f):
    begin = time.process_time()
    f()
    return time.process_time() - begin


def ratio(theirs, ours, rounds=11):
    """The median of their time over ours."""
    for _ in range(2):
        theirs(), ours()
    return np.median([processor_seconds(theirs) / processor_seconds(ours) for _ in range(rounds)])


@pytest.fixture(scope="module")
def one_thread():
    before = lacis.get_num_threads()
    lacis.set_num_threads(1)
    yield
    lacis.set_num_threads(before)


def dense_rows():
    """3,000 rows of about 400 entries: every row and column is longer than what is summed from left to right."""
    s = scipy.sparse.random_array((3000, 2500), density=0.16, rng=np.random.default_rng(1), format="csr")
    s.indices, s.indptr = s.indices.astype(np.int32), s.indptr.astype(np.int32)
    s.sort_indices()
    return s


MATRICES = {
    "graph": lambda: lacis.generate("@rmat:16", values="random").to_scipy(),
    "grid": lambda: lacis.generate("@poisson2d:500", values="random").to_scipy(),
    "dense rows": dense_rows,
}


@pytest.mark.parametrize("name", MATRICES)
def test_products_without_a_plan_are_not_far_slower_than_scipys(name, one_thread):
    s = MATRICES[name]()
    a, c, s_c = lacis.csr_array(s), lacis.csc_array(s.tocsc()), s.tocsc()
    rng = np.random.default_rng(2)
    x, left, many = rng.random(s.shape[1]), rng.random(s.shape[0]), rng.random((s.shape[0], 8))
    wide = scipy.sparse.csr_array((s.data, s.indices.astype(np.int64), s.indptr.astype(np.int64)), shape=s.shape)
    a_wide = lacis.csr_array(wide)
    found = {
        "A.T @ x": ratio(lambda: s.T @ left, lambda: a.T @ left),
        "x @ A": ratio(lambda: left @ s, lambda: left @ a),
        "csc @ x": ratio(lambda: s_c @ x, lambda: c @ x),
        "A.T @ X": ratio(lambda: s.T @ many, lambda: a.T @ many),
        "A @ x": ratio(lambda: s @ x, lambda: a @ x),
        "A @ x, 64-bit indices": ratio(lambda: wide @ x, lambda: a_wide @ x),
        "A.sum(0)": ratio(lambda: s.sum(axis=0), lambda: a.sum(axis=0)),
    }
    print(name, {label: round(float(r), 2) for label, r in found.items()})
    assert all(r > 0.45 for r in found.values()), found


@pytest.mark.parametrize("name", MATRICES)
def test_a_default_plan_with_several_columns_is_not_far_slower_than_none(name, one_thread):
    a = lacis.csr_array(MATRICES[name]())
    plan = lacis.plan(a)
    found = {}
    for columns in (2, 8, 32):
        x = np.random.default_rng(3).random((a.shape[1], columns))
        found[columns] = ratio(lambda x=x: a @ x, lambda x=x: plan @ x, rounds=7)
    print(name, plan.layout, {columns: round(float(r), 2) for columns, r in found.items()})
    assert all(r > 0.6 for r in found.values()), found
