# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Names of files that are awkward: they are read and written, and never reach a screen as they are."""
from case import Case, is_there
from files import SMALL

# (what, name as bytes)
NAMES = [
    ("a blank", b"a b.mtx"),
    ("blanks at both ends", b" a.mtx "),
    ("a newline", b"a\nb.mtx"),
    ("a tab", b"a\tb.mtx"),
    ("a carriage return", b"a\rb.mtx"),
    ("an escape sequence", b"a\x1b[31mb.mtx"),
    ("a title for the terminal", b"a\x1b]0;owned\x07b.mtx"),
    ("a bell", b"a\x07.mtx"),
    ("a delete character", b"a\x7f.mtx"),
    ("a C1 control character", b"a\xc2\x9b31mb.mtx"),
    ("invalid UTF-8", b"a\xff\xfe\xc0b.mtx"),
    ("half a character", b"a\xe2\x82.mtx"),
    ("a character that reverses text", "a\u202egpj.mtx".encode()),
    ("wide characters", "\u884c\u5217.mtx".encode()),
    ("a quote", b"a'b.mtx"),
    ("double quotes", b'a"b.mtx'),
    ("a dollar sign", b"$(touch owned).mtx"),
    ("a semicolon", b"a;touch owned;.mtx"),
    ("a percent sign", b"%s%n%d.mtx"),
    ("braces", b"{}{0}{:>99}.mtx"),
    ("a backslash", b"a\\b.mtx"),
    ("a star", b"*.mtx"),
    ("255 bytes", b"n" * 251 + b".mtx"),
    ("no ending", b"matrix"),
    ("only dots", b"..."),
    ("an at sign inside", b"a@rmat:4"),
]


def cases(program):
    every = []
    for what, raw in NAMES:
        name = raw.decode("utf-8", "surrogateescape")
        files = {name: SMALL}
        every.append(Case(f"A matrix in a file with {what} in its name is described", ["info", raw], files=files))
        every.append(Case(
            f"A matrix in a file with {what} in its name is described as JSON", ["info", "--json", raw], files=files,
            output=['"entries": 5'],
        ))
        every.append(Case(f"A missing file with {what} in its name is bad input", ["info", raw], code=4, error=["no such file"]))
        every.append(Case(
            f"A malformed file with {what} in its name is bad input", ["info", raw],
            files={name: "%%MatrixMarket matrix coordinate real general\n1 1 1\n2 1 1\n"}, code=4, error=["exceeds"],
        ))
        if raw != b"...":
            every.append(Case(
                f"A file with {what} in its name is written", ["convert", "A.mtx", raw], files={"A.mtx": SMALL},
                after=[is_there(name)] if b"255" not in what.encode() else [], code=(0, 1) if "255" in what else 0,
            ))
            every.append(Case(
                f"A vector with {what} in its name is written", ["spmv", "A.mtx", "-o", raw], files={"A.mtx": SMALL},
                after=[is_there(name)] if "255" not in what else [], code=(0, 1) if "255" in what else 0,
            ))
        every.append(Case(
            f"A vector that is missing and has {what} in its name is bad input", ["solve", "A.mtx", raw], files={"A.mtx": SMALL}, code=4,
            error=["lacis: "],
        ))
    for command in ("spmv", "spgemm", "solve", "pagerank", "plan"):
        raw = b"a\x1b]0;owned\x07\nb.mtx"
        every.append(Case(f"{command} shows a name without its escape sequences", [command, raw], files={raw.decode(): SMALL}))
    for words in (["partition", "-k", "1"], ["scale", "-k", "1", "--network", "loopback", "--bandwidth", "10"], ["reorder", "--by", "rcm", "-o", "o.mtx"]):
        every.append(Case(f"{words[0]} shows a name without its escape sequences", [*words, raw], files={raw.decode(): SMALL}))
    every.append(Case(
        "bench shows a name without its escape sequences", ["bench", "plan", raw, "--seconds", "0"], files={raw.decode(): SMALL},
        seconds=40,
    ))
    every.append(Case("lab shows a name without its escape sequences", ["lab", raw, "--kernel", "csr_row"], files={raw.decode(): SMALL}, seconds=40))
    for argument in (b"a\x1b[31m", b"--a\x1b[31m", b"a\nb", b"\xff\xfe", b"a" * 5000):
        lines = (
            [argument],
            ["info", "A.mtx", argument],
            ["help", argument],
            ["completion", argument],
            ["info", "--from", argument, "A.mtx"],
            ["generate", b"@" + argument, "-o", "o.mtx"],
            ["solve", "A.mtx", "--method", argument],
            ["info", "A.mtx", "--size", argument],
            ["spmv", "A.mtx", "--device", argument],
            ["verify", argument],
            ["bench", argument],
        )
        for words in lines:
            shown = " ".join(word if isinstance(word, str) else repr(word[:12])[2:-1] + ("..." if len(word) > 12 else "") for word in words)
            every.append(Case(f"The argument of '{shown}' appears without its control characters", words, files={"A.mtx": SMALL}, code=2))
    return every
