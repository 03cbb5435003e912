# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Files for the cases, well-formed and not, made with nothing but Python's standard library."""
import functools
import gzip
import io
import json
import pathlib
import re
import struct
import tarfile
import zipfile
import zlib
from typing import Callable, Iterable, Optional, Sequence

BANNER = "%%MatrixMarket matrix coordinate real general\n"


def listed(header: str, macro: str) -> list:
    """The names in one of the library's lists: methods, preconditioners."""
    text = (pathlib.Path(__file__).parents[2] / "include/lacis" / header).read_text()
    return [name.replace("_", "-") for name in re.findall(rf"^  {macro}\((\w+)", text, flags=re.MULTILINE)]


def mtx(body: str, field: str = "real", symmetry: str = "general", kind: str = "coordinate") -> str:
    return f"%%MatrixMarket matrix {kind} {field} {symmetry}\n{body}"


def diagonal(values: Sequence[object]) -> str:
    n = len(values)
    return mtx(f"{n} {n} {n}\n" + "".join(f"{i} {i} {value}\n" for i, value in enumerate(values, 1)))


def tridiagonal(n: int) -> str:
    """2 on the diagonal, -1 beside it."""
    lines = []
    for i in range(1, n + 1):
        for j in (i - 1, i, i + 1):
            if 1 <= j <= n:
                lines.append(f"{i} {j} {2 if i == j else -1}\n")
    return mtx(f"{n} {n} {len(lines)}\n" + "".join(lines))


SMALL = mtx("3 3 5\n1 1 4\n1 2 1\n2 2 4\n3 1 1\n3 3 4\n")


def column(values: Iterable[object]) -> str:
    return "".join(f"{value}\n" for value in values)


# NumPy arrays and what holds them


def npy(descr: str, shape: str, data: bytes, version: int = 1) -> bytes:
    header = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape}, }}".encode()
    return npy_raw(header, data, version)


def npy_raw(header: bytes, data: bytes, version: int = 1) -> bytes:
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + length + header + data


def npy_of(kind: str, values: Sequence[float]) -> bytes:
    """An array of one dimension; `kind` is 'i4', 'i8' or 'f8'."""
    letter = {"i4": "i", "i8": "q", "f8": "d"}[kind]
    return npy("<" + kind, f"({len(values)},)", struct.pack(f"<{len(values)}{letter}", *values))


def npz_members(**changes: Optional[bytes]) -> dict:
    """The members of a 2 x 2 identity as SciPy saves it; a change replaces one, None leaves it out."""
    members = {
        "indices": npy_of("i4", [0, 1]),
        "indptr": npy_of("i4", [0, 1, 2]),
        "format": npy("|S3", "()", b"csr"),
        "shape": npy_of("i8", [2, 2]),
        "data": npy_of("f8", [1, 1]),
    }
    members.update(changes)
    return {name + ".npy": content for name, content in members.items() if content is not None}


def npz(members: Optional[dict] = None, **changes: Optional[bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (members if members is not None else npz_members(**changes)).items():
            archive.writestr(name, content)
    return out.getvalue()


def csr_directory(description: Optional[str] = None, **changes: Optional[bytes]) -> Callable[[pathlib.Path], None]:
    """A function that makes the directory of a 2 x 2 identity; a change replaces an array, None leaves it out."""
    about = {
        "binsparse": {
            "version": "0.1",
            "format": "CSR",
            "shape": [2, 2],
            "number_of_stored_values": 2,
            "data_types": {"pointers_to_1": "int64", "indices_1": "int32", "values": "float64"},
        }
    }
    arrays = {"row_offsets": npy_of("i8", [0, 1, 2]), "columns": npy_of("i4", [0, 1]), "values": npy_of("f8", [1, 1])}
    arrays.update(changes)

    def make(path: pathlib.Path) -> None:
        path.mkdir()
        if description != "":
            (path / "matrix.json").write_text(description or json.dumps(about))
        for name, content in arrays.items():
            if content is not None:
                (path / f"{name}.npy").write_bytes(content)

    return make


def described(**changes: object) -> str:
    """matrix.json of csr_directory() with other fields."""
    about = {
        "version": "0.1",
        "format": "CSR",
        "shape": [2, 2],
        "number_of_stored_values": 2,
        "data_types": {"pointers_to_1": "int64", "indices_1": "int32", "values": "float64"},
    }
    about.update(changes)
    return json.dumps({"binsparse": about})


def tar(members: Sequence[tuple]) -> bytes:
    """An archive of (name, content); a content of None makes a directory."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in members:
            about = tarfile.TarInfo(name)
            if content is None:
                about.type = tarfile.DIRTYPE
                archive.addfile(about)
            else:
                about.size = len(content)
                archive.addfile(about, io.BytesIO(content))
    return out.getvalue()


def gz(content: object) -> bytes:
    return gzip.compress(content.encode() if isinstance(content, str) else content, mtime=0)


@functools.lru_cache(maxsize=None)
def gzip_bomb(start: bytes, line: bytes, size: int) -> bytes:
    """gzip of `start` and then `line` over and over, about `size` bytes in all, which are never there at once."""
    piece = line * ((1 << 20) // len(line))
    squeeze = zlib.compressobj(9, zlib.DEFLATED, 31)
    # Whole pieces, each flushed, compress to the same bytes from the second on.
    first = squeeze.compress(start + piece) + squeeze.flush(zlib.Z_FULL_FLUSH)
    next_ones = squeeze.compress(piece) + squeeze.flush(zlib.Z_FULL_FLUSH)
    count = size // len(piece)
    checksum = zlib.crc32(start)
    for _ in range(count):
        checksum = zlib.crc32(piece, checksum)
    # The end of such a stream: an empty last block, then checksum and length.
    length = (len(start) + count * len(piece)) & 0xFFFFFFFF
    return first + next_ones * (count - 1) + b"\x03\x00" + struct.pack("<II", checksum, length)


# Anything else


def directory(path: pathlib.Path) -> None:
    path.mkdir()


def fifo(path: pathlib.Path) -> None:
    import os

    os.mkfifo(path)


def link_to(target: str) -> Callable[[pathlib.Path], None]:
    return lambda path: path.symlink_to(target)


def with_mode(content: str, mode: int) -> Callable[[pathlib.Path], None]:
    def make(path: pathlib.Path) -> None:
        path.write_text(content)
        path.chmod(mode)

    return make


def changed_byte(content: bytes, place: int, to: Optional[int] = None) -> bytes:
    place %= len(content)
    value = content[place] ^ 0x40 if to is None else to
    return content[:place] + bytes([value]) + content[place + 1 :]
