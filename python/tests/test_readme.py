# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""The Python of README.md and of the guides runs as it is printed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import lacis

README = Path(__file__).resolve().parent.parent / "README.md"
OF_THE_PROJECT = README.parent.parent / "README.md"
GUIDES_FOLDER = README.parent.parent / "docs/guide"
GUIDES = [guide for guide in sorted(GUIDES_FOLDER.glob("*.md")) if "```python\n" in guide.read_text()]


def printed(readme, least, before, folder):
    """What the Python of a README prints."""
    blocks = re.findall(r"```python\n(.*?)```", readme.read_text(), re.DOTALL)
    assert len(blocks) >= least
    script = folder / "readme.py"
    script.write_text("\n".join([before, *blocks]))
    done = subprocess.run([sys.executable, "-W", "error::UserWarning", str(script)], capture_output=True, text=True, timeout=120, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(not README.exists(), reason="the README is in the source tree")
def test_the_readme_runs(tmp_path):
    assert "<lacis.plan 90000 x 90000, 448,800 entries" in printed(README, 3, "", tmp_path)


@pytest.mark.skipif(not OF_THE_PROJECT.exists(), reason="the README is in the source tree")
def test_the_readme_of_the_project_runs(tmp_path):
    lacis.write(tmp_path / "A.mtx", lacis.generate("@poisson2d:30"))
    assert "true residual" in printed(OF_THE_PROJECT, 1, "", tmp_path)


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_a_guide_runs(guide, tmp_path):
    if "lacis.dist" in guide.read_text():
        pytest.importorskip("mpi4py")
        pytest.importorskip("lacis._dist", reason="lacis was built without MPI")
    # What a reader of a guide has.
    lacis.write(tmp_path / "A.mtx", lacis.generate("@poisson2d:30"))
    lacis.write(tmp_path / "C.csr", lacis.generate("@poisson2d:30"))
    printed(guide, 1, "", tmp_path)


@pytest.mark.skipif(not GUIDES_FOLDER.exists(), reason="the guides are in the source tree")
def test_guides_with_python_are_found():
    assert {"cluster", "first-matrix", "same-bits", "spgemm", "ten-minutes"} <= {guide.stem for guide in GUIDES}
