# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Eigenvalues and singular values: known ones within the bound that is reported, SciPy's forms of asking and answering."""

import inspect
import signal

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg
from conftest import poisson, random_matrix, reached, vector

import lacis
from lacis import linalg

N = 24
A = poisson(N)
LINE = 4 * np.sin(np.pi * np.arange(1, N + 1) / (2 * (N + 1))) ** 2
KNOWN = np.sort((LINE[:, None] + LINE[None, :]).ravel())
EPS = np.finfo(np.float64).eps
# Entries and sums of a residual, computed here in another order: five terms, none above |A| = 8.
ROUNDING = 16 * EPS * 8 * np.sqrt(N * N)


def wanted(which, k):
    low = {"LA": 0, "LM": 0, "SA": k, "BE": k // 2}[which]
    return np.concatenate([KNOWN[:low], KNOWN[len(KNOWN) - (k - low) :]])


def expect_pairs(a, w, v, about, b=None):
    """w, v are pairs of a with the residuals that are reported, and orthonormal."""
    bv = v if b is None else b @ v
    assert np.allclose(np.linalg.norm(a @ v - bv * w, axis=0), about.residuals, rtol=0, atol=ROUNDING)
    # Vectors of different eigenvalues are orthogonal up to their residuals over the gap, which is at most this here.
    assert np.abs(v.conj().T @ bv - np.eye(len(w))).max() <= max(ROUNDING, 1e3 * about.residuals.max())


@pytest.mark.parametrize("which", ["LA", "SA", "LM", "BE"])
@pytest.mark.parametrize("k", [1, 5, 6])
def test_eigenvalues_are_within_their_bounds(which, k):
    w, v, about = linalg.eigsh(A, k, which=which, tol=1e-9, report=True)
    assert about.converged and w.shape == (k,) and v.shape == (N * N, k) and np.all(np.diff(w) >= 0)
    assert np.all(np.abs(w - wanted(which, k)) <= about.residuals + ROUNDING)
    assert np.all(about.residuals <= 1e-9 * np.abs(w))
    expect_pairs(A, w, v, about)


@pytest.mark.parametrize("which", ["LA", "SA", "LM", "BE"])
def test_eigenvalues_are_scipys(which):
    # Without copies, of which ARPACK may miss one.
    line = scipy.sparse.diags([np.full(199, -1.0), np.full(200, 2.0), np.full(199, -1.0)], [-1, 0, 1]).tocsr()
    w, v, about = linalg.eigsh(line, 4, which=which, tol=1e-9, report=True)
    theirs, vectors = scipy.sparse.linalg.eigsh(line, 4, which=which, tol=1e-9)
    order = np.argsort(theirs)
    bounds = np.linalg.norm(line @ vectors - vectors * theirs, axis=0)[order]
    assert np.all(np.abs(theirs[order] - w) <= about.residuals + bounds + ROUNDING)
    assert np.allclose(np.abs(np.sum(vectors[:, order] * v, axis=0)), 1)


def test_zero_as_tolerance_is_the_attainable_accuracy():
    w, v, about = linalg.eigsh(A, 4, which="SA", report=True)
    assert np.all(about.residuals <= 10 * EPS * 8)
    assert np.all(np.abs(w - KNOWN[:4]) <= about.residuals + ROUNDING)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128, np.int32])
def test_types(dtype):
    w, v = linalg.eigsh((8 * A).astype(dtype), 3, which="LA", tol=1e-4)
    computed = np.dtype(np.float64 if dtype is np.int32 else dtype)
    assert v.dtype == computed and w.dtype == computed.type(0).real.dtype
    assert np.all(np.abs(w - 8 * KNOWN[-3:]) <= 1e-3 * w)
    u, s, vh = linalg.svds((8 * A).astype(dtype), 2, tol=1e-4)
    assert u.dtype == vh.dtype == computed and s.dtype == w.dtype and np.all(np.abs(s - 8 * KNOWN[-2:]) <= 1e-3 * s)


def test_hermitian_matrices_have_real_eigenvalues():
    line = scipy.sparse.diags([np.full(99, 1j), np.full(100, 2.0), np.full(99, -1j)], [-1, 0, 1]).tocsr()
    w, v, about = linalg.eigsh(line, 3, which="SA", tol=1e-10, report=True)
    assert w.dtype == np.float64 and v.dtype == np.complex128
    assert np.all(np.abs(w - 4 * np.sin(np.pi * np.arange(1, 4) / 202) ** 2) <= about.residuals + ROUNDING)
    expect_pairs(line, w, v, about)


