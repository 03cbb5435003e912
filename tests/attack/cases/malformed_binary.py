# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Files of NumPy arrays, archives and directories that are wrong: each is bad input with a message that names it."""
import os
import struct
import zipfile
import io

from case import Case, named
from files import (
    SMALL,
    changed_byte,
    csr_directory,
    described,
    directory,
    fifo,
    gz,
    link_to,
    npy,
    npy_of,
    npy_raw,
    npz,
    npz_members,
    tar,
)

HUGE = str(2**62)

# (what is wrong, content, texts of the message)
NPZ = [
    ("is cut short", npz()[:-30], []),
    ("is cut in the middle", npz()[:200], []),
    ("is a zip file without members", npz({}), ["format"]),
    ("has no data", npz(data=None), ["data"]),
    ("has no shape", npz(shape=None), ["shape"]),
    ("has no format", npz(format=None), ["format"]),
    ("has no indices", npz(indices=None), ["indices"]),
    ("has no indptr", npz(indptr=None), ["indptr"]),
    ("has an unknown format", npz(format=npy("|S3", "()", b"lil")), ["lil"]),
    ("has an escape sequence for a format", npz(format=npy("|S5", "()", b"\x1b[31m")), ["format"]),
    ("has objects for data", npz(data=npy("|O", "(2,)", bytes(16))), ["|O"]),
    ("has records for data", npz(data=npy_raw(b"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,), }", bytes(16))), ["records"]),
    ("has long doubles for data", npz(data=npy("<f16", "(2,)", bytes(32))), ["f16"]),
    ("has half precision for data", npz(data=npy("<f2", "(2,)", bytes(4))), ["f2"]),
    ("has text for data", npz(data=npy("<U4", "(2,)", bytes(32))), ["data"]),
    ("has dates for data", npz(data=npy("<M8", "(2,)", bytes(16))), ["M8"]),
    ("has a shape of three", npz(shape=npy_of("i8", [2, 2, 2])), ["shape"]),
    ("has a shape of one", npz(shape=npy_of("i8", [2])), ["shape"]),
    ("has a negative shape", npz(shape=npy_of("i8", [-2, 2])), ["shape"]),
    ("has a shape of 2^62", npz(shape=npy_of("i8", [2**62, 2**62])), ["bad"]),
    ("has a shape of 2^63 - 1", npz(shape=npy_of("i8", [2**63 - 1, 2])), ["bad"]),
    ("has a real shape", npz(shape=npy_of("f8", [2, 2])), ["shape"]),
    ("has a column outside", npz(indices=npy_of("i4", [0, 2])), ["indices"]),
    ("has a negative column", npz(indices=npy_of("i4", [0, -1])), ["indices"]),
    ("has real columns", npz(indices=npy_of("f8", [0, 1])), ["indices"]),
    ("has offsets that descend", npz(indptr=npy_of("i4", [0, 2, 1])), ["indptr"]),
    ("has offsets that do not begin at 0", npz(indptr=npy_of("i4", [1, 1, 2])), ["indptr"]),
    ("has negative offsets", npz(indptr=npy_of("i4", [0, -1, 2])), ["indptr"]),
    ("has offsets beyond the data", npz(indptr=npy_of("i4", [0, 1, 9])), ["indptr"]),
    ("has too few offsets", npz(indptr=npy_of("i4", [0, 2])), ["indptr"]),
    ("has fewer indices than data", npz(indices=npy_of("i4", [0])), ["indices"]),
    ("has data of two dimensions", npz(data=npy("<f8", "(1, 2)", bytes(16))), ["data"]),
    ("has data that overflows", npz(data=npy("<f8", f"({HUGE}, {HUGE})", bytes(16))), ["data"]),
    ("has data whose bytes overflow", npz(data=npy("<f8", f"({HUGE},)", bytes(16))), ["data"]),
    ("has data with nine dimensions", npz(data=npy("<f8", "(" + "1," * 9 + ")", bytes(8))), ["data"]),
    ("has data with a negative length", npz(data=npy("<f8", "(-2,)", bytes(16))), ["data"]),
    ("has data shorter than declared", npz(data=npy("<f8", "(2,)", bytes(15))), ["data"]),
    ("has data longer than declared", npz(data=npy("<f8", "(2,)", bytes(17))), ["data"]),
    ("has data with a header that is cut", npz(data=b"\x93NUMPY\x01\x00\xff\xff{'descr'"), ["data"]),
    ("has data with an unknown version", npz(data=b"\x93NUMPY\x09\x00\x02\x00{}"), ["version"]),
    ("has data without a header", npz(data=npy_raw(b"", bytes(16))), ["data"]),
    ("has data with a header of noise", npz(data=npy_raw(b"{{{{((((", bytes(16))), ["data"]),
    ("has data with a string that does not end", npz(data=npy_raw(b"{'descr", bytes(16))), ["data"]),
    ("has data without magic", npz(data=b"NUMPY"), ["data"]),
    ("has an integer that no double holds", npz(data=npy_of("i8", [1, 2**53 + 1])), ["data"]),
    ("has blocks that do not tile", npz(format=npy("|S3", "()", b"bsr"), data=npy("<f8", "(2, 3, 1)", bytes(48))), ["blocks"]),
    ("has blocks without size", npz(format=npy("|S3", "()", b"bsr"), data=npy("<f8", "(2, 0, 0)", b"")), ["blocks"]),
    ("has a diagonal twice", npz(format=npy("|S3", "()", b"dia"), data=npy("<f8", "(2, 2)", bytes(32)), offsets=npy_of("i4", [0, 0])), ["twice"]),
    ("has coordinates of another length", npz(format=npy("|S3", "()", b"coo"), row=npy_of("i4", [0]), col=npy_of("i4", [0, 1])), ["row"]),
    ("has a coordinate outside", npz(format=npy("|S3", "()", b"coo"), row=npy_of("i4", [0, 7]), col=npy_of("i4", [0, 1])), ["row"]),
    ("has a damaged member", changed_byte(npz(), npz().find(b"NUMPY") if b"NUMPY" in npz() else 60), []),
]

