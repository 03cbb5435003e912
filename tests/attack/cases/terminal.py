# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Terminals, real ones and what the environment says of them."""
import re

from case import Case, Run
from cases.commands import arguments, working
from files import SMALL

FILES = {"A.mtx": SMALL}


def without_colour(run: Run):
    return "colours appear" if re.search(rb"\x1b\[[0-9;]*m", run.out) else None


def without_escapes(run: Run):
    return "escape sequences appear" if b"\x1b" in run.out else None


def in_ascii(run: Run):
    return "other characters than ASCII appear" if any(c >= 0x80 for c in run.out + run.err) else None


def narrow(columns):
    def check(run: Run):
        for text in (run.out + run.err).decode("utf-8", "replace").splitlines():
            plain = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text)
            if len(plain) > columns:
                return f"a line of {len(plain)} columns: {plain}"
        return None

    return check


def cases(program):
    every = []
    for command in working(program):
        words = arguments(command)
        if command.name != "bench":  # it says each matrix aloud
            every.append(Case(f"{command.name} works on a terminal", words, files=FILES, terminal=100, environment={"TERM": "xterm"}, seconds=40))
        every.append(Case(
            f"{command.name} on a dumb terminal writes no escape sequences", words, files=FILES, terminal=100,
            environment={"TERM": "dumb"}, after=[without_escapes], seconds=40,
        ))
        every.append(Case(
            f"{command.name} with NO_COLOR has no colours", words, files=FILES, terminal=100,
            environment={"TERM": "xterm", "NO_COLOR": "1"}, after=[without_colour], seconds=40,
        ))
        every.append(Case(
            f"{command.name} in the locale C writes ASCII only", words, files=FILES, environment={"LC_ALL": "C"}, after=[in_ascii],
            seconds=40,
        ))
    for columns in ("0", "1", "19", "-5", "99999999999999999999", "many", "", "1001", "80x"):
        every.append(Case(
            f"info with COLUMNS={columns!r} works", ["info", "A.mtx"], files=FILES, environment={"COLUMNS": columns}, after=[narrow(100)],
        ))
        every.append(Case(f"help with COLUMNS={columns!r} works", ["help", "solve"], environment={"COLUMNS": columns}))
    for columns in (1, 10, 20, 40, 400, 65535):
        every.append(Case(
            f"info on a terminal of {columns} columns works", ["info", "A.mtx"], files=FILES, terminal=columns,
            environment={"TERM": "xterm"},
        ))
        every.append(Case(
            f"solve on a terminal of {columns} columns works", ["solve", "@poisson2d:150", "--method", "cg", "--preconditioner", "none"],
            terminal=columns, environment={"TERM": "xterm"},
        ))
    every.append(Case(
        "A complaint on a terminal is red and has no other escapes", ["info", "missing\x1b[5m"], terminal=100, code=4,
        environment={"TERM": "xterm"}, absent=["\x1b[5m"],
    ))
    every.append(Case(
        "Without TERM there are no colours", ["info", "A.mtx"], files=FILES, terminal=100, environment={"TERM": None},
        after=[without_colour],
    ))
    return every