@pytest.mark.parametrize("form", ["csc", "coo", "lacis", "plan", "operator", "dense", "tuple"])
def test_every_form_of_a_matrix_has_the_same_eigenvalues(form):
    given = {
        "csc": A.tocsc(),
        "coo": A.tocoo(),
        "lacis": lacis.csr_array(A),
        "plan": lacis.plan(A, transpose=True),
        "operator": scipy.sparse.linalg.aslinearoperator(A),
        "dense": A.toarray(),
        "tuple": (A.data, A.indices, A.indptr),
    }[form]
    w, v, about = linalg.eigsh(given, 3, which="LA", report=True)
    assert np.all(np.abs(w - KNOWN[-3:]) <= about.residuals + ROUNDING)
    u, s, vh, about = linalg.svds(given, 3, report=True)
    assert np.all(np.abs(s - KNOWN[-3:]) <= about.residuals + ROUNDING)
    w, v, about = linalg.lobpcg(given, vector(N * N, columns=3), maxiter=500, tol=1e-8, report=True)
    assert np.all(np.abs(w - KNOWN[:-4:-1]) <= about.residuals + ROUNDING)


def test_the_same_bits_on_any_number_of_threads():
    # Large enough for threads, integers on a stencil; sums of vectors have many blocks.
    big = poisson(150)
    X = vector(150 * 150, columns=2)
    found = []
    try:
        for threads in (1, 2, 3):
            lacis.set_num_threads(threads)
            w, v = linalg.eigsh(big, 2, which="LA", tol=1e-3)
            u, s, vh = linalg.svds(big[:, :21000], 2, tol=1e-3)
            with pytest.warns(lacis.LacisWarning):
                x, y = linalg.lobpcg(big, X, M="amg", largest=False, maxiter=4, tol=1e-12)
            found.append([one.tobytes() for one in (w, v, u, s, vh, x, y)])
    finally:
        lacis.set_num_threads(None)
    assert found[0] == found[1] == found[2]


def test_start_vectors_are_used():
    v0 = np.linalg.eigh(A.toarray())[1][:, -1]
    # From the eigenvector itself it is as good as it can be; otherwise it stops when it is good enough. Neither stops before what comes next is known.
    from_it = linalg.eigsh(A, 1, which="LA", v0=v0, tol=1e-6, report=True)[2]
    assert from_it.residuals[0] < 1e-12 < 1e-8 < linalg.eigsh(A, 1, which="LA", tol=1e-6, report=True)[2].residuals[0]
    one, same, other = (linalg.eigsh(A, 2, tol=1e-4, rng=seed, report=True)[2].hash for seed in (3, 3, 4))
    assert one == same != other
    X = linalg.lobpcg(A, vector(N * N, columns=3), tol=1e-6, maxiter=300, largest=False)[1]
    assert linalg.lobpcg(A, X, tol=1e-5, largest=False, report=True)[2].iterations == 0
    with pytest.raises(ValueError):
        linalg.eigsh(A, 1, v0=np.ones(3))
    with pytest.raises(ValueError):
        linalg.eigsh(A, 1, v0=np.zeros(N * N))
    with pytest.raises(ValueError):
        linalg.lobpcg(A, np.ones(N * N))


def test_more_vectors_need_fewer_products():
    few, many = (linalg.eigsh(A, 3, which="SA", tol=1e-8, ncv=ncv, report=True)[2].products for ncv in (8, 60))
    assert many < few


def test_what_has_not_converged_is_said():
    with pytest.raises(scipy.sparse.linalg.ArpackNoConvergence) as caught:
        linalg.eigsh(A, 6, which="SA", maxiter=2, ncv=10)
    about = caught.value.report
    assert caught.value.eigenvalues.size == about.is_converged.sum() < 6 and about.reason in str(caught.value)
    assert caught.value.eigenvectors.shape == (N * N, about.is_converged.sum())
    with pytest.warns(lacis.LacisWarning, match="lobpcg"):
        w, v, about = linalg.lobpcg(A, vector(N * N, columns=2), tol=1e-10, largest=False, report=True)
    assert about.iterations == 20 and not about.converged and w.shape == (2,)
    assert not np.isnan(about.history).any() and about.history[-1] < about.history[0]


