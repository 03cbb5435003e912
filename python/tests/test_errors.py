# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Errors are those of Python, with a code."""

import pickle

import numpy as np
import pytest
from conftest import random_matrix

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
