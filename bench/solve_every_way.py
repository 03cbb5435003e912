#!/usr/bin/env python3
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Whether `lacis solve` chooses well: systems of many kinds, solved by auto and by every method with every preconditioner.

    build/venv/bin/python bench/solve_every_way.py build/release/bin/lacis [--systems DIRECTORY] [--only TEXT]

The systems are those below, or those that bench/multigrid/run.py --make has made in a directory. A system is lost when auto
does not reach 1e-8 and another way does, slow when another way takes less than half of its time. Ways that cannot be that
fast are cut off; direct is left out, since its bits are those of SuiteSparse. Ends with the number of lost and slow systems.
Needs NumPy and SciPy."""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import scipy.io
import scipy.sparse as sp

WAYS = [("cg", "none"), ("cg", "jacobi"), ("cg", "block-jacobi"), ("cg", "ssor"), ("cg", "ic0"), ("cg", "chebyshev"),
        ("minres", "none"), ("minres", "jacobi"), ("minres", "ic0"), ("bicgstab", "none"), ("bicgstab", "jacobi"),
        ("bicgstab", "ilu0"), ("gmres", "none"), ("gmres", "jacobi"), ("gmres", "ilu0"), ("fgmres", "ssor"),
        ("lsqr", "none"), ("chebyshev", "none"), ("cg", "amg"), ("bicgstab", "amg"), ("fgmres", "amg")]
random = np.random.default_rng(1)


def line(n, below, on, above):
    return sp.diags_array([np.full(n - 1, below), np.full(n, on), np.full(n - 1, above)], offsets=[-1, 0, 1])


def grid(n, below=-1.0, on=2.0, above=-1.0, anisotropy=1.0):
    one = sp.eye_array(n)
    return sp.kron(one, line(n, below, on, above)) + anisotropy * sp.kron(line(n, -1.0, 2.0, -1.0), one)


def jumps(n):
    """Diffusion with a coefficient of 1 or 1e6 in squares."""
    k = np.where((np.indices((n + 1, n + 1)) // 8).sum(0) % 2 == 0, 1.0, 1e6).ravel()[: n * n]
    d = sp.diags_array(np.sqrt(k))
    return d @ grid(n) @ d + sp.eye_array(n * n)


def neumann(n):
    a = line(n, -1.0, 2.0, -1.0).tolil()
    a[0, 0] = a[n - 1, n - 1] = 1
    return sp.kron(sp.eye_array(n), a) + sp.kron(a, sp.eye_array(n))


def graph_laplacian(n, degree):
    a = sp.random_array((n, n), density=degree / n, rng=random)
    a = ((a + a.T) != 0).astype(float)
    a.setdiag(0)
    return sp.diags_array(np.asarray(a.sum(1)).ravel()) - a


def saddle(n):
    a, m = grid(n), n * n // 4
    b = sp.random_array((m, n * n), density=3 / (n * n), rng=random) + sp.eye_array(m, n * n)
    return sp.block_array([[a, b.T], [b, None]])


def rows(n, per_row, diagonal):
    return sp.random_array((n, n), density=per_row / n, rng=random, data_sampler=random.standard_normal) \
        + diagonal * sp.eye_array(n)


def scaled(a, left, right):
    n = a.shape[0]
    return sp.diags_array(10.0 ** random.uniform(-left, left, n)) @ a @ sp.diags_array(10.0 ** random.uniform(-right, right, n))


def both_sides(a, digits):
    d = sp.diags_array(10.0 ** random.uniform(-digits, digits, a.shape[0]))
    return d @ a @ d


def turned(a):
    """A complex Hermitian matrix with the eigenvalues of A."""
    d = sp.diags_array(np.exp(1j * random.uniform(0, 2 * np.pi, a.shape[0])))
    a = d @ a @ d.conj().T
    return (a + a.conj().T) / 2  # to the last bit


SYSTEMS = {
    "poisson 2D": lambda: grid(200),
    "poisson 3D": lambda: sp.kron(sp.eye_array(30), grid(30)) + sp.kron(line(30, -1.0, 2.0, -1.0), sp.eye_array(900)),
    "poisson 1D": lambda: line(3000, -1.0, 2.0, -1.0),
    "anisotropic": lambda: grid(120, anisotropy=1e-3),
    "jumps": lambda: jumps(100),
    "biharmonic": lambda: grid(40) @ grid(40),
    "badly scaled SPD": lambda: both_sides(grid(80), 4),
    "badly scaled rows": lambda: scaled(grid(80, -1.5, 2.2, -0.5), 5, 0),
    "badly scaled all": lambda: scaled(grid(60, -1.2, 2.2, -0.8), 3, 3),
    "convection": lambda: grid(150, -1.3, 2.0, -0.7),
    "strong convection": lambda: grid(150, -2.5, 2.0, 0.5),
    "upwind": lambda: grid(150, -50.0, 51.0, -1.0),
    "indefinite": lambda: grid(80) - 0.3 * sp.eye_array(6400),
    "very indefinite": lambda: grid(60) - 2.1 * sp.eye_array(3600),
    "saddle point": lambda: saddle(40),
    "singular, Neumann": lambda: neumann(100),
    "singular, graph": lambda: graph_laplacian(20000, 6),
    "dominant": lambda: rows(50000, 6, 12.0),
    "random": lambda: rows(3000, 5, 3.0),
    "random, hard": lambda: rows(1000, 5, 0.5),
    "skew": lambda: line(5000, -1.0, 0.1, 1.0),
    "Grcar": lambda: sp.diags_array([-np.ones(1999)] + [np.ones(2000 - k) for k in range(4)], offsets=[-1, 0, 1, 2, 3]),
    "cyclic shift": lambda: sp.coo_array((np.ones(2000), (np.arange(2000), (np.arange(2000) + 1) % 2000))),
    "arrow": lambda: sp.block_array([[sp.diags_array(np.arange(2.0, 5002)), np.ones((5000, 1))], [np.ones((1, 5000)), 5e3 * np.eye(1)]]),
    "complex Hermitian": lambda: turned(grid(100)),
    "complex indefinite": lambda: turned(grid(50) - 0.5 * sp.eye_array(2500)),
    "complex Helmholtz": lambda: grid(80) - (0.2 + 0.05j) * sp.eye_array(6400),
    "complex dominant": lambda: rows(20000, 5, 9.0) + 1j * rows(20000, 3, 4.0),
    "least squares": lambda: sp.random_array((8000, 3000), density=2e-3, rng=random) + sp.eye_array(8000, 3000),
}


def solve(lacis, folder, seconds, *options):
    """Its result as JSON with its exit code, or nothing after the given seconds."""
    try:
        done = subprocess.run([lacis, "solve", folder / "a.npz", folder / "b.mtx", "--json", "--quiet", *options],
                              capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
    if not done.stdout:
        return {"converged": False, "code": done.returncode, "said": done.stderr.strip()}
    found = json.loads(done.stdout)
    found["code"], found["said"] = done.returncode, done.stderr.strip()
    found["whole"] = found["plan_s"] + sum(one["prepare_s"] + one["seconds"] for one in found["attempts"])
    return found


def systems_in(directory):
    sys.path.insert(0, str(Path(__file__).resolve().parent / "multigrid"))
    import files

    return {facts.stem: (lambda path=facts.with_suffix(""): files.read(path)[0])
            for facts in sorted(directory.glob("*.json")) if facts.with_suffix(".bin").exists()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lacis")
    parser.add_argument("--systems", type=Path, help="take the systems in this directory")
    parser.add_argument("--only", default="", help="systems whose name contains this")
    options = parser.parse_args()
    lacis = options.lacis
    systems = {name: make for name, make in (systems_in(options.systems) if options.systems else SYSTEMS).items() if options.only in name}
    lost = slow = 0
    print(f"{'system':24} {'auto':28} {'tried':>5} {'ms':>9}   {'fastest other':22} {'ms':>9}  ratio")
    for name, make in systems.items():
        a = sp.csr_array(make())
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            sp.save_npz(folder / "a.npz", a, compressed=False)
            scipy.io.mmwrite(folder / "b.mtx", (a @ random.standard_normal(a.shape[1]))[:, None])
            auto = min((solve(lacis, folder, 300) for _ in range(3)), key=lambda one: one["whole"])
            best = None
            for method, preconditioner in WAYS:
                limit = auto["whole"] / 2 + 0.5 + 1e-7 * a.nnz if auto["converged"] else 30
                way = solve(lacis, folder, limit, "--method", method, "--preconditioner", preconditioner)
                if way and way["converged"] and (best is None or way["whole"] < best[0]):
                    best = (way["whole"], f"{method} {preconditioner}")
        chosen = auto.get("method", "?") + (" with " + auto["preconditioner"] if auto.get("preconditioner") else "")
        verdict = f"{auto['whole'] / best[0]:5.2f}" if best and auto["converged"] else ""
        if not auto["converged"]:
            lost += best is not None
            verdict = "LOST" if best else f"no way; exit {auto['code']}"
        elif best and auto["whole"] > 2 * best[0]:
            slow += 1
            verdict += " SLOW"
        other = f"{best[1]:22} {best[0] * 1e3:9.1f}" if best else f"{'none in the time':22} {'':9}"
        print(f"{name:24} {chosen:28} {len(auto.get('attempts', [])):5} {auto.get('whole', 0) * 1e3:9.1f}   {other}  {verdict}",
              flush=True)
        if not auto["converged"]:
            print("    " + auto["said"])
    print(f"{len(systems)} systems, {lost} lost, {slow} slow")
    sys.exit(1 if lost or slow else 0)


if __name__ == "__main__":
    main()
