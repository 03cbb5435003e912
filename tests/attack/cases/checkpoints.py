# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""States of solvers that were damaged, exchanged or forged: a run that resumes gives the bits of one that did not stop."""

from case import Case, is_absent, is_there, same_bytes
from files import directory, fifo, link_to, listed

SOLVE = "$LACIS solve -q @poisson2d:20 --preconditioner none --method {method}"
# Stops in the middle with states on disk; exit code 3 is "not converged".
STOPPED = SOLVE + " --checkpoint c --every 4 --max-iterations 14 >/dev/null 2>&1; test $? = 3 && ls c/*.lacis >/dev/null || exit 99; "
RESUME = SOLVE + " --checkpoint c --every 1000 -o x >/dev/null && "
FRESH = SOLVE + " -o y >/dev/null"
CHANGE = "python3 - <<'END'\nimport glob, struct\nfor path in glob.glob('c/*.lacis'):\n    content = bytearray(open(path, 'rb').read())\n    {change}\n    open(path, 'wb').write(content)\nEND\n"


def attacked(name, change, method="cg", **more):
    line = STOPPED + (change if change.startswith("$") or "python3" in change else change) + RESUME + FRESH
    return Case(name, shell=line.replace("{method}", method), after=[same_bytes("x", "y")], seconds=40, **more)


def python(change):
    return CHANGE.replace("{change}", change)


# The header is eight words: magic, system, saved, iteration, history, numbers, vectors, sum.
WORDS = ["the magic", "the system", "the count of states", "the iteration", "the length of the history", "the bytes of numbers", "the bytes of vectors", "the checksum"]
VALUES = ["0", "-1", "10**12", "2**63 - 1", "-2**63"]


