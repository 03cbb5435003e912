# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""SciPy's solvers by name, lacis's by nature."""

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg
from conftest import poisson, random_matrix, reached, vector

import lacis
from lacis import linalg

A = poisson(20)
B = vector(400)


def residual(a, x, b):
    return np.linalg.norm(b - a @ x) / np.linalg.norm(b)


def forms(a):
    return {
        "csr": a,
        "csc": a.tocsc(),
        "coo": a.tocoo(),
        "matrix": scipy.sparse.csr_matrix(a),
        "lacis": lacis.csr_array(a),
        "plan": lacis.plan(a, transpose=True),
        "operator": scipy.sparse.linalg.aslinearoperator(a),
        "dense": a.toarray(),
        "tuple": (a.data, a.indices, a.indptr),
    }


@pytest.mark.parametrize("solver", ["cg", "minres", "gmres", "bicgstab"])
@pytest.mark.parametrize("form", list(forms(A)))
def test_every_solver_takes_every_form(solver, form):
    x, info = getattr(linalg, solver)(forms(A)[form], B, rtol=1e-9, maxiter=1000)
    assert info == 0 and x.shape == (400,) and residual(A, x, B) <= 1e-9


@pytest.mark.parametrize("form", list(forms(A)))
def test_lsqr_takes_every_form(form):
    a = random_matrix(60, 40, density=0.3)
    b = vector(60)
    given = forms(a)[form]
    found = linalg.lsqr(given, b, atol=1e-12, btol=1e-12)
    expected = np.linalg.lstsq(a.toarray(), b, rcond=None)[0]
    assert len(found) == 10 and np.allclose(found[0], expected, atol=1e-8)
    assert found[1] == 2 and abs(found[3] - np.linalg.norm(b - a @ expected)) < 1e-6


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128])
@pytest.mark.parametrize("b_dtype", [np.float32, np.float64, np.complex128, np.int32])
def test_types(dtype, b_dtype):
    a = A.astype(dtype)
    b = (10 * B).astype(b_dtype)
    for solver in (linalg.cg, linalg.gmres):
        x, info = solver(a, b, rtol=1e-4)
        assert info == 0 and residual(A, x, b) <= 1e-3
        assert x.dtype == np.result_type(dtype, b_dtype if b_dtype is not np.int32 else np.float64)


def test_tolerances_are_scipys():
    for rtol, atol in ((1e-3, 0.0), (0.0, 1e-2), (1e-8, 1e-3), (1e-2, 1e-8)):
        x, info = linalg.cg(A, B, rtol=rtol, atol=atol)
        assert info == 0 and np.linalg.norm(B - A @ x) <= max(rtol * np.linalg.norm(B), atol) * 1.0001
    with pytest.raises(ValueError):
        linalg.cg(A, B, rtol=-1)


def test_info_tells_that_it_did_not_converge():
    x, info = linalg.cg(A, B, rtol=1e-12, maxiter=3)
    assert info > 0 and np.all(np.isfinite(x))
    x, info, report = linalg.cg(A, B, rtol=1e-8, report=True)
    assert info == 0 and report.converged and report.residual <= 1e-8 and len(report.history) >= report.iterations > 5 and "cg" in report.method


def test_initial_guess_is_used_and_not_changed():
    x, _ = linalg.cg(A, B, rtol=1e-12)
    x0 = x.copy()
    again, info, report = linalg.cg(A, B, x0=x0, rtol=1e-6, report=True)
    assert info == 0 and report.iterations <= 1 and np.array_equal(x0, x)
    zero, info = linalg.cg(A, np.zeros(400))
    assert info == 0 and not zero.any()
    with pytest.raises(ValueError):
        linalg.cg(A, B, x0=np.ones(3))


def test_preconditioners():
    plain = linalg.cg(A, B, rtol=1e-9, report=True)[2].iterations
    for kind in ("jacobi", "ssor", "ic0", "block-jacobi", "chebyshev", "amg"):
        x, info = linalg.cg(A, B, rtol=1e-9, M=kind)
        assert info == 0 and residual(A, x, B) <= 1e-9
    assert linalg.cg(A, B, rtol=1e-9, M="ic0", report=True)[2].iterations < plain
    assert linalg.gmres(A, B, rtol=1e-9, M="ilu0")[1] == 0
    inverse = scipy.sparse.linalg.splu(A.tocsc())
    m = scipy.sparse.linalg.LinearOperator(A.shape, inverse.solve)
    for M in (m, scipy.sparse.csr_array(scipy.sparse.diags(1 / A.diagonal())), lacis.plan(scipy.sparse.csr_array(scipy.sparse.diags(1 / A.diagonal())).tocsr())):
        x, info = linalg.cg(A, B, rtol=1e-9, M=M)
        assert info == 0 and residual(A, x, B) <= 1e-9
    assert linalg.cg(A, B, rtol=1e-9, M=m, report=True)[2].iterations <= 3
    with pytest.raises(ValueError):
        linalg.cg(A, B, M="magic")
    with pytest.raises(ValueError):
        linalg.cg(lacis.plan(A), B, M="ic0")


