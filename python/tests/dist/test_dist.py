# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""lacis.dist under mpirun, on one rank and on several; LACIS_RANKS=1,2,4 names others."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
README = HERE.parent.parent / "README.md"
HAS_MPI4PY = importlib.util.find_spec("mpi4py") is not None
HAS_DIST = importlib.util.find_spec("lacis._dist") is not None
MPIRUN = shutil.which("mpirun")
needs_ranks = pytest.mark.skipif(not (HAS_MPI4PY and HAS_DIST and MPIRUN), reason="needs mpi4py, mpirun and a lacis built with MPI")
RANKS = tuple(int(count) for count in os.environ.get("LACIS_RANKS", "1,3").split(","))


def environment(**more):
    return {**os.environ, "OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive", **more}


def run(ranks, script, *arguments, seconds=120):
    """What the ranks print. All of them must end well, within that time."""
    command = [MPIRUN, "-n", str(ranks), sys.executable, "-m", "mpi4py", str(script), *map(str, arguments)]
    if "Open MPI" in subprocess.run([MPIRUN, "--version"], capture_output=True, text=True, timeout=30).stdout:
        command[1:1] = ["--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment()) as process:
        try:
            printed, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.terminate()  # mpirun ends its ranks
            try:
                printed, _ = process.communicate(timeout=15)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
            pytest.fail(f"{ranks} ranks did not end within {seconds} s:\n{printed}")
    assert process.returncode == 0, printed
    return printed


def all_ok(printed, ranks):
    assert all(f"rank {rank}: ok" in printed for rank in range(ranks)), printed


@needs_ranks
@pytest.mark.parametrize("ranks", RANKS)
def test_products_have_the_bits_of_one_process(ranks, tmp_path):
    all_ok(run(ranks, HERE / "products.py", tmp_path / "A.mtx"), ranks)


@needs_ranks
def test_solutions_have_the_bits_of_one_process(tmp_path):
    hashes = {}
    for ranks in RANKS:
        printed = run(ranks, HERE / "solvers.py", tmp_path / f"state{ranks}")
        all_ok(printed, ranks)
        hashes[ranks] = re.findall(r"hash .*", printed)
    first = hashes[RANKS[0]]
    assert len(first) == 13 and all(found == first for found in hashes.values()), hashes


@needs_ranks
@pytest.mark.parametrize("ranks", RANKS)
def test_a_failure_of_one_rank_is_one_of_all(ranks, tmp_path):
    all_ok(run(ranks, HERE / "failures.py", tmp_path / "A.csr"), ranks)


@needs_ranks
@pytest.mark.parametrize("whom", ["all", "last"])
def test_ctrl_c_ends_a_solver_on_all_ranks(whom, ranks=2):
    printed = run(ranks, HERE / "interrupt.py", whom, seconds=60)
    all_ok(printed, ranks)
    delays = [float(text) for text in re.findall(r"delay ([\d.]+)", printed)]
    assert len(delays) == 3 and min(delays) <= 1 and max(delays) <= 10, printed


@needs_ranks
@pytest.mark.skipif(not README.exists(), reason="the README is in the source tree")
def test_the_program_of_the_readme(tmp_path):
    (program,) = re.findall(r"```py\n(.*?)```", README.read_text(), re.DOTALL)
    (tmp_path / "program.py").write_text(program)
    expected = re.search(r"python -m mpi4py program.py\n(.*?)\n", README.read_text()).group(1)
    assert expected in run(2, tmp_path / "program.py")


def import_error(hidden):
    """What `import lacis.dist` says where a module cannot be imported."""
    code = f"import sys\nsys.modules[{hidden!r}] = None\nimport lacis\ntry:\n    import lacis.dist\nexcept ImportError as problem:\n    print(problem)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env=environment())
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_without_mpi4py_the_import_gives_advice():
    assert "pip install mpi4py" in import_error("mpi4py")


@pytest.mark.skipif(not HAS_MPI4PY, reason="needs mpi4py")
def test_without_the_compiled_part_the_import_gives_advice():
    printed = import_error("lacis._dist")
    assert "from source" in printed and "LACIS_WITH_MPI" in printed


@needs_ranks
def test_another_mpi_library_is_refused():
    code = (
        "from mpi4py import MPI\nMPI.Get_library_version = lambda: 'Another MPI 1.0'\n"
        "try:\n    import lacis.dist\nexcept ImportError as problem:\n    print(problem)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env=environment())
    assert "another MPI library" in done.stdout, done.stdout + done.stderr
