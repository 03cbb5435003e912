#!/usr/bin/env python3
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""What -mat_type lacis changes for a PETSc program: examples/petsc/laplacian.c with both types interleaved.

    bench/petsc_mat_type.py build/release [--points 128] [--rounds 5] [--ranks 1 2] [--solvers jacobi gamg]

Prints, for each solver and number of ranks, the medians of the program's own times, the least and the most of all rounds, the
ratio of the medians, the iterations, and the bytes of the copies beside those of AIJ. The first product is the one that makes
the copy of the matrix; copies of coarse levels are made in the set up and in the solution."""

import argparse
import re
import statistics
import subprocess
import sys
from pathlib import Path

SOLVERS = ["jacobi", "gamg"]  # before conjugate gradients
LINE = re.compile(r"(\w+) after (\d+) iterations, .*\nfirst product (\S+) s, set up (\S+) s, solve (\S+) s")
COPY = re.compile(r"lacis \[\d+\] .*: (\d+) bytes beside AIJ's (\d+)\.")


def run(build, ranks, points, solver, mat_type, extra=()):
    command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n", str(ranks),
               build / "bin/example_petsc_laplacian", "-n", str(points), "-mat_type", mat_type,
               "-ksp_type", "cg", "-pc_type", solver, *extra]
    if mat_type == "lacis":
        command += ["-dll_prepend", build / "lib/liblacis_petsc.so"]
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    reason, iterations, *seconds = LINE.search(text).groups()
    if not reason.startswith("CONVERGED"):
        sys.exit(f"{' '.join(map(str, command))}: {reason}")
    return int(iterations), list(map(float, seconds)), text


def spread(times):
    return f"{statistics.median(times):.3f} s ({min(times):.3f} to {max(times):.3f})"


def compare(build, ranks, points, solver, rounds):
    times = {"aij": [], "lacis": []}
    iterations = {}
    for _ in range(rounds):
        for mat_type in times:
            iterations[mat_type], seconds, _ = run(build, ranks, points, solver, mat_type)
            times[mat_type].append(seconds)
    *_, text = run(build, ranks, points, solver, "lacis", ["-mat_lacis_view"])
    ours, aij = (sum(map(int, column)) for column in zip(*COPY.findall(text)))
    print(f"cg + {solver}, {ranks} rank{'s' if ranks > 1 else ''}, {points}^3 points, {rounds} rounds")
    figures = {}
    for mat_type, seconds in times.items():
        first, set_up, solve = zip(*seconds)
        figures[mat_type] = statistics.median(solve), min(solve), statistics.median(map(sum, seconds))
        print(f"  {mat_type:6} solve {spread(solve)}, set up {spread(set_up)}, first product {spread(first)}, "
              f"{iterations[mat_type]} iterations")
    median, least, everything = (theirs / mine for theirs, mine in zip(figures["aij"], figures["lacis"]))
    print(f"  aij / lacis: {median:.2f} in the solution ({least:.2f} of the least), {everything:.2f} in all three; "
          f"copies {ours / 1e6:.1f} MB beside {aij / 1e6:.1f} MB of AIJ", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--points", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--solvers", nargs="+", choices=SOLVERS, default=SOLVERS)
    arguments = parser.parse_args()
    for ranks in arguments.ranks:
        for solver in arguments.solvers:
            compare(arguments.build.resolve(), ranks, arguments.points, solver, arguments.rounds)


if __name__ == "__main__":
    main()
