# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""The scripts of the gallery run, and each makes its two pictures, which differ and show something."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

GALLERY = Path(__file__).resolve().parents[2] / "docs/gallery"
SCRIPTS = sorted(path for path in GALLERY.glob("*.py") if path.name != "pictures.py")


@pytest.mark.skipif(not GALLERY.exists(), reason="the gallery is in the source tree")
def test_every_script_is_on_the_page():
    page = (GALLERY / "index.md").read_text()
    assert len(SCRIPTS) == 10
    for script in SCRIPTS:
        assert f"{{literalinclude}} {script.name}" in page
        for mode in ("light", "dark"):
            assert f"{{image}} {script.stem}-{mode}.png" in page
            assert (GALLERY / f"{script.stem}-{mode}.png").exists()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_script_draws(script, tmp_path):
    image = pytest.importorskip("matplotlib.image")
    pytest.importorskip("scipy")
    done = subprocess.run([sys.executable, "-W", "error::UserWarning", str(script), str(tmp_path)], capture_output=True, text=True, timeout=300,
                          env={**os.environ, "MPLCONFIGDIR": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    pictures = [image.imread(tmp_path / f"{script.stem}-{mode}.png") for mode in ("light", "dark")]
    assert pictures[0].shape == pictures[1].shape
    for picture, ground in zip(pictures, (1.0, 0.1)):
        assert abs(picture[0, 0, :3].mean() - ground) < 0.05  # the corner has the colour of its page
        drawn = (abs(picture[..., :3] - picture[0, 0, :3]).max(axis=2) > 0.2).mean()
        assert drawn > 0.02  # of the area
