#!/usr/bin/env python3
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""lacis --mpi under mpirun: the hashes of one process, one message for an error, a solution that survives kills.

    tests/mpi/commands_test.py path/to/bin/lacis"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

LACIS = sys.argv[1]
ROOT = Path(__file__).resolve().parent.parent.parent
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1", "-n"]


def run(command, code=0):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
    assert done.returncode == code, f"{command}: ended with {done.returncode}, not {code}\n{done.stdout}{done.stderr}"
    return done


def found(arguments, ranks=None):
    launcher = MPIRUN + [ranks] if ranks else []
    return json.loads(run(launcher + [LACIS, *arguments, "--json", "-q"] + (["--mpi"] if ranks else [])).stdout)


def same(name, arguments, hash_of, all_ranks=(1, 3)):
    alone = hash_of(found(arguments))
    for ranks in all_ranks:
        spread = hash_of(found(arguments, ranks))
        assert spread == alone, f"{name} with {ranks} ranks: {spread}, alone {alone}"
    print(f"{name}: {alone}")


def error(arguments, code, words):
    done = run(MPIRUN + [3, LACIS, *arguments, "--mpi"], code)
    messages = [line for line in done.stderr.splitlines() if line.startswith("lacis: ")]
    assert len(messages) == 1 and words in messages[0], done.stderr
    print(messages[0])


def eigenvalues_from_states(pairs_of):
    """A search that three ranks began and two go on with ends as that of one process; so do its vectors."""
    problem = ["eigs", "@poisson3d:24", "-k", 2, "--which", "largest", "--tolerance", "1e-4"]
    with tempfile.TemporaryDirectory() as directory:
        vectors = Path(directory) / "vectors.txt"
        alone = found([*problem, "-o", vectors])
        expected = vectors.read_bytes()
        states = ["--checkpoint", Path(directory) / "states", "--every", 20]
        run(MPIRUN + [3, LACIS, *problem, *states, "--max-iterations", 50, "--mpi", "-q"], 3)
        spread = found([*problem, *states, "-o", vectors], 2)
        assert spread["resumed_at"] == 40 and pairs_of(spread) == pairs_of(alone), (spread, alone)
        assert vectors.read_bytes() == expected and not list((Path(directory) / "states").iterdir())


def main():
    for method in ("cg", "bicgstab", "gmres"):
        same(method, ["solve", "@mesh3d:24", "--method", method, "--preconditioner", "jacobi"],
             lambda all: (all["solution_hash"], all["iterations"]))
    same("amg", ["solve", "@poisson2d:150", "--method", "cg", "--preconditioner", "amg"],
         lambda all: (all["solution_hash"], all["iterations"],
                      [(one["rows"], one["entries"], one["largest_eigenvalue"]) for one in all["attempts"][-1]["hierarchy"]["levels"]]))
    same("spmv", ["spmv", "@rmat:14"], lambda all: all.get("hash") or all["products"][0]["hash"])
    same("pagerank", ["pagerank", "@rmat:14"], lambda all: (all["hash"], all["top"]))
    pairs_of = lambda all: (all["hash"], all["pairs"], all["iterations"], all["products"])
    same("eigs with amg", ["eigs", "@poisson2d:150", "-k", 2, "--tolerance", "1e-3", "--preconditioner", "amg", "--cycle", "k", "--smoother", "l1-jacobi"],
         lambda all: (pairs_of(all), all["preconditioner"]), (3,))
    for how in (["--which", "largest", "--tolerance", "1e-4"], ["--preconditioner", "jacobi", "--tolerance", "1e-3", "--type", "complex-float"]):
        same("eigs", ["eigs", "@poisson3d:24", "-k", 2, *how], pairs_of, (1, 2, 3, 4, 7))
    eigenvalues_from_states(pairs_of)
    # One process tells the hashes together, several one by one.
    alone = found(["spgemm", "@poisson3d:24"])
    spread = found(["spgemm", "@poisson3d:24"], 3)
    text = json.dumps(alone)
    for part in ("values", "columns", "row_offsets"):
        assert spread[f"hash_{part}"] in text, f"{part}: {spread[f'hash_{part}']} is not in {text}"
    with tempfile.TemporaryDirectory() as directory:
        grid = Path(directory) / "grid.csr"
        run(MPIRUN + [2, LACIS, "reorder", "@poisson3d:40", "--parts", 8, "-o", grid, "--mpi"])
        hashes = {found(["solve", grid, "--preconditioner", "ic0"], ranks)["solution_hash"] for ranks in (1, 2, 4)}
        assert len(hashes) == 1, hashes
    error(["solve", "/no/such/file.mtx"], 4, "/no/such/file.mtx")
    error(["solve", "@poisson3d:24", "--preconditioner", "ssor"], 1, "ssor")
    error(["eigs", "@rmat:10"], 4, "is not symmetric")
    error(["eigs", "@poisson3d:24", "--device", "simt"], 1, "leave --device out")
    error(["solve", "@poisson3d:24", "--method", "direct"], 1, "neither direct solvers nor mixed precision")
    run(MPIRUN + [2, LACIS, "solve", "@poisson3d:24", "--mpi", "--max-iterations", "3"], 3)
    print(run([ROOT / "bench/kill_ranks.py", Path(LACIS).parent.parent, "--kills", 3, "--matrix", "@poisson3d:48"]).stdout)


main()
