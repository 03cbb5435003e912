# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""What solvers are asked to reach where nothing is said, and what they say where they cannot."""

import numpy as np
import pytest

import lacis


def laplacian(dtype):
    return lacis.csr_array(lacis.generate("@poisson2d:100").astype(dtype))


@pytest.mark.parametrize("dtype", [np.float32, np.complex64, np.float64])
def test_the_default_tolerance_is_reached_in_every_type(dtype):
    A = laplacian(dtype)
    b = np.ones(A.shape[0], dtype)
    goal = 1e-8 if dtype == np.float64 else 1e-4
    for result in (lacis.solve(A, b), lacis.solve(lacis.plan(A), b, method="cg")):
        assert result.converged, result.reason
        exact = b - A.astype(np.complex128) @ result.x.astype(np.complex128)
        assert np.linalg.norm(exact) <= 1.0001 * goal * np.linalg.norm(b)


def test_batches_have_the_same_default():
    A = lacis.csr_array(np.array([[2.0, 1.0], [1.0, 3.0]], np.float32))
    values = np.array([[2.0, 1.0, 1.0, 3.0]] * 5, np.float32)
    assert lacis.solve_batch(A, values, np.ones((5, 2), np.float32)).converged


def test_a_tolerance_of_zero_is_no_default():
    A = laplacian(np.float64)
    with pytest.warns(lacis.LacisWarning):
        result = lacis.solve(A, np.ones(A.shape[0]), tol=0, method="cg", maxiter=200)
    assert not result.converged


def test_pairs_that_are_nearly_singular_are_judged_by_their_true_residual():
    A = lacis.csr_array(np.array([[1, 0, 0, -1], [0, 1, 0, 0], [0, 0, 1, 0], [-1, 0, 0, 1 + 1e-15]]))
    with pytest.warns(lacis.LacisWarning):
        result = lacis.solve(A, [1.0, 0, 0, 0], method="minres", precond="none")
    assert not result.converged
    assert result.residual > 1e-8


def test_least_squares_say_so():
    A = lacis.csr_array(np.array([[1.0], [1.0]]))
    result = lacis.solve(A, np.array([1.0, 3.0]))
    assert result.converged
    assert "least-squares" in result.reason
