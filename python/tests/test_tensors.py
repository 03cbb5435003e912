# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Tensors of torch as matrices, operands and results."""

import warnings

import numpy as np
import pytest
from conftest import poisson, random_matrix, vector

import lacis

torch = pytest.importorskip("torch")


def tensor(layout, dtype=torch.float64, rows=20, cols=30):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch calls its sparse tensors a beta
        dense = torch.from_numpy(random_matrix(rows, cols).toarray()).to(dtype)
        return dense if layout == "strided" else getattr(dense, "to_" + layout)()


@pytest.mark.parametrize("layout", ["strided", "sparse_coo", "sparse_csr", "sparse_csc"])
def test_matrices_of_every_layout(layout):
    t, s, x = tensor(layout), random_matrix(20, 30), vector(30)
    for a in (lacis.csr_array(t), lacis.asarray(t)):
        assert type(a) is lacis.csr_array and np.array_equal(a.toarray(), s.toarray())
    assert np.array_equal(lacis.plan(t) @ x, lacis.plan(s) @ x)
    if layout == "sparse_csr":
        assert np.shares_memory(lacis.csr_array(t).data, t.values().numpy())


@pytest.mark.parametrize("layout", ["strided", "sparse_coo", "sparse_csr", "sparse_csc"])
def test_bfloat16_is_exact_in_float32(layout):
    t = tensor(layout, torch.bfloat16)
    a = lacis.csr_array(t)
    assert a.dtype == np.float32 and np.array_equal(a.toarray(), t.to_dense().float().numpy())
    y = lacis.plan(a) @ torch.ones(30, dtype=torch.bfloat16)
    assert y.dtype == torch.float32


def test_layouts_that_are_not_read_say_so():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        blocks = torch.from_numpy(random_matrix(20, 30).toarray()).to_sparse_bsr((2, 2))
    with pytest.raises(lacis.Unsupported, match=r"sparse_bsr.*to_sparse_csr"):
        lacis.plan(blocks)
    with pytest.raises(lacis.InvalidMatrix, match="two dimensions"):
        lacis.plan(torch.ones(3))
    with pytest.raises(TypeError, match="dense"):
        lacis.plan(random_matrix(20, 30)) @ tensor("sparse_csr", rows=30, cols=2)


@pytest.mark.parametrize("columns", [None, 4])
def test_the_product_with_a_tensor_is_a_tensor(columns):
    a = random_matrix(20, 30)
    p, x, left = lacis.plan(a, transpose=True), vector(30, columns=columns), vector(20, columns=columns)
    y = p @ torch.from_numpy(x)
    assert isinstance(y, torch.Tensor) and np.array_equal(y.numpy(), p @ x)
    assert np.array_equal((p.T @ torch.from_numpy(left)).numpy(), p.T @ left)
    assert np.array_equal(p.rmatvec(torch.from_numpy(left)).numpy(), p.rmatvec(left))
    out = torch.zeros(20 if columns is None else (20, columns), dtype=torch.float64)
    assert p.matvec(torch.from_numpy(x), out=out) is out and np.array_equal(out.numpy(), p @ x)
    assert p.matvec(x, out=out) is out
    array = np.zeros(out.shape)
    assert p.matvec(torch.from_numpy(x), out=array) is array and np.array_equal(array, p @ x)


def test_tensors_that_do_not_fit_are_refused():
    p = lacis.plan(random_matrix(20, 30))
    x = torch.ones(30, dtype=torch.float64)
    for out in (torch.zeros(7, dtype=torch.float64), torch.zeros(20, dtype=torch.float32), torch.zeros(20, dtype=torch.bfloat16), [0.0] * 20):
        with pytest.raises((ValueError, TypeError), match="out"):
            p.matvec(x, out=out)
    with pytest.raises(TypeError, match="gradients"):
        p @ x.clone().requires_grad_()
    with torch.no_grad():
        p @ x.clone().requires_grad_()


def test_a_complex_plan_takes_tensors():
    a = random_matrix(20, 30, dtype=np.complex128)
    p, x = lacis.plan(a, transpose=True), vector(20, np.complex128)
    for side in (p.T, p.H):
        y = side @ torch.from_numpy(x)
        out = torch.zeros_like(y)
        assert np.array_equal(y.numpy(), side @ x) and side.matvec(torch.from_numpy(x), out=out) is out and np.array_equal(out.numpy(), side @ x)
    assert np.array_equal(np.asarray(p.H @ torch.from_numpy(x).conj()), p.H @ x.conj())


def test_solvers_take_tensors():
    a, b = poisson(10), np.ones(100)
    x = lacis.solve(a, b).x
    assert np.array_equal(lacis.solve(torch.from_numpy(a.toarray()), torch.from_numpy(b)).x, x)
    assert lacis.solve(a.astype(np.float32), torch.ones(100, dtype=torch.bfloat16), tol=1e-4).converged
