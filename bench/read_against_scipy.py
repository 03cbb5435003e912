#!/usr/bin/env python3
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Times `lacis` against SciPy's mmread(...).tocsr() on one Matrix Market file, interleaved in one run.

    lacis generate @kmer:55000000 -o kmer.mtx
    build/venv/bin/python bench/read_against_scipy.py kmer.mtx --lacis build/release/bin/lacis

Each repetition reads the file once with each, in a fresh process, from a warm page cache, the order alternating. SciPy gets
the same number of threads (its reader's PARALLELISM) and huge pages (glibc's tunable). Printed: every time, the medians, the
median of the paired ratios and its 95 % bootstrap interval."""
import argparse, json, os, random, statistics, subprocess, sys

SCIPY = """
import sys, time, json, scipy.io, scipy.io._fast_matrix_market as fmm
fmm.PARALLELISM = int(sys.argv[2])
t = time.perf_counter()
a = scipy.io.mmread(sys.argv[1]).tocsr()
print(json.dumps({"read_s": time.perf_counter() - t, "nnz": int(a.nnz), "rows": a.shape[0]}))
"""


def run(command, extra_environment):
    out = subprocess.run(command, env={**os.environ, **extra_environment}, check=True, stdout=subprocess.PIPE).stdout
    return json.loads(out)


def interval(ratios, draws=2000):
    rng = random.Random(1)
    medians = sorted(statistics.median(rng.choices(ratios, k=len(ratios))) for _ in range(draws))
    return medians[int(0.025 * draws)], medians[int(0.975 * draws)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--lacis", default="build/release/bin/lacis")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with open(options.file, "rb") as file:  # warm the page cache
        while file.read(1 << 24):
            pass

    ours = [options.lacis, "info", options.file, "--json", "--no-spy", "--threads", str(options.threads)]
    theirs = [sys.executable, "-c", SCIPY, options.file, str(options.threads)]
    huge = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
    lacis_s, scipy_s = [], []
    for repetition in range(options.repeat):
        for which in ("lacis", "scipy") if repetition % 2 == 0 else ("scipy", "lacis"):
            result = run(ours, {}) if which == "lacis" else run(theirs, huge)
            (lacis_s if which == "lacis" else scipy_s).append(result["read_s"])
        print(f"{repetition + 1}/{options.repeat}: lacis {lacis_s[-1]:.2f} s, scipy {scipy_s[-1]:.2f} s", file=sys.stderr)
    ratios = [theirs_s / ours_s for ours_s, theirs_s in zip(lacis_s, scipy_s)]
    low, high = interval(ratios)
    size = os.path.getsize(options.file)
    report = {"file_bytes": size, "threads": options.threads, "lacis_s": lacis_s, "scipy_s": scipy_s,
              "lacis_median_s": statistics.median(lacis_s), "scipy_median_s": statistics.median(scipy_s),
              "ratio": statistics.median(ratios), "ratio_low": low, "ratio_high": high}
    if options.json:
        print(json.dumps(report))
    else:
        print(f"file {size / 1e6:.0f} MB, {options.threads} threads, {options.repeat} repetitions\n"
              f"lacis  median {report['lacis_median_s']:6.2f} s  {size / 1e6 / report['lacis_median_s']:6.0f} MB/s to CSR\n"
              f"scipy  median {report['scipy_median_s']:6.2f} s  {size / 1e6 / report['scipy_median_s']:6.0f} MB/s to CSR\n"
              f"lacis is {report['ratio']:.2f}x as fast (95 % interval {low:.2f} to {high:.2f})")


main()
