# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C ends a solver within 0.2 s, a hundred times."""

import os
import signal
import threading
import time

import numpy as np
import pytest
import scipy.sparse.linalg
from conftest import poisson, vector

import lacis
from lacis import linalg

# Where a script runs the tests in its background, Ctrl-C is ignored and Python leaves it so.
signal.signal(signal.SIGINT, signal.default_int_handler)

A = poisson(60)
B = vector(3600)
# Never reached: the solver runs until it is stopped.
NEVER = {"rtol": 1e-300, "atol": 0.0, "maxiter": 10**9}


def endless_operator(x):
    """Never converges, and is Python."""
    return np.roll(x, 1) + 1e-3 * x


def interrupted_after(seconds, work):
    """Seconds from Ctrl-C to KeyboardInterrupt."""
    sent = [0.0]

    def send():
        time.sleep(seconds)
        sent[0] = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
            time.sleep(5)
        return time.perf_counter() - sent[0]
    finally:
        thread.join()


def are_prompt(delays):
    """Within 0.2 s, but for one in four: other programs on the machine may be as fast to take the processor."""
    return sorted(delays)[len(delays) * 3 // 4] <= 0.2 and max(delays) <= 3


def rotation():
    """A system on which gmres with a short restart makes no progress."""
    n = 20000
    return scipy.sparse.csr_array((np.ones(n), (np.arange(n), (np.arange(n) + 1) % n)), shape=(n, n)), np.eye(1, n).ravel()


@pytest.mark.parametrize("part", range(4))
def test_a_solver_over_a_plan(part):
    a, b = rotation()
    delays = [interrupted_after(0.05, lambda: linalg.gmres(a, b, restart=5, **NEVER)) for _ in range(20)]
    assert are_prompt(delays), delays


def test_a_solver_over_an_operator_in_python():
    a = scipy.sparse.linalg.LinearOperator((500, 500), endless_operator, dtype=float)
    b = np.eye(1, 500).ravel()
    delays = [interrupted_after(0.05, lambda: linalg.gmres(a, b, restart=5, **NEVER)) for _ in range(20)]
    assert are_prompt(delays), delays


def test_the_automatic_solver():
    a, b = rotation()
    delays = [interrupted_after(0.3, lambda: lacis.solve(a, b, tol=1e-300, method="gmres", precond="none", maxiter=10**9)) for _ in range(5)]
    assert are_prompt(delays), delays


def test_afterwards_everything_works():
    assert linalg.cg(A, B)[1] == 0
    assert lacis.solve(A, B).converged


def test_pagerank_can_be_interrupted():
    a = lacis.generate("@rmat:14")
    delays = [interrupted_after(0.1, lambda: lacis.pagerank(a, tol=1e-300, max_iter=10**9)) for _ in range(4)]
    assert are_prompt(delays), delays


def test_threads_other_than_the_main_one_are_left_alone():
    a, b = rotation()
    done = threading.Event()

    def work():
        linalg.gmres(a, b, restart=5, rtol=1e-300, maxiter=200)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(2)
    finally:
        thread.join(60)
    assert done.is_set()
