# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""The commands as the generators of cases need them: a command line that works in no time, and their numeric options."""
import dataclasses
import re
import subprocess
from typing import Sequence

MATRIX = "A.mtx"  # stands for the file in the command lines below
OUTPUT = "out.mtx"


@dataclasses.dataclass
class Command:
    name: str
    works: Sequence[str]  # arguments with which it works on MATRIX
    reads: bool = True  # a matrix from a file
    writes: bool = False  # a file OUTPUT
    whole: Sequence[str] = ()  # options that take an integer from 1 up
    real: Sequence[str] = ()  # and a real number
    sized: Sequence[str] = ()  # and bytes such as 500M


COMMANDS = [
    Command("info", [MATRIX], whole=["--size", "--threads"]),
    Command("convert", [MATRIX, OUTPUT], writes=True, whole=["--threads"]),
    Command("generate", ["@poisson2d:4", "-o", OUTPUT], reads=False, writes=True, whole=["--seed", "--threads"]),
    Command("spmv", [MATRIX], whole=["--threads"]),
    Command("spgemm", [MATRIX], whole=["--threads"], sized=["--memory-limit"]),
    Command("solve", [MATRIX], whole=["--threads", "--max-iterations", "--restart", "--every"], real=["--tolerance"]),
    # Symmetric matrices only, which the file is not.
    Command("eigs", ["@poisson2d:4", "-k", "2"], reads=False, whole=["--threads", "--max-iterations", "--vectors"], real=["--tolerance"]),
    Command("pagerank", [MATRIX], whole=["--threads", "--max-iterations", "--top"], real=["--tolerance", "--damping"]),
    Command("reorder", [MATRIX, "--by", "rcm", "-o", OUTPUT], writes=True, whole=["--threads", "--parts"]),
    Command("partition", [MATRIX, "-k", "1"], whole=["--threads", "--ranks"]),
    Command(
        "scale",
        [MATRIX, "-k", "1", "--network", "loopback", "--bandwidth", "10"],
        whole=["--threads", "--ranks", "--cores-per-rank"],
        real=["--bandwidth"],
    ),
    Command("plan", [MATRIX], whole=["--threads", "--columns"], real=["--uses"], sized=["--memory-limit"]),
    Command("bench", ["plan", MATRIX, "--seconds", "0"], whole=["--threads"], real=["--uses", "--seconds"]),
    Command("lab", [MATRIX, "--kernel", "csr_row"], whole=["--threads", "--entries", "--block"]),
    Command("verify", ["nonsense"], reads=False, whole=["--threads-list", "--repeat"], real=["--limit"]),
    Command("doctor", ["--device", "nonsense"], reads=False, whole=["--threads"]),
    Command("completion", ["bash"], reads=False),
    Command("help", ["info"], reads=False),
]

READING = [command for command in COMMANDS if command.reads]


def arguments(command: Command, matrix: str = MATRIX, output: str = OUTPUT) -> list:
    """The command line that works, with other files."""
    exchanged = {MATRIX: matrix, OUTPUT: output}
    return [command.name, *(exchanged.get(word, word) for word in command.works)]


def names_in_help(program: str) -> list:
    """The commands that the program lists itself."""
    text = subprocess.run([program, "help"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^  ([a-z]+)  +\S", text, re.MULTILINE)


def options_of(program: str, command: str) -> list:
    """The long options of a command, from its help."""
    text = subprocess.run([program, "help", command], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^  (?:-\w, |    )(--[a-z-]+)", text, re.MULTILINE)


def all_commands(program: str) -> list:
    """The table, and for a command that is not in it a line with a matrix for each argument that its usage needs."""
    known = {command.name for command in COMMANDS}
    found = list(COMMANDS)
    for name in names_in_help(program):
        if name in known:
            continue
        text = subprocess.run([program, "help", name], capture_output=True, text=True, check=True).stdout
        needed = [word for word in text.splitlines()[0].split()[3:] if not word.startswith("[")]
        found.append(Command(name, [MATRIX] * len(needed), reads=False, whole=["--threads"] if "--threads" in options_of(program, name) else []))
    return found


def working(program: str) -> list:
    """The commands whose command line ends with exit code 0."""
    return [command for command in all_commands(program) if command.name not in ("verify", "doctor")]
