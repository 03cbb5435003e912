#!/usr/bin/env python3
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Kills a random rank of a supervised solution at a random time, again and again, and compares the final bits.

    bench/kill_ranks.py build/release [--kills 20] [--ranks 3] [--matrix @poisson3d:80] [--method cg]

Each round starts tools/supervise with mpirun and a fresh directory of checkpoints, kills one lacis process with SIGKILL after a
random part of the time that an undisturbed run takes, and waits for the end. In the last round the supervisor goes on with fewer
ranks. A round that ends with other bits, with an error or not at all ends the program with an error."""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n"]
SUPERVISE = Path(__file__).resolve().parent.parent / "tools/supervise"


def command(options, ranks, directory):
    return MPIRUN + [str(ranks), str(options.build / "bin/lacis"), "solve", options.matrix, "--mpi", "--method", options.method,
                     "--preconditioner", "jacobi", "--tolerance", "1e-10", "--checkpoint", str(directory), "--every",
                     str(options.every), "--json", "-q"]


def ranks_of(directory):
    """The lacis processes whose checkpoints are in a directory."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0].endswith(b"bin/lacis") and str(directory).encode() in words:
            found.append(int(entry.name))
    return found


def supervised(options, ranks, directory, kill_after=None, fewer=None):
    line = [str(SUPERVISE)]
    if fewer:
        line += ["--fewer", " ".join(command(options, fewer, directory))]
    begin = time.time()
    run = subprocess.Popen(line + ["--"] + command(options, ranks, directory), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           text=True)
    killed = False
    if kill_after is not None:
        time.sleep(kill_after)
        victims = ranks_of(directory)
        if victims:
            try:
                os.kill(random.choice(victims), signal.SIGKILL)
                killed = True
            except ProcessLookupError:
                pass
    output, errors = run.communicate(timeout=options.patience)
    if run.returncode != 0:
        sys.exit(f"ended with {run.returncode}: {errors}")
    found = json.loads(output[output.rindex("\n{\n") + 1 if "\n{\n" in output else output.index("{"):])
    return found, killed, time.time() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--ranks", type=int, default=3)
    parser.add_argument("--matrix", default="@poisson3d:80")
    parser.add_argument("--method", default="cg")
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=300)
    options = parser.parse_args()
    random.seed(options.seed)
    work = Path(tempfile.mkdtemp(prefix="lacis-kill-"))
    try:
        whole, _, seconds = supervised(options, options.ranks, work / "whole")
        print(f"undisturbed: {whole['iterations']} iterations in {seconds:.1f} s, hash {whole['solution_hash']}", flush=True)
        kills = round_number = 0
        while kills < options.kills:
            is_last = kills == options.kills - 1
            directory = work / f"round-{round_number}"
            round_number += 1
            found, killed, spent = supervised(options, options.ranks, directory, random.uniform(0.05, 1.0) * seconds,
                                              options.ranks - 1 if is_last else None)
            kills += killed
            same = found["solution_hash"] == whole["solution_hash"] and found["iterations"] == whole["iterations"]
            print(f"{kills:3} {'killed' if killed else 'ended before'}, resumed at {found['resumed_at']:5}, {found['processes']} "
                  f"ranks at the end, {spent:5.1f} s, {'same bits' if same else 'OTHER BITS'}", flush=True)
            if not same:
                sys.exit("the bits differ")
        print(f"{kills} kills, {kills} recoveries, the same bits every time")
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
