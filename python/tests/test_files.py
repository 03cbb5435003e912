# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Files, generators, facts, PageRank."""

import importlib.metadata

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from conftest import poisson, random_matrix

import lacis


def test_round_trips(tmp_path):
    a = random_matrix(30, 20)
    for name in ("a.mtx", "a.npz", "a.csr", "a.mtx.gz"):
        try:
            lacis.write(tmp_path / name, a)
        except lacis.Unsupported:
            continue
        b = lacis.read(tmp_path / name)
        assert isinstance(b, lacis.csr_array) and b.indptr.dtype == np.int32
        assert np.array_equal(b.toarray(), a.toarray())
        assert np.array_equal(lacis.csr_array(tmp_path / name).toarray(), a.toarray())
    assert np.array_equal(scipy.io.mmread(tmp_path / "a.mtx").toarray(), a.toarray())


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128, np.int8, np.int64, np.uint16, bool])
def test_types_are_kept_where_the_format_has_them(tmp_path, dtype):
    dtype = np.dtype(dtype)
    whole = dtype.kind in "biu"
    a = random_matrix(30, 20, dtype=dtype if dtype.kind == "c" else np.float64)
    a.data *= 9
    a = a.astype(dtype)
    scipy.sparse.save_npz(tmp_path / "scipy.npz", a)
    lacis.write(tmp_path / "a.npz", a)
    for name in ("scipy.npz", "a.npz"):
        b = lacis.read(tmp_path / name)
        assert b.dtype == dtype and np.array_equal(b.toarray(), a.toarray())
        assert lacis.csr_array(tmp_path / name).dtype == dtype and lacis.plan(tmp_path / name).shape == a.shape
    assert scipy.sparse.load_npz(tmp_path / "a.npz").dtype == dtype
    lacis.write(tmp_path / "a.csr", a)
    b = lacis.read(tmp_path / "a.csr")
    assert b.dtype == (np.float64 if whole else dtype) and np.array_equal(b.toarray(), a.toarray())
    lacis.write(tmp_path / "a.mtx", a)
    b = lacis.read(tmp_path / "a.mtx")
    assert b.dtype == (np.int64 if whole else np.complex128 if dtype.kind == "c" else np.float64)
    assert np.array_equal(lacis.read(tmp_path / "a.mtx", dtype=dtype).toarray(), a.toarray())
    assert (" integer " in (tmp_path / "a.mtx").read_text().splitlines()[0]) == whole
    assert not [name for name in tmp_path.iterdir() if name.name not in ("scipy.npz", "a.npz", "a.csr", "a.mtx")], "nothing temporary is left"


@pytest.mark.parametrize("fmt", ["csc", "coo", "bsr", "dia"])
def test_types_of_every_format_in_an_npz(tmp_path, fmt):
    a = poisson(4).astype(np.float32).asformat(fmt)
    scipy.sparse.save_npz(tmp_path / "a.npz", a)
    b = lacis.read(tmp_path / "a.npz")
    assert b.dtype == np.float32 and np.array_equal(b.toarray(), a.toarray())


def test_the_type_may_be_chosen(tmp_path):
    a = random_matrix(30, 20)
    lacis.write(tmp_path / "a.npz", a)
    assert np.array_equal(lacis.read(tmp_path / "a.npz", dtype="float32").toarray(), a.astype(np.float32).toarray())
    assert lacis.read(tmp_path / "a.npz", dtype=complex).dtype == np.complex128
    assert lacis.read("@poisson2d:4", dtype=np.float32).dtype == np.float32 and lacis.read("@poisson2d:4", dtype=int).dtype == int
    with pytest.raises(ValueError, match="not all values are int32"):
        lacis.read(tmp_path / "a.npz", dtype=np.int32)
    with pytest.raises(TypeError):
        lacis.read(tmp_path / "a.npz", dtype="U3")
    lacis.write(tmp_path / "c.npz", random_matrix(30, 20, dtype=np.complex128))
    with pytest.raises(TypeError, match="complex"):
        lacis.read(tmp_path / "c.npz", dtype=float)


def test_integers_are_written_whole_or_not_at_all(tmp_path):
    a = scipy.sparse.csr_array(np.array([[1, 2], [0, 3]]))
    (tmp_path / "a.npz").write_text("before")
    lacis.write(tmp_path / "a.npz", a)
    assert np.array_equal(lacis.read(tmp_path / "a.npz").toarray(), a.toarray())
    lacis.write(tmp_path / "a.mtx.gz", lacis.csc_array(a))
    assert np.array_equal(scipy.io.mmread(tmp_path / "a.mtx.gz").toarray(), a.toarray()) and lacis.read(tmp_path / "a.mtx.gz").dtype == np.int64
    with pytest.raises(OSError):
        lacis.write(tmp_path / "no" / "such.npz", a)
    duplicates = scipy.sparse.csr_array((np.array([1, 2]), np.array([0, 0]), np.array([0, 2, 2])), shape=(2, 2))
    lacis.write(tmp_path / "d.npz", duplicates)
    assert scipy.sparse.load_npz(tmp_path / "d.npz").nnz == 1 and duplicates.nnz == 2
    (tmp_path / "big.mtx").write_text(f"%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 {2**53 + 1}\n")
    with pytest.raises(lacis.BadInput):
        lacis.read(tmp_path / "big.mtx")


