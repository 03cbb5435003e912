# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Matrices from files and descriptions."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

import numpy as np

from . import _core
from ._arrays import as_csr, expanded, parts_of
from ._errors import InvalidArgument
from ._progress import progress_of

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from ._sparse import csr_array
    from ._types import Matrix, Path, Progress


def _bar(progress, label):
    """progress_of() for the share of a file or matrix."""

    def make(tqdm):
        bar = tqdm(total=100, desc=label, unit="%", leave=False)

        def report(stage, share):
            bar.set_postfix_str(stage, refresh=False)
            bar.update(min(100.0, 100.0 * share) - bar.n if 100.0 * share > bar.n else 0)

        return bar, report

    return progress_of(progress, make)


def _numpy_type(file):
    """The type of the elements in an array file of NumPy."""
    version = np.lib.format.read_magic(file)
    header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    return header(file)[2]


def _stored_type(name, file_format, field):
    """The type of the values in a file, where its format tells one that NumPy's sparse users expect; else None."""
    if file_format == "matrix_market":
        return {"integer": np.dtype(np.int64), "unsigned-integer": np.dtype(np.uint64)}.get(field)
    if file_format == "npz" and name != "-":
        import zipfile

        with zipfile.ZipFile(name) as members, members.open("data.npy") as file:
            stored = _numpy_type(file)
    elif file_format == "csr_directory":
        with open(os.path.join(name, "values.npy"), "rb") as file:
            stored = _numpy_type(file)
    else:
        return None
    # Of floating-point numbers the least of the four types of lacis that holds them.
    return stored.newbyteorder("=") if stored.kind in "biu" else np.result_type(stored, np.float32) if stored.itemsize <= 8 else None


def _as_type(data, dtype):
    """Values as the type that was asked for. Rounding is what a caller asks for; another number is not."""
    dtype = np.dtype(dtype)
    if dtype.kind not in "biufc":
        raise TypeError(f"dtype must be a type of numbers, not {dtype}")
    if data.dtype.kind == "c" and dtype.kind != "c":
        if np.any(data.imag):
            raise TypeError(f"the values are complex and do not fit {dtype}")
        data = data.real
    # Integers that doubles hold: those of other sizes wrap as NumPy's do.
    converted = data.astype(dtype, copy=False)
    if dtype.kind in "biu" and not np.array_equal(converted, data):
        raise InvalidArgument(f"not all values are {dtype.name}; read them as float64 and round them as you need")
    return converted


def read_arrays(path, progress=False, dtype=None):
    """(rows, cols, indptr, indices, data) of a file or a description. The values have the type that the file tells, or dtype."""
    name = os.fspath(path)
    if name.startswith("@"):
        rows, cols, indptr, indices, data = expanded(_core.generate(name, 1, "natural"))
        return rows, cols, indptr, indices, data if dtype is None else _as_type(data, dtype)
    if name != "-" and not os.path.exists(name):
        raise FileNotFoundError(2, "No such file or directory", name)
    report, done = _bar(progress, os.path.basename(name))
    try:
        made, file_format, field = _core.read(name, report)
    finally:
        done()
    rows, cols, indptr, indices, data = expanded(made)
    wanted = _stored_type(name, file_format, field) if dtype is None else dtype
    return rows, cols, indptr, indices, data if wanted is None else _as_type(data, wanted)


def read(path: Path, progress: Progress = False, dtype: DTypeLike | None = None) -> csr_array:
    """The matrix in a file, or that a description such as '@poisson3d:50' stands for, as a lacis.csr_array.

    Matrix Market (also .gz, .zst), .npz of SciPy, edge lists, METIS graphs and .csr directories, recognised by content.
    dtype: of the values. By default it is that of the file where it has one: .npz and .csr keep float32, complex64, integers and bool,
    Matrix Market has int64 for 'integer'; everything else is float64 or complex128. Products with integers are SciPy's: dtype=float reads
    them for lacis. Integers beyond 2^53 are refused.
    progress=True shows a bar if tqdm is installed; a function is called with (stage, share)."""
    from ._sparse import from_arrays

    return from_arrays(*read_arrays(path, progress, dtype))


_ENDINGS = (".mtx", ".npz", ".graph", ".csr", ".el", ".wel", ".txt", ".tsv")


def _ending(name):
    """The part of a name that tells the format, without that of the compression."""
    plain = name.removesuffix(".gz").removesuffix(".zst")
    found = next((ending for ending in _ENDINGS if plain.endswith(ending)), None)
    if found is None:
        raise InvalidArgument(f"{name}: the ending tells the format: {', '.join(_ENDINGS)}, and .gz or .zst behind them for a compressed text")
    return found


def _write_integers(name, a, ending):
    """Integers and bool in the formats that have them, as SciPy writes them, next to the final name first."""
    import gzip
    import shutil
    import threading

    import scipy.io
    import scipy.sparse

    whole = scipy.sparse.csr_array(a.to_scipy() if hasattr(a, "to_scipy") else a, copy=True)
    whole.sum_duplicates()
    target = os.path.realpath(name)
    direct = os.path.exists(target) and not os.path.isfile(target)  # a device or a pipe
    temporary = target if direct else f"{target}.{os.getpid()}-{threading.get_ident()}"
    with open(temporary, "wb" if direct else "xb") as file:
        try:
            if ending == ".npz":
                scipy.sparse.save_npz(file, whole)
            else:
                text = gzip.GzipFile(fileobj=file, mode="wb") if name.endswith(".gz") else contextlib.nullcontext(file)
                with text as plain:
                    scipy.io.mmwrite(plain, whole.astype(np.int64) if whole.dtype == bool else whole, field="integer")
            file.flush()
            if not direct:
                if os.path.exists(target):
                    shutil.copymode(target, temporary)
                os.fsync(file.fileno())
                os.replace(temporary, target)
        except BaseException:
            if not direct:
                os.unlink(temporary)
            raise


def write(path: Path, a: Matrix, progress: Progress = False) -> None:
    """Writes a matrix; the ending decides the format: .mtx, .npz, .graph, .csr, edge lists as .el, .wel, .txt or .tsv; also .mtx.gz and .mtx.zst.

    The file appears complete or not at all. Integers stay integers in .mtx, .mtx.gz and .npz, and bool in .npz; the other formats have
    floating-point numbers. float32 and complex64 stay what they are in .npz and .csr."""
    name = os.fspath(path)
    ending = _ending(name) if name != "-" else ""
    dtype = getattr(a, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.kind in "biu" and ending in (".npz", ".mtx") and not name.endswith(".zst"):
        return _write_integers(name, a, ending)
    report, done = _bar(progress, os.path.basename(name))
    try:
        _core.write(name, as_csr(parts_of(a)), report)
    finally:
        done()


def generate(spec: str, seed: int = 1, values: str = "natural") -> csr_array:
    """The matrix that a description stands for, such as '@rmat:16'; lacis.generators() lists them.

    values: 'natural', 'pattern', 'ones', 'integer', 'random' or 'symmetric'. The same seed gives the same matrix on every machine."""
    from ._sparse import from_arrays

    text = spec if spec.startswith("@") else "@" + spec
    return from_arrays(*expanded(_core.generate(text, int(seed), values)))


def generators() -> list[tuple[str, str, str]]:
    """What generate() knows: a list of (name, arguments, summary)."""
    return _core.generators()
