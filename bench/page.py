#!/usr/bin/env python3
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Measures everything in one run and writes it into docs/guide/benchmarks.md, between its two marks: host, processor, commit, a row per
measurement with its 95 % interval, and first the rows in which lacis loses.

    bench/page.py LACIS [--runs 3] [--seconds 3] [--peers mkl,eigen,scipy,graphblas] [--only spmv cg] [--print]

LACIS is the program of a Release build; tools/install-peers installs the other libraries. --print writes the section to standard output.
Without peers (--peers none) products are compared with a plain loop. About 3 s per row, library and run: every row is measured once before any is
measured again, so that runs are minutes apart, and the page has the gain in each of them."""

import argparse
import datetime
import json
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/guide/benchmarks.md"
MARKS = ("<!-- measured by bench/page.py: begin -->\n", "<!-- measured by bench/page.py: end -->\n")
ROWS = {  # operation: the arguments of each measurement
    "spmv": ["@stencil27:150 --values symmetric", "@stencil27:150", "@poisson3d:200 --values symmetric", "@poisson3d:200", "@rmat:22 --values random",
             "@uniform:4000000,10", "@mesh3d:100", "@banded:600000,10 --values random",
             *(f"@mesh3d:{size}{order} --values random" for size in (40, 60, 100) for order in ("", ",shuffled"))],
    "spmm": [*(f"{matrix} --values random" for matrix in ("@stencil27:60", "@mesh3d:60", "@rmat:18", "@uniform:500000,16")),
             *(f"{matrix} --values random --order column --columns 8,32" for matrix in ("@stencil27:60", "@mesh3d:60"))],
    "powers": [f"{matrix} --values {values}" for matrix in ("@poisson3d:200", "@stencil27:120", "@poisson2d:2000") for values in ("natural", "symmetric")],
    "spgemm": ["@rmat:16 --values random", "@stencil27:60 --values random", "@poisson3d:100 --values random", "@mesh3d:50 --values random",
               *(f"@density:{rows},{density} --values random" for rows in (4096, 8192, 16384, 32768) for density in ("1e-3", "1e-4", "1e-5"))],
    "cg": ["@poisson3d:200", "@poisson3d:100"],
    "pagerank": ["@rmat:22 --values pattern"],
    "trsv": ["@poisson3d:100", "@poisson2d:1000", "@stencil27:60", "@mesh3d:60"],
    "ilu0": ["@poisson3d:100", "@mesh3d:60"],
    "batch": [""],
}


MOST_SECONDS = 180  # of a row: another library may take minutes
WITHOUT_PEERS = ("powers", "batch")  # lacis measures those against loops of its own
LEFT_OUT = {"pagerank": {"mkl", "eigen"}, "cg": {"graphblas"}, "spmm": {"graphblas"}, "trsv": {"scipy", "graphblas", "eigen"}, "ilu0": {"scipy", "graphblas", "eigen"}}
INSTEAD = {"spgemm": {"mkl": "mkl-unsorted"}, "cg": {"mkl": "mkl-loop"}}  # sorted rows of lacis against unsorted ones; a loop over products of MKL


def peers_of(operation, wanted):
    if operation in WITHOUT_PEERS or wanted == "none":
        return []
    names = [INSTEAD.get(operation, {}).get(name, name) for name in wanted.split(",") if name not in LEFT_OUT.get(operation, ())]
    return ["--peers", ",".join(names)] if names else []


def smallest_gain(entries):
    """Of the libraries that were measured beside lacis, the fastest: (its name, gain, low, high)."""
    found = [(e["lacis_gain"], e) for e in entries if e["is_peer"] and e["lacis_gain"] is not None]
    if not found:
        return None
    entry = min(found, key=lambda one: one[0])[1]
    return (entry["name"], entry["lacis_gain"], entry["lacis_gain_low"], entry["lacis_gain_high"])


def against_fastest(entries, peer):
    """The plan against the fastest library, or where there is none against a plain loop."""
    plan = next((e for e in entries if e["name"].startswith("plan")), None)
    if plan is None:
        return None
    key, name = ("ratio_to_peer", peer) if plan["ratio_to_peer"] is not None else ("ratio_to_loop", "a plain loop")
    return (name, plan[key], plan[key + "_low"], plan[key + "_high"]) if plan[key] is not None else None


def results_of(report):
    """(matrix, milliseconds of lacis, (against, gain, low, high) or why there is none, whether other load disturbed it) of each measurement."""
    def own(entries):
        return next((e for e in entries if not e["is_peer"] and (e["name"].startswith("plan") or report["operation"] not in ("spmv", "spmm"))), entries[0])

    if report["operation"] == "spmm":
        runs = [(f"{report['matrix']}, {run['columns']} columns", run["entries"], run["peer"]) for run in report["runs"]]
    else:
        runs = [(report.get("matrix", report.get("a")), report["entries"], report.get("fastest_peer"))]
    for matrix, entries, peer in runs:
        compared = against_fastest(entries, peer) if report["operation"] in ("spmv", "spmm") else smallest_gain(entries)
        yield (matrix, 1e3 * own(entries)["median_s"], compared or "; ".join(report["remarks"]) or "no other library was asked",
               any(e["disturbed"] for e in entries))


def measured(program, operation, arguments, options):
    command = [program, "bench", operation, *arguments.split(), "--json", "--seconds", str(options.seconds), *peers_of(operation, options.peers)]
    if operation == "spmv":
        command += ["--formats", "plan"]
    print("bench/page.py:", *command[1:], file=sys.stderr, flush=True)
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        return [(arguments, None, f"not finished in {MOST_SECONDS} s", False)]
    if ran.returncode != 0:
        return [(arguments, None, f"failed: {ran.stderr.strip().splitlines()[-1] if ran.stderr.strip() else ran.returncode}", False)]
    rest_of_arguments = " ".join(arguments.split()[1:])
    return [(f"{matrix} {rest_of_arguments}".strip(), *rest) for matrix, *rest in results_of(json.loads(ran.stdout))]


def by_matrix(runs):
    """The rows of several runs, those of one matrix side by side; a run that failed has a row of its own."""
    matrices = dict.fromkeys(row[0] for run in runs for row in run)
    return [[row for run in runs for row in run if row[0] == matrix] for matrix in matrices]


def together(runs):
    """One row of the same row in several runs: the run with the middle gain, and the gains of all."""
    compared = sorted((row for row in runs if isinstance(row[2], tuple)), key=lambda row: row[2][1])
    if not compared:
        return (*runs[-1], [])
    matrix, milliseconds, against, disturbed = compared[len(compared) // 2]
    return (matrix, milliseconds, against, disturbed, [row[2][1] for row in runs if isinstance(row[2], tuple)])


def line_of(operation, matrix, milliseconds, compared, disturbed, gains):
    if milliseconds is None:
        return f"| {operation} | `{matrix or 'the usual batch'}` | | {compared} | |"
    if isinstance(compared, str):
        return f"| {operation} | `{matrix or 'the usual batch'}` | {milliseconds:.3g} | not compared: {compared} | |"
    name, gain, low, high = compared
    runs = f"; runs {' '.join(f'{one:.2f}' for one in gains)}" if len(gains) > 1 else ""
    return f"| {operation} | `{matrix or 'the usual batch'}` | {milliseconds:.3g} | {gain:.2f}x ({low:.2f} to {high:.2f}{runs}){', disturbed' if disturbed else ''} | {name} |"


def machine():
    def of_processor(name):
        return next((line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith(name + "\t")), "unknown")

    def cache(level):
        found = [place for place in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*") if (place / "level").read_text().strip() == level]
        return f"{int((found[0] / 'size').read_text().strip()[:-1]) / 1024:g} MiB of L{level}" if found else f"L{level} unknown"

    memory = int(re.search(r"MemTotal:\s+(\d+)", Path("/proc/meminfo").read_text())[1]) / 2**20
    return f"{of_processor('model name')} (model {of_processor('model')}, {cache('2')}, {cache('3')}), {os.cpu_count()} processors, {memory:.0f} GiB, {platform.system()} {platform.release()}"


def section(program, options):
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True).stdout.strip() or "unknown"
    wanted = [(operation, arguments) for operation in options.only or ROWS for arguments in ROWS[operation]]
    runs = [[measured(program, *row, options) for row in wanted] for _ in range(options.runs)]
    rows = [(operation, *together(same)) for (operation, _), *of_runs in zip(wanted, *runs) for same in by_matrix(of_runs)]
    def is_loss(row):
        return isinstance(row[3], tuple) and row[3][1] < 1

    head = "| operation | matrix | ms | lacis is faster by | than the fastest other |\n|---|---|---|---|---|\n"
    losses = [line_of(*row) for row in rows if is_loss(row)]
    gains = [line_of(*row) for row in rows if not is_loss(row)]
    day = datetime.date.today().isoformat()
    return (f"`bench/page.py` measured this in {options.runs} run{'s' if options.runs > 1 else ''} on {day}: {version}, commit {commit}; {machine()}. {options.seconds:g} s per row, peers: "
            f"{options.peers}. The gain is that of the run in the middle, in brackets its 95 % interval of interleaved rounds{' and the gains of all runs' if options.runs > 1 else ''}; *disturbed*: other load was noticed during samples.\n\n"
            f"### Rows that lose\n\n{head + chr(10).join(losses) if losses else 'None in this run.'}\n\n### The others\n\n{head}{chr(10).join(gains)}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda name: str(Path(name).resolve()))
    parser.add_argument("--runs", type=int, default=1, help="of every row; default: 1")
    parser.add_argument("--seconds", type=float, default=3, help="of measurement per row; default: 3")
    parser.add_argument("--peers", default="mkl,eigen,scipy,graphblas", help="other libraries, or none; default: %(default)s")
    parser.add_argument("--only", nargs="+", choices=ROWS, help="operations; default: all")
    parser.add_argument("--print", action="store_true", help="to standard output instead of the page")
    options = parser.parse_args()
    text = section(options.program, options)
    if options.print:
        return print(text)
    page = PAGE.read_text(encoding="utf-8")
    begin, end = page.index(MARKS[0]) + len(MARKS[0]), page.index(MARKS[1])
    PAGE.write_text(page[:begin] + text + page[end:], encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