def test_a_name_that_tells_no_format_is_refused(tmp_path):
    for name in ("x.csv", "x", "x.h5", "x.gz"):
        with pytest.raises(ValueError, match=r"\.mtx, \.npz"):
            lacis.write(tmp_path / name, random_matrix(3, 3))
        assert not (tmp_path / name).exists()


def test_unsorted_and_csc_matrices_are_written(tmp_path):
    a = random_matrix(30, 20, fmt="csc", dtype=np.complex128)
    lacis.write(tmp_path / "a.mtx", a)
    assert np.array_equal(lacis.read(tmp_path / "a.mtx").toarray(), a.toarray())


def test_progress(tmp_path):
    lacis.write(tmp_path / "a.mtx", random_matrix(30, 20))
    calls = []
    lacis.read(tmp_path / "a.mtx", progress=lambda stage, share: calls.append((stage, share)))
    lacis.read(tmp_path / "a.mtx", progress=True)


def test_generate():
    a = lacis.generate("@poisson2d:10")
    assert np.array_equal(a.toarray(), poisson(10).toarray())
    b = lacis.generate("@rmat:8", seed=3, values="random")
    assert np.array_equal(b.data, lacis.generate("rmat:8", seed=3, values="random").data)
    assert np.all(lacis.generate("@rmat:8", values="pattern").data == 1)
    full = lacis.generate("@density:30,1", values="symmetric").toarray()
    assert np.array_equal(full, full.T) and len(np.unique(full)) > 400
    assert any(name == "rmat" for name, _, _ in lacis.generators())
    with pytest.raises(ValueError):
        lacis.generate("@rmat:8", values="odd")


def test_info():
    facts = lacis.info(poisson(10))
    assert facts.rows == 100 and facts.entries == 460 and facts.symmetric and facts.longest_row == 5 and facts["upper_bandwidth"] == 10
    assert "100 x 100" in repr(facts) and "<table>" in facts._repr_html_()
    assert sum(rows for _, _, rows in facts.row_lengths) == 100
    with pytest.raises(AttributeError):
        facts.colour
    assert lacis.info(random_matrix(10, 20, fmt="csc", dtype=np.complex64)).value_type == "complex float"


def test_spy():
    s = lacis.spy(poisson(10), width=20, height=20)
    assert s.counts.shape == (20, 20) and s.counts.sum() == 460
    assert s._repr_svg_().startswith("<svg") and "460 entries" in repr(s)


def test_doctor():
    findings = lacis.doctor()
    assert len(findings) > 3 and all(mark in ("ok", "note", "warn") for mark, _, _, _ in findings)
    assert repr(findings)


def reference_pagerank(a, alpha, weights):
    """As NetworkX computes it."""
    n = a.shape[0]
    a = (a != 0).astype(float)
    out = np.asarray(a.sum(axis=1)).ravel()
    p = np.full(n, 1 / n) if weights is None else weights / weights.sum()
    x = np.full(n, 1 / n)
    share = scipy.sparse.diags(np.where(out > 0, 1 / np.maximum(out, 1), 0)) @ a
    for _ in range(1000):
        x = alpha * (x @ share + x[out == 0].sum() * p) + (1 - alpha) * p
    return x


@pytest.mark.parametrize("weights", [None, np.arange(100.0)])
def test_pagerank(weights):
    a = random_matrix(100, 100, density=0.03)
    a.data[:] = 1
    ranks = lacis.pagerank(a, personalization=weights, tol=1e-12)
    assert abs(ranks.sum() - 1) < 1e-12
    assert np.allclose(ranks, reference_pagerank(a, 0.85, weights), atol=1e-11)


def test_pagerank_warns():
    a = random_matrix(50, 50)
    with pytest.warns(lacis.LacisWarning, match="weights"):
        lacis.pagerank(a)
    a.data[:] = 1
    with pytest.warns(lacis.LacisWarning, match="did not converge"):
        lacis.pagerank(a, tol=1e-14, max_iter=2)
    with pytest.raises(ValueError):
        lacis.pagerank(a, personalization=[1, 2])


def test_networkx_backend():
    nx = pytest.importorskip("networkx")
    if not any(e.name == "lacis" for e in importlib.metadata.entry_points(group="networkx.backends")):
        pytest.skip("NetworkX finds backends of installed packages only")
    g = nx.gnp_random_graph(300, 0.05, seed=1, directed=True)
    ours = nx.pagerank(g, backend="lacis", tol=1e-12)
    theirs = nx.pagerank(g, tol=1e-12)
    assert list(ours) == list(g) and max(abs(ours[v] - theirs[v]) for v in g) < 1e-10
    ours = nx.pagerank(g, backend="lacis", personalization={3: 1, 5: 2})
    theirs = nx.pagerank(g, personalization={3: 1, 5: 2})
    assert max(abs(ours[v] - theirs[v]) for v in g) < 1e-5
    weighted = nx.DiGraph()
    weighted.add_weighted_edges_from((u, v, 2.0 + u) for u, v in g.edges)
    with pytest.raises(NotImplementedError):
        nx.pagerank(weighted, backend="lacis")
    ours, theirs = nx.pagerank(weighted, weight=None, backend="lacis"), nx.pagerank(weighted, weight=None)
    assert max(abs(ours[v] - theirs[v]) for v in g) < 1e-5
