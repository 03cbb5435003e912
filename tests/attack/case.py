# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""What a case is: files, a command line, and what must come of it; and checks of what is left afterwards."""
import dataclasses
import math
import os
import pathlib
import re
import stat
import struct
from typing import Any, Callable, Optional, Sequence, Union

Content = Union[str, bytes, Callable[[pathlib.Path], None]]


@dataclasses.dataclass
class Case:
    """Give either `arguments` or `shell`, a line for bash in which $LACIS is the program."""

    name: str  # a sentence
    arguments: Optional[Sequence[Union[str, bytes]]] = None
    shell: Optional[str] = None
    files: dict = dataclasses.field(default_factory=dict)  # name: text, bytes, or a function that makes the path
    code: Union[int, Sequence[int]] = 0  # of the program, or of the shell line
    error: Sequence[str] = ()  # texts in standard error
    output: Sequence[str] = ()  # texts in standard output
    absent: Sequence[str] = ()  # texts in neither
    after: Sequence[Callable[["Run"], Optional[str]]] = ()  # checks; each returns what is wrong, or nothing
    leaves: Sequence[str] = ()  # files that may be new although the exit code is not 0
    seconds: float = 20
    megabytes: Optional[int] = None  # the most memory; not checked under sanitizers
    environment: dict = dataclasses.field(default_factory=dict)  # None removes a variable
    stdin: Optional[bytes] = None  # /dev/null without it
    terminal: Optional[int] = None  # the width of a terminal for all three streams
    needs: Sequence[str] = ()  # of skip_reason() in run.py
    ordinary_user: bool = False  # not as root, whom no permission stops
    binary: bool = False  # standard output may hold any byte
    complaints: Optional[int] = -1  # lines "lacis: ..."; -1 is one unless the exit code is 0, None any number


@dataclasses.dataclass
class Run:
    """What a case left behind."""

    folder: pathlib.Path
    before: dict  # path: bytes, of the files that were prepared
    existing: set = dataclasses.field(default_factory=set)  # every name that was there before
    code: int = 0
    out: bytes = b""
    err: bytes = b""
    seconds: float = 0
    megabytes: float = 0
    timed_out: bool = False
    sanitized: bool = False
    facts: dict = dataclasses.field(default_factory=dict)  # of the program: see run.py

    def text(self) -> str:
        return (self.out + self.err).decode("utf-8", "replace")


Check = Callable[[Run], Optional[str]]


def is_absent(name: str) -> Check:
    return lambda run: f"{name} exists" if os.path.lexists(run.folder / name) else None


def is_there(name: str) -> Check:
    return lambda run: None if (run.folder / name).exists() else f"{name} is not there"


def is_unchanged(name: str) -> Check:
    def check(run: Run) -> Optional[str]:
        path = run.folder / name
        if not path.exists():
            return f"{name} is gone"
        return None if path.read_bytes() == run.before[name] else f"{name} has changed"

    return check


def has_mode(name: str, mode: int) -> Check:
    def check(run: Run) -> Optional[str]:
        found = stat.S_IMODE((run.folder / name).stat().st_mode)
        return None if found == mode else f"{name} has mode {found:o}, not {mode:o}"

    return check


def is_link(name: str, target: str) -> Check:
    def check(run: Run) -> Optional[str]:
        path = run.folder / name
        return None if path.is_symlink() and os.readlink(path) == target else f"{name} is no link to {target} any more"

    return check


def begins(name: str, start: bytes) -> Check:
    def check(run: Run) -> Optional[str]:
        path = run.folder / name
        if not path.is_file():
            return f"{name} is not there"
        found = path.read_bytes()[: max(40, len(start))]
        return None if found.startswith(start) else f"{name} begins with {found!r}"

    return check


def same_bytes(one: str, other: str) -> Check:
    def check(run: Run) -> Optional[str]:
        for name in (one, other):
            if not (run.folder / name).is_file():
                return f"{name} is not there"
        same = (run.folder / one).read_bytes() == (run.folder / other).read_bytes()
        return None if same else f"{one} and {other} differ"

    return check


def numbers(name: str, expected: Sequence[float], tolerance: float = 1e-6) -> Check:
    """A file of one number per line, each right up to a relative error."""

    def check(run: Run) -> Optional[str]:
        path = run.folder / name
        if not path.is_file():
            return f"{name} is not there"
        found = [float(word) for word in path.read_text().split()]
        if len(found) != len(expected):
            return f"{name} has {len(found)} numbers, not {len(expected)}"
        for i, (a, b) in enumerate(zip(found, expected)):
            if not (a == b or (math.isfinite(a) and abs(a - b) <= tolerance * abs(b))):
                return f"{name}: element {i} is {a}, not {b}"
        return None

    return check


def right_or_refused(name: str, expected: Sequence[float], tolerance: float = 1e-6) -> Check:
    """With exit code 0 the numbers are right; any other code is an admission."""
    right = numbers(name, expected, tolerance)
    return lambda run: right(run) if run.code == 0 else None


def matches(pattern: str, stream: str = "out") -> Check:
    def check(run: Run) -> Optional[str]:
        text = getattr(run, stream).decode("utf-8", "replace")
        return None if re.search(pattern, text) else f"nothing in {stream} matches {pattern!r}"

    return check


def is_json(run: Run) -> Optional[str]:
    import json

    def refuse(word: str) -> None:
        raise ValueError(word)

    try:
        json.loads(run.out, parse_constant=refuse)
    except ValueError as problem:
        return f"standard output is no JSON: {problem}"
    return None


def double_bits(value: float) -> int:
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def named(prefix: str, table: Sequence[Any], make: Callable[..., Case]) -> list:
    """One case per row of a table, whose first element completes the sentence."""
    return [dataclasses.replace(make(*row[1:]), name=f"{prefix}{row[0]}") for row in table]