DIRECTORIES = [
    ("has no description", csr_directory(""), ["matrix.json"]),
    ("has a description that is no JSON", csr_directory("{"), ["JSON"]),
    ("has a description of 100,000 brackets", csr_directory("[" * 100000), ["JSON"]),
    ("has an empty description", csr_directory(" "), ["JSON"]),
    ("has a description of two megabytes", csr_directory("[" + "1," * 1000000 + "1]"), ["mebibyte"]),
    ("has another format", csr_directory(described(format="CSC")), ["CSR"]),
    ("has half of a symmetric matrix", csr_directory(described(structure="symmetric_lower")), ["structure"]),
    ("has half of a Hermitian matrix", csr_directory(described(structure="hermitian_upper")), ["structure"]),
    ("has half of a skew-symmetric matrix", csr_directory(described(structure="skew_symmetric_lower")), ["structure"]),
    ("has a structure of garbage", csr_directory(described(structure=[1])), ["structure"]),
    ("has a value for what is not stored", csr_directory(described(fill=True)), ["not stored"]),
    ("has another version", csr_directory(described(version="99")), ["version"]),
    ("has three sizes", csr_directory(described(shape=[2, 2, 2])), ["shape"]),
    ("has no shape", csr_directory(described(shape=[])), ["shape"]),
    ("has a negative shape", csr_directory(described(shape=[-2, 2])), ["shape"]),
    ("has a shape of words", csr_directory(described(shape=["two", 2])), ["shape"]),
    ("has a shape of fractions", csr_directory(described(shape=[2.5, 2])), ["shape"]),
    ("has 2^63 - 1 rows", csr_directory(described(shape=[2**63 - 1, 2])), ["rows"]),
    ("has 10^30 rows", csr_directory(described(shape=[10**30, 2])), ["shape"]),
    ("has other entries than declared", csr_directory(described(number_of_stored_values=3)), ["columns.npy"]),
    ("has other types than declared", csr_directory(described(data_types={"pointers_to_1": "int32", "indices_1": "int32", "values": "float64"})), ["type"]),
    ("has no types", csr_directory(described(data_types={})), ["data_types"]),
    ("has no offsets", csr_directory(row_offsets=None), ["row_offsets.npy"]),
    ("has no columns", csr_directory(columns=None), ["columns.npy"]),
    ("has no values", csr_directory(values=None), ["values.npy"]),
    ("has an empty array", csr_directory(columns=b""), ["columns.npy"]),
    ("has offsets that descend", csr_directory(row_offsets=npy_of("i8", [0, 2, 1])), ["row_offsets.npy"]),
    ("has offsets beyond the entries", csr_directory(row_offsets=npy_of("i8", [0, 1, 2**62])), ["row_offsets.npy"]),
    ("has a column outside", csr_directory(columns=npy_of("i4", [0, 2])), ["columns.npy"]),
    ("has objects for values", csr_directory(values=npy("|O", "(2,)", bytes(16))), ["values.npy"]),
    ("has a shape of values that overflows", csr_directory(values=npy("<f8", f"({HUGE},)", bytes(16))), ["values.npy"]),
]

