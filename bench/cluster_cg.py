#!/usr/bin/env python3
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Conjugate gradients on processes: lacis --mpi against PETSc AIJ with as many ranks, and against lacis with as many threads.

    bench/cluster_cg.py build/release [--points 200] [--ranks 2] [--rounds 5] [--iterations 60]

All three interleaved, on the Laplacian of points^3; prints the median time of an iteration with the least and the most, the ratios
round by round, and what the exchange of a product takes beside a bare MPI program that moves the same messages."""

import argparse
import json
import re
import statistics
import subprocess
from pathlib import Path

MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n"]


def text_of(command):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 3):  # 3: as many iterations as were asked for did not suffice
        raise SystemExit(f"{' '.join(map(str, command))}: {done.stderr}")
    return done.stdout


def lacis(options, launcher, extra):
    command = launcher + [options.build / "bin/lacis", "solve", f"@poisson3d:{options.points}", "--method", "cg",
                          "--preconditioner", "none", "--max-iterations", options.iterations, "--tolerance", "0", "--json", "-q",
                          *extra]
    found = json.loads(text_of(command))
    return found["seconds"] / found["iterations"]


def petsc(options):
    command = MPIRUN + [options.ranks, options.build / "bin/example_petsc_laplacian", "-n", options.points, "-mat_type", "aij",
                        "-ksp_type", "cg", "-pc_type", "none", "-ksp_max_it", options.iterations, "-ksp_rtol", "1e-30"]
    text = text_of(command)
    iterations = int(re.search(r"after (\d+) iterations", text)[1])
    return float(re.search(r"solve (\S+) s", text)[1]) / iterations


def spread(times, scale=1e3, unit="ms"):
    return f"{scale * statistics.median(times):8.2f} {unit} ({scale * min(times):.2f} to {scale * max(times):.2f})"


def ratio(theirs, ours):
    each = [a / b for a, b in zip(theirs, ours)]
    return f"{statistics.median(each):.2f} ({min(each):.2f} to {max(each):.2f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--points", type=int, default=200)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=60)
    options = parser.parse_args()
    launcher = MPIRUN + [options.ranks]
    times = {"lacis --mpi": [], "lacis threads": [], "petsc aij": []}
    for _ in range(options.rounds):
        times["lacis --mpi"].append(lacis(options, launcher, ["--mpi"]))
        times["petsc aij"].append(petsc(options))
        times["lacis threads"].append(lacis(options, [], ["--threads", options.ranks]))
    print(f"CG on {options.points}^3 points, an iteration, {options.ranks} ranks or threads, {options.rounds} rounds")
    for name, seconds in times.items():
        print(f"  {name:14} {spread(seconds)}")
    print(f"  petsc / lacis --mpi          {ratio(times['petsc aij'], times['lacis --mpi'])}")
    print(f"  lacis threads / lacis --mpi  {ratio(times['lacis threads'], times['lacis --mpi'])}")
    ours, bare = [], []
    for _ in range(options.rounds):
        found = json.loads(text_of(launcher + [options.build / "bin/lacis", "spmv", f"@poisson3d:{options.points}", "--mpi", "--json"]))
        ours.append(found["exchange_s"])
        bare.append(float(re.search(r"median (\S+) us", text_of(launcher + [options.build / "bin/bench_bare_exchange",
                                                                            options.points]))[1]) / 1e6)
    print(f"exchange of a product ({found['exchange']}, {found['sent_bytes']} bytes in {found['messages']} messages)")
    print(f"  lacis {spread(ours, 1e6, 'us')}\n  bare  {spread(bare, 1e6, 'us')}\n  lacis / bare  {ratio(ours, bare)}")


if __name__ == "__main__":
    main()
