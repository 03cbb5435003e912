# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""What is written: whole or not at all, under the name that was given, with the rights that were there, and nothing else."""
from case import Case, begins, has_mode, is_absent, is_link, is_there, is_unchanged, numbers, right_or_refused, same_bytes
from files import SMALL, csr_directory, directory, fifo, link_to, mtx, tridiagonal, with_mode

OLD = "the old content\n"

# Everything that writes a file: (what, arguments with OUT, ending of the name, leaves a temporary named by process id)
WRITERS = [
    ("convert", "convert A.mtx OUT", ".mtx"),
    ("convert to npz", "convert A.mtx OUT", ".npz"),
    ("convert to gzip", "convert A.mtx OUT", ".mtx.gz"),
    ("convert to zstd", "convert A.mtx OUT", ".mtx.zst"),
    ("generate", "generate @poisson2d:5 -o OUT", ".mtx"),
    ("spmv -o", "spmv A.mtx -o OUT", ".txt"),
    ("spgemm -o", "spgemm A.mtx -o OUT", ".mtx"),
    ("solve -o", "solve A.mtx -o OUT", ".txt"),
    ("solve --svg", "solve A.mtx --svg OUT", ".svg"),
    ("pagerank -o", "pagerank A.mtx -o OUT", ".txt"),
    ("reorder -o", "reorder A.mtx --by rcm -o OUT", ".mtx"),
    ("reorder --order", "reorder A.mtx --by rcm -o other.mtx --order OUT", ".txt"),
    ("info --png", "info A.mtx --png OUT", ".png"),
    ("partition --svg", "partition A.mtx -k 1 --svg OUT", ".svg"),
    ("scale --svg", "scale @poisson2d:100 -k 1,2 --network loopback --bandwidth 10 --svg OUT", ".svg"),
    ("lab --svg", "lab A.mtx --kernel csr_row --svg OUT", ".svg"),
    ("bench --chart", "bench spgemm A.mtx --seconds 0 --chart OUT", ".svg"),
]


def line(words, name):
    return "$LACIS " + words.replace("OUT", name)


def writers():
    a = {"A.mtx": SMALL}
    for what, words, ending in WRITERS:
        name = "out" + ending
        yield Case(
            f"{what} keeps the mode 600 of the file that it replaces", shell=line(words, name), files={**a, name: with_mode(OLD, 0o600)},
            after=[has_mode(name, 0o600)], seconds=40,
        )
        yield Case(f"{what} through a link keeps the link and writes its target", shell=line(words, name), files={**a, "target": OLD, name: link_to("target")}, seconds=40,
                   after=[is_link(name, "target"), lambda run: "the target has its old content" if run.before["target"] == (run.folder / "target").read_bytes() else None])
        yield Case(f"{what} follows no link at a temporary name that can be guessed",
                   # The shell becomes the program, so that its process number is known before.
                   shell=f"for n in {name}.$$.part .{name}.$$.part {name}.part .{name}.part; do ln -s $PWD/victim \"$n\"; done; exec {line(words, name)}",
                   files={**a, "victim": OLD}, after=[is_unchanged("victim"), is_there(name)], leaves=[], seconds=40)
        yield Case(f"{what} into /dev/full fails with a message", shell=line(words, "/dev/full"), files=a, code=1, error=["/dev/full"], seconds=40)
        yield Case(f"{what} beyond the file size limit leaves the old file as it was", shell=f"ulimit -f 0; {line(words, name)}", files={**a, name: OLD}, code=1,
                   error=["lacis: "], after=[is_unchanged(name)], needs=["ulimit"], seconds=40)
        yield Case(
            f"{what} into a missing directory fails with a message", shell=line(words, "nodir/" + name), files=a, code=1, error=["nodir"],
            seconds=40,
        )
        yield Case(
            f"{what} over a directory fails with a message", shell=line(words, "folder"), files={**a, "folder": directory}, code=1,
            error=["folder"], seconds=40,
        )
        yield Case(
            f"{what} over a name of 300 bytes fails with a message", shell=line(words, "n" * 300), files=a, code=1, error=["lacis: "],
            seconds=40,
        )
        yield Case(
            f"{what} over a link to itself replaces it or fails", shell=line(words, "loop"), files={**a, "loop": link_to("loop")},
            code=(0, 1), complaints=None, seconds=40,
        )
        yield Case(
            f"{what} through a link to nowhere makes the target or fails", shell=line(words, name), files={**a, name: link_to("new")},
            code=(0, 1), complaints=None, seconds=40,
        )
        yield Case(f"{what} in a directory that may not be written to leaves the old file as it was", shell=f"cd closed && {line(words, name).replace('A.mtx', '../A.mtx').replace('other.mtx', '../other.mtx')}",
                   files={**a, "closed/" + name: OLD, "closed/.": lambda path: path.chmod(0o555)}, code=1, error=[name], after=[is_unchanged("closed/" + name)], ordinary_user=True, seconds=40)


