#!/usr/bin/env python3
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""The ratios of README.md over time: measures them, appends a line each to a CSV file, and draws all lines of the file.

    bench/history.py LACIS [--quick] [--against mkl] [--csv bench/history.csv] [--svg history.svg]
    bench/history.py --draw [--csv ...] [--svg ...]        draws without measuring

LACIS is the program. --quick takes smaller matrices and less time, for a look. Without other libraries (tools/install-peers) only the
product is measured, against a plain loop (--against loop)."""

import argparse
import csv
import datetime
import json
import platform
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COLUMNS = ["date", "commit", "machine", "threads", "case", "against", "ratio", "low", "high"]
CASES = {  # name: command, and with --quick
    "k-mer product": (["spmv", "@kmer:55000000"], ["spmv", "@kmer:2000000"]),
    "R-MAT squared": (["spgemm", "@rmat:16", "--values", "random"], ["spgemm", "@rmat:12", "--values", "random"]),
    "CG iteration": (["cg", "@poisson3d:200"], ["cg", "@poisson3d:60"]),
    "sparse square, density 0.1 %": (["spgemm", "@density:8192,1e-3", "--values", "random"], ["spgemm", "@density:2048,1e-3", "--values", "random"]),
}


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def ratio_of(report, against):
    """How much faster lacis was, with its interval; None where the other one did not run."""
    for entry in report["entries"]:
        if report["operation"] == "spmv" and entry["name"] == "plan":
            suffix = "loop" if against == "loop" else "peer"
            found = [entry[f"ratio_to_{suffix}{end}"] for end in ("", "_low", "_high")]
            return None if None in found else found
        if report["operation"] != "spmv" and entry["is_peer"] and entry["name"].startswith(against):
            return [entry[f"lacis_gain{end}"] for end in ("", "_low", "_high")]
    return None


def measure(given):
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    rows = []
    for case, (whole, quick) in CASES.items():
        command = [given.lacis, "bench", *(quick if given.quick else whole), "--json", "--quiet"]
        command += ["--seconds", "0.1"] if given.quick else []
        command += [] if given.against == "loop" else ["--peers", given.against]
        print(f"{case}: {' '.join(map(str, command[1:]))}", file=sys.stderr)
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode != 0:
            sys.exit(f"history: {' '.join(map(str, command))}: exit {ran.returncode}: {ran.stderr.strip()}")
        report = json.loads(ran.stdout)
        found = ratio_of(report, given.against)
        if found is None:
            print(f"  {given.against} did not run; tools/install-peers installs other libraries", file=sys.stderr)
            continue
        rows.append([datetime.date.today().isoformat(), commit, processor(), report["threads"], case + (" (quick)" if given.quick else ""),
                     given.against, *(f"{number:.3f}" for number in found)])
        print(f"  {found[0]:.2f} times as fast ({found[1]:.2f} to {found[2]:.2f})", file=sys.stderr)
    new = not given.csv.exists()
    with given.csv.open("a", newline="") as file:
        writer = csv.writer(file)
        if new:
            writer.writerow(COLUMNS)
        writer.writerows(rows)


def draw(rows, path):
    """One line per case and machine over the measurements, with intervals."""
    lines = {}
    for row in rows:
        lines.setdefault((row["case"], row["against"], row["machine"]), []).append(row)
    width, height, left, bottom = 900, 420, 60, 340
    most = max(float(row["high"]) for row in rows)
    longest = max(len(line) for line in lines.values())
    colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]
    x = lambda k: left + 20 + k * (width - left - 60) / max(1, longest - 1)
    y = lambda ratio: bottom - ratio / most * (bottom - 40)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height + 20 * len(lines)}" font-family="sans-serif" font-size="12">',
           '<rect width="100%" height="100%" fill="white"/>',
           f'<text x="{left}" y="22" font-size="15">How many times as fast as the other library (1: equal)</text>']
    for step in range(int(most) + 2):
        if y(step) > 30:
            out.append(f'<line x1="{left}" x2="{width - 20}" y1="{y(step):.1f}" y2="{y(step):.1f}" stroke="{"#000" if step == 1 else "#ddd"}"/>')
            out.append(f'<text x="{left - 8}" y="{y(step) + 4:.1f}" text-anchor="end">{step}</text>')
    for number, ((case, against, machine), line) in enumerate(lines.items()):
        colour = colours[number % len(colours)]
        points = [(x(k), y(float(row["ratio"])), row) for k, row in enumerate(line)]
        out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{" ".join(f"{a:.1f},{b:.1f}" for a, b, _ in points)}"/>')
        for a, b, row in points:
            out.append(f'<line x1="{a:.1f}" x2="{a:.1f}" y1="{y(float(row["low"])):.1f}" y2="{y(float(row["high"])):.1f}" stroke="{colour}"/>')
            out.append(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="4" fill="{colour}"><title>{row["date"]} {row["commit"]}: {row["ratio"]}</title></circle>')
        out.append(f'<text x="{left}" y="{bottom + 40 + 20 * number}" fill="{colour}">{case}, against {against}, {machine}: {line[-1]["ratio"]} '
                   f'({line[-1]["low"]} to {line[-1]["high"]}) at {line[-1]["commit"]}</text>')
    out.append("</svg>")
    path.write_text("\n".join(out) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lacis", nargs="?", type=Path)
    parser.add_argument("--draw", action="store_true", help="draw without measuring")
    parser.add_argument("--quick", action="store_true", help="smaller matrices, less time")
    parser.add_argument("--against", default="mkl", help="mkl, scipy, eigen, ... or loop (default: mkl)")
    parser.add_argument("--csv", type=Path, default=ROOT / "bench/history.csv")
    parser.add_argument("--svg", type=Path, default=Path("history.svg"))
    given = parser.parse_args()
    if not given.draw:
        if given.lacis is None:
            parser.error("name the program, or --draw")
        measure(given)
    with given.csv.open(newline="") as file:
        rows = list(csv.DictReader(file))
    if not rows:
        sys.exit("history: nothing measured yet")
    draw(rows, given.svg)
    print(f"{len(rows)} lines in {given.csv}, drawn in {given.svg}")


if __name__ == "__main__":
    main()
