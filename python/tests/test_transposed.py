# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Repeated products with the transpose of an array: the plan that is kept with it."""

import copy
import pickle

import numpy as np
import pytest
from conftest import random_matrix, vector

import lacis

TYPES = [np.float32, np.float64, np.complex64, np.complex128]


@pytest.mark.parametrize("dtype", TYPES)
def test_repeated_transposed_products_have_the_bits_of_the_explicit_transpose(dtype):
    s = random_matrix(400, 300, dtype=dtype, density=0.2)
    a, c = lacis.csr_array(s), lacis.csc_array(s.T.tocsc())
    x, many = vector(400, dtype), vector(400, dtype, columns=3)
    expected, expected_many = lacis.csr_array(s.T.tocsr()) @ x, lacis.csr_array(s.T.tocsr()) @ many
    for _ in range(4):
        for y in (a.T @ x, x @ a, c @ x):
            assert y.tobytes() == expected.tobytes()
        assert (a.T @ many).tobytes() == expected_many.tobytes()
    assert a._memory.nbytes > 0 and a._memory is a.T._memory


def test_a_change_between_transposed_products_is_seen():
    s = random_matrix(200, 150, density=0.3)
    a, x = lacis.csr_array(s.copy()), vector(200)

    def check():
        for _ in range(3):
            fresh = lacis.csr_array(a.to_scipy().T.tocsr())
            assert (a.T @ x).tobytes() == (fresh @ x).tobytes()

    check()
    a.data[5] = 7
    check()
    a.data *= 2
    check()
    row = slice(a.indptr[3], a.indptr[4])
    a.indices[row] = np.arange(a.indptr[4] - a.indptr[3])
    check()
    a[2, 7] = 3
    check()
    a.eliminate_zeros()
    check()


def test_what_products_remember_is_not_copied():
    a = lacis.csr_array(random_matrix(200, 150, density=0.3))
    x = vector(200)
    for _ in range(3):
        x @ a
    assert a._memory.nbytes > 0
    for b in (pickle.loads(pickle.dumps(a)), copy.deepcopy(a)):
        assert b._memory is None or b._memory.nbytes == 0
        assert (x @ b).tobytes() == (x @ a).tobytes()
    assert "_memory" not in a.to_scipy().__dict__
