# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Text files that are wrong: each is bad input, and the message tells the file, mostly the line, and the fault."""
from case import Case, named
from files import BANNER, SMALL, gz, mtx, tar

# (what is wrong, content, texts of the message)
MATRIX_MARKET = [
    ("has an empty banner", "%%MatrixMarket\n1 1 1\n1 1 1\n", ["bad:1", "object"]),
    ("has a banner with one percent sign", "%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n", ["bad:1"]),
    ("is of an unknown object", "%%MatrixMarket vector coordinate real general\n1 1 1\n1 1 1\n", ["object"]),
    ("is of an unknown format", "%%MatrixMarket matrix sparse real general\n1 1 1\n1 1 1\n", ["format"]),
    ("is of an unknown field", "%%MatrixMarket matrix coordinate quaternion general\n1 1 1\n1 1 1\n", ["field"]),
    ("is of an unknown symmetry", "%%MatrixMarket matrix coordinate real odd\n1 1 1\n1 1 1\n", ["symmetry"]),
    ("has a banner of six words", "%%MatrixMarket matrix coordinate real general sparse\n1 1 1\n1 1 1\n", ["sparse"]),
    ("has a pattern as an array", "%%MatrixMarket matrix array pattern general\n1 1\n1\n", ["pattern"]),
    ("is real and hermitian", "%%MatrixMarket matrix coordinate real hermitian\n1 1 1\n1 1 1\n", ["hermitian"]),
    ("is a skew-symmetric pattern", "%%MatrixMarket matrix coordinate pattern skew-symmetric\n1 1 0\n", ["skew"]),
    ("ends before the size line", BANNER, ["size line"]),
    ("ends in a comment", BANNER + "% nothing else", ["size line"]),
    ("has two sizes only", mtx("2 2\n1 1 1\n"), ["bad:2", "entries"]),
    ("has four sizes", mtx("2 2 1 7\n1 1 1\n"), ["bad:2", "7"]),
    ("has negative rows", mtx("-2 2 1\n1 1 1\n"), ["bad:2", "negative"]),
    ("has negative entries", mtx("2 2 -1\n1 1 1\n"), ["bad:2", "negative"]),
    ("has a fraction of a row", mtx("2.5 2 1\n1 1 1\n"), ["bad:2", "2.5"]),
    ("has rows beyond 64 bits", mtx("99999999999999999999 2 1\n1 1 1\n"), ["64 bits"]),
    ("has sizes in hexadecimal", mtx("0x10 0x10 1\n1 1 1\n"), ["bad:2", "0x10"]),
    ("declares more entries than bytes follow", mtx("9 9 81\n1 1 1\n"), ["cut off"]),
    ("declares 10^18 entries", mtx("1000000000 1000000000 1000000000000000000\n1 1 1\n"), ["cut off"]),
    ("declares 4 10^9 rows for one entry", mtx("4000000000 4000000000 1\n1 1 1\n"), ["rows"]),
    ("declares 2^63 - 1 rows for one entry", mtx("9223372036854775807 9223372036854775807 1\n1 1 1\n"), ["bad"]),
    ("declares an array that overflows", mtx("9223372036854775807 9\n1\n", kind="array"), ["bad:2"]),
    ("has entries in a matrix without rows", mtx("0 3 1\n1 1 1\n"), ["no room"]),
    ("has one entry too many", mtx("2 2 1\n1 1 1\n2 2 1\n"), ["bad:4", "more entries"]),
    ("has one entry too few", mtx("2 2 3\n1 1 1.000000000000\n2 2 1.000000000000\n"), ["bad", "3"]),
    ("has row 0", mtx("2 2 1\n0 1 1\n"), ["bad:3", "counts from 1"]),
    ("has column 0", mtx("2 2 1\n1 0 1\n"), ["bad:3", "counts from 1"]),
    ("has a row outside", mtx("2 2 1\n3 1 1\n"), ["bad:3", "exceeds"]),
    ("has a column outside", mtx("2 2 1\n1 3 1\n"), ["bad:3", "exceeds"]),
    ("has a negative row", mtx("2 2 1\n-1 1 1\n"), ["bad:3", "negative"]),
    ("has a row of 30 digits", mtx("2 2 1\n" + "9" * 30 + " 1 1\n"), ["bad:3"]),
    ("has a row that is a fraction", mtx("2 2 1\n1.0 1 1\n"), ["bad:3", "1.0"]),
    ("lacks a column", mtx("2 2 1\n1\n2 2 1\n"), ["bad:3", "column"]),
    ("lacks a value", mtx("2 2 1\n1 1\n\n\n"), ["bad:3", "value"]),
    ("has a word for a value", mtx("2 2 1\n1 1 one\n"), ["bad:3", "one"]),
    ("has a decimal comma", mtx("2 2 1\n1 1 1,5\n"), ["bad:3", "comma"]),
    ("has two values", mtx("2 2 1\n1 1 1 5\n"), ["bad:3", "5"]),
    ("has a value too large for double", mtx("2 2 1\n1 1 1e999\n"), ["bad:3", "too large"]),
    ("has a Fortran exponent", mtx("2 2 1\n1 1 1.5x3\n"), ["bad:3"]),
    ("has a fraction among integers", mtx("2 2 1\n1 1 1.5\n", "integer"), ["bad:3", "integer"]),
    ("has an integer that no double holds", mtx("1 1 1\n1 1 9007199254740993\n", "integer"), ["bad:3", "double"]),
    ("has a value in a pattern", mtx("2 2 1\n1 1 1\n", "pattern"), ["bad:3", "pattern"]),
    ("lacks an imaginary part", mtx("2 2 1\n1 1 1\n", "complex"), ["bad:3", "imaginary"]),
    ("gives both triangles of a symmetric matrix", mtx("2 2 2\n1 2 1\n2 1 1\n", symmetry="symmetric"), ["bad:4"]),
    ("is symmetric and not square", mtx("2 3 1\n1 1 1\n", symmetry="symmetric"), ["bad:2", "square"]),
    ("has a diagonal in a skew-symmetric matrix", mtx("2 2 1\n1 1 1\n", symmetry="skew-symmetric"), ["bad:3"]),
    ("has a complex diagonal in a hermitian matrix", mtx("2 2 1\n1 1 1 1\n", "complex", "hermitian"), ["bad:3"]),
    ("has a comment among the entries", mtx("2 2 2\n1 1 1\n% note\n2 2 1\n"), ["bad:4", "comment"]),
    ("has a zero byte in an entry", mtx("2 2 1\n1 1 1\0\n"), ["bad:3"]),
    ("has an escape sequence for a value", mtx("2 2 1\n1 1 \x1b[31mred\n"), ["bad:3"]),
    ("has an array that is short", mtx("2 2\n1\n2\n3\n", kind="array"), ["bad"]),
    ("has an array that is long", mtx("2 2\n1\n2\n3\n4\n5\n", kind="array"), ["bad:7"]),
    ("has an escape sequence in the banner", "%%MatrixMarket matrix \x1b]0;owned\x07 real general\n1 1 0\n", ["format"]),
]