def cases(program):
    every = []
    for method in (name + " --restart 10" * name.endswith("gmres") for name in listed("solve.hpp", "Method")):
        every.append(attacked(f"{method} that resumes gives the bits of a fresh run", "", method))
        for place in ("0", "8", "24", "60", "64", "72", "100", "len(content) // 2", "len(content) - 1"):
            every.append(attacked(
                f"{method} does not use a state whose byte {place} was flipped", python(f"content[{place}] ^= 0x10"), method,
            )) if method in ("cg", "gmres --restart 10") else None
    every = [case for case in every if case is not None]
    for number, what in enumerate(WORDS):
        for value in VALUES:
            every.append(attacked(
                f"A state with {value} for {what} is not used", python(f"struct.pack_into('<q', content, {8 * number}, {value})"),
                "gmres --restart 10",
            ))
    for what, change in (
        ("cut to nothing", "del content[:]"),
        ("cut to one byte", "del content[1:]"),
        ("cut in its header", "del content[40:]"),
        ("cut after its header", "del content[64:]"),
        ("cut in the middle", "del content[len(content) // 2:]"),
        ("one byte short", "del content[-1:]"),
        ("one word short", "del content[-8:]"),
        ("one word long", "content += bytes(8)"),
        ("a megabyte long", "content += bytes(1 << 20)"),
        ("all zeros", "content[:] = bytes(len(content))"),
        ("all ones", "content[:] = b'\\xff' * len(content)"),
    ):
        every.append(attacked(f"A state that is {what} is not used", python(change)))
    every.append(attacked(
        "Two states that were exchanged give the same bits",
        "mv c/state-0.lacis t; mv c/state-1.lacis c/state-0.lacis; mv t c/state-1.lacis; ",
    ))
    every.append(attacked("One state alone gives the same bits", "rm c/state-0.lacis; "))
    every.append(attacked("The other state alone gives the same bits", "rm c/state-1.lacis; "))
    for kind, make in (("a directory", "mkdir"), ("a FIFO", "mkfifo"), ("a link to itself", "ln -s state-0.lacis"), ("a link to /dev/zero", "ln -s /dev/zero")):
        every.append(
            Case(
                f"A checkpoint that is {kind} does not block",
                shell=(f"mkdir c; {make} c/state-0.lacis; {make.replace('state-0', 'state-1')} c/state-1.lacis; " + SOLVE + " --checkpoint c --every 5 -o x >/dev/null").replace("{method}", "cg"),
                code=(0, 1),
                seconds=10,
                leaves=["x", "c/state-0.lacis", "c/state-1.lacis"],
            )
        )
    # The product with ones is the same.
    every.append(
        Case(
            "A state of another matrix with the same sums of rows is not used",
            shell=make_twins
            + "$LACIS solve -q one.mtx b --method gmres --preconditioner none --restart 10 --checkpoint c --every 2 --max-iterations 12 --tolerance 1e-14 >/dev/null 2>&1; ls c/*.lacis >/dev/null || exit 99; "
            + "$LACIS solve -q two.mtx b --method gmres --preconditioner none --restart 10 --checkpoint c --every 2 --tolerance 1e-10 -o x >/dev/null && "
            + "$LACIS solve -q two.mtx b --method gmres --preconditioner none --restart 10 --tolerance 1e-10 -o y >/dev/null",
            after=[same_bytes("x", "y")],
        )
    )
    for method in ("minres", "bicgstab", "gmres"):
        every.append(Case(
            f"A state of cg is not used by {method}",
            shell=STOPPED.replace("{method}", "cg") + (RESUME + FRESH).replace("{method}", method),
            after=[same_bytes("x", "y")],
            seconds=40,
        ))
    every.append(Case(
        "A state with another b is not used",
        shell=(STOPPED + "seq 400 > b; $LACIS solve -q @poisson2d:20 b --preconditioner none --method cg --checkpoint c -o x >/dev/null && $LACIS solve -q @poisson2d:20 b --preconditioner none --method cg -o y >/dev/null").replace("{method}", "cg"),
        after=[same_bytes("x", "y")],
    ))
    every.append(Case(
        "A state of double is not used for float",
        shell=(STOPPED + "$LACIS solve -q @poisson2d:20 --preconditioner none --type float --tolerance 1e-4 --method cg --checkpoint c -o x >/dev/null && $LACIS solve -q @poisson2d:20 --preconditioner none --type float --tolerance 1e-4 --method cg -o y >/dev/null").replace("{method}", "cg"),
        after=[same_bytes("x", "y")],
    ))
    every.append(
        Case(
            "States stay when the solution cannot be written",
            shell="$LACIS solve @poisson2d:150 --method cg --checkpoint c --every 5 -o nodir/x >/dev/null; code=$?; ls c/*.lacis >/dev/null || exit 98; exit $code",
            code=1,
            error=["nodir/x"],
        )
    )
    every.append(
        Case(
            "States stay when standard output is full",
            shell="$LACIS solve -q @poisson2d:150 --method cg --checkpoint c --every 5 -o - >/dev/full; code=$?; ls c/*.lacis >/dev/null || exit 98; exit $code",
            code=1,
        )
    )
    every.append(Case(
        "States go when the solution is written",
        ["solve", "@poisson2d:150", "--method", "cg", "--checkpoint", "c", "--every", "5", "-o", "x"],
        after=[is_there("x"), is_absent("c/state-0.lacis"), is_absent("c/state-1.lacis")],
    ))
    every.append(Case(
        "A checkpoint directory that is a file is a failure", ["solve", "@poisson2d:10", "--method", "cg", "--checkpoint", "c"],
        files={"c": "x"}, code=(1, 2), error=["c"],
    ))
    every.append(Case(
        "A checkpoint directory that is a link to itself is a failure", ["solve", "@poisson2d:10", "--method", "cg", "--checkpoint", "c"],
        files={"c": link_to("c")}, code=(1, 2), error=["c"],
    ))
    every.append(Case(
        "A checkpoint directory below a file is a failure", ["solve", "@poisson2d:10", "--method", "cg", "--checkpoint", "f/c"],
        files={"f": "x"}, code=(1, 2), error=["f/c"],
    ))
    every.append(Case(
        "A checkpoint directory that may not be written to is a failure",
        ["solve", "@poisson2d:150", "--method", "cg", "--every", "5", "--checkpoint", "c"],
        files={"c": lambda path: (path.mkdir(), path.chmod(0o555))}, code=1, error=["c"], ordinary_user=True,
    ))
    every.append(Case(
        "A checkpoint directory that is a FIFO is a failure", ["solve", "@poisson2d:10", "--method", "cg", "--checkpoint", "c"],
        files={"c": fifo}, code=(1, 2), error=["c"],
    ))
    every.append(Case(
        "Other files in a checkpoint directory stay",
        shell=(SOLVE + " --checkpoint c --every 5 >/dev/null && cat c/precious").replace("{method}", "cg"),
        files={"c": directory, "c/precious": "mine"}, output=["mine"],
    ))
    every.append(Case(
        "A checkpoint beyond the file size limit is a failure with a message",
        shell=("ulimit -f 8; " + SOLVE + " --checkpoint c --every 5").replace("{method}", "cg"), code=1, error=["c/state"],
        needs=["ulimit"],
    ))
    # Job control, because bash lets what it starts in the background ignore SIGINT otherwise.
    stopped = "set -m; $LACIS solve -q @poisson2d:300 --method cg --preconditioner none --tolerance 1e-12 --checkpoint c --every 5 >/dev/null & p=$!; sleep 0.3; kill -INT $p; wait $p; "
    every.append(Case(
        "An interrupted run ends at once and leaves states only",
        shell=stopped + "test $? = 130 && test -z \"$(ls -A c | grep -v '^state-[01].lacis$')\"", seconds=10, complaints=0,
    ))
    return every


# Two matrices whose rows sum up to the same 1, 2, 3, ...: a diagonal, and the same with more beside it.
make_twins = """python3 - <<'END'
n = 60
def write(name, beside):
    entries = []
    for i in range(n):
        entries += [(i, i, i + 1 + beside), (i, (i + 1) % n, -beside)]
    with open(name, 'w') as out:
        out.write('%%%%MatrixMarket matrix coordinate real general\\n%d %d %d\\n' % (n, n, len(entries)))
        out.writelines('%d %d %r\\n' % (i + 1, j + 1, v) for i, j, v in entries)
write('one.mtx', 0)
write('two.mtx', 0.5)
open('b', 'w').write('1\\n' * n)
END
"""
