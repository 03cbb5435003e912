# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Type checkers know the package, and the manuals pass them. What lacis inherits from SciPy has the types of scipy-stubs."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MANUALS = [ROOT / "README.md", ROOT / "python/README.md", *sorted((ROOT / "docs/guide").glob("*.md"))]
# A call that each is to understand; the last line of each is a mistake.
USE = """
import lacis
import numpy as np
from typing import reveal_type

A = lacis.csr_array("@poisson2d:4")
M = lacis.csr_matrix(A)
reveal_type(A)
reveal_type(lacis.solve(A, np.ones(16)))
reveal_type(lacis.plan(A))
with lacis.accelerated():
    P = lacis.aspreconditioner(A, method="amg", threads=2)
lacis.linalg.cg(A, np.ones(16), rtol=1e-8, M=P)
lacis.linalg.spsolve(A, np.ones(16))
lacis.read("A.mtx", dtype=np.float32, progress=lambda stage, share: None)
lacis.no_such_name
"""


def run(checker, *arguments, cwd=None):
    """What a checker prints. pyright looks for packages where the python of PATH has them."""
    if importlib.util.find_spec(checker) is None or importlib.util.find_spec("scipy-stubs") is None:
        pytest.skip(f"needs {checker} and scipy-stubs")
    here = os.path.dirname(sys.executable)
    environment = {**os.environ, "PATH": here + os.pathsep + os.environ.get("PATH", ""), "VIRTUAL_ENV": os.path.dirname(here)}
    done = subprocess.run([sys.executable, "-m", checker, *arguments], capture_output=True, text=True, timeout=600, cwd=cwd, env=environment)
    return done.stdout + done.stderr


def checked(checker, folder):
    options = ["--ignore-missing-imports", "--cache-dir", str(folder / "cache"), "--python-executable", sys.executable] if checker == "mypy" else []
    return run(checker, *options, *sorted(map(str, folder.glob("*.py"))), cwd=folder)


def errors(printed):
    return [line for line in printed.splitlines() if "error:" in line or " - error" in line]


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_names_have_types(checker, tmp_path):
    (tmp_path / "use.py").write_text(USE)
    printed = checked(checker, tmp_path)
    found = errors(printed)
    assert len(found) == 1 and "no_such_name" in found[0], printed
    for name in ("csr_array", "Result", "Plan"):
        assert re.search(rf'(type is|Type of .* is) "(lacis\.\w+\.)?{name}"', printed), (name, printed)


@pytest.mark.skipif(not MANUALS[0].exists(), reason="the manuals are in the source tree")
@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_the_python_of_the_manuals_is_accepted(checker, tmp_path):
    for manual in MANUALS:
        blocks = re.findall(r"```python\n(.*?)```", manual.read_text(), re.DOTALL)
        if blocks and ("lacis.dist" not in "".join(blocks) or importlib.util.find_spec("lacis._dist")):
            (tmp_path / f"{manual.parent.name}_{manual.stem.replace('-', '_')}.py").write_text("\n".join(blocks))
    printed = checked(checker, tmp_path)
    assert not errors(printed), printed


def test_pyright_finds_every_public_type(tmp_path):
    printed = run("pyright", "--ignoreexternal", "--verifytypes", "lacis", cwd=tmp_path)
    assert "Type completeness score: 100%" in printed, printed