def descriptors():
    a = {"A.mtx": SMALL}
    for what, words, ending in WRITERS:
        name = "out" + ending
        if what.startswith("bench"):
            continue  # its table comes first, and fails
        yield Case(
            f"{what} with standard input and output closed writes its file", shell=f"{line(words, name)} <&- >&- || test $? = 1", files=a,
            after=[is_there(name)], complaints=None, seconds=40,
        )
        yield Case(
            f"{what} with every stream closed writes its file", shell=f"{line(words, name)} <&- >&- 2>&- || test $? = 1", files=a,
            after=[is_there(name)], complaints=None, seconds=40,
        )
    yield Case(
        "convert with standard output closed writes its file", shell="$LACIS convert A.mtx o.mtx >&-", files=a,
        after=[begins("o.mtx", b"%%MatrixMarket")],
    )
    yield Case("info with standard output closed fails", shell="$LACIS info A.mtx >&-", files=a, code=1, error=["standard output"])
    yield Case("convert to a closed standard output fails", shell="$LACIS convert A.mtx - >&-", files=a, code=1, error=["standard output"])
    yield Case("spmv -o - to a closed standard output fails", shell="$LACIS spmv A.mtx -o - >&-", files=a, code=1, error=["standard output"])
    yield Case("convert to a full standard output fails", shell="$LACIS convert A.mtx - >/dev/full", files=a, code=1, error=["standard output"])
    yield Case(
        "A reader that has seen enough ends a writer quietly", shell="$LACIS generate @poisson2d:300 -o - | head -1",
        output=["%%MatrixMarket"], complaints=0,
    )
    yield Case("A reader that has seen enough ends a vector quietly", shell="$LACIS spmv -q @poisson2d:300 -o - | head -1", complaints=0)
    yield Case("A matrix goes through a pipe", shell="$LACIS convert A.mtx - | $LACIS info --json -", files=a, output=['"entries": 5'])
    yield Case("An .npz file goes through a pipe", shell="$LACIS convert A.mtx - --to npz | $LACIS info --json -", files=a, output=['"entries": 5'])
    yield Case(
        "An .npz file on standard output is the file", shell="$LACIS convert A.mtx - --to npz > o.npz && $LACIS info --json o.npz",
        files=a, output=['"entries": 5'],
    )
    yield Case(
        "b comes from a pipe", shell="printf '1\\n2\\n' | $LACIS solve A.mtx - -o x", files={"A.mtx": mtx("2 2 2\n1 1 1\n2 2 1\n")},
        after=[numbers("x", [1, 2])],
    )
    yield Case(
        "b comes from a FIFO", shell="printf '1\\n2\\n' > b & $LACIS solve A.mtx b -o x",
        files={"A.mtx": mtx("2 2 2\n1 1 1\n2 2 1\n"), "b": fifo}, after=[numbers("x", [1, 2])],
    )
    yield Case(
        "b comes from a process", shell="$LACIS solve A.mtx <(printf '1\\n2\\n') -o x", files={"A.mtx": mtx("2 2 2\n1 1 1\n2 2 1\n")},
        after=[numbers("x", [1, 2])],
    )
    yield Case(
        "b as a Matrix Market file comes from a pipe", shell="cat b.mtx | $LACIS solve A.mtx - -o x",
        files={"A.mtx": mtx("2 2 2\n1 1 1\n2 2 1\n"), "b.mtx": mtx("2 1\n1\n2\n", kind="array")}, after=[numbers("x", [1, 2])],
    )
    yield Case(
        "b as a compressed file is read or refused", shell="gzip b && $LACIS solve A.mtx b.gz -o x",
        files={"A.mtx": mtx("2 2 2\n1 1 1\n2 2 1\n"), "b": "1\n2\n"}, code=(0, 4), after=[right_or_refused("x", [1, 2])],
    )
    yield Case(
        "x of a product comes from a pipe", shell="printf '1\\n2\\n3\\n' | $LACIS spmv A.mtx - -o y", files=a,
        after=[numbers("y", [6, 8, 13])],
    )
    yield Case(
        "A matrix and a vector cannot both come from standard input", shell="cat A.mtx | $LACIS solve - -", files=a, code=2,
        error=["standard input"],
    )
    yield Case("A matrix comes from a FIFO", shell="cat A.mtx > f & $LACIS info --json f", files={**a, "f": fifo}, output=['"entries": 5'])
    yield Case(
        "A complex solution is read back as b", shell="$LACIS solve A.mtx -o x && $LACIS solve A.mtx x --type complex-double -o z",
        files={"A.mtx": mtx("2 2 2\n1 1 1 1\n2 2 2 0\n", "complex")}, after=[is_there("z")],
    )
    yield Case(
        "A complex solution is read back as b of a real matrix with --type",
        shell="$LACIS solve C.mtx -o x && $LACIS solve A.mtx x --type complex-double -o z",
        files={"C.mtx": mtx("2 2 2\n1 1 1 1\n2 2 2 0\n", "complex"), "A.mtx": mtx("2 2 2\n1 1 1\n2 2 1\n")}, after=[is_there("z")],
    )
    yield Case("A result goes to a FIFO", shell="cat f > y & $LACIS spmv A.mtx -o f && wait && test -s y", files={**a, "f": fifo})
    yield Case(
        "--json of a file whose name is no UTF-8 is JSON",
        shell="$LACIS info --json $'\\xff.mtx' | python3 -c 'import json,sys; json.load(sys.stdin)'", files={"\udcff.mtx": SMALL},
    )


