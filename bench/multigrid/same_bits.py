#!/usr/bin/env python3
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""One hash for multigrid and eigenvalues, whoever computes: threads, instruction sets and ranks.

    bench/multigrid/same_bits.py BUILD --work DIRECTORY [--only TEXT] [--pairs TEXT] [--methods TEXT] [--threads 1,2,3,7] [--ranks 1,2,3,4,7]

Takes the systems that run.py --make has made in DIRECTORY. On each: the levels of the hierarchy and the solution of CG (BiCGSTAB where A is not
symmetric) with multigrid. On those that are symmetric and whose name contains --pairs: the pairs of LOBPCG with multigrid, smallest, and of
Lanczos, largest, after at most 20 and 100 iterations: the ends of these spectra are crowded, and the bits of pairs that have not converged yet
say as much. Prints one line per system and method; the exit status is 1 where hashes differ."""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import scipy.sparse as sp
from files import read

MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n"]
METHODS = {
    "CG with multigrid": ["solve", "--method", "cg", "--preconditioner", "amg"],
    "BiCGSTAB with multigrid": ["solve", "--method", "bicgstab", "--preconditioner", "amg"],
    "LOBPCG with multigrid": ["eigs", "-k", "4", "--preconditioner", "amg", "--tolerance", "1e-6", "--max-iterations", "20"],
    "Lanczos": ["eigs", "-k", "4", "--which", "largest", "--tolerance", "1e-4", "--max-iterations", "100"],
}


def run(program, arguments, file, threads=2, isa=None, ranks=0):
    """The hash, and what else must not depend on who computes."""
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), **({"LACIS_ISA": isa} if isa else {})}
    launcher = [*MPIRUN, str(ranks)] if ranks else []
    command = [*launcher, program, arguments[0], file, *arguments[1:], "--json", "-q", *(["--mpi"] if ranks else [])]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        found = json.loads(done.stdout)
    except json.JSONDecodeError:
        return f"exit status {done.returncode}: {done.stderr.strip()[-200:]}"
    levels = [(one["rows"], one["entries"], one["largest_eigenvalue"])
              for attempt in found.get("attempts", []) for one in attempt.get("hierarchy", {}).get("levels", [])]
    return (found.get("solution_hash") or found["hash"], found["iterations"], *levels)


def variants(options, isas):
    yield from (("threads", count, {"threads": count}) for count in options.threads)
    yield from (("isa", isa, {"isa": isa}) for isa in isas)
    yield from (("ranks", count, {"threads": 1, "ranks": count}) for count in options.ranks)


def main():
    def numbers(text):
        return [int(number) for number in text.split(",") if number]

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--only", default="", help="systems whose file name contains this")
    parser.add_argument("--pairs", default="7-point-64", help="systems whose eigenvalues are computed too")
    parser.add_argument("--methods", default="", help="methods whose name contains this")
    parser.add_argument("--threads", type=numbers, default=[1, 2, 3, 7])
    parser.add_argument("--ranks", type=numbers, default=[1, 2, 3, 4, 7])
    options = parser.parse_args()
    program = options.build / "bin/lacis"
    isas = [isa for isa in ("scalar", "avx2", "avx512")
            if subprocess.run([program, "spmv", "@poisson2d:4", "-q"], env={**os.environ, "LACIS_ISA": isa}, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE).returncode == 0]
    print(f"threads {options.threads}, instruction sets {isas}, ranks {options.ranks}\n\n| system | method | iterations | hash | runs that differ |\n" +
          "|---" * 5 + "|", flush=True)
    differing = 0
    for facts in sorted(options.work.glob("*.json")):
        system = facts.with_suffix("")
        if options.only not in system.name or not system.with_suffix(".bin").exists():
            continue
        symmetric = json.loads(facts.read_text())["symmetric"]
        file = options.work / "same_bits.npz"
        sp.save_npz(file, read(system)[0], compressed=False)
        names = ["CG with multigrid" if symmetric else "BiCGSTAB with multigrid"]
        if symmetric and options.pairs in system.name:
            names += ["LOBPCG with multigrid", "Lanczos"]
        for name in filter(lambda name: options.methods in name, names):
            expected = run(program, METHODS[name], file)
            others = []
            count = 0
            for kind, which, how in variants(options, isas):
                count += 1
                if run(program, METHODS[name], file, **how) != expected:
                    others.append(f"{kind} {which}")
            differing += len(others) + isinstance(expected, str)
            said = expected if isinstance(expected, str) else f"{expected[1]} | {expected[0]}"
            print(f"| {system.name} | {name} | {said} | {', '.join(others) or 'none'} of {count} |", flush=True)
    print(f"\n{differing} differ")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
