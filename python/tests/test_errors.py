# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Errors are those of Python, with a code."""

import pickle

import numpy as np
import pytest
import scipy.sparse
from conftest import poisson, random_matrix

import lacis


def test_classes():
    for kind, base in (
        (lacis.InvalidMatrix, ValueError),
        (lacis.InvalidArgument, ValueError),
        (lacis.BadInput, ValueError),
        (lacis.OutOfMemory, MemoryError),
        (lacis.Unsupported, NotImplementedError),
        (lacis.Overflow, OverflowError),
        (lacis.IoError, OSError),
        (lacis.NoDevice, RuntimeError),
    ):
        assert issubclass(kind, lacis.Error) and issubclass(kind, base) and issubclass(kind, RuntimeError)
        error = kind("what to do")
        assert str(error) == "what to do" and error.code
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is kind and str(again) == "what to do" and again.code == error.code


def test_a_matrix_that_is_none():
    good = (np.ones(2), np.array([0, 1]), np.array([0, 1, 2]))
    for data, indices, indptr in (
        (good[0], np.array([0, 7]), good[2]),
        (good[0], np.array([0, -1]), good[2]),
        (good[0], good[1], np.array([0, 2, 1])),
        (good[0], good[1], np.array([1, 1, 2])),
        (good[0], good[1], np.array([0, 1, 5])),
        (good[0][:1], good[1], good[2]),
    ):
        with pytest.raises(lacis.InvalidMatrix) as caught:
            lacis.plan(scipy_like(data, indices, indptr))
        assert caught.value.code == "invalid matrix" and len(str(caught.value)) > 10


def scipy_like(data, indices, indptr):
    """Arrays that SciPy's constructor would refuse."""

    class Matrix:
        format = "csr"
        shape = (2, 2)

        def tocsr(self):
            return self

    made = Matrix()
    made.data, made.indices, made.indptr = data, indices, indptr
    return made


def test_files(tmp_path):
    with pytest.raises(FileNotFoundError):
        lacis.read(tmp_path / "absent.mtx")
    bad = tmp_path / "bad.mtx"
    bad.write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1.0\n")
    with pytest.raises(lacis.BadInput, match="bad.mtx:3") as caught:
        lacis.read(bad)
    assert caught.value.code == "bad input"
    with pytest.raises(OSError):
        lacis.write(tmp_path / "no" / "such" / "folder.mtx", random_matrix(3, 3))
    with pytest.raises(lacis.InvalidArgument):
        lacis.generate("@nothing:3")


def test_wrong_devices_and_names():
    with pytest.raises(lacis.Error):
        lacis.plan(random_matrix(3, 3), device="cuda:0")
    with pytest.raises(ValueError):
        lacis.plan(random_matrix(3, 3), device="toaster")
    with pytest.raises(ValueError):
        lacis.solve(random_matrix(3, 3), np.ones(3), method="guessing")
    with pytest.raises(AttributeError):
        lacis.no_such_name


def test_threads_are_whole_numbers():
    for wrong in ("2", 1.5, [2]):
        with pytest.raises(TypeError, match="threads must be an integer"):
            lacis.set_num_threads(wrong)
        with pytest.raises(TypeError, match="threads must be an integer"):
            lacis.plan(random_matrix(3, 3), threads=wrong)
    lacis.plan(random_matrix(3, 3), threads=np.int64(1))


def test_products_of_plans_say_what_to_multiply():
    p = lacis.plan(random_matrix(3, 3), transpose=True)
    for other in (p, p.T, lacis.aspreconditioner("@poisson2d:4", "jacobi")):
        with pytest.raises(TypeError, match=r"sparse product.*lacis\.csr_array\(A\) @ B"):
            p @ other


def test_a_plan_without_its_transpose_says_how_to_make_it_with():
    p = lacis.plan(random_matrix(30, 20))
    for call in (lambda: lacis.linalg.svds(p, k=2), lambda: lacis.linalg.lsqr(p, np.ones(30))):
        with pytest.raises(ValueError, match=r"lacis\.plan\(A, transpose=True\)"):
            call()


def test_names_of_linalg_are_those_for_users():
    names = dir(lacis.linalg)
    assert {"cg", "eigsh", "spsolve", "LinearOperator"} <= set(names) and not {"np", "inspect", "solve_with"} & set(names)


def unsorted(a):
    """The same matrix with every row turned round."""
    order = np.concatenate([np.arange(end - 1, begin - 1, -1) for begin, end in zip(a.indptr[:-1], a.indptr[1:])])
    made = type(a)((a.data[order], a.indices[order], a.indptr), shape=a.shape)
    assert not made.has_sorted_indices
    return made, order


def test_unsorted_rows_are_sorted_in_a_copy():
    a = poisson(8)
    a.sort_indices()
    u, order = unsorted(a)
    indices, b = u.indices.copy(), np.ones(64)
    assert np.array_equal(lacis.solve(u, b).x, lacis.solve(a, b).x)
    for precond in ("jacobi", "ssor", "ilu0", "ic0", "amg"):
        assert np.array_equal(lacis.linalg.cg(u, b, M=precond)[0], lacis.linalg.cg(a, b, M=precond)[0])
        assert np.array_equal(lacis.aspreconditioner(u, precond) @ b, lacis.aspreconditioner(a, precond) @ b)
        assert np.array_equal(lacis.solve(u, b, method="cg", precond=precond).x, lacis.solve(a, b, method="cg", precond=precond).x)
    values = np.linspace(1, 2, 5)[:, np.newaxis] * a.data
    many = np.ones((5, 64))
    for method in ("cg", "band-lu"):
        assert np.array_equal(lacis.solve_batch(u, values[:, order], many, method=method).x, lacis.solve_batch(a, values, many, method=method).x)
    assert np.array_equal(lacis.multiply_batch(u, values[:, order], many), lacis.multiply_batch(a, values, many))
    assert np.array_equal(u.indices, indices), "the matrix that was given stays as it was"
    columns, _ = unsorted(a.tocsc())
    assert np.array_equal(lacis.solve(columns, b).x, lacis.solve(a, b).x)


def test_a_system_with_duplicates_is_that_of_their_sums():
    twice = scipy.sparse.csr_array((np.ones(3), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 2))
    assert np.allclose(lacis.solve(twice, np.array([2.0, 3.0])).x, [1, 3])