def directories():
    a = {"A.mtx": SMALL}
    yield Case(
        "convert to a directory replaces one of the same kind", ["convert", "A.mtx", "m.csr"], files={**a, "m.csr": csr_directory()},
        after=[is_there("m.csr/matrix.json")],
    )
    yield Case(
        "convert to a directory does not replace a file", ["convert", "A.mtx", "m.csr"], files={**a, "m.csr": OLD}, code=1,
        error=["m.csr"], after=[is_unchanged("m.csr")],
    )
    yield Case(
        "convert to a directory does not replace one with other files", ["convert", "A.mtx", "m.csr"],
        files={**a, "m.csr/thesis.tex": OLD}, code=1, error=["thesis.tex"], after=[is_unchanged("m.csr/thesis.tex")],
    )
    yield Case(
        "convert to a directory does not remove what a link in it names", shell="$LACIS convert A.mtx m.csr; cat precious",
        files={**a, "precious": OLD, "m.csr": directory, "m.csr/values.npy": link_to("../precious")}, after=[is_unchanged("precious")],
        complaints=None,
    )
    yield Case(
        "convert to a directory through a link keeps the link", ["convert", "A.mtx", "m.csr"],
        files={**a, "real": csr_directory(), "m.csr": link_to("real")}, after=[is_link("m.csr", "real"), is_there("real/matrix.json")],
    )
    yield Case("convert to the root directory fails", ["convert", "A.mtx", "/"], files=a, code=(1, 2), error=["lacis: "])
    yield Case("convert to the current directory fails", ["convert", "A.mtx", "./"], files=a, code=(1, 2), error=["lacis: "])
    yield Case("convert to an empty name fails", ["convert", "A.mtx", ""], files=a, code=(1, 2), error=["lacis: "])
    yield Case(
        "convert to a directory beyond the file size limit leaves nothing", shell="ulimit -f 0; $LACIS convert A.mtx m.csr", files=a,
        code=1, error=["lacis: "], after=[is_absent("m.csr")], needs=["ulimit"],
    )
    yield Case("A directory on standard output is refused", ["convert", "A.mtx", "-", "--to", "csr-directory"], files=a, code=2, error=["lacis: "])
    yield Case("A compressed directory is refused", ["convert", "A.mtx", "m.csr.gz"], files=a, code=2, error=["lacis: "])
    yield Case("A compressed .npz is refused", ["convert", "A.mtx", "m.npz.gz"], files=a, code=2, error=["lacis: "])
    for name in ("o.npy", "o.h5", "o.mat", "o.csv", "o.mtx.bz2", "o.mtx.xz", "o.tar.gz", "o.zip"):
        yield Case(f"convert to {name} is refused", ["convert", "A.mtx", name], files=a, code=2, error=[name, "not written"], after=[is_absent(name)])
    for name, start in (("o.NPZ", b"PK"), ("o.MTX.GZ", b"\x1f\x8b"), ("o.Mtx", b"%%MatrixMarket"), ("o.unknown", b"%%MatrixMarket")):
        yield Case(f"convert to {name} follows the ending", ["convert", "A.mtx", name], files=a, after=[begins(name, start)])
    yield Case("convert --to another format than an ending says works", ["convert", "A.mtx", "o.csv", "--to", "matrix-market"], files=a,
               after=[begins("o.csv", b"%%MatrixMarket")])


