# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Eight threads at a time, a hundred times: no crash, no hang, the same bits."""

import threading

import numpy as np
import pytest
from conftest import poisson, random_matrix, vector

import lacis
from lacis import linalg

THREADS = 8
TIMES = 100


def together(work):
    """work(k) in eight threads that start at once."""
    barrier = threading.Barrier(THREADS)
    failures = []

    def run(k):
        barrier.wait()
        try:
            work(k)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(k,)) for k in range(THREADS)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(timeout=120)
        assert not t.is_alive(), "a thread hangs"
    if failures:
        raise failures[0]


def test_one_plan():
    a = random_matrix(800, 700, density=0.02)
    p = lacis.plan(a, transpose=True)
    x, many = vector(700), vector(700, columns=3)
    y, ys = p @ x, p @ many

    def work(k):
        assert np.array_equal(p @ x, y)
        assert np.array_equal(p @ many, ys)
        p.T @ y

    for _ in range(TIMES):
        together(work)


def test_one_array():
    a = lacis.csr_array(random_matrix(800, 800, density=0.02))
    x = vector(800)
    y, c = a @ x, a @ a

    def work(k):
        assert np.array_equal(a @ x, y)
        assert np.array_equal((a @ a).data, c.data)

    for _ in range(TIMES):
        together(work)


def test_products_during_updates_see_old_or_new_values():
    a = random_matrix(500, 500, density=0.02)
    p = lacis.plan(a)
    x = vector(500)
    allowed = []
    for k in range(1, 4):
        p.update(a.data * k)
        allowed.append(p @ x)

    def work(k):
        if k < 3:
            p.update(a.data * (k + 1))
        else:
            y = p @ x
            assert any(np.array_equal(y, z) for z in allowed)

    for _ in range(TIMES):
        together(work)


def test_solvers_and_plans():
    a, b = poisson(15), vector(225)
    x = linalg.cg(a, b, rtol=1e-8)[0]

    def work(k):
        assert np.array_equal(linalg.cg(a, b, rtol=1e-8)[0], x)
        if k == 0:
            linalg.cg(a @ a, b, maxiter=5)

    for _ in range(TIMES // 5):
        together(work)


def test_accelerated_in_every_thread():
    import scipy.sparse

    from lacis.accelerate import KNOWN

    if tuple(int(part) for part in scipy.__version__.split(".")[:2]) not in KNOWN:
        pytest.skip("accelerated() does not know this SciPy")
    a = poisson(15)
    x = vector(225)
    y = a @ x

    def work(k):
        with lacis.accelerated():
            assert np.allclose(a @ x, y)

    for _ in range(TIMES):
        together(work)
    tools = scipy.sparse._sparsetools
    assert not hasattr(tools.csr_matvec, "lacis")


def test_the_gil_is_released():
    """A thread that computes in Python goes on while a long product runs."""
    a = lacis.csr_array(random_matrix(3000, 3000, density=0.05))
    counted = [0]
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1

    t = threading.Thread(target=count)
    t.start()
    try:
        before = counted[0]
        a @ a
        assert counted[0] > before
    finally:
        stop.set()
        t.join()


@pytest.mark.parametrize("order", ["lacis first", "scikit-learn first"])
def test_threadpoolctl_sees_our_threads(order):
    pytest.importorskip("threadpoolctl")
    import subprocess
    import sys

    imports = "import lacis, sklearn.cluster" if order == "lacis first" else "import sklearn.cluster, lacis"
    code = (
        f"{imports}\nimport threadpoolctl\nfound = [i for i in threadpoolctl.threadpool_info() if i['user_api'] == 'openmp']\n"
        "assert found, 'no OpenMP'\nwith threadpoolctl.threadpool_limits(1):\n    assert lacis.get_num_threads() == 1, lacis.get_num_threads()\nprint('ok')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "ok", done.stderr
