# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C ends a solver within 0.2 s, a hundred times, and everything else that takes long within 0.5 s."""

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
    """Seconds from Ctrl-C to KeyboardInterrupt: of time, or of the processor, if other programs use it meanwhile."""
    sent = [0.0, 0.0]

    def send():
        time.sleep(seconds)
        sent[:] = time.perf_counter(), time.process_time()
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
            time.sleep(5)
        return min(time.perf_counter() - sent[0], time.process_time() - sent[1])
    finally:
        thread.join()


def are_prompt(delays, limit=0.2):
    """Within the limit, but for one in four: other programs on the machine may be as fast to take the processor."""
    return sorted(delays)[len(delays) * 3 // 4] <= limit and max(delays) <= 3


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


def again_and_again(work):
    """Never ends: the signal comes somewhere in the work."""
    while True:
        work()


@pytest.fixture(scope="module")
def power_law():
    return lacis.csr_array(lacis.generate("@rmat:16", values="random"))


@pytest.fixture(scope="module")
def grid():
    return lacis.csr_array(lacis.generate("@poisson3d:160"))


@pytest.fixture(scope="module")
def unsorted():
    """Columns of a row descend."""
    a = lacis.generate("@uniform:4000000,10", values="random").to_scipy()
    return scipy.sparse.csr_array((a.data, a.indices.reshape(-1, 10)[:, ::-1].ravel(), a.indptr), shape=a.shape)


@pytest.fixture(scope="module")
def text_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("interrupt") / "a.mtx"
    lacis.write(path, lacis.generate("@uniform:1500000,10", values="random"))
    return path


# Each takes seconds without a signal.
LONG = {
    "a sparse product": ("power_law", lambda a: a @ a),
    "a sparse product of csc arrays": ("power_law", lambda a: lacis.csc_array(a) @ lacis.csc_array(a)),
    "a product with many columns": ("power_law", lambda a: a @ np.ones((a.shape[1], 128))),
    "a plan": ("unsorted", lambda a: lacis.plan(a, transpose=True)),
    "a plan that is tuned": ("grid", lambda a: lacis.plan(a, tune=True)),
    "rows that are sorted": ("unsorted", lacis.csr_array),
    "amg": ("grid", lambda a: lacis.aspreconditioner(a, "amg")),
    "ilu0": ("grid", lambda a: lacis.aspreconditioner(a, "ilu0")),
    "ic0": ("grid", lambda a: lacis.aspreconditioner(a, "ic0")),
    "the automatic solver": ("grid", lambda a: lacis.solve(a, np.ones(a.shape[0]))),
    "facts": ("unsorted", lambda a: lacis.info(lacis.csr_array(a))),
    "spy": ("unsorted", lambda a: lacis.spy(lacis.csr_array(a))),
    "pagerank": ("unsorted", lacis.pagerank),
    "reading": ("text_file", lacis.read),
    "a generator": ("power_law", lambda _: lacis.generate("@rmat:21")),
}


@pytest.mark.parametrize("name", LONG)
def test_what_takes_long_ends_within_half_a_second(name, request):
    operand, work = LONG[name]
    operand = request.getfixturevalue(operand)
    delays = [interrupted_after(seconds, lambda: again_and_again(lambda: work(operand))) for seconds in (0.3, 0.6, 0.9, 1.2, 1.5)]
    assert are_prompt(delays, 0.5), delays


def test_a_file_that_is_being_written_keeps_its_old_content(unsorted, tmp_path):
    path = tmp_path / "a.mtx"
    path.write_text("what was there")
    a = lacis.csr_array(unsorted)
    delays = [interrupted_after(seconds, lambda: lacis.write(path, a)) for seconds in (0.3, 0.5, 0.7)]
    assert are_prompt(delays, 0.5), delays
    assert path.read_text() == "what was there"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.mtx"]


def test_one_thread_is_interrupted_as_well(power_law, grid):
    lacis.set_num_threads(1)
    try:
        for work in (lambda: power_law @ power_law, lambda: lacis.aspreconditioner(grid, "amg"), lambda: lacis.plan(grid)):
            delays = [interrupted_after(seconds, lambda: again_and_again(work)) for seconds in (0.3, 0.7, 1.1)]
            assert are_prompt(delays, 0.5), delays
    finally:
        lacis.set_num_threads(0)


def test_operands_of_an_interrupted_operation_are_as_before(power_law):
    before = [array.copy() for array in (power_law.indptr, power_law.indices, power_law.data)]
    interrupted_after(0.3, lambda: again_and_again(lambda: power_law @ power_law))
    for then, now in zip(before, (power_law.indptr, power_law.indices, power_law.data)):
        assert np.array_equal(then, now)
    x = vector(power_law.shape[1])
    assert np.allclose(power_law @ x, power_law.to_scipy() @ x)


def test_a_handler_of_the_program_is_called_while_lacis_works(power_law):
    """A handler that does not raise does not end the work, and may use lacis."""
    calls = []

    def handle(number, frame):
        calls.append(lacis.info(A)["rows"])

    before = signal.signal(signal.SIGINT, handle)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        begin = time.perf_counter()
        product = power_law @ power_law
        took = time.perf_counter() - begin
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert took > 0.3 and calls == [3600]
    assert product.shape == power_law.shape
