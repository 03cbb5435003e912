# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Matrices that are unusual but legal: without rows, with one element, in odd but valid spellings."""
from case import Case, begins, is_json, matches, numbers
from cases.commands import READING, arguments
from files import SMALL, csr_directory, gz, mtx, npy, npy_of, npz, tar

SHAPES = [
    ("0 x 0", mtx("0 0 0\n")),
    ("0 x 5", mtx("0 5 0\n")),
    ("5 x 0", mtx("5 0 0\n")),
    ("1 x 1", mtx("1 1 1\n1 1 3\n")),
    ("1 x 1 without entries", mtx("1 1 0\n")),
    ("1 x 5", mtx("1 5 2\n1 1 3\n1 5 3\n")),
    ("5 x 1", mtx("5 1 2\n1 1 3\n5 1 3\n")),
    ("5 x 5 without entries", mtx("5 5 0\n")),
]
SQUARE_ONLY = ("reorder", "partition", "scale", "pagerank", "spgemm")

# The same matrix, which is SMALL, in other spellings.
SPELLINGS = [
    ("CRLF", SMALL.replace("\n", "\r\n")),
    ("a byte order mark", b"\xef\xbb\xbf" + SMALL.encode()),
    ("no newline at the end", SMALL.rstrip("\n")),
    ("blanks at the ends of lines", SMALL.replace("\n", "  \t \n").replace("general  \t ", "general")),
    ("blank lines", SMALL.replace("\n", "\n\n")),
    ("blanks in front", SMALL.replace("\n", "\n   ")),
    ("tabs", SMALL.replace(" ", "\t")),
    ("comments", SMALL.replace("general\n", "general\n% one\n%\n%% two \u00e4\n")),
    ("a banner in capitals", SMALL.replace("%%MatrixMarket matrix coordinate real general", "%%MATRIXMARKET MATRIX COORDINATE REAL GENERAL")),
    ("zeros in front of numbers", SMALL.replace("3 3 5", "0003 003 05").replace("1 2 1", "001 002 0001.000")),
    ("signs", SMALL.replace("1 2 1", "1 2 +1")),
    ("exponents", SMALL.replace("1 2 1", "1 2 1000E-3")),
    ("the field double", SMALL.replace("real", "double")),
    ("entries in another order", mtx("3 3 5\n3 3 4\n3 1 1\n2 2 4\n1 2 1\n1 1 4\n")),
    ("duplicates", mtx("3 3 6\n1 1 3\n1 1 1\n1 2 1\n2 2 4\n3 1 1\n3 3 4\n")),
    ("gzip", gz(SMALL)),
    ("two gzip members", gz(SMALL[:60]) + gz(SMALL[60:])),
    ("gzip with zeros behind it", gz(SMALL) + bytes(512)),
    ("tar", tar([("A/A.mtx", SMALL.encode())])),
    ("tar.gz with other members", gz(tar([("A/readme", b"x"), ("A/A.mtx", SMALL.encode()), ("A/A_b.mtx", b"x")]))),
    ("tar with absolute and parent names", tar([("/etc/../A.mtx", SMALL.encode())])),
]


