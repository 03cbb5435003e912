#!/usr/bin/env python3
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""lacis eigs against SLEPc on two ranks and ARPACK: a few eigenvalues at one end, to one relative residual.

    bench/eigenvalues/run.py BUILD --work DIRECTORY [--rounds 5] [--only TEXT]

Every setting of SLEPc runs once, and ARPACK; then, interleaved, lacis, SLEPc's best, and ARPACK where it took at most ten times as long. Times are
those of the call, preconditioner included; the matrix is in memory. Prints medians with the least and the most, ratios, and how far values are
apart: a method that misses copies of a multiple eigenvalue is far off. tools/install-peers brings SLEPc."""

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "multigrid"))
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n", "2"]
GAMG = ["-st_type", "precond", "-st_pc_type", "gamg"]
TOLERANCE = "1e-7"
SECONDS = 300

# Name: generator of lacis, how many, which end, options of lacis, settings of SLEPc.
CASES = {
    "6 smallest, 7-point 60^3": ("@poisson3d:60", 6, "smallest", ["--preconditioner", "amg"],
                                 [["-eps_type", "gd", *GAMG], ["-eps_type", "lobpcg", *GAMG], ["-eps_type", "krylovschur"]]),
    "6 smallest, 7-point 100^3": ("@poisson3d:100", 6, "smallest", ["--preconditioner", "amg"],
                                  [["-eps_type", "gd", *GAMG], ["-eps_type", "lobpcg", *GAMG]]),
    "10 largest, R-MAT 18 symmetrised": ("@rmat:18", 10, "largest", [], [["-eps_type", "krylovschur"], ["-eps_type", "krylovschur", "-eps_ncv", "40"]]),
}


def measured(command, threads):
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    try:
        done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=SECONDS, env=environment)
    except subprocess.TimeoutExpired:
        return None
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not (lines or done.stdout.startswith("{")):
        print(done.stderr.strip()[-300:], file=sys.stderr)
        return None
    return json.loads(lines[-1] if len(lines[-1]) > 1 else done.stdout)


def lacis(options, file, count, which, extra):
    found = measured([options.build / "bin/lacis", "eigs", file, "-k", count, "--which", which, "--tolerance", TOLERANCE, "--json", "-q", *extra], 2)
    if found is None:
        return None
    return {"seconds": found["prepare_s"] + found["seconds"], "values": [pair["eigenvalue"] for pair in found["pairs"]]}


def words(runs):
    if not runs:
        return "no"
    times = [run["seconds"] for run in runs]
    return f"{statistics.median(times):.2f} ({min(times):.2f} to {max(times):.2f})"


def main():
    import files
    import scipy.sparse as sp

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="cases whose name contains this")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    print("| case | lacis, s | SLEPc, 2 ranks, s | ARPACK, s | SLEPc over lacis | ARPACK over lacis | SLEPc: largest relative difference of values | ARPACK |")
    print("|---" * 8 + "|", flush=True)
    for name, (generator, count, which, extra, settings) in CASES.items():
        if options.only not in name:
            continue
        path = options.work / "".join(c if c.isalnum() else "-" for c in name)
        matrix = path.with_suffix(".npz")
        if not path.with_suffix(".json").exists():
            subprocess.run([options.build / "bin/lacis", "generate", "-q", generator, "-o", matrix], check=True)
            a = sp.load_npz(matrix).tocsr().astype(float)
            if abs(a - a.T).nnz:
                a = ((a + a.T) / 2).tocsr()
            sp.save_npz(matrix, a, compressed=False)
            files.write(path, a)
        slepc = lambda setting: measured(MPIRUN + ["/usr/bin/python3", HERE / "slepc_eigs.py", path, count, which, TOLERANCE, *setting], 1)
        tried = [(found, setting) for setting in settings if (found := slepc(setting))]
        best = min(tried, key=lambda one: one[0]["seconds"])[1] if tried else None
        arpack = lambda: measured([sys.executable, HERE / "scipy_eigs.py", path, count, which, TOLERANCE], 2)
        first = arpack()
        is_slow = not first or (tried and first["seconds"] > 10 * min(found["seconds"] for found, _ in tried))
        runs = {"lacis": [], "SLEPc": [], "ARPACK": [first] if first and is_slow else []}
        for _ in range(options.rounds):
            for who, found in (("lacis", lacis(options, matrix, count, which, extra)), ("SLEPc", best and slepc(best)),
                               ("ARPACK", None if is_slow else arpack())):
                if found:
                    runs[who].append(found)
        ratio = {who: statistics.median(r["seconds"] for r in runs[who]) / statistics.median(r["seconds"] for r in runs["lacis"])
                 for who in ("SLEPc", "ARPACK") if runs[who]}
        ours = sorted(runs["lacis"][0]["values"])
        apart = {who: max((abs(x - y) / abs(x) for run in runs[who] for x, y in zip(ours, sorted(run["values"]))), default=float("nan"))
                 for who in ("SLEPc", "ARPACK")}
        print(f"| {name} | {words(runs['lacis'])} | {words(runs['SLEPc'])}{' `' + ' '.join(best) + '`' if best else ''} | {words(runs['ARPACK'])} | " +
              " | ".join(f"{ratio[who]:.1f}" if who in ratio else "no" for who in ("SLEPc", "ARPACK")) + f" | {apart['SLEPc']:.1e} | {apart['ARPACK']:.1e} |", flush=True)


if __name__ == "__main__":
    main()
