#!/usr/bin/env python3
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Multigrid of lacis against AMGCL, hypre, GAMG and PyAMG: set-up and solve to 1e-8.

    bench/multigrid/run.py BUILD --work DIRECTORY [--rounds 5] [--only TEXT] [--peers AMGCL,hypre,GAMG,PyAMG]

BUILD has bench_multigrid_lacis and, configured with AMGCL_INCLUDE, bench_multigrid_amgcl; tools/install-peers brings the others. Every peer
runs once with each of its settings, until one takes longer than two minutes; then, interleaved, lacis and the best setting of each peer that took at
most three times as long as the fastest. Prints medians with the least and the most, and the ratios. Systems are made in DIRECTORY, which needs 3 GB."""

import argparse
import contextlib
import json
import math
import os
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n", "2"]
HYPRE = ["-pc_type", "hypre", "-pc_hypre_type", "boomeramg"]
TUNED_HYPRE = ["-pc_hypre_boomeramg_strong_threshold", "0.5", "-pc_hypre_boomeramg_coarsen_type", "HMIS", "-pc_hypre_boomeramg_interp_type", "ext+i",
               "-pc_hypre_boomeramg_P_max", "4", "-pc_hypre_boomeramg_agg_nl", "1"]
SETTINGS = {
    "AMGCL": [["strength=0.08"], ["strength=0.02"], ["strength=0"]],
    "hypre": [HYPRE, HYPRE + TUNED_HYPRE],
    "GAMG": [["-pc_type", "gamg"], ["-pc_type", "gamg", "-pc_gamg_threshold", "0.02"]],
    "PyAMG": [[], ["0.25"]],
}
CONVERGED = 1e-7  # of true residuals; methods stop at 1e-8 of those that they compute, which drift
SECONDS = 120


def command_of(peer, setting, path, build, python):
    if peer == "lacis":
        return [build / "bin/bench_multigrid_lacis", path]
    if peer == "AMGCL":
        return [build / "bin/bench_multigrid_amgcl", path, *setting]
    if peer == "PyAMG":
        return [python, HERE / "pyamg_amg.py", path, *setting]
    return MPIRUN + ["/usr/bin/python3", HERE / "petsc_amg.py", path, *setting]


def measure(peer, setting, path, options):
    """What the driver printed; nothing where it failed or did not converge. Throws subprocess.TimeoutExpired."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1" if peer in ("hypre", "GAMG") else "2"}
    command = list(map(str, command_of(peer, setting, path, options.build, options.python)))
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=SECONDS, env=environment)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not lines:
        if options.verbose:
            print(f"{peer} {' '.join(setting)}: {done.stderr.strip()[-300:]}", file=sys.stderr)
        return None
    found = json.loads(lines[-1])
    found["total"] = found["setup"] + found["solve"]
    return found if found["residual"] <= CONVERGED else None


def try_settings(peer, path, options):
    """A run of every setting that converged, with the setting. Behind one that took too long no other is tried: they would take as long."""
    runs = []
    with contextlib.suppress(subprocess.TimeoutExpired):
        for setting in SETTINGS[peer]:
            if found := measure(peer, setting, path, options):
                runs.append((found, setting))
    return runs


def compare(path, options):
    """Per peer the runs of its best setting, and which that is."""
    tried = {}
    for peer in options.peers:
        if runs := try_settings(peer, path, options):
            best = min(runs, key=lambda run: run[0]["total"])
            tried[peer] = {"runs": [best[0]], "setting": best[1]}
    fastest = min((one["runs"][0]["total"] for one in tried.values()), default=0)
    running = [peer for peer, one in tried.items() if one["runs"][0]["total"] <= 3 * fastest]
    for peer in running:
        tried[peer]["runs"] = []
    tried["lacis"] = {"runs": [], "setting": []}
    for _ in range(options.rounds):
        for peer in ["lacis", *running]:
            with contextlib.suppress(subprocess.TimeoutExpired):
                if found := measure(peer, tried[peer]["setting"], path, options):
                    tried[peer]["runs"].append(found)
    return {peer: one for peer, one in tried.items() if one["runs"]}


