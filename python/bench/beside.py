# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Whether lacis and another package with threads of its own slow each other down in one process.

    python python/bench/beside.py [--rounds 15] [--with sklearn] [--with torch]

Every round starts three processes in random order: the other package alone, lacis alone, and both, with lacis imported first in every
second round. Each times its own work, with a call of the other one between two samples; alone, one thread is busy for as long instead, since
threads that have gone to sleep meanwhile are slow to start again, whoever took the time. Printed is the time alone over the time beside, paired
by round: the median with its 95 % interval. 1 is no influence; the interval should reach 0.95."""

import argparse
import json
import random
import statistics
import subprocess
import sys

WORK = """
import json, sys, time
import numpy as np
parts, order = json.loads(sys.argv[1]), json.loads(sys.argv[2])
run = {}
for name in order:
    if name == "lacis":
        import lacis
        P = lacis.plan("@poisson3d:80")
        x = np.ones(P.shape[1])
        run[name] = lambda: [P @ x for _ in range(20)]
    elif name == "sklearn":
        from sklearn.cluster import KMeans
        points = np.random.default_rng(1).standard_normal((20000, 16))
        run[name] = lambda: KMeans(8, n_init=1, max_iter=20, tol=0, random_state=1).fit(points)
    else:
        import torch
        a = torch.ones(700, 700)
        run[name] = lambda: [a @ a for _ in range(10)]
def busy():
    end = time.perf_counter() + 0.04
    while time.perf_counter() < end:
        pass

if len(run) == 1:
    run["busy"] = busy
for f in run.values():
    f()
times = {name: [] for name in parts}
for _ in range(9):
    for name, work in run.items():
        begin = time.perf_counter()
        work()
        if name in times:
            times[name].append(time.perf_counter() - begin)
print(json.dumps({name: sorted(t)[len(t) // 2] for name, t in times.items()}))
"""


def measured(*names):
    done = subprocess.run([sys.executable, "-c", WORK, json.dumps(sorted(names)), json.dumps(names)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def interval(ratios):
    """The 95 % interval of the median, by resampling."""
    draw = random.Random(1)
    medians = sorted(statistics.median(draw.choices(ratios, k=len(ratios))) for _ in range(2000))
    return medians[50], medians[-51]


def compare(other, rounds):
    found = {"lacis": [], other: []}
    draw = random.Random(2)
    for k in range(rounds):
        both = ("lacis", other) if k % 2 else (other, "lacis")
        runs = [("lacis",), (other,), both]
        draw.shuffle(runs)
        times = {names: measured(*names) for names in runs}
        for name in found:
            found[name].append(times[(name,)][name] / times[both][name])
    good = True
    for name, ratios in found.items():
        low, high = interval(ratios)
        good &= high >= 0.95
        print(f"{name:8} beside {other if name == 'lacis' else 'lacis':8} {statistics.median(ratios):.3f} ({low:.3f} to {high:.3f})", flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--with", dest="others", action="append", choices=("sklearn", "torch"))
    options = parser.parse_args()
    return 0 if all([compare(other, options.rounds) for other in options.others or ["sklearn"]]) else 1


if __name__ == "__main__":
    sys.exit(main())
