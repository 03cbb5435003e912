#!/usr/bin/env python3
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Whether one build of the program is slower than another: both interleaved, old new old new, on the same matrices.

    bench/two_builds.py OLD NEW [--pairs 7] [--cases spmv:stencil cg:poisson] [--seconds 0.3] [--threads 2]

OLD and NEW are two lacis programs. Times are the program's own (lacis bench spmv and cg, without other libraries). Prints for
each case the median of the paired ratios of speed, new over old, with its 95 % bootstrap interval, and ends with 1 when the
upper end of an interval is below 0.97. With the defaults it takes about ten minutes on two cores."""

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

MATRICES = {  # those of the README's figures, some smaller
    "stencil": ["@stencil27:120", "--values", "random"],
    "stencil-iso": ["@stencil27:120"],
    "poisson": ["@poisson3d:150", "--values", "random"],
    "poisson-iso": ["@poisson3d:150"],
    "rmat": ["@rmat:20", "--values", "random"],
    "uniform": ["@uniform:2000000,10"],
    "mesh": ["@mesh3d:80"],
    "powerlaw": ["@powerlaw:3000000,4,2000000", "--values", "random"],
    "tiny": ["@poisson2d:40"],
}
CASES = [f"spmv:{name}" for name in MATRICES if name != "tiny"] + ["cg:poisson-iso", "cg:mesh"]
LEAST = 0.97


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--pairs", type=int, default=7, help="runs of each program on each case; default: 7")
    parser.add_argument("--cases", nargs="+", default=CASES, metavar="OPERATION:MATRIX",
                        help=f"spmv or cg, and one of {', '.join(MATRICES)}; default: all but tiny")
    parser.add_argument("--seconds", type=float, default=0.3, help="that a run measures for; default: 0.3")
    parser.add_argument("--threads", type=int, default=0, help="default: those of the program")
    given = parser.parse_args()
    for case in given.cases:
        operation, _, matrix = case.partition(":")
        if operation not in ("spmv", "cg") or matrix not in MATRICES:
            parser.error(f"no case '{case}'; known are {' '.join(CASES)} spmv:tiny cg:tiny")
    return given


def run(program, *options):
    ran = subprocess.run([program, *options], capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(f"{program} {' '.join(map(str, options))}: exit {ran.returncode}: {ran.stderr.strip()}")
    return ran.stdout


def times(program, operation, matrix, given):
    """Seconds of one product or iteration, by name: csr and plan for spmv."""
    options = ["bench", operation, matrix, "--seconds", str(given.seconds), "--json", "--quiet"]
    if operation == "spmv":
        options += ["--formats", "csr,plan"]
    if given.threads:
        options += ["--threads", str(given.threads)]
    entries = json.loads(run(program, *options))["entries"]
    wanted = ("csr", "plan") if operation == "spmv" else ("lacis",)
    return {entry["name"]: entry["median_s"] for entry in entries if entry["name"] in wanted}


def interval(ratios):
    """Median and 95 % interval, by 2000 resamplings with a fixed seed."""
    draw = random.Random(1)
    medians = sorted(statistics.median(draw.choices(ratios, k=len(ratios))) for _ in range(2000))
    return statistics.median(ratios), medians[49], medians[1949]


def main():
    given = arguments()
    slower = []
    print(f"speed of {given.new} over that of {given.old}, {given.pairs} pairs")
    with tempfile.TemporaryDirectory() as folder:
        for case in given.cases:
            operation, _, name = case.partition(":")
            matrix = Path(folder) / f"{name}.csr"
            if not matrix.exists():
                run(given.old, "generate", *MATRICES[name], "-o", matrix, "--quiet")
            pairs = []
            for _ in range(given.pairs):
                pairs.append([times(program, operation, matrix, given) for program in (given.old, given.new)])
            for what in pairs[0][0]:
                median, low, high = interval([old[what] / new[what] for old, new in pairs])
                verdict = "slower" if high < LEAST else "ok"
                label = case if what == "lacis" else f"{case} {what}"
                print(f"  {label:24} {median:.3f} ({low:.3f} to {high:.3f})  {verdict}", flush=True)
                if high < LEAST:
                    slower.append(label)
    if slower:
        sys.exit(f"slower: {', '.join(slower)}")


if __name__ == "__main__":
    main()