def median(runs, key):
    return statistics.median(run[key] for run in runs)


def cell(one):
    runs = one["runs"]
    totals = [run["total"] for run in runs]
    spread = f" ({min(totals):.2f} to {max(totals):.2f})" if len(runs) > 1 else " (1 run)"
    return f"{median(runs, 'setup'):.2f} + {median(runs, 'solve'):.2f}{spread}, {median(runs, 'iterations'):.0f} it"


def geometric(values):
    values = list(values)
    return math.exp(statistics.fmean(map(math.log, values))) if values else float("nan")


def make_systems(options):
    sys.path.insert(0, str(HERE))
    import files
    import scipy.sparse as sp
    import systems

    def generate(name):
        file = options.work / "generated.npz"
        subprocess.run([options.build / "bin/lacis", "generate", "-q", name, "-o", file], check=True)
        return sp.load_npz(file)

    paths = {}
    for kind, group in (("chosen with", systems.CHOSEN_WITH), ("new", systems.NEW)):
        for name, make in group.items():
            if options.only and options.only not in name:
                continue
            path = options.work / "".join(c if c.isalnum() else "-" for c in name)
            if not path.with_suffix(".json").exists():
                made = make(generate) if make.__code__.co_argcount else make()
                a, more = made if isinstance(made, tuple) else (made, {})
                files.write(path, a, **more)
            paths[name] = (kind, path, json.loads(path.with_suffix(".json").read_text()))
    return paths


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="systems whose name contains this")
    parser.add_argument("--peers", type=lambda text: text.split(","), default=list(SETTINGS))
    parser.add_argument("--python", default=sys.executable, help="of PyAMG; default: this one")
    parser.add_argument("--verbose", action="store_true", help="say why a peer failed")
    parser.add_argument("--make", action="store_true", help="make the systems and measure nothing")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    paths = make_systems(options)
    if options.make:
        return
    peers = options.peers
    print("| system | rows | lacis: set-up + solve (total, least to most) | complexity | new values | " + " | ".join(peers) + " | fastest peer over lacis |")
    print("|---" * (6 + len(peers)) + "|", flush=True)
    ratios, setups, updates = {}, [], []
    for name, (kind, path, facts) in paths.items():
        found = compare(path, options)
        if "lacis" not in found:
            print(f"| {name} | {facts['rows']:,} | did not converge |", flush=True)
            continue
        ours = found["lacis"]["runs"]
        others = [median(found[peer]["runs"], "total") for peer in peers if peer in found]
        ratio = min(others) / median(ours, "total") if others else float("nan")
        ratios.setdefault(kind, []).append(ratio)
        if "AMGCL" in found:
            setups.append(median(found["AMGCL"]["runs"], "setup") / median(ours, "setup"))
        updates.append(median(ours, "update") / median(ours, "setup"))
        print(f"| {name} | {facts['rows']:,} | {cell(found['lacis'])} | {median(ours, 'complexity'):.2f} | {100 * updates[-1]:.0f} % | " +
              " | ".join(cell(found[peer]) if peer in found else "no" for peer in peers) + f" | {ratio:.2f} |", flush=True)
    everything = [ratio for group in ratios.values() for ratio in group]
    print(f"\ngeometric mean of the last column {geometric(everything):.2f}" +
          "".join(f", {kind}: {geometric(group):.2f}" for kind, group in ratios.items()) + f"; least {min(everything):.2f}")
    print(f"set-up of AMGCL over that of lacis: geometric mean {geometric(setups):.2f}, least {min(setups, default=float('nan')):.2f}")
    print(f"new values for an old pattern: {100 * min(updates):.0f} to {100 * max(updates):.0f} % of a set-up")


if __name__ == "__main__":
    main()
