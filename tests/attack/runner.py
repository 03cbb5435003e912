# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Runs one case in a folder of its own, and judges what every run must keep to as well as what the case asks for."""
import os
import pathlib
import pty
import re
import shutil
import signal
import stat
import struct
import subprocess
import termios
import threading
import time
from typing import Optional

import fcntl

from case import Case, Run

NOBODY = 65534
MOST_KEPT = 1 << 24  # bytes of a stream
PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "OMP_TOOL_LIBRARIES")
CRASHES = {signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGTRAP, signal.SIGSYS}
NEVER_SAID = (
    "terminate called",
    "Assertion",
    "AddressSanitizer",
    "LeakSanitizer",
    "ThreadSanitizer",
    "runtime error",
    "Segmentation fault",
    "Traceback (most",
    "std::",
    "basic_string",
    "vector::",
    "bad_alloc",
)


def another_user_can_run(program: str) -> bool:
    try:
        return subprocess.run([program, "--version"], user=NOBODY, group=NOBODY, capture_output=True).returncode == 0
    except OSError:
        return False


def make_removable(remove, path, _) -> None:
    os.chmod(os.path.dirname(path), 0o700)
    if os.path.isdir(path) and not os.path.islink(path):
        os.chmod(path, 0o700)
    remove(path)


def prepare(case: Case, folder: pathlib.Path) -> dict:
    """Makes the files; returns the content of the regular ones."""
    for name, content in case.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if callable(content):
            content(path)
        else:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
    return {name: path.read_bytes() for name, path in found_in(folder).items() if path.is_file() and not path.is_symlink()}


def found_in(folder: pathlib.Path) -> dict:
    """Every name below a folder, without following links."""
    found = {}
    for where, folders, names in os.walk(os.fsencode(folder)):
        for name in [*folders, *names]:
            path = pathlib.Path(os.fsdecode(os.path.join(where, name)))
            found[str(path.relative_to(folder))] = path
    return found


def environment_of(case: Case, home: pathlib.Path, program: str) -> dict:
    environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    environment.update(
        HOME=str(home),
        XDG_CACHE_HOME=str(home / "cache"),
        TMPDIR=str(home),
        OMP_NUM_THREADS="2",
        OMP_WAIT_POLICY="passive",
        LC_ALL="C.UTF-8",
        COLUMNS="100",
        LACIS=program,
        OMPI_ALLOW_RUN_AS_ROOT="1",
        OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
    )
    for name, value in case.environment.items():
        if value is None:
            environment.pop(name, None)
        else:
            environment[name] = value.replace("{home}", str(home)) if isinstance(value, str) else value
    return environment


class Terminal:
    """Both ends of a terminal, and a thread that keeps what is written to it."""

    def __init__(self, columns: int):
        self.ours, self.theirs = pty.openpty()
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.written = b""
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self) -> None:
        while True:
            try:
                piece = os.read(self.ours, 65536)
            except OSError:  # the other side is closed
                return
            if not piece:
                return
            self.written += piece

    def close(self) -> bytes:
        os.close(self.theirs)
        self.reader.join(5)
        os.close(self.ours)
        return self.written.replace(b"\r\n", b"\n")


class Collector:
    """The writing end of a pipe, and a thread that keeps what comes out of it. A file would count against limits of size."""

    def __init__(self):
        self.ours, self.theirs = os.pipe()
        self.written = bytearray()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self) -> None:
        while piece := os.read(self.ours, 65536):
            if len(self.written) < MOST_KEPT:
                self.written += piece

    def close(self) -> bytes:
        self.reader.join(5)
        os.close(self.ours)
        return bytes(self.written)


def execute(case: Case, program: str, base: pathlib.Path, run: Run) -> None:
    """Starts the command in a session of its own, waits, and fills in `run`."""
    command = ["bash", "-c", case.shell] if case.shell is not None else [program, *case.arguments]
    options = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if case.ordinary_user and os.geteuid() == 0 else {}
    terminal = Terminal(case.terminal) if case.terminal else None
    out, err = (None, None) if terminal else (Collector(), Collector())
    begin = time.monotonic()
    with open(base / "stdin", "w+b") as given:
        given.write(case.stdin or b"")
        given.flush()
        given.seek(0)
        child = subprocess.Popen(
            command,
            cwd=run.folder,
            env=environment_of(case, base / "home", program),
            stdin=terminal.theirs if terminal else given if case.stdin is not None else subprocess.DEVNULL,
            stdout=terminal.theirs if terminal else out.theirs,
            stderr=terminal.theirs if terminal else err.theirs,
            start_new_session=True,
            **options,
        )
    for stream in (out, err):
        if stream:
            os.close(stream.theirs)

    def stop() -> None:
        run.timed_out = True
        os.killpg(child.pid, signal.SIGKILL)

    timer = threading.Timer(case.seconds * (5 if run.sanitized else 1), stop)
    timer.start()
    _, status, used = os.wait4(child.pid, 0)
    timer.cancel()
    run.code = child.returncode = os.waitstatus_to_exitcode(status)
    run.seconds = time.monotonic() - begin
    run.megabytes = used.ru_maxrss / 1024
    try:
        os.killpg(child.pid, signal.SIGKILL)  # what the command may have left running
    except (ProcessLookupError, PermissionError):
        pass
    if terminal:
        run.out = terminal.close()
    else:
        run.out, run.err = out.close(), err.close()
    if run.sanitized:  # what no memory can be had for is told twice there
        run.err = re.sub(rb"==[0-9]+==WARNING: [A-Za-z]*Sanitizer failed to allocate[^\n]*\n", b"", run.err)


