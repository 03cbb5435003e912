#!/usr/bin/env python3
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Lets one rank fail, in many ways, and requires that all ranks end soon, with one message and its exit code.

    tests/mpi/faults.py bin/lacis bin/fault_program [--count 42] [--jobs 3] [--seed 1] [--only WORDS]

The program's ranks differ by a shell that sees its rank: another directory, other arguments, less memory, a signal. The library's
faults are those of tests/mpi/fault_program.cpp. Faults take turns until there are --count of them, on 2 to 4 ranks."""

import argparse
import concurrent.futures
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1", "-n"]
SECONDS = 10  # in which all ranks must have ended after the fault
MARK = "LACIS_TEST_FAULT"
START = 60  # in which they must have come as far as the fault, on a busy machine


class Fault:
    """One way to fail: commands by rank, and what must come of it."""

    def __init__(self, kind, codes, messages, words="", named=True):
        self.kind = kind
        self.codes = codes if isinstance(codes, set) else {codes}
        self.messages = messages  # of lacis or of the program that uses it; mpirun tells of the rest
        self.words = words
        self.named = named  # the message must name the rank


def shell(options, ranks, victim, of_victim, of_others):
    """mpirun with a shell that runs one command on the victim and another one elsewhere."""
    script = f'if [ "$OMPI_COMM_WORLD_RANK" = {victim} ]; then {of_victim}; else {of_others}; fi'
    return MPIRUN + [str(ranks), "sh", "-c", script]


class Program:
    """Faults of bin/lacis."""

    def __init__(self, options, work):
        self.options = options
        self.work = work
        for name in ("good", "bad"):
            (work / name).mkdir()
        self.lacis("convert", "@poisson3d:24", work / "good/a.csr")
        self.lacis("convert", "@poisson3d:24", work / "good/a.mtx")
        (work / "good/b.txt").write_text("1\n" * 24**3)

    def lacis(self, *arguments):
        subprocess.run([self.options.lacis, *map(str, arguments), "-q"], check=True, timeout=60)

    def places(self, number):
        """Directories for the victim and for the others, with good files in both."""
        here = self.work / f"run-{number}"
        shutil.copytree(self.work / "good", here / "good")
        shutil.copytree(self.work / "good", here / "bad")
        return here / "good", here / "bad"

    def line(self, *arguments, directory=None, before=""):
        line = " ".join(["exec", self.options.lacis, *arguments, "--mpi", "-q"])
        return (f"cd {directory} && " if directory else "") + before + line

    def seen(self, fault, spoil, arguments):
        """The victim sees other files under the same name."""

        def make(ranks, victim, number):
            good, bad = self.places(number)
            spoil(bad)
            return shell(self.options, ranks, victim, self.line(*arguments, directory=bad), self.line(*arguments, directory=good)), None

        return fault, make

    def different(self, fault, of_victim, of_others):
        return fault, lambda ranks, victim, number: (shell(self.options, ranks, victim, of_victim, of_others), None)

    def surprised(self, fault, surprise, *more):
        """surprise(process) happens to the victim while it solves."""

        def make(ranks, victim, number):
            name = self.work / f"pid-{number}"
            state = [str(self.work / f"state-{number}") if word == "state" else word for word in more]
            line = self.line("solve", "@poisson3d:40", "--method", "cg", "--tolerance", "1e-300", "--max-iterations", "1000000", *state)
            return shell(self.options, ranks, victim, f"trap '' XFSZ; echo $$ > {name}; " + line, line), (name, surprise)

        return fault, make

    def all(self):
        solve = ("solve", "a.csr", "--method", "cg")
        checkpoint = ("solve", "@poisson3d:40", "--method", "cg", "--checkpoint", "state", "--every", "3")

        def cut(directory):
            largest = max((directory / "a.csr").iterdir(), key=lambda file: file.stat().st_size)
            largest.write_bytes(largest.read_bytes()[:-4096])

        def other_matrix(directory):
            shutil.rmtree(directory / "a.csr")
            self.lacis("convert", "@poisson3d:20", directory / "a.csr")

        def other_text(directory):
            lines = (directory / "a.mtx").read_text().splitlines()
            for at in range(len(lines) // 4, len(lines), 16):
                lines[at] = "nothing"
            (directory / "a.mtx").write_text("\n".join(lines))

        plain = self.line("solve", "@poisson3d:24", "--method", "cg")
        longer = self.line("solve", "@poisson3d:60", "--method", "cg")
        threads = "OMP_NUM_THREADS=2 LACIS_ISA=scalar "
        yield self.seen(Fault("directory missing on one rank", 4, 1), lambda at: shutil.rmtree(at / "a.csr"), solve)
        yield self.seen(Fault("directory cut short for one rank", 4, 1), cut, solve)
        yield self.seen(Fault("another matrix on one rank", 4, 1), other_matrix, solve)
        yield self.seen(Fault("text corrupt for one rank", 4, 1), other_text, ("solve", "a.mtx"))
        yield self.seen(Fault("right-hand side missing on one rank", 4, 1), lambda at: (at / "b.txt").unlink(), ("solve", "a.csr", "b.txt"))
        yield self.different(Fault("another method on one rank", 2, 1, "command line"), plain.replace("cg", "gmres"), plain)
        yield self.different(Fault("another matrix's name on one rank", 2, 1, "command line"), plain.replace(":24", ":25"), plain)
        yield self.different(Fault("wrong usage on one rank", 2, 1, "--bogus", False), plain + " --bogus", plain)
        yield self.different(Fault("without --mpi on one rank", {0, 1}, 0), longer.replace("--mpi", ""), plain)
        yield self.different(Fault("another environment on one rank", 0, 0), threads + plain.replace("exec ", "exec env " + threads), plain)
        yield self.seen(Fault("checkpoints not seen by one rank", 1, 1, "state", False), lambda at: (at / "state").write_text(""), checkpoint)
        yield self.surprised(Fault("no room for checkpoints on one rank", 1, 1, "state"),
                             lambda process: resource.prlimit(process, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY)),
                             "--checkpoint", "state", "--every", "3")
        yield self.different(Fault("output that cannot be written", 1, 1, "/no/such", False), plain + " -o /no/such/x.txt", plain + " -o /no/such/x.txt")
        yield self.different(Fault("too little memory on one rank", 5, 1), "ulimit -v 330000; " + self.line("spmv", "@poisson3d:130"),
                             self.line("spmv", "@poisson3d:130"))
        yield self.different(Fault("file missing on all ranks", 4, 1, "/no/such", False), self.line("solve", "/no/such.mtx"), self.line("solve", "/no/such.mtx"))
        yield self.different(Fault("wrong usage on all ranks", 2, 1, "--bogus", False), plain + " --bogus", plain + " --bogus")
        yield self.different(Fault("not converged", 3, 1, "not solved", False), longer + " --max-iterations 3", longer + " --max-iterations 3")
        for name, code, messages in (("KILL", 137, 0), ("SEGV", 139, 0), ("ABRT", 134, 0), ("TERM", 143, 1), ("INT", 130, 1)):
            yield self.surprised(Fault(f"SIG{name} to one rank", code, messages, "interrupted" if messages else ""),
                                 lambda process, which=getattr(signal, "SIG" + name): os.kill(process, which))


def library(options):
    """Faults of a program that uses the library: what the ranks agree on ends with 10 + the error's code."""
    agreed = {"bad_rows": {11, 12}, "too_few_rows": 10, "other_size": 10, "other_options": 10, "other_adjoint": 10, "other_kind": 10,
              "short_b": 10, "other_method": 10, "other_method_options": 10, "other_call": 10, "monitor_throws": 10,
              "monitor_throws_own": 10, "monitor_memory": 16}
    alike = {"bad_b": 10}
    ended = {"exit0": 1, "exit3": 3, "quick_exit": 7, "abort": 134, "terminate": 134, "sigkill": 137, "sigsegv": 139, "sigterm": 143,
             "sigint": 130}

    def make(kind, step):
        return lambda ranks, victim, number: (MPIRUN + [str(ranks), options.fault_program, kind, str(victim), str(step)], None)

    for kind, codes in agreed.items():
        yield Fault("library: " + kind, codes, 1), make(kind, 0)
    for kind, codes in alike.items():
        yield Fault("library: " + kind, codes, 1, "", False), make(kind, 0)
    yield Fault("library: monitor_stops", 0, 0), make("monitor_stops", 0)
    for step in range(3):
        yield Fault(f"library: memory, step {step}", {16, 5}, 1), make("memory", step)
    for step in range(4):
        yield Fault(f"library: throw, step {step}", 1, 1, "between two calls"), make("throw", step)
    for at, (kind, code) in enumerate(ended.items()):
        yield Fault(f"library: {kind}", code, {0, 1} if kind == "terminate" else 0), make(kind, at % 4)


