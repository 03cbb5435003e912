# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
"""Systems at the edges of what numbers can hold: a solution that is called one must be one."""
import dataclasses
import math

from case import Case, is_absent, numbers, right_or_refused, same_bytes
from files import SMALL, column, diagonal, listed, mtx, tridiagonal

METHODS = ["auto", *listed("solve.hpp", "Method"), "direct"]
ONES = column([1, 1, 1])



def not_finite():
    """NaN and infinity in A and in b."""
    for method in METHODS:
        for value in ("nan", "inf", "-inf"):
            a = mtx(f"3 3 4\n1 1 1\n2 2 1\n3 2 {value}\n3 3 1\n")
            yield Case(
                f"solve --method {method} refuses {value} in A and tells where it is",
                ["solve", "A.mtx", "b", "--method", method, "-o", "x"],
                files={"A.mtx": a, "b": ONES},
                code=4,
                error=["not finite", "3", "2"],
                after=[is_absent("x")],
            )
        yield Case(
            f"solve --method {method} refuses NaN in b and tells where it is",
            ["solve", "A.mtx", "b", "--method", method, "-o", "x"],
            files={"A.mtx": diagonal([1, 2, 3]), "b": "1\nnan\n1\n"},
            code=4,
            error=["not finite", "b"],
            after=[is_absent("x")],
        )
    for value in ("inf", "-inf", "NaN"):
        yield Case(
            f"solve refuses {value} in b from a Matrix Market file",
            ["solve", "A.mtx", "b.mtx"],
            files={"A.mtx": diagonal([1, 2, 3]), "b.mtx": mtx(f"3 1\n1\n{value}\n1\n", kind="array")},
            code=4,
            error=["not finite"],
        )
    yield Case(
        "solve --mixed refuses NaN in A",
        ["solve", "A.mtx", "b", "--mixed"],
        files={"A.mtx": diagonal([1, "nan", 1]), "b": ONES},
        code=4,
        error=["not finite"],
    )
    yield Case(
        "solve refuses a complex A with an imaginary part that is NaN",
        ["solve", "A.mtx"],
        files={"A.mtx": mtx("1 1 1\n1 1 1 nan\n", "complex")},
        code=4,
        error=["not finite"],
    )
    yield Case(
        "solve without b refuses NaN in A and not in b",
        ["solve", "A.mtx"],
        files={"A.mtx": diagonal([1, "nan", 1])},
        code=4,
        error=["not finite", "2"],
    )
    yield Case(
        "pagerank refuses NaN among its personalisation",
        ["pagerank", "A.mtx", "--personalisation", "p"],
        files={"A.mtx": SMALL, "p": "1\nnan\n1\n"},
        code=4,
        error=["p"],
    )
    yield Case(
        "pagerank refuses a negative personalisation",
        ["pagerank", "A.mtx", "--personalisation", "p"],
        files={"A.mtx": SMALL, "p": "1\n-1\n1\n"},
        code=4,
        error=["p"],
    )
    yield Case(
        "pagerank refuses a personalisation of zeros",
        ["pagerank", "A.mtx", "--personalisation", "p"],
        files={"A.mtx": SMALL, "p": "0\n0\n0\n"},
        code=4,
        error=["p"],
    )
    yield Case(
        "pagerank refuses a personalisation of another length",
        ["pagerank", "A.mtx", "--personalisation", "p"],
        files={"A.mtx": SMALL, "p": "1\n1\n"},
        code=4,
        error=["p"],
    )


