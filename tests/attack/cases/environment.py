# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""What surrounds the program: variables, locales, the home directory, libraries that lie about."""
from case import Case, is_absent, numbers
from files import SMALL, directory, fifo, mtx

FILES = {"A.mtx": SMALL}
PROFILE = "$XDG_CACHE_HOME/lacis/machine.json"


STREAMS = '{"profile_version":1,"processor":"PROCESSOR","cache_bytes":CACHE,"stream_bytes":1,"disturbed":0,"streams":[RATES],"gathers":[]}'
PROFILES = [
    ("empty", ""),
    ("no JSON", "{"),
    ("an array", "[]"),
    ("of another version", '{"profile_version": 99}'),
    ("deep", "[" * 20000),
    ("of words", '{"profile_version": "one"}'),
    ("with a rate of 0", STREAMS.replace("CACHE", "1").replace("RATES", '{"threads":1,"read_gbs":0,"copy_gbs":1,"triad_gbs":1}')),
    ("with escape sequences", STREAMS.replace("CACHE", "1").replace("RATES", "").replace("PROCESSOR", "\\u001b[31mred")),
    ("with a huge cache", STREAMS.replace("CACHE", "1e300").replace("RATES", "")),
    ("with raw bytes", "\x01\x1b[31m\x7f"),
]


def variables():
    for name in ("LC_ALL", "LANG", "LC_NUMERIC"):
        for value in ("de_DE.UTF-8", "tr_TR.UTF-8", "de_DE", "xx_YY.nonsense", "C", "POSIX", "", "C.UTF-8", "/etc/passwd", "a" * 5000):
            yield Case(f"Numbers keep their point with {name}={value[:20]!r}", ["solve", "A.mtx", "b", "-o", "x"], files={"A.mtx": mtx("2 2 2\n1 1 0.5\n2 2 0.25\n"), "b": "0.125\n0.125\n"},
                       environment={"LC_ALL": None, name: value}, after=[numbers("x", [0.25, 0.5])])
    yield Case("A Turkish locale does not change what 'info' means", ["info", "A.mtx"], files=FILES, environment={"LC_ALL": "tr_TR.UTF-8"})
    for name in ("HOME", "XDG_CACHE_HOME", "TMPDIR", "TERM", "PATH", "LC_ALL", "LANG", "COLUMNS"):
        for command in ("info", "plan", "doctor"):
            words = [command] + (["A.mtx"] if command != "doctor" else [])
            if command == "doctor" and name in ("TERM", "COLUMNS", "LANG"):
                continue
            yield Case(f"{command} works without {name}", words, files=FILES, environment={name: None})
    yield Case("plan works without any home", ["plan", "A.mtx"], files=FILES, environment={"HOME": None, "XDG_CACHE_HOME": None})
    yield Case(
        "plan works with a home that is no directory", ["plan", "A.mtx"], files=FILES,
        environment={"HOME": "/dev/null", "XDG_CACHE_HOME": None},
    )
    yield Case(
        "plan --tune works with a home that is no directory", ["plan", "A.mtx", "--tune"], files=FILES,
        environment={"HOME": "/dev/null", "XDG_CACHE_HOME": None}, complaints=None,
    )
    yield Case(
        "plan --tune works with a home that may not be written to", shell="chmod 555 $HOME; $LACIS plan A.mtx --tune", files=FILES,
        ordinary_user=True, complaints=None,
    )
    yield Case(
        "plan --tune works without any home", ["plan", "A.mtx", "--tune"], files=FILES, environment={"HOME": None, "XDG_CACHE_HOME": None},
        complaints=None,
    )
    yield Case(
        "A relative XDG_CACHE_HOME is passed over", ["plan", "A.mtx", "--tune"], files=FILES, environment={"XDG_CACHE_HOME": "cache"},
        after=[is_absent("cache")], complaints=None,
    )
    for value in ("0", "-1", "many", "99999999", "", "1,2,3"):
        yield Case(
            f"OMP_NUM_THREADS={value!r} is survived", ["spmv", "A.mtx"], files=FILES, environment={"OMP_NUM_THREADS": value},
            code=(0, 1, 5) if value == "99999999" else 0, complaints=None, absent=["nan"],
        )
    for value in ("avx1024", "", "scalar", "SCALAR", "avx512"):
        yield Case(f"LACIS_ISA={value!r} is survived", ["spmv", "A.mtx"], files=FILES, environment={"LACIS_ISA": value}, code=(0, 1, 2))
    for value in ("on", "off", "", "ON", "1"):
        yield Case(f"LACIS_GATHER={value!r} is survived", ["spmv", "A.mtx"], files=FILES, environment={"LACIS_GATHER": value}, code=(0, 1, 2))
    yield Case("A name of a program that is empty is survived", shell="exec -a '' $LACIS info A.mtx", files=FILES)
    yield Case("A name of a program that is 4000 bytes long is survived", shell="exec -a $(printf 'a%.0s' {1..4000}) $LACIS info A.mtx", files=FILES)


