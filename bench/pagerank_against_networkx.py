#!/usr/bin/env python3
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Whether `lacis pagerank` and NetworkX agree: small graphs with and without dangling pages and personalisation.

    build/venv/bin/pip install networkx
    build/venv/bin/python bench/pagerank_against_networkx.py build/release/bin/lacis

Both stop when one iteration changes the ranks by 1e-10 in all, so each is within 0.85 / 0.15 times that of the limit. Ends with
the largest difference, and 1 where a graph is beyond twice that bound."""

import subprocess
import sys
import tempfile
from pathlib import Path

import networkx as nx
import numpy as np

DAMPING, TOLERANCE = 0.85, 1e-10
BOUND = 2 * TOLERANCE * DAMPING / (1 - DAMPING)


def graph(seed):
    kinds = [lambda: nx.gnp_random_graph(200, 0.02, seed=seed, directed=True), lambda: nx.scale_free_graph(300, seed=seed),
             nx.karate_club_graph, lambda: nx.gn_graph(150, seed=seed)]
    return nx.DiGraph(kinds[seed % 4]())


def ranks_of_lacis(lacis, folder, links, weights):
    n = links.number_of_nodes()
    lines = ["%%MatrixMarket matrix coordinate pattern general", f"{n} {n} {links.number_of_edges()}"]
    (folder / "links.mtx").write_text("\n".join(lines + [f"{u + 1} {v + 1}" for u, v in links.edges()]) + "\n")
    options = []
    if weights is not None:
        np.savetxt(folder / "weights.txt", weights)
        options = ["--personalisation", folder / "weights.txt"]
    subprocess.run([lacis, "pagerank", folder / "links.mtx", "--tolerance", str(TOLERANCE), "--max-iterations", "1000",
                    "--quiet", "-o", folder / "ranks.txt", *options], check=True, stdout=subprocess.DEVNULL)
    return np.loadtxt(folder / "ranks.txt")


def main():
    worst = 0
    for seed in range(12):
        links = graph(seed)
        n = links.number_of_nodes()
        weights = np.random.default_rng(seed).random(n) if seed % 3 == 2 else None
        start = None if weights is None else dict(enumerate(weights))
        with tempfile.TemporaryDirectory() as place:
            ours = ranks_of_lacis(sys.argv[1], Path(place), links, weights)
        theirs = nx.pagerank(links, alpha=DAMPING, tol=TOLERANCE / n, max_iter=1000, personalization=start, dangling=start,
                             weight=None)
        difference = np.abs(ours - np.array([theirs[i] for i in range(n)])).sum()
        worst = max(worst, difference)
        print(f"{n:4} pages {links.number_of_edges():4} links{' personal' if start else '':9} {difference:.2e}")
    print(f"largest difference {worst:.2e}, bound {BOUND:.2e}")
    sys.exit(1 if worst > BOUND else 0)


if __name__ == "__main__":
    main()