def scales():
    """Squares of these numbers underflow or overflow; the systems are as easy as any."""
    tiny = [1e-200, 2e-200, 3e-200]
    for method in METHODS:
        yield Case(
            f"solve --method {method} is right for a diagonal of 1e-200",
            ["solve", "A.mtx", "b", "--method", method, "-o", "x"],
            files={"A.mtx": diagonal(tiny), "b": column(tiny)},
            after=[numbers("x", [1, 1, 1])],
        )
        huge = [1e200, 2e200, 3e200]
        yield Case(
            f"solve --method {method} is right for a diagonal of 1e200",
            ["solve", "A.mtx", "b", "--method", method, "-o", "x"],
            files={"A.mtx": diagonal(huge), "b": column(huge)},
            after=[numbers("x", [1, 1, 1])],
        )
        for size in ("1e-170", "1e300", "1e-305"):
            yield Case(
                f"solve --method {method} is right for b of {size}",
                ["solve", "A.mtx", "b", "--method", method, "-o", "x"],
                files={"A.mtx": tridiagonal(4), "b": column([size, 0, 0, size])},
                after=[numbers("x", [float(size)] * 4)],
            )
    for scale, method in ((s, m) for s in ("1e-161", "1e-163", "1e-300") for m in ("lsqr", "gmres", "minres", "auto")):
        yield Case(
            f"solve --method {method} is right for a diagonal of {scale}",
            ["solve", "A.mtx", "b", "--method", method, "-o", "x"],
            files={"A.mtx": diagonal([scale] * 3), "b": column([scale] * 3)},
            after=[numbers("x", [1, 1, 1])],
        )
    for scale in ("1e-30", "1e30"):
        for method in METHODS:
            yield Case(
                f"solve --type float --method {method} is right for a diagonal of {scale}",
                ["solve", "A.mtx", "b", "--method", method, "--type", "float", "--tolerance", "1e-5", "-o", "x"],
                files={"A.mtx": diagonal([scale] * 3), "b": column([scale] * 3)},
                after=[numbers("x", [1, 1, 1], 1e-4)],
            )
    for what, a, b, x in (
        ("b of 1e-170", diagonal([1, 2, 4]), ["1e-170", "2e-170", "4e-170"], [1e-170] * 3),
        ("b of 1e300", diagonal([1, 2, 4]), ["1e300", "2e300", "4e300"], [1e300] * 3),
        ("b of 1e-40", diagonal([1, 2, 4]), ["1e-40", "2e-40", "4e-40"], [1e-40] * 3),
        ("A of 1e-200", diagonal(tiny), tiny, [1, 1, 1]),
        ("A of 1e200", diagonal([1e200] * 3), [1e200] * 3, [1, 1, 1]),
        ("A of 1e-60", diagonal(["1e-60"] * 3), ["1e-60"] * 3, [1, 1, 1]),
    ):
        yield Case(
            f"solve --mixed is right or says that it is not, for {what}",
            ["solve", "A.mtx", "b", "--mixed", "-o", "x"],
            files={"A.mtx": a, "b": column(b)},
            code=0 if what.startswith("b") else (0, 3),
            after=[right_or_refused("x", x)],
            leaves=["x"],
        )
    yield Case(
        "solve auto is right for a tall matrix of 1e-200",
        ["solve", "A.mtx", "b", "-o", "x"],
        files={"A.mtx": mtx("3 2 3\n1 1 1e-200\n2 2 1e-200\n3 2 1e-200\n"), "b": column(["1e-200"] * 3)},
        after=[numbers("x", [1, 1])],
    )
    for method in METHODS:
        yield Case(
            f"solve --method {method} says that a solution of 2^1200 is out of range",
            ["solve", "A.mtx", "b", "--method", method, "-o", "x"],
            files={"A.mtx": diagonal([repr(math.ldexp(1, -600))] * 3), "b": column([repr(math.ldexp(1, 600))] * 3)},
            code=3,
            error=["range"],
            leaves=["x"],
        )
    yield Case(
        "solve leaves a solution of 2^-1200 at zero and says how good that is",
        ["solve", "A.mtx", "b", "-o", "x"],
        files={"A.mtx": diagonal([repr(math.ldexp(1, 600))] * 3), "b": column([repr(math.ldexp(1, -600))] * 3)},
        code=(0, 3),
        leaves=["x"],
    )
    for method in METHODS:
        yield Case(
            f"solve --method {method} takes subnormal numbers in b for what they are",
            ["solve", "A.mtx", "b", "--method", method, "-o", "x"],
            files={"A.mtx": diagonal([1, 1, 1]), "b": column(["5e-324", "1e-323", "0"])},
            after=[numbers("x", [5e-324, 1e-323, 0])],
        )


