# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""AnnData writes matrices of lacis as SciPy's."""

import subprocess
import sys

import numpy as np
import pytest
from conftest import random_matrix

import lacis

anndata = pytest.importorskip("anndata")


@pytest.mark.parametrize("kind", ["csr_array", "csc_array", "csr_matrix", "csc_matrix"])
@pytest.mark.parametrize("store", ["h5ad", "zarr"])
def test_files(tmp_path, kind, store):
    if store == "zarr":
        pytest.importorskip("zarr")
    a = getattr(lacis, kind)(random_matrix(20, 10))
    data = anndata.AnnData(a, layers={"counts": a})
    assert type(data.X) is type(a)
    path = tmp_path / f"a.{store}"
    getattr(data, f"write_{store}")(path)
    again = getattr(anndata, f"read_{store}")(path)
    assert np.array_equal(again.X.toarray(), a.toarray()) and again.X.format == a.format and np.array_equal(again.layers["counts"].toarray(), a.toarray())
    part = data[:5]
    assert np.array_equal(part.X.toarray(), a.toarray()[:5]) and np.allclose(part.X @ np.ones(10), a.toarray()[:5] @ np.ones(10))
    getattr(part.copy(), f"write_{store}")(tmp_path / f"b.{store}")


@pytest.mark.parametrize("first", ["anndata", "lacis", "lacis, importlib.util; lacis.csr_array; importlib.util.find_spec('anndata')"])
def test_the_order_of_imports_does_not_matter(tmp_path, first):
    code = (
        f"import {first}\nimport lacis\nA = lacis.csr_array('@poisson2d:4')\nimport sys, anndata\n"
        "anndata.AnnData(A).write_h5ad(sys.argv[1])\n"
        "assert not any(type(finder).__module__ == 'lacis._anndata' for finder in sys.meta_path)\n"
        "import importlib.util, inspect\nassert importlib.util.find_spec('anndata').loader is anndata.__loader__ and inspect.getsource(anndata)\nprint('ok')"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "a.h5ad")], capture_output=True, text=True, timeout=300)
    assert done.stdout.strip() == "ok", done.stderr
