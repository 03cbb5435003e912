# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Matrices from files and descriptions."""

import os

from . import _core
from ._arrays import as_csr, expanded, parts_of
from ._progress import progress_of


def _bar(progress, label):
    """progress_of() for the share of a file or matrix."""

    def make(tqdm):
        bar = tqdm(total=100, desc=label, unit="%", leave=False)

        def report(stage, share):
            bar.set_postfix_str(stage, refresh=False)
            bar.update(min(100.0, 100.0 * share) - bar.n if 100.0 * share > bar.n else 0)

        return bar, report

    return progress_of(progress, make)


def read_arrays(path, progress=False):
    """(rows, cols, indptr, indices, data) of a file or a description."""
    name = os.fspath(path)
    if not name.startswith("@") and name != "-" and not os.path.exists(name):
        raise FileNotFoundError(2, "No such file or directory", name)
    report, done = _bar(progress, os.path.basename(name))
    try:
        return expanded(_core.read(name, report))
    finally:
        done()


def read(path, progress=False):
    """The matrix in a file, or that a description such as '@poisson3d:50' stands for, as a lacis.csr_array.

    Matrix Market (also .gz, .zst), .npz of SciPy, edge lists, METIS graphs and .csr directories, recognised by content.
    progress=True shows a bar if tqdm is installed; a function is called with (stage, share)."""
    from ._sparse import from_arrays

    return from_arrays(*read_arrays(path, progress))


def write(path, a, progress=False):
    """Writes a matrix; the extension decides the format: .mtx, .mtx.gz, .npz, .graph, .csr. The file appears complete or not at all."""
    report, done = _bar(progress, os.path.basename(os.fspath(path)))
    try:
        _core.write(os.fspath(path), as_csr(parts_of(a)), report)
    finally:
        done()


def generate(spec, seed=1, values="natural"):
    """The matrix that a description stands for, such as '@rmat:16'; lacis.generators() lists them.

    values: 'natural', 'pattern', 'ones', 'integer', 'random' or 'symmetric'. The same seed gives the same matrix on every machine."""
    from ._sparse import from_arrays

    text = spec if spec.startswith("@") else "@" + spec
    return from_arrays(*expanded(_core.generate(text, int(seed), values)))


def generators():
    """What generate() knows: a list of (name, arguments, summary)."""
    return _core.generators()
