# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays pickle as SciPy's do; plans if they are asked to keep their matrix."""

import copy
import pickle

import numpy as np
import pytest
from conftest import random_matrix, vector

import lacis


@pytest.mark.parametrize("kind", ["csr", "csc"])
def test_arrays(kind):
    a = (lacis.csr_array if kind == "csr" else lacis.csc_array)(random_matrix(20, 30, fmt=kind))
    for b in (pickle.loads(pickle.dumps(a)), copy.copy(a), copy.deepcopy(a), a.copy()):
        assert type(b) is type(a) and np.array_equal(b @ vector(30), a @ vector(30))


def test_plans():
    a = random_matrix(20, 30)
    p = lacis.plan(a, transpose=True, threads=1, picklable=True)
    a.data[:] = 0
    q = pickle.loads(pickle.dumps(p))
    assert isinstance(q, lacis.Plan) and q.layout == p.layout and q.holds_transpose
    assert np.array_equal(q @ vector(30), p @ vector(30)) and np.array_equal(q.T @ vector(20), p.T @ vector(20))
    q.update(np.arange(q.nnz, dtype=float))
    r = pickle.loads(pickle.dumps(q))
    assert np.array_equal(r @ vector(30), q @ vector(30))


def test_plans_that_keep_nothing_say_what_to_do():
    with pytest.raises(TypeError, match="picklable=True"):
        pickle.dumps(lacis.plan(random_matrix(5, 5)))


def test_read_only_arrays_are_kept_without_a_copy():
    a = random_matrix(20, 30)
    data, indices, indptr = a.data.copy(), a.indices.copy(), a.indptr.copy()
    for array in (data, indices, indptr):
        array.flags.writeable = False
    kept = lacis.plan((data, indices, indptr), picklable=True)._kept[0]
    assert kept[3] is indptr and kept[4] is indices and kept[5] is data
    view = a.data[:]
    view.flags.writeable = False
    kept = lacis.plan((view, indices, indptr), picklable=True)._kept[0]
    assert not np.shares_memory(kept[5], view), "the array behind a view that must not be written may be"


def test_results_and_errors():
    r = lacis.solve("@poisson2d:5", np.ones(25))
    assert np.array_equal(pickle.loads(pickle.dumps(r)).x, r.x)
