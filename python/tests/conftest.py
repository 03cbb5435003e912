# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests share: --slow, profiles of Hypothesis, matrices."""

import os

import numpy as np
import pytest
import scipy.sparse

import lacis

try:
    from hypothesis import HealthCheck, settings

    relaxed = [HealthCheck.too_slow, HealthCheck.data_too_large]
    settings.register_profile("quick", max_examples=200, deadline=None, suppress_health_check=relaxed)
    settings.register_profile("full", max_examples=2000, deadline=None, suppress_health_check=relaxed)
    settings.load_profile(os.environ.get("LACIS_HYPOTHESIS", "quick"))
except ImportError:
    pass


def pytest_addoption(parser):
    parser.addoption("--slow", action="store_true", help="also run tests that take minutes")


def pytest_collection_modifyitems(config, items):
    if not config.getoption("--slow"):
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="takes minutes; --slow runs it"))


def random_matrix(rows, cols, density=0.1, dtype=np.float64, seed=0, fmt="csr"):
    """A random SciPy array with sorted rows."""
    rng = np.random.default_rng(seed)
    places = np.sort(rng.choice(rows * cols, size=int(density * rows * cols), replace=False)).astype(np.int32)
    values = rng.standard_normal(len(places))
    if np.dtype(dtype).kind == "c":
        values = values + 1j * rng.standard_normal(len(places))
    made = scipy.sparse.csr_array((values.astype(dtype), (places // cols, places % cols)), shape=(rows, cols))
    made.sum_duplicates()
    return made.asformat(fmt)


def vector(size, dtype=np.float64, seed=1, columns=None):
    rng = np.random.default_rng(seed)
    shape = (size,) if columns is None else (size, columns)
    x = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


def poisson(n):
    """The five-point Laplacian on an n x n grid."""
    line = scipy.sparse.diags([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], [-1, 0, 1])
    eye = scipy.sparse.identity(n)
    return scipy.sparse.csr_array(scipy.sparse.kron(line, eye, format="csr") + scipy.sparse.kron(eye, line, format="csr"))


def bound(a, x):
    """gamma_k |A| |x| for the longest row: what rounding may change in a product."""
    a = scipy.sparse.csr_array(a)
    longest = int(np.diff(a.indptr).max(initial=0)) + 4
    single = a.dtype in (np.float32, np.complex64) and x.dtype in (np.float32, np.complex64)
    unit = np.finfo(np.float32 if single else np.float64).eps
    gamma = longest * unit / (1 - longest * unit)
    return 4 * gamma * (abs(a).astype(np.float64) @ abs(np.asarray(x)).astype(np.float64)) + np.finfo(np.float32 if single else np.float64).tiny


def reached():
    """Products of both kinds that lacis has computed so far."""
    return sum(lacis._core.product_counts())
