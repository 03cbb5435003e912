# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Inputs that swell, and limits on memory and size: an end with a message, soon, in little memory."""
import functools

from case import Case
from cases.commands import READING, arguments
from files import BANNER, SMALL, gz, gzip_bomb, mtx, npy, npz_members

SIZE = 300 << 20
LINES = functools.partial(gzip_bomb, b"", b"1 1\n", SIZE)
BLANKS = functools.partial(gzip_bomb, BANNER.encode(), b"\n", SIZE)
ZEROS = functools.partial(gzip_bomb, b"", b"\0", SIZE)


def written(bomb):
    """Made when a case needs it, not when cases are listed."""
    return lambda path: path.write_bytes(bomb())


def zstd_bomb(path):
    """300 MB of lines as zstd, made by its program."""
    import subprocess

    with open(path, "wb") as out:
        lines = subprocess.Popen(f"yes '1 1' | head -c {SIZE}", shell=True, stdout=subprocess.PIPE)
        subprocess.run(["zstd", "-q", "-1", "-c"], stdin=lines.stdout, stdout=out, check=True)
        lines.wait()


def large_member(path):
    """An .npz file whose data are 100 MB of zeros, written in pieces."""
    import zipfile

    header = npy("<f8", "(12500000,)", b"")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in npz_members(data=None).items():
            archive.writestr(name, content)
        with archive.open("data.npy", "w") as member:
            member.write(header)
            for _ in range(100):
                member.write(bytes(1000000))


def bombs():
    for what, bomb in (("lines", LINES), ("blank lines", BLANKS), ("zeros", ZEROS)):
        yield Case(
            f"A gzip file of 300 MB of {what} stops at --max-bytes", ["info", "bomb.gz", "--max-bytes", "1000000"],
            files={"bomb.gz": written(bomb)}, code=5, error=["--max-bytes"], megabytes=150, seconds=10,
        )
        yield Case(
            f"A gzip file of 300 MB of {what} stops at --max-ratio", ["info", "bomb.gz", "--max-ratio", "10"],
            files={"bomb.gz": written(bomb)}, code=5, error=["--max-ratio"], megabytes=150, seconds=10,
        )
    yield Case(
        "A zstd file of 300 MB stops at --max-bytes", ["info", "bomb.zst", "--max-bytes", "1M"], files={"bomb.zst": zstd_bomb}, code=5,
        error=["--max-bytes"], megabytes=150, seconds=10, needs=["zstd"],
    )
    yield Case(
        "A zstd file of 300 MB stops at --max-ratio", ["info", "bomb.zst", "--max-ratio", "10"], files={"bomb.zst": zstd_bomb}, code=5,
        error=["--max-ratio"], megabytes=150, seconds=10, needs=["zstd"],
    )
    yield Case(
        "An .npz file with a member of 100 MB stops at --max-bytes", ["info", "bomb.npz", "--max-bytes", "1000000"],
        files={"bomb.npz": large_member}, code=5, error=["--max-bytes"], megabytes=150, seconds=10,
    )
    for command in READING:
        yield Case(
            f"{command.name} has --max-bytes and obeys it", [*arguments(command, matrix="bomb.gz"), "--max-bytes", "100000"],
            files={"bomb.gz": written(LINES)}, code=5, error=["--max-bytes"], megabytes=150, seconds=10,
        )
        yield Case(
            f"{command.name} has --max-ratio and obeys it", [*arguments(command, matrix="bomb.gz"), "--max-ratio", "5"],
            files={"bomb.gz": written(LINES)}, code=5, error=["--max-ratio"], megabytes=150, seconds=10,
        )
        yield Case(
            f"{command.name} from /dev/zero stops at --max-bytes", [*arguments(command, matrix="/dev/zero"), "--max-bytes", "1000000"],
            code=(4, 5), megabytes=150, seconds=10,
        )
    yield Case(
        "An endless pipe stops at --max-bytes", shell="yes '1 1' | $LACIS info - --max-bytes 1000000", code=5, error=["--max-bytes"],
        megabytes=150, seconds=10,
    )
    yield Case(
        "An endless pipe of b stops at --max-bytes", shell="yes 1 | $LACIS solve A.mtx - --max-bytes 1000000", files={"A.mtx": SMALL},
        code=(4, 5), megabytes=150, seconds=10,
    )
    yield Case(
        "An endless b stops at --max-bytes", ["solve", "A.mtx", "/dev/zero", "--max-bytes", "1000000"], files={"A.mtx": SMALL},
        code=(4, 5), megabytes=150, seconds=10,
    )
    yield Case(
        "--max-bytes that suffices changes nothing", ["info", "A.mtx.gz", "--max-bytes", "1M", "--max-ratio", "100"],
        files={"A.mtx.gz": gz(SMALL)},
    )
    for option in ("--max-bytes", "--max-ratio"):
        for value in ("nan", "-1", "", "much", "0x10", "99999999999999999999999999"):
            yield Case(f"{option} refuses {value!r}", ["info", "A.mtx", option, value], files={"A.mtx": SMALL}, code=2, error=["lacis: "])


