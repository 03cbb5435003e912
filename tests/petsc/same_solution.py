#!/usr/bin/env python3
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Runs an ordinary PETSc program with -mat_type aij and with -mat_type lacis: the same number of iterations, and an error
within what the tolerance allows.

    same_solution.py MPIRUN RANKS PROGRAM LIBRARY [OPTIONS OF THE PROGRAM]"""

import re
import subprocess
import sys

LINE = re.compile(r"(\w+) after (\d+) iterations, error (\S+), bound (\S+)")


def run(mpirun, ranks, program, options):
    # Yielding is for ranks that outnumber cores: without it each of them waits for its turn by keeping the others from theirs.
    command = [mpirun, "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n", ranks, program]
    done = subprocess.run(command + options, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    found = LINE.search(done.stdout)
    if done.returncode or not found:
        sys.exit(f"{' '.join(command + options)} ended with {done.returncode}:\n{done.stdout}")
    reason, iterations, error, bound = found.groups()
    print(f"{' '.join(options)}\n  {found.group(0)}")
    if not reason.startswith("CONVERGED") or float(error) > float(bound):
        sys.exit("not solved")
    return int(iterations), done.stdout


def main():
    mpirun, ranks, program, library, *options = sys.argv[1:]
    # The norm that the bound is about.
    options += ["-ksp_rtol", "1e-8", "-ksp_norm_type", "unpreconditioned"]
    theirs, _ = run(mpirun, ranks, program, ["-mat_type", "aij", *options])
    ours, text = run(mpirun, ranks, program, ["-mat_type", "lacis", "-dll_prepend", library, "-mat_lacis_view", *options])
    for rank in range(int(ranks)):
        if f"lacis [{rank}] " not in text:
            sys.exit(f"rank {rank} made no copy: the products were not those of lacis\n{text}")
    if ours != theirs:
        sys.exit(f"{theirs} iterations with aij, {ours} with lacis")


if __name__ == "__main__":
    main()