def together():
    loop = "for i in 1 2 3 4; do $LACIS convert -q A.mtx o.mtx & done; wait; $LACIS info --json o.mtx"
    yield Case("Four writers to one name leave one whole file", shell=loop, files={"A.mtx": tridiagonal(400)}, output=['"rows": 400'])
    loop = "for i in 1 2 3 4; do $LACIS solve -q A.mtx -o x >/dev/null & done; wait; $LACIS solve -q A.mtx -o y >/dev/null"
    yield Case("Four writers of one vector leave one whole file", shell=loop, files={"A.mtx": tridiagonal(400)}, after=[same_bytes("x", "y")])
    loop = "for i in 1 2 3 4; do $LACIS convert -q A.mtx m.csr & done; wait; $LACIS info --json m.csr"
    yield Case(
        "Four writers of one directory leave one whole matrix", shell=loop, files={"A.mtx": tridiagonal(400)}, output=['"rows": 400'],
        complaints=None,
    )
    for number, delay in ((2, 0.02), (15, 0.05), (1, 0.1), (2, 0.2), (15, 0.3), (1, 0.5)):
        for words in ("generate -q @poisson2d:700 -o o.mtx", "convert -q @poisson2d:500 o.csr", "generate -q @poisson2d:400 -o o.npz", "spmv -q @poisson2d:400 -o o.txt"):
            yield Case(f"Signal {number} after {delay} s leaves no unfinished file of {words}",
                       shell=f"set -m; $LACIS {words} >/dev/null & p=$!; sleep {delay}; kill -{number} $p 2>/dev/null; wait $p; code=$?; test $code = 0 -o $code = {128 + number}",
                       complaints=0, seconds=40)


def ended_early():
    """What computes for seconds before it writes ends within a second of a signal. Job control, as bash lets what it starts in the
    background ignore SIGINT otherwise."""
    for number, delay in ((2, 0.4), (15, 0.8), (1, 1.8)):
        for words in ("spgemm -q @rmat:17 -o o.npz", "solve -q @poisson3d:170 --method cg --preconditioner amg -o o.txt",
                      "solve -q @poisson3d:170 --method cg --preconditioner ic0 -o o.txt", "pagerank -q @rmat:21 -o o.txt",
                      "eigs -q @poisson3d:150 -k 4 --method lobpcg --preconditioner amg -o o.npz"):
            yield Case(f"Signal {number} after {delay} s ends {words} within a second",
                       shell=f"set -m; $LACIS {words} >/dev/null & p=$!; sleep {delay}; kill -{number} $p; sent=$EPOCHREALTIME; wait $p; code=$?; "
                             f"took=$(echo \"$EPOCHREALTIME - $sent\" | bc); echo \"$took s\"; test $code = {128 + number} -a \"$(echo \"$took < 1\" | bc)\" = 1",
                       complaints=0, seconds=40)


def cases(program):
    return [case for make in (writers, descriptors, directories, together, ended_early) for case in make()]