def memory():
    yield Case(
        "A matrix too large for the machine is refused", ["info", "@poisson3d:100000"], code=5, error=["lacis: "], seconds=10,
        needs=["plain build"],
    )
    yield Case(
        "A matrix of more rows than 64 bits count is refused", ["info", "@poisson3d:99999999"], code=(1, 2, 5), error=["lacis: "],
        seconds=10, needs=["plain build"],
    )
    large = (
        "info @poisson2d:3000",
        "solve @poisson2d:2000",
        "spgemm @poisson2d:2000",
        "plan @poisson2d:3000",
        "spmv @poisson2d:3000",
        "convert @poisson2d:3000 o.mtx",
        "pagerank @poisson2d:3000",
        "reorder @poisson2d:3000 --by rcm -o o.mtx",
    )
    for words in large:
        yield Case(
            f"{words} without enough address space ends with a message", shell=f"ulimit -v 400000; $LACIS {words}", code=5,
            error=["memory"], needs=["address space"], seconds=30,
        )
    yield Case("spgemm --memory-limit of one byte ends with a message", ["spgemm", "@poisson2d:50", "--memory-limit", "1"], code=5, error=["limit"])
    yield Case(
        "spgemm --memory-limit 0 is refused or ends with a message", ["spgemm", "@poisson2d:50", "--memory-limit", "0"], code=(2, 5),
        error=["lacis: "],
    )
    yield Case("plan --memory-limit of one byte ends with a plan or a message", ["plan", "@poisson2d:50", "--memory-limit", "1"], code=(0, 5))
    yield Case("info --size 4000 takes little memory", ["info", "@poisson2d:5", "--png", "p.png", "--size", "4000"], megabytes=300, seconds=20)
    yield Case(
        "A file with too few descriptors ends with a message", shell="ulimit -n 3; $LACIS info A.mtx", files={"A.mtx": SMALL},
        code=(1, 4, 5, 127), complaints=None, needs=["plain build"],
    )
    for words in ("spmv A.mtx", "solve A.mtx", "eigs @poisson2d:4 -k 1"):
        yield Case(f"{words} with a stack of 64 kB works or ends with a message", shell=f"ulimit -s 64; $LACIS {words}", files={"A.mtx": SMALL},
                   code=(0, 5), needs=["plain build"])
        yield Case(f"{words} with a soft limit on the stack works", shell=f"ulimit -Ss 64; $LACIS {words}", files={"A.mtx": SMALL},
                   needs=["plain build"])
    for cols in ("3000000000", "9223372036854775807"):
        wide = {"wide.mtx": mtx(f"2 {cols} 2\n1 1 1\n2 {cols} 1\n")}
        yield Case(f"info of {cols} columns takes the memory of its entries", ["info", "wide.mtx"], files=wide, megabytes=100, seconds=10)
        yield Case(f"info --png of {cols} columns ends", ["info", "wide.mtx", "--png", "p.png"], files=wide, megabytes=100, seconds=10)
    yield Case("solve of 2^63 - 1 columns ends with a message", ["solve", "wide.mtx"], files=wide, code=5, error=["memory"], seconds=10)
    yield Case("A command with a stack of 256 kB works", shell="ulimit -s 256; $LACIS info A.mtx", files={"A.mtx": SMALL}, needs=["plain build"])
    yield Case(
        "A command that may start no thread ends with an answer or a message", shell="ulimit -u 1; $LACIS info A.mtx",
        files={"A.mtx": SMALL}, code=(0, 1, 5), ordinary_user=True, complaints=None, needs=["plain build"],
    )
    yield Case(
        "--threads 100000 is refused or works", ["info", "A.mtx", "--threads", "100000"], files={"A.mtx": SMALL}, code=(0, 2, 5),
        complaints=None,
    )
    yield Case("--threads 1000 works", ["spmv", "A.mtx", "--threads", "1000"], files={"A.mtx": SMALL}, code=(0, 2), needs=["time"])


def cases(program):
    return [case for make in (bombs, memory) for case in make()]
