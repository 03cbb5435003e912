# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""lacis under SciPy's own types."""

import contextlib
import subprocess
import sys

import numpy as np
import pytest
import scipy
import scipy.sparse
from conftest import bound, random_matrix, reached, vector

import lacis
from lacis import accelerate

KNOWN = tuple(int(part) for part in scipy.__version__.split(".")[:2]) in accelerate.KNOWN
known = pytest.mark.skipif(not KNOWN, reason=f"SciPy {scipy.__version__} is not one that accelerated() knows")
TYPES = [np.float32, np.float64, np.complex64, np.complex128]


@pytest.fixture
def always(monkeypatch):
    """Small matrices, too."""
    monkeypatch.setattr(accelerate, "always", True)


def calls(name):
    """(by lacis, by SciPy)."""
    return lacis.accelerated_calls().get(name, (0, 0))


def originals():
    tools = scipy.sparse._sparsetools
    return [getattr(tools, name) for name in ("csr_matvec", "csr_matvecs", "csc_matvec", "csc_matvecs", "csr_matmat")] + [
        getattr(scipy.sparse._compressed, "csr_matmat", None)
    ]


@known
@pytest.mark.parametrize("fmt", ["csr", "csc"])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("x_dtype", TYPES)
def test_products(fmt, dtype, x_dtype, always):
    s = random_matrix(60, 45, dtype=dtype, fmt=fmt)
    x, many = vector(45, x_dtype), vector(45, x_dtype, columns=4)
    expected, expecteds = s @ x, s @ many
    before = reached()
    with lacis.accelerated():
        y, ys, z = s @ x, s @ many, s.T @ vector(60, x_dtype)
    assert reached() == before + 3
    assert y.dtype == expected.dtype and ys.dtype == expecteds.dtype and z.shape == (45,)
    assert np.all(abs(y - expected) <= bound(s, x)) and np.all(abs(ys - expecteds) <= bound(s, many))


@known
@pytest.mark.parametrize("fmt", ["csr", "csc"])
def test_sparse_products(fmt, always):
    s = random_matrix(50, 50, fmt=fmt)
    expected = (s @ s).toarray()
    before = reached()
    with lacis.accelerated():
        c = s @ s
    assert type(c) is type(s) and np.allclose(c.toarray(), expected, atol=1e-12)
    if fmt == "csr" or hasattr(scipy.sparse._compressed, "csr_matmat"):
        assert reached() > before


@known
def test_functions_come_back_also_after_an_exception():
    before = originals()
    with lacis.accelerated():
        with lacis.accelerated():
            assert originals() != before
        assert originals() != before
    assert originals() == before
    with pytest.raises(KeyError):
        with lacis.accelerated():
            raise KeyError
    assert originals() == before


@known
def test_y_is_added_to(always):
    tools = scipy.sparse._sparsetools
    s = random_matrix(20, 20)
    x = vector(20)
    with lacis.accelerated():
        y = np.arange(20.0)
        tools.csr_matvec(20, 20, s.indptr, s.indices, s.data, x, y)
    assert np.allclose(y, np.arange(20.0) + s @ x)


@known
def test_what_lacis_does_not_do_is_scipys(always):
    a = scipy.sparse.csr_array(np.array([[1, 2], [3, 4]]))
    unsorted = scipy.sparse.csr_array((np.array([1.0, 2, 3]), np.array([1, 0, 1]), np.array([0, 2, 3])), shape=(2, 2))
    with lacis.accelerated():
        before = calls("csr_matvec")[1]
        assert np.array_equal(a @ np.array([1, 1]), [3, 7]) and (a @ np.array([1, 1])).dtype == (a.dtype)
        assert np.array_equal(unsorted @ np.array([1.0, 10]), [12, 30])
        assert calls("csr_matvec")[1] == before + 3


@known
def test_counts(always):
    s = random_matrix(20, 20)
    before = calls("csr_matvec")[0]
    with lacis.accelerated():
        s @ vector(20)
    assert calls("csr_matvec")[0] == before + 1
    s @ vector(20)
    assert calls("csr_matvec")[0] == before + 1


def test_unknown_versions_are_refused(monkeypatch):
    before = originals()
    for version in ("1.10.1", "1.99.0", "2.0.0", "nightly"):
        monkeypatch.setattr(scipy, "__version__", version)
        with pytest.raises(lacis.Unsupported, match="csr_array"):
            with lacis.accelerated():
                pass
        assert originals() == before
    assert accelerate.KNOWN[-1] == (1, 17)