def singular():
    """Systems without a solution, or with many."""
    zero = mtx("3 3 0\n")
    for method in METHODS:
        yield Case(
            f"solve --method {method} does not call a matrix of zeros solved",
            ["solve", "A.mtx", "b", "--method", method, "-o", "x"],
            files={"A.mtx": zero, "b": ONES},
            code=3 if method != "lsqr" else (0, 3),  # zero is the least-squares solution
            leaves=["x"],
        )
        yield Case(
            f"solve --method {method} gives zero for b of zeros",
            ["solve", "A.mtx", "b", "--method", method, "-o", "x"],
            files={"A.mtx": tridiagonal(3), "b": column([0, 0, 0])},
            after=[numbers("x", [0, 0, 0])],
        )
        yield Case(
            f"solve --method {method} does not call an impossible system solved",
            ["solve", "A.mtx", "b", "--method", method, "-o", "x"],
            files={"A.mtx": mtx("2 2 4\n1 1 1\n1 2 1\n2 1 1\n2 2 1\n"), "b": column([1, -1])},
            code=3 if method != "lsqr" else (0, 3),
            leaves=["x"],
        )
    for method in ("cg", "chebyshev"):
        yield Case(
            f"solve --method {method} says that an indefinite matrix is not for it, or is right",
            ["solve", "A.mtx", "b", "--method", method, "--preconditioner", "none", "-o", "x"],
            files={"A.mtx": mtx("2 2 2\n1 2 1\n2 1 1\n"), "b": column([1, 2])},
            code=(0, 3),
            after=[right_or_refused("x", [2, 1])],
            leaves=["x"],
        )
    for preconditioner in listed("precondition.hpp", "Kind"):
        yield Case(
            f"solve --preconditioner {preconditioner} survives a diagonal of zeros",
            ["solve", "A.mtx", "b", "--preconditioner", preconditioner, "-o", "x"],
            files={"A.mtx": mtx("2 2 2\n1 2 1\n2 1 1\n"), "b": column([1, 2])},
            code=(0, 3),
            after=[right_or_refused("x", [2, 1])],
            leaves=["x"],
        )
        yield Case(
            f"solve --preconditioner {preconditioner} survives a negative diagonal",
            ["solve", "A.mtx", "b", "--preconditioner", preconditioner, "-o", "x"],
            files={"A.mtx": diagonal([-1, -2]), "b": column([1, 2])},
            code=(0, 3),
            after=[right_or_refused("x", [-1, -1])],
            leaves=["x"],
        )