def shown(stream: bytes) -> str:
    text = stream[:600].decode("utf-8", "backslashreplace").rstrip()
    return "".join(c if c >= " " or c in "\n\t" else f"\\x{ord(c):02x}" for c in text) or "(nothing)"


def control_character(stream: bytes) -> Optional[str]:
    """The first control character but newline and tab; C1 controls, as UTF-8, are some too."""
    for c in stream.decode("utf-8", "replace"):
        if (c < " " and c not in "\n\t") or "\x7f" <= c <= "\x9f":
            return f"U+{ord(c):04X}"
    return None


def general_problems(case: Case, run: Run) -> list:
    """What no run may do."""
    problems = []
    expected = case.code if isinstance(case.code, (tuple, list)) else (case.code,)
    crashed = -run.code if run.code < 0 else run.code - 128 if run.code > 128 else 0
    if crashed in CRASHES and run.code not in expected:
        problems.append(f"ended by {signal.Signals(crashed).name}")
    said = run.text()
    problems += [f"says '{words}'" for words in NEVER_SAID if words in said]
    if not case.terminal:
        if found := control_character(run.err):
            problems.append(f"the control character {found} in standard error")
        if not case.binary and (found := control_character(run.out)):
            problems.append(f"the control character {found} in standard output")
    lines = run.err.count(b"\n")
    if lines > 64:
        problems.append(f"{lines} lines of standard error")
    if case.complaints is not None:
        complaints = sum(line.startswith(b"lacis: ") for line in run.err.splitlines())
        wanted = case.complaints if case.complaints >= 0 else 1
        if (case.complaints >= 0 or run.code > 0) and not case.terminal and complaints != wanted:
            problems.append(f"{complaints} complaints, not {wanted}")
    for name in found_in(run.folder):
        if name in run.existing or name in case.leaves:
            continue
        if ".part" in name and not (run.folder / name).is_symlink():
            problems.append(f"leaves {name} behind")
        elif run.code != 0 and case.shell is None:
            problems.append(f"leaves {name} although it failed")
    return problems


def asked_problems(case: Case, run: Run) -> list:
    """What the case itself asks for."""
    problems = []
    expected = case.code if isinstance(case.code, (tuple, list)) else (case.code,)
    if run.timed_out:
        problems.append(f"still running after {run.seconds:.0f} s")
    elif run.code not in expected:
        problems.append(f"exit code {run.code}, not {' or '.join(map(str, expected))}")
    out, err = run.out.decode("utf-8", "replace"), run.err.decode("utf-8", "replace")
    if case.terminal:
        err = out
    problems += [f"standard error lacks '{words}'" for words in case.error if words not in err]
    problems += [f"standard output lacks '{words}'" for words in case.output if words not in out]
    problems += [f"says '{words}'" for words in case.absent if words in out + err]
    if case.megabytes and not run.sanitized and run.megabytes > case.megabytes:
        problems.append(f"took {run.megabytes:.0f} MB, more than {case.megabytes}")
    for check in case.after:
        if problem := check(run):
            problems.append(problem)
    return problems


def run(case: Case, program: str, base: pathlib.Path, facts: dict, keep: bool) -> tuple:
    """The problems of a case, none if it passes, and what it left."""
    folder = base / "work"
    folder.mkdir(parents=True)
    (base / "home").mkdir()
    state = Run(folder, prepare(case, folder), set(found_in(folder)), sanitized=facts["sanitized"], facts=facts)
    if case.ordinary_user and os.geteuid() == 0:
        for path in [base / "home", folder, *found_in(folder).values()]:
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    execute(case, program, base, state)
    problems = asked_problems(case, state) + [p for p in general_problems(case, state)]
    problems = list(dict.fromkeys(problems))
    if problems:
        problems.append("standard error: " + shown(state.err if not case.terminal else state.out))
        if not case.binary:
            problems.append("standard output: " + shown(state.out)[:300])
    if not (problems and keep):
        shutil.rmtree(base, onerror=make_removable)
    return problems, state