def test_callbacks_are_scipys():
    seen = []
    x, info = linalg.cg(A, B, rtol=1e-8, callback=lambda xk: seen.append(xk.copy()))
    assert info == 0 and len(seen) > 5 and residual(A, seen[-1], B) <= 1e-8
    norms = []
    linalg.gmres(A, B, rtol=1e-8, callback=norms.append, callback_type="pr_norm")
    assert len(norms) > 5 and norms[-1] < norms[0] and all(isinstance(n, float) for n in norms)
    seen.clear()
    linalg.gmres(A, B, rtol=1e-8, callback=lambda xk: seen.append(xk), callback_type="x")
    assert seen and seen[0].shape == (400,)


def test_exceptions_of_operators_and_callbacks_arrive():
    class Mine(Exception):
        pass

    def fail(_):
        raise Mine

    with pytest.raises(Mine):
        linalg.cg(scipy.sparse.linalg.LinearOperator(A.shape, fail, dtype=float), B)
    with pytest.raises(Mine):
        linalg.gmres(A, B, callback=fail, callback_type="pr_norm")
    with pytest.raises(ValueError):
        linalg.cg(scipy.sparse.linalg.LinearOperator(A.shape, lambda x: x[:3], dtype=float), B)
    x, info = linalg.cg(A, B)
    assert info == 0


def test_operators_may_keep_their_argument():
    kept = []

    def apply(x):
        kept.append(x)
        return A @ x

    linalg.cg(scipy.sparse.linalg.LinearOperator(A.shape, apply, dtype=float), B)
    copies = [k.copy() for k in kept]
    assert all(np.array_equal(k, c) for k, c in zip(kept, copies)) and len(kept) > 5


def test_scipys_functions_over_our_products():
    before = reached()
    assert np.allclose(np.sort(linalg.eigs(A, k=3, return_eigenvectors=False)), np.sort(scipy.sparse.linalg.eigs(A, k=3, return_eigenvectors=False)))
    assert reached() > before
    assert np.allclose(linalg.expm_multiply(-0.1 * A, B), scipy.sparse.linalg.expm_multiply(-0.1 * A, B))
    assert residual(A, linalg.spsolve(A, B), B) < 1e-10
    assert residual(A, linalg.splu(A.tocsc()).solve(B), B) < 1e-10
    assert linalg.norm(A) == scipy.sparse.linalg.norm(A)


def test_solve():
    r = lacis.solve(A, B)
    assert r.converged and r.residual <= 1e-8 and residual(A, r.x, B) <= 1.0001e-8 and r.method and r.reason and r.seconds > 0
    assert len(r.history) and "converged=True" in repr(r)
    r = lacis.solve(A.tocsc(), B.reshape(-1, 1), tol=1e-10, method="gmres", precond="none", threads=1)
    assert r.converged and "gmres" in r.method
    assert lacis.solve(lacis.plan(A), B, method="cg").converged
    with pytest.raises(ValueError):
        lacis.solve(lacis.plan(A), B)
    with pytest.raises(ValueError):
        lacis.solve(A, B[:-1])
    with pytest.warns(lacis.LacisWarning):
        assert not lacis.solve(A, B, tol=1e-12, method="cg", precond="none", maxiter=3).converged
    assert lacis.solve(A.astype(np.complex64), B, tol=1e-5).x.dtype == np.complex128
    assert lacis.solve("@poisson2d:20", B).converged


def test_solve_with_a_cycle_and_a_smoother():
    a, b = poisson(200), vector(40_000)  # four levels, from which on a W-cycle is no V-cycle
    seen = set()
    for how in ({}, {"cycle": "w"}, {"cycle": "k"}, {"smoother": "l1-jacobi"}):
        r = lacis.solve(a, b, method="cg", precond="amg", **how)
        same = lacis.solve(lacis.plan(a), b, method="cg", precond=lacis.aspreconditioner(a, **how))
        assert r.converged and np.array_equal(r.x, same.x)
        seen.add(r.x.tobytes())
    assert len(seen) == 4
    for wrong in ({"precond": "amg", "cycle": "f"}, {"precond": "ic0", "cycle": "w"}, {"smoother": "chebyshev"}):
        with pytest.raises(ValueError):
            lacis.solve(a, b, method="cg", **wrong)
    with pytest.raises(ValueError, match="aspreconditioner"):
        lacis.solve(lacis.plan(a), b, method="cg", cycle="k")