def kill_all(mark):
    """mpirun and its ranks, which have sessions of their own: whatever has the mark in its environment."""
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and f"{MARK}={mark}\0".encode() in (entry / "environ").read_bytes():
                os.kill(int(entry.name), signal.SIGKILL)
        except OSError:
            pass


def run(options, fault, make, number, seed):
    choice = random.Random(seed * 1000003 + number)
    ranks = choice.randint(2, 4)
    victim = choice.randrange(ranks)
    if fault.kind == "output that cannot be written":
        victim = 0
    command, later = make(ranks, victim, number)
    begin = time.time()
    mark = f"{os.getpid()}-{number}"
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, MARK: mark})
    if later:
        name, surprise = later
        while time.time() < begin + START and not (name.exists() and name.read_text().strip()):
            time.sleep(0.02)
        time.sleep(choice.uniform(1.5, 3))
        begin = time.time()
        surprise(int(name.read_text()))
    try:
        output, errors = child.communicate(timeout=SECONDS + START)
        hangs = False
    except subprocess.TimeoutExpired:
        kill_all(mark)
        output, errors = child.communicate()
        hangs = True
    seconds = time.time() - begin
    told = [line for line in errors.splitlines() if line.startswith(("lacis: ", "fault_program: "))]
    expected = fault.messages if isinstance(fault.messages, set) else {fault.messages}
    wrong = []
    if hangs:
        wrong.append("hangs")
    if child.returncode not in fault.codes:
        wrong.append(f"exit code {child.returncode}, not {sorted(fault.codes)}")
    if len(told) not in expected:
        wrong.append(f"{len(told)} messages, not {sorted(expected)}")
    if fault.words and not any(fault.words in line for line in told):
        wrong.append(f"no message with '{fault.words}'")
    if told and fault.named and not any(f"rank {victim}" in line for line in told):
        wrong.append(f"no message names rank {victim}")
    if not hangs and seconds > SECONDS + (0 if later else START):
        wrong.append(f"{seconds:.1f} s")
    return fault, ranks, victim, seconds, hangs, wrong, told, errors


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("lacis")
    parser.add_argument("fault_program")
    parser.add_argument("--count", type=int, default=0, help="how many (each kind once)")
    parser.add_argument("--jobs", type=int, default=3, help="how many at a time (3)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="kinds whose name has these words")
    options = parser.parse_args()
    options.lacis, options.fault_program = map(os.path.abspath, (options.lacis, options.fault_program))
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    work = Path(tempfile.mkdtemp(prefix="lacis-faults-"))
    try:
        kinds = [one for one in [*Program(options, work).all(), *library(options)] if options.only in one[0].kind]
        count = options.count or len(kinds)
        longest, failures, hangs = (0.0, ""), 0, 0
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            runs = [pool.submit(run, options, *kinds[k % len(kinds)], k, options.seed) for k in range(count)]
            for one in runs:
                fault, ranks, victim, seconds, hung, wrong, told, errors = one.result()
                hangs += hung
                longest = max(longest, (seconds, fault.kind))
                failures += bool(wrong)
                print(f"{'WRONG' if wrong else 'ok':5} {seconds:5.1f} s  rank {victim} of {ranks}  {fault.kind}: {told[0] if told else '(mpirun tells)'}", flush=True)
                if wrong:
                    print("      " + "; ".join(wrong) + "\n" + errors, flush=True)
        print(f"{count} faults of {len(kinds)} kinds, {hangs} hangs, {failures} wrong; the longest took {longest[0]:.1f} s: {longest[1]}")
        sys.exit(1 if failures else 0)
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
