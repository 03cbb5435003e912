#!/usr/bin/env python3
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Results that must never change: hashes of products, sparse products and solutions against tests/golden/hashes.tsv.

    tests/golden/run.py LACIS            compares; ends with 1 when a hash differs
    tests/golden/run.py LACIS --write    records what this build computes
    tests/golden/run.py LACIS --on Nehalem   compares every fourth result on another processor, emulated by qemu-x86_64: one without AVX

Each line of the table is a hash and the command that prints it. Random values use every bit, so another order of summation shows."""

import json
import subprocess
import sys
from pathlib import Path

TABLE = Path(__file__).with_name("hashes.tsv")
RANDOM = ["--values", "random"]
MATRICES = ["@poisson2d:40", "@poisson3d:14", "@stencil27:12", "@rmat:10", "@rmat:12,8", "@uniform:3000,10", "@mesh3d:9",
            "@powerlaw:5000,4,2000", "@banded:2000,7", "@kmer:20000", "@density:600,0.02"]
PAIRS = [("@poisson2d:30", "@poisson2d:30"), ("@rmat:9", "@rmat:9"), ("@uniform:1024,6", "@rmat:10"), ("@banded:900,5", "@banded:900,9"),
         ("@density:300,0.05", "@density:300,0.05")]
METHODS = ["cg", "minres", "gmres", "fgmres", "bicgstab", "chebyshev", "lsqr"]
PRECONDITIONERS = ["none", "jacobi", "block-jacobi", "ssor", "ilu0", "ic0", "chebyshev", "amg"]


def commands():
    for matrix in MATRICES:
        yield ["spmv", matrix, *RANDOM]
    for a, b in PAIRS:
        for kind in ("float", "double", "complex-float", "complex-double"):
            yield ["spgemm", a, b, *RANDOM, "--type", kind]
    for method in METHODS:
        yield ["solve", "@poisson2d:30", "--method", method, "--preconditioner", "none"]
        yield ["solve", "@poisson3d:9", "--method", method, "--preconditioner", "none", "--type", "complex-double"]
    for preconditioner in PRECONDITIONERS:
        yield ["solve", "@poisson3d:10", "--method", "cg", "--preconditioner", preconditioner]
    yield ["solve", "@poisson2d:60", "--method", "cg", "--preconditioner", "amg", "--cycle", "k"]
    yield ["solve", "@poisson2d:60", "--method", "cg", "--preconditioner", "amg", "--smoother", "l1-jacobi"]
    yield ["solve", "@stencil27:8"]
    yield ["solve", "@stencil27:8", "--method", "cg", "--mixed"]
    for matrix in ("@rmat:10", "@kmer:20000"):
        yield ["pagerank", matrix]
    yield ["eigs", "@poisson2d:30", "-k", "4", "--preconditioner", "amg"]
    yield ["eigs", "@poisson2d:60", "-k", "2", "--preconditioner", "amg", "--cycle", "k", "--smoother", "l1-jacobi"]
    yield ["eigs", "@poisson3d:9", "-k", "3", "--which", "largest", "--method", "lanczos"]


def hash_of(program, command):
    ran = subprocess.run([*program, *command, "--json", "--quiet"], capture_output=True, text=True)
    if ran.returncode != 0:
        return f"exit {ran.returncode}: {ran.stderr.strip()}"
    report = json.loads(ran.stdout)
    found = report.get("solution_hash", report.get("hash"))
    return found if isinstance(found, str) else "-".join(str(part) for part in found.values())


def main():
    program = sys.argv[1:2]
    if sys.argv[2:] == ["--write"]:
        TABLE.write_text("".join(f"{hash_of(program, command)}\t{' '.join(command)}\n" for command in commands()))
        return 0
    lines = [line.split("\t") for line in TABLE.read_text().splitlines()]
    assert [command for _, command in lines] == [" ".join(command) for command in commands()], "hashes.tsv lists other commands"
    if sys.argv[2:3] == ["--on"]:
        program = ["qemu-x86_64", "-cpu", sys.argv[3], *program]
        lines = lines[::4]
    failed = 0
    for expected, command in lines:
        found = hash_of(program, command.split())
        if found != expected:
            failed += 1
            print(f"lacis {command}: {found}, recorded is {expected}")
    print(f"golden: {len(lines)} results, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