def test_a_generalised_problem():
    # A = diag(i d_i), B = diag(d_i) has the eigenvalues i.
    d = 1.0 + np.arange(200) % 4
    a = scipy.sparse.csr_array(scipy.sparse.diags(d * np.arange(1, 201)))
    b = scipy.sparse.csr_array(scipy.sparse.diags(d))
    w, v, about = linalg.eigsh(a, 3, M=b, which="SA", tol=1e-8, report=True)
    assert np.all(np.abs(w - [1, 2, 3]) <= about.residuals + 1e3 * EPS) and about.method == "lobpcg"
    expect_pairs(a, w, v, about, b)
    w, v, about = linalg.lobpcg(a, vector(200, columns=3), B=b, maxiter=500, tol=1e-6, report=True)
    assert np.all(np.abs(w - [200, 199, 198]) <= about.residuals + 1e5 * EPS) and np.all(about.residuals <= 1e-6)


def test_preconditioners_of_lobpcg():
    X = vector(N * N, columns=4)
    plain = linalg.lobpcg(A, X, maxiter=500, tol=1e-6, largest=False, report=True)
    for M in ("amg", "ic0", lacis.aspreconditioner(A), scipy.sparse.linalg.LinearOperator(A.shape, scipy.sparse.linalg.splu(A.tocsc()).solve)):
        w, v, about = linalg.lobpcg(A, X, M=M, maxiter=500, tol=1e-6, largest=False, report=True)
        assert np.all(np.abs(w - KNOWN[:4]) <= about.residuals + ROUNDING) and np.all(about.residuals <= 1e-6)
        assert about.iterations < plain[2].iterations
    with pytest.raises(ValueError):
        linalg.lobpcg(A, X, M="magic")


def test_singular_values_and_their_forms():
    a = random_matrix(80, 50, density=0.3)
    exact = np.linalg.svd(a.toarray(), compute_uv=False)
    for given in (a, a.T.tocsr(), scipy.sparse.csr_array(a.astype(np.complex128) * 1j)):
        u, s, vh, about = linalg.svds(given, 4, report=True)
        assert np.all(np.diff(s) >= 0) and np.all(np.abs(s - exact[3::-1]) <= about.residuals + 64 * EPS * exact[0])
        assert u.shape == (given.shape[0], 4) and vh.shape == (4, given.shape[1])
        assert np.allclose(given @ vh.conj().T, u * s, rtol=0, atol=1e-12)
        u, s, vh, about = linalg.svds(given, 3, which="SM", report=True)
        assert about.method == "bidiagonal" and np.all(np.abs(s - exact[:-4:-1]) <= about.residuals + 64 * EPS * exact[0])
        assert np.allclose(given.conj().T @ u, vh.conj().T * s, rtol=0, atol=1e-12)
    tiny = scipy.sparse.csr_array(scipy.sparse.diags(np.r_[2.0**-35, np.arange(1.0, 150)]))
    assert np.allclose(linalg.svds(tiny, 2, which="SM", return_singular_vectors=False), [2.0**-35, 1], rtol=0, atol=64 * EPS * 150)
    assert np.array_equal(linalg.svds(a, 4, return_singular_vectors=False), linalg.svds(a, 4)[1])
    u, s, vh = linalg.svds(a, 2, return_singular_vectors="u")
    assert u.shape == (80, 2) and vh is None
    u, s, vh = linalg.svds(a, 2, return_singular_vectors="vh")
    assert u is None and vh.shape == (2, 50)
    a = random_matrix(300, 200, density=0.1)
    v0 = np.linalg.svd(a.toarray())[2][0]
    assert linalg.svds(a, 1, v0=v0, tol=1e-3, report=True)[3].products < linalg.svds(a, 1, tol=1e-3, report=True)[3].products