def options():
    """Options of solve at their ends."""
    yield Case("solve refuses --every 0", ["solve", "@poisson2d:4", "--method", "cg", "--checkpoint", "c", "--every", "0"], code=2, error=["--every"])
    yield Case("solve refuses --restart 0", ["solve", "@poisson2d:4", "--method", "gmres", "--restart", "0"], code=2, error=["--restart"])
    yield Case(
        "solve --restart 10000 takes little memory for 25 unknowns", ["solve", "@poisson2d:5", "--method", "gmres", "--restart", "10000"],
        megabytes=200,
    )
    yield Case("solve refuses --max-iterations 0", ["solve", "@poisson2d:4", "--max-iterations", "0"], code=2, error=["--max-iterations"])
    yield Case("solve with --tolerance 0 ends", ["solve", "@poisson2d:4", "--tolerance", "0"], code=(0, 3), seconds=10)
    yield Case("solve with --tolerance 1 ends at once", ["solve", "@poisson2d:4", "--tolerance", "1"])
    yield Case("solve refuses --tolerance 2", ["solve", "@poisson2d:4", "--tolerance", "2"], code=2, error=["--tolerance"])
    yield Case(
        "solve --method direct with --checkpoint is refused", ["solve", "@poisson2d:4", "--method", "direct", "--checkpoint", "c"], code=2,
        error=["direct"],
    )
    yield Case("solve --checkpoint without a method is refused", ["solve", "@poisson2d:4", "--checkpoint", "c"], code=2, error=["--method"])
    yield Case("solve refuses an unknown method and suggests one", ["solve", "@poisson2d:4", "--method", "gmers"], code=2, error=["gmres"])
    yield Case(
        "solve refuses an unknown preconditioner and suggests one", ["solve", "@poisson2d:4", "--preconditioner", "ilu"], code=2,
        error=["ilu0"],
    )
    yield Case(
        "solve refuses an unknown cycle", ["solve", "@poisson2d:4", "--preconditioner", "amg", "--cycle", "vv"], code=2, error=["cycle"],
    )
    yield Case("eigs refuses a cycle without multigrid", ["eigs", "@poisson2d:4", "-k", "2", "--cycle", "w"], code=2, error=["amg"])
    yield Case(
        "solve with three outputs on standard output is refused", ["solve", "@poisson2d:4", "-o", "-", "--svg", "-"], code=2,
        error=["standard output"],
    )
    yield Case("solve --monitor tells every iteration in a few lines", ["solve", "@poisson2d:4", "--method", "cg", "--monitor"])
    yield Case(
        "solve with b of another length is refused", ["solve", "A.mtx", "b"], files={"A.mtx": tridiagonal(4), "b": ONES}, code=4,
        error=["3", "4"],
    )
    yield Case(
        "solve with b of two columns is refused", ["solve", "A.mtx", "b"],
        files={"A.mtx": tridiagonal(2), "b": mtx("2 2\n1\n2\n3\n4\n", kind="array")}, code=4, error=["b", "column"],
    )
    yield Case(
        "solve with words for b is refused", ["solve", "A.mtx", "b"], files={"A.mtx": tridiagonal(2), "b": "1\ntwo\n"}, code=4,
        error=["b:2", "two"],
    )
    yield Case(
        "solve with b of a number beyond double is refused", ["solve", "A.mtx", "b"], files={"A.mtx": tridiagonal(2), "b": "1\n1e999\n"},
        code=4, error=["b:2"],
    )
    yield Case("solve with an empty b is refused", ["solve", "A.mtx", "b"], files={"A.mtx": tridiagonal(2), "b": ""}, code=4, error=["b"])
    yield Case("solve with a missing b is refused", ["solve", "A.mtx", "b"], files={"A.mtx": tridiagonal(2)}, code=4, error=["b"])
    yield Case(
        "solve with a complex b for a real A is refused", ["solve", "A.mtx", "b"],
        files={"A.mtx": tridiagonal(2), "b": mtx("2 1\n1 1\n2 0\n", "complex", kind="array")}, code=4, error=["complex"],
    )
    for what, b, texts in (
        ("indices and values for b", "1 5\n2 6\n", ["index and a value"]),
        ("semicolons in b", "1;2\n", ["b:1", "not a number"]),
        ("three numbers per line for b", "1 2 3\n", ["b:1", "3 numbers"]),
        ("a number beyond double first in b", "1e400\n1\n", ["b:1", "too large"]),
        ("a Matrix Market file with a line before its banner for b", "\n%%MatrixMarket matrix array real general\n2 1\n1\n2\n", ["banner"]),
    ):
        for kind in ("double", "complex-double"):
            yield Case(f"solve as {kind} refuses {what}", ["solve", "A.mtx", "b", "--type", kind, "-o", "x"],
                       files={"A.mtx": tridiagonal(2), "b": b}, code=4, error=texts, absent=["edge"], after=[is_absent("x")])
    yield Case(
        "solve takes b with comments and Fortran's exponents", ["solve", "A.mtx", "b", "-o", "x"],
        files={"A.mtx": diagonal([1, 2]), "b": "# from NumPy\n1d0\n% half\n4.0D+0\n"}, after=[numbers("x", [1, 2])],
    )
    yield Case(
        "A complex solution of 1, 2, ... is read back as complex",
        shell="$LACIS solve A.mtx b -o x -q >/dev/null && $LACIS solve A.mtx x -o y --json",
        files={"A.mtx": mtx("2 2 2\n1 1 1 0\n2 2 1 0\n", "complex"), "b": "1.0 5\n2 6\n"}, after=[same_bytes("x", "y")],
    )
    yield Case(
        "A vector without elements is read back", shell="$LACIS solve E.mtx -o x -q >/dev/null && $LACIS solve E.mtx x -o y --json",
        files={"E.mtx": mtx("0 0 0\n")}, after=[same_bytes("x", "y")],
    )
    yield Case(
        "solve takes b with CRLF, blanks and blank lines", ["solve", "A.mtx", "b", "-o", "x"],
        files={"A.mtx": diagonal([1, 2]), "b": b"\r\n  1 \t\r\n\r\n+4\r\n\r\n"}, after=[numbers("x", [1, 2])],
    )
    yield Case(
        "solve takes b with a byte order mark", ["solve", "A.mtx", "b", "-o", "x"],
        files={"A.mtx": diagonal([1, 2]), "b": b"\xef\xbb\xbf1\n4\n"}, after=[numbers("x", [1, 2])],
    )


def needs_direct(case):
    return case.arguments is not None and "direct" in case.arguments and case.code != 2


def cases(program):
    every = [case for make in (not_finite, scales, singular, options) for case in make()]
    return [dataclasses.replace(case, needs=[*case.needs, "direct solver"]) if needs_direct(case) else case for case in every]