EDGES = [
    ("has a word for an id", "1 2\n3 x\n", ["bad:2", "x"]),
    ("has a negative id", "1 2\n-3 4\n", ["bad:2", "negative"]),
    ("has one id in a line", "1 2\n3\n", ["bad:2", "id"]),
    ("has four columns", "1 2 3 4\n", ["bad:1", "columns"]),
    ("has columns that vary", "1 2 3\n4 5\n", ["bad:2", "columns"]),
    ("has a weight where the first edge has none", "1 2\n4 5 6\n", ["bad:2", "columns"]),
    ("has an id of 2^63 - 1", "0 9223372036854775807\n", ["bad:1"]),
    ("has an id of 2^63", "0 9223372036854775808\n", ["bad:1", "64 bits"]),
    ("has an id of 2^64", "0 18446744073709551616\n", ["bad:1", "64 bits"]),
    ("has an id of 10^18", "0 1000000000000000000\n", ["compact"]),
    ("has an id of 3 10^9", "0 3000000000\n", ["compact"]),
    ("declares 10^18 nodes", "# Nodes: 1000000000000000000 Edges: 1\n0 1\n", ["bad"]),
    ("has a weight too large", "0 1 1e999\n", ["bad:1", "too large"]),
    ("has a word for a weight", "0 1 heavy\n", ["bad:1", "heavy"]),
    ("has a hexadecimal id", "0x1 0x2\n", ["bad:1"]),
    ("has a fraction for an id", "1.5 2\n", ["bad:1", "1.5"]),
    ("has comments only", "# hello\n% there\n", ["no edge"]),
]