def test_what_lacis_does_not_do_is_scipys_over_our_products():
    for options in (dict(sigma=0.05), dict(which="SM"), dict(M=scipy.sparse.csr_array(scipy.sparse.identity(N * N)), which="LM")):
        before = reached()
        w, v = linalg.eigsh(A, 2, **options)
        assert np.allclose(np.linalg.norm(A @ v - v * w, axis=0), 0, atol=1e-8)
        assert "sigma" in options or reached() > before
    Y = np.linalg.eigh(A.toarray())[1][:, :1]
    w, v = linalg.lobpcg(A, vector(N * N, columns=2), Y=Y, largest=False, maxiter=300, tol=1e-6)
    assert np.allclose(w, KNOWN[1:3], atol=1e-6)
    w, v, history = linalg.lobpcg(A, vector(N * N, columns=2), retLambdaHistory=True, maxiter=300)
    assert len(history)
    assert np.allclose(linalg.svds(A, 2, solver="lobpcg", maxiter=300)[1], KNOWN[-2:], atol=1e-6)
    assert linalg.eigsh(A, 1, sigma=0.05, report=True)[2] is None
    with pytest.raises(ValueError):
        linalg.lobpcg(A, vector(N * N, columns=1), M="amg", Y=Y)


@pytest.mark.parametrize("shape", [(50, 40), (40, 50), (300, 200)])
@pytest.mark.parametrize("k", [3, 4, 6])
def test_singular_vectors_are_orthonormal_also_beyond_the_rank(shape, k):
    rng = np.random.default_rng(k)
    dense = rng.standard_normal((shape[0], 3)) @ rng.standard_normal((3, shape[1]))
    a = scipy.sparse.csr_array(dense)
    u, s, vh = linalg.svds(a, k)
    exact = np.linalg.svd(dense, compute_uv=False)
    rounding = 64 * EPS * np.sqrt(sum(shape))
    assert np.abs(u.T @ u - np.eye(k)).max() <= rounding and np.abs(vh @ vh.T - np.eye(k)).max() <= rounding
    assert np.abs(s[::-1] - exact[:k]).max() <= rounding * exact[0]
    assert np.linalg.norm(a @ vh.T - u * s, axis=0).max() <= rounding * exact[0]
    assert np.linalg.norm(a.T @ u - vh.T * s, axis=0).max() <= rounding * exact[0]


@pytest.mark.parametrize("scale", [1e-300, 1e-165, 1e160, 1e300])
def test_the_scale_of_a_matrix_does_not_matter(scale):
    line = scipy.sparse.diags([np.full(99, -1.0), np.full(100, 2.0), np.full(99, -1.0)], [-1, 0, 1]).tocsr()
    for one in (linalg.eigsh, linalg.svds):
        expected = one(line, 3, tol=1e-8)
        found = one(line * scale, 3, tol=1e-8)
        values, exact = (each[1] if one is linalg.svds else each[0] for each in (found, expected))
        assert np.allclose(values / scale, exact, rtol=1e-7, atol=0)


@pytest.mark.parametrize("n", [300, 500])
def test_what_has_converged_is_given_back(n):
    line = scipy.sparse.diags([np.full(n - 1, -1.0), np.full(n, 2.0), np.full(n - 1, -1.0)], [-1, 0, 1]).tocsr()
    w = linalg.eigsh(line, 3, which="SA", return_eigenvectors=False)
    assert np.allclose(w, 4 * np.sin(np.pi * np.arange(1, 4) / (2 * (n + 1))) ** 2, rtol=0, atol=1e-13)


@pytest.mark.parametrize("parts", [3, 4, 5])
def test_a_laplacian_has_one_zero_per_component(parts):
    n = 240 // parts
    ends = np.r_[1.0, np.full(n - 2, 2.0), 1.0]
    path = scipy.sparse.diags([np.full(n - 1, -1.0), ends, np.full(n - 1, -1.0)], [-1, 0, 1])
    several = scipy.sparse.block_diag([path] * parts).tocsr()
    w = linalg.eigsh(several, parts + 1, which="SA", return_eigenvectors=False)
    assert np.allclose(w, [0] * parts + [4 * np.sin(np.pi / (2 * n)) ** 2], rtol=0, atol=1e-13)