def cases(program):
    every = []
    for what, content in SHAPES:
        rows, cols = (int(word) for word in what.split()[0:3:2])
        for command in READING:
            refused = command.name in SQUARE_ONLY and rows != cols
            nothing = command.name in ("bench", "lab") and ("0 x" in what or "x 0" in what or "without" in what)
            every.append(
                Case(
                    f"{command.name} takes a matrix of {what}" if not refused else f"{command.name} refuses a matrix of {what} in a few words",
                    arguments(command, matrix="odd.mtx"),
                    files={"odd.mtx": content},
                    code=(2, 4) if refused or nothing else (0, 3) if command.name == "solve" else 0,
                    error=["square"] if refused else [],
                    absent=["nan", "inf "] if command.name != "solve" else [],
                    seconds=40,
                )
            )
        for name, words in (("info", []), ("spmv", []), ("solve", []), ("plan", []), ("pagerank", []), ("spgemm", [])):
            if not (name in SQUARE_ONLY and rows != cols):
                every.append(
                    Case(
                        f"{name} --json of a matrix of {what} is JSON", [name, "--json", "odd.mtx", *words], files={"odd.mtx": content},
                        code=(0, 3) if name == "solve" else 0, after=[is_json],
                    )
                )
        for ending in ("npz", "mtx.gz", "el", "csr", "graph"):
            # An edge list and a METIS graph know nothing but square matrices, and METIS no loops.
            allowed = 0 if ending in ("npz", "mtx.gz", "csr") else (0, 1, 2, 4)
            every.append(
                Case(
                    f"convert to .{ending} takes a matrix of {what}, or says why not", ["convert", "odd.mtx", f"o.{ending}"],
                    files={"odd.mtx": content}, code=allowed,
                )
            )
    for what, content in SPELLINGS:
        every.append(
            Case(
                f"info reads a matrix with {what}",
                ["info", "--json", "A.tar.gz" if "tar" in what else "A"],
                files={"A.tar.gz" if "tar" in what else "A": content},
                after=[matches(r'"rows": 3'), matches(r'"entries": 5'), is_json],
            )
        )
    y = [5, 4, 5]
    every += [
        Case(
            "spmv multiplies with negative zero and subnormal numbers", ["spmv", "A.mtx", "x", "-o", "y"],
            files={"A.mtx": mtx("2 2 2\n1 1 -0\n2 2 5e-324\n"), "x": "1\n1\n"}, after=[numbers("y", [0, 5e-324])],
        ),
        Case(
            "convert keeps the sign of zero", ["convert", "A.mtx", "o.mtx"], files={"A.mtx": mtx("1 1 1\n1 1 -0\n")},
            after=[lambda run: None if "-0" in (run.folder / "o.mtx").read_text() else "the sign is lost"],
        ),
        Case(
            "convert keeps NaN and infinity", ["convert", "A.mtx", "o.mtx"], files={"A.mtx": mtx("1 3 3\n1 1 nan\n1 2 inf\n1 3 -inf\n")},
            after=[lambda run: None if "nan" in (run.folder / "o.mtx").read_text().lower() else "NaN is lost"],
        ),
        Case(
            "info --json of NaN and infinity is JSON", ["info", "--json", "A.mtx"],
            files={"A.mtx": mtx("1 3 3\n1 1 nan\n1 2 inf\n1 3 -inf\n")}, after=[is_json],
        ),
        Case(
            "spmv --json of NaN and infinity is JSON", ["spmv", "--json", "A.mtx"],
            files={"A.mtx": mtx("1 3 3\n1 1 nan\n1 2 inf\n1 3 -inf\n")}, after=[is_json],
        ),
        Case(
            "spgemm takes NaN and infinity", ["spgemm", "A.mtx", "-o", "o.mtx"], files={"A.mtx": mtx("2 2 2\n1 1 nan\n2 2 inf\n")},
            after=[begins("o.mtx", b"%%MatrixMarket")],
        ),
        Case("plan takes NaN and infinity", ["plan", "A.mtx"], files={"A.mtx": mtx("2 2 2\n1 1 nan\n2 2 inf\n")}),
        Case("lab takes NaN and infinity", ["lab", "A.mtx", "--kernel", "csr_row"], files={"A.mtx": mtx("2 2 2\n1 1 nan\n2 2 inf\n")}, seconds=40),
        Case(
            "bench takes NaN and infinity", ["bench", "plan", "A.mtx", "--seconds", "0"],
            files={"A.mtx": mtx("2 2 2\n1 1 nan\n2 2 inf\n")}, seconds=40,
        ),
        Case(
            "pagerank of NaN links does not say that it converged", ["pagerank", "A.mtx"], files={"A.mtx": mtx("2 2 2\n1 2 nan\n2 1 1\n")},
            code=(0, 3, 4), absent=[" nan"],
        ),
        Case("pagerank of negative links does not crash", ["pagerank", "A.mtx"], files={"A.mtx": mtx("2 2 2\n1 2 -1\n2 1 1\n")}, code=(0, 3, 4)),
        Case(
            "An edge list with commas, comments and CRLF is read", ["info", "--json", "g"], files={"g": "# x\r\n0,1\r\n% y\r\n2 , 3\r\n"},
            after=[matches(r'"entries": 2')],
        ),
        Case(
            "An edge list of loops and duplicates is read", ["info", "--json", "g"], files={"g": "0 0\n0 0\n1 1\n"},
            after=[matches(r'"entries": 2')],
        ),
        Case(
            "An edge list without edges but with nodes is read", ["info", "--json", "g"], files={"g": "# Nodes: 4 Edges: 0\n"},
            after=[matches(r'"rows": 4')],
        ),
        Case(
            "An edge list with huge ids is read with --compact-ids", ["info", "--json", "--compact-ids", "g"],
            files={"g": "0 9223372036854775806\n5 0\n"}, after=[matches(r'"rows": 3')],
        ),
        Case(
            "A METIS graph of isolated vertices is read", ["info", "--json", "--from", "metis", "g"], files={"g": "3 0\n\n\n\n"},
            after=[matches(r'"rows": 3')],
        ),
        Case(
            "A directory of arrays is read with and without a slash", shell="$LACIS info --json m.csr && $LACIS info --json m.csr/",
            files={"m.csr": csr_directory()}, output=['"rows": 2'],
        ),
        Case(
            "An .npz file of big-endian numbers is read", ["info", "--json", "a.npz"],
            files={"a.npz": npz(data=npy(">f8", "(2,)", b"\x3f\xf0" + bytes(6) + b"\x40\x00" + bytes(6)))},
            after=[matches(r'"entries": 2')],
        ),
        Case(
            "An .npz file with extra members is read", ["info", "--json", "a.npz"],
            files={"a.npz": npz(_is_array=npy("|b1", "()", b"\1"), note=npy_of("f8", [3]))}, after=[matches(r'"entries": 2')],
        ),
        Case(
            "A vector of one column and no entries is zero", ["spmv", "A.mtx", "x.mtx", "-o", "y"],
            files={"A.mtx": SMALL, "x.mtx": mtx("3 1 0\n")}, after=[numbers("y", [0, 0, 0])],
        ),
        Case("spmv with x of ones is right", ["spmv", "A.mtx", "x", "-o", "y"], files={"A.mtx": SMALL, "x": "1\n1\n1\n"}, after=[numbers("y", y)]),
        Case(
            "spgemm of matrices that do not fit is refused", ["spgemm", "A.mtx", "B.mtx"],
            files={"A.mtx": SMALL, "B.mtx": mtx("2 2 1\n1 1 1\n")}, code=(2, 4), error=["lacis: "],
        ),
        Case("spmv with x that does not fit is refused", ["spmv", "A.mtx", "x"], files={"A.mtx": SMALL, "x": "1\n1\n"}, code=4, error=["2", "3"]),
    ]
    every.append(Case(
        "convert over its own input works", ["convert", "A.mtx", "A.mtx"], files={"A.mtx": SMALL},
        after=[begins("A.mtx", b"%%MatrixMarket")],
    ))
    every.append(Case(
        "spgemm over its own input works", ["spgemm", "A.mtx", "-o", "A.mtx"], files={"A.mtx": SMALL},
        after=[begins("A.mtx", b"%%MatrixMarket")],
    ))
    every.append(Case(
        "convert of a directory over itself keeps a matrix", shell="$LACIS convert m.csr m.csr; $LACIS info --json m.csr",
        files={"m.csr": csr_directory()}, output=['"rows": 2'],
    ))
    for method in ("rcm", "chain", "degree"):
        every.append(Case(
            f"reorder --by {method} over its own input works", ["reorder", "A.mtx", "--by", method, "-o", "A.mtx"], files={"A.mtx": SMALL},
            after=[begins("A.mtx", b"%%MatrixMarket")],
        ))
    return every