def many_entries(rows=600, cols=600):
    return scipy.sparse.csr_array(np.random.default_rng(1).random((rows, cols)) + 0.5)


@contextlib.contextmanager
def with_threads(count):
    before = lacis.get_num_threads()
    lacis.set_num_threads(count)
    try:
        with lacis.accelerated():
            yield
    finally:
        lacis.set_num_threads(before)


@known
def test_on_one_thread_scipy_keeps_what_it_computes_faster():
    short, long, x = random_matrix(3000, 3000, density=0.003), many_entries(), np.ones(600)
    with with_threads(1):
        before = {name: calls(name) for name, _, _ in accelerate.MATVECS}
        sparse = calls("csr_matmat")
        short @ np.ones(3000)  # short rows, one vector
        for _ in range(70):
            long.T @ x, long.T @ np.ones((600, 4))  # transposes
        random_matrix(14, 14) @ np.ones((14, 4))  # small
        short @ short
        assert all(calls(name)[0] == ours for name, (ours, _) in before.items()) and calls("csr_matmat")[0] == sparse[0]
        long @ x, long @ np.ones((600, 4))  # long rows; several columns
        assert calls("csr_matvec")[0] == before["csr_matvec"][0] + 1 and calls("csr_matvecs")[0] == before["csr_matvecs"][0] + 1


@known
def test_transposed_products_on_several_threads_begin_with_scipys():
    s, x = many_entries(), np.ones(600)
    expected = s.T @ x
    with with_threads(4):
        before = calls("csc_matvec")
        for _ in range(64):
            s.T @ x
        assert calls("csc_matvec") == (before[0], before[1] + 64)
        for _ in range(5):
            assert np.allclose(s.T @ x, expected)
        assert calls("csc_matvec") == (before[0] + 5, before[1] + 64)
        for k in range(10):  # a matrix that changes has no plan
            s.data[k] += 1
            assert np.allclose(s.T @ x, x @ s.toarray())
        ours, theirs = calls("csc_matvec")
        assert theirs - before[1] >= 64 + 9 and ours - before[0] <= 5 + 1


@known
def test_a_script(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, numpy as np, scipy.sparse as sp, lacis\nassert __name__ == '__main__' and sys.argv[1:] == ['one', 'two']\n"
        "a = sp.csr_array(np.ones((130, 130)))\na @ np.ones(130)\nprint(lacis.accelerated_calls()['csr_matvec'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "lacis.accelerate", "--report", str(script), "one", "two"], capture_output=True, text=True, timeout=120
    )
    assert done.stdout.strip() == "(1, 0)", done.stderr
    assert "csr_matvec" in done.stderr
    usage = subprocess.run([sys.executable, "-m", "lacis.accelerate"], capture_output=True, text=True, timeout=120)
    assert usage.returncode == 2 and "usage" in usage.stdout


@known
@pytest.mark.slow
@pytest.mark.parametrize("module", ["scipy.sparse.tests", "scipy.sparse.linalg._isolve.tests"])
def test_scipys_own_tests_fail_no_more_than_without(module):
    """SciPy's wheels hold their tests."""

    def failures(code):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=3600)
        lines = done.stdout.splitlines()
        failed = {line.split()[1] for line in lines if line.startswith(("FAILED", "ERROR"))}
        summary = next((line for line in reversed(lines) if " passed" in line), done.stdout[-300:] + done.stderr[-300:])
        calls = sum(int(line.split()[1]) for line in lines if line.startswith("LACIS"))
        return failed, summary, calls

    run = f"import sys, pytest; code = pytest.main(['--pyargs', '{module}', '-q', '-p', 'no:cacheprovider', '-rfE'])"
    without, summary, _ = failures(run)
    begin = "import sys, pytest, lacis; from lacis import accelerate; accelerate.always = True; block = lacis.accelerated(); block.__enter__();"
    end = "; print('\\nLACIS', sum(ours for ours, _ in lacis.accelerated_calls().values()))"
    inside, summary_inside, calls = failures(run.replace("import sys, pytest;", begin) + end)
    print(f"{module}: without: {summary}; inside: {summary_inside}; {calls} calls by lacis")
    assert " passed" in summary and " passed" in summary_inside and calls > 100
    assert inside <= without, inside - without