# A banner that is misspelt or not at the very beginning; also with --from edge-list.
MISPLACED = [
    ("below an empty line", "\n" + SMALL),
    ("behind a blank", " " + SMALL),
    ("behind a tab", "\t" + SMALL),
    ("below a line that ends with CRLF", "\r\n" + SMALL),
    ("below a comment with #", "# c\n" + SMALL),
    ("below a comment with %", "% c\n" + SMALL),
    ("below a byte order mark and an empty line", "\ufeff\n" + SMALL),
    ("behind three percent signs", "%" + SMALL),
    ("behind a blank inside", SMALL.replace("%%", "%% ", 1)),
    ("misspelt", SMALL.replace("Market", "Markt", 1)),
]

# These are read with --from metis.
METIS = [
    ("has no header", "hello\n", ["header"]),
    ("has a bad fmt", "2 1 2\n2\n1\n", ["header"]),
    ("declares more vertices than lines", "3 1\n2\n1\n", ["bad:1", "vertices"]),
    ("declares fewer vertices than lines", "1 1\n2\n1\n", ["bad", "vert"]),
    ("declares other edges", "2 5\n2\n1\n", ["bad:1", "edges"]),
    ("has neighbour 0", "2 1\n0\n1\n", ["bad:2", "neighbour 0"]),
    ("has a neighbour outside", "2 1\n3\n1\n", ["bad:2", "exceeds"]),
    ("has a loop", "2 1\n1\n2\n", ["bad:2", "own neighbour"]),
    ("has an edge from one side", "3 1\n2\n3\n\n", ["bad"]),
    ("has weights that differ", "2 1 1\n2 5\n1 6\n", ["weight"]),
    ("has a neighbour without weight", "2 1 1\n2\n1 5\n", ["bad:2", "weight"]),
    ("has a weight of 0", "2 1 1\n2 0\n1 0\n", ["weight of 0"]),
    ("lists a neighbour twice", "2 2\n2 2\n1 1\n", ["twice"]),
    ("has an escape sequence for a neighbour", "2 1\n\x1b[5m\n1\n", ["bad:2"]),
    ("has 2^62 vertices", "4611686018427387904 1\n2\n1\n", ["bad", "vert"]),
]

