#!/usr/bin/env python3
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""The commands of README.md and of the guides: each `$ lacis ...` in a block marked `console` is run, and its output is compared
with the lines below it. The commands of one document run one after the other in one folder.

    tests/readme/run.py LACIS [FILE...]    ends with 1 when an output differs, and prints where

Where the lines below begin with `lacis: `, the command has to fail with that message.
A document with the line `<!-- console: 80 columns -->` shows screens of that width; others have 120. Output that goes to standard
error, such as what was written to a file, is compared where there is none on standard output.
`...` at the end of a line matches the rest of it, a line of `...` any number of lines; a last line `...` is only needed where more
output follows. Numbers with a unit of time or rate, or with %, match any number; runs of blanks match each other, and lines below one
another that have a share in % may come in another order."""

import itertools
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs/guide").glob("*.md"))]
COLUMNS = "120"  # the width of the screens in README.md
FILES = {"broken.mtx": "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1\n2 4 1\n"}  # that documents speak of
NUMBER = r"\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d+)?"
MEASURED = re.compile(rf"(?<![\w.]){NUMBER}\s?(?:(?P<rate>[A-Za-z]*/s)|(?P<time>ns|µs|us|ms|s|min)|(?P<share>%))(?!\w)")


def blocks(text):
    """The lines of every fenced block of commands."""
    for block in re.finditer(r"^```console\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL):
        yield block[1].splitlines()


def examples(text):
    """Pairs of a command and the lines that stand below it."""
    for lines in blocks(text):
        command = None
        for line in lines:
            if command is not None and command.endswith("\\"):
                command = command[:-1] + " " + line.strip()
            elif line.startswith("$ "):
                if command is not None:
                    yield command, shown
                command, shown = line[2:], []
            elif command is not None:
                shown.append(line)
        if command is not None:
            yield command, shown


def plain(line):
    """The line with every measured number replaced by the name of its kind, and one blank between words."""
    line = MEASURED.sub(lambda found: f"<{found.lastgroup}>", line)
    return " ".join(line.split())


def same(shown, printed):
    if shown.endswith("..."):
        return plain(printed).startswith(plain(shown[:-3]))
    return plain(shown) == plain(printed)


def in_any_order(lines):
    """The lines, with neighbours that have a share of the time sorted by their words: which of them took longest is measured too."""
    result = []
    for shares, group in itertools.groupby(lines, key=lambda line: "<share>" in plain(line)):
        result += sorted(group, key=plain) if shares else group
    return result


def difference(shown, printed):
    """What does not agree, or nothing."""
    runs = [[]]  # of lines, between lines of `...`
    for line in shown:
        if line.strip() == "...":
            runs.append([])
        else:
            runs[-1].append(line)
    at = 0
    for number, run in enumerate(runs):
        last = number == len(runs) - 1
        if number == 0:
            starts = [0]
        elif last and run:
            starts = [len(printed) - len(run)] if len(printed) - len(run) >= at else []
        else:
            starts = range(at, len(printed) - len(run) + 1)
        for start in starts:
            piece = printed[start:start + len(run)]
            if len(piece) == len(run) and (all(map(same, run, piece)) or all(map(same, in_any_order(run), in_any_order(piece)))):
                at = start + len(run)
                break
        else:
            return "these lines are not there:\n" + "".join(f"  - {line}\n" for line in run)
        if last and len(runs) == 1 and at != len(printed):
            return "there is more:\n" + "".join(f"  + {line}\n" for line in printed[at:])
    return ""


def run(program, command, folder, columns):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LACIS_")}
    environment.update(COLUMNS=columns, NO_COLOR="1", LC_ALL="C.UTF-8", HOME=folder, XDG_CACHE_HOME=folder, OMP_WAIT_POLICY="passive")
    return subprocess.run([program, *shlex.split(command)[1:]], cwd=folder, env=environment, capture_output=True, text=True,
                          encoding="utf-8", timeout=300)


def main():
    program = str(Path(sys.argv[1]).resolve())
    files = [Path(name) for name in sys.argv[2:]] or DOCUMENTS
    count = failed = 0
    for file in files:
        text = file.read_text(encoding="utf-8")
        width = re.search(r"^<!-- console: (\d+) columns -->$", text, flags=re.MULTILINE)
        with tempfile.TemporaryDirectory() as folder:
            for name, content in FILES.items():
                Path(folder, name).write_text(content, encoding="utf-8")
            for command, shown in examples(text):
                if not command.startswith("lacis "):
                    continue
                count += 1
                ran = run(program, command, folder, width[1] if width else COLUMNS)
                fails = bool(shown) and shown[0].startswith("lacis: ")
                printed = (ran.stderr if fails else ran.stdout or ran.stderr).rstrip("\n").split("\n")
                problem = difference(shown, printed)
                if (ran.returncode != 0) != fails:
                    problem = f"exit status {ran.returncode}: {ran.stderr.strip()}\n{problem}"
                if problem:
                    failed += 1
                    print(f"{file.name}: $ {command}\n{problem}the output was\n" + "".join(f"  | {line}\n" for line in printed))
    print(f"readme: {count} commands, {failed} differ")
    return 1 if failed or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