def test_solve_on_a_device():
    try:
        lacis.plan(A, device="simt")
    except lacis.NoDevice:
        pytest.skip("this build has no host executor")
    there = lacis.solve(A, B, method="cg", precond="amg", device="simt")
    assert there.converged and there.method == "cg with amg"
    plain = lacis.solve(A, B, method="cg", precond="none", device="simt")
    assert np.array_equal(plain.x, lacis.solve(A, B, method="cg", precond="none").x)
    with pytest.raises(ValueError, match="toaster"):
        lacis.solve(A, B, device="toaster")
    with pytest.raises(ValueError, match="make the plan with device='simt'"):
        lacis.solve(lacis.plan(A), B, method="cg", device="simt")
    with pytest.raises(ValueError, match="the preconditioner on cpu"):
        lacis.solve(lacis.plan(A, device="simt"), B, method="cg", precond=lacis.aspreconditioner(A))


def test_solve_reports_progress_and_keeps_checkpoints(tmp_path):
    calls = []
    big = poisson(150)
    b = vector(big.shape[0])
    r = lacis.solve(big, b, tol=1e-10, method="cg", precond="none", progress=lambda i, res: calls.append((i, res)), checkpoint=tmp_path)
    assert r.converged
    lacis.solve(A, B, progress=True)


def test_the_same_bits_on_any_number_of_threads():
    a, b = poisson(100), vector(10000)
    assert np.array_equal(lacis.solve(a, b, threads=1).x, lacis.solve(a, b, threads=2).x)


@pytest.mark.parametrize("solver", ["cg", "minres", "gmres", "bicgstab"])
def test_no_iteration_leaves_x0(solver):
    for x0 in (None, vector(400, seed=3)):
        x, info, about = getattr(linalg, solver)(A, B, x0, maxiter=0, report=True)
        assert np.array_equal(x, np.zeros(400) if x0 is None else x0) and info > 0
        assert about.iterations == 0 and not about.converged and np.isclose(about.residual, residual(A, x, B))
    solution = getattr(linalg, solver)(A, B, rtol=1e-10, maxiter=1000)[0]
    x, info = getattr(linalg, solver)(A, B, solution, rtol=1e-6, maxiter=0)
    assert np.array_equal(x, solution) and info == 0
    found = linalg.lsqr(A, B, iter_lim=0)
    assert not found[0].any() and found[1] == 7 and found[2] == 0


def test_a_tolerance_of_zero_is_not_the_default():
    for options in ({}, {"method": "cg"}, {"method": "cg", "precond": "none"}):
        with pytest.warns(lacis.LacisWarning):
            found = lacis.solve(A, B, tol=0, maxiter=300, **options)
        assert not found.converged
    with pytest.warns(lacis.LacisWarning):
        assert not lacis.solve(lacis.plan(A), B, tol=0, method="cg", maxiter=300).converged
    for wrong in ({"tol": -1}, {"tol": float("nan")}, {"maxiter": 0}, {"maxiter": -3}):
        with pytest.raises(ValueError):
            lacis.solve(A, B, **wrong)


@pytest.mark.parametrize("dtype, sizes", [(np.float32, [1e-25, 1e-12, 1e12, 1e30]), (np.float64, [1e-200, 1e-100, 1e100, 1e200])])
def test_lsqr_says_the_same_of_a_right_hand_side_of_any_size(dtype, sizes):
    a = random_matrix(60, 40, density=0.3).astype(dtype)
    inside = a @ vector(40).astype(dtype)
    outside = vector(60).astype(dtype)
    for b, expected in ((inside, 1), (outside, 2)):
        for size in sizes:
            found = linalg.lsqr(a, (b * dtype(size)).astype(dtype), atol=1e-3, btol=1e-3)
            assert found[1] == expected, size
            assert found[0].any() and 0 < found[3] < np.inf


def test_operands_that_are_not_aligned_are_copied():
    def unaligned(x):
        room = np.zeros(x.nbytes + 1, np.uint8)[1:].view(x.dtype).reshape(x.shape)
        room[...] = x
        assert not room.flags.aligned
        return room

    X = vector(400, columns=3)
    P = lacis.plan(A, transpose=True)
    for x in (B, X, B.astype(np.float32)):
        assert (P @ unaligned(x)).tobytes() == (P @ x).tobytes() and (P.T @ unaligned(x)).tobytes() == (P.T @ x).tobytes()
    assert np.array_equal(linalg.cg(A, unaligned(B), unaligned(B))[0], linalg.cg(A, B, B)[0])
    assert np.array_equal(linalg.eigsh(A, 2, v0=unaligned(B))[0], linalg.eigsh(A, 2, v0=B)[0])
    assert np.array_equal(linalg.lobpcg(A, unaligned(X), maxiter=300)[0], linalg.lobpcg(A, X, maxiter=300)[0])
    with pytest.raises(ValueError, match="aligned"):
        P.matvec(B, out=unaligned(B))