# Kinds of files that are no matrix.
FOREIGN = [
    ("is empty", b"", ["empty"]),
    ("holds blanks only", b" \n\t\r\n \n", ["blanks"]),
    ("is a PDF", b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", ["PDF"]),
    ("is a program", b"\x7fELF\x02\x01\x01" + bytes(60), ["program"]),
    ("is an HDF5 file", b"\x89HDF\r\n\x1a\n" + bytes(60), ["HDF5"]),
    ("is a MATLAB file", b"MATLAB 5.0 MAT-file, Platform: GLNXA64", ["MATLAB"]),
    ("is a dense NumPy array", b"\x93NUMPY\x01\x00" + bytes(60), ["NumPy"]),
    ("is an xz file", b"\xfd7zXZ\x00" + bytes(20), ["xz"]),
    ("is a bzip2 file", b"BZh91AY&SY" + bytes(20), ["bzip2"]),
    ("is a 7z archive", b"7z\xbc\xaf\x27\x1c" + bytes(20), ["7z"]),
    ("is UTF-16", "1 2\n3 4\n".encode("utf-16"), ["UTF-16"]),
    ("is a web page", b"<!DOCTYPE html><html><title>404</title></html>\n", ["web page"]),
    ("is JSON", b'{"rows": 3, "cols": 3}\n', ["bad"]),
    ("is a sentence", b"The matrix is attached.\n", ["The"]),
    ("is zeros", bytes(5000), ["binary"]),
    ("is bytes of all kinds", bytes(range(256)) * 20, ["binary"]),
    ("is invalid UTF-8", b"\xff\xc0\xc1\xf5 1\n", ["bad"]),
    ("is C1 control characters", "\u009b31m 1 2\n".encode(), ["bad"]),
    ("is gzip within gzip", gz(gz(SMALL)), ["more than once"]),
    ("is gzip that is cut in its header", gz(SMALL)[:6], ["damaged"]),
    ("is gzip that is cut in its data", gz(SMALL)[:-15], ["damaged"]),
    ("is gzip without its trailer", gz(SMALL)[:-8], ["damaged"]),
    ("is gzip with a wrong checksum", gz(SMALL)[:-8] + b"\0\0\0\0" + gz(SMALL)[-4:], ["damaged"]),
    ("is gzip with a wrong length", gz(SMALL)[:-4] + b"\1\0\0\0", ["damaged"]),
    ("is gzip with words behind it", gz(SMALL) + b"more", ["damaged"]),
    ("is gzip of an empty file", gz(b""), ["empty"]),
    ("is the magic of zstd alone", b"\x28\xb5\x2f\xfd", ["damaged"]),
    ("is zstd of noise", b"\x28\xb5\x2f\xfd" + bytes(range(40, 90)), ["damaged"]),
]


def cases(program):
    def info(content, texts):
        return Case("", ["info", "bad"], files={"bad": content}, code=4, error=["bad", *texts], megabytes=150)

    def info_from(form):
        return lambda content, texts: Case(
            "", ["info", "--from", form, "bad"], files={"bad": content}, code=4, error=["bad", *texts], megabytes=150
        )

    every = [
        *named("A Matrix Market file is refused that ", MATRIX_MARKET, info),
        *named("An edge list is refused that ", EDGES, info_from("edge-list")),
        *named("A METIS graph is refused that ", METIS, info_from("metis")),
        *named("A file is refused that ", FOREIGN, info),
    ]
    for where, content in MISPLACED:
        for name, words in (("bad", []), ("bad.mtx", []), ("bad", ["--from", "edge-list"]), ("bad.tar.gz", [])):
            packed = gz(tar([("bad.mtx", content.encode())])) if name.endswith("gz") else content
            every.append(Case(
                f"A banner {where} is not taken for a comment of {' '.join([name, *words])}", ["convert", name, "-", *words],
                files={name: packed}, code=4, error=["resembles the banner"] if name == "bad" else ["%%MatrixMarket"],
            ))
    every.append(Case("A Matrix Market file is no edge list, whatever --from says", ["info", "--from", "edge-list", "A.mtx"],
                      files={"A.mtx": SMALL}, code=4, error=["A.mtx:1"]))
    every.append(Case("An edge list named .mtx is refused", ["info", "A.mtx"], files={"A.mtx": "0 1\n"}, code=4, error=["--from edge-list"]))
    every.append(Case("An edge list named .mtx is read with --from", ["info", "--json", "A.mtx", "--from", "edge-list"],
                      files={"A.mtx": "0 1\n"}, output=['"entries": 1']))
    every.append(Case("A triangle named .el is an edge list", ["info", "--json", "tri.el"], files={"tri.el": "3 3\n2 3\n1 3\n1 2\n"},
                      output=['"rows": 4']))
    every.append(Case("A METIS graph that is cut off is no edge list", ["info", "g.graph"], files={"g.graph": "3 2\n2\n1 3\n"}, code=4,
                      error=["g.graph:1", "vertices"]))
    every.append(Case("A METIS graph of no vertices goes through a file", shell="$LACIS convert E.mtx E.graph && $LACIS info --json E.graph",
                      files={"E.mtx": mtx("0 0 0\n")}, output=['"rows": 0']))
    every.append(Case("A vector for a matrix is called one", ["solve", "b.txt", "A.mtx"], files={"A.mtx": SMALL, "b.txt": "1\n2\n3\n"}, code=4,
                      error=["b.txt:1", "vector"]))
    every.append(
        Case(
            "The hint of a METIS fault names an option that exists",
            ["info", "--from", "metis", "bad"],
            files={"bad": "2 1\n3\n1\n"},
            code=4,
            error=["edge"],
            absent=["--format"],
        )
    )
    for form in ("npz", "csr-directory", "metis"):
        every.append(
            Case(f"A Matrix Market file read as {form} is refused", ["info", "--from", form, "bad"], files={"bad": SMALL}, code=4, error=["bad"])
        )
    every.append(Case(
        "An edge list read as matrix-market is refused", ["info", "--from", "matrix-market", "bad"], files={"bad": "0 1\n"}, code=4,
        error=["bad:1"],
    ))
    every.append(Case("Standard input that is empty is refused", ["info", "-"], stdin=b"", code=4, error=["standard input", "empty"]))
    every.append(Case(
        "Standard input that is malformed is refused with its line", ["info", "-"], stdin=mtx("1 1 1\n2 1 1\n").encode(), code=4,
        error=["standard input:3"],
    ))
    return every
