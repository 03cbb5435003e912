# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Another library at work, for lacis bench: `peer.py NAME [OPERATION]` speaks a line protocol on standard input and
output. OPERATION is spmv (a matrix and a vector), spmm (a matrix and dense columns), spgemm (two sparse matrices), cg
(conjugate gradients), pagerank, trsv (a triangular system) or ilu0, ic0 (incomplete factors).

On start it says "ok VERSION" or "error REASON". Then, one answer for each line, "ok ..." or "error REASON":
  load FILE     takes a matrix and a vector (the file is described in src/workshop/measure/matrix_file.hpp); answers how it holds it
  second FILE   spgemm: takes B from such a file; without it B is A
  columns K row|column
                spmm: from now on Y = A X with K dense columns, both matrices row-major or column-major; X is made here, by
                the formula in peer_spmm.py, which is also that of src/workshop/measure/columns.hpp
  steps N       cg, pagerank: N iterations from now on
  product FILE  does the work once and writes the result to the file as raw numbers: a vector, Y in the order that
                "columns" gave, the values of factors, or the offsets of C's rows (int64), its columns (in the type of A's)
                and its values; spgemm answers how many entries C has
  run N         does the work N times; answers the seconds of one product, iteration, solution or factorisation
  quit          ends; so does the end of the input
The number of threads comes from the environment. Arrays are copied to memory of this process, untimed.
"""

import importlib
import sys

MODULES = {"spmv": "peer_spmv", "spmm": "peer_spmm", "spgemm": "peer_spgemm", "cg": "peer_cg",
           "pagerank": "peer_pagerank", "trsv": "peer_triangles", "ilu0": "peer_triangles", "ic0": "peer_triangles"}


def answer(peer, line):
    from peer_libraries import Matrix, Unusable

    command, _, rest = line.partition(" ")
    if command == "load":
        return peer.load(Matrix(rest))
    if command == "second" and hasattr(peer, "second"):
        return peer.second(Matrix(rest))
    if command == "columns" and hasattr(peer, "columns"):
        count, order = rest.split()
        return peer.columns(int(count), order)
    if command == "steps" and hasattr(peer, "steps"):
        return peer.steps(int(rest))
    if command == "product":
        return peer.product(rest)
    if command == "run":
        return repr(peer.run(int(rest)))
    raise Unusable(f"no command '{command}'")


def say(word, text):
    print(word, " ".join(str(text).split()), flush=True)


def main():
    try:
        operation = sys.argv[2] if len(sys.argv) > 2 else "spmv"
        peers = importlib.import_module(MODULES[operation]).PEERS[operation]  # needs NumPy
        from peer_libraries import Unusable
    except ImportError:
        say("error", "not installed (tools/install-peers)")
        return
    try:
        peer = peers[sys.argv[1]]()
    except (ImportError, KeyError):
        say("error", "not installed (tools/install-peers)")
        return
    except Unusable as problem:
        say("error", problem)
        return
    say("ok", peer.version)
    for line in sys.stdin:
        if line.strip() == "quit":
            return
        try:
            say("ok", answer(peer, line.rstrip("\n")))
        except Exception as problem:  # whatever a library throws is an answer, not an end
            say("error", f"{type(problem).__name__}: {problem}" if not isinstance(problem, Unusable) else problem)


if __name__ == "__main__":
    main()