def libraries():
    fake = "printf 'int lacis_fake;' | cc -shared -fPIC -x c - -o {name} 2>/dev/null || printf x > {name}; "
    yield Case(
        "LACIS_CUDA_PLUGIN without a slash is refused",
        shell=fake.replace("{name}", "p.so") + "LACIS_CUDA_PLUGIN=p.so $LACIS spmv A.mtx --device cuda", files=FILES, code=5,
        error=["p.so"],
    )
    yield Case(
        "LACIS_CUDA_PLUGIN without a slash is refused where no such file is", ["spmv", "A.mtx", "--device", "cuda"], files=FILES,
        environment={"LACIS_CUDA_PLUGIN": "libc.so.6"}, code=5, error=["libc.so.6"],
    )
    for what, value in (("a directory", "./folder"), ("a file that is no library", "./A.mtx"), ("a missing file", "./missing.so"), ("/dev/null", "/dev/null"), ("a FIFO", "./fifo"), ("/dev/zero", "/dev/zero"), ("an empty name", "")):
        yield Case(
            f"LACIS_CUDA_PLUGIN as {what} is refused", ["spmv", "A.mtx", "--device", "cuda"],
            files={**FILES, "folder": directory, "fifo": fifo}, environment={"LACIS_CUDA_PLUGIN": value}, code=5, seconds=5,
        )
    for library in ("libfmt.so.9", "liblacis.so", "libgomp.so.1", "libarchive.so.13", "libz.so.1", "liblacis_cuda.so"):
        yield Case(
            f"A {library} in the current directory is not loaded",
            shell=f"cp $LACIS ./{library} 2>/dev/null; printf x > {library}; $LACIS info A.mtx", files=FILES,
        )
    for library in ("liblacis_ranks.so", "liblacis_mpi.so"):
        yield Case(
            f"A {library} in the current directory is not loaded", shell=f"printf x > {library}; $LACIS solve --mpi A.mtx",
            files=FILES, needs=["mpi"],
        )
    yield Case(
        "A python3 in the current directory is not started",
        shell="printf '#!/bin/sh\\ntouch owned\\n' > python3; chmod +x python3; $LACIS bench trsv A.mtx --seconds 0 --peers scipy",
        files=FILES, after=[is_absent("owned")], seconds=40, complaints=None,
    )
    yield Case(
        "LACIS_PEER_PYTHON that is missing is a remark", ["bench", "trsv", "A.mtx", "--seconds", "0", "--peers", "scipy"], files=FILES,
        environment={"LACIS_PEER_PYTHON": "/nowhere"}, complaints=None, seconds=40,
    )
    yield Case(
        "LACIS_PEER_PYTHON with a command in it is not a command", ["bench", "trsv", "A.mtx", "--seconds", "0", "--peers", "scipy"],
        files=FILES, environment={"LACIS_PEER_PYTHON": "touch owned; python3"}, after=[is_absent("owned")], complaints=None, seconds=40,
    )
    yield Case(
        "An mpirun with a quote in its name runs no command",
        shell="mkdir \"a';touch owned;'\"; printf '#!/bin/sh\\n' > \"a';touch owned;'/mpirun\"; chmod +x a*/mpirun; PATH=\"$PWD/a';touch owned;':$PATH\" $LACIS doctor",
        after=[is_absent("owned")],
    )
    yield Case("Devices that are not there say so", ["spmv", "A.mtx", "--device", "cuda:99"], files=FILES, code=5, error=["lacis: "])
    for device in ("cuda:-1", "cuda:x", "cuda:", "gpu", "", "CUDA", "cuda:99999999999999999999"):
        yield Case(f"A device {device!r} is refused", ["spmv", "A.mtx", "--device", device], files=FILES, code=(2, 5), error=["lacis: "])


