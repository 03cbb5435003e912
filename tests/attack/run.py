#!/usr/bin/env python3
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the cases against a program: run.py PROGRAM [--filter WORD] [--jobs N] [--list] [--keep]."""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import traceback

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from case import Case  # noqa: E402
import cases  # noqa: E402
import runner  # noqa: E402


def facts_of(program: str) -> dict:
    """What the program and the machine can do, for Case.needs."""
    image = pathlib.Path(program).read_bytes()
    library = pathlib.Path(program).resolve().parent.parent / "lib"
    beside = [*pathlib.Path(program).resolve().parent.glob("liblacis_ranks.so*"), *library.glob("liblacis_ranks.so*")]
    ulimit = subprocess.run(["bash", "-c", "ulimit -f 1 && ulimit -v 4000000"], capture_output=True)
    return {
        "sanitized": b"__asan_init" in image or b"__tsan_init" in image,
        "zstd": shutil.which("zstd") is not None,
        "mpi": bool(beside) and shutil.which("mpirun") is not None,
        "ulimit": ulimit.returncode == 0,
        "direct solver": subprocess.run([program, "solve", "@poisson2d:2", "--method", "direct"], capture_output=True).returncode == 0,
        "root": os.geteuid() == 0,
        "ordinary_user": os.geteuid() != 0 or runner.another_user_can_run(program),
    }


def skip_reason(case: Case, facts: dict) -> str:
    """Why the case cannot run here; empty when it can."""
    for need in case.needs:
        if need == "address space":
            if facts["sanitized"]:
                return "a sanitizer needs the whole address space"
            if not facts["ulimit"]:
                return "no ulimit"
        elif need == "time":
            if facts["sanitized"]:
                return "takes too long under a sanitizer"
        elif need == "plain build":
            if facts["sanitized"]:
                return "not under a sanitizer"
        elif not facts[need]:
            return f"no {need}"
    if case.ordinary_user and not facts["ordinary_user"]:
        return "the program cannot be run by another user than root"
    return ""


def command_line(case: Case, program: str) -> str:
    if case.shell is not None:
        return f"LACIS={shlex.quote(program)}; {case.shell}"
    return shlex.join([program, *(os.fsdecode(argument) for argument in case.arguments)])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--filter", default="", help="only cases whose name or file contains this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--list", action="store_true", help="name the cases and stop")
    parser.add_argument("--keep", action="store_true", help="keep the folders of cases that fail, and name them")
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    facts = facts_of(program)
    chosen = [(file, case) for file, case in cases.every_case(program) if options.filter in f"{file}: {case.name}"]
    repeated = [name for name, times in collections.Counter(case.name for _, case in chosen).items() if times > 1]
    if repeated:
        sys.exit(f"several cases have the name {repeated[0]!r}")
    if options.list:
        for file, case in chosen:
            print(f"{file}: {case.name}")
        return 0

    skipped = collections.Counter()
    failures = []
    passed = 0
    slowest = []
    base = pathlib.Path(tempfile.mkdtemp(prefix="lacis-attack."))
    try:
        base.chmod(0o755)  # for cases that another user runs
        with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
            futures = {}
            for number, (file, case) in enumerate(chosen):
                if reason := skip_reason(case, facts):
                    skipped[reason] += 1
                    continue
                futures[pool.submit(runner.run, case, program, base / str(number), facts, options.keep)] = (file, case)
            for future, (file, case) in futures.items():
                try:
                    problems, run = future.result()
                    slowest.append((run.seconds, case.name))
                except Exception:  # a fault of the harness or of a check is a failure of this case, not of all
                    problems, run = [traceback.format_exc()], None
                if problems:
                    failures.append((file, case, problems, run))
                else:
                    passed += 1
    finally:
        if not options.keep:
            shutil.rmtree(base, onerror=runner.make_removable)

    for file, case, problems, run in failures:
        print(f"FAILED  {file}: {case.name}")
        for problem in problems:
            print(f"    {problem}")
        print(f"    command: {command_line(case, program)}")
        print(f"    repeat:  {shlex.quote(sys.argv[0])} {shlex.quote(program)} --filter {shlex.quote(case.name)} --keep")
        if options.keep and run is not None:
            print(f"    folder:  {run.folder}")
    for reason, count in skipped.items():
        print(f"skipped {count}: {reason}")
    if slowest and len(chosen) > 20:
        print("slowest: " + "; ".join(f"{seconds:.1f} s {name}" for seconds, name in sorted(slowest)[:-6:-1]))
    print(f"{passed} passed, {len(failures)} failed, {sum(skipped.values())} skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