def test_a_long_search_is_ended_by_a_signal():
    # All pairs: the whole space, without steps. By rotations it would take minutes.
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with pytest.raises(KeyboardInterrupt):
            linalg.eigsh(poisson(45), 45 * 45)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_mistakes():
    with pytest.raises(ValueError):
        linalg.eigsh(A, 3, which="XX")
    with pytest.raises(ValueError):
        linalg.eigsh(A, 0)
    with pytest.raises(ValueError):
        linalg.eigsh(A, N * N + 1)
    with pytest.raises(ValueError):
        linalg.eigsh(A[:, :-1], 3)
    with pytest.raises(ValueError):
        linalg.eigsh(A, 3, tol=-1)
    with pytest.raises(ValueError):
        linalg.svds(A, 3, which="LA")
    with pytest.raises(ValueError):
        linalg.svds(A, 3, return_singular_vectors="v")
    with pytest.raises(ValueError):
        linalg.eigsh(random_matrix(200, 200), 3)  # not Hermitian
    with pytest.raises(ZeroDivisionError):
        linalg.eigsh(scipy.sparse.linalg.LinearOperator((200, 200), lambda x: 1 / 0, dtype=float), 1)


def test_signatures_begin_as_scipys():
    for name in ("eigsh", "svds", "lobpcg"):
        ours = list(inspect.signature(getattr(linalg, name)).parameters)
        theirs = [one for one in inspect.signature(getattr(scipy.sparse.linalg, name)).parameters if one not in ("args", "kwargs")]
        assert set(theirs) <= set(ours), name
        assert ours[: len(theirs)] == theirs or name == "svds"


def test_aspreconditioner():
    b = vector(N * N)
    P = lacis.aspreconditioner(A)
    assert isinstance(P, scipy.sparse.linalg.LinearOperator) and P.shape == A.shape and P.dtype == np.float64 and "amg" in repr(P)
    named, _, expected = linalg.cg(A, b, rtol=1e-9, M="amg", report=True)
    x, info, about = linalg.cg(A, b, rtol=1e-9, M=P, report=True)
    assert info == 0 and x.tobytes() == named.tobytes() and about.iterations == expected.iterations

    def never(_):
        raise AssertionError("over Python")

    P._matvec = never
    assert linalg.cg(A, b, rtol=1e-9, M=P)[0].tobytes() == named.tobytes()
    del P._matvec
    steps = []
    assert scipy.sparse.linalg.cg(A, b, rtol=1e-9, M=P, callback=steps.append)[1] == 0
    assert abs(len(steps) - about.iterations) <= 2
    X = vector(N * N, columns=3)
    assert np.array_equal(P @ X, np.stack([P @ X[:, j] for j in range(3)], axis=1))
    assert np.array_equal(P @ (b + 2j * b), (P @ b) + 2j * (P @ b))
    assert (P @ b.astype(np.float32)).dtype == np.float64
    for method in ("jacobi", "block-jacobi", "ssor", "ilu0", "ic0", "chebyshev"):
        assert linalg.cg(A, b, rtol=1e-9, M=lacis.aspreconditioner(A, method, threads=1))[1] == 0
    single = lacis.aspreconditioner(A.astype(np.float32))
    assert linalg.cg(A, b, rtol=1e-9, M=single)[1] == 0
    assert np.array_equal(lacis.aspreconditioner(A, "jacobi") @ b, b / 4)
    for cycle, smoother in (("w", None), ("k", None), ("k", "l1-jacobi"), (None, "l1-jacobi"), ("v", "chebyshev")):
        assert linalg.cg(A, b, rtol=1e-9, M=lacis.aspreconditioner(A, cycle=cycle, smoother=smoother))[1] == 0
    same = lacis.aspreconditioner(A, cycle="v", smoother="chebyshev")
    assert (same @ b).tobytes() == (P @ b).tobytes() != (lacis.aspreconditioner(A, smoother="l1-jacobi") @ b).tobytes()
    with pytest.raises(ValueError, match="fgmres"):
        linalg.gmres(A, b, M=lacis.aspreconditioner(A, cycle="k"))
    for wrong in ({"cycle": "f"}, {"smoother": "magic"}, {"method": "ic0", "cycle": "w"}):
        with pytest.raises(ValueError):
            lacis.aspreconditioner(A, **wrong)
    with pytest.raises(ValueError):
        lacis.aspreconditioner(A, "magic")
    with pytest.raises(lacis.Error):
        lacis.aspreconditioner(A[:, :-1])


def test_pyamg_takes_a_preconditioner():
    pyamg = pytest.importorskip("pyamg")
    b = vector(N * N)
    residuals = []
    x, info = pyamg.krylov.cg(A, b, tol=1e-9, M=lacis.aspreconditioner(A), residuals=residuals)
    assert info == 0 and len(residuals) < 30 and np.linalg.norm(b - A @ x) <= 1e-8 * np.linalg.norm(b)