def profiles():
    kept = "mkdir -p $XDG_CACHE_HOME/lacis; "
    for what, content in PROFILES:
        for words in ("plan A.mtx", "doctor", "bench plan A.mtx --seconds 0"):
            yield Case(
                f"A profile that is {what} does not stop {words.split()[0]}", shell=kept + f"cp profile {PROFILE}; $LACIS {words}",
                files={**FILES, "profile": content}, complaints=None, seconds=40,
            )
    yield Case(
        "A profile that is a FIFO does not stop plan", shell=kept + f"mkfifo {PROFILE}; $LACIS plan A.mtx", files=FILES, complaints=None,
        seconds=5,
    )
    yield Case(
        "A profile that is a directory does not stop plan", shell=kept + f"mkdir {PROFILE}; $LACIS plan A.mtx", files=FILES,
        complaints=None, seconds=5,
    )
    yield Case(
        "A profile that is endless does not stop plan", shell=kept + f"ln -s /dev/zero {PROFILE}; $LACIS plan A.mtx", files=FILES,
        complaints=None, seconds=5, megabytes=300,
    )
    for what, content in (("noise", "noise \x1b\n\n1 2 3"), ("empty", ""), ("long", "1 " * 100000)):
        yield Case(
            f"A file of tuning that is {what} does not stop plan --tune",
            shell=kept + "cp tuned $XDG_CACHE_HOME/lacis/tuned; $LACIS plan A.mtx --tune", files={**FILES, "tuned": content},
            complaints=None,
        )
    yield Case(
        "A file of tuning that is a FIFO does not stop plan --tune", shell=kept + "mkfifo $XDG_CACHE_HOME/lacis/tuned; $LACIS plan A.mtx --tune",
        files=FILES, complaints=None, seconds=20,
    )
    yield Case("scale without a profile says what it needs", ["scale", "A.mtx", "-k", "1", "--network", "loopback"], files=FILES, code=(0, 2, 4))
    yield Case("doctor --profile of a missing file works or says so", ["doctor", "--profile", "missing"], code=(0, 4))
    yield Case("doctor keeps to itself", ["doctor"], after=[lambda run: None if not any(run.folder.iterdir()) else "doctor writes files"])


def changes():
    """Files that change while they are read."""
    made = {
        "edges": "yes '1 2' | head -c 24000000 > f; ",
        "matrix": "{ printf '%%%%MatrixMarket matrix coordinate real general\\n9 9 3000000\\n'; yes '1 2 3.5' | head -n 3000000; } > f; ",
        "graph": "{ echo 2000000 0; yes '' | head -n 2000000; } > f; ",
    }
    for what, make in made.items():
        for delay in ("0.01", "0.03", "0.06", "0.1"):
            yield Case(
                f"A file of {what} that is cut {delay} s after the start is read or refused",
                shell=make + f"$LACIS info --no-spy f > /dev/null & p=$!; sleep {delay}; : > f; wait $p", code=(0, 4), seconds=30,
            )
        yield Case(
            f"A file of {what} whose lines change while they are read is read or refused",
            shell=make + "$LACIS info --no-spy f > /dev/null & p=$!; sleep 0.02; yes '1 2\n\n3 4 5' 2>/dev/null | head -c 24000000 | dd of=f conv=notrunc status=none; wait $p",
            code=(0, 4), seconds=30,
        )


def cases(program):
    return [case for make in (variables, libraries, profiles, changes) for case in make()]
