# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""What `import lacis` costs and leaves as it was. Each test is a process of its own."""

import os
import subprocess
import sys

import pytest


def run(code, **environment):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_scipy_is_not_imported():
    assert run("import sys, lacis\nprint([m for m in sys.modules if m.startswith('scipy')])") == "[]"
    out = run("import sys, lacis\nlacis.csr_array\nprint('scipy.sparse' in sys.modules)")
    assert out == "True"


def test_it_takes_at_most_60_ms_beyond_numpy():
    code = "import time, numpy\nt = time.perf_counter()\nimport lacis\nprint(time.perf_counter() - t)"
    run(code)
    best = min(float(run(code)) for _ in range(9))
    print(f"import lacis: {1e3 * best:.1f} ms beyond NumPy")
    assert best <= 0.060


STATE = """
import ctypes, locale, os, signal, threading, numpy
def state():
    control = ctypes.c_uint16
    fenv = ctypes.create_string_buffer(64)
    ctypes.CDLL('libm.so.6').fegetenv(fenv)
    # The x87 control word, and MXCSR without its status flags.
    words = (int.from_bytes(fenv.raw[0:2], 'little'), int.from_bytes(fenv.raw[28:32], 'little') & ~0x3f)
    threads = len(os.listdir('/proc/self/task'))
    return words, locale.setlocale(locale.LC_ALL), [signal.getsignal(s) for s in range(1, 32)], threading.active_count(), threads, handlers()
def handlers():
    libc = ctypes.CDLL(None)
    found = []
    for number in range(1, 32):
        old = ctypes.create_string_buffer(256)
        libc.sigaction(number, None, old)
        found.append(old.raw[:8])
    return found
before = state()
import lacis
after = state()
"""


def test_floating_point_modes_locale_signals_and_threads_stay():
    assert run(STATE + "assert before == after, (before, after)\nprint('ok')") == "ok"


def test_products_leave_them_too():
    code = STATE + (
        "import numpy as np\na = lacis.csr_array('@poisson2d:30')\na @ np.ones(900)\nlacis.solve(a, np.ones(900))\nafter = state()\n"
        "assert before[:3] == after[:3] and before[5] == after[5], (before, after)\nprint('ok')"
    )
    assert run(code) == "ok"


def test_threads():
    assert run("import lacis\nprint(lacis.get_num_threads())", OMP_NUM_THREADS="1") == "1"
    assert run("import lacis\nlacis.set_num_threads(3)\nprint(lacis.get_num_threads())\nlacis.set_num_threads(None)") == "3"
    code = "import lacis\ntry:\n    lacis.set_num_threads(-1)\nexcept ValueError:\n    print('ok')"
    assert run(code) == "ok"


@pytest.mark.parametrize("first", ["lacis", "sklearn.cluster"])
def test_beside_scikit_learn(first):
    second = "sklearn.cluster" if first == "lacis" else "lacis"
    code = (
        f"import {first}\nimport {second}\nimport lacis, numpy as np\nfrom sklearn.cluster import KMeans\n"
        "a = lacis.csr_array('@poisson2d:30')\ny = a @ np.ones(900)\nKMeans(2, n_init=1, random_state=0).fit(np.random.default_rng(0).random((500, 4)))\n"
        "assert np.array_equal(a @ np.ones(900), y)\nprint('ok')"
    )
    pytest.importorskip("sklearn")
    assert run(code) == "ok"
    assert run(code, OMP_PROC_BIND="true") == "ok"


def test_names_are_listed():
    assert run("import lacis\nassert all(hasattr(lacis, n) for n in lacis.__all__), lacis.__all__\nassert set(lacis.__all__) <= set(dir(lacis))\nprint('ok')") == "ok"


@pytest.mark.parametrize("variable, spins", [({}, "1000"), ({"GOMP_SPINCOUNT": "77"}, "77"), ({"OMP_WAIT_POLICY": "passive"}, "0")])
def test_waiting_threads_sleep_soon_unless_told(variable, spins):
    """And the variable that says so to OpenMP is not left to programs that are started later."""
    environment = {k: v for k, v in os.environ.items() if k not in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")}
    told = subprocess.run(
        [sys.executable, "-c", "import os, lacis; print('left', os.environ.get('GOMP_SPINCOUNT'))"],
        env={**environment, **variable, "OMP_DISPLAY_ENV": "verbose"}, capture_output=True, text=True, check=True)
    assert f"left {variable.get('GOMP_SPINCOUNT')}" in told.stdout
    assert f"GOMP_SPINCOUNT = '{spins}'" in told.stderr