ESCAPES = "\x1b]0;owned\x07\x1b[31mred"

ARCHIVES = [
    ("has no matrix", gz(tar([("readme.txt", b"hello\n")])), ["readme.txt"]),
    ("has no members", gz(tar([])), []),
    ("has directories only", gz(tar([("a", None), ("b", None)])), ["none"]),
    ("has two matrices of the archive's name", gz(tar([("y/bad.mtx", SMALL.encode()), ("x/bad.mtx", SMALL.encode())])), ["two members"]),
    ("has two matrices", gz(tar([("a.mtx", SMALL.encode()), ("b.mtx", SMALL.encode())])), ["several"]),
    ("has an empty matrix", gz(tar([("bad.mtx", b"")])), ["empty"]),
    ("is cut short", gz(tar([("bad.mtx", SMALL.encode() * 200)])[:2000]), ["damaged"]),
    ("has 1000 members", gz(tar([(f"member{i}", b"") for i in range(1000)])), ["more"]),
]


def zip_of_escapes() -> bytes:
    return npz({ESCAPES + ".npy": npy_of("f8", [1]), "line\nbreak.npy": npy_of("f8", [1])})


def directory_with(name, make):
    """A directory of arrays in which one name is something else than a file."""

    def build(path):
        csr_directory()(path)
        (path / name).unlink()
        make(path / name)

    return build


def cases(program):
    def info(content, texts):
        return Case("", ["info", "bad"], files={"bad": content}, code=4, error=["bad", *texts], megabytes=150)

    every = [
        *named("An .npz file is refused that ", NPZ, info),
        *named("A directory of arrays is refused that ", DIRECTORIES, info),
        *named("An archive is refused that ", ARCHIVES, info),
    ]
    for what, content in (("zip file", zip_of_escapes()), ("tar archive", gz(tar([(ESCAPES, b"x"), ("line\nbreak", b"x")])))):
        every.append(
            Case(
                f"Names of members of a {what} appear without their escape sequences", ["info", "bad"], files={"bad": content}, code=4,
                error=["owned"],
            )
        )
    for name in ("matrix.json", "row_offsets.npy", "columns.npy", "values.npy"):
        every.append(
            Case(
                f"A directory of arrays with a FIFO for {name} is refused at once", ["info", "bad"],
                files={"bad": directory_with(name, fifo)}, code=4, error=[name], seconds=5,
            )
        )
        every.append(
            Case(
                f"A directory of arrays with a directory for {name} is refused", ["info", "bad"],
                files={"bad": directory_with(name, directory)}, code=4, error=[name],
            )
        )
        every.append(
            Case(
                f"A directory of arrays with a link to nowhere for {name} is refused", ["info", "bad"],
                files={"bad": directory_with(name, link_to("nowhere"))}, code=4, error=["bad"],
            )
        )
    for name in ("parts.npy", "order.npy"):
        for what, content in (("a FIFO", None), ("noise", b"noise"), ("descending numbers", npy_of("i8", [2, 0])), ("a huge shape", npy("<i8", f"({HUGE},)", b""))):
            def build(path, name=name, content=content):
                csr_directory()(path)
                fifo(path / name) if content is None else (path / name).write_bytes(content)

            wanted = 4 if name == "parts.npy" else (0, 4)  # the order is for those who look for it
            every.append(
                Case(
                    f"partition with {what} for {name} does not block and says so", ["partition", "bad", "-k", "1"], files={"bad": build},
                    code=wanted, seconds=5,
                )
            )
    every.append(
        Case("A zip file with two members of one name is not a crash", ["info", "bad"], files={"bad": twice()}, code=(0, 4))
    )
    return every


def twice() -> bytes:
    out = io.BytesIO()
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(out, "w") as archive:
            for name, content in npz_members().items():
                archive.writestr(name, content)
            archive.writestr("indices.npy", npy_of("i4", [7, 7]))
    return out.getvalue()
